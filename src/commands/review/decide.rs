//! What a decision writes, at once: under the lockfile's lock and into what the lockfile holds by then, so that nobody
//! else's record is lost. A change that is no longer what was shown is refused, and then nothing is written.

use super::session::At;
use super::{Review, World};
use crate::commands::policy::selector;
use crate::commands::{ack, git, record, world};
use crate::lockfile::{self, Edit, Owner};
use crate::model::{Kind, Problem, ServerName, part};
use crate::render::{self, escape};
use crate::report::{Change, Report};
use crate::store::{Guard, ShownServer};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Why nothing was written.
pub(super) enum Refused {
    /// This decision cannot be recorded; others can.
    Decision(Problem),
    /// What is on the screen is no longer the newest: nothing more is decided.
    Outdated(Problem),
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Self::Decision(problem)
    }
}

/// Whoever decides, and about what.
pub(super) struct Decider<'a> {
    review: &'a Review<'a>,
    report: &'a Report,
    looks: &'a [Option<ShownServer>],
    /// As the command line names them; else git does, once somebody acknowledges.
    by: Option<&'a str>,
}

impl<'a> Decider<'a> {
    pub(super) fn new(
        review: &'a Review<'a>,
        report: &'a Report,
        looks: &'a [Option<ShownServer>],
        by: Option<&'a str>,
    ) -> Self {
        let by = by.map(str::trim).filter(|by| !by.is_empty());
        Self {
            review,
            report,
            looks,
            by,
        }
    }

    fn world(&self) -> &World {
        self.review.world
    }

    fn at(&self, (server, change): At) -> (&'a ServerName, &'a Change) {
        let server = &self.report.servers[server];
        (&server.name, &server.changes[change])
    }

    /// Says that these changes of a server were shown whole: from now on `ack` acknowledges them too.
    pub(super) fn mark_seen(&self, server: usize, seen: &BTreeSet<At>) -> Result<(), Problem> {
        let Some(look) = &self.looks[server] else {
            return Ok(());
        };
        let of_it = seen.iter().filter(|(of, _)| *of == server);
        let ids = of_it.map(|at| self.at(*at).1.id.clone()).collect();
        let name = &self.report.servers[server].name;
        record::mark_reviewed(self.world(), &self.review.store, look, name, ids)
    }

    /// Refuses if a server was looked at again since this review began.
    pub(super) fn check_newest(&self, servers: &BTreeSet<usize>) -> Result<(), Refused> {
        for server in servers {
            let Some(look) = &self.looks[*server] else {
                continue;
            };
            let name = &self.report.servers[*server].name;
            let outdated = record::outdated(self.world(), &self.review.store, name, look)?;
            outdated.map_or(Ok(()), |problem| Err(Refused::Outdated(problem)))?;
        }
        Ok(())
    }

    /// Everything that the lockfile holds of a server by now, for whoever reviews the whole.
    pub(super) fn accepted(&self, server: usize) -> Result<String, Problem> {
        let name = &self.report.servers[server].name;
        let lockfile = self.world().need_lockfile()?;
        let held = lockfile.servers.get(name);
        Ok(held.map_or_else(String::new, |held| {
            render::accepted(name.as_str(), &held.catalogue())
        }))
    }

    fn by(&self) -> Result<String, Problem> {
        self.by
            .map_or_else(|| git::identity(&self.world().cwd), |by| Ok(by.to_owned()))
    }

    /// Keeps others from writing the lockfile meanwhile.
    fn lock(&self) -> Result<Guard, Problem> {
        Ok(self.review.store.lock_lockfile(&self.world().lock)?)
    }

    /// Records that a server as a whole was reviewed. Answers with a line.
    pub(super) fn review(&self, server: usize, note: &str) -> Result<String, Refused> {
        let by = self.by()?;
        let world = self.world();
        let _guard = self.lock()?;
        self.check_newest(&[server].into())?;
        let mut lockfile = world.need_lockfile()?;
        let name = &self.report.servers[server].name;
        let review = lockfile::Review {
            by,
            at: world::this_moment(),
            note: note.to_owned(),
            first_sight: None,
        };
        let is_new = ack::review_whole(world, &self.review.store, &mut lockfile, name, &review)?;
        if is_new {
            world.write_lockfile(&lockfile)?;
        }
        Ok(ack::review_line(name, is_new))
    }

    /// Records changes, each with its note; all of them or none. Answers with a line for each.
    pub(super) fn record(&self, records: &[(At, String)]) -> Result<String, Refused> {
        let by = self.by()?;
        let world = self.world();
        let _guard = self.lock()?;
        self.check_newest(&records.iter().map(|((server, _), _)| *server).collect())?;
        let mut lockfile = world.need_lockfile()?;
        let mut lines = String::new();
        for (at, note) in records {
            let (name, change) = self.at(*at);
            let review = lockfile::Review {
                by: by.clone(),
                at: world::this_moment(),
                note: note.clone(),
                first_sight: None,
            };
            let done = ack::acknowledge(&mut lockfile, name, change, &review)?;
            lines += &ack::done_line(&done);
        }
        world.write_lockfile(&lockfile)?;
        Ok(lines)
    }

    /// Blocks the items of these changes: `rule` of their policy. Answers with a line for each.
    pub(super) fn block(&self, changes: &BTreeSet<At>) -> Result<String, Refused> {
        let owners = changes.iter().map(|at| {
            let (name, change) = self.at(*at);
            owner(name, change)
        });
        self.block_all(&owners.collect::<Vec<_>>())
    }

    /// Blocks a server as a whole. Answers with a line.
    pub(super) fn block_server(&self, server: usize) -> Result<String, Refused> {
        let name = self.report.servers[server].name.clone();
        self.block_all(&[Owner::Server(name)])
    }

    fn block_all(&self, owners: &[Owner]) -> Result<String, Refused> {
        let world = self.world();
        let _guard = self.lock()?;
        let mut lockfile = world.need_lockfile()?;
        let usage = |message: String| Problem::new("usage", message);
        let edit = Edit::parse("rule=block").map_err(usage)?;
        let mut lines = String::new();
        for owner in owners {
            let (Owner::Server(name) | Owner::Item(name, _)) = owner else {
                continue;
            };
            if !lockfile.servers.contains_key(name) {
                return Err(ack::unknown(name).into());
            }
            lockfile
                .set_policy(owner, std::slice::from_ref(&edit))
                .map_err(usage)?;
            let of = escape::line(&selector(owner));
            // Writing to a string cannot fail.
            let _ = writeln!(lines, "blocked  {of}");
        }
        world.write_lockfile(&lockfile)?;
        Ok(lines)
    }
}

/// Whose rule withholds a changed item. A launch is that of the whole server.
fn owner(name: &ServerName, change: &Change) -> Owner {
    if change.key.kind == Kind::Server && change.key.name.as_str() == part::LAUNCH {
        Owner::Server(name.clone())
    } else {
        Owner::Item(name.clone(), change.key.clone())
    }
}
