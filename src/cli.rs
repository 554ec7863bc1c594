//! Every word of the command line. No behaviour: [`crate::commands`] acts on what was said.

mod connect;
mod decide;
mod look;
mod serve;
mod sign_in;
mod value;

pub use connect::{Connect, Source};
pub use decide::{Ack, Flag, FlagReason, History, Policy, Prune, Review};
pub use look::{Check, Diff, Servers, Watch};
pub use serve::{Approve, Guard, Replay};
pub use sign_in::{Login, Logout};
pub use value::Kept;

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
#[command(next_help_heading = "Common")]
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
        value_parser = value::kept
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
    /// Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error
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
    #[command(
        override_usage = "countersign ack [OPTIONS] SELECTOR...\n       countersign ack [OPTIONS] --all\n       countersign ack [OPTIONS] --revoke SELECTOR..."
    )]
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_of_the_command_line_is_sound() {
        Cli::command().debug_assert();
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
