//! Who answers for what a branch did, by the policy of its base; and which of its records count.

use super::Branch;
use crate::lockfile::{Acknowledgement, Server, Way};
use crate::model::{ItemKey, ServerName, Warning, part};
use crate::policy::{self, Settings};
use crate::report::{Acknowledged, Record};
use crate::text::reviewer::{identity, look_alike};
use std::collections::BTreeSet;

/// How many erased records a sentence names.
const NAMED: usize = 3;

/// Who answers for a step, or why nobody does.
type Covered = Result<Vec<Acknowledged>, String>;

impl Branch<'_> {
    /// Who answers for what the branch did to an item, by the base's policy.
    pub(super) fn covers(&self, name: &ServerName, own: &Server, key: &ItemKey) -> Covered {
        let base = self.base.servers.get(name);
        let settings = policy::of(self.base, name, key);
        if base.is_none() && *key == ItemKey::part(part::LAUNCH) {
            return self.covers_server(name, own);
        }
        match own.way(key, base) {
            Way::Recorded(runs) if runs.is_empty() => Err("no record says so".to_owned()),
            Way::Recorded(runs) => by_enough(&runs, &settings),
            Way::Entered(runs) => {
                let mut by = self.reviewed(name, own, &settings)?;
                by.extend(by_enough(&runs, &settings)?);
                Ok(by)
            }
            Way::Unrecorded => Err("no record leads there from what the base accepted".to_owned()),
        }
    }

    /// Who answers for a server that the base does not hold: for its first sight, and each later step.
    fn covers_server(&self, name: &ServerName, own: &Server) -> Covered {
        let mut by = Vec::new();
        for key in own.entries.keys() {
            let settings = policy::of(self.base, name, key);
            let (runs, entered) = match own.way(key, None) {
                Way::Recorded(runs) => (runs, false),
                Way::Entered(runs) => (runs, true),
                Way::Unrecorded => continue,
            };
            if entered {
                by = self.reviewed(name, own, &settings)?;
            }
            by_enough(&runs, &settings)
                .map_err(|why| format!("{} `{}`: {why}", key.kind.word(), key.name.as_str()))?;
        }
        if by.is_empty() {
            // Without any item of a first sight, the look at the server itself remains.
            let launch = ItemKey::part(part::LAUNCH);
            by = self.reviewed(name, own, &policy::of(self.base, name, &launch))?;
        }
        Ok(by)
    }

    /// Who looked, in this branch, at everything that entered without a record.
    fn reviewed(&self, name: &ServerName, own: &Server, settings: &Settings) -> Covered {
        let reviews = own.new_reviews(self.base.servers.get(name));
        let seen = own.first_sight_digest();
        let fitting: Vec<_> = reviews
            .iter()
            .filter(|review| review.first_sight == seen)
            .filter(|review| !settings.require_note || !review.note.trim().is_empty())
            .collect();
        let names: BTreeSet<String> = fitting.iter().map(|review| identity(&review.by)).collect();
        let ack = format!("`countersign ack {}` records a review", name.as_str());
        if reviews.is_empty() {
            Err(format!("it entered without a record; {ack}"))
        } else if names.len() >= settings.reviewers {
            Ok(fitting
                .into_iter()
                .map(|review| Acknowledged::from(*review))
                .collect())
        } else if reviews.iter().all(|review| review.first_sight != seen) {
            Err(format!(
                "what entered without a record is not what was reviewed; {ack}"
            ))
        } else {
            Err(format!("{}; {ack}", wanted(names.len(), settings)))
        }
    }

    /// The records and reviews that the base does not hold.
    pub(super) fn records(
        &self,
        name: &ServerName,
        own: &Server,
        base: Option<&Server>,
    ) -> Vec<Record> {
        let acknowledged = own.records_since(base).into_iter().map(|(key, record)| {
            let awaited = own.awaited(key).contains(record);
            let void = match own.way(key, base) {
                _ if awaited => Some("another reviewer is awaited".to_owned()),
                Way::Unrecorded => Some("it does not start from what the base accepted".to_owned()),
                Way::Recorded(runs) | Way::Entered(runs) => {
                    let settings = policy::of(self.base, name, key);
                    let run = runs.into_iter().find(|run| run.contains(record));
                    run.and_then(|run| by_enough(&[run], &settings).err())
                }
            };
            Record {
                key: Some(key.clone()),
                change: Some(record.change.clone()),
                level: Some(record.level),
                by: Acknowledged::from(record),
                void,
            }
        });
        let void = own.void_reviews(base);
        let reviewed = own.new_reviews(base).into_iter().map(|review| Record {
            key: None,
            change: None,
            level: None,
            by: Acknowledged::from(review),
            void: void
                .contains(&review)
                .then(|| "something entered without a record since".to_owned()),
        });
        acknowledged.chain(reviewed).collect()
    }
}

