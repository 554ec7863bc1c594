//! A file in the place of a server: a snapshot, a list result, or the JSON-RPC response around one.

use super::{Answer, Capture, Hello, Taking};
use crate::json::{self, Limits, Value};
use crate::model::Kind;
use std::collections::BTreeSet;

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

/// What a file holds, as one answer to every list and to `initialize`.
#[derive(Debug, Clone)]
pub struct FileAnswer {
    /// The reading. A bare array counts as the array of `tools`.
    pub answer: Answer,
    /// The kinds that it names; the others count as not asked for. At least one.
    pub kinds: BTreeSet<Kind>,
    /// Whether it says anything about the server itself, if only that there is nothing to say.
    pub knows_server: bool,
}

impl FileAnswer {
    /// Looks at what stands around the items: whether they are there or taken already makes no difference.
    pub fn of(mut answer: Answer) -> Result<Self, FileError> {
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
        let mut kinds = BTreeSet::new();
        for kind in Kind::LISTED {
            match result.get(kind.list_member()) {
                None => {}
                Some(Value::Array(_)) => {
                    kinds.insert(kind);
                }
                Some(other) => {
                    return Err(FileError::NotAnArray(kind.list_member(), other.type_name()));
                }
            }
        }
        if kinds.is_empty() {
            return Err(FileError::NoList);
        }
        let parts = ["instructions", "serverInfo", "capabilities"];
        let among = |value: &Value| parts.iter().any(|name| value.get(name).is_some());
        let mut knows_server = among(result);
        if result.get("snapshot").is_some() {
            knows_server |= result.get("raw").is_some_and(among);
            knows_server |= result.get(SNAPSHOT_SILENT).is_some();
        }
        Ok(Self {
            answer,
            kinds,
            knows_server,
        })
    }
}

impl Capture {
    /// What a file holds: a snapshot, a list result, or the JSON-RPC response around one. A bare array counts as
    /// the array of `tools`. Kinds that it does not name count as not asked for.
    pub fn from_file(source: Vec<u8>, limits: Limits) -> Result<Self, FileError> {
        let FileAnswer {
            answer,
            kinds,
            knows_server,
        } = FileAnswer::of(Answer::read(source, limits)?)?;
        let hello = if knows_server {
            Hello::Initialize(answer.clone())
        } else {
            Hello::None
        };
        // Most files hold one list: nothing is copied for the last one.
        let mut left = kinds.len();
        let mut answer = Some(answer);
        let pages = kinds.into_iter().map(|kind| {
            left -= 1;
            let page = if left == 0 {
                answer.take()
            } else {
                answer.clone()
            };
            (kind, page.into_iter().collect())
        });
        Ok(Self {
            hello,
            lists: pages.collect(),
            taking: Taking {
                transport: "file".to_owned(),
                ..Taking::default()
            },
            warnings: Vec::new(),
        })
    }
}
