//! What a branch did to the lockfile, judged by the lockfile that it started from (`diff --base`). Pure.
//!
//! Whatever the branch says of itself decides nothing: its records count where they lead from what the base accepted
//! to what is there now, by as many names and with the notes that the base's policy asks for.

mod cover;

use super::judge;
use crate::catalogue::Catalogue;
use crate::diff::Happened;
use crate::lockfile::{Entry, Lockfile, Server, Way};
use crate::model::{ItemKey, Kind, Level, Pointer, Problem, ServerName, ServerSpec, Warning, part};
use crate::pair::Event;
use crate::policy;
use crate::report::{Acknowledged, Change, Record, ServerReport};
use crate::rules::{self, Reason, ToolNames};

/// The lockfile that decides, and the one that the branch made of it.
pub(super) struct Branch<'a> {
    /// What was accepted where the branch started.
    pub(super) base: &'a Lockfile,
    /// The lockfile as it is now.
    pub(super) own: &'a Lockfile,
}

/// How much of what a branch drops a sentence names.
const NAMED: usize = 10;

/// What the base holds and the branch no longer speaks of: unknown is not unchanged, and the branch after this one
/// could fill it in as it likes.
fn dropped(name: &ServerName, base: &Server, own: &Server) -> Option<Problem> {
    let launch = (base.launch().is_some() && own.launch().is_none()).then_some("launch");
    let kinds = base.known.difference(&own.known);
    let kinds = kinds.map(|kind| kind.plural().to_owned());
    let is_known = |key: &ItemKey| own.known.contains(&key.kind) || key.kind == Kind::Server;
    // Whoever removes an item leaves it in the lockfile, marked; what is forgotten would be new to the next branch.
    let forgotten = base
        .entries
        .iter()
        .filter(|(key, entry)| !entry.removed && is_known(key) && !own.entries.contains_key(key))
        .filter(|(key, _)| **key != ItemKey::part(part::LAUNCH))
        .map(|(key, _)| format!("{} `{}`", key.kind.word(), key.name.as_str()));
    let launch = launch.map(str::to_owned);
    let mut gone: Vec<String> = launch.into_iter().chain(kinds).chain(forgotten).collect();
    if gone.len() > NAMED {
        let more = format!("and {} more", gone.len() - NAMED);
        gone.truncate(NAMED);
        gone.push(more);
    }
    (!gone.is_empty()).then(|| {
        let message = format!(
            "this branch takes out of the lockfile what the base holds of `{}`: {}",
            name.as_str(),
            gone.join(", ")
        );
        Problem::new("lockfile", message).with_hint("git checkout BASE -- LOCKFILE takes it back")
    })
}

