//! Why a talk failed, and the words for it.

use super::message::RpcError;
use crate::model::Problem;
use crate::transport::{Failure, Remains, seconds};
use std::fmt;
use std::time::Duration;

/// What ended a talk. Texts from outside are redacted and cut before they get here.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    /// There was no answer to read.
    #[error("{0}")]
    Wire(#[from] Failure),
    /// The answer is an error.
    #[error("{0}")]
    Rpc(#[from] RpcError),
    /// The handshake took more than the start timeout.
    #[error("it did not answer {what} within {}", seconds(*.within))]
    Start {
        what: &'static str,
        within: Duration,
    },
    /// Answers that make no handshake or no listing.
    #[error("{0}")]
    Protocol(String),
    /// A bound was reached.
    #[error("{0}")]
    Limit(String),
    /// Two listings in a row never agreed.
    #[error("{0}")]
    Unstable(String),
    /// A usage error: the revision that was asked for is none.
    #[error("{0}")]
    Usage(String),
    /// The same at a place of the talk, such as `page 2 of `tools/list` failed`.
    #[error("{place}{}{cause}", if matches!(**.cause, Self::Rpc(_)) { " with " } else { ": " })]
    At { place: String, cause: Box<Self> },
    /// What comes from a URL is neither an answer to `initialize` nor the event stream of an older server.
    #[error("{handshake}; `GET` as HTTP+SSE failed: {stream}")]
    NoStream {
        handshake: Box<Self>,
        stream: Box<Self>,
    },
    /// The probe said nothing usable, and `initialize` did not do either.
    #[error("`server/discover` failed: {probe}; `initialize` failed: {handshake}")]
    Both {
        probe: Box<Self>,
        handshake: Box<Self>,
    },
}

impl std::error::Error for RpcError {}

impl fmt::Display for RpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.code)?;
        if let Some(status) = self.status {
            write!(f, " (HTTP {status})")?;
        }
        if !self.message.is_empty() {
            write!(f, ": {}", self.message)?;
        }
        Ok(())
    }
}

impl Trouble {
    /// The same, saying where.
    pub(super) fn at(self, place: impl Into<String>) -> Self {
        Self::At {
            place: place.into(),
            cause: Box::new(self),
        }
    }

    /// What it is, wherever it happened.
    pub(super) fn root(&self) -> &Self {
        match self {
            Self::At { cause, .. } => cause.root(),
            Self::Both { handshake, .. } | Self::NoStream { handshake, .. } => handshake.root(),
            other => other,
        }
    }

    /// The same, without saying where.
    pub(super) fn into_root(self) -> Self {
        match self {
            Self::At { cause, .. } => cause.into_root(),
            Self::Both { handshake, .. } | Self::NoStream { handshake, .. } => {
                handshake.into_root()
            }
            other => other,
        }
    }

    /// Whether asking again from the start may help.
    pub(super) fn is_passing(&self) -> bool {
        match self.root() {
            Self::Wire(failure) => failure.is_passing(),
            Self::Rpc(_) => true,
            _ => false,
        }
    }

    /// Whether the server has forgotten our session, or hung up, which is the same.
    pub(super) fn is_lost_session(&self) -> bool {
        matches!(
            self.root(),
            Self::Wire(Failure::SessionLost | Failure::HungUp)
        )
    }

    /// Whether it is an HTTP answer with one of these statuses.
    pub(super) fn has_status(&self, statuses: &[u16]) -> bool {
        match self.root() {
            Self::Wire(Failure::Status(refusal)) => statuses.contains(&refusal.status),
            Self::Rpc(error) => error
                .status
                .is_some_and(|status| statuses.contains(&status)),
            _ => false,
        }
    }

    fn kind(&self) -> &'static str {
        match self.root() {
            Self::Wire(failure) => failure.kind(),
            Self::Start { .. } => "timeout",
            Self::Limit(_) => "limit",
            Self::Unstable(_) => "unstable",
            Self::Usage(_) => "usage",
            _ => "protocol",
        }
    }

    fn hint(&self) -> Option<String> {
        match self.root() {
            Self::Start { within, .. } => Some(format!(
                "give it more time with `--start-timeout {}`, or name its revision with `--protocol 2025-11-25`",
                within.as_secs().max(1).saturating_mul(4)
            )),
            Self::Wire(Failure::Timeout(within)) => Some(format!(
                "give it more time with `--timeout {}`",
                within.as_secs().max(1).saturating_mul(4)
            )),
            Self::Wire(Failure::NoProgram(_)) => Some(
                "install it, give its whole path, or set `PATH` in the server's `env`".to_owned(),
            ),
            Self::Wire(Failure::Connect { cause, .. }) if cause.contains("UnknownIssuer") => Some(
                "name the certificate of the authority behind it with `--ca-cert FILE`".to_owned(),
            ),
            Self::Wire(Failure::Status(refusal)) => refusal.hint(),
            _ => None,
        }
    }

    /// The problem for the report, with what the process left behind.
    pub(super) fn into_problem(self, remains: &Remains, stray: Option<&str>) -> Problem {
        let mut message = self.to_string();
        if let Some(exit) = &remains.exit {
            message.push_str(" (");
            message.push_str(exit);
            message.push(')');
        }
        // Where the answer itself is the matter, what came beside it explains nothing.
        let has_no_answer = matches!(self.root(), Self::Wire(_) | Self::Start { .. });
        if let Some(stray) = stray
            && has_no_answer
        {
            message.push_str("; ");
            message.push_str(stray);
        }
        if let Some(stderr) = &remains.stderr
            && has_no_answer
            && self.kind() != "limit"
        {
            message.push_str("; stderr ends with `");
            message.push_str(stderr);
            message.push('`');
        }
        let mut problem = Problem::new(self.kind(), message);
        problem.hint = self.hint();
        problem
    }
}
