//! Takes answers apart: items and parts of the server, each under its name, secrets out of them.

use super::item::{Item, describe};
use super::{Catalogue, CatalogueError, SERVER_MEMBERS};
use crate::capture::{Answer, Hello};
use crate::json::{self, Object, Value};
use crate::model::{ItemKey, Kind, Warning, part};
use crate::secret::Secrets;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Where `server/discover` answers with the server's identity (2026-07-28, "Per-request protocol fields").
const DISCOVERED_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// Gathers what a server offers.
pub(super) struct Builder<'a> {
    pub(super) secrets: &'a Secrets,
    found: BTreeMap<ItemKey, Item>,
    /// Other definitions under a name that one stands under already: few names have any.
    others: BTreeMap<ItemKey, Vec<Item>>,
    pub(super) warnings: BTreeSet<Warning>,
    /// Where the items with flaws stood in an answer whose elements were taken in as it was read.
    flawed: Vec<Range<usize>>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(secrets: &'a Secrets) -> Self {
        Self {
            secrets,
            found: BTreeMap::new(),
            others: BTreeMap::new(),
            warnings: BTreeSet::new(),
            flawed: Vec::new(),
        }
    }

    /// The catalogue of what was gathered.
    pub(super) fn end(self, known: BTreeSet<Kind>) -> (Catalogue, Vec<Warning>) {
        let mut items = self.found;
        for (key, several) in self.others {
            if let Some(item) = items.get_mut(&key) {
                *item = Item::ambiguous(several.iter().chain([&*item]));
            }
        }
        (
            Catalogue { items, known },
            self.warnings.into_iter().collect(),
        )
    }

    pub(super) fn page(&mut self, kind: Kind, mut page: Answer) -> Result<(), CatalogueError> {
        let method = kind.list_method().unwrap_or("initialize");
        let member = kind.list_member();
        let list = page.result().get(member);
        let Some(Value::Array(_)) = list else {
            let found = list.map_or("absent", Value::type_name);
            return Err(CatalogueError::NoList {
                method,
                member,
                found,
            });
        };
        check_envelope(&page, method, &[])?;
        for element in page.take_list(member) {
            let span = element.as_object().map_or(0..0, Object::span);
            let is_flawed = page.document.flaws_within(&span).next().is_some();
            self.element(kind, &page.source, element, is_flawed);
        }
        self.raw(kind, &page);
        Ok(())
    }

    /// Takes in what is left of a page whose elements were taken in as they were read.
    pub(super) fn rest(&mut self, kind: Kind, page: &Answer) -> Result<(), CatalogueError> {
        let method = kind.list_method().unwrap_or("initialize");
        check_envelope(page, method, &self.flawed)?;
        self.raw(kind, page);
        Ok(())
    }

    /// Takes in the definitions without a canonical form that a snapshot keeps.
    fn raw(&mut self, kind: Kind, page: &Answer) {
        let member = kind.list_member();
        if let Some(Value::Array(raw)) = page.result().get("raw").and_then(|raw| raw.get(member))
            && page.result().get("snapshot").is_some()
        {
            for text in raw.iter().filter_map(Value::as_str) {
                if let Ok(bytes) = BASE64.decode(text) {
                    self.add(kind, Item::raw(bytes));
                }
            }
        }
    }

    /// Takes in an element while its list is read.
    pub(super) fn take(&mut self, kind: Kind, source: &[u8], element: json::Element<'_>) {
        if element.is_flawed {
            self.flawed
                .extend(element.value.as_object().map(Object::span));
        }
        self.element(kind, source, element.value, element.is_flawed);
    }

    /// Takes in an element of a list; `source` is what its span counts in.
    fn element(&mut self, kind: Kind, source: &[u8], mut element: Value, is_flawed: bool) {
        if is_flawed {
            let span = element.as_object().map_or(0..0, Object::span);
            let item = Item::raw(self.redacted_raw(kind, &source[span]));
            self.add(kind, item);
        } else {
            self.redact(kind, &mut element);
            self.add(kind, Item::new(kind, element));
        }
    }

    /// Takes an item in under its name.
    fn add(&mut self, kind: Kind, item: Item) {
        let key = item.key(kind);
        let item = item.put_away();
        match self.found.get(&key) {
            None => {
                self.found.insert(key, item);
            }
            Some(known) if known.digest == item.digest => {}
            Some(_) => {
                let others = self.others.entry(key).or_default();
                if others.iter().all(|known| known.digest != item.digest) {
                    others.push(item);
                }
            }
        }
    }

    /// Takes in what the server says of itself; false if that is unknown.
    pub(super) fn hello(&mut self, hello: &Hello) -> Result<bool, CatalogueError> {
        let (answer, info) = match hello {
            Hello::None => return Ok(false),
            Hello::Initialize(answer) => (answer, answer.result().get("serverInfo")),
            Hello::Discover(answer) => (
                answer,
                answer
                    .result()
                    .get("_meta")
                    .and_then(|m| m.get(DISCOVERED_INFO)),
            ),
        };
        let method = match hello {
            Hello::Discover(_) => "server/discover",
            _ => "initialize",
        };
        check_envelope(answer, method, &self.flawed)?;
        for (name, member) in SERVER_MEMBERS {
            let value = if name == part::INFO {
                info
            } else {
                answer.result().get(member)
            };
            let Some(value) = value.filter(|value| **value != Value::Null) else {
                continue;
            };
            let span = value.as_object().map_or(0..0, Object::span);
            let item = if answer.document.flaws_within(&span).next().is_some() {
                Item::raw(self.redacted_raw(Kind::Server, &answer.source[span]))
            } else {
                let mut value = value.clone();
                self.redact(Kind::Server, &mut value);
                Item::new(Kind::Server, value)
            };
            self.found.insert(ItemKey::part(name), item);
        }
        let raw = answer
            .result()
            .get("raw")
            .filter(|_| answer.result().get("snapshot").is_some());
        for (name, member) in SERVER_MEMBERS {
            if let Some(bytes) = raw.and_then(|raw| BASE64.decode(raw.get(member)?.as_str()?).ok())
            {
                self.found.insert(ItemKey::part(name), Item::raw(bytes));
            }
        }
        Ok(true)
    }
}