/// Names of a branch's records that look like another name of the lockfile: whoever counts reviewers may be deceived.
pub(super) fn look_alikes(own: &Server, records: &[Record]) -> Vec<Warning> {
    let mut names: BTreeSet<&str> = own.names().collect();
    names.extend(records.iter().map(|record| record.by.by.as_str()));
    let new: BTreeSet<&str> = records.iter().map(|record| record.by.by.as_str()).collect();
    let pairs = new
        .iter()
        .flat_map(|new| names.iter().map(move |name| (*new, *name)));
    let alike = pairs.filter(|(new, name)| look_alike(new, name));
    alike
        .map(|(new, name)| {
            let message = format!(
                "the reviewer `{new}` of this branch looks like `{name}`, and is another name"
            );
            Warning::new("look-alike-reviewer", message)
        })
        .collect()
}

/// The records that the base holds and the branch no longer does. What a prune drops went with its item.
pub(super) fn erased(base: &Server, own: &Server) -> Option<Warning> {
    let is_pruned = |key: &ItemKey| {
        let was = base.entries.get(key);
        was.is_some_and(|entry| entry.removed) && !own.entries.contains_key(key)
    };
    let gone = base.records_since(Some(own)).into_iter();
    let gone = gone.filter(|(key, record)| !is_pruned(key) && !base.awaited(key).contains(record));
    let gone = gone.map(|(key, record)| {
        let (kind, name) = (key.kind.word(), key.name.as_str());
        (format!("of {kind} `{name}`"), &record.by, &record.at)
    });
    let reviews = base.new_reviews(Some(own)).into_iter();
    let reviews = reviews.map(|review| ("of the server".to_owned(), &review.by, &review.at));
    let told: Vec<String> = gone
        .chain(reviews)
        .map(|(of, by, at)| format!("{of} by `{by}` on {}", at.get(..10).unwrap_or(at)))
        .collect();
    let count = told.len();
    let (records, more) = match count {
        0 => return None,
        1 => ("a record".to_owned(), String::new()),
        _ if count <= NAMED => (format!("{count} records"), String::new()),
        _ => (
            format!("{count} records"),
            format!(", and {} more", count - NAMED),
        ),
    };
    let some = told.into_iter().take(NAMED).collect::<Vec<_>>().join(", ");
    let message = format!("this branch takes {records} out of the lockfile: {some}{more}");
    Some(Warning::new("records-erased", message))
}

/// Whether every step was reviewed by as many names as are asked for, with notes where they are.
fn by_enough(runs: &[&[Acknowledgement]], settings: &Settings) -> Covered {
    let mut by = Vec::new();
    for run in runs {
        let counting = run
            .iter()
            .filter(|record| !settings.require_note || !record.note.trim().is_empty());
        let names: BTreeSet<String> = counting.map(|record| identity(&record.by)).collect();
        if names.len() < settings.reviewers {
            return Err(wanted(names.len(), settings));
        }
        by.extend(run.iter().map(Acknowledged::from));
    }
    Ok(by)
}

fn wanted(names: usize, settings: &Settings) -> String {
    let note = if settings.require_note {
        " with a note"
    } else {
        ""
    };
    match settings.reviewers {
        1 => format!("the policy of the base asks for a review{note}"),
        more => {
            format!("the policy of the base asks for {more} reviewers{note}, and there is {names}")
        }
    }
}
