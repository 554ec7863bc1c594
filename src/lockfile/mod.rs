//! The lockfile: what was accepted of each server, and who acknowledged which change (SPEC, section 6).
//!
//! Pure: text in, text out; dates come in as arguments. It never takes damage for emptiness, never repairs,
//! and never moves a baseline without a record, except at first sight.

mod acknowledge;
mod chain;
mod edit;
mod entered;
mod lines;
mod members;
mod parse;
mod revoke;
mod settings;
mod text;
mod verify;
pub mod volatile;

pub use acknowledge::{AcknowledgeError, Acknowledged};
pub use edit::{Edit, Owner, Setting};
pub use entered::Way;
pub use lines::Lines;
pub use parse::{Fault, LockfileError};
pub use revoke::RevokeError;

use crate::catalogue::{Catalogue, Item};
use crate::fingerprint::Digest;
use crate::json::Object;
use crate::model::{ItemKey, Kind, Launch, Level, ServerName, part};
use crate::report;
use std::collections::{BTreeMap, BTreeSet};

/// The version that this countersign writes, and the only one so far.
pub const VERSION: &str = "1";

/// The account that one repository keeps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lockfile {
    /// The standing rules for every server, in canonical order. The names and values of its settings are
    /// checked here.
    pub policy: Object,
    /// What was accepted of each server.
    pub servers: BTreeMap<ServerName, Server>,
}

/// What was accepted of one server.
///
/// A kind of [`Kind::LISTED`] in `known` stands in the file as a member, empty or not. [`Kind::Server`] is
/// known exactly if the server has an entry of it, its launch included: a baseline made from a plain list has
/// none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Server {
    /// The date of its first sight, `YYYY-MM-DD`.
    pub since: String,
    /// Its own standing rules, with those of single items under `items`, in canonical order.
    pub policy: Object,
    /// The reviews of the server as a whole, oldest first.
    pub reviewed: Vec<Review>,
    /// The kinds about which something is known, even that there is no item.
    pub known: BTreeSet<Kind>,
    /// The accepted items, and those whose removal was acknowledged.
    pub entries: BTreeMap<ItemKey, Entry>,
    /// Records of new items that no baseline holds yet, because the policy asks for more reviewers.
    pub awaiting: BTreeMap<ItemKey, Vec<Acknowledgement>>,
}

/// One accepted item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The baseline; of a removed item the last definition that was accepted.
    pub item: Item,
    /// Whether it was acknowledged that the item is gone.
    pub removed: bool,
    /// What was acknowledged, oldest first; none at first sight.
    pub acknowledgements: Vec<Acknowledgement>,
}

/// The record that somebody reviewed one particular change of one item.
///
/// A renaming leaves one under each name: the old one goes to `None`, the new one comes from `None`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acknowledgement {
    /// The id of the change.
    pub change: String,
    /// The baseline that it started from; `None` (in the file `null`) where there was no item.
    pub from: Option<Digest>,
    /// The definition that was accepted; `None` where the item is gone.
    pub to: Option<Digest>,
    /// The change's level when it was reviewed.
    pub level: Level,
    /// The rules that it hit, sorted.
    pub rules: Vec<String>,
    /// Who reviewed it: a name, usually with an address. Outside text.
    pub by: String,
    /// When, as RFC 3339.
    pub at: String,
    /// What they said about it; may be empty. Outside text.
    pub note: String,
}

/// Who looked at something, when, and what they said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// A name, usually with an address. Outside text.
    pub by: String,
    /// RFC 3339.
    pub at: String,
    /// What they said; may be empty. Outside text.
    pub note: String,
    /// What stood there without a record when they looked ([`Server::first_sight_digest`]); `None` if nothing did.
    pub first_sight: Option<Digest>,
}

impl From<&Acknowledgement> for report::Acknowledged {
    fn from(record: &Acknowledgement) -> Self {
        Self {
            by: record.by.clone(),
            at: record.at.clone(),
            note: record.note.clone(),
        }
    }
}

impl From<&Review> for report::Acknowledged {
    fn from(review: &Review) -> Self {
        Self {
            by: review.by.clone(),
            at: review.at.clone(),
            note: review.note.clone(),
        }
    }
}

impl Entry {
    /// An item as it is at first sight: accepted, by nobody in particular.
    pub fn first_sight(item: Item) -> Self {
        Self {
            item,
            removed: false,
            acknowledgements: Vec::new(),
        }
    }

