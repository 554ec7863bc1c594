//! Comparing and judging two lists of tools.

use super::halves;
use crate::capture::Capture;
use crate::catalogue::{Catalogue, FileCatalogueError};
use crate::commands::compare_files;
use crate::json::Limits;
use crate::model::ServerName;
use crate::report::ServerReport;
use crate::secret::Secrets;

/// Compares two lists of tools, which the byte 0xFF parts: a list does not differ from itself, what differs one way
/// differs the other way, and nothing differs without a reason.
///
/// # Panics
/// Where one of these does not hold.
pub fn compare(data: &[u8]) {
    let (before, after) = halves(data);
    let Some(before) = catalogue(before) else {
        return;
    };
    assert!(compared(&before, &before).changes.is_empty());
    let Some(after) = catalogue(after) else {
        return;
    };
    let there = compared(&before, &after);
    for change in &there.changes {
        assert!(!change.reasons.is_empty(), "{}", change.id);
        assert!(change.before.is_some() || change.after.is_some());
    }
    // A kind of which only one of them speaks is compared one way only.
    if before.known == after.known {
        let back = compared(&after, &before);
        assert_eq!(there.changes.is_empty(), back.changes.is_empty());
    }
}

/// What a file offers; `None` if it is no list of tools, and no snapshot.
pub(super) fn catalogue(source: &[u8]) -> Option<Catalogue> {
    // As deep as real ones and some more: a sanitizer's stack frames are large.
    let limits = Limits {
        depth: 200,
        ..Limits::default()
    };
    let secrets = Secrets::default();
    let whole = Capture::from_file(source.to_vec(), limits)
        .map_err(FileCatalogueError::from)
        .and_then(|capture| Ok(Catalogue::of_capture(capture, &secrets)?));
    let one_by_one = Catalogue::from_file(source.to_vec(), limits, &secrets);
    assert_eq!(one_by_one, whole, "both readings of a file agree");
    Some(one_by_one.ok()?.0)
}

/// The report of `diff BEFORE AFTER`.
pub(super) fn compared(before: &Catalogue, after: &Catalogue) -> ServerReport {
    compare_files(ServerName::new("notes"), before, after.clone())
}
