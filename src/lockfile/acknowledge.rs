//! Acknowledging one change: append the record, and move the baseline once enough people have.
//!
//! It binds the exact digests before and after. Nothing but the items of the change is touched, and nothing
//! at all if it is refused.

use super::{Acknowledgement, Entry, Review, Server};
use crate::catalogue::{Definition, Item};
use crate::fingerprint::Digest;
use crate::model::{ItemKey, Kind};
use crate::pair::Event;
use crate::report::{Change, Side};
use crate::text::reviewer::identity;
use std::collections::BTreeSet;

/// What an acknowledgement did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acknowledged {
    /// The baseline moved to what was shown.
    Accepted,
    /// The record stands; so many further names must acknowledge before the baseline moves.
    Awaiting(usize),
    /// The baseline has moved by this very change already, or the same person's record awaits others already.
    /// Nothing was written.
    Already,
}

/// Why a change cannot be acknowledged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AcknowledgeError {
    /// It starts from another state than the lockfile holds: what was looked at is not what waits.
    #[error(
        "the change of {} `{}` starts from {}, the lockfile holds {}",
        .key.kind.word(), .key.name.as_str(), shown(*.from), shown(*.baseline)
    )]
    Moved {
        /// The item. Its name is outside text.
        key: ItemKey,
        /// Where the change starts.
        from: Option<Digest>,
        /// What the lockfile holds.
        baseline: Option<Digest>,
    },
    /// The definition that was shown does not have the digest that was shown.
    #[error("the definition of {} `{}` does not have the digest {digest}", .key.kind.word(), .key.name.as_str())]
    OtherDigest {
        /// The item. Its name is outside text.
        key: ItemKey,
        /// The digest that was shown.
        digest: Digest,
    },
}

/// A state in words.
fn shown(state: Option<Digest>) -> String {
    state.map_or_else(|| "no such item".to_owned(), |digest| digest.to_string())
}

/// What a change means for one entry.
struct Step {
    key: ItemKey,
    from: Option<Digest>,
    to: Option<Item>,
}

impl Step {
    fn goal(&self) -> Option<Digest> {
        self.to.as_ref().map(|item| item.digest)
    }
}

impl Server {
    /// Records that `review.by` reviewed a change, and moves the baseline if as many different names as
    /// `reviewers` (at least one) have. A second time it changes nothing.
    pub fn acknowledge(
        &mut self,
        change: &Change,
        review: &Review,
        reviewers: usize,
    ) -> Result<Acknowledged, AcknowledgeError> {
        let steps = steps(change)?;
        if steps.iter().all(|step| self.holds(step, &change.id)) {
            return Ok(Acknowledged::Already);
        }
        for step in &steps {
            self.check(step, change)?;
        }
        let (mut added, mut names) = (false, usize::MAX);
        for step in &steps {
            let record = record(change, step, review);
            let (new, count) = self.append(&step.key, record);
            added |= new;
            names = names.min(count);
        }
        let wanted = reviewers.max(1);
        if names >= wanted {
            for step in steps {
                self.move_baseline(step);
            }
            Ok(Acknowledged::Accepted)
        } else if added {
            Ok(Acknowledged::Awaiting(wanted - names))
        } else {
            Ok(Acknowledged::Already)
        }
    }

    /// Whether the baseline stands where the step leads, by this very change.
    fn holds(&self, step: &Step, change: &str) -> bool {
        let entry = self.entries.get(&step.key);
        let led_here = || {
            entry
                .and_then(|entry| entry.complete().last())
                .is_some_and(|record| record.change == change)
        };
        entry.and_then(Entry::state) == step.goal() && (step.from == step.goal() || led_here())
    }

