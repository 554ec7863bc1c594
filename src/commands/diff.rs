//! `diff`: looks at the servers, compares with the lockfile, says what changed. Writes the data directory, never
//! the lockfile.

use super::check::{self, Observation, Seen};
use super::world::World;
use super::{Output, files, judge, record, reported, sources};
use crate::cli;
use crate::lockfile::Lockfile;
use crate::model::{Problem, ServerSpec, Warning};
use crate::render::What;
use crate::report::{Report, ServerReport};

pub(super) async fn run(world: &World, args: &cli::Diff) -> Result<Output, Problem> {
    if let Some(rule) = &args.explain {
        return super::explain::run(world, rule);
    }
    let named = args.source.name.is_some() || !args.source.config.is_empty();
    if !named && files::are_files(world, &args.names) && !are_servers(world, args) {
        return files::run(world, &args.names[0], &args.names[1], &args.connect);
    }
    if !named
        && let Some(missing) = args
            .names
            .iter()
            .find(|name| files::looks_like_a_file(name))
    {
        let exists = world.cwd.join(missing).exists();
        let cause = if exists {
            "one file alone cannot be compared: name BEFORE and AFTER"
        } else {
            "there is no such file"
        };
        if !exists || args.names.len() == 1 {
            return Err(Problem::new(
                "file",
                format!("cannot read `{missing}`: {cause}"),
            ));
        }
    }
    let lockfile = world.need_lockfile()?;
    let found = sources::find(world, &args.source, &args.connect, &args.names)?;
    let store = world.store()?;
    let start_changed = args.connect.start_changed;
    let may_start = |spec: &ServerSpec| judge::may_start(&lockfile, spec, start_changed);
    let observations = check::observe(
        world,
        found.specs,
        Some(&lockfile),
        &args.connect,
        may_start,
    )
    .await?;
    let mut report = Report::default();
    let everything = judge::tool_names(&observations);
    for observation in &observations {
        let mut server = report_of(&lockfile, observation, &everything);
        server.notes = observation.notes();
        if let Err(problem) = record::observed(world, &store, observation) {
            server.error.get_or_insert(problem);
        }
        report.servers.push(server);
    }
    report.warnings = found.warnings;
    report.error = found.error;
    if args.names.is_empty() && args.source.name.is_none() {
        report
            .warnings
            .extend(unconfigured(&lockfile, &observations));
    }
    Ok(reported(world, report, What::Diff))
}

/// What one observation says beside the lockfile.
fn report_of(
    lockfile: &Lockfile,
    observation: &Observation,
    everything: &judge::ToolNames,
) -> ServerReport {
    let spec = &observation.spec;
    let locked = lockfile.servers.get(&spec.name);
    match (&observation.seen, locked) {
        (Err(problem), _) => ServerReport {
            error: Some(problem.clone()),
            ..ServerReport::new(spec.name.clone())
        },
        (Ok(Seen::Disabled), _) => ServerReport {
            disabled: true,
            ..ServerReport::new(spec.name.clone())
        },
        (Ok(Seen::NotStarted), _) => judge::launch_only(spec, locked),
        (Ok(Seen::Offered(offer)), Some(locked)) => {
            judge::compare(&spec.name, locked, &offer.catalogue, everything)
        }
        (Ok(Seen::Offered(offer)), None) => judge::unknown_server(spec, offer),
    }
}

/// Two existing files may also be the names of two servers: then the servers are meant.
fn are_servers(world: &World, args: &cli::Diff) -> bool {
    sources::find(world, &args.source, &args.connect, &args.names).is_ok()
}

/// Servers of the lockfile that no configuration names: they were not checked.
fn unconfigured(lockfile: &Lockfile, observations: &[Observation]) -> Vec<Warning> {
    lockfile
        .servers
        .keys()
        .filter(|name| observations.iter().all(|observation| observation.spec.name != **name))
        .map(|name| {
            Warning::new("server-gone", format!("the lockfile holds `{0}`, which no configuration names: it was not checked; `countersign prune {0}` drops it", name.as_str()))
                .at(name.as_str())
        })
        .collect()
}
