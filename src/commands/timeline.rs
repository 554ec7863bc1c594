//! The past of a server as a timeline: what this machine observed, and what the lockfile's records tell.

use super::kept;
use super::world::World;
use crate::lockfile::{self, Acknowledgement, Lockfile};
use crate::model::{ItemKey, Level, Problem, ServerName};
use crate::pair;
use crate::report::{Happening, Moment, Step};
use crate::store::{Event, Observed, Store, What};
use std::collections::BTreeSet;
use std::time::Duration;

/// What is known of a server's past, oldest first.
pub(super) fn of(
    world: &World,
    store: &Store,
    lockfile: Option<&Lockfile>,
    name: &ServerName,
) -> Result<Vec<Moment>, Problem> {
    let locked = lockfile.and_then(|lockfile| lockfile.servers.get(name));
    let mut moments: Vec<Moment> = locked.map(accepted).into_iter().collect();
    for history in kept::histories(world, store, lockfile, name)? {
        moments.extend(history.events.into_iter().map(observed));
    }
    // In one second something is seen before it is acknowledged.
    moments.extend(locked.map(recorded).into_iter().flatten());
    moments.sort_by(|a, b| a.at.cmp(&b.at));
    Ok(moments)
}

fn observed(event: Event) -> Moment {
    let what = match event.what {
        What::FirstSight { items, .. } => Happening::FirstSight(items.len()),
        What::Change {
            changes,
            items,
            announced,
            delay,
            ..
        } => Happening::Changed {
            steps: changes.into_iter().map(step).collect(),
            new: items,
            announced,
            delay: delay.map(Duration::from_millis),
        },
        What::Unreachable { message, .. } => Happening::Unreachable(message),
        What::Reachable => Happening::Reachable,
        What::Enabled => Happening::Enabled,
        What::Disabled => Happening::Disabled,
        What::Flagged { reason, note } => Happening::Flagged { reason, note },
    };
    Moment { at: event.at, what }
}

fn step(observed: Observed) -> Step {
    let levels = observed.reasons.iter().map(|reason| reason.level);
    let level = levels.max().unwrap_or(Level::Material);
    let rules: BTreeSet<String> = observed.reasons.into_iter().map(|r| r.rule).collect();
    Step {
        id: observed.id,
        key: observed.key,
        event: observed.event,
        level,
        rules: rules.into_iter().collect(),
    }
}

/// When the lockfile took a server in.
fn accepted(locked: &lockfile::Server) -> Moment {
    Moment {
        at: locked.since.clone(),
        what: Happening::Accepted,
    }
}

/// What the lockfile's records tell of a server.
pub(super) fn recorded(locked: &lockfile::Server) -> Vec<Moment> {
    let reviewed = locked.reviewed.iter().map(|review| Moment {
        at: review.at.clone(),
        what: Happening::Reviewed {
            by: review.by.clone(),
            note: review.note.clone(),
        },
    });
    let accepted = locked
        .entries
        .iter()
        .map(|(key, entry)| (key, &entry.acknowledgements));
    // In one second the whole is reviewed after its changes.
    let mut moments: Vec<Moment> = accepted
        .chain(&locked.awaiting)
        .flat_map(|(key, records)| records.iter().map(move |record| acknowledged(key, record)))
        .collect();
    moments.extend(reviewed);
    moments
}

fn acknowledged(key: &ItemKey, record: &Acknowledgement) -> Moment {
    let event = match (record.from, record.to) {
        (None, _) => pair::Event::Added,
        (_, None) => pair::Event::Removed,
        _ => pair::Event::Changed,
    };
    let step = Step {
        id: record.change.clone(),
        key: key.clone(),
        event,
        level: record.level,
        rules: record.rules.clone(),
    };
    Moment {
        at: record.at.clone(),
        what: Happening::Acknowledged {
            step,
            by: record.by.clone(),
            note: record.note.clone(),
        },
    }
}
