//! How acknowledgements follow each other: each starts where the one before it led.
//!
//! Equal records (same `from` and `to`) in a row are several reviewers of one change. Only the last such run
//! may be incomplete, and then the baseline still stands where it starts.

use super::{Acknowledgement, Entry, Server};
use crate::fingerprint::Digest;
use crate::model::ItemKey;

/// Why records and baseline do not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Break {
    /// The record of that index does not start where the one before it led.
    Gap(usize),
    /// A record leads to where it started.
    Standstill(usize),
    /// The last record leads elsewhere than to the baseline.
    End,
    /// The item is marked removed, and nobody acknowledged that.
    Unrecorded,
}

/// How many records of an item led to its state. Those after them are one run that awaits another reviewer.
pub(super) fn complete(records: &[Acknowledgement], entry: Option<&Entry>) -> Result<usize, Break> {
    let state = entry.and_then(Entry::state);
    let step = |record: &Acknowledgement| (record.from, record.to);
    for (i, record) in records.iter().enumerate() {
        if record.from == record.to {
            return Err(Break::Standstill(i));
        }
        if i > 0 && record.from != records[i - 1].to && step(record) != step(&records[i - 1]) {
            return Err(Break::Gap(i));
        }
    }
    let removed = entry.is_some_and(|entry| entry.removed);
    let Some(last) = records.last() else {
        return if removed {
            Err(Break::Unrecorded)
        } else {
            Ok(0)
        };
    };
    let run = run_start(records);
    if last.to == state && entry.is_some() {
        Ok(records.len())
    } else if last.from != state {
        Err(Break::End)
    } else if removed && run == 0 {
        Err(Break::Unrecorded)
    } else {
        Ok(run)
    }
}

/// Where the last run of equal records starts.
pub(super) fn run_start(records: &[Acknowledgement]) -> usize {
    let Some(last) = records.last() else { return 0 };
    let other = |record: &Acknowledgement| (record.from, record.to) != (last.from, last.to);
    records.iter().rposition(other).map_or(0, |at| at + 1)
}

impl Entry {
    /// The records that led to the baseline. Of an entry that breaks the chain, none.
    pub fn complete(&self) -> &[Acknowledgement] {
        let count = complete(&self.acknowledgements, Some(self)).unwrap_or(0);
        &self.acknowledgements[..count]
    }
}

impl Server {
    /// The records of one change that awaits another reviewer; none if nothing of the item is awaited.
    pub fn awaited(&self, key: &ItemKey) -> &[Acknowledgement] {
        match self.entries.get(key) {
            Some(entry) => &entry.acknowledgements[entry.complete().len()..],
            None => self.awaiting.get(key).map_or(&[], Vec::as_slice),
        }
    }

    /// Everybody who acknowledged or reviewed something of it.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let records = self.records().map(|(_, record)| record.by.as_str());
        records.chain(self.reviewed.iter().map(|review| review.by.as_str()))
    }

    /// Every record of a change: by item, oldest first. A renaming has some under both names.
    pub fn records_of(&self, change: &str) -> Vec<(&ItemKey, &Acknowledgement)> {
        self.records()
            .filter(|(_, record)| record.change == change)
            .collect()
    }

    /// The records that another account of the server does not hold (`--base`).
    pub fn records_since<'a>(
        &'a self,
        base: Option<&'a Self>,
    ) -> Vec<(&'a ItemKey, &'a Acknowledgement)> {
        self.records()
            .filter(|(key, record)| {
                !base.is_some_and(|base| base.of_item(key).any(|known| known == *record))
            })
            .collect()
    }

    fn records(&self) -> impl Iterator<Item = (&ItemKey, &Acknowledgement)> {
        let entries = self.entries.iter();
        let accepted = entries.map(|(key, entry)| (key, &entry.acknowledgements));
        accepted
            .chain(&self.awaiting)
            .flat_map(|(key, records)| records.iter().map(move |record| (key, record)))
    }

    pub(super) fn of_item(&self, key: &ItemKey) -> impl Iterator<Item = &Acknowledgement> {
        let accepted = self.entries.get(key).map(|entry| &entry.acknowledgements);
        accepted.into_iter().chain(self.awaiting.get(key)).flatten()
    }

    /// The date on which a definition that is no longer the baseline was accepted, the latest if there are
    /// several. For what was accepted at first sight that is the server's `since`.
    pub fn accepted_before(&self, key: &ItemKey, digest: Digest) -> Option<String> {
        let entry = self.entries.get(key)?;
        if entry.state() == Some(digest) {
            return None;
        }
        let complete = entry.complete();
        let recorded = complete.iter().rfind(|record| record.to == Some(digest));
        match recorded {
            Some(record) => Some(record.at.get(..10).unwrap_or(&record.at).to_owned()),
            None if complete.first()?.from == Some(digest) => Some(self.since.clone()),
            None => None,
        }
    }
}
