//! Streamable HTTP: each message is a POST, answered by one JSON text or by an event stream.
//!
//! Nothing is followed across origins, and a credential goes to the configured one only. What a session is, and
//! which revision to name, is for [`crate::client`] to decide.

mod body;
mod challenge;
mod origin;
mod pause;
mod place;
mod reach;
mod stream;

pub(crate) use body::words;
pub(crate) use challenge::Challenge;
pub(super) use origin::{Origin, Request};
pub(super) use place::add_secrets;
pub(crate) use reach::{client, is_loopback};
pub(super) use stream::Stream;

use super::events::Event;
use super::{Direction, Failure, Outgoing, Tap, Ways};
use crate::secret::Secrets;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use body::{BodyError, bounded, is_stream};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Response};
use std::sync::Arc;
use std::time::Duration;
use stream::Coming;

/// How long the end of a session may take.
const CLOSE_WAIT: Duration = Duration::from_secs(2);

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
pub(super) const REVISION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");
pub(super) const BOTH_TYPES: HeaderValue =
    HeaderValue::from_static("application/json, text/event-stream");
pub(super) const JSON_TYPE: HeaderValue = HeaderValue::from_static("application/json");

/// What is still to be read of the answer to the last request.
enum Answer {
    /// Nothing, or no more: how it was answered.
    Spent { status: u16, content: String },
    /// It is no answer.
    Failed(Failure),
    /// It has not begun.
    Coming(Coming),
    /// One JSON text, as far as it was read.
    Whole(Response, Vec<u8>),
    /// An event stream.
    Stream(Box<Stream>),
}

/// A URL and what it has told so far.
pub(crate) struct Http {
    origin: Arc<Origin>,
    bound: usize,
    tap: Tap,
    answer: Answer,
    /// What comes by itself, where the server offers that.
    unasked: Option<Box<Stream>>,
    /// Why that is over.
    silence: Option<Failure>,
    /// The session that the last answer named, and the one in force.
    offered: Option<HeaderValue>,
    session: Option<HeaderValue>,
    /// The revision that the last message named.
    revision: Option<HeaderValue>,
    /// Whether streams can be resumed: up to 2025-11-25 they can.
    may_resume: bool,
}

