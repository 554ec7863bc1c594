//! Where a lockfile holds what, for formats that point into it.
//!
//! It reads what [`Lockfile::parse`](super::Lockfile::parse) has verified, and verifies nothing itself.

use crate::json::{self, Limits, Object, Value};
use crate::model::{ItemKey, Kind, ServerName, part};
use std::collections::BTreeMap;
use std::ops::Range;

/// The lines, from 1, where the entries of a lockfile start. Empty for what is no lockfile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines {
    servers: BTreeMap<ServerName, ServerLines>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct ServerLines {
    line: usize,
    items: BTreeMap<ItemKey, usize>,
}

impl Lines {
    /// Of the text of a lockfile.
    pub fn of(source: &[u8]) -> Self {
        let limits = Limits {
            depth: Limits::MAX_DEPTH,
            string: usize::MAX,
        };
        let Ok(document) = json::read(source, limits) else {
            return Self::default();
        };
        let ends = source.iter().enumerate();
        let ends: Vec<usize> = ends
            .filter(|(_, b)| **b == b'\n')
            .map(|(at, _)| at)
            .collect();
        let line = |span: Range<usize>| 1 + ends.partition_point(|end| *end < span.start);
        let servers = objects(document.value.get("servers")).map(|(name, server)| {
            let mut items = BTreeMap::new();
            for (name, entry) in members(server).filter(|(name, _)| part::ALL.contains(name)) {
                items.insert(ItemKey::part(name), line(entry.span()));
            }
            for kind in Kind::LISTED {
                for (name, entry) in objects(server.get(kind.plural())) {
                    items.insert(ItemKey::new(kind, name), line(entry.span()));
                }
            }
            let line = line(server.span());
            (ServerName::new(name), ServerLines { line, items })
        });
        Self {
            servers: servers.collect(),
        }
    }

    /// The line of a server.
    pub fn server(&self, name: &ServerName) -> Option<usize> {
        Some(self.servers.get(name)?.line)
    }

    /// The line of an item.
    pub fn item(&self, server: &ServerName, key: &ItemKey) -> Option<usize> {
        self.servers.get(server)?.items.get(key).copied()
    }
}

/// The members of a value that are objects.
fn objects(value: Option<&Value>) -> impl Iterator<Item = (&str, &Object)> {
    value
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(members)
}

fn members(object: &Object) -> impl Iterator<Item = (&str, &Object)> {
    object
        .iter()
        .filter_map(|(name, value)| Some((name, value.as_object()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_items_and_parts_are_found_in_every_spelling() {
        let text = "{\n  \"servers\": {\n    \"notes\": {\n      \"launch\": {\n        \"digest\": \"x\"\n      },\n      \"tools\": {\n        \"find\": {\n          \"definition\": {\"name\": \"find\"}\n        }\n      }\n    }\n  }\n}\n";
        let (name, tool) = (ServerName::new("notes"), ItemKey::new(Kind::Tool, "find"));
        for (text, lines) in [
            (text.to_owned(), [3, 4, 8]),
            (text.replace('\n', "\r\n"), [3, 4, 8]),
            (format!("\u{feff}\n{text}"), [4, 5, 9]),
            (text.replace('\n', ""), [1, 1, 1]),
        ] {
            let found = Lines::of(text.as_bytes());
            let part = found.item(&name, &ItemKey::part(part::LAUNCH));
            assert_eq!(
                [found.server(&name), part, found.item(&name, &tool)],
                lines.map(Some),
                "{text:?}"
            );
            assert_eq!(found.item(&name, &ItemKey::new(Kind::Prompt, "find")), None);
        }
        assert_eq!(Lines::of(b"<<<<<<< HEAD"), Lines::default());
    }
}
