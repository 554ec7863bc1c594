//! What a server offers at one moment: items by kind and name, each with its definition and digests.
//!
//! The one place where answers become items: names are found, what SPEC calls no change at all is levelled
//! out, definitions without a canonical form are kept raw.

mod redact;

use crate::canonical;
use crate::capture::{Answer, Capture, Hello, SNAPSHOT_SILENT, SNAPSHOT_VERSION};
use crate::fingerprint::Digest;
use crate::json::{self, FlawKind, Limits, Object, Value};
use crate::model::{ItemKey, Kind, Warning, part};
use crate::secret::Secrets;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// What one item says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Definition {
    /// In canonical order and spelling, every member kept.
    Canonical(Value),
    /// It has no canonical form: clients will read it differently.
    Raw {
        /// As sent.
        bytes: Vec<u8>,
        /// What this reader makes of it, duplicates side by side; an array where several definitions bear
        /// one name. For showing and comparing only.
        value: Value,
        /// Why there is no canonical form, a clause each. Outside text inside.
        flaws: Vec<String>,
    },
}

impl Definition {
    /// The value, for showing and comparing.
    pub fn value(&self) -> &Value {
        match self {
            Self::Canonical(value) | Self::Raw { value, .. } => value,
        }
    }
}

/// One item: its definition and what identifies it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What it says. Shared with the changes that it is a side of.
    pub definition: Arc<Definition>,
    /// Over the whole definition.
    pub digest: Digest,
}

impl Item {
    /// Of a definition without flaws, as sent or as stored: harmless spellings are levelled out first.
    pub fn new(kind: Kind, mut value: Value) -> Self {
        level_out(kind, &mut value);
        canonical::canonicalize(&mut value);
        let digest = Digest::of(&canonical::to_text(&value));
        Self {
            definition: Arc::new(Definition::Canonical(value)),
            digest,
        }
    }

    /// Of a definition that has no canonical form, as sent or as stored.
    pub fn raw(bytes: Vec<u8>) -> Self {
        let limits = Limits {
            depth: Limits::MAX_DEPTH,
            string: usize::MAX,
        };
        let (mut value, mut flaws) = match json::read(&bytes, limits) {
            Ok(document) => {
                let flaws = document
                    .flaws
                    .iter()
                    .map(|flaw| describe(&flaw.kind))
                    .collect();
                (document.value, flaws)
            }
            Err(error) => (Value::Null, vec![error.to_string()]),
        };
        if matches!(value, Value::Array(_)) {
            flaws.insert(0, "several different definitions under one name".to_owned());
        }
        canonical::canonicalize(&mut value);
        let digest = Digest::of_raw(&bytes);
        Self {
            definition: Arc::new(Definition::Raw {
                bytes,
                value,
                flaws,
            }),
            digest,
        }
    }

    /// The digest over what a model reads of a tool: name, display title, description, input schema. Only tools with
    /// a canonical form have one. It is computed each time: few are ever looked at.
    pub fn fingerprint(&self, kind: Kind) -> Option<Digest> {
        match &*self.definition {
            Definition::Canonical(value) if kind == Kind::Tool => {
                Some(Digest::of(&what_the_model_reads(value)))
            }
            _ => None,
        }
    }

    /// Of several different definitions that a server lists under one name. Their order does not count.
    fn ambiguous(items: &[Self]) -> Self {
        let mut texts: Vec<Vec<u8>> = items
            .iter()
            .map(|item| match &*item.definition {
                Definition::Canonical(value) => canonical::to_text(value).into_bytes(),
                Definition::Raw { bytes, .. } => bytes.clone(),
            })
            .collect();
        texts.sort();
        let mut bytes = b"[".to_vec();
        bytes.extend(texts.join(&b","[..]));
        bytes.push(b']');
        Self::raw(bytes)
    }

