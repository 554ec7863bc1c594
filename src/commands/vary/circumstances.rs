//! The circumstances under which a server is looked at again: each changes one thing about who asks, or about the
//! machine that the server finds itself on.

use crate::capture::{Era, Taking};
use crate::client::{Options, Profile};
use crate::commands::check::Observation;
use crate::model::{Endpoint, Launch, Problem, ServerSpec, SpecState, Warning};
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A client that most servers know.
const CLIENT: (&str, &str) = ("claude-ai", "0.1.0");
/// A host that is not this one, and a zone whose day is another one for half of every day.
const HOST: &str = "countersign-vary";
const ZONE: &str = "Pacific/Kiritimati";
/// Any seed: without one, Python takes another at every start.
const SEED: &str = "1";

/// Prefixes of a command that give it a host name of its own, from the plain one to the one for users without rights.
const OWN_HOST: [&[&str]; 2] = [
    &["unshare", "--uts"],
    &["unshare", "--map-root-user", "--uts"],
];

/// One look, and what about it is other than usual.
pub(super) struct Circumstance {
    /// For a sentence, after "by".
    pub(super) what: String,
    /// Whether nothing is other than usual.
    pub(super) is_plain: bool,
    pub(super) spec: ServerSpec,
    pub(super) options: Options,
}

impl Circumstance {
    /// The same once more.
    pub(super) fn again(spec: &ServerSpec, options: &Options) -> Self {
        Self {
            what: "being started again".to_owned(),
            is_plain: true,
            spec: spec.clone(),
            options: options.clone(),
        }
    }
}

/// What this machine has for looking like another one.
pub(super) struct Surroundings {
    /// An empty folder, there as long as this value.
    folder: TempDir,
    /// What gives a command a host name of its own; `None` where the system refuses that.
    own_host: Option<&'static [&'static str]>,
}

impl Surroundings {
    /// Finds out, if any of the servers is a child process.
    pub(super) fn look(baseline: &[Observation]) -> Result<Self, Problem> {
        let folder = TempDir::new().map_err(|error| {
            Problem::new(
                "store",
                format!("no temporary folder to start servers in: {error}"),
            )
        })?;
        let starts_any = baseline
            .iter()
            .any(|observation| matches!(observation.spec.launch, Some(Launch::Stdio { .. })));
        let own_host = OWN_HOST
            .into_iter()
            .filter(|_| starts_any)
            .find(|prefix| works(prefix));
        Ok(Self { folder, own_host })
    }

    /// The circumstances that make sense for a server.
    pub(super) fn circumstances(
        &self,
        spec: &ServerSpec,
        options: &Options,
        taking: &Taking,
    ) -> Vec<Circumstance> {
        let mut out = Vec::new();
        let mut add = |what: &str, spec: ServerSpec, options: Options| {
            out.push(Circumstance {
                what: what.to_owned(),
                is_plain: false,
                spec,
                options,
            });
        };
        let (name, version) = CLIENT;
        let client_info = (name.to_owned(), version.to_owned());
        add(
            &format!("the client's name (`{name}/{version}`)"),
            spec.clone(),
            Options {
                client_info,
                ..options.clone()
            },
        );
        let (what, profile) = match options.profile {
            Profile::None => ("the client's capabilities (those of hosts)", Profile::Host),
            _ => ("the client's capabilities (none)", Profile::None),
        };
        add(
            what,
            spec.clone(),
            Options {
                profile,
                ..options.clone()
            },
        );
        let (what, protocol) = match taking.era {
            Some(Era::Modern) => ("the protocol's era (2025-11-25)", "2025-11-25"),
            _ => ("the protocol's era (2026-07-28)", "2026-07-28"),
        };
        add(
            what,
            spec.clone(),
            Options {
                protocol: Some(protocol.to_owned()),
                ..options.clone()
            },
        );
        if let (Some(Launch::Stdio { cwd, .. }), SpecState::Ready(Endpoint::Stdio { env, .. })) =
            (&spec.launch, &spec.state)
        {
            // What the configuration says itself is the same on every machine.
            if cwd.is_none() {
                add(
                    "the directory it is started in",
                    in_folder(spec, self.folder.path()),
                    options.clone(),
                );
            }
            if !env.contains_key("HOSTNAME") {
                add("the host's name", self.on_host(spec), options.clone());
            }
            for (variable, what, value) in [
                ("TZ", "the time zone", ZONE),
                ("PYTHONHASHSEED", "the seed of Python's hashes", SEED),
            ] {
                if !env.contains_key(variable) {
                    add(what, with_variable(spec, variable, value), options.clone());
                }
            }
        }
        out
    }

    /// What could not be varied here.
    pub(super) fn notes(&self, spec: &ServerSpec) -> Option<Warning> {
        let is_child = matches!(spec.launch, Some(Launch::Stdio { .. }));
        (is_child && self.own_host.is_none()).then(|| {
            Warning::new(
                "not-varied",
                "the host's name was only varied as `HOSTNAME`: this system gives no process a host name of its own (`unshare --uts`)",
            )
        })
    }

    fn on_host(&self, spec: &ServerSpec) -> ServerSpec {
        let mut spec = with_variable(spec, "HOSTNAME", HOST);
        if let (Some(prefix), SpecState::Ready(Endpoint::Stdio { command, args, .. })) =
            (self.own_host, &mut spec.state)
        {
            let script = format!("hostname {HOST} && exec \"$@\"");
            let mut words: Vec<String> = prefix.iter().map(|word| (*word).to_owned()).collect();
            words.extend(["sh", "-c", &script, "sh"].map(str::to_owned));
            words.push(std::mem::take(command));
            words.append(args);
            *command = words.remove(0);
            *args = words;
        }
        spec
    }
}

/// Whether a command can be given a host name of its own in that way.
fn works(prefix: &[&str]) -> bool {
    let words = prefix.iter().chain(&["hostname", HOST]);
    let mut words = words.copied();
    let status = words.next().map(|program| {
        Command::new(program)
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
    });
    matches!(status, Some(Ok(status)) if status.success())
}

/// The same server, started in a folder of its own. A program that is named by a path stays the one it was.
fn in_folder(spec: &ServerSpec, folder: &Path) -> ServerSpec {
    let mut spec = spec.clone();
    if let SpecState::Ready(Endpoint::Stdio { command, cwd, .. }) = &mut spec.state {
        let path = Path::new(command.as_str());
        if path.components().count() > 1 && path.is_relative() {
            let from = cwd.clone().or_else(|| std::env::current_dir().ok());
            if let Some(absolute) = from.map(|from| from.join(path)) {
                *command = absolute.to_string_lossy().into_owned();
            }
        }
        *cwd = Some(folder.to_owned());
    }
    spec
}

fn with_variable(spec: &ServerSpec, name: &str, value: &str) -> ServerSpec {
    let mut spec = spec.clone();
    if let SpecState::Ready(Endpoint::Stdio { env, .. }) = &mut spec.state {
        env.insert(name.to_owned(), value.to_owned());
    }
    spec
}
