//! What can go wrong between sending a message and having its answer, before anybody reads what it means.

use super::{Challenge, cut, seconds};
use crate::json;
use std::fmt;
use std::time::Duration;

/// Why there is no message. Texts from outside are redacted and cut already.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum Failure {
    #[error("program `{0}` not found")]
    NoProgram(String),
    #[error("the directory `{0}` to start it in does not exist")]
    NoDirectory(String),
    #[error("cannot start `{command}`: {cause}")]
    Spawn { command: String, cause: String },
    #[error("`{0}` is a file, not a server")]
    NotAServer(String),
    #[error("not a URL that can be reached: {0}")]
    Url(String),
    #[error("the header `{0}` holds what a header cannot")]
    Header(String),
    #[error("cannot use TLS: {0}")]
    Tls(String),
    #[error("the server closed its output")]
    Ended,
    #[error("no answer within {}", seconds(*.0))]
    Timeout(Duration),
    #[error("a message is larger than {0} bytes (--max-frame)")]
    Frame(usize),
    #[error("more than {0} bytes of stray output")]
    Stray(usize),
    #[error("a message is not JSON that countersign reads: {0}")]
    Json(#[from] json::Error),
    #[error("cannot connect to `{address}`: {cause}")]
    Connect { address: String, cause: String },
    #[error("the connection to `{address}` broke: {cause}")]
    Broken { address: String, cause: String },
    #[error("{0}")]
    Status(Box<Refusal>),
    #[error(
        "answered {status}, a redirect to `{location}`, which is not followed: name that URL if it is right"
    )]
    Redirect { status: u16, location: String },
    #[error("the event stream ended before the answer")]
    Cut,
    #[error("answered with something else than an event stream")]
    NoStream,
    #[error("the event stream names no place to post to")]
    NoEndpoint,
    #[error("the event stream names `{0}` to post to, which is not on the origin of its URL")]
    Endpoint(String),
    #[error("the server ended the event stream")]
    HungUp,
    #[error("answered {status} with {content} and no JSON-RPC message")]
    NoAnswer { status: u16, content: String },
    #[error("the server has forgotten the session")]
    SessionLost,
}

impl Failure {
    /// Whether the same request may well succeed a moment later.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Self::Cut | Self::Broken { .. } => true,
            Self::Status(refusal) => refusal.status >= 500,
            _ => false,
        }
    }

    /// The stable word for programs.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::NoProgram(_) | Self::NoDirectory(_) | Self::Spawn { .. } => "start",
            Self::Ended => "ended",
            Self::NotAServer(_) | Self::Url(_) | Self::Header(_) => "config",
            Self::Timeout(_) => "timeout",
            Self::Frame(_) | Self::Stray(_) => "limit",
            Self::Connect { .. } | Self::Broken { .. } | Self::Tls(_) => "connect",
            Self::Status(refusal) if refusal.is_about_credentials() => "auth",
            Self::Status(_) | Self::Redirect { .. } => "http",
            Self::Json(_)
            | Self::Cut
            | Self::NoStream
            | Self::NoEndpoint
            | Self::Endpoint(_)
            | Self::HungUp
            | Self::NoAnswer { .. }
            | Self::SessionLost => "protocol",
        }
    }
}

/// An HTTP answer whose status is no success.
#[derive(Debug, Clone)]
pub(crate) struct Refusal {
    /// The status.
    pub(crate) status: u16,
    /// The body as far as it was read, for whoever can read more from it.
    pub(crate) body: Vec<u8>,
    /// The beginning of the body, redacted.
    pub(crate) excerpt: String,
    /// What `WWW-Authenticate` asks for.
    pub(crate) challenge: Option<Challenge>,
    /// Whether the request carried a credential.
    pub(crate) with_credential: bool,
}

impl Refusal {
    /// 401 and 403: who asks is the matter, not what is asked.
    pub(crate) fn is_about_credentials(&self) -> bool {
        matches!(self.status, 401 | 403)
    }

    /// Whether it says something about the requester or the load, so that it tells nothing about an era.
    pub(crate) fn says_nothing_about_eras(&self) -> bool {
        self.is_about_credentials() || self.status == 429
    }

    /// Which of the three the user can act on; `None` if who asks is not the matter.
    fn reason(&self) -> Option<Reason> {
        let challenge = self.challenge.as_ref();
        self.is_about_credentials()
            .then(|| match (self.with_credential, challenge) {
                (true, _) => Reason::Rejected,
                (false, Some(challenge)) if challenge.resource_metadata.is_some() => Reason::SignIn,
                (false, _) => Reason::Missing,
            })
    }

    /// The scopes that the credential lacks, where the server says that this is all that it lacks.
    fn lacking(&self) -> Option<&str> {
        let challenge = self.challenge.as_ref()?;
        let is_scope = challenge.error.as_deref() == Some("insufficient_scope");
        challenge.scope.as_deref().filter(|_| is_scope)
    }

    /// What to do about it. `URL` stands for the server's: who knows it as it may be shown puts it there.
    pub(crate) fn hint(&self) -> Option<String> {
        Some(match (self.reason()?, self.lacking()) {
            // What is pasted into a shell is only taken from a server where it is harmless.
            (Reason::Rejected, Some(scope)) if scope.chars().all(is_plain) => {
                format!("countersign login URL --scope '{scope}', or a credential with that scope")
            }
            (Reason::Rejected, _) => {
                "it may have expired, or lack the right to list tools: renew what `--bearer-env`, `--token-command` or the configuration gives, or `countersign login URL`".to_owned()
            }
            (Reason::Missing, _) => {
                "pass one with `--bearer-env NAME`, `--token-command COMMAND` or `-H 'NAME: VALUE'`, or sign in with `countersign login URL`".to_owned()
            }
            (Reason::SignIn, _) => {
                "countersign login URL, or in CI `--bearer-env NAME` or `--token-command COMMAND`".to_owned()
            }
        })
    }
}

/// Why a server does not answer this requester.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    /// The request carried a credential.
    Rejected,
    /// It carried none, and the server names who could give one.
    SignIn,
    /// It carried none.
    Missing,
}

impl Reason {
    const fn words(self) -> &'static str {
        match self {
            Self::Rejected => "credential rejected",
            Self::SignIn => "sign-in needed (OAuth)",
            Self::Missing => "credential missing",
        }
    }
}

/// Whether a character of a scope means nothing to a shell between single quotes.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || " :/._-".contains(c)
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(reason) = self.reason() {
            write!(f, "{}: ", reason.words())?;
        }
        if let Some(scope) = self.lacking() {
            write!(f, "it lacks the scope `{}`: ", cut(scope, 200))?;
        }
        write!(f, "answered {}", self.status)?;
        let phrase = reqwest::StatusCode::from_u16(self.status)
            .ok()
            .and_then(|status| status.canonical_reason());
        if let Some(phrase) = phrase {
            write!(f, " {phrase}")?;
        }
        if !self.excerpt.is_empty() {
            write!(f, ": `{}`", self.excerpt)?;
        }
        match &self.challenge {
            Some(challenge) if self.reason() == Some(Reason::SignIn) => {
                write!(f, "; the challenge names {}", challenge.words())
            }
            _ => Ok(()),
        }
    }
}
