//! Being told of changes by a server that is stayed connected to: what a legacy server says by itself, and the request
//! that a modern one answers bit by bit (2026-07-28, "Subscriptions").

use super::message::{self, RpcError};
use super::session::Session;
use super::trouble::Trouble;
use crate::capture::{Answer, Era, Hello};
use crate::json::Value;
use crate::model::Kind;
use crate::transport::{Failure, Transport};
use serde_json::{Map, json};
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

/// How long a server may take to say that it will tell, before it is asked for its lists.
const ACKNOWLEDGED: Duration = Duration::from_secs(2);

/// What became of the request to be told of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subscription {
    /// It was not sent, or its end is over and told.
    None,
    /// It was sent.
    Asked(u64),
    /// The server tells.
    Stands(u64),
    /// The server does not tell anybody.
    Refused,
    /// The server tells no longer.
    Over,
}

impl Subscription {
    fn id(self) -> Option<u64> {
        match self {
            Self::Asked(id) | Self::Stands(id) => Some(id),
            _ => None,
        }
    }

    /// The server says that it tells from now on.
    pub(super) fn acknowledge(&mut self) {
        if let Self::Asked(id) = *self {
            *self = Self::Stands(id);
        }
    }

    /// Whether an answer ends it: an answer to the request itself is the end of it, an error a refusal unless the
    /// server has told before.
    pub(super) fn is_ended_by(&mut self, answer: &Answer) -> bool {
        let id = answer.document.value.get("id");
        let is_it = |ours: u64| id.is_some_and(|id| message::is_id(id, ours));
        if !self.id().is_some_and(is_it) {
            return false;
        }
        *self = match (*self, RpcError::of(answer)) {
            (Self::Asked(_), Some(_)) => Self::Refused,
            _ => Self::Over,
        };
        true
    }

    /// The other form of the end: the server cancels the request that it answers.
    pub(super) fn cancel(&mut self, request: Option<&Value>) {
        let is_it = |ours: u64| request.is_some_and(|id| message::is_id(id, ours));
        if self.id().is_some_and(is_it) {
            *self = Self::Over;
        }
    }
}

impl Session<'_> {
    /// Sees to it that the server tells of changes, where it does not tell already and has not refused to, before it is
    /// asked for its lists: what changes after they were read is told of. A legacy server over HTTP is listened to since
    /// the handshake, but may take a moment to notice.
    pub(super) async fn see_to_being_told(&mut self, hello: &Hello) -> Result<(), Trouble> {
        if self.era == Era::Legacy {
            if self.fell_silent() {
                self.transport()?.listen();
            }
            let within = ACKNOWLEDGED.min(self.options.timeout);
            // One that sends no head before it has something to say is listened to all the same.
            let _ = timeout(within, self.transport()?.opens()).await;
            return Ok(());
        }
        self.notice_silence();
        if matches!(self.subscription, Subscription::None | Subscription::Over) {
            self.subscribe(hello).await?;
        }
        Ok(())
    }

    /// Asks to be told, and waits a moment for the word that this holds: what changes after it is told of.
    async fn subscribe(&mut self, hello: &Hello) -> Result<(), Trouble> {
        let mut wanted = Map::new();
        for (kind, member) in [
            (Kind::Tool, "toolsListChanged"),
            (Kind::Prompt, "promptsListChanged"),
            (Kind::Resource, "resourcesListChanged"),
        ] {
            if kind == Kind::Tool || super::announces(hello, kind) {
                wanted.insert(member.to_owned(), json!(true));
            }
        }
        let params = Map::from_iter([("notifications".to_owned(), wanted.into())]);
        let id = self.send_standing("subscriptions/listen", params).await?;
        self.subscription = Subscription::Asked(id);
        let deadline = Instant::now() + ACKNOWLEDGED.min(self.options.timeout);
        while matches!(self.subscription, Subscription::Asked(_)) && Instant::now() < deadline {
            self.hear(deadline).await?;
            self.notice_silence();
        }
        Ok(())
    }

    /// Deals with the next message that comes by itself until then. Whoever ends by itself is met as an error, a
    /// stream that is over is not.
    pub(super) async fn hear(&mut self, until: Instant) -> Result<(), Trouble> {
        let frame = match timeout_at(until, self.transport()?.hear()).await {
            Err(_) => return Ok(()),
            Ok(Ok(frame)) => frame,
            Ok(Err(_)) if self.silence().is_some() => return Ok(()),
            Ok(Err(failure)) => return Err(failure.into()),
        };
        // A server that asks something and does not read the answer is a server that hangs.
        let within = self.options.timeout;
        let dealing = async {
            for message in self.messages(frame)? {
                self.attend(message).await?;
            }
            Ok(())
        };
        timeout(within, dealing)
            .await
            .unwrap_or(Err(Failure::Timeout(within).into()))
    }

    /// Whether nothing will be told any more on a way that worked, so that it is worth to be asked for again.
    pub(super) fn fell_silent(&self) -> bool {
        self.subscription == Subscription::Over || (self.silence().is_some() && !self.is_refused())
    }

    /// Whether the server is a process, which may end while it says nothing.
    pub(super) fn is_process(&self) -> bool {
        self.transport.as_ref().is_some_and(Transport::is_process)
    }

    fn silence(&self) -> Option<&Failure> {
        self.transport.as_ref().and_then(Transport::silence)
    }

    /// Whether the server does not tell anybody.
    fn is_refused(&self) -> bool {
        let is_refusal = match self.silence() {
            Some(Failure::Status(refusal)) => refusal.status < 500,
            Some(Failure::NoStream | Failure::Redirect { .. }) => true,
            _ => false,
        };
        let has_told = matches!(self.subscription, Subscription::Stands(_));
        self.subscription == Subscription::Refused || (is_refusal && !has_told)
    }

    /// Over HTTP the end of the stream is the end of what was asked for.
    fn notice_silence(&mut self) {
        if self.silence().is_none() || self.subscription.id().is_none() {
            return;
        }
        self.subscription = if self.is_refused() {
            Subscription::Refused
        } else {
            Subscription::Over
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{self, Limits};

    fn answer(text: &str) -> Answer {
        Answer::read(text.as_bytes().to_vec(), Limits::default()).expect("JSON")
    }

    #[test]
    fn an_error_refuses_what_was_not_acknowledged_and_ends_what_was() {
        let error = answer(r#"{"id":7,"error":{"code":-32601,"message":"no"}}"#);
        let mut asked = Subscription::Asked(7);
        assert!(asked.is_ended_by(&error));
        assert_eq!(asked, Subscription::Refused);
        let mut stands = Subscription::Asked(7);
        stands.acknowledge();
        assert!(stands.is_ended_by(&error));
        assert_eq!(stands, Subscription::Over);
    }

    #[test]
    fn both_forms_of_an_end_are_one() {
        let mut answered = Subscription::Stands(7);
        assert!(!answered.is_ended_by(&answer(r#"{"id":8,"result":{}}"#)));
        assert!(answered.is_ended_by(&answer(r#"{"id":"7","result":{"resultType":"complete"}}"#)));
        let mut cancelled = Subscription::Stands(7);
        cancelled.cancel(None);
        assert_eq!(cancelled, Subscription::Stands(7));
        let id = json::read(b"7", Limits::default()).expect("JSON").value;
        cancelled.cancel(Some(&id));
        assert_eq!(
            (answered, cancelled),
            (Subscription::Over, Subscription::Over)
        );
    }
}
