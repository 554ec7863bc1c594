//! `snapshot`: looks at the servers and stores what they offer. The first sight of a server becomes its baseline
//! in the lockfile; what changed since is said, and left to `diff`, `review` and `ack`.

use super::check::{self, Observation, Offer, Seen};
use super::due::Due;
use super::talk::Talk;
use super::world::World;
use super::{Output, judge, record, reported, sources, vary};
use crate::cli;
use crate::lockfile::{self, Lockfile};
use crate::model::{ItemKey, Kind, Problem, ServerSpec, Warning};
use crate::parallel;
use crate::policy;
use crate::render::What;
use crate::report::{Recorded, Report, ServerReport};
use crate::rules::ToolNames;
use std::collections::{BTreeMap, BTreeSet};

pub(super) async fn run(world: &World, args: &cli::Check) -> Result<Output, Problem> {
    let lockfile = world.read_lockfile()?;
    let found = sources::find(world, &args.source, &args.connect, &args.servers)?;
    let store = world.store()?;
    // Asking for a first snapshot is asking to start the server; a launch that differs from the accepted one is not.
    let may_start = |spec: &ServerSpec| match &lockfile {
        Some(lockfile) if judge::holds_launch(lockfile, &spec.name) => {
            judge::may_start(lockfile, spec, args.connect.start_changed)
        }
        _ => true,
    };
    let talk = Talk::begin(world, &args.connect)?;
    let observations =
        check::observe(world, found.specs, lockfile.as_ref(), &talk, may_start).await;
    let varied = if args.vary {
        vary::run(world, &observations, &talk).await?
    } else {
        BTreeMap::new()
    };
    talk.finish()?;
    let everything = judge::tool_names(&observations, lockfile.as_ref());
    let mut writer = Writer {
        world,
        lockfile: lockfile.unwrap_or_default(),
        allowed: !world.in_ci() || world.common.lock.is_some(),
    };
    let mut report = Report {
        warnings: found.warnings,
        error: found.error,
        ..Report::default()
    };
    // The lockfile is read again under its lock, so that two runs at once lose nothing.
    let guard = store
        .lock_lockfile(&world.lock)
        .map_err(|error| Problem::new("store", error.to_string()))?;
    if let Some(newer) = world.read_lockfile()? {
        writer.lockfile = newer;
    }
    let twins = record::Twins::of(Some(&writer.lockfile), &observations);
    report.warnings.extend(policy::lowered(&writer.lockfile));
    let all_stored = parallel::map_large(&observations, |observation| {
        let locked = writer.lockfile.servers.get(&observation.spec.name);
        record::observed(world, &store, &twins, observation, locked)
    });
    let mut looks = BTreeMap::new();
    for (observation, stored) in observations.iter().zip(all_stored) {
        // What could not be stored is no baseline either: the two are written together or not at all.
        let mut server = writer.take(observation, &everything, stored.is_ok());
        server.notes.extend(observation.notes());
        let by_name = varied.get(&observation.spec.name);
        server
            .warnings
            .extend(by_name.into_iter().flatten().cloned());
        let told = record::tell_who_asked(world, &store, &twins, observation, &mut server);
        match told.and(stored) {
            Ok(look) => {
                let look = look.map(|look| record::as_reported(look, &server));
                looks.extend(look.map(|look| (server.name.clone(), look)));
            }
            Err(problem) => {
                server.error.get_or_insert(problem);
            }
        }
        report.servers.push(server);
    }
    // A first sight is nothing that anybody could have reviewed before.
    let due = Due::by(world, &store, &twins, &writer.lockfile);
    due.mark_and_add(looks, &observations, &mut report.servers);
    if writer.allowed
        && report
            .servers
            .iter()
            .any(|server| server.recorded.is_some())
    {
        world.write_lockfile(&writer.lockfile)?;
    }
    drop(guard);
    // What waits is said; judging it is the business of `diff`.
    let unchecked =
        report.error.is_some() || report.servers.iter().any(|server| server.error.is_some());
    let mut output = reported(world, report, What::Snapshot);
    output.status = if unchecked { super::UNKNOWN } else { 0 };
    Ok(output)
}

/// Takes what the lockfile could not know of a known server: what a baseline made from a file does not tell, and new
/// items where the policy makes them baseline. False if there was nothing of the kind.
fn complete(
    locked: &mut lockfile::Server,
    spec: &ServerSpec,
    offer: &Offer,
    is_new_baseline: impl Fn(&ItemKey) -> bool,
) -> bool {
    let mut completed = spec
        .launch
        .as_ref()
        .is_some_and(|launch| locked.record_live(launch, &offer.catalogue));
    for (key, item) in &offer.catalogue.items {
        completed |= key.kind != Kind::Server
            && is_new_baseline(key)
            && locked.accept_first_sight(key, item);
    }
    completed
}

struct Writer<'a> {
    world: &'a World,
    lockfile: Lockfile,
    allowed: bool,
}

impl Writer<'_> {
    /// Reports one observation, and takes a first sight into the lockfile.
    fn take(
        &mut self,
        observation: &Observation,
        everything: &ToolNames,
        stored: bool,
    ) -> ServerReport {
        let spec = &observation.spec;
        let offer = match &observation.seen {
            Err(problem) => {
                let locked = self.lockfile.servers.get(&spec.name);
                return judge::failed(spec, locked, problem);
            }
            Ok(Seen::Disabled) => {
                return judge::disabled(spec, self.lockfile.servers.get(&spec.name));
            }
            Ok(Seen::NotStarted) => {
                return judge::launch_only(spec, self.lockfile.servers.get(&spec.name));
            }
            Ok(Seen::Offered(offer)) => offer,
        };
        let keys = offer.catalogue.items.keys();
        let new_items: BTreeSet<&ItemKey> = keys
            .filter(|key| policy::of(&self.lockfile, &spec.name, key).new_items_become_baseline)
            .collect();
        let by = policy::judging(&self.lockfile, &spec.name);
        match self.lockfile.servers.get_mut(&spec.name) {
            Some(locked) => {
                let completed = self.allowed
                    && stored
                    && complete(locked, spec, offer, |key| new_items.contains(key));
                let mut server =
                    judge::compare(&spec.name, locked, &offer.catalogue, everything, &by);
                server.recorded = completed.then_some(Recorded::Completed);
                server
            }
            None if self.allowed => self.first_sight(spec, offer, everything, stored),
            None => not_recorded(spec, offer, everything),
        }
    }

    fn first_sight(
        &mut self,
        spec: &ServerSpec,
        offer: &Offer,
        everything: &ToolNames,
        stored: bool,
    ) -> ServerReport {
        let mut server = ServerReport::new(spec.name.clone());
        let listed = |key: &&ItemKey| key.kind != Kind::Server;
        server.unchanged = offer.catalogue.items.keys().filter(listed).count();
        server.warnings = judge::first_sight(&spec.name, &offer.catalogue, everything);
        if stored {
            let locked = lockfile::Server::first_sight(&offer.catalogue, None, &self.world.today());
            self.lockfile.servers.insert(spec.name.clone(), locked);
            server.recorded = Some(Recorded::Baseline);
        }
        server
    }
}

/// A first sight in CI: the server waits for somebody who commits its baseline.
fn not_recorded(spec: &ServerSpec, offer: &Offer, everything: &ToolNames) -> ServerReport {
    let mut server = judge::unknown_server(spec, offer, everything);
    server.notes.push(Warning::new(
        "not-recorded",
        "`CI` is set, so no lockfile is written: run `countersign snapshot` on a machine of yours and commit the lockfile, or name it with --lock",
    ));
    server
}
