//! The commands: each calls the pipeline and decides nothing itself. This file dispatches, and turns errors
//! into words, hints and the exit status.

mod ack;
mod check;
mod completions;
mod diff;
mod explain;
mod files;
mod judge;
mod prune;
mod record;
mod review;
mod select;
mod servers;
mod snapshot;
mod sources;
mod vary;
mod world;

use crate::cli::{self, Cli, Command};
use crate::model::Problem;
use crate::render::{self, Format, Style, What};
use crate::report::Report;
use crate::term;
use clap::Parser as _;
use std::ffi::OsString;
use std::process::ExitCode;
use world::World;

/// Deeply nested definitions are walked recursively; [`crate::json::Limits::MAX_DEPTH`] levels fit in this many bytes.
const STACK: usize = 256 << 20;

/// The status of a run that could not check something.
const UNKNOWN: u8 = 2;
/// The status of a run that a signal ended, as shells say it.
const INTERRUPTED: u8 = 130;

/// What a command has to say, and its exit status.
pub(crate) struct Output {
    /// For standard output: findings.
    pub(crate) stdout: String,
    /// For standard error: messages.
    pub(crate) stderr: String,
    /// The exit status.
    pub(crate) status: u8,
}

/// Runs one command line, program name first, and answers with its exit status.
pub fn main(args: Vec<OsString>) -> ExitCode {
    let json = wants_json(&args);
    std::panic::set_hook(Box::new(|_| {}));
    let worker = std::thread::Builder::new()
        .name("countersign".to_owned())
        .stack_size(STACK)
        .spawn(move || run(&args));
    let output = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(output)) => output,
        Ok(Err(panic)) => {
            let cause = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied());
            let problem = Problem::new(
                "internal",
                format!(
                    "countersign failed inside: {}",
                    cause.unwrap_or("no cause given")
                ),
            )
            .with_hint("this is a mistake in countersign: report it with the command that you ran");
            failure(problem, json)
        }
        Err(error) => failure(
            Problem::new("internal", format!("no thread to work on: {error}")),
            json,
        ),
    };
    // A reader that went away is no failure; a full disk behind a redirection is: the findings are lost.
    let written = term::err(&output.stderr).and(term::out(&output.stdout));
    ExitCode::from(if written.is_ok() {
        output.status
    } else {
        UNKNOWN
    })
}

/// Whether the command line asks for JSON, judged without parsing it: usage errors too are one JSON document.
fn wants_json(args: &[OsString]) -> bool {
    let words: Vec<&str> = args
        .iter()
        .map_while(|arg| arg.to_str())
        .take_while(|arg| *arg != "--")
        .collect();
    let pair = words
        .windows(2)
        .rev()
        .find(|pair| pair[0] == "--format")
        .map(|pair| pair[1]);
    let joined = words
        .iter()
        .rev()
        .find_map(|word| word.strip_prefix("--format="));
    let variable = std::env::var("COUNTERSIGN_FORMAT").ok();
    pair.or(joined).or(variable.as_deref()) == Some("json")
}

fn run(args: &[OsString]) -> Output {
    let json = wants_json(args);
    match Cli::try_parse_from(args) {
        Ok(cli) => dispatch(cli).unwrap_or_else(|problem| failure(problem, json)),
        Err(error) if error.exit_code() == 0 => Output {
            stdout: error.render().to_string(),
            stderr: String::new(),
            status: 0,
        },
        Err(error) if json => {
            let words = error.render().to_string();
            let message = words.trim().trim_start_matches("error: ").to_owned();
            failure(Problem::new("usage", message), true)
        }
        Err(error) => Output {
            stdout: String::new(),
            stderr: error.render().to_string(),
            status: UNKNOWN,
        },
    }
}

fn dispatch(cli: Cli) -> Result<Output, Problem> {
    if let Command::Completions { shell } = cli.command {
        return Ok(completions::run(shell));
    }
    let world = World::look(cli.common)?;
    match cli.command {
        Command::Snapshot(args) => block_on(snapshot::run(&world, &args)),
        Command::Diff(args) => block_on(diff::run(&world, &args)),
        Command::Review(args) => review::run(&world, &args),
        Command::Ack(args) => ack::run(&world, &args),
        Command::Prune(args) => prune::run(&world, &args),
        Command::Servers(args) => servers::run(&world, &args),
        Command::Completions { shell } => Ok(completions::run(shell)),
    }
}

/// Runs to the end, or until a signal: then everything that was started is ended on the way out.
fn block_on(work: impl Future<Output = Result<Output, Problem>>) -> Result<Output, Problem> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| {
            Problem::new(
                "internal",
                format!("no runtime for the connections: {error}"),
            )
        })?;
    runtime.block_on(async {
        tokio::select! {
            output = work => output,
            signal = interrupted() => Ok(Output { stdout: String::new(), stderr: format!("interrupted by {signal}\n"), status: INTERRUPTED }),
        }
    })
}

#[cfg(unix)]
async fn interrupted() -> &'static str {
    use tokio::signal::unix::{SignalKind, signal};
    let kinds = (
        signal(SignalKind::interrupt()),
        signal(SignalKind::terminate()),
        signal(SignalKind::hangup()),
    );
    let (Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)) = kinds else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => "SIGINT",
        _ = terminate.recv() => "SIGTERM",
        _ = hangup.recv() => "SIGHUP",
    }
}

#[cfg(not(unix))]
async fn interrupted() -> &'static str {
    match tokio::signal::ctrl_c().await {
        Ok(()) => "Ctrl-C",
        Err(_) => std::future::pending().await,
    }
}

/// A run that ended before it could check anything.
fn failure(problem: Problem, json: bool) -> Output {
    if json {
        let style = Style::default();
        Output {
            stdout: render::report(&Report::failed(problem), Format::Json, &style),
            stderr: String::new(),
            status: UNKNOWN,
        }
    } else {
        Output {
            stdout: String::new(),
            stderr: render::problem(&problem),
            status: UNKNOWN,
        }
    }
}

/// A report in the format that was asked for.
fn reported(world: &World, mut report: Report, what: What) -> Output {
    for server in &mut report.servers {
        server.groups = render::group::groups(&server.changes);
    }
    let format = match world.common.format {
        cli::Format::Text => Format::Text,
        cli::Format::Json => Format::Json,
    };
    let style = Style {
        color: term::color(match world.common.color {
            cli::Color::Auto => term::Color::Auto,
            cli::Color::Always => term::Color::Always,
            cli::Color::Never => term::Color::Never,
        }),
        width: term::width(),
        quiet: world.common.quiet,
        verbose: world.common.verbose,
        what,
        lock: world
            .common
            .lock
            .as_ref()
            .map(|path| path.display().to_string()),
    };
    let to_stderr = format == Format::Text && !world.common.quiet;
    Output {
        stdout: render::report(&report, format, &style),
        stderr: if to_stderr {
            render::notes(&report)
        } else {
            String::new()
        },
        status: report.status(),
    }
}