    fn check(&self, step: &Step, change: &Change) -> Result<(), AcknowledgeError> {
        let entry = self.entries.get(&step.key);
        let moved = |from, baseline| {
            let key = step.key.clone();
            Err(AcknowledgeError::Moved {
                key,
                from,
                baseline,
            })
        };
        let state = entry.and_then(Entry::state);
        if state != step.from {
            return moved(step.from, state);
        }
        // What returned was compared with the last definition that was accepted.
        let last = entry.map(|entry| entry.item.digest);
        let compared = change.before.as_ref().map(|side| side.digest);
        if change.event == Event::Returned && last != compared {
            return moved(compared, last);
        }
        Ok(())
    }

    /// Appends a record unless the same person's stands already. Returns whether it did, and how many different
    /// names acknowledge the step now. Records of another change that nobody completed are superseded.
    fn append(&mut self, key: &ItemKey, record: Acknowledgement) -> (bool, usize) {
        self.known.insert(key.kind);
        let (complete, records) = match self.entries.get_mut(key) {
            Some(entry) => (entry.complete().len(), &mut entry.acknowledgements),
            None => (0, self.awaiting.entry(key.clone()).or_default()),
        };
        let superseded = |last: &Acknowledgement| (last.from, last.to) != (record.from, record.to);
        if records[complete..].last().is_some_and(superseded) {
            records.truncate(complete);
        }
        let by = identity(&record.by);
        let added = records[complete..]
            .iter()
            .all(|known| identity(&known.by) != by);
        if added {
            records.push(record);
        }
        let names: BTreeSet<String> = records[complete..]
            .iter()
            .map(|r| identity(&r.by))
            .collect();
        (added, names.len())
    }

    fn move_baseline(&mut self, step: Step) {
        match (self.entries.get_mut(&step.key), step.to) {
            (Some(entry), Some(item)) => {
                entry.item = item;
                entry.removed = false;
            }
            (Some(entry), None) => entry.removed = true,
            (None, Some(item)) => {
                let acknowledgements = self.awaiting.remove(&step.key).unwrap_or_default();
                let entry = Entry {
                    acknowledgements,
                    ..Entry::first_sight(item)
                };
                self.entries.insert(step.key, entry);
            }
            (None, None) => {}
        }
    }
}

fn steps(change: &Change) -> Result<Vec<Step>, AcknowledgeError> {
    let before = change.before.as_ref().map(|side| side.digest);
    let after = change
        .after
        .as_ref()
        .map(|side| item(&change.key, side))
        .transpose()?;
    let mut steps = Vec::new();
    let from = match (&change.event, &change.former) {
        (Event::Renamed, Some(former)) => {
            steps.push(Step {
                key: former.clone(),
                from: before,
                to: None,
            });
            None
        }
        (Event::Added | Event::Returned, _) => None,
        _ => before,
    };
    steps.push(Step {
        key: change.key.clone(),
        from,
        to: after,
    });
    Ok(steps)
}

/// The item that one side of a change shows.
fn item(key: &ItemKey, side: &Side) -> Result<Item, AcknowledgeError> {
    let item = item_of(key.kind, &side.definition);
    if item.digest == side.digest {
        Ok(item)
    } else {
        Err(AcknowledgeError::OtherDigest {
            key: key.clone(),
            digest: side.digest,
        })
    }
}

fn item_of(kind: Kind, definition: &Definition) -> Item {
    match definition {
        Definition::Canonical(_) => Item::new(kind, definition.glance().into_owned()).put_away(),
        Definition::Raw { bytes, .. } => Item::raw(bytes.clone()),
    }
}

fn record(change: &Change, step: &Step, review: &Review) -> Acknowledgement {
    let rules: BTreeSet<&str> = change.reasons.iter().map(|reason| reason.rule).collect();
    Acknowledgement {
        change: change.id.clone(),
        from: step.from,
        to: step.goal(),
        level: change.level(),
        rules: rules.into_iter().map(str::to_owned).collect(),
        by: review.by.clone(),
        at: review.at.clone(),
        note: review.note.clone(),
    }
}
