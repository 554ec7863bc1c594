//! What a server offers at one moment: items by kind and name, each with its definition and digests.
//!
//! The one place where answers become items: names are found, what SPEC calls no change at all is levelled
//! out, definitions without a canonical form are kept raw.

mod build;
mod definition;
mod file;
mod item;
mod redact;
mod snapshot;

pub use definition::{Canonical, Definition};
pub use file::FileCatalogueError;
pub use item::{Item, display_title};

use crate::capture::Capture;
use crate::model::{ItemKey, Kind, Warning, part};
use crate::secret::Secrets;
use build::Builder;
use std::collections::{BTreeMap, BTreeSet};

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
        let mut builder = Builder::new(secrets);
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
        Ok(builder.end(known))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical;
    use crate::capture::{Answer, Hello};
    use crate::json::{self, Limits, Value};

    fn catalogue(text: &str) -> Catalogue {
        let secrets = Secrets::default();
        let found = Catalogue::from_file(text.into(), Limits::default(), &secrets);
        found.expect("a catalogue").0
    }

    #[test]
    fn an_item_with_flaws_excuses_none_in_what_the_server_says_of_itself() {
        let answer = |text: &str| Answer::read(text.into(), Limits::default()).expect("JSON");
        let page = r#"{"tools":[{"name":"a","long":"long long long long long","a":1,"a":2}]}"#;
        let capture = Capture {
            hello: Hello::Initialize(answer(r#"{"instructions":"a","instructions":"b"}"#)),
            lists: [(Kind::Tool, vec![answer(page)])].into(),
            taking: crate::capture::Taking::default(),
            warnings: Vec::new(),
        };
        let found = Catalogue::of_capture(capture, &Secrets::default());
        assert!(
            matches!(found, Err(CatalogueError::Flawed { .. })),
            "{found:?}"
        );
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
        let snapshot = one.to_snapshot();
        assert_eq!(catalogue(&snapshot), one);
        let value = json::read(snapshot.as_bytes(), Limits::default()).expect("legal JSON");
        assert_eq!(
            canonical::to_text(&canonical::canonical(&value.value)),
            snapshot
        );
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
            assert_eq!(catalogue(&one.to_snapshot()), one);
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
