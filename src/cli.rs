//! Every word of the command line. No behaviour: [`crate::commands`] acts on what was said.

use crate::render::Format;
use clap::builder::{FalseyValueParser, PossibleValue};
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Says what changed in the tools of MCP servers, and records who acknowledged which exact change.
#[derive(Debug, Parser)]
#[command(
    name = "countersign",
    version,
    propagate_version = true,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Exit status of diff and review: 0 nothing material waits, 1 something material waits for acknowledgement, 2 something could not be checked. Any command ends with 2 if it could not do its work."
)]
pub struct Cli {
    /// What every command takes.
    #[command(flatten)]
    pub common: Common,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Flags that every command takes.
#[derive(Debug, Clone, Args)]
pub struct Common {
    /// The lockfile [default: countersign.lock.json here or above, up to the repository's root]
    #[arg(long, value_name = "FILE", global = true, env = "COUNTERSIGN_LOCK")]
    pub lock: Option<PathBuf>,
    /// Where snapshots and history are kept [default: the platform's data directory]
    #[arg(long, value_name = "DIR", global = true, env = "COUNTERSIGN_DATA_DIR")]
    pub data_dir: Option<PathBuf>,
    /// The form of the output: commands without a report know text and JSON
    #[arg(
        long,
        value_name = "FORMAT",
        global = true,
        env = "COUNTERSIGN_FORMAT",
        default_value = "text"
    )]
    pub format: Format,
    /// Write the report to a file as well, in a format of its own; repeatable
    #[arg(
        long,
        value_name = "FORMAT=FILE",
        global = true,
        env = "COUNTERSIGN_OUTPUT",
        value_parser = kept
    )]
    pub output: Vec<Kept>,
    /// When to use colour
    #[arg(
        long,
        value_name = "WHEN",
        global = true,
        env = "COUNTERSIGN_COLOR",
        default_value = "auto"
    )]
    pub color: Color,
    /// Say less: a line for each server that waits or is new, and for each thing that waits
    #[arg(
        short,
        long,
        global = true,
        env = "COUNTERSIGN_QUIET",
        value_parser = FalseyValueParser::new(),
        conflicts_with = "verbose"
    )]
    pub quiet: bool,
    /// With -vv: the messages of the protocol as well, on standard error
    #[arg(short, long, global = true, env = "COUNTERSIGN_VERBOSE", action = ArgAction::Count)]
    pub verbose: u8,
    /// How many servers to check side by side
    #[arg(long, value_name = "N", global = true, env = "COUNTERSIGN_JOBS", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.word()).help(self.purpose()))
    }
}

/// A report that goes to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Its format.
    pub format: Format,
    /// Where it goes; what is there is replaced.
    pub file: PathBuf,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Connect and store a snapshot; the first sight of a server becomes its baseline in the lockfile
    Snapshot(Check),
    /// Connect, compare with the lockfile, say what changed; or compare two files
    #[command(
        override_usage = "countersign diff [OPTIONS] [SERVER]...\n       countersign diff [OPTIONS] --name NAME (--url URL | --from FILE | -- COMMAND...)\n       countersign diff [OPTIONS] BEFORE AFTER\n       countersign diff [OPTIONS] --base REF|FILE [--lockfile-only] [SERVER]...\n       countersign diff --explain [RULE]"
    )]
    Diff(Diff),
    /// Go through what waits on a terminal, or print it, from the newest snapshots that this machine stored, offline
    Review(Review),
    /// Record that somebody reviewed a change; never contacts a server
    Ack(Ack),
    /// Drop lockfile entries of items that are acknowledged as removed, and of servers that are given here and no config of the project names
    Prune(Prune),
    /// List the servers that configs and lockfile name
    Servers(Servers),
    /// Sign in to a remote server in a browser; what that gives is kept for the checks to come
    Login(Login),
    /// Forget what a sign-in gave
    Logout(Logout),
    /// Show the standing rules of the lockfile and what they come to now, or set them
    #[command(
        override_usage = "countersign policy [OPTIONS] [SELECTOR]\n       countersign policy [OPTIONS] [SELECTOR] [NAME=VALUE]... [--unset NAME]...",
        after_help = "Settings: rule=allow|ask|block, allowChanges=off|ask|on, newItems=review|baseline, reviewers=N, requireNote=true|false, reviewEvery=DAYSd|off, due=warn|fail, levels.RULE=material|minor, volatile./POINTER=TEXT. Without SELECTOR they hold for every server. See docs/policy.md."
    )]
    Policy(Policy),
    /// Ask for a full review of a server: it is due until somebody records one
    Flag(Flag),
    /// Show what was observed of the servers on this machine
    History(History),
    /// Stay connected, and record each change as it comes: what servers announce at once, the rest on a timer
    Watch(Watch),
    /// Stand between an MCP client and a server, and let pass what the lockfile accepts
    Guard(Guard),
    /// List the calls that a guard holds, or let one of them through, once
    Approve(Approve),
    /// Serve a snapshot, a transcript or a saved list as an MCP server over stdio
    Replay(Replay),
    /// Print a completion script
    Completions {
        /// The shell to complete in
        shell: clap_complete::Shell,
    },
}

