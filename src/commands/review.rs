//! `review`: what waits, from the newest stored snapshots. It contacts no server and writes no lockfile.

use super::due::Due;
use super::select::{self, Candidates, Selection};
use super::world::World;
use super::{Output, full, judge, record, reported};
use crate::cli;
use crate::lockfile::Lockfile;
use crate::model::{Problem, ServerName};
use crate::policy;
use crate::render::What;
use crate::report::{Report, ServerReport};

pub(super) fn run(world: &World, args: &cli::Review) -> Result<Output, Problem> {
    let lockfile = world.need_lockfile()?;
    let store = world.store()?;
    let twins = record::Twins::of(Some(&lockfile), &[]);
    let due = Due {
        world,
        store: &store,
        twins: &twins,
        deciding: &lockfile,
        own: &lockfile,
    };
    let mut servers = Vec::new();
    for (name, locked) in &lockfile.servers {
        servers.push(record::newest(
            world, &store, &twins, &lockfile, name, locked,
        )?);
    }
    servers.extend(record::strangers(world, &store, &lockfile)?);
    if servers.is_empty() {
        return Err(Problem::new("usage", "the lockfile holds no server yet")
            .with_hint("countersign snapshot"));
    }
    let reports: Vec<ServerReport> = servers.iter().map(|newest| newest.report.clone()).collect();
    let chosen = choose(&lockfile, &reports, &args.selectors)?;
    let mut report = Report {
        warnings: policy::lowered(&lockfile),
        ..Report::default()
    };
    for (newest, mut server) in servers.iter().zip(reports) {
        let mut is_one_change = false;
        if !chosen.is_empty() {
            let mut of_this = chosen
                .iter()
                .filter(|selection| *selection.server() == server.name)
                .peekable();
            if of_this.peek().is_none() {
                continue;
            }
            // Who asks for one change wants that one, not what is odd about the whole.
            if of_this.all(|selection| !matches!(selection, Selection::Server(_))) {
                server.warnings.clear();
                is_one_change = true;
            }
            server.keep(|name, change| {
                chosen
                    .iter()
                    .any(|selection| selection.covers(name, change))
            });
        }
        if !is_one_change {
            let launch = newest.shown.as_ref().and_then(|shown| shown.launch.clone());
            due.add(&mut server, launch.as_ref())?;
        }
        if let Some(shown) = &newest.shown {
            record::mark_reviewed(world, &store, shown, &server)?;
        }
        if let Some(locked) = lockfile.servers.get(&server.name).filter(|_| args.all) {
            server
                .changes
                .extend(judge::acknowledged(&server.name, locked, &chosen));
        }
        report.servers.push(server);
    }
    full::write(world, args.full.as_deref(), &report)?;
    Ok(reported(world, report, What::Review { all: args.all }))
}

fn choose(
    lockfile: &Lockfile,
    reports: &[ServerReport],
    words: &[String],
) -> Result<Vec<Selection>, Problem> {
    let items = |name: &ServerName| {
        let locked = lockfile.servers.get(name);
        locked.map(|server| server.entries.keys().collect())
    };
    let candidates: Vec<Candidates<'_>> = reports
        .iter()
        .map(|report| Candidates {
            server: &report.name,
            items: items(&report.name).unwrap_or_default(),
            changes: &report.changes,
        })
        .collect();
    words
        .iter()
        .map(|word| select::find(word, &candidates))
        .collect()
}
