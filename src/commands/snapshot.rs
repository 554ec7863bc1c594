//! `snapshot`: looks at the servers and stores what they offer. The first sight of a server becomes its baseline
//! in the lockfile; what changed since is said, and left to `diff`, `review` and `ack`.

use super::check::{self, Observation, Offer, Seen};
use super::world::World;
use super::{Output, judge, record, reported, sources, vary};
use crate::cli;
use crate::lockfile::{self, Lockfile};
use crate::model::{Kind, Problem, ServerSpec, Warning};
use crate::policy;
use crate::render::What;
use crate::report::{Recorded, Report, ServerReport};
use crate::rules;
use std::collections::BTreeMap;

pub(super) async fn run(world: &World, args: &cli::Check) -> Result<Output, Problem> {
    let lockfile = world.read_lockfile()?;
    let found = sources::find(world, &args.source, &args.connect, &args.servers)?;
    let store = world.store()?;
    // Asking for a first snapshot is asking to start the server; a launch that differs from the accepted one is not.
    let may_start = |spec: &ServerSpec| match &lockfile {
        Some(lockfile) if lockfile.servers.contains_key(&spec.name) => {
            judge::may_start(lockfile, spec, args.connect.start_changed)
        }
        _ => true,
    };
    let observations = check::observe(
        world,
        found.specs,
        lockfile.as_ref(),
        &args.connect,
        may_start,
    )
    .await?;
    let varied = if args.vary {
        vary::run(world, &observations, &args.connect).await?
    } else {
        BTreeMap::new()
    };
    let everything = judge::tool_names(&observations);
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
    for observation in &observations {
        let mut server = writer.take(observation, &everything);
        server.notes = observation.notes();
        let by_name = varied.get(&observation.spec.name);
        server
            .warnings
            .extend(by_name.into_iter().flatten().cloned());
        if let Err(problem) = record::observed(world, &store, observation) {
            server.error.get_or_insert(problem);
        }
        report.servers.push(server);
    }
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
    new_items: bool,
) -> bool {
    let mut completed = spec
        .launch
        .as_ref()
        .is_some_and(|launch| locked.record_live(launch, &offer.catalogue));
    if new_items {
        for (key, item) in &offer.catalogue.items {
            completed |= key.kind != Kind::Server && locked.accept_first_sight(key, item);
        }
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
    fn take(&mut self, observation: &Observation, everything: &judge::ToolNames) -> ServerReport {
        let spec = &observation.spec;
        let blank = ServerReport::new(spec.name.clone());
        let offer = match &observation.seen {
            Err(problem) => {
                return ServerReport {
                    error: Some(problem.clone()),
                    ..blank
                };
            }
            Ok(Seen::Disabled) => {
                return ServerReport {
                    disabled: true,
                    ..blank
                };
            }
            Ok(Seen::NotStarted) => {
                return judge::launch_only(spec, self.lockfile.servers.get(&spec.name));
            }
            Ok(Seen::Offered(offer)) => offer,
        };
        let new_items = policy::of(&self.lockfile, &spec.name).new_items_become_baseline;
        match self.lockfile.servers.get_mut(&spec.name) {
            Some(locked) => {
                let completed = self.allowed && complete(locked, spec, offer, new_items);
                let mut server = judge::compare(&spec.name, locked, &offer.catalogue, everything);
                server.recorded = completed.then_some(Recorded::Completed);
                server
            }
            None => self.first_sight(spec, offer),
        }
    }

    fn first_sight(&mut self, spec: &ServerSpec, offer: &Offer) -> ServerReport {
        let mut server = ServerReport::new(spec.name.clone());
        server.unchanged = offer.catalogue.items.len();
        server.warnings = rules::warnings(&offer.catalogue);
        server.warnings.extend(rules::first_sight(&offer.catalogue));
        if self.allowed {
            let locked = lockfile::Server::first_sight(&offer.catalogue, None, &self.world.today());
            self.lockfile.servers.insert(spec.name.clone(), locked);
            server.recorded = Some(Recorded::Baseline);
        } else {
            server.warnings.push(Warning::new(
                "not-recorded",
                "`CI` is set, so no lockfile is written: run `countersign snapshot` on a machine of yours and commit the lockfile, or name it with --lock",
            ));
        }
        server
    }
}
