//! The commands that face a client: `guard`, with the calls that it holds, and `replay`.

use super::connect::Connect;
use super::value::{at_least_a_kibibyte, seconds};
use clap::Args;
use std::path::PathBuf;

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
