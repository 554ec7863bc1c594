//! The version of the records in the data directory: what was written by a newer countersign is never guessed at,
//! never overwritten and never taken for damage.
//!
//! Version 1 is not written down. A later one stands in the member `version`; a history may change in it from one line
//! to the next. Snapshots and lockfiles have their own ([`crate::capture::SNAPSHOT_VERSION`], [`crate::lockfile`]).

use super::StoreError;
use crate::json::{Object, Value};
use std::path::Path;

/// What this countersign writes and reads.
pub(super) const VERSION: &str = "1";

/// Refuses a record of another version.
pub(super) fn check(object: &Object, path: &Path, line: Option<usize>) -> Result<(), StoreError> {
    let found = match object.get("version") {
        None => return Ok(()),
        Some(Value::Number(found)) => found.to_string(),
        Some(other) => other.type_name().to_owned(),
    };
    if found == VERSION {
        return Ok(());
    }
    Err(StoreError::Newer {
        path: path.to_owned(),
        line,
        found,
        reads: VERSION,
    })
}