/// Where servers are named.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Source")]
pub struct Source {
    /// An MCP client configuration; repeatable [default: those that the project has]
    #[arg(
        long,
        value_name = "FILE",
        env = "COUNTERSIGN_CONFIG",
        conflicts_with = "name"
    )]
    pub config: Vec<PathBuf>,
    /// The configurations in the home directory as well
    #[arg(long, env = "COUNTERSIGN_USER", conflicts_with = "config")]
    pub user: bool,
    /// The name of one server, given with --url, --from or -- COMMAND
    #[arg(long, value_name = "NAME", env = "COUNTERSIGN_NAME")]
    pub name: Option<String>,
    /// The URL of that server (Streamable HTTP, or HTTP+SSE)
    #[arg(
        long,
        value_name = "URL",
        env = "COUNTERSIGN_URL",
        requires = "name",
        conflicts_with = "from",
        hide_env_values = true
    )]
    pub url: Option<String>,
    /// Read this snapshot or tools/list result as if that server had answered with it
    #[arg(long, value_name = "FILE", env = "COUNTERSIGN_FROM", requires = "name")]
    pub from: Option<PathBuf>,
    /// Start that server with this command
    #[arg(last = true, value_name = "COMMAND", requires = "name", conflicts_with_all = ["url", "from"])]
    pub command: Vec<String>,
}