/// A flaw outside everything that is kept with its flaws makes the answer itself doubtful: a list twice, a second
/// `instructions` beside the first. `taken` is where items stood that are not in the answer any more.
fn check_envelope(
    answer: &Answer,
    method: &'static str,
    taken: &[Range<usize>],
) -> Result<(), CatalogueError> {
    let result = answer.result();
    let lists = Kind::LISTED.map(|kind| result.get(kind.list_member())?.as_array());
    let parts = SERVER_MEMBERS.map(|(_, member)| result.get(member));
    let discovered = result
        .get("_meta")
        .and_then(|meta| meta.get(DISCOVERED_INFO));
    let kept = lists.into_iter().flatten().flatten();
    let mut spans: Vec<Range<usize>> = kept
        .chain(parts.into_iter().flatten())
        .chain(discovered)
        .filter_map(|part| part.as_object().map(Object::span))
        .chain(taken.iter().cloned())
        .collect();
    spans.sort_by_key(|span| span.start);
    // No span is inside another one, so that only the last that starts before a flaw can hold it.
    let is_kept = |flaw: &json::Flaw| {
        let after = spans.partition_point(|span| span.start <= flaw.offset);
        after > 0 && spans[after - 1].contains(&flaw.offset)
    };
    match answer.document.flaws.iter().find(|flaw| !is_kept(flaw)) {
        Some(flaw) => Err(CatalogueError::Flawed {
            method,
            flaw: describe(&flaw.kind),
        }),
        None => Ok(()),
    }
}