    /// The name that a definition of a listed kind bears. One that names itself in no way gets a name made of
    /// its digest.
    pub fn key(&self, kind: Kind) -> ItemKey {
        // Of duplicates the last counts here, as it does in most clients.
        let name_of = |value: &'_ Value| {
            let members = value.as_object()?.iter();
            let (_, name) = members.filter(|(n, _)| *n == kind.name_member()).last()?;
            name.as_str().map(str::to_owned)
        };
        let name = match &*self.definition {
            // Several definitions under one name: those that bear one bear it.
            Definition::Raw {
                value: Value::Array(several),
                ..
            } => several.iter().find_map(name_of),
            one => name_of(one.value()),
        };
        match name {
            Some(name) => ItemKey::new(kind, name),
            None => ItemKey::new(kind, format!("(unnamed {})", self.digest.short())),
        }
    }

    /// Whether several different definitions bear this item's name.
    pub fn is_ambiguous(&self) -> bool {
        matches!(
            &*self.definition,
            Definition::Raw {
                value: Value::Array(_),
                ..
            }
        )
    }
}

fn describe(flaw: &FlawKind) -> String {
    match flaw {
        FlawKind::DuplicateMember(name) => format!("two members named `{name}` in one object"),
        FlawKind::LoneSurrogate => "half of a surrogate pair in a string".to_owned(),
        FlawKind::EndlessExponent => "a number whose exponent no reader computes with".to_owned(),
    }
}