/// How to connect.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Connecting")]
pub struct Connect {
    /// Seconds for one request [default: what the configuration says, or 60]
    #[arg(long, value_name = "SECONDS", env = "COUNTERSIGN_TIMEOUT", allow_negative_numbers = true, value_parser = seconds)]
    pub timeout: Option<std::time::Duration>,
    /// Seconds for start, probe and handshake together [default: what the configuration says, or 60]
    #[arg(long, value_name = "SECONDS", env = "COUNTERSIGN_START_TIMEOUT", allow_negative_numbers = true, value_parser = seconds)]
    pub start_timeout: Option<std::time::Duration>,
    /// A variable for servers that are started, if they are named here or by --config; without a value it is taken from this environment
    #[arg(
        long,
        value_name = "NAME[=VALUE]",
        env = "COUNTERSIGN_ENV",
        hide_env_values = true
    )]
    pub env: Vec<String>,
    /// A header for servers that are reached by URL, if they are named here or by --config
    #[arg(
        short = 'H',
        long,
        value_name = "NAME: VALUE",
        env = "COUNTERSIGN_HEADER",
        hide_env_values = true
    )]
    pub header: Vec<String>,
    /// Send the value of this variable as a bearer token, to the same servers
    #[arg(long, value_name = "NAME", env = "COUNTERSIGN_BEARER_ENV")]
    pub bearer_env: Option<String>,
    /// Run this command and send what it prints as a bearer token
    #[arg(
        long,
        value_name = "COMMAND",
        env = "COUNTERSIGN_TOKEN_COMMAND",
        hide_env_values = true,
        conflicts_with = "bearer_env"
    )]
    pub token_command: Option<String>,
    /// Let ourselves in as this client (OAuth client credentials)
    #[arg(long, value_name = "ID", env = "COUNTERSIGN_CLIENT_ID", conflicts_with_all = ["bearer_env", "token_command"])]
    pub client_id: Option<String>,
    /// The variable with the secret of that client
    #[arg(
        long,
        value_name = "NAME",
        env = "COUNTERSIGN_CLIENT_SECRET_ENV",
        requires = "client_id"
    )]
    pub client_secret_env: Option<String>,
    /// The PEM file with the private key of that client
    #[arg(
        long,
        value_name = "FILE",
        env = "COUNTERSIGN_CLIENT_KEY",
        requires = "client_id",
        conflicts_with = "client_secret_env"
    )]
    pub client_key: Option<PathBuf>,
    /// The scopes to ask for as that client [default: those that the server asks for]
    #[arg(
        long,
        value_name = "SCOPE",
        env = "COUNTERSIGN_SCOPE",
        requires = "client_id"
    )]
    pub scope: Option<String>,
    /// Trust the authorities of this PEM file as well, beside those of the system and of `SSL_CERT_FILE`
    #[arg(long, value_name = "FILE", env = "COUNTERSIGN_CA_CERT")]
    pub ca_cert: Option<PathBuf>,
    /// Speak this revision instead of asking which one the server knows
    #[arg(long, value_name = "REVISION", env = "COUNTERSIGN_PROTOCOL")]
    pub protocol: Option<String>,
    /// What to declare: nothing, what hosts declare, or the capabilities object of a file
    #[arg(
        long,
        value_name = "none|host|FILE",
        env = "COUNTERSIGN_CAPABILITIES",
        default_value = "host"
    )]
    pub capabilities: String,
    /// Under which name and version to introduce ourselves
    #[arg(long, value_name = "NAME/VERSION", env = "COUNTERSIGN_CLIENT_INFO")]
    pub client_info: Option<String>,
    /// Write down what is said both ways, as JSON lines without secrets; the file is replaced
    #[arg(long, value_name = "FILE", env = "COUNTERSIGN_TRANSCRIPT")]
    pub transcript: Option<PathBuf>,
    /// Start a server although its launch differs from that in the lockfile
    #[arg(long, env = "COUNTERSIGN_START_CHANGED", value_parser = FalseyValueParser::new())]
    pub start_changed: bool,
    /// Limit: bytes of one message of a server
    #[arg(long, value_name = "BYTES", env = "COUNTERSIGN_MAX_FRAME", default_value_t = 32 << 20, value_parser = at_least_a_kibibyte)]
    pub max_frame: usize,
    /// Limit: bytes of one list, all pages together
    #[arg(long, value_name = "BYTES", env = "COUNTERSIGN_MAX_LISTING", default_value_t = 32 << 20, value_parser = at_least_a_kibibyte)]
    pub max_listing: usize,
    /// Limit: items of one list
    #[arg(
        long,
        value_name = "N",
        env = "COUNTERSIGN_MAX_ITEMS",
        default_value_t = 100_000
    )]
    pub max_items: usize,
    /// Limit: pages of one list
    #[arg(
        long,
        value_name = "N",
        env = "COUNTERSIGN_MAX_PAGES",
        default_value_t = 10_000
    )]
    pub max_pages: usize,
    /// Limit: bytes of one string
    #[arg(long, value_name = "BYTES", env = "COUNTERSIGN_MAX_STRING", default_value_t = 32 << 20)]
    pub max_string: usize,
    /// Limit: levels of nesting, at most 10000
    #[arg(long, value_name = "N", env = "COUNTERSIGN_MAX_DEPTH", default_value_t = 2_000, value_parser = depth)]
    pub max_depth: usize,
}

/// `snapshot`.
#[derive(Debug, Args)]
pub struct Check {
    /// Only these servers
    #[arg(value_name = "SERVER")]
    pub servers: Vec<String>,
    /// Start each server several times more, under other circumstances, and say what varies by which
    #[arg(long, env = "COUNTERSIGN_VARY")]
    pub vary: bool,
    /// Where they are named.
    #[command(flatten)]
    pub source: Source,
    /// How to connect.
    #[command(flatten)]
    pub connect: Connect,
}

