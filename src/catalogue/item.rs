//! One item: its definition in canonical form, or raw where it has none, and what identifies it.

use super::definition::{Canonical, Definition};
use crate::canonical;
use crate::fingerprint::Digest;
use crate::json::{self, FlawKind, Limits, Value};
use crate::model::{ItemKey, Kind};
use std::sync::Arc;

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
        let canonical = Canonical::of(value);
        let digest = Digest::of(canonical.text());
        Self {
            definition: Arc::new(Definition::Canonical(canonical)),
            digest,
        }
    }

    /// The same item, to be kept among many: its value is read again where somebody asks for it.
    #[must_use]
    pub fn put_away(mut self) -> Self {
        if let Some(Definition::Canonical(canonical)) = Arc::get_mut(&mut self.definition) {
            canonical.forget_value();
        }
        self
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
            Definition::Canonical(_) if kind == Kind::Tool => {
                let tool = self.definition.glance();
                Some(Digest::of(&what_the_model_reads(&tool)))
            }
            _ => None,
        }
    }

    /// Of several different definitions that a server lists under one name. Their order does not count.
    pub(super) fn ambiguous<'a>(items: impl Iterator<Item = &'a Self>) -> Self {
        let mut texts: Vec<Vec<u8>> = items
            .map(|item| match &*item.definition {
                Definition::Canonical(canonical) => canonical.text().as_bytes().to_vec(),
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
            one => name_of(&one.glance()),
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

/// A flaw as a clause.
pub(super) fn describe(flaw: &FlawKind) -> String {
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
