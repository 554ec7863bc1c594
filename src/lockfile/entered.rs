//! What came into a baseline without a record: at first sight nobody is asked.
//!
//! A review of the server as a whole says by a digest which of it was there to be looked at, so that what enters
//! later is not taken for reviewed.

use super::{Acknowledgement, Entry, Review, Server, chain};
use crate::fingerprint::Digest;
use crate::model::ItemKey;
use std::collections::BTreeSet;

/// How the baseline of an item came to where it stands, from where an older account holds it (`--base`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way<'a> {
    /// By these steps, each with the records of all who reviewed it; by none if it did not move.
    Recorded(Vec<&'a [Acknowledgement]>),
    /// The older account holds no such item, and it came in without a record; then by these steps.
    Entered(Vec<&'a [Acknowledgement]>),
    /// No record leads from there to here.
    Unrecorded,
}

impl Entry {
    /// The definition that became the baseline without a record; `None` if a record brought the item in.
    pub fn first_sight_of(&self) -> Option<Digest> {
        match self.acknowledgements.first() {
            Some(record) => record.from,
            None => self.state(),
        }
    }
}

impl Server {
    /// A digest over the items that became baseline without a record, each by its first definition; `None` if
    /// there is none. Acknowledging what became of one of them does not alter it.
    pub fn first_sight_digest(&self) -> Option<Digest> {
        let lines: Vec<String> = self
            .entries
            .iter()
            .filter_map(|(key, entry)| Some(line(key, entry.first_sight_of()?)))
            .collect();
        (!lines.is_empty()).then(|| Digest::of(&lines.concat()))
    }

    /// How an item came from where an older account of the server holds it to where it stands here.
    pub fn way<'a>(&'a self, key: &ItemKey, base: Option<&Self>) -> Way<'a> {
        let from = base
            .and_then(|base| base.entries.get(key))
            .and_then(Entry::state);
        let Some(entry) = self.entries.get(key) else {
            return match from {
                None => Way::Recorded(Vec::new()),
                Some(_) => Way::Unrecorded,
            };
        };
        let complete = entry.complete();
        let known = |record: &&Acknowledgement| {
            base.is_some_and(|base| base.of_item(key).any(|old| old == *record))
        };
        // What follows a record of the branch is of the branch, even where it says what was said before. Of a step
        // that awaited another reviewer every record counts.
        let first_new = complete.iter().take_while(known).count();
        let new = match complete.get(first_new) {
            Some(_) => &complete[chain::run_start(&complete[..=first_new])..],
            None => &[],
        };
        let runs: Vec<_> = new
            .chunk_by(|a, b| (a.from, a.to) == (b.from, b.to))
            .collect();
        let start = new.first().map_or(entry.state(), |record| record.from);
        let is_whole = new.len() == complete.len();
        if start == from {
            Way::Recorded(runs)
        } else if from.is_none() && is_whole {
            Way::Entered(runs)
        } else {
            Way::Unrecorded
        }
    }

    /// The reviews of the server as a whole that an older account does not hold.
    pub fn new_reviews(&self, base: Option<&Self>) -> Vec<&Review> {
        let known: BTreeSet<_> = base
            .iter()
            .flat_map(|base| &base.reviewed)
            .map(parts)
            .collect();
        self.reviewed
            .iter()
            .filter(|review| !known.contains(&parts(review)))
            .collect()
    }

    /// Those of them that do not count: something entered without a record since, or nobody looked at all of it.
    pub fn void_reviews(&self, base: Option<&Self>) -> Vec<&Review> {
        let mut new = self.new_reviews(base);
        if !new.is_empty() {
            let seen = self.first_sight_digest();
            new.retain(|review| review.first_sight != seen);
        }
        new
    }
}

fn parts(review: &Review) -> (&str, &str, &str, Option<String>) {
    let first_sight = review.first_sight.map(|digest| digest.to_string());
    (&review.by, &review.at, &review.note, first_sight)
}

/// Lengths keep parts apart whatever they hold.
fn line(key: &ItemKey, digest: Digest) -> String {
    let name = key.name.as_str();
    format!("{} {}:{name} {digest}\n", key.kind.word(), name.len())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{by, change, key, reworded, server, through_the_file, tool};
    use super::*;
    use crate::pair::Event;

    #[test]
    fn what_a_branch_acknowledged_is_told_from_what_its_base_holds() {
        let base = server();
        let mut branch = base.clone();
        for words in ["two", "three"] {
            let change = reworded(&branch, "a", words);
            for name in ["ann", "ben"] {
                branch.acknowledge(&change, &by(name), 2).expect("a record");
            }
        }
        let steps = |own: &Server, base: &Server| match own.way(&key("a"), Some(base)) {
            Way::Recorded(runs) => Some(runs.iter().map(|run| run.len()).collect::<Vec<_>>()),
            _ => None,
        };
        assert_eq!(steps(&branch, &base), Some(vec![2, 2]));
        assert_eq!(steps(&branch, &branch), Some(vec![]));
        // Taking a record back moves the baseline, and nothing says so.
        assert_eq!(steps(&base, &branch), None);
        assert_eq!(branch.records_since(Some(&base)).len(), 4);
        assert_eq!(branch.records_since(Some(&branch)), []);
    }

    #[test]
    fn an_older_record_of_the_same_step_covers_no_new_one() {
        let mut base = server();
        let old = base.entries[&key("a")].item.clone();
        for after in [tool("a", "two"), old.clone()] {
            let before = base.entries[&key("a")].item.clone();
            let back = change(Event::Changed, &key("a"), None, Some(&before), Some(&after));
            base.acknowledge(&back, &by("ann"), 1).expect("accepted");
        }
        // As a hand would edit it: the baseline of the records that the base holds already.
        let mut branch = base.clone();
        let entry = branch.entries.get_mut(&key("a")).expect("the tool");
        entry.item = tool("a", "two");
        entry.acknowledgements.truncate(1);
        assert_eq!(branch.way(&key("a"), Some(&base)), Way::Unrecorded);
    }

    #[test]
    fn a_reviewer_whom_the_base_holds_waiting_counts_with_the_next() {
        let mut base = server();
        let change = reworded(&base, "a", "two");
        base.acknowledge(&change, &by("ann"), 2).expect("a record");
        let mut branch = base.clone();
        branch
            .acknowledge(&change, &by("ben"), 2)
            .expect("a record");
        let Way::Recorded(runs) = branch.way(&key("a"), Some(&base)) else {
            panic!("recorded");
        };
        assert_eq!(runs.iter().map(|run| run.len()).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn a_review_says_what_stood_there_without_a_record() {
        let mut lock = server();
        assert!(lock.review(by("ann"), false) && !lock.review(by("ann"), false));
        let seen = lock.reviewed[0].first_sight;
        assert!(seen.is_some());
        let change = reworded(&lock, "a", "two");
        lock.acknowledge(&change, &by("ann"), 1).expect("accepted");
        assert_eq!(lock.first_sight_digest(), seen);
        assert_eq!(lock.way(&key("b"), None), Way::Entered(vec![]));
        assert!(matches!(lock.way(&key("a"), None), Way::Entered(runs) if runs.len() == 1));
        lock.accept_first_sight(&key("d"), &tool("d", "one"));
        assert_ne!(lock.first_sight_digest(), seen);
        assert!(lock.review(by("ann"), false));
        through_the_file(&lock);
    }
}
