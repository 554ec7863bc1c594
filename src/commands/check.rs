//! Looks at servers side by side: starts or reaches each, and reads what it offers.

use super::transcript::Transcript;
use super::world::World;
use crate::capture::Taking;
use crate::catalogue::{Catalogue, Item};
use crate::cli::Connect;
use crate::client::{self, Bounds, CaCerts, Direction, Options, Profile, Trace};
use crate::lockfile::{self, Lockfile};
use crate::model::{ItemKey, Kind, Problem, ServerName, ServerSpec, SpecState, Warning, part};
use crate::render;
use crate::term::{self, Progress};
use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, LocalSet};

/// What became of looking at one server.
pub(super) struct Observation {
    /// The server.
    pub(super) spec: ServerSpec,
    /// What was seen.
    pub(super) seen: Result<Seen, Problem>,
}

impl Observation {
    /// What was odd about the configuration and the talk.
    pub(super) fn notes(&self) -> Vec<Warning> {
        let mut notes = self.spec.warnings.clone();
        if let Ok(Seen::Offered(offer)) = &self.seen {
            notes.extend(offer.notes.iter().cloned());
        }
        notes
    }
}

/// What was seen of a server that could be looked at.
pub(super) enum Seen {
    /// Its configuration disables it.
    Disabled,
    /// It was not started: the lockfile does not know this launch.
    NotStarted,
    /// What it offers.
    Offered(Box<Offer>),
}

/// What a server offers.
pub(super) struct Offer {
    /// Its items, the launch among them where there is one.
    pub(super) catalogue: Catalogue,
    /// How it was taken.
    pub(super) taking: Taking,
    /// What was odd.
    pub(super) notes: Vec<Warning>,
}

/// What a server's own launch looks like as an item; `None` for a file.
pub(super) fn launch_item(spec: &ServerSpec) -> Option<Item> {
    spec.launch
        .as_ref()
        .map(|launch| Item::new(Kind::Server, launch.to_value()))
}

/// Looks at all servers, `--jobs` at a time, and answers in the order in which they came.
pub(super) async fn observe(
    world: &World,
    specs: Vec<ServerSpec>,
    lockfile: Option<&Lockfile>,
    connect: &Connect,
    may_start: impl Fn(&ServerSpec) -> bool,
) -> Result<Vec<Observation>, Problem> {
    let options = options(world, connect)?;
    let transcript = match &connect.transcript {
        Some(file) => Some(Arc::new(Transcript::create(&world.cwd.join(file))?)),
        None => None,
    };
    let progress = Rc::new(Progress::new(world.common.quiet));
    let places = Rc::new(Semaphore::new(usize::from(world.common.jobs)));
    let local = LocalSet::new();
    let mut running = JoinSet::new();
    for (index, spec) in specs.into_iter().enumerate() {
        let expected = lockfile
            .and_then(|lock| lock.servers.get(&spec.name))
            .map(tools)
            .unwrap_or_default();
        let start = may_start(&spec);
        let (options, progress, places) = (
            Rc::new(Options {
                trace: trace(world, &spec.name, transcript.as_ref()),
                ..options.clone()
            }),
            Rc::clone(&progress),
            Rc::clone(&places),
        );
        running.spawn_local_on(
            async move {
                // The semaphore is never closed.
                let _place = places.acquire().await;
                let seen = match &spec.state {
                    SpecState::Ready(_) if !start => Ok(Seen::NotStarted),
                    _ => look(&spec, &expected, &options, &progress).await,
                };
                (index, Observation { spec, seen })
            },
            &local,
        );
    }
    let mut done = Vec::new();
    local
        .run_until(async {
            while let Some(joined) = running.join_next().await {
                match joined {
                    Ok(observation) => done.push(observation),
                    Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                    Err(_) => {}
                }
            }
        })
        .await;
    progress.clear();
    if let Some(transcript) = transcript {
        transcript.finish()?;
    }
    done.sort_by_key(|(index, _)| *index);
    Ok(done
        .into_iter()
        .map(|(_, observation)| observation)
        .collect())
}

async fn look(
    spec: &ServerSpec,
    expected: &BTreeSet<String>,
    options: &Options,
    progress: &Progress,
) -> Result<Seen, Problem> {
    let endpoint = match &spec.state {
        SpecState::Disabled => return Ok(Seen::Disabled),
        SpecState::Broken(problem) => return Err(problem.clone()),
        SpecState::Ready(endpoint) => endpoint,
    };
    let line = progress.start(spec.name.as_str());
    let captured = client::capture(endpoint, &spec.secrets, expected, options, &|stage| {
        line.message(stage);
    })
    .await;
    line.finish();
    let capture = captured?;
    let (mut catalogue, mut notes) = Catalogue::from_capture(&capture, &spec.secrets)
        .map_err(|error| Problem::new("protocol", spec.secrets.redact(&error.to_string())))?;
    if let Some(launch) = launch_item(spec) {
        catalogue.items.insert(ItemKey::part(part::LAUNCH), launch);
    }
    notes.extend(capture.warnings);
    Ok(Seen::Offered(Box::new(Offer {
        catalogue,
        taking: capture.taking,
        notes,
    })))
}

