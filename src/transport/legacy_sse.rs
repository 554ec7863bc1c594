//! HTTP+SSE (2024-11-05, "HTTP with SSE"): one event stream brings everything that the server says, its first
//! event names where messages are posted.
//!
//! That place is used only if it is on the origin of the configured URL: a credential goes nowhere else. The
//! stream is the session: where it ends, [`crate::client`] begins anew.

use super::events::Event;
use super::http::{BOTH_TYPES, JSON_TYPE, Origin, REVISION, Request, Stream};
use super::{Direction, Failure, Outgoing, Tap, Ways};
use crate::model::Endpoint;
use crate::secret::Secrets;
use reqwest::Method;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use std::collections::VecDeque;
use std::sync::Arc;
use url::Url;

/// How many characters of a place are shown.
const EXCERPT: usize = 200;

/// The stream and where to post; neither before the first message is sent.
struct Line {
    stream: Stream,
    place: Url,
    has_ended: bool,
}

/// A URL, and the stream that comes from it.
pub(crate) struct LegacySse {
    origin: Arc<Origin>,
    bound: usize,
    tap: Tap,
    line: Option<Line>,
    /// What came while something was posted, and its bytes.
    heard: VecDeque<Vec<u8>>,
    heard_bytes: usize,
    /// Why the last request has no answer.
    refused: Option<Failure>,
}

impl LegacySse {
    /// Makes ready; nothing is sent yet.
    pub(super) fn new(
        url: &str,
        headers: &[(String, String)],
        ways: &Ways<'_>,
        tap: Tap,
    ) -> Result<Self, Failure> {
        Ok(Self {
            origin: Arc::new(Origin::new(url, headers, ways, tap.clone())?),
            bound: ways.bounds.frame_bytes,
            tap,
            line: None,
            heard: VecDeque::new(),
            heard_bytes: 0,
            refused: None,
        })
    }

    /// The same for what an endpoint says.
    pub(super) fn new_at(endpoint: &Endpoint, ways: &Ways<'_>, tap: Tap) -> Result<Self, Failure> {
        match endpoint {
            Endpoint::Http { url, headers } => Self::new(url, headers, ways, tap),
            Endpoint::Stdio { .. } | Endpoint::File(_) => Err(Failure::NoStream),
        }
    }

    pub(super) async fn request(&mut self, message: Outgoing<'_>) -> Result<(), Failure> {
        match self.post(message).await {
            // It may hold a JSON-RPC error: it is read like an answer.
            Err(failure @ Failure::Status(_)) if self.line.is_some() => {
                self.refused = Some(failure);
                Ok(())
            }
            other => other,
        }
    }

    /// What a server makes of a notification is its own affair: the next request will tell.
    pub(super) async fn notify(&mut self, message: Outgoing<'_>) -> Result<(), Failure> {
        match self.post(message).await {
            Err(Failure::Status(_) | Failure::Redirect { .. }) => Ok(()),
            other => other,
        }
    }

    /// The next message. Safe to be cancelled.
    pub(super) async fn read(&mut self) -> Result<Vec<u8>, Failure> {
        let message = match self.heard.pop_front() {
            Some(message) => {
                self.heard_bytes -= message.len();
                message
            }
            None => match self.refused.take() {
                Some(failure) => return Err(failure),
                None => self.next().await?,
            },
        };
        self.tap.show(Direction::Received, &message);
        Ok(message)
    }

    /// Whether there was a stream that said where to post.
    pub(super) fn is_open(&self) -> bool {
        self.line.is_some()
    }

    /// Gives the stream up; the next message opens another.
    pub(super) fn hang_up(&mut self) {
        self.line = None;
        self.heard.clear();
        self.heard_bytes = 0;
    }

    async fn next(&mut self) -> Result<Vec<u8>, Failure> {
        match &mut self.line {
            Some(line) => line.next().await,
            None => Err(Failure::HungUp),
        }
    }

    /// Posts a message. The stream is read on meanwhile: a server may answer there first, and one that cannot
    /// write there may not get to accept what is posted.
    async fn post(&mut self, message: Outgoing<'_>) -> Result<(), Failure> {
        self.tap.show(Direction::Sent, message.text.as_bytes());
        if self.line.is_none() {
            self.line =
                Some(Line::open(Arc::clone(&self.origin), self.bound, &self.tap.secrets).await?);
        }
        let Some(line) = &mut self.line else {
            return Err(Failure::HungUp);
        };
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, BOTH_TYPES);
        headers.insert(CONTENT_TYPE, JSON_TYPE);
        let revision = message.revision.map(HeaderValue::from_str);
        if let Some(Ok(revision)) = revision {
            headers.insert(REVISION, revision);
        }
        let request = Request {
            method: Method::POST,
            headers,
            body: Some(message.text.to_owned()),
        };
        let place = line.place.clone();
        let posting = self.origin.ask(&place, &request);
        tokio::pin!(posting);
        loop {
            tokio::select! {
                biased;
                posted = &mut posting => return posted.map(drop),
                heard = line.next(), if !line.has_ended && self.heard_bytes <= self.bound => {
                    // An end is met again by whoever reads.
                    if let Ok(message) = heard {
                        self.heard_bytes += message.len();
                        self.heard.push_back(message);
                    }
                }
            }
        }
    }
}

impl Line {
    /// Opens the stream and waits to be told where to post.
    async fn open(origin: Arc<Origin>, bound: usize, secrets: &Secrets) -> Result<Self, Failure> {
        let mut stream = Stream::get(Arc::clone(&origin), HeaderMap::new(), false, bound);
        let named = loop {
            match stream.next().await {
                Ok(Event::Endpoint(named)) => break named,
                Ok(Event::Message(_)) => {}
                Err(Failure::Cut) => return Err(Failure::NoEndpoint),
                Err(failure) => return Err(failure),
            }
        };
        let place = origin
            .on_it(&origin.url, named.trim())
            .ok_or_else(|| Failure::Endpoint(secrets.excerpt(&named, EXCERPT)))?;
        Ok(Self {
            stream,
            place,
            has_ended: false,
        })
    }

    async fn next(&mut self) -> Result<Vec<u8>, Failure> {
        loop {
            match self.stream.next().await {
                Ok(Event::Message(message)) => return Ok(message),
                // The place stays what it was.
                Ok(Event::Endpoint(_)) => {}
                Err(failure) => {
                    self.has_ended = true;
                    return Err(match failure {
                        Failure::Cut | Failure::Broken { .. } => Failure::HungUp,
                        other => other,
                    });
                }
            }
        }
    }
}
