//! What a report says beside its changes, as lines: problems, warnings, who acknowledged.
//!
//! Each line is escaped, and none is begun by outside text.

use super::cap;
use super::count::counted;
use super::escape::{block, short};
use super::sentence;
use crate::model::{Problem, Warning};
use crate::report::Change;

/// How wide a line may be, and whether sentences are broken to fit.
#[derive(Clone, Copy)]
pub(super) struct Room {
    /// Columns.
    pub(super) columns: usize,
    /// In a log a search must find sentences whole.
    pub(super) breaks: bool,
}

/// A sentence behind its head.
pub(super) fn said(head: &str, message: &str, room: Room) -> Vec<String> {
    sentence::lines(head, &short(message), room.columns, room.breaks)
}

/// A problem with its way out.
pub(super) fn problem(problem: &Problem) -> Vec<String> {
    let mut lines = block(&problem.message).into_iter();
    let mut out = vec![format!("error: {}", lines.next().unwrap_or_default())];
    out.extend(lines.map(|line| barred(&line)));
    let hints = problem.hint.iter().flat_map(|hint| block(hint));
    out.extend(hints.map(|hint| format!("hint: {hint}")));
    out
}

/// A warning, without what it says is to be read.
pub(super) fn warning(warning: &Warning, room: Room) -> Vec<String> {
    // Where it is named beside it, once is enough.
    let path = match warning.path.as_str() {
        path if path.is_empty() || path == warning.rule => String::new(),
        path if warning.message.contains(&format!("`{path}`")) => String::new(),
        path => format!("  {}", short(path)),
    };
    let head = format!("warning: {}{path}", warning.rule);
    said(&head, &warning.message, room)
}

/// What a warning says is to be read: both ends of it where it is long.
pub(super) fn quoted(warning: &Warning) -> Vec<String> {
    let Some(text) = &warning.text else {
        return Vec::new();
    };
    let (head, out, tail) = cap::ends(text, cap::BYTES);
    let mut lines = block(head);
    if out > 0 {
        lines.push(format!("[{} left out]", counted(out, "character")));
        lines.extend(block(tail));
    }
    lines.iter().map(|line| barred(line)).collect()
}

/// Who acknowledged a change, when, and what they said.
pub(super) fn records(change: &Change) -> Vec<String> {
    let records = change.acknowledged.iter().flatten().map(|record| {
        let note = match record.note.as_str() {
            "" => String::new(),
            note => format!("  {}", short(note)),
        };
        format!("by {}  {}{note}", short(&record.by), short(&record.at))
    });
    records.collect()
}

fn barred(line: &str) -> String {
    if line.is_empty() {
        "|".to_owned()
    } else {
        format!("| {line}")
    }
}
