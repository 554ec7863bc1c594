//! The commands: each calls the pipeline and decides nothing itself. This file dispatches, and turns errors
//! into words, hints and the exit status.

mod abreast;
mod ack;
mod approve;
mod base;
mod branch;
mod browser;
mod check;
mod completions;
mod credential;
mod diff;
mod due;
mod era;
mod explain;
mod facts;
mod files;
mod flag;
mod full;
mod git;
mod guard;
mod history;
mod judge;
mod kept;
mod lockfile_only;
mod login;
mod outputs;
mod policy;
mod prune;
mod record;
mod replay;
mod review;
mod revoke;
mod select;
mod servers;
mod snapshot;
mod sources;
mod talk;
mod timeline;
mod transcript;
mod vary;
mod watch;
mod who_asked;
mod world;

#[cfg(any(test, fuzzing))]
pub(crate) use judge::compare_files;

use crate::cli::{self, Cli, Command};
use crate::model::Problem;
use crate::parallel;
use crate::render::{self, Format, Style, What, escape};
use crate::report::Report;
use crate::term;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser as _};
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
    let format = asked_format(&args);
    std::panic::set_hook(Box::new(|_| {}));
    let worker = std::thread::Builder::new()
        .name("countersign".to_owned())
        .stack_size(parallel::STACK)
        .spawn(move || {
            parallel::make_room(parallel::ROOM);
            run(&args)
        });
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
            failure(problem, format)
        }
        Err(error) => failure(
            Problem::new("internal", format!("no thread to work on: {error}")),
            format,
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

/// The format that the command line asks for, judged without parsing it: usage errors too come in it.
fn asked_format(args: &[OsString]) -> Format {
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
    pair.or(joined)
        .or(variable.as_deref())
        .and_then(Format::from_word)
        .unwrap_or(Format::Text)
}

fn run(args: &[OsString]) -> Output {
    match Cli::try_parse_from(args) {
        Ok(cli) => {
            let (format, outputs) = (format_of(&cli), cli.common.output.clone());
            let is_watch = matches!(cli.command, Command::Watch(_));
            let output = dispatch(cli);
            let mut output = output.unwrap_or_else(|problem| failed(problem, format, &outputs));
            if is_watch && format == Format::Json {
                output.stdout = on_one_line(&output.stdout);
            }
            output
        }
        Err(error) if error.exit_code() == 0 => Output {
            stdout: error.render().to_string(),
            stderr: String::new(),
            status: 0,
        },
        Err(error) => usage(error, args),
    }
}

/// A pretty JSON document of ours on one line: there, line ends and indentation stand between tokens only.
fn on_one_line(document: &str) -> String {
    let mut line: String = document.lines().map(str::trim_start).collect();
    if !line.is_empty() {
        line.push('\n');
    }
    line
}

/// The format in which a command answers: one without a report knows text and JSON.
fn format_of(cli: &Cli) -> Format {
    match (cli.common.format, &cli.command) {
        (format, Command::Snapshot(_) | Command::Diff(_) | Command::Review(_)) => format,
        (Format::Json, _) => Format::Json,
        _ => Format::Text,
    }
}

/// The usage of the command that a command line names.
fn usage_of(args: &[OsString]) -> Option<StyledStr> {
    let mut command = Cli::command();
    command.build();
    let mut words = args.iter().skip(1).filter_map(|arg| arg.to_str());
    let found = words.find_map(|word| command.find_subcommand(word).cloned());
    Some(found?.render_usage())
}

/// What is wrong with the command line, said without what its words may do to a terminal or a log.
fn usage(mut error: clap::Error, args: &[OsString]) -> Output {
    let format = asked_format(args);
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
    // What variables set is no word of the command line: the usage names all that a command takes.
    if error.kind() == ErrorKind::MissingRequiredArgument
        && let Some(usage) = usage_of(args)
    {
        error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
    }
    let words = error.render().to_string();
    let message = words.trim().trim_start_matches("error: ").to_owned();
    let mut output = failure(Problem::new("usage", message), format);
    if format != Format::Json {
        output.stderr = words;
    }
    output
}

fn dispatch(cli: Cli) -> Result<Output, Problem> {
    if let Command::Completions { shell } = cli.command {
        return Ok(completions::run(shell));
    }
    let format = format_of(&cli);
    let mut world = World::look(cli.common)?;
    match cli.command {
        Command::Snapshot(args) => block_on(format, snapshot::run(&world, &args)),
        Command::Diff(args) => block_on(format, diff::run(&world, &args)),
        Command::Review(args) => review::run(&world, &args),
        Command::Ack(args) => ack::run(&world, &args),
        Command::Prune(args) => prune::run(&world, &args),
        Command::Servers(args) => servers::run(&world, &args),
        Command::Login(args) => block_on(format, login::login(&world, &args)),
        Command::Logout(args) => block_on(format, login::logout(&world, &args)),
        Command::Policy(args) => policy::run(&world, &args),
        Command::Flag(args) => flag::run(&world, &args),
        Command::History(args) => history::run(&world, &args),
        Command::Watch(args) => block_on(format, watch::run(&mut world, &args)),
        Command::Guard(args) => block_on(format, guard::run(&world, &args)),
        Command::Approve(args) => approve::run(&world, &args),
        Command::Replay(args) => replay::run(&world, &args),
        Command::Completions { shell } => Ok(completions::run(shell)),
    }
}

/// Runs to the end, or until a signal: then everything that was started is ended on the way out.
fn block_on(
    format: Format,
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
                Ok(Output { status, ..failure(problem, format) })
            }
            output = work => output,
        }
    })
}

