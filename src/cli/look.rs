//! The commands that look at servers: `snapshot`, `diff`, `servers`, `watch`.

use super::connect::{Connect, Source};
use super::value::{seconds, time};
use clap::Args;
use std::path::PathBuf;

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
