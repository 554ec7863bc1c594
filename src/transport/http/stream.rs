//! An event stream that is being read, and asked for again where it broke if the server has said from where.

use super::super::Failure;
use super::super::events::{Event, Events};
use super::body::{is_stream, words};
use super::origin::{Origin, Request};
use reqwest::Method;
use reqwest::Response;
use reqwest::header::{ACCEPT, HeaderMap, HeaderName, HeaderValue};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// How often one stream is resumed.
const RESUMPTIONS: usize = 5;
/// The pause before that where the server names none.
const RETRY: Duration = Duration::from_secs(1);

const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
const STREAM_TYPE: HeaderValue = HeaderValue::from_static("text/event-stream");

/// An answer that is on its way.
pub(in super::super) type Coming = Pin<Box<dyn Future<Output = Result<Response, Failure>> + Send>>;

enum State {
    Coming(Coming),
    Open(Response),
    Ended,
}

/// A stream of events.
pub(in super::super) struct Stream {
    origin: Arc<Origin>,
    state: State,
    events: Events,
    /// What a request for the rest carries; `None` where there is no asking again.
    headers: Option<HeaderMap>,
    resumed: usize,
    /// Whether somebody has waited for it to open.
    is_awaited: bool,
}

impl Stream {
    /// Reads an answer that has begun.
    pub(super) fn of(
        origin: Arc<Origin>,
        response: Response,
        headers: Option<HeaderMap>,
        bound: usize,
    ) -> Self {
        Self {
            origin,
            state: State::Open(response),
            events: Events::new(bound),
            headers,
            resumed: 0,
            is_awaited: false,
        }
    }

    /// Reads the answer to a request once it begins, if it is a stream. There is no asking again for its rest.
    pub(super) fn coming(origin: Arc<Origin>, coming: Coming, bound: usize) -> Self {
        let coming = async move {
            let response = coming.await?;
            if is_stream(&response) {
                Ok(response)
            } else {
                Err(Failure::NoStream)
            }
        };
        Self {
            origin,
            state: State::Coming(Box::pin(coming)),
            events: Events::new(bound),
            headers: None,
            resumed: 0,
            is_awaited: false,
        }
    }

    /// Asks for a stream; nothing is sent before it is read.
    pub(in super::super) fn get(
        origin: Arc<Origin>,
        headers: HeaderMap,
        may_resume: bool,
        bound: usize,
    ) -> Self {
        let coming = get(Arc::clone(&origin), headers.clone(), Duration::ZERO);
        Self {
            origin,
            state: State::Coming(coming),
            events: Events::new(bound),
            headers: may_resume.then_some(headers),
            resumed: 0,
            is_awaited: false,
        }
    }

    /// Waits until it is open, the first time: it may be long on its way. Safe to be cancelled.
    pub(super) async fn begin(&mut self) -> Result<(), Failure> {
        if std::mem::replace(&mut self.is_awaited, true) {
            return Ok(());
        }
        self.open().await
    }

    async fn open(&mut self) -> Result<(), Failure> {
        if let State::Coming(coming) = &mut self.state {
            match coming.await {
                Ok(response) => self.state = State::Open(response),
                Err(failure) => {
                    self.state = State::Ended;
                    return Err(failure);
                }
            }
        }
        Ok(())
    }

    /// The next event. Safe to be cancelled.
    pub(in super::super) async fn next(&mut self) -> Result<Event, Failure> {
        loop {
            if let Some(event) = self.events.pop() {
                return Ok(event);
            }
            match &mut self.state {
                State::Coming(_) => self.open().await?,
                State::Open(response) => match response.chunk().await {
                    Ok(Some(piece)) => self.events.push(&piece)?,
                    ended => self.go_on(ended.err().as_ref())?,
                },
                State::Ended => return Err(Failure::Cut),
            }
        }
    }

    /// A stream that breaks and one that ends early are the same to a client: it resumes where the server has
    /// given an id to resume from (2025-11-25, "Resumability and Redelivery").
    fn go_on(&mut self, error: Option<&reqwest::Error>) -> Result<(), Failure> {
        self.state = State::Ended;
        let last = HeaderValue::from_str(&self.events.last_id)
            .ok()
            .filter(|last| !last.is_empty());
        let (Some(headers), Some(last)) = (&self.headers, last) else {
            return Err(self.end(error));
        };
        if self.resumed >= RESUMPTIONS {
            return Err(self.end(error));
        }
        self.resumed += 1;
        let mut headers = headers.clone();
        headers.insert(LAST_EVENT, last);
        let pause = self.events.retry.unwrap_or(RETRY);
        self.events.start_over();
        let coming = get(Arc::clone(&self.origin), headers, pause);
        // What a server makes of the asking explains nothing: the answer that was begun is not whole.
        self.state = State::Coming(Box::pin(async {
            coming.await.map_err(|failure| match failure {
                Failure::Connect { .. } | Failure::Broken { .. } => failure,
                _ => Failure::Cut,
            })
        }));
        Ok(())
    }

    fn end(&self, error: Option<&reqwest::Error>) -> Failure {
        error.map_or(Failure::Cut, |error| Failure::Broken {
            address: self.origin.address(),
            cause: words(error),
        })
    }
}

/// Asks for a stream after a pause.
fn get(origin: Arc<Origin>, mut headers: HeaderMap, pause: Duration) -> Coming {
    headers.insert(ACCEPT, STREAM_TYPE);
    let request = Request {
        method: Method::GET,
        headers,
        body: None,
    };
    Box::pin(async move {
        tokio::time::sleep(pause).await;
        let response = origin.ask(&origin.url, &request).await?;
        if is_stream(&response) {
            Ok(response)
        } else {
            Err(Failure::NoStream)
        }
    })
}
