//! Whether what the file says of an item holds: digests are recomputed, acknowledgements must chain up to the
//! baseline. A baseline that was edited by hand is found here.

use super::chain::{self, Break};
use super::{Acknowledgement, Entry};
use crate::catalogue::Item;
use crate::fingerprint::Digest;
use crate::json::Value;
use crate::model::{ItemKey, Kind, Launch, part};

/// What is wrong with the definition of an item, if anything. The digests are those that the file claims.
pub(super) fn definition(
    key: &ItemKey,
    item: &Item,
    digest: Digest,
    fingerprint: Option<Digest>,
) -> Option<String> {
    if item.digest != digest {
        return Some(format!(
            "the definition was edited: its digest is {}, the file says {digest}",
            item.digest
        ));
    }
    let own = item.fingerprint(key.kind);
    if own != fingerprint {
        let words = |digest: Option<Digest>| {
            digest.map_or_else(|| "none".to_owned(), |digest| digest.to_string())
        };
        return Some(format!(
            "the fingerprint was edited: the definition's is {}, the file says {}",
            words(own),
            words(fingerprint)
        ));
    }
    if key.kind == Kind::Server {
        return (key.name.as_str() == part::LAUNCH && !is_launch(item.definition.value()))
            .then(|| "not a launch that this countersign reads".to_owned());
    }
    let own = item.key(key.kind);
    (own != *key).then(|| {
        format!(
            "the definition is that of `{}`, which stands under another name here",
            own.name.as_str()
        )
    })
}

/// Whether a value is what [`Launch::to_value`] writes, to the letter.
fn is_launch(value: &Value) -> bool {
    Launch::from_value(value).is_some_and(|launch| {
        // The same way through the canonical form that the entry went.
        Item::new(Kind::Server, launch.to_value())
            .definition
            .value()
            == value
    })
}

/// What is wrong with the acknowledgements of an item, if anything.
pub(super) fn records(records: &[Acknowledgement], entry: Option<&Entry>) -> Option<String> {
    let state = |digest: Option<Digest>| {
        digest.map_or_else(|| "no item".to_owned(), |digest| digest.to_string())
    };
    match chain::complete(records, entry).err()? {
        Break::Gap(at) => Some(format!(
            "the acknowledgements do not follow each other: number {} starts from {}, the one before it leads to {}",
            at + 1,
            state(records[at].from),
            state(records[at - 1].to)
        )),
        Break::Standstill(at) => Some(format!(
            "acknowledgement number {} leads to where it starts",
            at + 1
        )),
        Break::End => {
            let last = records.last().and_then(|record| record.to);
            Some(format!(
                "the last acknowledgement leads to {}, the baseline is {}",
                state(last),
                state(entry.and_then(Entry::state))
            ))
        }
        Break::Unrecorded => Some("marked as removed without an acknowledgement".to_owned()),
    }
}
