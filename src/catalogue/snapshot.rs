//! The snapshot of a catalogue: texts that stand already, joined.

use super::{Catalogue, Definition, SERVER_MEMBERS};
use crate::capture::{SNAPSHOT_SILENT, SNAPSHOT_VERSION};
use crate::model::{ItemKey, Kind};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Members of an object with their canonical texts. All names are plain ASCII, so that canonical order is theirs.
type Members<'a> = BTreeMap<&'static str, Cow<'a, str>>;

impl Catalogue {
    /// The canonical text of this catalogue's snapshot: an object that is also a list result of every kind, items
    /// sorted by name. Raw definitions stand in base64 under `raw`. The launch is not part of it.
    pub fn to_snapshot(&self) -> String {
        let (mut snapshot, mut raw) = (Members::new(), Members::new());
        snapshot.insert("snapshot", SNAPSHOT_VERSION.into());
        for kind in Kind::LISTED {
            if !self.known.contains(&kind) {
                continue;
            }
            let (mut canonical, mut base64) = (Vec::new(), Vec::new());
            for item in self.of(kind).map(|(_, item)| item) {
                match &*item.definition {
                    Definition::Canonical(definition) => canonical.push(definition.text()),
                    Definition::Raw { bytes, .. } => base64.push(encoded(bytes)),
                }
            }
            snapshot.insert(kind.list_member(), array(&canonical).into());
            if !base64.is_empty() {
                raw.insert(kind.list_member(), array(&base64).into());
            }
        }
        for (name, member) in SERVER_MEMBERS {
            if let Some(item) = self.items.get(&ItemKey::part(name)) {
                match &*item.definition {
                    Definition::Canonical(definition) => {
                        snapshot.insert(member, definition.text().into());
                    }
                    Definition::Raw { bytes, .. } => {
                        raw.insert(member, encoded(bytes).into());
                    }
                }
            }
        }
        if !raw.is_empty() {
            snapshot.insert("raw", object(&raw).into());
        }
        let says = SERVER_MEMBERS.map(|(name, _)| self.items.contains_key(&ItemKey::part(name)));
        if self.known.contains(&Kind::Server) && !says.contains(&true) {
            snapshot.insert(SNAPSHOT_SILENT, "true".into());
        }
        object(&snapshot)
    }
}

/// A string of base64, in which nothing wants an escape.
fn encoded(bytes: &[u8]) -> String {
    format!("\"{}\"", BASE64.encode(bytes))
}

fn array(elements: &[impl AsRef<str>]) -> String {
    let length: usize = elements.iter().map(|text| text.as_ref().len() + 1).sum();
    let mut out = String::with_capacity(length + 2);
    out.push('[');
    for (at, element) in elements.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        out.push_str(element.as_ref());
    }
    out.push(']');
    out
}

fn object(members: &Members<'_>) -> String {
    let length: usize = members
        .iter()
        .map(|(name, text)| name.len() + text.len() + 4)
        .sum();
    let mut out = String::with_capacity(length + 2);
    out.push('{');
    for (at, (name, text)) in members.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        out.extend(["\"", name, "\":", text]);
    }
    out.push('}');
    out
}
