//! Requests to whoever gives tokens: bounded in size and time, to no address that a server may not name.

use crate::model::Problem;
use crate::transport::{self, CaCerts, cut, is_loopback};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderValue, LOCATION};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use std::time::Duration;
use url::Url;

/// How long one request may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// Bytes of an answer.
const LARGEST: usize = 1 << 20;
/// How many redirects are followed when metadata is read.
const HOPS: usize = 3;
/// The revision of a handshake that every server knows how to answer, and the header of its session.
const REVISION: &str = "2025-11-25";
const SESSION: &str = "mcp-session-id";
/// How many characters of an outside text are shown.
const EXCERPT: usize = 200;

/// A way to the servers that a sign-in leads to.
pub(super) struct Web {
    client: Client,
    /// Whether the guarded server is on this machine: only then may others be.
    is_local: bool,
}

/// An answer: its status, and its body where that is JSON.
pub(super) struct Reply {
    pub(super) status: StatusCode,
    pub(super) body: Option<Value>,
}

impl Reply {
    /// A text member of the answer.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.body.as_ref()?.get(name)?.as_str()
    }
}

impl Web {
    /// For the sign-in to the server at that URL.
    pub(super) fn new(server: &Url, ca_certs: &CaCerts) -> Result<Self, Problem> {
        // Whichever of them wants TLS, it can speak it, unless this machine cannot at all.
        let mut encrypted = server.clone();
        // Between http and https this does not fail.
        let _ = encrypted.set_scheme("https");
        let client = transport::http_client(&encrypted, None, ca_certs)
            .or_else(|failure| match server.scheme() {
                "http" => transport::http_client(server, None, ca_certs),
                _ => Err(failure),
            })
            .map_err(|failure| Problem::new("connect", failure.to_string()))?;
        Ok(Self {
            client,
            is_local: is_loopback(server),
        })
    }

    /// A URL that somebody else named.
    ///
    /// # Errors
    /// `auth`: it is none, it is not encrypted, or it points at this machine although the server is elsewhere.
    pub(super) fn url(&self, what: &str, text: &str) -> Result<Url, Problem> {
        let refuse =
            |why: &str| Problem::new("auth", format!("{what} `{}` {why}", cut(text, EXCERPT)));
        let url = Url::parse(text).map_err(|error| refuse(&format!("is no URL: {error}")))?;
        let is_local = is_loopback(&url);
        match url.scheme() {
            _ if is_local && !self.is_local => {
                Err(refuse("is on this machine, and the server is not"))
            }
            "https" => Ok(url),
            "http" if is_local => Ok(url),
            "http" => Err(refuse("is not encrypted (https)")),
            _ => Err(refuse("is neither http nor https")),
        }
    }

    /// What a server says without a credential: to a handshake, and where that is free for all, to a listing. The
    /// head of the answer is what counts.
    pub(super) async fn probe(&self, url: &Url) -> Result<Response, Problem> {
        let hello = json!({
            "protocolVersion": REVISION, "capabilities": {},
            "clientInfo": { "name": "countersign", "version": env!("CARGO_PKG_VERSION") },
        });
        let greeted = self.ask(url, "initialize", hello, None).await?;
        if greeted.status() == StatusCode::UNAUTHORIZED {
            return Ok(greeted);
        }
        let session = greeted.headers().get(SESSION).cloned();
        self.ask(url, "tools/list", json!({}), session).await
    }

    async fn ask(
        &self,
        url: &Url,
        method: &str,
        params: Value,
        session: Option<HeaderValue>,
    ) -> Result<Response, Problem> {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let mut request = self
            .client
            .post(url.clone())
            .header(ACCEPT, "application/json, text/event-stream")
            .header(CONTENT_TYPE, "application/json")
            .body(message.to_string());
        if let Some(session) = session {
            request = request
                .header(SESSION, session)
                .header("mcp-protocol-version", REVISION);
        }
        self.send(request, url).await
    }

