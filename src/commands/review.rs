//! `review`: what waits, from the newest stored snapshots. It contacts no server and writes no lockfile.

use super::select::{self, Candidates, Selection};
use super::world::World;
use super::{Output, judge, record, reported};
use crate::cli;
use crate::lockfile::Lockfile;
use crate::model::{Problem, ServerName};
use crate::policy;
use crate::render::What;
use crate::report::{Report, ServerReport};

pub(super) fn run(world: &World, args: &cli::Review) -> Result<Output, Problem> {
    let lockfile = world.need_lockfile()?;
    let store = world.store()?;
    let mut servers = Vec::new();
    for (name, locked) in &lockfile.servers {
        servers.push(record::newest(world, &store, &lockfile, name, locked)?);
    }
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
        if !chosen.is_empty() {
            if !chosen
                .iter()
                .any(|selection| *selection.server() == server.name)
            {
                continue;
            }
            server.keep(|name, change| {
                chosen
                    .iter()
                    .any(|selection| selection.covers(name, change))
            });
        }
        if let Some(shown) = &newest.shown {
            record::mark_shown(world, &store, &server.name, shown)?;
        }
        if args.all {
            let locked = &lockfile.servers[&server.name];
            server
                .changes
                .extend(judge::acknowledged(&server.name, locked, &chosen));
        }
        report.servers.push(server);
    }
    Ok(reported(world, report, What::Review { all: args.all }))
}

fn choose(
    lockfile: &Lockfile,
    reports: &[ServerReport],
    words: &[String],
) -> Result<Vec<Selection>, Problem> {
    let of = |name: &ServerName| reports.iter().find(|report| report.name == *name);
    let candidates: Vec<Candidates<'_>> = lockfile
        .servers
        .iter()
        .map(|(name, server)| Candidates {
            server: name,
            items: server.entries.keys().collect(),
            changes: of(name).map_or(&[], |report| &report.changes),
        })
        .collect();
    words
        .iter()
        .map(|word| select::find(word, &candidates))
        .collect()
}
