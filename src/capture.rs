//! What a server answered, as sent: the bytes of each answer beside their strict reading.
//!
//! [`crate::client`] makes captures from live servers, [`Capture::from_file`] from a file. A capture knows
//! nothing of what its answers mean; [`crate::catalogue`] does.

mod file;

pub use file::{FileAnswer, FileError, SNAPSHOT_SILENT, SNAPSHOT_VERSION};

use crate::json::{self, Document, Element, Limits, Object, Value};
use crate::model::{Kind, Warning};
use std::collections::{BTreeMap, BTreeSet};

/// One answer: the JSON text as sent, and what it reads as.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The bytes that spans and offsets count in.
    pub source: Vec<u8>,
    /// The reading of them.
    pub document: Document,
}

impl Answer {
    /// Reads a text.
    pub fn read(source: Vec<u8>, limits: Limits) -> Result<Self, json::Error> {
        let document = json::read(&source, limits)?;
        Ok(Self { source, document })
    }

    /// Reads a text; `take` gets it, and each element of its outer lists as [`json::read_lists`] has it.
    pub fn read_lists(
        source: Vec<u8>,
        limits: Limits,
        mut take: impl FnMut(&[u8], Element<'_>) -> Option<Value>,
    ) -> Result<Self, json::Error> {
        let document = json::read_lists(&source, limits, &mut |element| take(&source, element))?;
        Ok(Self { source, document })
    }

    /// Whether the result is the member `result` of a JSON-RPC response, and not the whole value.
    pub fn is_response(&self) -> bool {
        let value = &self.document.value;
        value.get("result").is_some() && value.get("tools").is_none()
    }

    /// The result: the `result` member of a JSON-RPC response, or the whole value where it is none.
    pub fn result(&self) -> &Value {
        let value = &self.document.value;
        let result = value.get("result").filter(|_| self.is_response());
        result.unwrap_or(value)
    }

    /// Takes the elements of a list out of the result; none if there is no such list.
    pub fn take_list(&mut self, member: &str) -> Vec<Value> {
        let is_response = self.is_response();
        let value = &mut self.document.value;
        let result = if is_response {
            value.get_mut("result")
        } else {
            Some(value)
        };
        match result.and_then(|result| result.get_mut(member)) {
            Some(Value::Array(elements)) => std::mem::take(elements),
            _ => Vec::new(),
        }
    }
}

/// How the talk began.
#[derive(Debug, Clone)]
pub enum Hello {
    /// The answer to `initialize` (revisions up to 2025-11-25).
    Initialize(Answer),
    /// The answer to `server/discover` (2026-07-28 and later).
    Discover(Answer),
    /// A file that is no snapshot: it says nothing about the server itself.
    None,
}

/// The protocol's two eras (2026-07-28, "Versioning").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// The stateful `initialize` handshake.
    Legacy,
    /// Stateless, with metadata in every request.
    Modern,
}

impl Era {
    /// The word for reports and history.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Legacy => "legacy",
            Self::Modern => "modern",
        }
    }

    /// The era with that word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Legacy, Self::Modern]
            .into_iter()
            .find(|era| era.word() == word)
    }
}

/// What is known about how a capture was taken. It goes to the history, never into a snapshot.
#[derive(Debug, Clone, Default)]
pub struct Taking {
    /// `stdio`, `http` or `file`.
    pub transport: String,
    /// Which era was found.
    pub era: Option<Era>,
    /// The revision in force, as the server named it. Outside text.
    pub revision: String,
    /// The capability profile that was declared: `host`, `none` or a file's name.
    pub profile: String,
    /// Name and version under which countersign introduced itself.
    pub client: String,
    /// The kind of credential that was sent: `header`, `bearer`, `token-command`; empty for none.
    pub credential: String,
    /// Which one of that kind, as far as that can be told without telling it: the variables that it came from, the
    /// client that it was given to, when somebody signed in.
    pub label: String,
    /// The scopes that were granted with it, where its issuer said so. Outside text.
    pub scopes: Option<BTreeSet<String>>,
    /// Pages per kind.
    pub pages: BTreeMap<Kind, usize>,
    /// `ttlMs` and `cacheScope` of the last page, per kind, where sent.
    pub cache: BTreeMap<Kind, (Option<String>, Option<String>)>,
}

impl Taking {
    /// As an object for the history. Members without a value are left out.
    pub fn to_value(&self) -> Value {
        let mut object = Object::default();
        let mut put = |name: &str, text: &str| {
            if !text.is_empty() {
                object.set(name, Value::from(text));
            }
        };
        put("transport", &self.transport);
        put("era", self.era.map_or("", Era::word));
        put("revision", &self.revision);
        put("profile", &self.profile);
        put("client", &self.client);
        put("credential", &self.credential);
        put("label", &self.label);
        if let Some(scopes) = &self.scopes {
            let scopes = scopes.iter().map(|scope| Value::from(scope.as_str()));
            object.set("scopes", Value::Array(scopes.collect()));
        }
        let pages: Object = self
            .pages
            .iter()
            .map(|(kind, count)| {
                (
                    kind.plural().to_owned(),
                    Value::Number(count.to_string().into()),
                )
            })
            .collect();
        if !pages.is_empty() {
            object.set("pages", Value::Object(pages));
        }
        let cache: Object = self
            .cache
            .iter()
            .filter(|(_, (ttl, scope))| ttl.is_some() || scope.is_some())
            .map(|(kind, (ttl, scope))| {
                let mut members = Object::default();
                if let Some(ttl) = ttl {
                    members.set("ttlMs", Value::Number(ttl.as_str().into()));
                }
                if let Some(scope) = scope {
                    members.set("cacheScope", Value::from(scope.as_str()));
                }
                (kind.plural().to_owned(), Value::Object(members))
            })
            .collect();
        if !cache.is_empty() {
            object.set("cache", Value::Object(cache));
        }
        Value::Object(object)
    }
}

/// Everything that one server offered at one moment.
#[derive(Debug, Clone)]
pub struct Capture {
    /// How the talk began.
    pub hello: Hello,
    /// The pages of each list. A kind that the server does not offer has an empty list of pages; a kind
    /// that was not asked for is absent, and nothing is known about it.
    pub lists: BTreeMap<Kind, Vec<Answer>>,
    /// How it was taken.
    pub taking: Taking,
    /// What was odd about the talk: stray output, an unknown revision.
    pub warnings: Vec<Warning>,
}

impl Capture {
    /// The names of each list in the order in which the server gave them; outside text. Items without a name are
    /// left out.
    pub fn order(&self) -> BTreeMap<Kind, Vec<String>> {
        let names = |kind: Kind, answers: &[Answer]| -> Vec<String> {
            let lists = answers
                .iter()
                .filter_map(|answer| answer.result().get(kind.list_member())?.as_array());
            let names = lists
                .flatten()
                .filter_map(|item| item.get(kind.name_member())?.as_str());
            names.map(str::to_owned).collect()
        };
        let lists = self.lists.iter();
        lists
            .map(|(kind, answers)| (*kind, names(*kind, answers)))
            .collect()
    }
}
