//! One server as a configuration or the command line names it, and how to start or reach it now.

use super::{Launch, Problem, ServerName, Warning};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How to start or reach a server now: variables expanded, secrets inside. It is never stored or shown.
#[derive(Clone, PartialEq, Eq)]
pub enum Endpoint {
    /// Start a child process.
    Stdio {
        /// The program: a path, or a name that `PATH` is searched for.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Where it is started; the current directory without.
        cwd: Option<PathBuf>,
        /// Variables beside the short safe list that every server gets.
        env: BTreeMap<String, String>,
    },
    /// Send requests to a URL.
    Http {
        /// The whole URL, userinfo and query included.
        url: String,
        /// Headers of every request, in order.
        headers: Vec<(String, String)>,
    },
    /// Read a file as if the server had answered with it.
    File(PathBuf),
}

/// One server as a configuration or the command line names it.
#[derive(Clone)]
pub struct ServerSpec {
    /// Its name.
    pub name: ServerName,
    /// The configuration that names it; `None` for the command line.
    pub origin: Option<PathBuf>,
    /// The client whose configuration that is, where it is known.
    pub client: Option<&'static str>,
    /// Whether the user named it, or its configuration, on the command line. What was merely found in the
    /// project is not started before the lockfile knows its launch.
    pub explicit: bool,
    /// Its identity, unexpanded and without secrets. `None` for a file, and where the entry is too broken to say.
    pub launch: Option<Launch>,
    /// Whether it can be started, and with what.
    pub state: SpecState,
    /// The variables that each header takes its value from, as they are written: they tell who asks. Userinfo
    /// counts as the header `authorization`.
    pub credential: BTreeMap<String, Vec<String>>,
    /// What carries its messages; `None` where the entry is too broken to say.
    pub carrier: Option<Carrier>,
    /// The time limits that the configuration sets.
    pub timeouts: Timeouts,
    /// The values that no output may hold.
    pub secrets: crate::secret::Secrets,
    /// What is odd about the entry: a variable that is set but empty, how a joined command was read.
    pub warnings: Vec<Warning>,
}

/// What carries the messages of a server, as its configuration says it. The connection may find out otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carrier {
    /// The pipes of a child process.
    Stdio,
    /// Streamable HTTP, or what is not said.
    Http,
    /// HTTP+SSE, the older transport.
    Sse,
    /// A file that stands for the answers.
    File,
}

impl Carrier {
    /// The word for tables and reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
            Self::Sse => "sse",
            Self::File => "file",
        }
    }
}

/// The time limits that a client's configuration sets for one server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Timeouts {
    /// For its start: spawn, probe and handshake together.
    pub start: Option<std::time::Duration>,
    /// For one request.
    pub request: Option<std::time::Duration>,
}

/// What can be done with a server that a configuration names.
#[derive(Clone)]
pub enum SpecState {
    /// Start or reach it.
    Ready(Endpoint),
    /// The configuration disables it.
    Disabled,
    /// The entry cannot be used: an unset variable, a missing member.
    Broken(Problem),
}
