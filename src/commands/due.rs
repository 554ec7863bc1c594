//! Adds to a report of a server why a review of the whole is due.

use super::check::Observation;
use super::kept;
use super::record::{self, Twins};
use super::world::World;
use crate::lockfile::Lockfile;
use crate::model::{Launch, Problem, ServerName};
use crate::parallel;
use crate::policy::{self, Flag};
use crate::report::{self, ServerReport};
use crate::store::{Shown, ShownServer, Store, What};
use std::collections::{BTreeMap, BTreeSet};

/// What is due of one server.
pub(super) struct Found {
    due: Vec<report::Due>,
    fails: bool,
}

impl Found {
    /// Says so in its report.
    pub(super) fn tell(self, report: &mut ServerReport) {
        report.due = self.due;
        report.due_fails = self.fails;
    }
}

/// What is looked at for what is due.
pub(super) struct Due<'a> {
    /// Where and when.
    pub(super) world: &'a World,
    /// The data directory: it holds the flags.
    pub(super) store: &'a Store,
    /// Servers that are launched alike.
    pub(super) twins: &'a Twins,
    /// The lockfile whose policy decides.
    pub(super) deciding: &'a Lockfile,
    /// The lockfile that holds the reviews.
    pub(super) own: &'a Lockfile,
}

impl<'a> Due<'a> {
    /// For a lockfile that is judged by itself.
    pub(super) fn by(
        world: &'a World,
        store: &'a Store,
        twins: &'a Twins,
        lockfile: &'a Lockfile,
    ) -> Self {
        Self {
            world,
            store,
            twins,
            deciding: lockfile,
            own: lockfile,
        }
    }

    /// What is due of a server, whatever waits of it.
    pub(super) fn report(&self, name: &ServerName) -> Result<ServerReport, Problem> {
        let mut report = ServerReport::new(name.clone());
        self.add(&mut report, None)?;
        Ok(report)
    }

    /// Adds what is due of a server. `launch` is how it is launched now; one that is disabled is not in use.
    pub(super) fn add(
        &self,
        report: &mut ServerReport,
        launch: Option<&Launch>,
    ) -> Result<(), Problem> {
        if let Some(due) = self.of(report, launch, None)? {
            due.tell(report);
        }
        Ok(())
    }

    /// Notes what the reports show, once for all of them, and adds what is due. Answers with all that was last shown.
    pub(super) fn mark_and_add(
        &self,
        looks: BTreeMap<ServerName, ShownServer>,
        observations: &[Observation],
        reports: &mut [ServerReport],
    ) -> Option<Shown> {
        let looked_at: BTreeSet<ServerName> = looks.keys().cloned().collect();
        let shown = record::mark_all_shown(self.world, self.store, looks);
        let (shown, unmarked) = match shown {
            Ok(shown) => (Some(shown), None),
            Err(problem) => (None, Some(problem)),
        };
        let both: Vec<(&ServerReport, &Observation)> = reports.iter().zip(observations).collect();
        let found = parallel::map_large(&both, |(server, observation)| {
            self.of(server, observation.spec.launch.as_ref(), shown.as_ref())
        });
        for (server, found) in reports.iter_mut().zip(found) {
            let unmarked = unmarked
                .clone()
                .filter(|_| looked_at.contains(&server.name));
            let failed = match found {
                Ok(found) => {
                    if let Some(found) = found {
                        found.tell(server);
                    }
                    None
                }
                Err(problem) => Some(problem),
            };
            if let Some(problem) = unmarked.or(failed) {
                server.error.get_or_insert(problem);
            }
        }
        shown
    }

    /// What is due of a server, if its policy and its reviews say something of it. What was last shown is read where it
    /// is not known already.
    pub(super) fn of(
        &self,
        report: &ServerReport,
        launch: Option<&Launch>,
        shown: Option<&Shown>,
    ) -> Result<Option<Found>, Problem> {
        let Some(locked) = self
            .own
            .servers
            .get(&report.name)
            .filter(|_| !report.disabled)
        else {
            return Ok(None);
        };
        let settings = policy::of_server(self.deciding, &report.name);
        let flags = self.flags(&report.name, launch, shown)?;
        let today = self.world.today();
        let base = self.deciding.servers.get(&report.name);
        Ok(Some(Found {
            due: policy::due(settings, locked, base, &today, &flags, &report.changes),
            fails: settings.due_fails,
        }))
    }

    /// When the newest flag of a server was set, RFC 3339.
    pub(super) fn last_flag(&self, name: &ServerName) -> Result<Option<String>, Problem> {
        let flags = self.flags(name, None, None)?;
        Ok(flags.into_iter().map(|flag| flag.at).max())
    }

    /// The flags that this machine knows of a server, by the launch that it has now and the one that was accepted.
    fn flags(
        &self,
        name: &ServerName,
        launch: Option<&Launch>,
        shown: Option<&Shown>,
    ) -> Result<Vec<Flag>, Problem> {
        let (world, store) = (self.world, self.store);
        let now = self.twins.key(world, name, launch).folder_name();
        let own = Some(self.own);
        let mut all = match shown {
            Some(shown) => kept::kept_as_shown(world, store, self.twins, own, name, shown),
            None => kept::kept(world, store, self.twins, own, name)?,
        };
        all.extend(store.server_in(&now));
        all.sort_by(|a, b| a.folder().cmp(b.folder()));
        all.dedup_by(|a, b| a.folder() == b.folder());
        let mut flags = Vec::new();
        for kept in all {
            let flagged = kept.history()?.events.into_iter();
            flags.extend(flagged.filter_map(|event| match event.what {
                What::Flagged { reason, note } => Some(Flag {
                    at: event.at,
                    reason,
                    note,
                }),
                _ => None,
            }));
        }
        Ok(flags)
    }
}
