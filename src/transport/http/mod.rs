//! Streamable HTTP: each message is a POST, answered by one JSON text or by an event stream.
//!
//! Nothing is followed across origins, and a credential goes to the configured one only. What a session is, and
//! which revision to name, is for [`crate::client`] to decide.

mod body;
mod challenge;
mod origin;

pub(crate) use body::words;
pub(crate) use challenge::Challenge;
pub(super) use origin::add_secrets;
pub(crate) use origin::client;

use super::events::Events;
use super::{Bounds, Direction, Failure, Outgoing, Refusal, Tap, cut};
use body::{BodyError, bounded, is_stream, location};
use origin::Origin;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION, WWW_AUTHENTICATE};
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use std::time::Duration;

/// How long the end of a session may take.
const CLOSE_WAIT: Duration = Duration::from_secs(2);
/// How many redirects are followed for one message.
const HOPS: usize = 5;
/// How much of a refusal's body is read.
const REFUSAL_BYTES: usize = 64 << 10;
/// How many characters of it are shown.
const EXCERPT: usize = 200;
/// How often one answer's stream is resumed, and the longest pause before it that is granted.
const RESUMPTIONS: usize = 5;
const LONGEST_RETRY: Duration = Duration::from_secs(10);
/// The pause where the server names none.
const RETRY: Duration = Duration::from_secs(1);

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const REVISION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
const BOTH_TYPES: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");
const STREAM_TYPE: HeaderValue = HeaderValue::from_static("text/event-stream");
const JSON_TYPE: HeaderValue = HeaderValue::from_static("application/json");

/// What is still to be read of the answer to the last request.
enum Answer {
    /// Nothing, or no more: how it was answered.
    Spent { status: u16, content: String },
    /// The status was no success.
    Refused(Box<Refusal>),
    /// One JSON text.
    Whole(Response),
    /// An event stream.
    Stream(Box<Stream>),
}

struct Stream {
    response: Response,
    events: Events,
    resumed: usize,
}

