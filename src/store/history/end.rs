//! How far a history had come when it was last written: what makes a missing end, and an edit of the last line, show.
//!
//! It stands beside the history in `end.json`, and is written after it: after a stop in between it tells of an earlier
//! line. What cannot be read is not known, and is written anew by the next writer. It binds nothing: whoever may
//! write the folder may write both.

use super::{ServerStore, StoreError};
use crate::canonical;
use crate::json::{self, Limits, Object, Value};
use crate::store::{atomic, regular};
use std::path::PathBuf;

/// The last line that was written for certain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct End {
    /// Which line, from 1.
    pub(super) line: usize,
    /// Its hash, in hexadecimal digits.
    pub(super) hash: String,
}

impl ServerStore {
    /// What is known of the end; `None` before anything was written, or by a countersign that kept none.
    ///
    /// It has to be read before the history, which another run may write in between.
    pub(super) fn known_end(&self) -> Option<End> {
        let bytes = regular::own(&self.end_path()).ok()??;
        let value = json::read(&bytes, Limits::default()).ok()?.value;
        let Value::Number(line) = value.get("line")? else {
            return None;
        };
        Some(End {
            line: line.parse().ok()?,
            hash: value.get("hash")?.as_str()?.to_owned(),
        })
    }

    pub(super) fn end_path(&self) -> PathBuf {
        self.folder().join("end.json")
    }
}

impl End {
    /// Keeps it. Nothing is lost if a machine loses its power on the way: the line itself is on the disk.
    pub(super) fn write(&self, path: &std::path::Path) -> Result<(), StoreError> {
        let mut object = Object::default();
        object.set("hash", Value::from(self.hash.as_str()));
        object.set("line", Value::Number(self.line.to_string().into()));
        let mut text = canonical::to_text(&Value::Object(object));
        text.push('\n');
        atomic::write_unsynced(path, text.as_bytes())
    }
}
