//! Where requests go and what says who asks: the URL, its userinfo, the configured headers.
//!
//! Redirects are followed here, and only where they stay on the origin and keep the method.

use super::super::{Challenge, Direction, Failure, Refusal, Tap, Ways};
use super::body::{bounded, location, words};
use super::place::{Place, address};
use super::{pause, reach};
use reqwest::header::{
    AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, LOCATION, WWW_AUTHENTICATE,
};
use reqwest::{Client, Method, Response, StatusCode};
use std::time::Duration;
use url::Url;

/// How many redirects are followed for one message.
const HOPS: usize = 5;
/// How much of a refusal's body is read, in bytes and in time.
const REFUSAL_BYTES: usize = 64 << 10;
const REFUSAL_WAIT: Duration = Duration::from_secs(5);
/// How many characters of it are shown.
const EXCERPT: usize = 200;

/// A URL without its userinfo, and what goes with every request to it.
pub(in super::super) struct Origin {
    client: Client,
    address: String,
    /// The variable that names a proxy on the way.
    proxy: Option<&'static str>,
    pub(in super::super) url: Url,
    headers: HeaderMap,
    /// Whether anything of it says who asks.
    with_credential: bool,
    /// The longest pause that is granted to a busy server.
    patience: Duration,
    tap: Tap,
}

/// One request, beside what goes with every request.
#[derive(Debug, Clone)]
pub(in super::super) struct Request {
    pub(in super::super) method: Method,
    pub(in super::super) headers: HeaderMap,
    pub(in super::super) body: Option<String>,
}

impl Origin {
    /// Userinfo of the URL becomes a Basic credential, unless a header says otherwise.
    pub(in super::super) fn new(
        url: &str,
        headers: &[(String, String)],
        ways: &Ways<'_>,
        tap: Tap,
    ) -> Result<Self, Failure> {
        let Place { url, socket, basic } = Place::read(url)?;
        let mut all = HeaderMap::new();
        for (name, value) in headers {
            let parsed = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| Failure::Header(name.clone()))?;
            all.append(parsed, secret_value(name, value)?);
        }
        if let Some(basic) = basic
            && !all.contains_key(AUTHORIZATION)
        {
            let value = secret_value("Authorization", &format!("Basic {basic}"))?;
            all.insert(AUTHORIZATION, value);
        }
        Ok(Self {
            client: reach::client(&url, socket.as_deref(), ways.ca_certs)?,
            address: address(&url, socket.as_deref()),
            proxy: socket
                .is_none()
                .then(|| reach::proxy_variable(&url))
                .flatten(),
            with_credential: all.keys().any(|name| is_credential(name.as_str()))
                || url.query_pairs().any(|(name, _)| is_credential(&name)),
            url,
            headers: all,
            patience: ways.patience,
            tap,
        })
    }

    /// The same place, asked by somebody else.
    pub(super) fn presenting(
        &self,
        (name, value): &(String, String),
        tap: Tap,
    ) -> Result<Self, Failure> {
        let parsed =
            HeaderName::from_bytes(name.as_bytes()).map_err(|_| Failure::Header(name.clone()))?;
        let mut headers = self.headers.clone();
        headers.insert(parsed, secret_value(name, value)?);
        Ok(Self {
            client: self.client.clone(),
            address: self.address.clone(),
            proxy: self.proxy,
            url: self.url.clone(),
            headers,
            with_credential: true,
            patience: self.patience,
            tap,
        })
    }

    /// Host and port, which is all that may be shown of the URL; or the socket.
    pub(super) fn address(&self) -> String {
        self.address.clone()
    }

    /// Sends a request to a URL of this origin, once more if the server is busy and says for how long. The answer
    /// if its status is a success, the failure that it is otherwise.
    pub(in super::super) async fn ask(
        &self,
        url: &Url,
        request: &Request,
    ) -> Result<Response, Failure> {
        let mut response = self.send(url, request).await?;
        if let Some(pause) = pause::asked_by(&response).filter(|pause| *pause <= self.patience) {
            drop(response);
            tokio::time::sleep(pause).await;
            response = self.send(url, request).await?;
        }
        self.accept(response).await
    }

    /// Sends a request, and sends it on to where the answer redirects on this origin.
    pub(super) async fn send(&self, url: &Url, request: &Request) -> Result<Response, Failure> {
        let mut url = url.clone();
        for _ in 0..HOPS {
            let mut built = self
                .client
                .request(request.method.clone(), url.clone())
                .headers(self.headers.clone())
                .headers(request.headers.clone());
            if let Some(body) = &request.body {
                built = built.body(body.clone());
            }
            let response = built
                .send()
                .await
                .map_err(|error| self.unreachable(&error))?;
            let keeps_method = match response.status() {
                StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT => true,
                StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND | StatusCode::SEE_OTHER => {
                    request.method == Method::GET
                }
                _ => false,
            };
            match self.on_it(&url, &location(&response)) {
                Some(next) if keeps_method => url = next,
                _ => return Ok(response),
            }
        }
        Err(Failure::Redirect {
            status: StatusCode::TEMPORARY_REDIRECT.as_u16(),
            location: self.tap.secrets.excerpt(url.path(), EXCERPT),
        })
    }

    /// What a text in an answer from `base` refers to, if that is on this origin: nothing is ever sent to another.
    pub(in super::super) fn on_it(&self, base: &Url, reference: &str) -> Option<Url> {
        let mut found = base.join(reference).ok()?;
        // A server does not say who we are.
        found.set_username("").ok()?;
        found.set_password(None).ok()?;
        (found.origin() == self.url.origin()).then_some(found)
    }

    async fn accept(&self, response: Response) -> Result<Response, Failure> {
        let status = response.status();
        if status.is_redirection() && response.headers().contains_key(LOCATION) {
            return Err(Failure::Redirect {
                status: status.as_u16(),
                location: self.tap.secrets.excerpt(&location(&response), EXCERPT),
            });
        }
        if !status.is_success() {
            return Err(Failure::Status(Box::new(self.refusal(response).await)));
        }
        Ok(response)
    }

    async fn refusal(&self, mut response: Response) -> Refusal {
        let status = response.status().as_u16();
        let headers = response.headers().get_all(WWW_AUTHENTICATE);
        let mut challenge = Challenge::read(headers.iter().filter_map(|value| value.to_str().ok()));
        if let Some(found) = &mut challenge {
            let texts = [&mut found.scope, &mut found.resource_metadata];
            for text in texts.into_iter().flatten() {
                *text = self.tap.secrets.redact(text);
            }
        }
        let mut body = Vec::new();
        // Whatever comes of it: what was read is enough, and the status says the most.
        let _ = tokio::time::timeout(
            REFUSAL_WAIT,
            bounded(&mut response, &mut body, REFUSAL_BYTES),
        )
        .await;
        self.tap.show(Direction::Received, &body);
        let text = String::from_utf8_lossy(&body);
        Refusal {
            status,
            excerpt: self.tap.secrets.excerpt(text.trim(), EXCERPT),
            body,
            challenge,
            with_credential: self.with_credential,
        }
    }

    fn unreachable(&self, error: &reqwest::Error) -> Failure {
        let address = self.address();
        let cause = match self.proxy {
            Some(variable) => format!("{} (`{variable}` names a proxy)", words(error)),
            None => words(error),
        };
        if error.is_connect() {
            Failure::Connect { address, cause }
        } else {
            Failure::Broken { address, cause }
        }
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