/// A URL and what it has told so far.
pub(crate) struct Http {
    origin: Origin,
    bound: usize,
    tap: Tap,
    answer: Answer,
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
        bounds: &Bounds,
        tap: Tap,
    ) -> Result<Self, Failure> {
        Ok(Self {
            origin: Origin::new(url, headers)?,
            bound: bounds.frame_bytes,
            tap,
            answer: Answer::Spent {
                status: 0,
                content: "nothing".to_owned(),
            },
            offered: None,
            session: None,
            revision: None,
            may_resume: true,
        })
    }

    pub(super) async fn request(&mut self, message: Outgoing<'_>) -> Result<(), Failure> {
        self.may_resume = message.method.is_none();
        let response = self.post(message).await?;
        self.take(response).await
    }

    /// A notification is answered by nothing, and what a server makes of it is its own affair: the next
    /// request will tell.
    pub(super) async fn notify(&mut self, message: Outgoing<'_>) -> Result<(), Failure> {
        self.post(message).await.map(drop)
    }

    /// Looks at the head of an answer; the body is read by [`Http::read`].
    async fn take(&mut self, response: Response) -> Result<(), Failure> {
        let status = response.status();
        if status.is_redirection() && response.headers().contains_key(LOCATION) {
            return Err(Failure::Redirect {
                status: status.as_u16(),
                location: cut(&self.tap.secrets.redact(&location(&response)), EXCERPT),
            });
        }
        if !status.is_success() {
            self.answer = Answer::Refused(Box::new(self.refusal(response).await));
            return Ok(());
        }
        self.offered = response.headers().get(SESSION).cloned();
        self.answer = if is_stream(&response) {
            Answer::Stream(Box::new(Stream {
                response,
                events: Events::new(self.bound),
                resumed: 0,
            }))
        } else {
            Answer::Whole(response)
        };
        Ok(())
    }

    pub(super) async fn read(&mut self) -> Result<Vec<u8>, Failure> {
        let message = self.read_message().await?;
        self.tap.show(Direction::Received, &message);
        Ok(message)
    }

    async fn read_message(&mut self) -> Result<Vec<u8>, Failure> {
        let address = self.origin.address();
        match &mut self.answer {
            Answer::Spent { status, content } => Err(Failure::NoAnswer {
                status: *status,
                content: content.clone(),
            }),
            Answer::Refused(refusal) => Err(Failure::Status(refusal.clone())),
            Answer::Whole(response) => {
                let status = response.status().as_u16();
                let declared = response
                    .headers()
                    .get(CONTENT_TYPE)
                    .and_then(|value| value.to_str().ok())
                    .map(|value| cut(value, 50));
                let body = match bounded(response, self.bound).await {
                    Ok(body) => body,
                    Err(BodyError::TooLong(_)) => return Err(Failure::Frame(self.bound)),
                    Err(BodyError::Broken(cause)) => {
                        return Err(Failure::Broken { address, cause });
                    }
                };
                let is_empty = body.iter().all(u8::is_ascii_whitespace);
                let content = match declared {
                    _ if is_empty => "an empty body".to_owned(),
                    Some(declared) => format!("`{declared}`"),
                    None => "a body of no declared type".to_owned(),
                };
                self.answer = Answer::Spent { status, content };
                if is_empty {
                    return Box::pin(self.read_message()).await;
                }
                Ok(body)
            }
            Answer::Stream(_) => self.read_event().await,
        }
    }

    async fn read_event(&mut self) -> Result<Vec<u8>, Failure> {
        let address = self.origin.address();
        loop {
            let Answer::Stream(stream) = &mut self.answer else {
                return Err(Failure::Cut);
            };
            if let Some(data) = stream.events.pop() {
                return Ok(data);
            }
            match stream.response.chunk().await {
                Ok(Some(piece)) => stream.events.push(&piece)?,
                // A stream that breaks and one that ends early are the same to a client: it resumes where the
                // server has given an id to resume from (2025-11-25, "Resumability and Redelivery").
                ended => {
                    let cause = ended.err().map(|error| words(&error));
                    let has_id = self.may_resume && !stream.events.last_id.is_empty();
                    if !has_id || stream.resumed >= RESUMPTIONS {
                        return Err(
                            cause.map_or(Failure::Cut, |cause| Failure::Broken { address, cause })
                        );
                    }
                    self.resume().await?;
                }
            }
        }
    }

    /// Asks for the rest of a stream.
    async fn resume(&mut self) -> Result<(), Failure> {
        let Answer::Stream(stream) = &mut self.answer else {
            return Err(Failure::Cut);
        };
        let last = HeaderValue::from_str(&stream.events.last_id).map_err(|_| Failure::Cut)?;
        tokio::time::sleep(stream.events.retry.unwrap_or(RETRY).min(LONGEST_RETRY)).await;
        let request = self
            .stamped(self.origin.client.get(self.origin.url.clone()))
            .header(ACCEPT, STREAM_TYPE)
            .header(LAST_EVENT, last);
        let response = request
            .send()
            .await
            .map_err(|error| self.unreachable(&error))?;
        if !response.status().is_success() || !is_stream(&response) {
            return Err(Failure::Cut);
        }
        if let Answer::Stream(stream) = &mut self.answer {
            stream.response = response;
            stream.resumed += 1;
        }
        Ok(())
    }

    /// What every request carries beside what is in it.
    fn stamped(&self, request: RequestBuilder) -> RequestBuilder {
        let mut request = request.headers(self.origin.headers.clone());
        if let Some(session) = &self.session {
            request = request.header(SESSION, session);
        }
        if let Some(revision) = &self.revision {
            request = request.header(REVISION, revision);
        }
        request
    }

    /// Posts a message, following what stays on the origin and keeps the method (307, 308).
    async fn post(&mut self, message: Outgoing<'_>) -> Result<Response, Failure> {
        self.tap.show(Direction::Sent, message.text.as_bytes());
        self.revision = message
            .revision
            .and_then(|revision| HeaderValue::from_str(revision).ok());
        let mut url = self.origin.url.clone();
        for _ in 0..HOPS {
            let mut request = self
                .stamped(self.origin.client.request(Method::POST, url.clone()))
                .header(ACCEPT, BOTH_TYPES)
                .header(CONTENT_TYPE, JSON_TYPE)
                .body(message.text.to_owned());
            if let Some(method) = message.method {
                request = request.header(METHOD, method);
            }
            let response = request
                .send()
                .await
                .map_err(|error| self.unreachable(&error))?;
            let keeps_method = matches!(
                response.status(),
                StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT
            );
            let next = url.join(&location(&response)).ok();
            match next {
                Some(next) if keeps_method && next.origin() == url.origin() => url = next,
                _ => return Ok(response),
            }
        }
        Err(Failure::Redirect {
            status: StatusCode::TEMPORARY_REDIRECT.as_u16(),
            location: cut(&self.tap.secrets.redact(url.path()), EXCERPT),
        })
    }

    async fn refusal(&self, mut response: Response) -> Refusal {
        let status = response.status().as_u16();
        let headers = response.headers().get_all(WWW_AUTHENTICATE);
        let challenge = Challenge::read(headers.iter().filter_map(|value| value.to_str().ok()));
        let body = match bounded(&mut response, REFUSAL_BYTES).await {
            Ok(body) | Err(BodyError::TooLong(body)) => body,
            Err(BodyError::Broken(_)) => Vec::new(),
        };
        self.tap.show(Direction::Received, &body);
        let text = self.tap.secrets.redact(&String::from_utf8_lossy(&body));
        Refusal {
            status,
            excerpt: cut(text.trim(), EXCERPT),
            body,
            challenge,
            with_credential: self.origin.with_credential,
        }
    }

    fn unreachable(&self, error: &reqwest::Error) -> Failure {
        let (address, cause) = (self.origin.address(), words(error));
        if error.is_connect() {
            Failure::Connect { address, cause }
        } else {
            Failure::Broken { address, cause }
        }
    }

    pub(super) fn keep_session(&mut self) {
        self.session = self.offered.take();
    }

    pub(super) fn has_session(&self) -> bool {
        self.session.is_some()
    }

    pub(super) fn forget_session(&mut self) {
        self.session = None;
    }

    /// Says goodbye, if there is a session to end; servers may refuse that.
    pub(super) async fn close(self) {
        if self.session.is_some() {
            let request = self.stamped(self.origin.client.delete(self.origin.url.clone()));
            let _ = tokio::time::timeout(CLOSE_WAIT, request.send()).await;
        }
    }
}
