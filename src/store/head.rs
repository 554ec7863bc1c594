//! How far a history had come, kept apart from it: a chain alone does not tell that its last lines, or all, are gone.
//!
//! It is written after the line that it tells of, so it may be behind the history, never ahead. It is no secret and
//! bears no signature: whoever can rewrite the whole data directory can rewrite it as well.

use super::{ServerStore, StoreError, atomic, regular};
use crate::canonical;
use crate::json::{self, Limits, Object, Value};
use std::path::Path;

/// Where a history was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    /// How many lines it had.
    pub(super) lines: usize,
    /// The hash of the last of them, in hexadecimal digits.
    pub(super) hash: String,
}

impl ServerStore {
    /// How far the history was known to have come; `None` where that was never noted.
    pub(super) fn head(&self) -> Result<Option<Head>, StoreError> {
        let Some(bytes) = regular::own(&self.head)? else {
            return Ok(None);
        };
        read(&bytes).map(Some).ok_or_else(|| StoreError::Damaged {
            path: self.head.clone(),
            why: "not a record of how far a history had come".to_owned(),
        })
    }
}

/// Notes how far a history has come.
pub(super) fn write(path: &Path, head: &Head) -> Result<(), StoreError> {
    let mut object = Object::default();
    object.set("hash", Value::from(head.hash.as_str()));
    object.set("lines", Value::Number(head.lines.to_string().into()));
    let mut text = canonical::to_text(&Value::Object(object));
    text.push('\n');
    if let Some(folder) = path.parent() {
        atomic::create_folder(folder)?;
    }
    atomic::write_unsynced(path, text.as_bytes())
}

fn read(bytes: &[u8]) -> Option<Head> {
    let document = json::read(bytes, Limits::default()).ok()?;
    let object = document.value.as_object()?;
    let lines = match object.get("lines")? {
        Value::Number(text) => text.parse().ok()?,
        _ => return None,
    };
    let hash = object.text("hash")?.to_owned();
    document.flaws.is_empty().then_some(Head { lines, hash })
}