impl Http {
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
            answer: Answer::Spent {
                status: 0,
                content: "nothing".to_owned(),
            },
            unasked: None,
            silence: None,
            offered: None,
            session: None,
            revision: None,
            may_resume: true,
        })
    }

    /// The same place, session and revision, for another request at the same time.
    pub(super) fn beside(&self) -> Self {
        Self {
            origin: Arc::clone(&self.origin),
            bound: self.bound,
            tap: self.tap.clone(),
            answer: Answer::Spent {
                status: 0,
                content: "nothing".to_owned(),
            },
            unasked: None,
            silence: None,
            offered: None,
            session: self.session.clone(),
            revision: self.revision.clone(),
            may_resume: self.may_resume,
        }
    }

    /// Says who asks by another header from now on; what is under way is not touched.
    pub(super) fn present(&mut self, header: &(String, String)) {
        let mut tap = self.tap.clone();
        add_secrets(
            self.origin.url.as_str(),
            std::slice::from_ref(header),
            &mut tap.secrets,
        );
        // What no header can hold was none before.
        if let Ok(origin) = self.origin.presenting(header, tap.clone()) {
            self.origin = Arc::new(origin);
            self.tap = tap;
        }
    }

    /// Sends a request once its answer is read. What is left of the answer before it is given up.
    pub(super) fn request(&mut self, message: Outgoing<'_>) {
        self.may_resume = message.method.is_none();
        self.offered = None;
        self.answer = Answer::Coming(self.post(message));
    }

    /// A notification is answered by nothing, and what a server makes of it is its own affair: the next
    /// request will tell.
    pub(super) async fn notify(&mut self, message: Outgoing<'_>) -> Result<(), Failure> {
        match self.post(message).await {
            Ok(_) | Err(Failure::Status(_) | Failure::Redirect { .. }) => Ok(()),
            Err(failure) => Err(failure),
        }
    }

    /// Begins to listen to what the server says by itself (2025-03-26 to 2025-11-25, "Listening for Messages").
    /// One that does not offer it says so, which is no failure.
    pub(super) fn listen(&mut self) {
        let stream = Stream::get(
            Arc::clone(&self.origin),
            self.stamps(),
            self.may_resume,
            self.bound,
        );
        self.unasked = Some(Box::new(stream));
        self.silence = None;
    }

    /// Waits until the server has answered the asking, with a stream or a refusal; once for each asking, as it may take
    /// long. Safe to be cancelled.
    pub(super) async fn opens(&mut self) {
        if let Some(stream) = &mut self.unasked
            && let Err(failure) = stream.begin().await
        {
            self.unasked = None;
            self.silence = Some(failure);
        }
    }

    /// Sends a request whose answer is a stream that stays open (2026-07-28, "Subscriptions").
    pub(super) fn subscribe(&mut self, message: Outgoing<'_>) {
        let coming = self.post(message);
        let stream = Stream::coming(Arc::clone(&self.origin), coming, self.bound);
        self.unasked = Some(Box::new(stream));
        self.silence = None;
    }

    /// Why nothing comes by itself any more, where it was listened to.
    pub(super) fn silence(&self) -> Option<&Failure> {
        self.silence.as_ref()
    }

    /// The next message that comes by itself, or why none will; never, if nothing is listened to. Safe to be
    /// cancelled.
    pub(super) async fn hear(&mut self) -> Result<Vec<u8>, Failure> {
        loop {
            if let Some(message) = unasked(&mut self.unasked, &mut self.silence).await {
                self.tap.show(Direction::Received, &message);
                return Ok(message);
            }
            if let Some(failure) = &self.silence {
                return Err(failure.clone());
            }
        }
    }

    /// Whether anything may come by itself.
    pub(super) fn listens(&self) -> bool {
        self.unasked.is_some()
    }

    /// The next message, of the answer or of what comes beside it. Safe to be cancelled.
    pub(super) async fn read(&mut self) -> Result<Vec<u8>, Failure> {
        loop {
            let parts = Parts {
                origin: &self.origin,
                bound: self.bound,
                secrets: &self.tap.secrets,
                answer: &mut self.answer,
                offered: &mut self.offered,
                again: self
                    .may_resume
                    .then(|| stamps(self.session.as_ref(), self.revision.as_ref())),
            };
            let message = tokio::select! {
                biased;
                message = parts.read() => Some(message?),
                unasked = unasked(&mut self.unasked, &mut self.silence) => unasked,
            };
            if let Some(message) = message {
                self.tap.show(Direction::Received, &message);
                return Ok(message);
            }
        }
    }

    /// The next message that comes by itself; never, if none can. Safe to be cancelled.
    pub(super) async fn overhear(&mut self) -> Vec<u8> {
        loop {
            if let Some(message) = unasked(&mut self.unasked, &mut self.silence).await {
                self.tap.show(Direction::Received, &message);
                return message;
            }
        }
    }

    /// What every request carries beside what is in it.
    fn stamps(&self) -> HeaderMap {
        stamps(self.session.as_ref(), self.revision.as_ref())
    }

    fn post(&mut self, message: Outgoing<'_>) -> Coming {
        self.tap.show(Direction::Sent, message.text.as_bytes());
        self.revision = message
            .revision
            .and_then(|revision| HeaderValue::from_str(revision).ok());
        let mut headers = self.stamps();
        headers.insert(ACCEPT, BOTH_TYPES);
        headers.insert(CONTENT_TYPE, JSON_TYPE);
        if let Some(method) = message.method.and_then(|m| HeaderValue::from_str(m).ok()) {
            headers.insert(METHOD, method);
        }
        if let Some(name) = message.name.and_then(as_header) {
            headers.insert(NAME, name);
        }
        for (name, value) in message.params {
            let name = HeaderName::try_from(format!("mcp-param-{name}"));
            if let (Ok(name), Some(value)) = (name, as_header(value)) {
                headers.insert(name, value);
            }
        }
        let request = Request {
            method: Method::POST,
            headers,
            body: Some(message.text.to_owned()),
        };
        let origin = Arc::clone(&self.origin);
        Box::pin(async move { origin.ask(&origin.url, &request).await })
    }

    pub(super) fn keep_session(&mut self) {
        self.session = self.offered.take();
    }

    pub(super) fn has_session(&self) -> bool {
        self.session.is_some()
    }

    pub(super) fn forget_session(&mut self) {
        self.session = None;
        self.unasked = None;
        self.silence = None;
    }

    /// Says goodbye, if there is a session to end; servers may refuse that.
    pub(super) async fn close(mut self) {
        self.unasked = None;
        if self.session.is_some() {
            let request = Request {
                method: Method::DELETE,
                headers: self.stamps(),
                body: None,
            };
            let end = self.origin.send(&self.origin.url, &request);
            let _ = tokio::time::timeout(CLOSE_WAIT, end).await;
        }
    }
}