    /// The digest of the baseline; `None` where the item counts as gone.
    pub fn state(&self) -> Option<Digest> {
        (!self.removed).then_some(self.item.digest)
    }
}

impl Server {
    /// The baseline of a server that was never seen before. `date` is `YYYY-MM-DD`; without a launch the
    /// catalogue comes from a file.
    pub fn first_sight(catalogue: &Catalogue, launch: Option<&Launch>, date: &str) -> Self {
        let mut server = Self {
            since: date.to_owned(),
            known: catalogue.known.clone(),
            ..Self::default()
        };
        for (key, item) in &catalogue.items {
            server.accept_first_sight(key, item);
        }
        if let Some(launch) = launch {
            server.record_live(launch, catalogue);
        }
        server.know_parts();
        server
    }

    /// Makes an item that has no entry its own baseline (`newItems: baseline`). False if it has one, and then
    /// nothing changes.
    pub fn accept_first_sight(&mut self, key: &ItemKey, item: &Item) -> bool {
        if self.entries.contains_key(key) {
            return false;
        }
        self.awaiting.remove(key);
        self.known.insert(key.kind);
        self.entries
            .insert(key.clone(), Entry::first_sight(item.clone()));
        true
    }

    /// Records the launch of a baseline that was made from a file, once the server is met live, and with it
    /// its info and capabilities, if the file did not tell. Instructions are text for the model: they wait for a
    /// review. False if there is a launch already, and then nothing changes.
    pub fn record_live(&mut self, launch: &Launch, catalogue: &Catalogue) -> bool {
        if self.entries.contains_key(&ItemKey::part(part::LAUNCH)) {
            return false;
        }
        if !self.known.contains(&Kind::Server) {
            for (key, item) in catalogue.of(Kind::Server) {
                if key.name.as_str() != part::INSTRUCTIONS {
                    self.accept_first_sight(key, item);
                }
            }
        }
        let item = Item::new(Kind::Server, launch.to_value());
        self.entries
            .insert(ItemKey::part(part::LAUNCH), Entry::first_sight(item));
        self.known.insert(Kind::Server);
        true
    }

    /// The accepted launch; `None` for a baseline that was made from a file.
    pub fn launch(&self) -> Option<Launch> {
        let entry = self.entries.get(&ItemKey::part(part::LAUNCH))?;
        Launch::from_value(entry.item.definition.value())
    }

    /// What is accepted, the launch included. Removed items are not in it.
    pub fn catalogue(&self) -> Catalogue {
        let kept = self.entries.iter().filter(|(_, entry)| !entry.removed);
        Catalogue {
            items: kept
                .map(|(key, entry)| (key.clone(), entry.item.clone()))
                .collect(),
            known: self.known.clone(),
        }
    }

    /// The items whose removal was acknowledged, with the last definition that was accepted.
    pub fn removed(&self) -> BTreeMap<ItemKey, Item> {
        let gone = self.entries.iter().filter(|(_, entry)| entry.removed);
        gone.map(|(key, entry)| (key.clone(), entry.item.clone()))
            .collect()
    }

    /// Drops the entries of removed items, and says which.
    pub fn prune(&mut self) -> Vec<ItemKey> {
        let gone: Vec<ItemKey> = self.removed().into_keys().collect();
        for key in &gone {
            self.entries.remove(key);
        }
        self.know_parts();
        gone
    }

    /// Records that the server as a whole was reviewed, with what stands in it without a record. False if nobody asked
    /// for a review and the same person said the same of the same on the same day.
    pub fn review(&mut self, review: Review, is_asked_for: bool) -> bool {
        let review = Review {
            first_sight: self.first_sight_digest(),
            ..review
        };
        let same = |known: &Review| {
            (&known.by, &known.note, known.first_sight)
                == (&review.by, &review.note, review.first_sight)
                && known.at.get(..10) == review.at.get(..10)
        };
        if !is_asked_for && self.reviewed.iter().any(same) {
            return false;
        }
        self.reviewed.push(review);
        true
    }

    /// Keeps to what the file can say of [`Kind::Server`].
    fn know_parts(&mut self) {
        let mut keys = self.entries.keys().chain(self.awaiting.keys());
        if keys.any(|key| key.kind == Kind::Server) {
            self.known.insert(Kind::Server);
        } else {
            self.known.remove(&Kind::Server);
        }
    }
}

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
