//! Streamable HTTP: each message is a POST, answered by one JSON text or by an event stream.
//!
//! Nothing is followed across origins, and a credential goes to the configured one only. What a session is, and
//! which revision to name, is for [`crate::client`] to decide.

use super::events::Events;
use super::{Bounds, Direction, Failure, Outgoing, Refusal, Tap, cut};
use reqwest::header::{
    ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION,
    WWW_AUTHENTICATE,
};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use std::time::Duration;
use url::Url;

/// How long one attempt to connect may take.
const CONNECT_WAIT: Duration = Duration::from_secs(10);
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
    client: Client,
    url: Url,
    headers: HeaderMap,
    with_credential: bool,
    bound: usize,
    tap: Tap,
    answer: Answer,
    /// The session that the last answer named, and the one in force.
    offered: Option<HeaderValue>,
    session: Option<HeaderValue>,
    /// The revision that the last message named.
    revision: Option<HeaderValue>,
}

impl Http {
    /// Makes ready; nothing is sent yet. Userinfo of the URL becomes a Basic credential.
    pub(super) fn new(
        url: &str,
        headers: &[(String, String)],
        bounds: &Bounds,
        mut tap: Tap,
    ) -> Result<Self, Failure> {
        let mut url = Url::parse(url).map_err(|error| Failure::Url(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
            return Err(Failure::Url(format!("the scheme is `{}`", url.scheme())));
        }
        url.set_fragment(None);
        let mut all = HeaderMap::new();
        if let Some(basic) = take_userinfo(&mut url) {
            tap.secrets.add("Authorization", basic.as_str());
            all.insert(AUTHORIZATION, secret_value("Authorization", &format!("Basic {basic}"))?);
        }
        for (name, value) in headers {
            let bad = || Failure::Header(tap.secrets.redact(name));
            let parsed = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad())?;
            let held = secret_value(name, value)?;
            // A server that echoes a header may leave out the word before its secret.
            if let Some((_, secret)) = value.split_once(' ') {
                tap.secrets.add(name.clone(), secret.trim());
            }
            tap.secrets.add(name.clone(), value.clone());
            all.append(parsed, held);
        }
        Ok(Self {
            client: client(&url)?,
            with_credential: all.keys().any(|name| is_credential(name.as_str()))
                || url.query_pairs().any(|(name, _)| is_credential(&name)),
            url,
            headers: all,
            bound: bounds.frame_bytes,
            tap,
            answer: Answer::Spent {
                status: 0,
                content: "nothing".to_owned(),
            },
            offered: None,
            session: None,
            revision: None,
        })
    }

    /// Host and port, which is all that may be shown of the URL.
    fn address(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        match self.url.port_or_known_default() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    pub(super) async fn request(&mut self, message: Outgoing<'_>) -> Result<(), Failure> {
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
        let address = self.address();
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
        let address = self.address();
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
                    if stream.events.last_id.is_empty() || stream.resumed >= RESUMPTIONS {
                        return Err(cause.map_or(Failure::Cut, |cause| Failure::Broken {
                            address,
                            cause,
                        }));
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
            .stamped(self.client.get(self.url.clone()))
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
        let mut request = request.headers(self.headers.clone());
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
        let mut url = self.url.clone();
        for _ in 0..HOPS {
            let mut request = self
                .stamped(self.client.request(Method::POST, url.clone()))
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
        let asks_to_sign_in = response
            .headers()
            .get_all(WWW_AUTHENTICATE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .any(|value| {
                let value = value.to_ascii_lowercase();
                value.contains("resource_metadata") || value.starts_with("bearer")
            });
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
            asks_to_sign_in,
            with_credential: self.with_credential,
        }
    }

    fn unreachable(&self, error: &reqwest::Error) -> Failure {
        let (address, cause) = (self.address(), words(error));
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
            let request = self.stamped(self.client.delete(self.url.clone()));
            let _ = tokio::time::timeout(CLOSE_WAIT, request.send()).await;
        }
    }
}

/// Why a body is not whole.
enum BodyError {
    /// Longer than the bound: what came before.
    TooLong(Vec<u8>),
    /// The connection broke.
    Broken(String),
}

/// The body, if it is at most that long.
async fn bounded(response: &mut Response, bound: usize) -> Result<Vec<u8>, BodyError> {
    let mut body = Vec::new();
    while let Some(piece) = response
        .chunk()
        .await
        .map_err(|error| BodyError::Broken(words(&error)))?
    {
        if body.len() + piece.len() > bound {
            return Err(BodyError::TooLong(body));
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

fn is_stream(response: &Response) -> bool {
    response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| {
            let essence = value.split(';').next().unwrap_or_default().trim();
            essence.eq_ignore_ascii_case("text/event-stream")
        })
}

fn location(response: &Response) -> String {
    response
        .headers()
        .get(LOCATION)
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
        .unwrap_or_default()
}

/// The innermost cause: the outer ones repeat that a request was sent, and name its URL.
fn words(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    match cause.downcast_ref::<reqwest::Error>() {
        Some(outermost) if outermost.is_timeout() => "it took too long".to_owned(),
        Some(_) => "the request failed".to_owned(),
        None => cause.to_string(),
    }
}

/// Whether a header or query parameter of that name says who asks.
fn is_credential(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["auth", "cookie", "key", "password", "secret", "token"]
        .iter()
        .any(|part| name.contains(part))
}

fn secret_value(name: &str, value: &str) -> Result<HeaderValue, Failure> {
    let mut value = HeaderValue::from_str(value).map_err(|_| Failure::Header(name.to_owned()))?;
    value.set_sensitive(true);
    Ok(value)
}

/// Takes `user:password` out of a URL, as the base64 of RFC 7617.
fn take_userinfo(url: &mut Url) -> Option<String> {
    use base64::Engine as _;
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let decode = |text: &str| {
        url::form_urlencoded::parse(format!("x={}", text.replace('+', "%2B")).as_bytes())
            .next()
            .map(|(_, value)| value.into_owned())
            .unwrap_or_default()
    };
    let pair = format!(
        "{}:{}",
        decode(url.username()),
        decode(url.password().unwrap_or_default())
    );
    // Both fail only for URLs without a host, which were refused before.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    Some(base64::engine::general_purpose::STANDARD.encode(pair))
}

/// A client for one origin. Redirects are ours to judge, and proxies are not asked.
fn client(url: &Url) -> Result<Client, Failure> {
    // Whoever installed a provider first is as good: it is the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .user_agent(concat!("countersign/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_WAIT)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy();
    if url.scheme() == "http" {
        // The system's certificates are looked for only where they are needed: a container may have none.
        builder = builder.tls_certs_only([]);
    }
    builder
        .build()
        .map_err(|error| Failure::Tls(words(&error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn userinfo_becomes_a_credential_and_leaves_the_url() {
        let mut url = Url::parse("http://us%40er:p+w%3A@localhost/mcp").expect("a URL");
        let basic = take_userinfo(&mut url).expect("userinfo");
        assert_eq!(basic, "dXNAZXI6cCt3Og==");
        assert_eq!(url.as_str(), "http://localhost/mcp");
        assert_eq!(take_userinfo(&mut url), None);
    }
}