/// A text as the value of a header (2026-07-28, "Value Encoding"): as it is, or in base64 where a header could not
/// hold it, or it could be taken for base64.
fn as_header(text: &str) -> Option<HeaderValue> {
    let is_plain = text.bytes().all(|b| matches!(b, b' '..=b'~'))
        && text.trim_matches(' ') == text
        && !(text.starts_with("=?base64?") && text.ends_with("?="));
    if is_plain {
        HeaderValue::from_str(text).ok()
    } else {
        HeaderValue::from_str(&format!("=?base64?{}?=", BASE64.encode(text))).ok()
    }
}

fn stamps(session: Option<&HeaderValue>, revision: Option<&HeaderValue>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    if let Some(session) = session {
        headers.insert(SESSION, session.clone());
    }
    if let Some(revision) = revision {
        headers.insert(REVISION, revision.clone());
    }
    headers
}

/// The next message beside the answer; `None` once the stream is over. Waits for ever where there is no stream.
async fn unasked(
    stream: &mut Option<Box<Stream>>,
    silence: &mut Option<Failure>,
) -> Option<Vec<u8>> {
    let Some(open) = stream else {
        return std::future::pending().await;
    };
    match open.next().await {
        Ok(Event::Message(message)) => Some(message),
        Ok(Event::Endpoint(_)) => None,
        Err(failure) => {
            *stream = None;
            *silence = Some(failure);
            None
        }
    }
}

/// What reading an answer needs of an [`Http`]: all but the stream that is listened to beside it.
struct Parts<'a> {
    origin: &'a Arc<Origin>,
    bound: usize,
    secrets: &'a Secrets,
    answer: &'a mut Answer,
    offered: &'a mut Option<HeaderValue>,
    /// What a request for the rest of a stream carries.
    again: Option<HeaderMap>,
}

impl Parts<'_> {
    async fn read(mut self) -> Result<Vec<u8>, Failure> {
        loop {
            match &mut *self.answer {
                Answer::Spent { status, content } => {
                    return Err(Failure::NoAnswer {
                        status: *status,
                        content: content.clone(),
                    });
                }
                Answer::Failed(failure) => return Err(failure.clone()),
                Answer::Coming(coming) => {
                    let response = coming.await;
                    *self.answer = response.map_or_else(Answer::Failed, |begun| self.begin(begun));
                }
                Answer::Whole(response, body) => {
                    let read = bounded(response, body, self.bound).await;
                    let (response, body) = (&*response, std::mem::take(body));
                    match read {
                        Ok(()) => {}
                        Err(BodyError::TooLong) => return Err(Failure::Frame(self.bound)),
                        Err(BodyError::Broken(cause)) => {
                            let address = self.origin.address();
                            return Err(Failure::Broken { address, cause });
                        }
                    }
                    let is_empty = body.iter().all(u8::is_ascii_whitespace);
                    *self.answer = spent(response, is_empty, self.secrets);
                    if !is_empty {
                        return Ok(body);
                    }
                }
                Answer::Stream(stream) => {
                    if let Event::Message(message) = stream.next().await? {
                        return Ok(message);
                    }
                }
            }
        }
    }

    /// Looks at the head of an answer.
    fn begin(&mut self, response: Response) -> Answer {
        *self.offered = response.headers().get(SESSION).cloned();
        if is_stream(&response) {
            let origin = Arc::clone(self.origin);
            let stream = Stream::of(origin, response, self.again.take(), self.bound);
            Answer::Stream(Box::new(stream))
        } else {
            Answer::Whole(response, Vec::new())
        }
    }
}

/// An answer that was read.
fn spent(response: &Response, is_empty: bool, secrets: &Secrets) -> Answer {
    let declared = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .map(|value| secrets.excerpt(value, 50));
    Answer::Spent {
        status: response.status().as_u16(),
        content: match declared {
            _ if is_empty => "an empty body".to_owned(),
            Some(declared) => format!("`{declared}`"),
            None => "a body of no declared type".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_header_cannot_hold_travels_in_base64() {
        for (text, expected) in [
            ("find note", "find note"),
            ("é", "=?base64?w6k=?="),
            (" x", "=?base64?IHg=?="),
            ("a\r\nb", "=?base64?YQ0KYg==?="),
            ("=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="),
        ] {
            assert_eq!(as_header(text).expect("a value"), expected, "{text}");
        }
    }
}