/// `diff`.
#[derive(Debug, Args)]
pub struct Diff {
    /// Only these servers; or two files, each a stored snapshot or the saved answer to a list request, - for standard input
    #[arg(value_name = "SERVER")]
    pub names: Vec<String>,
    /// Say what a rule means; all of them without a name
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["names", "config", "name"])]
    pub explain: Option<String>,
    /// Judge this branch by another lockfile: that of the merge base of HEAD and REF, or FILE
    #[arg(long, value_name = "REF|FILE", conflicts_with = "explain")]
    pub base: Option<String>,
    /// Judge only what the branch did to the lockfile: read no configuration, start no server
    #[arg(long, requires = "base", conflicts_with_all = ["name", "start_changed"])]
    pub lockfile_only: bool,
    /// Write both sides of each change whole to files in this directory
    #[arg(long, value_name = "DIR", env = "COUNTERSIGN_FULL")]
    pub full: Option<PathBuf>,
    /// Where servers are named.
    #[command(flatten)]
    pub source: Source,
    /// How to connect.
    #[command(flatten)]
    pub connect: Connect,
}

/// `review`.
#[derive(Debug, Args)]
pub struct Review {
    /// A server, server/item, server/kind:item, or the beginning of a change's id
    #[arg(value_name = "SELECTOR")]
    pub selectors: Vec<String>,
    /// Acknowledged changes as well
    #[arg(long)]
    pub all: bool,
    /// Write both sides of each change whole to files in this directory
    #[arg(long, value_name = "DIR", env = "COUNTERSIGN_FULL")]
    pub full: Option<PathBuf>,
    /// Who acknowledges, where a terminal asks [default: git's user.name <user.email>]
    #[arg(long, value_name = "NAME", env = "COUNTERSIGN_BY")]
    pub by: Option<String>,
}

/// `ack`.
#[derive(Debug, Args)]
pub struct Ack {
    /// A server, server/item, server/kind:item, or the beginning of a change's id; for a server of which nothing waits, its review is recorded
    #[arg(
        value_name = "SELECTOR",
        required_unless_present = "all",
        conflicts_with = "all"
    )]
    pub selectors: Vec<String>,
    /// Everything that waits, minor changes too; each is listed
    #[arg(long)]
    pub all: bool,
    /// Take acknowledgements back: of a change, or the newest of an item
    #[arg(long, conflicts_with_all = ["all", "note", "by"])]
    pub revoke: bool,
    /// Why it is fine; kept in the lockfile
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
    /// Who says so [default: git's user.name <user.email>]
    #[arg(long, value_name = "NAME", env = "COUNTERSIGN_BY")]
    pub by: Option<String>,
}

/// `prune`.
#[derive(Debug, Args)]
pub struct Prune {
    /// Only these servers; one that no config of the project names is dropped whole
    #[arg(value_name = "SERVER")]
    pub servers: Vec<String>,
    /// An MCP client configuration whose servers are in use; repeatable [default: the project's]
    #[arg(long, value_name = "FILE", env = "COUNTERSIGN_CONFIG")]
    pub config: Vec<PathBuf>,
    /// Write nothing; status 1 if there is something to drop
    #[arg(long)]
    pub check: bool,
}

/// `servers`.
#[derive(Debug, Args)]
pub struct Servers {
    /// An MCP client configuration; repeatable [default: those that the project has]
    #[arg(long, value_name = "FILE", env = "COUNTERSIGN_CONFIG")]
    pub config: Vec<PathBuf>,
    /// The configurations in the home directory as well
    #[arg(long, env = "COUNTERSIGN_USER", conflicts_with = "config")]
    pub user: bool,
}

/// `login`.
#[derive(Debug, Args)]
pub struct Login {
    /// The server's URL; ${VAR} in it is filled in
    #[arg(value_name = "URL")]
    pub url: String,
    /// Only print the address to open
    #[arg(long, env = "COUNTERSIGN_NO_BROWSER", value_parser = FalseyValueParser::new())]
    pub no_browser: bool,
    /// A client that the authorization server knows, or the URL of its metadata document
    #[arg(long, value_name = "ID", env = "COUNTERSIGN_CLIENT_ID")]
    pub client_id: Option<String>,
    /// The variable with the secret of that client
    #[arg(
        long,
        value_name = "NAME",
        env = "COUNTERSIGN_CLIENT_SECRET_ENV",
        requires = "client_id"
    )]
    pub client_secret_env: Option<String>,
    /// The scopes to ask for, separated by spaces [default: those that the server asks for]
    #[arg(long, value_name = "SCOPE", env = "COUNTERSIGN_SCOPE")]
    pub scope: Option<String>,
    /// Trust the authorities of this PEM file as well, beside those of the system and of `SSL_CERT_FILE`
    #[arg(long, value_name = "FILE", env = "COUNTERSIGN_CA_CERT")]
    pub ca_cert: Option<PathBuf>,
}

