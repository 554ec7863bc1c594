//! Taking an acknowledgement back: the baseline goes to where it stood before.
//!
//! The lockfile holds no older definitions, so they come from outside; a digest says which one is meant.

use super::{Entry, Server, chain};
use crate::catalogue::Item;
use crate::fingerprint::Digest;
use crate::model::ItemKey;

/// Why an acknowledgement cannot be taken back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RevokeError {
    /// No record of that change.
    #[error("no acknowledgement of change `{0}`")]
    Unknown(String),
    /// A later change of the item was acknowledged on top of it.
    #[error("{} `{}` was acknowledged again since; take that back first", .0.kind.word(), .0.name.as_str())]
    NotNewest(ItemKey),
    /// The definition from before is nowhere to be found.
    #[error("the definition {digest} of {} `{}` is in no stored snapshot", .key.kind.word(), .key.name.as_str())]
    NoDefinition {
        /// The item. Its name is outside text.
        key: ItemKey,
        /// The definition that was accepted before.
        digest: Digest,
    },
}

impl Server {
    /// Takes back every record of a change, and with them what they did to the baseline. `stored` finds an older
    /// definition by its digest. Returns the items that were touched; nothing changes on an error.
    pub fn revoke(
        &mut self,
        change: &str,
        mut stored: impl FnMut(&ItemKey, Digest) -> Option<Item>,
    ) -> Result<Vec<ItemKey>, RevokeError> {
        let records = self.records_of(change);
        let mut touched: Vec<ItemKey> = records.into_iter().map(|(key, _)| key.clone()).collect();
        touched.dedup();
        if touched.is_empty() {
            return Err(RevokeError::Unknown(change.to_owned()));
        }
        let mut after = self.clone();
        for key in &touched {
            after.revoke_one(key, change, &mut stored)?;
        }
        after.know_parts();
        *self = after;
        Ok(touched)
    }

    fn revoke_one(
        &mut self,
        key: &ItemKey,
        change: &str,
        stored: &mut impl FnMut(&ItemKey, Digest) -> Option<Item>,
    ) -> Result<(), RevokeError> {
        let Some(entry) = self.entries.get_mut(key) else {
            self.awaiting.remove(key);
            return Ok(());
        };
        let complete = entry.complete().len();
        let start = chain::run_start(&entry.acknowledgements);
        let run = &entry.acknowledgements[start..];
        let Some(first) = run.iter().find(|record| record.change == change) else {
            return Err(RevokeError::NotNewest(key.clone()));
        };
        let from = first.from;
        entry.acknowledgements.truncate(start);
        if start >= complete {
            // The baseline had not moved yet.
            return Ok(());
        }
        // Where there was no item the last definition that was accepted before it went is kept.
        let kept = from.or_else(|| entry.acknowledgements.last().and_then(|record| record.from));
        match kept {
            None => {
                self.entries.remove(key);
            }
            Some(digest) => {
                entry.removed = from.is_none();
                restore(entry, key, digest, stored)?;
            }
        }
        Ok(())
    }
}

fn restore(
    entry: &mut Entry,
    key: &ItemKey,
    digest: Digest,
    stored: &mut impl FnMut(&ItemKey, Digest) -> Option<Item>,
) -> Result<(), RevokeError> {
    if entry.item.digest == digest {
        return Ok(());
    }
    match stored(key, digest).filter(|item| item.digest == digest) {
        Some(item) => entry.item = item,
        None => {
            return Err(RevokeError::NoDefinition {
                key: key.clone(),
                digest,
            });
        }
    }
    Ok(())
}