/// Levels out what counts as no change at all: `null` for an optional member, and blanks at the edges of title
/// and description.
fn level_out(kind: Kind, value: &mut Value) {
    if kind == Kind::Server {
        return;
    }
    let Value::Object(object) = value else { return };
    let keep = |name: &str| name == kind.name_member() || name == "name" || name == "inputSchema";
    object
        .members_mut()
        .retain(|(name, member)| *member != Value::Null || keep(name));
    for (name, member) in object.members_mut() {
        match (name.as_str(), member) {
            ("title" | "description", Value::String(text)) => trim(text),
            ("annotations", Value::Object(hints)) => {
                for (name, hint) in hints.members_mut() {
                    if let ("title", Value::String(text)) = (name.as_str(), hint) {
                        trim(text);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Only the four blanks that JSON knows count: others may be there to be seen, or not to be.
fn trim(text: &mut String) {
    let trimmed = text.trim_matches([' ', '\t', '\n', '\r']);
    if trimmed.len() != text.len() {
        *text = trimmed.to_owned();
    }
}

/// The title that a client shows: `title`, or else `annotations.title`.
pub fn display_title(tool: &Value) -> Option<&Value> {
    tool.get("title")
        .or_else(|| tool.get("annotations")?.get("title"))
}

fn what_the_model_reads(tool: &Value) -> String {
    let members = [
        ("description", tool.get("description")),
        ("inputSchema", tool.get("inputSchema")),
        ("name", tool.get("name")),
        ("title", display_title(tool)),
    ];
    canonical::members_to_text(
        members
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?))),
    )
}

/// Everything that one server offers, or that a lockfile accepted of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalogue {
    /// The items.
    pub items: BTreeMap<ItemKey, Item>,
    /// The kinds that are known, even where there is no item of them: what is not here was not asked for.
    pub known: BTreeSet<Kind>,
}

/// Why answers are no catalogue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CatalogueError {
    /// A list result without its array.
    #[error("the answer to `{method}` holds no list: `{member}` is {found}")]
    NoList {
        /// The method that was asked.
        method: &'static str,
        /// The member that should hold the array.
        member: &'static str,
        /// Its type, or `absent`.
        found: &'static str,
    },
    /// A flaw outside any item: clients disagree on the list itself, or on what the server says of itself.
    #[error("the answer to `{method}` is read differently by different clients: {flaw}")]
    Flawed {
        /// The method that was asked.
        method: &'static str,
        /// Which flaw. Outside text inside.
        flaw: String,
    },
}

impl Catalogue {
    /// What a capture offers. Strings that hold a secret of the server are redacted, with a warning.
    pub fn from_capture(
        capture: &Capture,
        secrets: &Secrets,
    ) -> Result<(Self, Vec<Warning>), CatalogueError> {
        Self::of_capture(capture.clone(), secrets)
    }

    /// The same of a capture that nobody needs any more: its definitions are taken, not copied.
    pub fn of_capture(
        capture: Capture,
        secrets: &Secrets,
    ) -> Result<(Self, Vec<Warning>), CatalogueError> {
        let mut builder = Builder {
            secrets,
            found: BTreeMap::new(),
            warnings: BTreeSet::new(),
        };
        let mut known = BTreeSet::new();
        for (kind, pages) in capture.lists {
            known.insert(kind);
            for page in pages {
                builder.page(kind, page)?;
            }
        }
        if builder.hello(&capture.hello)? {
            known.insert(Kind::Server);
        }
        let items = builder
            .found
            .into_iter()
            .map(|(key, mut items)| {
                let item = if items.len() == 1 {
                    items.remove(0)
                } else {
                    Item::ambiguous(&items)
                };
                (key, item)
            })
            .collect();
        Ok((
            Self { items, known },
            builder.warnings.into_iter().collect(),
        ))
    }

    /// The snapshot of this catalogue: an object that is also a list result of every kind, canonical, items
    /// sorted by name. Raw definitions stand in base64 under `raw`. The launch is not part of it.
    pub fn to_snapshot(&self) -> Value {
        let mut snapshot = Object::default();
        let mut raw = Object::default();
        snapshot.set("snapshot", Value::Number(SNAPSHOT_VERSION.into()));
        for kind in Kind::LISTED {
            if !self.known.contains(&kind) {
                continue;
            }
            let (mut canonical, mut base64) = (Vec::new(), Vec::new());
            for item in self.of(kind).map(|(_, item)| item) {
                match &*item.definition {
                    Definition::Canonical(value) => canonical.push(value.clone()),
                    Definition::Raw { bytes, .. } => {
                        base64.push(Value::String(BASE64.encode(bytes)));
                    }
                }
            }
            snapshot.set(kind.list_member(), Value::Array(canonical));
            if !base64.is_empty() {
                raw.set(kind.list_member(), Value::Array(base64));
            }
        }
        for (name, member) in SERVER_MEMBERS {
            if let Some(item) = self.items.get(&ItemKey::part(name)) {
                match &*item.definition {
                    Definition::Canonical(value) => snapshot.set(member, value.clone()),
                    Definition::Raw { bytes, .. } => {
                        raw.set(member, Value::String(BASE64.encode(bytes)));
                    }
                }
            }
        }
        if !raw.is_empty() {
            snapshot.set("raw", Value::Object(raw));
        }
        let says = SERVER_MEMBERS.map(|(name, _)| self.items.contains_key(&ItemKey::part(name)));
        if self.known.contains(&Kind::Server) && !says.contains(&true) {
            snapshot.set(SNAPSHOT_SILENT, Value::Bool(true));
        }
        let mut value = Value::Object(snapshot);
        canonical::canonicalize(&mut value);
        value
    }

    /// The items of one kind, sorted by name.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = (&ItemKey, &Item)> {
        self.items.iter().filter(move |(key, _)| key.kind == kind)
    }
}

/// The parts of a server and the members of an `initialize` result that hold them.
const SERVER_MEMBERS: [(&str, &str); 3] = [
    (part::INSTRUCTIONS, "instructions"),
    (part::INFO, "serverInfo"),
    (part::CAPABILITIES, "capabilities"),
];

/// Where `server/discover` answers with the server's identity (2026-07-28, "Per-request protocol fields").
const DISCOVERED_INFO: &str = "io.modelcontextprotocol/serverInfo";

struct Builder<'a> {
    secrets: &'a Secrets,
    found: BTreeMap<ItemKey, Vec<Item>>,
    warnings: BTreeSet<Warning>,
}