/// `logout`.
#[derive(Debug, Args)]
pub struct Logout {
    /// The server's URL
    #[arg(value_name = "URL")]
    pub url: String,
}

/// `policy`.
#[derive(Debug, Args)]
pub struct Policy {
    /// A server, server/item or server/kind:item, then settings as NAME=VALUE
    #[arg(value_name = "SELECTOR|NAME=VALUE")]
    pub words: Vec<String>,
    /// Take a setting out; repeatable
    #[arg(long, value_name = "NAME")]
    pub unset: Vec<String>,
}

/// `flag`.
#[derive(Debug, Args)]
pub struct Flag {
    /// A server of the lockfile
    #[arg(value_name = "SERVER")]
    pub server: String,
    /// Why it is to be reviewed
    #[arg(long, value_enum, value_name = "incident|report|policy|usage")]
    pub reason: FlagReason,
    /// More about it; kept in the history
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
}

/// Why somebody asks for a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FlagReason {
    /// Something happened with it
    Incident,
    /// Somebody reported something about it
    Report,
    /// The rules for it changed
    Policy,
    /// It is used in another way
    Usage,
}

impl FlagReason {
    /// The word for it, as the history keeps it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Incident => "incident",
            Self::Report => "report",
            Self::Policy => "policy",
            Self::Usage => "usage",
        }
    }
}

/// `history`.
#[derive(Debug, Args)]
pub struct History {
    /// A server, server/item, server/kind:item, or the beginning of a change's id
    #[arg(value_name = "SELECTOR")]
    pub selector: Option<String>,
    /// Hold every snapshot that it names against its digest as well
    #[arg(long)]
    pub verify: bool,
}

/// `watch`.
#[derive(Debug, Args)]
pub struct Watch {
    /// Only these servers
    #[arg(value_name = "SERVER")]
    pub servers: Vec<String>,
    /// How often each server is listed whatever it announces: seconds, or a number with s, m or h
    #[arg(long, value_name = "TIME", env = "COUNTERSIGN_EVERY", default_value = "5m", value_parser = time)]
    pub every: std::time::Duration,
    /// Run this command for each change, without a shell; what changed is JSON on its standard input
    #[arg(
        long,
        value_name = "COMMAND",
        env = "COUNTERSIGN_EXEC",
        hide_env_values = true
    )]
    pub exec: Option<String>,
    /// Seconds that the command may take
    #[arg(long, value_name = "SECONDS", env = "COUNTERSIGN_EXEC_TIMEOUT", default_value = "60", value_parser = seconds)]
    pub exec_timeout: std::time::Duration,
    /// Where they are named.
    #[command(flatten)]
    pub source: Source,
    /// How to connect.
    #[command(flatten)]
    pub connect: Connect,
}

/// `guard`.
#[derive(Debug, Args)]
pub struct Guard {
    /// The server, as the lockfile and a configuration name it
    #[arg(value_name = "SERVER")]
    pub server: String,
    /// An MCP client configuration that names it; repeatable [default: those that the project has]
    #[arg(long, value_name = "FILE", env = "COUNTERSIGN_CONFIG")]
    pub config: Vec<PathBuf>,
    /// The configurations in the home directory as well
    #[arg(long, env = "COUNTERSIGN_USER", conflicts_with = "config")]
    pub user: bool,
    /// The URL of that server, where no configuration names it
    #[arg(
        long,
        value_name = "URL",
        env = "COUNTERSIGN_URL",
        conflicts_with = "config",
        hide_env_values = true
    )]
    pub url: Option<String>,
    /// Judge a call by a listing that is no older than this, instead of listing again for each call
    #[arg(long, value_name = "SECONDS", env = "COUNTERSIGN_RECHECK", value_parser = seconds)]
    pub recheck: Option<std::time::Duration>,
    /// How to connect.
    #[command(flatten)]
    pub connect: Connect,
    /// Start that server with this command, where no configuration names it
    #[arg(last = true, value_name = "COMMAND", conflicts_with_all = ["url", "config", "user"])]
    pub command: Vec<String>,
}

