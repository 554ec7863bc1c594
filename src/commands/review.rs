//! `review`: what waits, from the newest stored snapshots. It contacts no server. On a terminal it asks about each entry
//! and writes the lockfile as somebody decides; elsewhere it prints and writes no lockfile.

mod decide;
mod held;
mod session;
mod terminal;
mod words;

use super::due::Due;
use super::record::Newest;
use super::select::{self, Candidates, Selection};
use super::world::World;
use super::{Output, full, judge, record, reported};
use crate::cli;
use crate::lockfile::Lockfile;
use crate::model::{Problem, ServerName};
use crate::policy;
use crate::render::{Format, What, group};
use crate::report::{Report, ServerReport};
use crate::store::{ShownServer, Store};
use crate::term;

/// What there is to review.
struct Review<'a> {
    world: &'a World,
    store: Store,
    lockfile: Lockfile,
    servers: Vec<Newest>,
}

/// A report of what was chosen, and of each of its servers what it was made from; `None` if there is no snapshot here.
struct Looked {
    report: Report,
    looks: Vec<Option<ShownServer>>,
}

pub(super) fn run(world: &World, args: &cli::Review) -> Result<Output, Problem> {
    let review = Review::look(world)?;
    let reports: Vec<ServerReport> = review
        .servers
        .iter()
        .map(|new| new.report.clone())
        .collect();
    let chosen = choose(&review.lockfile, &reports, &args.selectors)?;
    let Looked { mut report, looks } = review.report(&chosen, args.all)?;
    full::write(world, args.full.as_deref(), &report)?;
    let asks = term::is_interactive()
        && !world.in_ci()
        && !world.common.quiet
        && world.common.format == Format::Text;
    if asks {
        for server in &mut report.servers {
            server.groups = group::groups(&server.changes);
        }
        if let Some(end) = terminal::go(&review, &report, &looks, args)? {
            let after = Review::look(world)?;
            let left = after.report(&chosen, false)?.report;
            return Ok(terminal::leave(world, left, &end));
        }
    }
    for (server, look) in report.servers.iter().zip(&looks) {
        if let Some(look) = look {
            let waiting = server.changes.iter().filter(|c| c.acknowledged.is_none());
            let ids = waiting.map(|change| change.id.clone()).collect();
            record::mark_reviewed(world, &review.store, look, &server.name, ids)?;
        }
    }
    Ok(reported(world, report, What::Review { all: args.all }))
}

impl<'a> Review<'a> {
    /// The newest that is known here of each server.
    fn look(world: &'a World) -> Result<Self, Problem> {
        let lockfile = world.need_lockfile()?;
        let store = world.store()?;
        let twins = record::Twins::of(Some(&lockfile), &[]);
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
        Ok(Self {
            world,
            store,
            lockfile,
            servers,
        })
    }

    /// What was chosen of it; everything where nothing was.
    fn report(&self, chosen: &[Selection], all: bool) -> Result<Looked, Problem> {
        let twins = record::Twins::of(Some(&self.lockfile), &[]);
        let due = Due {
            world: self.world,
            store: &self.store,
            twins: &twins,
            deciding: &self.lockfile,
            own: &self.lockfile,
        };
        let mut report = Report {
            warnings: policy::lowered(&self.lockfile),
            ..Report::default()
        };
        let mut looks = Vec::new();
        for newest in &self.servers {
            let mut server = newest.report.clone();
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
            held::add(self.world, &self.store, &mut server)?;
            if let Some(locked) = self.lockfile.servers.get(&server.name).filter(|_| all) {
                server
                    .changes
                    .extend(judge::acknowledged(&server.name, locked, chosen));
            }
            report.servers.push(server);
            looks.push(newest.shown.clone());
        }
        Ok(Looked { report, looks })
    }
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
