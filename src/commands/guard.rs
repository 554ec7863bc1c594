//! `guard SERVER`: stands between a client and a server, and lets pass what the lockfile accepts. It writes the data
//! directory, never the lockfile.
//!
//! What keeps it from checking keeps it from starting the server: then each request is answered with the reason.

use super::credential::Presenter;
use super::talk::Talk;
use super::world::World;
use super::{Output, judge, sources};
use crate::cli::{self, Source};
use crate::client::Options;
use crate::json::Limits;
use crate::lockfile::Lockfile;
use crate::model::{Kind, Problem, ServerName, ServerSpec, SpecState};
use crate::render::{self, Format, escape};
use crate::runtime::account::Account;
use crate::runtime::lines::Lines;
use crate::runtime::proxy::{self, ClientSide, Renew, Renewing, ServerSide};
use crate::runtime::router::Desk;
use crate::runtime::{answers, envelope};
use crate::secret::Secrets;
use crate::store::{ByTool, Counts, HeldCall, Passage, Store};
use crate::term;
use jiff::Timestamp;
use std::cell::Cell;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Results are data and may be longer than definitions: a message may be so many times what `--max-frame` says.
const RESULTS: usize = 4;
/// How long the counts of a talk may wait at its end for others who write theirs.
const LAST_COUNTS: Duration = Duration::from_secs(2);
/// A file that was written so lately may have been written again since, with no trace in its times.
const LATELY: Duration = Duration::from_secs(2);

pub(super) async fn run(world: &World, args: &cli::Guard) -> Result<Output, Problem> {
    let talk = Talk::begin(world, &args.connect)?;
    let store = world.store()?;
    let name = ServerName::new(args.server.as_str());
    let outcome = match prepare(world, args, &talk) {
        Ok((spec, account)) => stand(world, args, &spec, account, &talk, &store).await,
        Err(problem) => Err(problem),
    };
    match outcome {
        Ok(()) => Ok(Output {
            stdout: String::new(),
            stderr: String::new(),
            status: 0,
        }),
        Err(Ended::Unchecked(problem)) => {
            say(&format!("`{}` is not started", name.as_str()));
            let said = render::problem(&problem);
            let _ = term::err(&said);
            // The client shows what its requests are answered with; nobody looks at standard error.
            let bound = frame_bytes(args);
            let told = problem.clone();
            // A thread of its own, because a blocked read cannot be taken back: a signal ends the process over it.
            let (done, closed) = tokio::sync::oneshot::channel();
            std::thread::spawn(move || done.send(refuse_all(&told, bound)));
            let _ = closed.await;
            let format = match world.common.format {
                Format::Json => Format::Json,
                _ => Format::Text,
            };
            let mut output = super::failed(problem, format, &world.common.output);
            // Whoever waits is told at the beginning, and once.
            output.stderr = output.stderr.replacen(&said, "", 1);
            Ok(output)
        }
        Err(Ended::Left(problem)) => Err(problem),
    }
}

/// The most bytes of one message.
fn frame_bytes(args: &cli::Guard) -> usize {
    args.connect.max_frame.saturating_mul(RESULTS)
}

fn options_of(args: &cli::Guard, talk: &Talk, spec: &ServerSpec) -> Options {
    let mut options = talk.options(spec);
    options.bounds.frame_bytes = frame_bytes(args);
    options
}

/// Why a guard stands no longer.
enum Ended {
    /// The server was not started, because it cannot be checked.
    Unchecked(Problem),
    /// It ran, and then left.
    Left(Problem),
}

impl From<Problem> for Ended {
    fn from(problem: Problem) -> Self {
        Self::Unchecked(problem)
    }
}