/// The tools that the lockfile holds as accepted: a listing without them is asked for again.
fn tools(server: &lockfile::Server) -> BTreeSet<String> {
    server
        .entries
        .iter()
        .filter(|(key, entry)| key.kind == Kind::Tool && !entry.removed)
        .map(|(key, _)| key.name.as_str().to_owned())
        .collect()
}

pub(super) fn options(world: &World, connect: &Connect) -> Result<Options, Problem> {
    Ok(Options {
        timeout: connect.timeout,
        start_timeout: connect.start_timeout,
        protocol: connect.protocol.as_deref().map(revision).transpose()?,
        profile: profile(world, &connect.capabilities)?,
        client_info: match &connect.client_info {
            Some(text) => client_info(text)?,
            None => Options::default().client_info,
        },
        bounds: Bounds {
            frame_bytes: connect.max_frame,
            listing_bytes: connect.max_listing,
            items: connect.max_items,
            string_bytes: connect.max_string,
            depth: connect.max_depth,
            pages: connect.max_pages,
        },
        ca_certs: match &connect.ca_cert {
            Some(file) => ca_certs(world, file)?,
            None => CaCerts::default(),
        },
        ..Options::default()
    })
}

fn revision(text: &str) -> Result<String, Problem> {
    let known = client::revisions();
    if known.contains(&text) {
        return Ok(text.to_owned());
    }
    let known = known.join("`, `");
    Err(Problem::new(
        "usage",
        format!("`--protocol {text}` is none of the revisions `{known}`"),
    ))
}

fn client_info(text: &str) -> Result<(String, String), Problem> {
    match text.split_once('/') {
        Some((name, version)) if !name.is_empty() && !version.is_empty() => {
            Ok((name.to_owned(), version.to_owned()))
        }
        _ => Err(Problem::new(
            "usage",
            format!("`--client-info {text}` is not NAME/VERSION"),
        )),
    }
}

fn ca_certs(world: &World, file: &Path) -> Result<CaCerts, Problem> {
    std::fs::read(world.cwd.join(file))
        .map_err(|error| error.to_string())
        .and_then(|pem| CaCerts::read(&pem))
        .map_err(|cause| {
            let message = format!("`--ca-cert {}` cannot be used: {cause}", file.display());
            Problem::new("usage", message)
        })
}

fn profile(world: &World, choice: &str) -> Result<Profile, Problem> {
    match choice {
        "host" => Ok(Profile::Host),
        "none" => Ok(Profile::None),
        file => {
            let cannot = |cause: String| {
                Problem::new(
                    "usage",
                    format!(
                        "`--capabilities {file}` is neither `none`, `host` nor a file with a JSON object: {cause}"
                    ),
                )
            };
            let text = std::fs::read_to_string(world.cwd.join(file))
                .map_err(|error| cannot(error.to_string()))?;
            let capabilities: serde_json::Value =
                serde_json::from_str(&text).map_err(|error| cannot(error.to_string()))?;
            if !capabilities.is_object() {
                return Err(cannot("it holds something else".to_owned()));
            }
            Ok(Profile::Custom {
                name: file.to_owned(),
                capabilities,
            })
        }
    }
}

/// What becomes of each message of a server: shown under `-vv`, written to the transcript.
pub(super) fn trace(
    world: &World,
    server: &ServerName,
    transcript: Option<&Arc<Transcript>>,
) -> Option<Trace> {
    let is_shown = world.common.verbose > 1;
    if !is_shown && transcript.is_none() {
        return None;
    }
    let (server, transcript) = (server.clone(), transcript.cloned());
    Some(Arc::new(move |direction, message: &str| {
        if is_shown {
            show(direction, message);
        }
        if let Some(transcript) = &transcript {
            transcript.note(&server, direction, message);
        }
    }))
}

fn show(direction: Direction, message: &str) {
    let arrow = match direction {
        Direction::Sent => "-> ",
        Direction::Received => "<- ",
    };
    // Nobody who reads the messages any more is no failure of the run.
    let _ = term::err(&format!("{arrow}{}\n", render::escape::line(message)));
}