/// Waits for a signal that ends a run; its name, and the status that shells give it.
#[cfg(unix)]
async fn interrupted() -> (&'static str, u8) {
    use tokio::signal::unix::{SignalKind, signal};
    let hangs_up = !hangups_are_ignored();
    let kinds = (
        signal(SignalKind::interrupt()),
        signal(SignalKind::terminate()),
        hangs_up.then(|| signal(SignalKind::hangup())).transpose(),
    );
    let (Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)) = kinds else {
        return std::future::pending().await;
    };
    let hung_up = async {
        match &mut hangup {
            Some(hangup) => hangup.recv().await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = interrupt.recv() => ("SIGINT", 130),
        _ = terminate.recv() => ("SIGTERM", 143),
        _ = hung_up => ("SIGHUP", 129),
    }
}

/// Whether we were started to outlive the terminal, as by `nohup`: who listens for a signal is no longer one who
/// ignores it. Only Linux tells.
#[cfg(unix)]
fn hangups_are_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // SIGHUP is signal 1.
    mask.is_some_and(|mask| mask & 1 == 1)
}

#[cfg(not(unix))]
async fn interrupted() -> (&'static str, u8) {
    match tokio::signal::ctrl_c().await {
        Ok(()) => ("Ctrl-C", 130),
        Err(_) => std::future::pending().await,
    }
}

/// A run that ended before it could check anything. Whoever reads a document gets one; people read the cause.
fn failure(problem: Problem, format: Format) -> Output {
    Output {
        stderr: match format {
            Format::Json => String::new(),
            _ => render::problem(&problem),
        },
        stdout: match format {
            Format::Text => String::new(),
            _ => render::report(&failed_report(problem), format, &Style::default()),
        },
        status: UNKNOWN,
    }
}

/// A report of a run that failed, and of which file that is about.
fn failed_report(problem: Problem) -> Report {
    // Without a current folder a file is told by its name.
    let cwd = std::env::current_dir().unwrap_or_default();
    let place = problem.place.as_ref();
    let file = place.map(|(file, _)| facts::from_root(&cwd, file));
    Report {
        file,
        ..Report::failed(problem)
    }
}

/// The same, told in the files of `--output` as well.
fn failed(problem: Problem, format: Format, outputs: &[cli::Kept]) -> Output {
    let report = failed_report(problem.clone());
    let mut output = failure(problem, format);
    // Without a current folder only absolute paths lead anywhere.
    let cwd = std::env::current_dir().unwrap_or_default();
    if let Err(problem) = outputs::write(&cwd, outputs, &report, &Style::default()) {
        output.stderr += &render::problem(&problem);
    }
    output
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
    facts::add(world, &mut report, what);
    let style = style(world, what, source);
    let format = world.common.format;
    let stderr = match format {
        _ if world.common.quiet => String::new(),
        Format::Text => render::notes(&report),
        format if format.is_kept() => render::summary(&report, what) + "\n",
        _ => String::new(),
    };
    let mut output = Output {
        stdout: render::report(&report, format, &style),
        stderr,
        status: report.status(),
    };
    if let Err(problem) = outputs::write(&world.cwd, &world.common.output, &report, &style) {
        output.stderr += &render::problem(&problem);
        // Drift beats it.
        if output.status == 0 {
            output.status = UNKNOWN;
        }
    }
    output
}

/// How a report is to look here.
fn style(world: &World, what: What, source: Option<&cli::Source>) -> Style {
    Style {
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
    }
}
