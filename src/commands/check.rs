//! Looks at servers side by side: starts or reaches each, and reads what it offers.

use super::abreast;
use super::credential::{self, Credentials};
use super::era::Eras;
use super::talk::Talk;
use super::world::World;
use crate::capture::{Capture, Era, Taking};
use crate::catalogue::{Catalogue, Item};
use crate::client::Options;
use crate::lockfile::{self, Lockfile};
use crate::model::{ItemKey, Kind, Problem, ServerSpec, SpecState, Warning, part};
use crate::secret::Secrets;
use crate::term::Progress;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

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

    /// What the server offers, where it was asked.
    pub(super) fn offered(&self) -> Option<&Catalogue> {
        match &self.seen {
            Ok(Seen::Offered(offer)) => Some(&offer.catalogue),
            _ => None,
        }
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
    /// The names of each list, in the order in which they came.
    pub(super) order: BTreeMap<Kind, Vec<String>>,
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

/// One look at one server.
pub(super) struct Look {
    /// The server.
    pub(super) spec: ServerSpec,
    /// How to talk to it.
    pub(super) options: Options,
    /// The tools that it is known to have.
    pub(super) expected: BTreeSet<String>,
    /// Whether it may be started.
    pub(super) start: bool,
}

/// Looks at all servers, and answers in the order in which they came.
pub(super) async fn observe(
    world: &World,
    specs: Vec<ServerSpec>,
    lockfile: Option<&Lockfile>,
    talk: &Talk,
    may_start: impl Fn(&ServerSpec) -> bool,
) -> Vec<Observation> {
    let eras = Eras::of(world, lockfile, &specs);
    let known: Vec<Option<Era>> = specs.iter().map(|spec| eras.known(spec)).collect();
    let looks = specs.into_iter().zip(&known).map(|(spec, known)| {
        let locked = lockfile.and_then(|lock| lock.servers.get(&spec.name));
        Look {
            options: Options {
                known_era: *known,
                ..talk.options(&spec)
            },
            expected: locked.map(tools).unwrap_or_default(),
            start: may_start(&spec),
            spec,
        }
    });
    let observations = all(world, talk, looks.collect()).await;
    // A revision that was asked for is not found by asking.
    if !talk.asks_for_a_revision() {
        for (observation, known) in observations.iter().zip(known) {
            if let Ok(seen) = &observation.seen {
                eras.learn(&observation.spec, known, seen);
            }
        }
    }
    observations
}

/// Takes all looks, `--jobs` at a time, and answers in the order in which they came.
pub(super) async fn all(world: &World, talk: &Talk, looks: Vec<Look>) -> Vec<Observation> {
    let progress = Arc::new(Progress::new(world.common.quiet));
    let jobs = usize::from(world.common.jobs);
    let observations = abreast::all(looks, jobs, talk.credentials(), &progress).await;
    progress.clear();
    observations
}

/// Takes one look, with the credentials of the run where the server may be shown one.
pub(super) async fn take(
    look: Look,
    credentials: Option<&Credentials>,
    progress: &Progress,
) -> Observation {
    let seen = match &look.spec.state {
        SpecState::Ready(_) if !look.start => Ok(Seen::NotStarted),
        _ => see(&look, credentials, progress).await,
    };
    let spec = look.spec;
    Observation { spec, seen }
}

async fn see(
    look: &Look,
    credentials: Option<&Credentials>,
    progress: &Progress,
) -> Result<Seen, Problem> {
    let spec = &look.spec;
    let endpoint = match &spec.state {
        SpecState::Disabled => return Ok(Seen::Disabled),
        SpecState::Broken(problem) => return Err(problem.clone()),
        SpecState::Ready(endpoint) => endpoint,
    };
    let line = progress.start(spec.name.as_str());
    let say = |stage: &str| line.message(stage);
    let (expected, options) = (&look.expected, &look.options);
    let captured = credential::capture(spec, endpoint, expected, options, credentials, &say).await;
    line.finish();
    let (capture, secrets) = captured?;
    offered(spec, capture, &secrets)
}

/// What a capture says that a server offers.
pub(super) fn offered(
    spec: &ServerSpec,
    mut capture: Capture,
    secrets: &Secrets,
) -> Result<Seen, Problem> {
    let order = capture.order();
    let taking = std::mem::take(&mut capture.taking);
    let warnings = std::mem::take(&mut capture.warnings);
    let (mut catalogue, mut notes) = Catalogue::of_capture(capture, secrets)
        .map_err(|error| Problem::new("protocol", secrets.redact(&error.to_string())))?;
    if let Some(launch) = launch_item(spec) {
        catalogue.items.insert(ItemKey::part(part::LAUNCH), launch);
    }
    notes.extend(warnings);
    Ok(Seen::Offered(Box::new(Offer {
        catalogue,
        order,
        taking,
        notes,
    })))
}

/// The tools that the lockfile holds as accepted: a listing without them is asked for again.
pub(super) fn tools(server: &lockfile::Server) -> BTreeSet<String> {
    server
        .entries
        .iter()
        .filter(|(key, entry)| key.kind == Kind::Tool && !entry.removed)
        .map(|(key, _)| key.name.as_str().to_owned())
        .collect()
}
