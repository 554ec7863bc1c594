//! The commands: each calls the pipeline and decides nothing itself. This file dispatches, and turns errors
//! into words, hints and the exit status.

mod ack;
mod check;
mod completions;
mod diff;
mod explain;
mod files;
mod full;
mod judge;
mod prune;
mod record;
mod review;
mod revoke;
mod select;
mod servers;
mod snapshot;
mod sources;
mod transcript;
mod world;

use crate::cli::{self, Cli, Command};
use crate::model::Problem;
use crate::parallel;
use crate::render::{self, Format, Style, What, escape};
use crate::report::Report;
use crate::term;
use clap::Parser as _;
use clap::error::{ContextKind, ContextValue};
use std::ffi::OsString;
use std::process::ExitCode;
use world::World;

/// The status of a run that could not check something.
const UNKNOWN: u8 = 2;

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
        .stack_size(parallel::STACK)
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
        .filter_map(|arg| arg.to_str())
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
        Err(error) => usage(error, json),
    }
}

/// What is wrong with the command line, said without what its words may do to a terminal or a log.
fn usage(mut error: clap::Error, json: bool) -> Output {
    let said: Vec<(ContextKind, ContextValue)> = error
        .context()
        .filter_map(|(kind, value)| {
            let clean = match value {
                ContextValue::String(text) => ContextValue::String(escape::short(text)),
                ContextValue::Strings(texts) => {
                    ContextValue::Strings(texts.iter().map(|text| escape::short(text)).collect())
                }
                _ => return None,
            };
            Some((kind, clean))
        })
        .collect();
    for (kind, value) in said {
        error.insert(kind, value);
    }
    let words = error.render().to_string();
    if json {
        let message = words.trim().trim_start_matches("error: ").to_owned();
        failure(Problem::new("usage", message), true)
    } else {
        Output {
            stdout: String::new(),
            stderr: words,
            status: UNKNOWN,
        }
    }
}

fn dispatch(cli: Cli) -> Result<Output, Problem> {
    if let Command::Completions { shell } = cli.command {
        return Ok(completions::run(shell));
    }
    let world = World::look(cli.common)?;
    let json = world.common.format == cli::Format::Json;
    match cli.command {
        Command::Snapshot(args) => block_on(json, snapshot::run(&world, &args)),
        Command::Diff(args) => block_on(json, diff::run(&world, &args)),
        Command::Review(args) => review::run(&world, &args),
        Command::Ack(args) => ack::run(&world, &args),
        Command::Prune(args) => prune::run(&world, &args),
        Command::Servers(args) => servers::run(&world, &args),
        Command::Completions { shell } => Ok(completions::run(shell)),
    }
}

/// Runs to the end, or until a signal: then everything that was started is ended on the way out.
fn block_on(
    json: bool,
    work: impl Future<Output = Result<Output, Problem>>,
) -> Result<Output, Problem> {
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
            // Signals are listened for before anything is started.
            biased;
            (signal, status) = interrupted() => {
                let problem = Problem::new("interrupted", format!("interrupted by {signal}"));
                Ok(Output { status, ..failure(problem, json) })
            }
            output = work => output,
        }
    })
}

/// Waits for a signal that ends a run; its name, and the status that shells give it.
#[cfg(unix)]
async fn interrupted() -> (&'static str, u8) {
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
        _ = interrupt.recv() => ("SIGINT", 130),
        _ = terminate.recv() => ("SIGTERM", 143),
        _ = hangup.recv() => ("SIGHUP", 129),
    }
}

#[cfg(not(unix))]
async fn interrupted() -> (&'static str, u8) {
    match tokio::signal::ctrl_c().await {
        Ok(()) => ("Ctrl-C", 130),
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
fn reported(world: &World, report: Report, what: What) -> Output {
    reported_from(world, report, what, None)
}

/// The same, of servers that were named by this source.
fn reported_from(
    world: &World,
    mut report: Report,
    what: What,
    source: Option<&cli::Source>,
) -> Output {
    for server in &mut report.servers {
        server.groups = render::group::groups(&server.changes);
    }
    let format = match world.common.format {
        cli::Format::Text => Format::Text,
        cli::Format::Json => Format::Json,
        cli::Format::Github => Format::Github,
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
        lockfile: world
            .lock
            .strip_prefix(&world.cwd)
            .unwrap_or(&world.lock)
            .display()
            .to_string(),
        configs: source
            .iter()
            .flat_map(|source| &source.config)
            .map(|path| path.display().to_string())
            .collect(),
        by_flags: source.is_some_and(|source| source.name.is_some()),
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