/// `approve`.
#[derive(Debug, Args)]
pub struct Approve {
    /// The beginning of a held call's id; all of them are listed without it
    #[arg(value_name = "ID")]
    pub id: Option<String>,
    /// Show the call, and do not approve it
    #[arg(long, requires = "id")]
    pub show: bool,
    /// Who says so [default: git's user.name <user.email>]
    #[arg(long, value_name = "NAME", env = "COUNTERSIGN_BY")]
    pub by: Option<String>,
}

/// `replay`.
#[derive(Debug, Args)]
pub struct Replay {
    /// A stored snapshot, the saved answer to a list request, or what --transcript wrote
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Which server of a transcript that holds several
    #[arg(long, value_name = "NAME")]
    pub server: Option<String>,
    /// Limit: bytes of the file
    #[arg(long, value_name = "BYTES", default_value_t = 128 << 20, value_parser = at_least_a_kibibyte)]
    pub max_file: usize,
    /// Limit: bytes of one message of the client
    #[arg(long, value_name = "BYTES", env = "COUNTERSIGN_MAX_FRAME", default_value_t = 32 << 20, value_parser = at_least_a_kibibyte)]
    pub max_frame: usize,
}

fn kept(text: &str) -> Result<Kept, String> {
    let known = || Format::ALL.map(Format::word).join(", ");
    match text.split_once('=') {
        Some((word, "-")) => Err(format!(
            "`-` is no file; `--format {word}` writes to standard output"
        )),
        Some((word, file)) if !file.is_empty() => Ok(Kept {
            format: Format::from_word(word)
                .ok_or_else(|| format!("no format `{word}`; there are {}", known()))?,
            file: file.into(),
        }),
        _ => Err(format!("expected FORMAT=FILE with one of {}", known())),
    }
}

fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "expected a number of seconds".to_owned())?;
    if !(0.001..=86_400.0).contains(&seconds) {
        return Err("expected 0.001 to 86400 seconds".to_owned());
    }
    Ok(std::time::Duration::from_secs_f64(seconds))
}

/// A time as people write it: `30`, `30s`, `5m`, `1.5h`.
fn time(text: &str) -> Result<std::time::Duration, String> {
    let (number, unit) = match text.find(|c: char| c.is_ascii_alphabetic()) {
        Some(at) => text.split_at(at),
        None => (text, "s"),
    };
    let factor = match unit {
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3_600.0,
        _ => return Err("expected a number of seconds, or a number with s, m or h".to_owned()),
    };
    let number: f64 = number
        .parse()
        .map_err(|_| "expected a number of seconds, or a number with s, m or h".to_owned())?;
    let seconds = number * factor;
    if !(0.1..=86_400.0).contains(&seconds) {
        return Err("expected 0.1 s to 24 h".to_owned());
    }
    Ok(std::time::Duration::from_secs_f64(seconds))
}

fn at_least_a_kibibyte(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(bytes) if bytes >= 1024 => Ok(bytes),
        _ => Err("expected a number of bytes, at least 1024".to_owned()),
    }
}

fn depth(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(levels) if (1..=crate::json::Limits::MAX_DEPTH).contains(&levels) => Ok(levels),
        _ => Err(format!("expected 1 to {}", crate::json::Limits::MAX_DEPTH)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_of_the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_time_may_have_a_unit() {
        let seconds = |text| time(text).map(|time| time.as_secs_f64());
        for (text, wanted) in [
            ("30", 30.0),
            ("0.5s", 0.5),
            ("5m", 300.0),
            ("1.5h", 5_400.0),
        ] {
            assert_eq!(seconds(text), Ok(wanted), "{text}");
        }
        for text in ["", "m", "5 m", "5d", "0", "-1", "NaN", "inf", "25h"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_common_source_and_connecting_flag_has_its_variable() {
        let mut command = Cli::command();
        command.build();
        let snapshot = command.find_subcommand("snapshot").expect("a command");
        for arg in snapshot.get_arguments() {
            let Some(long) = arg
                .get_long()
                .filter(|long| !["help", "version"].contains(long))
            else {
                continue;
            };
            let variable = format!("COUNTERSIGN_{}", long.to_uppercase().replace('-', "_"));
            assert_eq!(
                arg.get_env().and_then(|v| v.to_str()),
                Some(variable.as_str()),
                "--{long}"
            );
        }
    }
}
