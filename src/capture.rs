//! What a server answered, as sent: the bytes of each answer beside their strict reading.
//!
//! [`crate::client`] makes captures from live servers, [`Capture::from_file`] from a file. A capture knows
//! nothing of what its answers mean; [`crate::catalogue`] does.

use crate::json::{self, Document, Limits, Object, Value};
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

    /// The result: the `result` member of a JSON-RPC response, or the whole value where it is none.
    pub fn result(&self) -> &Value {
        let value = &self.document.value;
        match value.get("result") {
            Some(result) if value.get("tools").is_none() => result,
            _ => value,
        }
    }

    /// Takes the elements of a list out of the result; none if there is no such list.
    pub fn take_list(&mut self, member: &str) -> Vec<Value> {
        let value = &mut self.document.value;
        let wrapped = value.get("result").is_some() && value.get("tools").is_none();
        let result = if wrapped {
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

/// Why a file is nothing that a server could have answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// It is no JSON, or beyond the bounds.
    #[error("not JSON that countersign reads: {0}")]
    Json(#[from] json::Error),
    /// A list result has the member `tools`, `prompts`, `resources` or `resourceTemplates`.
    #[error(
        "neither a snapshot nor a list result: it has no `tools`, `prompts`, `resources` or `resourceTemplates`"
    )]
    NoList,
    /// A list is something other than an array.
    #[error("`{0}` is {1}, not an array")]
    NotAnArray(&'static str, &'static str),
    /// A snapshot of a countersign that is newer than this one.
    #[error(
        "a snapshot of version {0}; this countersign reads version {SNAPSHOT_VERSION}: update countersign"
    )]
    Version(String),
}

/// The version of snapshot files that this countersign writes, and the only one so far.
pub const SNAPSHOT_VERSION: &str = "1";

/// The member of a snapshot that tells a server that says nothing of itself from one that was not asked.
pub const SNAPSHOT_SILENT: &str = "silent";

impl Capture {
    /// What a file holds: a snapshot, a list result, or the JSON-RPC response around one. A bare array counts as
    /// the array of `tools`. Kinds that it does not name count as not asked for.
    pub fn from_file(source: Vec<u8>, limits: Limits) -> Result<Self, FileError> {
        let mut answer = Answer::read(source, limits)?;
        if let Value::Array(_) = answer.document.value {
            let tools = std::mem::replace(&mut answer.document.value, Value::Null);
            answer.document.value =
                Value::Object([("tools".to_owned(), tools)].into_iter().collect());
        }
        let result = answer.result();
        if let Some(Value::Number(version)) = result.get("snapshot")
            && **version != *SNAPSHOT_VERSION
        {
            return Err(FileError::Version(version.to_string()));
        }
        let mut lists = BTreeMap::new();
        for kind in Kind::LISTED {
            match result.get(kind.list_member()) {
                None => {}
                Some(Value::Array(_)) => {
                    lists.insert(kind, Vec::new());
                }
                Some(other) => {
                    return Err(FileError::NotAnArray(kind.list_member(), other.type_name()));
                }
            }
        }
        if lists.is_empty() {
            return Err(FileError::NoList);
        }
        let parts = ["instructions", "serverInfo", "capabilities"];
        let among = |value: &Value| parts.iter().any(|name| value.get(name).is_some());
        let mut knows_server = among(result);
        if result.get("snapshot").is_some() {
            knows_server |= result.get("raw").is_some_and(among);
            knows_server |= result.get(SNAPSHOT_SILENT).is_some();
        }
        let hello = if knows_server {
            Hello::Initialize(answer.clone())
        } else {
            Hello::None
        };
        // Most files hold one list: nothing is copied for the last one.
        let mut left = lists.len();
        let mut answer = Some(answer);
        for pages in lists.values_mut() {
            left -= 1;
            pages.extend(if left == 0 {
                answer.take()
            } else {
                answer.clone()
            });
        }
        Ok(Self {
            hello,
            taking: Taking {
                transport: "file".to_owned(),
                ..Taking::default()
            },
            lists,
            warnings: Vec::new(),
        })
    }
}