fn prepare(world: &World, args: &cli::Guard, talk: &Talk) -> Result<(ServerSpec, Account), Ended> {
    let lockfile = world.need_lockfile()?;
    let is_given = args.url.is_some() || !args.command.is_empty();
    let source = Source {
        config: args.config.clone(),
        user: args.user,
        name: is_given.then(|| args.server.clone()),
        url: args.url.clone(),
        from: None,
        command: args.command.clone(),
    };
    let names = std::slice::from_ref(&args.server);
    let mut found = sources::find(world, &source, &args.connect, names)?.specs;
    let spec = found.pop().ok_or_else(|| sources::nothing(&args.config))?;
    let options = options_of(args, talk, &spec);
    let account = account_of(lockfile, &spec, spec.secrets.clone(), args, &options)?;
    match &spec.state {
        SpecState::Ready(_) => {}
        SpecState::Broken(problem) => return Err(problem.clone().into()),
        SpecState::Disabled => {
            let message = format!("the configuration disables `{}`", args.server);
            return Err(Problem::new("config", message).into());
        }
    }
    Ok((spec, account))
}

/// What the lockfile says of the server, if it may be started as it is launched here.
fn account_of(
    lockfile: Lockfile,
    spec: &ServerSpec,
    secrets: Secrets,
    args: &cli::Guard,
    options: &Options,
) -> Result<Account, Problem> {
    let name = spec.name.as_str();
    if lockfile.servers.contains_key(&spec.name)
        && !judge::may_start(&lockfile, spec, args.connect.start_changed)
    {
        let message = format!("the launch of `{name}` is not the one that the lockfile accepts");
        return Err(Problem::new("launch", message).with_hint(format!("countersign diff {name}")));
    }
    let limits: Limits = options.bounds.limits();
    Account::new(lockfile, spec.name.clone(), secrets, limits).ok_or_else(|| {
        Problem::new("lockfile", format!("the lockfile does not know `{name}`"))
            .with_hint("countersign snapshot")
    })
}

async fn stand(
    world: &World,
    args: &cli::Guard,
    spec: &ServerSpec,
    account: Account,
    talk: &Talk,
    store: &Store,
) -> Result<(), Ended> {
    let SpecState::Ready(endpoint) = &spec.state else {
        return Ok(());
    };
    let options = options_of(args, talk, spec);
    let credentials = talk.credentials();
    let who = Presenter::lasting(&credentials, spec, endpoint)?;
    let shown = who.present().await?;
    // What was written between the first reading and now counts as news, as does another token.
    let is_news = Cell::new(true);
    let renew = || -> Renewing<'_> {
        Box::pin(async {
            match who.renew().await {
                Ok(header) => {
                    is_news.set(true);
                    header
                }
                Err(problem) => {
                    say(&format!(
                        "the credential is not renewed: {}",
                        problem.message
                    ));
                    None
                }
            }
        })
    };
    let mut watched = Watched::new(&world.lock);
    let mut newer = || {
        if !watched.may_have_changed() && !is_news.take() {
            return None;
        }
        let secrets = who.secrets();
        let lockfile = world.need_lockfile();
        Some(lockfile.and_then(|lockfile| account_of(lockfile, spec, secrets, args, &options)))
    };
    let pass = |call: &HeldCall| -> Result<Passage, Problem> {
        Ok(store.pass_or_hold(&world.lock, call, &now())?)
    };
    let seen = |kind: Kind, items: &std::collections::BTreeMap<_, crate::catalogue::Item>| {
        let current = |key: &crate::model::ItemKey| items.get(key).map(|item| item.digest);
        store.forget_other_definitions(&world.lock, &spec.name, &current, kind)?;
        Ok(())
    };
    let command = |id: &str| match &world.common.data_dir {
        Some(path) => {
            let path = world.cwd.join(path).display().to_string();
            let path = shlex::try_quote(&path).map_or(path.clone(), Into::into);
            format!("countersign approve {id} --data-dir {path}")
        }
        None => format!("countersign approve {id}"),
    };
    let count = |counted: &ByTool<Counts>, is_end: bool| {
        let patience = if is_end { LAST_COUNTS } else { Duration::ZERO };
        let added = store.add_used(&world.lock, &spec.name, counted, &now(), patience);
        match added {
            Ok(()) => true,
            // It is tried again later.
            Err(_) if !is_end => false,
            Err(error) => {
                say(&format!("the counts of calls are not kept: {error}"));
                true
            }
        }
    };
    let desk = Desk {
        count: &count,
        pass: &pass,
        seen: &seen,
        command: &command,
    };
    crate::transport::widen(io::stdout());
    let client = ClientSide {
        input: Box::new(io::stdin()),
        output: Box::new(io::stdout()),
        say: &say,
    };
    let server = ServerSide {
        endpoint: &shown,
        options: &options,
        secrets: &who.secrets(),
        renew: who.has_credential().then_some(&renew as &Renew<'_>),
    };
    let recheck = args.recheck.unwrap_or_default();
    let end = proxy::run(client, server, Ok(account), &mut newer, &desk, recheck).await;
    end.map_err(|problem| match problem.kind {
        // Nothing of the client was read yet.
        "start" | "config" => Ended::Unchecked(problem),
        _ => Ended::Left(problem),
    })
}

