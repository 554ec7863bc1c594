//! The commands that go by what was looked at, and decide: `review`, `ack`, `prune`, `policy`, `flag`, `history`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

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
