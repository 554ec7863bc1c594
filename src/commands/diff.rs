//! `diff`: looks at the servers, compares with the lockfile, says what changed. Writes the data directory, never
//! the lockfile.

use super::branch::Branch;
use super::check::{self, Observation, Seen};
use super::due::Due;
use super::talk::Talk;
use super::world::World;
use super::{Output, base, files, full, judge, lockfile_only, record, reported_from, sources};
use crate::cli;
use crate::lockfile::Lockfile;
use crate::model::{Problem, ServerName, ServerSpec, Warning};
use crate::parallel;
use crate::policy;
use crate::render::What;
use crate::report::{Change, Report, ServerReport};
use crate::rules::ToolNames;
use std::collections::BTreeMap;

pub(super) async fn run(world: &World, args: &cli::Diff) -> Result<Output, Problem> {
    if let Some(rule) = &args.explain {
        return super::explain::run(world, rule);
    }
    let named = args.source.name.is_some() || !args.source.config.is_empty();
    if !named
        && args.base.is_none()
        && !are_servers(world, args)
        && let Some((before, after)) = files::named(world, &args.names)?
    {
        return files::run(world, before, after, args);
    }
    // A damaged lockfile is said before all; a missing one only where there is something to check.
    let own = world.read_lockfile()?;
    let found_base = match &args.base {
        Some(base) => Some(base::find(world, base)?),
        None => None,
    };
    if args.lockfile_only
        && let Some(base) = found_base
    {
        return lockfile_only::run(world, args, base, &world.need_lockfile()?);
    }
    let found = sources::find(world, &args.source, &args.connect, &args.names)?;
    let own = own.map_or_else(|| world.need_lockfile(), Ok)?;
    let branch = found_base.as_ref().map(|found| Branch {
        base: &found.lockfile,
        own: &own,
    });
    let deciding = branch.as_ref().map_or(&own, |branch| branch.base);
    let store = world.store()?;
    let start_changed = args.connect.start_changed;
    let may_start = |spec: &ServerSpec| match &branch {
        Some(branch) => branch.may_start(spec, start_changed),
        None => judge::may_start(&own, spec, start_changed),
    };
    let talk = Talk::begin(world, &args.connect)?;
    let observations = check::observe(world, found.specs, Some(deciding), &talk, may_start).await;
    talk.finish()?;
    let mut report = Report::default();
    let everything = judge::tool_names(&observations, Some(deciding));
    let twins = record::Twins::of(Some(&own), &observations);
    let due = Due {
        world,
        store: &store,
        twins: &twins,
        deciding,
        own: &own,
    };
    let told = parallel::map_large(&observations, |observation| {
        let mut server = report_of(deciding, observation, &everything);
        server.notes = observation.notes();
        if let Some(branch) = &branch {
            branch.complete(&mut server, observation.offered(), &everything);
            not_checked(observation, &mut server);
        }
        let locked = deciding.servers.get(&observation.spec.name);
        let told = record::tell_who_asked(world, &store, &twins, observation, &mut server);
        let stored =
            told.and_then(|()| record::observed(world, &store, &twins, observation, locked));
        let look = stored.unwrap_or_else(|problem| {
            server.error.get_or_insert(problem);
            None
        });
        (look.map(|look| record::as_reported(look, &server)), server)
    });
    let mut looks = BTreeMap::new();
    for (look, server) in told {
        looks.extend(look.map(|look| (server.name.clone(), look)));
        report.servers.push(server);
    }
    let shown = due.mark_and_add(looks, &observations, &mut report.servers);
    report.warnings = found.warnings;
    report.error = found.error;
    report.warnings.extend(policy::lowered(deciding));
    let observed = |name: &ServerName| observations.iter().any(|o| o.spec.name == *name);
    if args.names.is_empty() && args.source.name.is_none() {
        report.warnings.extend(unconfigured(&own, &observations));
        // A server that left the configuration before anybody took it in waits no longer.
        let is_gone = |name: &ServerName| !own.servers.contains_key(name) && !observed(name);
        if shown.is_none_or(|shown| shown.servers.keys().any(is_gone)) {
            store.forget_shown(&world.lock, is_gone)?;
        }
        if let Some(branch) = &branch {
            report
                .servers
                .extend(branch.rest(|name| !observed(name), &everything));
            report.servers.sort_by(|a, b| a.name.cmp(&b.name));
        }
    }
    if let Some(branch) = &branch {
        report.warnings.extend(branch.warnings());
    }
    if let Some(found) = found_base {
        report.warnings.extend(found.warning);
        report.base = Some(found.base);
    }
    full::write(world, args.full.as_deref(), &report)?;
    let output = reported_from(world, report, What::Diff, Some(&args.source));
    // The end of the process gives back what is left, all at once.
    std::mem::forget((observations, own));
    Ok(output)
}

/// A server that was not started is not clean because somebody acknowledged another launch of it.
fn not_checked(observation: &Observation, server: &mut ServerReport) {
    if matches!(observation.seen, Ok(Seen::NotStarted)) && !server.changes.iter().any(Change::waits)
    {
        let name = server.name.as_str();
        let message = format!(
            "`{name}` was not started: its launch is acknowledged in this branch only, and the base decides what is started"
        );
        server.error = Some(
            Problem::new("not-started", message)
                .with_hint("--start-changed starts it, with the rights of this run"),
        );
    }
}

/// What one observation says beside the lockfile.
pub(super) fn report_of(
    lockfile: &Lockfile,
    observation: &Observation,
    everything: &ToolNames,
) -> ServerReport {
    let spec = &observation.spec;
    let locked = lockfile.servers.get(&spec.name);
    match (&observation.seen, locked) {
        (Err(problem), _) => judge::failed(spec, locked, problem),
        (Ok(Seen::Disabled), _) => judge::disabled(spec, locked),
        (Ok(Seen::NotStarted), _) => judge::launch_only(spec, locked),
        (Ok(Seen::Offered(offer)), Some(locked)) => {
            let by = policy::judging(lockfile, &spec.name);
            judge::compare(&spec.name, locked, &offer.catalogue, everything, &by)
        }
        (Ok(Seen::Offered(offer)), None) => judge::unknown_server(spec, offer, everything),
    }
}

/// What looks like files may also be the names of servers: then the servers are meant.
fn are_servers(world: &World, args: &cli::Diff) -> bool {
    if args.names.is_empty() {
        return true;
    }
    sources::find(world, &args.source, &args.connect, &args.names).is_ok()
}

/// Servers of the lockfile that no configuration names: they were not checked.
fn unconfigured(lockfile: &Lockfile, observations: &[Observation]) -> Vec<Warning> {
    lockfile
        .servers
        .keys()
        .filter(|name| observations.iter().all(|observation| observation.spec.name != **name))
        .map(|name| {
            Warning::new("server-gone", format!("the lockfile holds `{0}`, which no configuration of this run names: it was not checked; if it is no longer used, `countersign prune {0}` drops it", name.as_str()))
                .at(name.as_str())
        })
        .collect()
}