/// Answers every request with the reason, until the client leaves.
fn refuse_all(problem: &Problem, bound: usize) -> io::Result<()> {
    let hint = problem
        .hint
        .as_ref()
        .map_or_else(String::new, |hint| format!("; to mend it: {hint}"));
    let why = format!(
        "countersign did not start this server: {}{hint}",
        problem.message
    );
    let mut lines = Lines::new(io::stdin(), bound);
    let mut out = io::stdout().lock();
    while let Some(line) = lines.line()? {
        let messages = envelope::read(&line).messages();
        for one in messages.iter().filter(|one| one.is_request()) {
            let id = one.id.clone().map(|id| &line[id]).unwrap_or_default();
            let mut answer = answers::error(id, &why);
            answer.push(b'\n');
            out.write_all(&answer)?;
            out.flush()?;
        }
    }
    Ok(())
}

fn say(text: &str) {
    // Nobody who reads it is no failure.
    let _ = term::err(&format!("countersign: {}\n", escape::line(text)));
}

/// Now, RFC 3339 in UTC, to the second: a guard runs longer than its start.
fn now() -> String {
    Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// A file that others write.
struct Watched<'a> {
    path: &'a Path,
    seen: Option<Seen>,
}

/// What tells two states of a file apart.
#[derive(PartialEq)]
struct Seen {
    length: u64,
    modified: Option<SystemTime>,
    /// Device and number, and when anything of it last changed.
    identity: (u64, u64, i64, i64),
    bytes: Option<Vec<u8>>,
}

impl<'a> Watched<'a> {
    fn new(path: &'a Path) -> Self {
        Self {
            path,
            seen: look_at(path),
        }
    }

    /// Whether it is not what it was when this was asked last.
    fn may_have_changed(&mut self) -> bool {
        let now = look_at(self.path);
        let is_same = now == self.seen;
        self.seen = now;
        !is_same
    }
}

fn look_at(path: &Path) -> Option<Seen> {
    let metadata = std::fs::metadata(path).ok()?;
    let modified = metadata.modified().ok();
    let age = modified.and_then(|modified| modified.elapsed().ok());
    // Times are coarse: what was written lately is told apart by its content.
    let is_settled = age.is_some_and(|age| age > LATELY);
    Some(Seen {
        length: metadata.len(),
        modified,
        identity: identity(&metadata),
        bytes: if is_settled {
            None
        } else {
            std::fs::read(path).ok()
        },
    })
}

#[cfg(unix)]
fn identity(metadata: &std::fs::Metadata) -> (u64, u64, i64, i64) {
    use std::os::unix::fs::MetadataExt as _;
    (
        metadata.dev(),
        metadata.ino(),
        metadata.ctime(),
        metadata.ctime_nsec(),
    )
}

#[cfg(not(unix))]
fn identity(_: &std::fs::Metadata) -> (u64, u64, i64, i64) {
    (0, 0, 0, 0)
}