impl Builder<'_> {
    fn page(&mut self, kind: Kind, mut page: Answer) -> Result<(), CatalogueError> {
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
        check_envelope(&page, method)?;
        for element in page.take_list(member) {
            self.element(kind, &page, element);
        }
        if let Some(Value::Array(raw)) = page.result().get("raw").and_then(|raw| raw.get(member))
            && page.result().get("snapshot").is_some()
        {
            for text in raw.iter().filter_map(Value::as_str) {
                if let Ok(bytes) = BASE64.decode(text) {
                    self.add(kind, Item::raw(bytes));
                }
            }
        }
        Ok(())
    }

    fn element(&mut self, kind: Kind, page: &Answer, mut element: Value) {
        let span = element.as_object().map_or(0..0, Object::span);
        let flawed = page.document.flaws_within(&span).next().is_some();
        if flawed {
            let item = Item::raw(self.redacted_raw(kind, &page.source[span]));
            self.add(kind, item);
        } else {
            self.redact(kind, &mut element);
            self.add(kind, Item::new(kind, element));
        }
    }

    /// Takes an item in under its name.
    fn add(&mut self, kind: Kind, item: Item) {
        let key = item.key(kind);
        let items = self.found.entry(key).or_default();
        if items.iter().all(|known| known.digest != item.digest) {
            items.push(item);
        }
    }

    /// Takes in what the server says of itself; false if that is unknown.
    fn hello(&mut self, hello: &Hello) -> Result<bool, CatalogueError> {
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
        check_envelope(answer, method)?;
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
            self.found.insert(ItemKey::part(name), vec![item]);
        }
        let raw = answer
            .result()
            .get("raw")
            .filter(|_| answer.result().get("snapshot").is_some());
        for (name, member) in SERVER_MEMBERS {
            if let Some(bytes) = raw.and_then(|raw| BASE64.decode(raw.get(member)?.as_str()?).ok())
            {
                self.found
                    .insert(ItemKey::part(name), vec![Item::raw(bytes)]);
            }
        }
        Ok(true)
    }
}

