//! How bytes travel between countersign and one server: whole messages in, whole messages out.
//!
//! A transport knows nothing of what messages mean: it frames them, bounds them while they are read, and leaves
//! no process, task or connection behind. [`crate::client`] does the talking. A further transport is a further
//! file and a variant of `Transport`.

mod ca_certs;
mod events;
mod failure;
mod frames;
mod http;
mod legacy_sse;
mod line;
mod pipe;
mod process;
mod stdio;

pub use ca_certs::CaCerts;
#[cfg(any(test, fuzzing))]
pub(crate) use events::{Event, Events};
pub(crate) use failure::{Failure, Refusal};
#[cfg(any(test, fuzzing))]
pub(crate) use frames::Frames;
pub(crate) use http::{Challenge, client as http_client, is_loopback, words};
pub(crate) use line::{Answers, Heard, Line, Spoken};
pub(crate) use pipe::widen;
pub(crate) use process::tell;

use crate::json::Limits;
use crate::model::Endpoint;
use crate::secret::Secrets;
use http::Http;
use legacy_sse::LegacySse;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use stdio::Stdio;

/// How much one server may make countersign read. Each bound is named in the error that it causes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// One message, in bytes once decompressed.
    pub frame_bytes: usize,
    /// All pages of one list together, in bytes; also a file that stands for a server.
    pub listing_bytes: usize,
    /// Items of one list.
    pub items: usize,
    /// One string, in bytes of UTF-8.
    pub string_bytes: usize,
    /// Levels of nested arrays and objects.
    pub depth: usize,
    /// Pages of one list.
    pub pages: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        let limits = Limits::default();
        Self {
            frame_bytes: 32 << 20,
            listing_bytes: 32 << 20,
            items: 100_000,
            string_bytes: limits.string,
            depth: limits.depth,
            pages: 10_000,
        }
    }
}

impl Bounds {
    /// Those that the JSON reader keeps.
    pub fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            string: self.string_bytes,
        }
    }
}

/// Which way a message went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From countersign to the server.
    Sent,
    /// From the server to countersign.
    Received,
}

/// Gets each message as it passes, secrets already out of it. Outside text.
pub type Trace = Arc<dyn Fn(Direction, &str) + Send + Sync>;

/// Shows messages to whoever wants to see them.
#[derive(Clone)]
pub(crate) struct Tap {
    trace: Option<Trace>,
    pub(crate) secrets: Secrets,
}

impl Tap {
    /// Whatever an endpoint says about who asks is a secret, in the forms in which a server may echo it.
    pub(crate) fn new(endpoint: &Endpoint, secrets: &Secrets, trace: Option<Trace>) -> Self {
        let mut secrets = secrets.clone();
        if let Endpoint::Http { url, headers } = endpoint {
            http::add_secrets(url, headers, &mut secrets);
        }
        Self { trace, secrets }
    }

    pub(crate) fn show(&self, direction: Direction, bytes: &[u8]) {
        if let Some(trace) = &self.trace {
            trace(
                direction,
                &self.secrets.redact(&String::from_utf8_lossy(bytes)),
            );
        }
    }
}

impl fmt::Debug for Tap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tap").finish_non_exhaustive()
    }
}

/// A message on its way out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outgoing<'a> {
    /// The JSON text, in one line.
    pub(crate) text: &'a str,
    /// The method, where HTTP has to say it beside the message (2026-07-28, "Streamable HTTP").
    pub(crate) method: Option<&'a str>,
    /// The name or URI that the request is about, where HTTP has to say it beside the message.
    pub(crate) name: Option<&'a str>,
    /// Inputs of a call that HTTP has to say beside it (2026-07-28, "Custom Headers from Tool Parameters"): the end of
    /// each header's name, and the value.
    pub(crate) params: &'a [(String, String)],
    /// The revision, where HTTP has to say it beside the message.
    pub(crate) revision: Option<&'a str>,
}

/// What a process left behind that explains a failure.
#[derive(Debug, Default)]
pub(crate) struct Remains {
    /// `exit status 3` or `signal 9`, if it ended by itself.
    pub(crate) exit: Option<String>,
    /// The last lines of stderr, secrets taken out. Outside text.
    pub(crate) stderr: Option<String>,
}

/// How to get to a server, beside where it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ways<'a> {
    /// How much it may make us read.
    pub(crate) bounds: &'a Bounds,
    /// The longest pause that a busy server is granted before it is asked again.
    pub(crate) patience: Duration,
    /// What is trusted beside the system's certificates.
    pub(crate) ca_certs: &'a CaCerts,
}

/// A way to one server.
pub(crate) enum Transport {
    /// A child process.
    Stdio(Box<Stdio>),
    /// A URL.
    Http(Box<Http>),
    /// A URL whose answers come on one event stream.
    Sse(Box<LegacySse>),
}

impl Transport {
    /// Starts the process, or makes ready to send requests. Nothing is sent yet.
    pub(crate) fn open(endpoint: &Endpoint, ways: &Ways<'_>, tap: Tap) -> Result<Self, Failure> {
        match endpoint {
            Endpoint::Stdio {
                command,
                args,
                cwd,
                env,
            } => Stdio::spawn(command, args, cwd.as_deref(), env, ways.bounds, tap)
                .map(|stdio| Self::Stdio(Box::new(stdio))),
            Endpoint::Http { url, headers } => {
                Http::new(url, headers, ways, tap).map(|http| Self::Http(Box::new(http)))
            }
            Endpoint::File(path) => Err(Failure::NotAServer(path.display().to_string())),
        }
    }

