//! A talk that stays open: lists when it is asked to, and tells meanwhile what the server calls changed.
//!
//! Nothing is kept of what was listed before, however long it lasts.

use super::options::Options;
use super::session::Session;
use super::trouble::Trouble;
use super::{from_file, list};
use crate::capture::{Capture, Hello};
use crate::model::{Endpoint, Kind, Problem};
use crate::secret::Secrets;
use std::collections::{BTreeMap, BTreeSet};
use tokio::time::{Instant, sleep_until};

/// A connection with a server that lasts. Dropping it ends the server.
pub struct Standing<'a> {
    endpoint: &'a Endpoint,
    options: &'a Options,
    /// `None` of a file, and once it has failed.
    session: Option<Session<'a>>,
    hello: Option<Hello>,
    /// Whether the server tells no more, and that was said.
    is_deaf: bool,
}

/// What came while nothing was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// Nothing, until the time was over.
    Nothing,
    /// The server called these lists changed, each since then.
    Changed(BTreeMap<Kind, Instant>),
    /// The server will tell no more, unless it is asked to again: the next capture does that. Said once.
    Silence,
}

impl<'a> Standing<'a> {
    /// Nothing is started before the first capture.
    pub fn new(endpoint: &'a Endpoint, secrets: &Secrets, options: &'a Options) -> Self {
        let is_file = matches!(endpoint, Endpoint::File(_));
        let mut session = Session::new(endpoint, secrets, options);
        session.stays = true;
        Self {
            endpoint,
            options,
            session: (!is_file).then_some(session),
            hello: None,
            is_deaf: false,
        }
    }

    /// Everything that the server offers now. The first time it is started and greeted; a modern one is asked each time
    /// what it says of itself, a legacy one says that once. `expected_tools` is as for [`super::capture`].
    ///
    /// # Errors
    /// As [`super::capture`]; then it is over.
    pub async fn capture(
        &mut self,
        expected_tools: &BTreeSet<String>,
        progress: &(dyn Fn(&str) + Sync),
    ) -> Result<Capture, Problem> {
        if let Endpoint::File(path) = self.endpoint {
            return from_file(path, &self.options.bounds);
        }
        let Some(mut session) = self.session.take() else {
            return Err(Problem::new("ended", "the connection is over"));
        };
        self.is_deaf = false;
        match talk(&mut session, &mut self.hello, expected_tools, progress).await {
            Ok(capture) => {
                self.session = Some(session);
                Ok(capture)
            }
            Err(trouble) => Err(session.fail(trouble).await),
        }
    }

    /// What the server called changed since this was last asked, or told by [`Standing::wait`].
    pub fn called_changed(&mut self) -> BTreeMap<Kind, Instant> {
        let session = self.session.as_mut();
        session.map_or_else(BTreeMap::new, |session| {
            std::mem::take(&mut session.announced)
        })
    }

    /// Waits until then for what the server tells by itself.
    ///
    /// # Errors
    /// The server ended, or broke the protocol; then it is over.
    pub async fn wait(&mut self, until: Instant) -> Result<Told, Problem> {
        loop {
            let told = self.called_changed();
            if !told.is_empty() {
                return Ok(Told::Changed(told));
            }
            let Some(session) = &mut self.session else {
                sleep_until(until).await;
                return Ok(Told::Nothing);
            };
            if session.fell_silent() && !self.is_deaf {
                self.is_deaf = true;
                return Ok(Told::Silence);
            }
            // A stream that is over has no more to say; a process may still end.
            if self.is_deaf && !session.is_process() {
                sleep_until(until).await;
                return Ok(Told::Nothing);
            }
            let heard = session.hear(until).await;
            if let Err(trouble) = heard {
                return self.ended(trouble).await;
            }
            if Instant::now() >= until {
                return Ok(Told::Nothing);
            }
        }
    }

    async fn ended(&mut self, trouble: Trouble) -> Result<Told, Problem> {
        match self.session.take() {
            // One stream is all that such a server has: the next capture begins anew.
            Some(session) if trouble.is_lost_session() => {
                self.session = Some(session);
                self.is_deaf = true;
                Ok(Told::Silence)
            }
            Some(session) => Err(session.fail(trouble).await),
            None => Ok(Told::Nothing),
        }
    }

    /// Ends the talk, and the server where it was started.
    pub async fn close(self) {
        if let Some(session) = self.session {
            session.close().await;
        }
    }
}

async fn talk(
    session: &mut Session<'_>,
    hello: &mut Option<Hello>,
    expected: &BTreeSet<String>,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Capture, Trouble> {
    // What was odd before was told before.
    session.forget_oddities();
    let hello = if let Some(hello) = hello {
        session.greet_still(hello).await?;
        hello
    } else {
        progress("starting");
        hello.insert(session.greet().await?)
    };
    session.see_to_being_told(hello).await?;
    list(session, hello, expected, progress).await
}