impl Branch<'_> {
    /// Adds to what a server is beside the base what the branch has to say of it. `offered` is what the server
    /// offers, where that is known.
    pub(super) fn complete(
        &self,
        report: &mut ServerReport,
        offered: Option<&Catalogue>,
        everything: &ToolNames,
    ) {
        let name = report.name.clone();
        for change in &mut report.changes {
            self.settle(&name, change);
        }
        let Some(own) = self.own.servers.get(&name) else {
            return;
        };
        let by = policy::judging(self.base, &name);
        let held = self.base.servers.contains_key(&name);
        let mut branch = self.lockfile_alone(&name, everything);
        branch
            .changes
            .retain(|change| report.changes.iter().all(|known| known.id != change.id));
        let mut gap = Vec::new();
        if let Some(offered) = offered {
            // What the branch accepted and the server does not offer would wait once it is merged.
            let beside = judge::compare(&name, own, offered, everything, &by);
            let told = |change: &Change| {
                let told = report.changes.iter().flat_map(keys);
                keys(change).any(|key| told.clone().any(|known| known == key))
            };
            let moved = |change: &Change| {
                let moved = branch.changes.iter().flat_map(keys);
                keys(change).any(|key| moved.clone().any(|known| known == key))
            };
            gap = beside.changes;
            gap.retain(|change| !held || moved(change) && !told(change));
            if !held {
                report.unchanged = beside.unchanged;
            }
        }
        report.error = report.error.take().or(branch.error);
        report.changes.append(&mut branch.changes);
        report.changes.append(&mut gap);
        report.changes.sort_by(|a, b| a.key.cmp(&b.key));
        report.records = branch.records;
        for warning in branch.warnings {
            if !report.warnings.contains(&warning) {
                report.warnings.push(warning);
            }
        }
    }

    /// What the branch did to one server of the lockfile, whatever the server offers.
    pub(super) fn lockfile_alone(&self, name: &ServerName, everything: &ToolNames) -> ServerReport {
        let base = self.base.servers.get(name);
        let Some(own) = self.own.servers.get(name) else {
            return ServerReport::new(name.clone());
        };
        let current = own.catalogue();
        let mut report = match base {
            Some(base) => {
                let by = policy::judging(self.base, name);
                let mut report = judge::compare(name, base, &current, everything, &by);
                report.changes.extend(launch_entered(name, base, own));
                report
            }
            None => ServerReport {
                changes: vec![server_entered(name, own, &current)],
                warnings: judge::first_sight(name, &current, everything),
                ..ServerReport::new(name.clone())
            },
        };
        // The lockfile is not what a server does: what moved in it was accepted, and not let pass.
        report
            .warnings
            .retain(|warning| warning.rule != "unreviewed-change");
        for change in &mut report.changes {
            change.marked = false;
            if let Some(why) = self.settle(name, change) {
                report.warnings.push(why);
            }
        }
        report.error = base.and_then(|base| dropped(name, base, own));
        report.records = self.records(name, own, base);
        let void = report.records.iter().filter_map(void);
        report.warnings.extend(void);
        report
            .warnings
            .extend(cover::look_alikes(own, &report.records));
        report
            .warnings
            .extend(base.and_then(|base| cover::erased(base, own)));
        report
    }

    /// The same for those servers that fit and to which the branch did something.
    pub(super) fn rest(
        &self,
        fits: impl Fn(&ServerName) -> bool,
        everything: &ToolNames,
    ) -> Vec<ServerReport> {
        let names = self.own.servers.keys().filter(|name| fits(name));
        names
            .map(|name| self.lockfile_alone(name, everything))
            .filter(|report| {
                let is_told = |warning: &Warning| warning.rule == "records-erased";
                !report.changes.is_empty()
                    || !report.records.is_empty()
                    || report.error.is_some()
                    || report.warnings.iter().any(is_told)
            })
            .collect()
    }

    /// Whether a server may be started: the base knows its launch. What only the branch knows is started if the user
    /// says so.
    pub(super) fn may_start(&self, spec: &ServerSpec, start_changed: bool) -> bool {
        let asked = start_changed && self.own.servers.contains_key(&spec.name);
        asked || judge::may_start(self.base, spec, start_changed)
    }

    /// What the branch says of the lockfile as a whole: what it dropped, and that it edits a policy.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let edited = |of: &str| {
            let message =
                format!("this branch edits the policy {of}; the one of the base decides here");
            Warning::new("policy-edited", message)
        };
        if self.base.policy != self.own.policy {
            warnings.push(edited("of every server"));
        }
        for (name, base) in &self.base.servers {
            let shown = name.as_str();
            match self.own.servers.get(name) {
                None => warnings.push(
                    Warning::new(
                        "server-dropped",
                        format!("this branch drops `{shown}` from the lockfile"),
                    )
                    .at(shown),
                ),
                Some(own) => {
                    if own.policy != base.policy {
                        warnings.push(edited(&format!("of `{shown}`")).at(shown));
                    }
                    if own.since != base.since {
                        let message = format!(
                            "this branch edits `since` of `{shown}`: {}, where the base holds {}; that of the base decides when a review is due",
                            own.since, base.since
                        );
                        warnings.push(Warning::new("since-edited", message).at(shown));
                    }
                }
            }
        }
        let new = self.own.servers.iter();
        let new = new
            .filter(|(name, own)| !self.base.servers.contains_key(name) && !own.policy.is_empty());
        warnings.extend(new.map(|(name, _)| {
            let shown = name.as_str();
            edited(&format!("of `{shown}`")).at(shown)
        }));
        warnings
    }

    /// Says who answers for a change, if it is one that the branch made. Otherwise why nobody does, where the branch
    /// moved the baseline there.
    fn settle(&self, name: &ServerName, change: &mut Change) -> Option<Warning> {
        let own = self.own.servers.get(name)?;
        let arrives = |key: &ItemKey, goes: bool| {
            let state = own.entries.get(key).and_then(Entry::state);
            state
                == change
                    .after
                    .as_ref()
                    .filter(|_| !goes)
                    .map(|side| side.digest)
        };
        let former = change.former.as_ref();
        if !arrives(&change.key, false) || former.is_some_and(|key| !arrives(key, true)) {
            return None;
        }
        if self.is_taken_in(name, own, change) {
            for reason in &mut change.reasons {
                reason.level = Level::Minor;
                reason
                    .message
                    .push_str("; the policy of the base takes new items in");
            }
            return None;
        }
        let covered: Result<Vec<Vec<Acknowledged>>, String> = keys(change)
            .map(|key| self.covers(name, own, key))
            .collect();
        match covered {
            Ok(by) => {
                let mut all: Vec<Acknowledged> = Vec::new();
                for by in by.into_iter().flatten() {
                    if !all.contains(&by) {
                        all.push(by);
                    }
                }
                change.acknowledged = Some(all);
                None
            }
            Err(why) => {
                // A baseline that moves is no drift that passes.
                change.marked = false;
                let key = &change.key;
                let item = match change.event {
                    Event::Added if key.name.as_str() == part::LAUNCH => {
                        format!("server `{}`", name.as_str())
                    }
                    _ => format!("{} `{}`", key.kind.word(), key.name.as_str()),
                };
                let message = format!("the baseline of {item} is another in this branch: {why}");
                Some(Warning::new("baseline-moved", message).at(key.name.as_str()))
            }
        }
    }

    /// Whether the base's policy lets a new item become baseline, and the branch did that.
    fn is_taken_in(&self, name: &ServerName, own: &Server, change: &Change) -> bool {
        let key = &change.key;
        change.event == Event::Added
            && key.kind != Kind::Server
            && matches!(own.way(key, self.base.servers.get(name)), Way::Entered(runs) if runs.is_empty())
            && policy::of(self.base, name, key).new_items_become_baseline
    }
}