/// A flaw outside everything that is kept with its flaws makes the answer itself doubtful: a list twice, a second
/// `instructions` beside the first.
fn check_envelope(answer: &Answer, method: &'static str) -> Result<(), CatalogueError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn catalogue(text: &str) -> Catalogue {
        let capture =
            Capture::from_file(text.as_bytes().to_vec(), Limits::default()).expect("a list");
        Catalogue::from_capture(&capture, &Secrets::default())
            .expect("a catalogue")
            .0
    }

    #[test]
    fn harmless_spellings_share_a_digest() {
        let one = catalogue(
            r#"{"tools":[{"name":"t","title":" T\n","description":"d","inputSchema":{"maximum":1.0},"icons":null}]}"#,
        );
        let two = catalogue(
            r#"{"tools":[{"inputSchema":{"maximum":1},"description":" d ","title":"T","name":"\u0074"}]}"#,
        );
        assert_eq!(one, two);
    }

    #[test]
    fn fingerprints_see_what_the_model_reads_and_nothing_else() {
        let of = |text: &str| {
            let catalogue = catalogue(text);
            let item = catalogue.items.into_values().next().expect("a tool");
            (item.fingerprint(Kind::Tool), item.digest)
        };
        let (one, digest_one) =
            of(r#"{"tools":[{"name":"t","inputSchema":{},"annotations":{"title":"T"}}]}"#);
        let (two, digest_two) = of(r#"{"tools":[{"name":"t","inputSchema":{},"title":"T"}]}"#);
        assert_eq!(one, two);
        assert_ne!(digest_one, digest_two);
        assert_ne!(
            one,
            of(r#"{"tools":[{"name":"t","inputSchema":{"type":"object"},"title":"T"}]}"#).0
        );
    }

    #[test]
    fn a_snapshot_reads_back_to_the_same_catalogue() {
        let text = r#"{"instructions":"do","serverInfo":{"name":"s"},"capabilities":{},"tools":[
            {"name":"b","inputSchema":{}},{"name":"a","name":"c","inputSchema":{}},null,
            {"name":"two","x":1},{"name":"two","x":2}],"prompts":[]}"#;
        let one = catalogue(text);
        let snapshot = canonical::to_pretty(&one.to_snapshot());
        assert_eq!(catalogue(&snapshot), one);
        assert!(one.items[&ItemKey::new(Kind::Tool, "two")].is_ambiguous());
        assert!(one.items[&ItemKey::new(Kind::Tool, "c")].digest.is_raw());
        assert!(one.known.contains(&Kind::Prompt) && !one.known.contains(&Kind::Resource));
    }

    #[test]
    fn a_snapshot_tells_a_silent_server_from_one_that_was_not_asked() {
        let list = r#"{"tools":[]}"#;
        let raw =
            r#"{"snapshot":1,"raw":{"serverInfo":"eyJuYW1lIjoiYSIsIm5hbWUiOiJiIn0="},"tools":[]}"#;
        let silent = r#"{"snapshot":1,"silent":true,"tools":[]}"#;
        for (text, known) in [(list, false), (raw, true), (silent, true)] {
            let one = catalogue(text);
            assert_eq!(one.known.contains(&Kind::Server), known, "{text}");
            assert_eq!(catalogue(&canonical::to_text(&one.to_snapshot())), one);
        }
    }

    #[test]
    fn a_flaw_in_one_item_leaves_its_neighbours_and_one_outside_voids_the_list() {
        let fine = catalogue(r#"{"tools":[{"name":"bad","description":"\ud800"},{"name":"ok"}]}"#);
        assert!(!fine.items[&ItemKey::new(Kind::Tool, "ok")].digest.is_raw());
        let doubtful = br#"{"tools":[{"name":"ok"}],"tools":[]}"#.to_vec();
        let capture = Capture::from_file(doubtful, Limits::default()).expect("a list");
        assert!(Catalogue::from_capture(&capture, &Secrets::default()).is_err());
    }

    #[test]
    fn each_item_has_its_own_flaws_however_many_its_neighbours_have() {
        let tool = |at: usize| match at % 2 {
            0 => format!(r#"{{"name":"t{at}","a":1{}}}"#, r#","a":1"#.repeat(99)),
            _ => format!(r#"{{"name":"t{at}","a":1}}"#),
        };
        let tools: Vec<String> = (0..2_000).map(tool).collect();
        let text = format!(r#"{{"tools":[{}]}}"#, tools.join(","));
        let capture = Capture::from_file(text.into_bytes(), Limits::default()).expect("a list");
        let (catalogue, _) =
            Catalogue::of_capture(capture, &Secrets::default()).expect("a catalogue");
        assert_eq!(catalogue.items.len(), 2_000);
        for (key, item) in &catalogue.items {
            let number: usize = key.name.as_str()[1..].parse().expect("a number");
            assert_eq!(item.digest.is_raw(), number.is_multiple_of(2), "{number}");
        }
    }

    #[test]
    fn an_echoed_secret_is_replaced_by_its_name() {
        let text = r#"{"tools":[{"name":"t","description":"key abcdefgh-1234"}]}"#;
        let capture = Capture::from_file(text.into(), Limits::default()).expect("a list");
        let mut secrets = Secrets::default();
        secrets.add("TOKEN", "abcdefgh-1234");
        let (catalogue, warnings) =
            Catalogue::from_capture(&capture, &secrets).expect("a catalogue");
        let tool = catalogue.items.values().next().expect("a tool");
        assert_eq!(
            tool.definition.value().get("description"),
            Some(&Value::from("key ${TOKEN}"))
        );
        assert_eq!(warnings[0].rule, "secret-echoed");
    }
}
