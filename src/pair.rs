//! Who is who: the items of two catalogues matched by kind and name.
//!
//! What one side was not asked for is no difference: unknown is never removed.

mod renamed;

use crate::catalogue::{Catalogue, Item};
use crate::model::{ItemKey, Kind, part};
use std::collections::{BTreeMap, BTreeSet};

/// What happened to an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// On both sides, with other content.
    Changed,
    /// Only on the current side.
    Added,
    /// Only in the baseline.
    Removed,
    /// The lockfile marks it removed, and it is back.
    Returned,
    /// One removed and one added that are one tool under another name.
    Renamed,
}

impl Event {
    /// The word for reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Returned => "returned",
            Self::Renamed => "renamed",
        }
    }
}

/// Two sides of one item that are not the same.
#[derive(Debug, Clone)]
pub struct Pair<'a> {
    /// The item; after a renaming, under its new name.
    pub key: ItemKey,
    /// Its old name, after a renaming.
    pub former: Option<ItemKey>,
    /// What happened.
    pub event: Event,
    /// The accepted side.
    pub before: Option<&'a Item>,
    /// The current side.
    pub after: Option<&'a Item>,
}

/// What two catalogues come to.
#[derive(Debug, Clone, Default)]
pub struct Pairing<'a> {
    /// The items that differ, in the order of their keys.
    pub pairs: Vec<Pair<'a>>,
    /// How many listed items are the same on both sides.
    pub unchanged: usize,
}

/// Matches a baseline with what is there now.
///
/// Kinds that `current` does not know are left out. `removed` holds what the lockfile marks as removed, by its
/// last accepted definition. Where the baseline knows nothing of the server itself, its info and capabilities
/// are first sight and no change; its instructions are text for the model and count. A launch is compared where
/// both sides have one.
pub fn pair<'a>(
    baseline: &'a Catalogue,
    current: &'a Catalogue,
    removed: &'a BTreeMap<ItemKey, Item>,
) -> Pairing<'a> {
    let mut pairing = Pairing::default();
    let keys: BTreeSet<&ItemKey> = baseline.items.keys().chain(current.items.keys()).collect();
    for key in keys {
        let (before, after) = (baseline.items.get(key), current.items.get(key));
        if !is_compared(baseline, current, key) {
            continue;
        }
        let (event, before) = match (before, after) {
            (Some(before), Some(after)) if before.digest == after.digest => {
                pairing.unchanged += usize::from(key.kind != Kind::Server);
                continue;
            }
            (Some(_), Some(_)) => (Event::Changed, before),
            (None, Some(_)) => match removed.get(key) {
                Some(accepted) => (Event::Returned, Some(accepted)),
                None => (Event::Added, None),
            },
            (_, None) => (Event::Removed, before),
        };
        pairing.pairs.push(Pair {
            key: key.clone(),
            former: None,
            event,
            before,
            after,
        });
    }
    renamed::join(&mut pairing.pairs);
    pairing
}

fn is_compared(baseline: &Catalogue, current: &Catalogue, key: &ItemKey) -> bool {
    if key.kind != Kind::Server {
        return current.known.contains(&key.kind);
    }
    let both = baseline.items.contains_key(key) && current.items.contains_key(key);
    match key.name.as_str() {
        part::LAUNCH => both,
        part::INSTRUCTIONS => current.known.contains(&Kind::Server),
        _ => current.known.contains(&Kind::Server) && baseline.known.contains(&Kind::Server),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::Capture;
    use crate::json::Limits;
    use crate::secret::Secrets;

    fn catalogue(text: &str) -> Catalogue {
        let capture =
            Capture::from_file(text.as_bytes().to_vec(), Limits::default()).expect("a list");
        Catalogue::from_capture(&capture, &Secrets::default())
            .expect("a catalogue")
            .0
    }

    fn events(pairing: &Pairing<'_>) -> Vec<(String, Option<String>, &'static str)> {
        pairing
            .pairs
            .iter()
            .map(|pair| {
                (
                    pair.key.name.as_str().to_owned(),
                    pair.former.as_ref().map(|key| key.name.as_str().to_owned()),
                    pair.event.word(),
                )
            })
            .collect()
    }

    #[test]
    fn items_are_matched_by_kind_and_name_and_unknown_is_never_removed() {
        let baseline = catalogue(
            r#"{"tools":[{"name":"a","x":1},{"name":"b"},{"name":"c"}],"prompts":[{"name":"a"}]}"#,
        );
        let current =
            catalogue(r#"{"tools":[{"name":"a","x":2},{"name":"b"},{"name":"d","y":1}]}"#);
        let removed = [(
            ItemKey::new(Kind::Tool, "d"),
            baseline.items[&ItemKey::new(Kind::Tool, "b")].clone(),
        )]
        .into();
        let pairing = pair(&baseline, &current, &removed);
        assert_eq!(pairing.unchanged, 1);
        assert_eq!(
            events(&pairing),
            [
                ("a".into(), None, "changed"),
                ("c".into(), None, "removed"),
                ("d".into(), None, "returned")
            ]
        );
    }

    #[test]
    fn of_a_server_that_the_baseline_does_not_know_only_instructions_count() {
        let baseline = catalogue(r#"{"tools":[]}"#);
        let current = catalogue(
            r#"{"tools":[],"instructions":"do","serverInfo":{"name":"s"},"capabilities":{}}"#,
        );
        let none = BTreeMap::new();
        assert_eq!(
            events(&pair(&baseline, &current, &none)),
            [("instructions".into(), None, "added")]
        );
        assert!(pair(&current, &baseline, &none).pairs.is_empty());
    }
}