/// Both names of a change.
fn keys(change: &Change) -> impl Iterator<Item = &ItemKey> + Clone {
    std::iter::once(&change.key).chain(&change.former)
}

fn void(record: &Record) -> Option<Warning> {
    let why = record.void.as_ref()?;
    let of = match &record.key {
        Some(key) => format!("of {} `{}`", key.kind.word(), key.name.as_str()),
        None => "of the server".to_owned(),
    };
    let message = format!(
        "the record {of} by `{}` does not count: {why}",
        record.by.by
    );
    let warning = Warning::new("record-void", message);
    Some(match &record.key {
        Some(key) => warning.at(key.name.as_str()),
        None => warning,
    })
}

/// A server that came into the lockfile in this branch.
fn server_entered(name: &ServerName, own: &Server, current: &Catalogue) -> Change {
    let launch = own.entries.get(&ItemKey::part(part::LAUNCH));
    let offers = judge::offered(current);
    let seen = format!("it entered the lockfile in this branch, with {offers}");
    judge::server_added(name, launch.map(|entry| &entry.item), &seen)
}

/// A launch that came to a baseline made from a file: it decides what may be started.
fn launch_entered(name: &ServerName, base: &Server, own: &Server) -> Option<Change> {
    let key = ItemKey::part(part::LAUNCH);
    if base.entries.contains_key(&key) {
        return None;
    }
    let launch = &own.entries.get(&key)?.item;
    let mut change = judge::server_added(name, Some(launch), "");
    let rule = &rules::SERVER_ADDED;
    change.reasons = vec![Reason {
        rule: rule.id,
        level: rule.level,
        path: Pointer::root(),
        was: None,
        message: "its launch entered the lockfile in this branch: the base knows none".to_owned(),
        happened: Happened::Added,
    }];
    Some(change)
}
