//! The pair of fixtures that each rule has, judged.

use countersign::capture::Capture;
use countersign::catalogue::{Catalogue, Item};
use countersign::json::{Limits, read};
use countersign::model::{ItemKey, Kind, part};
use countersign::pair::pair;
use countersign::rules::{self, Context, Reason};
use countersign::secret::Secrets;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where the fixtures of a rule are.
pub(crate) fn folder(id: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/rules")
        .join(id)
}

/// A catalogue of a fixture: what a file can hold, and a launch beside it.
pub(crate) fn catalogue(id: &str, side: &str) -> Catalogue {
    let bytes = std::fs::read(folder(id).join(side)).expect("a fixture");
    let value = read(&bytes, Limits::default()).expect("legal JSON").value;
    let mut catalogue = match Capture::from_file(bytes, Limits::default()) {
        Ok(capture) => {
            Catalogue::from_capture(&capture, &Secrets::default())
                .expect("a catalogue")
                .0
        }
        Err(_) => Catalogue::default(),
    };
    if let Some(launch) = value.get("launch") {
        let item = Item::new(Kind::Server, launch.clone());
        catalogue.items.insert(ItemKey::part(part::LAUNCH), item);
    }
    catalogue
}

/// What the rules say of a fixture.
pub(crate) fn reasons(id: &str) -> Vec<Reason> {
    let (mut before, after) = (catalogue(id, "before.json"), catalogue(id, "after.json"));
    let mut removed = BTreeMap::new();
    if id == "item-returned" {
        // What the lockfile does: the item is kept, and marked.
        let key = ItemKey::new(Kind::Tool, "list_tags");
        let item = before.items.remove(&key).expect("a tool that went");
        removed.insert(key, item);
    }
    let mut pairing = pair(&before, &after, &removed);
    let launch = ItemKey::part(part::LAUNCH);
    if id == "server-added" {
        // A launch without its other side is what a caller makes of an unknown server.
        pairing.pairs.push(countersign::pair::Pair {
            after: after.items.get(&launch),
            key: launch,
            former: None,
            event: countersign::pair::Event::Added,
            before: None,
        });
    }
    let context = Context::default()
        .with_names(before.of(Kind::Tool).map(|(key, _)| &key.name))
        .with_collapsed(rules::collapsed(&pairing, &before));
    assert!(
        !pairing.pairs.is_empty(),
        "{id}: the fixtures do not differ"
    );
    pairing
        .pairs
        .iter()
        .flat_map(|pair| rules::judge(pair, &context))
        .collect()
}