    /// Reads a document of metadata; `None` where there is none.
    pub(super) async fn get(&self, url: &Url) -> Result<Option<Value>, Problem> {
        let mut at = url.clone();
        for _ in 0..=HOPS {
            let request = self
                .client
                .get(at.clone())
                .header(ACCEPT, "application/json");
            let response = self.send(request, &at).await?;
            let status = response.status();
            if status.is_redirection() {
                let location = response.headers().get(LOCATION);
                let next = location
                    .and_then(|value| value.to_str().ok())
                    .and_then(|value| at.join(value).ok());
                match next {
                    Some(next) if next.origin() == at.origin() => at = next,
                    _ => return Ok(None),
                }
                continue;
            }
            let reply = read(response, &at).await?;
            return match reply.body {
                _ if status.is_server_error() => Err(Problem::new(
                    "auth",
                    format!("`{}` answered {status}", shown(&at)),
                )),
                Some(body) if status.is_success() && body.is_object() => Ok(Some(body)),
                _ => Ok(None),
            };
        }
        Ok(None)
    }

    /// Sends a request and reads the whole answer.
    pub(super) async fn call(&self, request: RequestBuilder, url: &Url) -> Result<Reply, Problem> {
        let request = request.header(ACCEPT, "application/json");
        read(self.send(request, url).await?, url).await
    }

    /// A POST to that URL.
    pub(super) fn post(&self, url: &Url) -> RequestBuilder {
        self.client.post(url.clone())
    }

    async fn send(&self, request: RequestBuilder, url: &Url) -> Result<Response, Problem> {
        let sent = request.timeout(PATIENCE).send().await;
        sent.map_err(|error| broken(url, &error))
    }
}

/// A URL without what may be secret in it.
pub(super) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    // Both fail only for URLs without a host, which cannot be asked.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    cut(url.as_str(), EXCERPT)
}

fn broken(url: &Url, error: &reqwest::Error) -> Problem {
    let cause = transport::words(error);
    Problem::new("connect", format!("cannot ask `{}`: {cause}", shown(url)))
}

async fn read(mut response: Response, url: &Url) -> Result<Reply, Problem> {
    let status = response.status();
    let mut bytes = Vec::new();
    while let Some(piece) = response
        .chunk()
        .await
        .map_err(|error| broken(url, &error))?
    {
        if bytes.len() + piece.len() > LARGEST {
            return Err(Problem::new(
                "limit",
                format!("`{}` answered more than {LARGEST} bytes", shown(url)),
            ));
        }
        bytes.extend_from_slice(&piece);
    }
    let body = serde_json::from_slice(&bytes).ok();
    Ok(Reply { status, body })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(server: &str, named: &str) -> Result<Url, String> {
        let server = Url::parse(server).expect("a URL");
        let web = Web::new(&server, &CaCerts::default()).expect("a client");
        web.url("its issuer", named)
            .map_err(|problem| problem.message)
    }

    #[test]
    fn a_server_elsewhere_may_not_point_at_this_machine_or_at_what_is_not_encrypted() {
        let far = "http://mcp.example/mcp";
        for (server, named, wanted) in [
            (far, "http://127.0.0.1:9/x", "is on this machine"),
            (far, "https://localhost/x", "is on this machine"),
            (far, "https://[::ffff:127.0.0.1]/", "is on this machine"),
            (far, "http://as.example/x", "is not encrypted"),
            (far, "file:///etc/passwd", "neither http nor https"),
            (far, "x", "is no URL"),
            (
                "http://127.0.0.1:1/mcp",
                "http://as.example",
                "is not encrypted",
            ),
        ] {
            let error = check(server, named).expect_err(named);
            assert!(error.contains(wanted), "{error}");
        }
        assert!(check("http://127.0.0.1:1/mcp", "http://localhost:2/x").is_ok());
    }
}