    /// Makes ready to reach a URL the way of 2024-11-05.
    pub(crate) fn open_sse(
        endpoint: &Endpoint,
        ways: &Ways<'_>,
        tap: Tap,
    ) -> Result<Self, Failure> {
        LegacySse::new_at(endpoint, ways, tap).map(|sse| Self::Sse(Box::new(sse)))
    }

    /// Sends a request; what comes of it is read by [`Transport::receive`].
    pub(crate) async fn request(&mut self, message: Outgoing<'_>) -> Result<(), Failure> {
        match self {
            Self::Stdio(stdio) => stdio.write(message.text).await,
            Self::Http(http) => {
                http.request(message);
                Ok(())
            }
            Self::Sse(sse) => sse.request(message).await,
        }
    }

    /// Sends a notification, or the answer to a request of the server: nothing comes of it.
    pub(crate) async fn notify(&mut self, message: Outgoing<'_>) -> Result<(), Failure> {
        match self {
            Self::Stdio(stdio) => stdio.write(message.text).await,
            Self::Http(http) => http.notify(message).await,
            Self::Sse(sse) => sse.notify(message).await,
        }
    }

    /// The next message, as sent. Safe to be cancelled: nothing that was read is lost.
    pub(crate) async fn receive(&mut self) -> Result<Vec<u8>, Failure> {
        match self {
            Self::Stdio(stdio) => stdio.read().await,
            Self::Http(http) => http.read().await,
            Self::Sse(sse) => sse.read().await,
        }
    }

    /// The next message that comes while no request is answered. Safe to be cancelled.
    pub(crate) async fn overhear(&mut self) -> Result<Vec<u8>, Failure> {
        match self {
            Self::Http(http) => Ok(http.overhear().await),
            Self::Stdio(_) | Self::Sse(_) => self.receive().await,
        }
    }

    /// Sends a request whose answer comes bit by bit, beside the answers to others: [`Transport::overhear`] reads it.
    pub(crate) async fn subscribe(&mut self, message: Outgoing<'_>) -> Result<(), Failure> {
        match self {
            Self::Http(http) => {
                http.subscribe(message);
                Ok(())
            }
            Self::Stdio(_) | Self::Sse(_) => self.request(message).await,
        }
    }

    /// The same as [`Transport::overhear`], but for an error as soon as nothing can come any more. Safe to be cancelled.
    pub(crate) async fn hear(&mut self) -> Result<Vec<u8>, Failure> {
        match self {
            Self::Http(http) => http.hear().await,
            Self::Stdio(_) | Self::Sse(_) => self.receive().await,
        }
    }

    /// Why nothing comes by itself any more where that was asked for, if so.
    pub(crate) fn silence(&self) -> Option<&Failure> {
        match self {
            Self::Http(http) => http.silence(),
            Self::Stdio(_) | Self::Sse(_) => None,
        }
    }

    /// The word for the history.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Stdio(_) => "stdio",
            Self::Http(_) => "http",
            Self::Sse(_) => "sse",
        }
    }

    /// Where stray messages show up, for a sentence.
    pub(crate) fn channel(&self) -> (&'static str, &'static str) {
        match self {
            Self::Stdio(_) => ("line", "on stdout"),
            Self::Http(_) => ("message", "in HTTP answers"),
            Self::Sse(_) => ("message", "in the event stream"),
        }
    }

    /// Whether it is a process, which can be started afresh.
    pub(crate) fn is_process(&self) -> bool {
        matches!(self, Self::Stdio(_))
    }

    /// Whether it is Streamable HTTP, which an older server may refuse to speak.
    pub(crate) fn is_streamable(&self) -> bool {
        matches!(self, Self::Http(_))
    }

    /// Whether a message may come while no request is answered.
    pub(crate) fn listens(&self) -> bool {
        match self {
            Self::Stdio(_) => true,
            Self::Http(http) => http.listens(),
            Self::Sse(sse) => sse.is_open(),
        }
    }

    /// Listens from now on to what a legacy server says by itself, where that takes asking.
    pub(crate) fn listen(&mut self) {
        if let Self::Http(http) = self {
            http.listen();
        }
    }

    /// Waits until what was asked for with [`Transport::listen`] is granted or refused; once for each
    /// asking. Safe to be cancelled.
    pub(crate) async fn opens(&mut self) {
        if let Self::Http(http) = self {
            http.opens().await;
        }
    }

    /// Keeps the session that the last answer opened, if it did: only a successful `initialize` opens one.
    pub(crate) fn keep_session(&mut self) {
        if let Self::Http(http) = self {
            http.keep_session();
        }
    }

    /// Whether the server gave a session; it is no longer used after [`Transport::forget_session`].
    pub(crate) fn has_session(&self) -> bool {
        matches!(self, Self::Http(http) if http.has_session())
    }

    /// Gives up a session that the server does not know any more.
    pub(crate) fn forget_session(&mut self) {
        match self {
            Self::Stdio(_) => {}
            Self::Http(http) => http.forget_session(),
            Self::Sse(sse) => sse.hang_up(),
        }
    }

    /// Ends it: the session, the process and whatever that started. Takes at most a few seconds.
    pub(crate) async fn close(self) -> Remains {
        match self {
            Self::Stdio(stdio) => stdio.close().await,
            Self::Http(http) => {
                http.close().await;
                Remains::default()
            }
            // Hanging up is all there is to it.
            Self::Sse(_) => Remains::default(),
        }
    }
}

/// A duration as people write it: `2 s`, `0.5 s`.
pub(crate) fn seconds(duration: Duration) -> String {
    format!("{} s", duration.as_secs_f64())
}

/// The beginning of an outside text, at most that many characters, with `…` where it was cut.
pub(crate) fn cut(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
