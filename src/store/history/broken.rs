//! What is broken where a line does not follow from the one before it: edited, removed, moved, put in, appended.
//!
//! Each line names the hash of the one before it, and nothing else is known, so some breaks have two explanations; then
//! both are said.

use super::{PREV, START, end::End};
use crate::fingerprint::Digest;
use crate::json::{self, Limits};

/// What broke the chain before the line at an index. `lines` are all lines of the history, without their ends.
pub(super) fn why(lines: &[&[u8]], at: usize, written: Option<&End>) -> String {
    let hash = |index: usize| Digest::of_raw(lines[index]).hex();
    // The line before, counted from 1.
    let before = at;
    let Some(named) = named(lines[at]) else {
        return "it names no line before it: countersign did not write it".to_owned();
    };
    if let Some(same) = lines[..at].iter().position(|line| *line == lines[at]) {
        return format!("it repeats line {}", same + 1);
    }
    if let Some(behind) = (at + 1..lines.len()).find(|index| hash(*index) == named) {
        let behind = behind + 1;
        return format!(
            "it follows from line {behind}, which stands behind it: lines changed places"
        );
    }
    if at == 0 {
        return "the first lines are gone: it names one before it".to_owned();
    }
    if named == START {
        return "it begins a history, but lines stand before it".to_owned();
    }
    if let Some(earlier) = (0..at).find(|index| hash(*index) == named) {
        let earlier = earlier + 1;
        return format!("it follows from line {earlier}: what stands between was put in");
    }
    let next = lines.get(at + 1).and_then(|line| self::named(line));
    if next.is_some_and(|next| next == hash(at - 1)) {
        let next = at + 2;
        return format!("it was put in: line {next} follows from line {before}");
    }
    match written {
        Some(end) if end.line == before && end.hash == hash(at - 1) => {
            format!("it was put behind line {before}, the last that was written, by something else")
        }
        Some(end) if end.line > lines.len() => {
            let (written, left) = (end.line, lines.len());
            format!("lines are gone before it: {written} were written, and {left} are left")
        }
        Some(_) => format!("it does not follow from line {before}, which was edited"),
        None => format!(
            "it does not follow from line {before}: that one was edited, or a line between them is gone"
        ),
    }
}

/// The hash that a line names.
fn named(line: &[u8]) -> Option<String> {
    let limits = Limits {
        string: usize::MAX,
        ..Limits::default()
    };
    let document = json::read(line, limits).ok()?;
    Some(document.value.get(PREV)?.as_str()?.to_owned())
}
