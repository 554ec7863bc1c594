//! The report for programs (SPEC, section 10): exactly one JSON document.
//!
//! Names and sentences stand as they are; what a terminal would obey or not show is written as JSON escapes, so that
//! the document is safe to look at and reads back to the same texts.

use super::cap;
use super::definition::brief;
use crate::canonical::to_pretty;
use crate::model::{Problem, Warning};
use crate::parallel;
use crate::report::{
    Change, Due, Group, Held, Outcome, Record, Recorded, Report, ServerReport, Side,
};
use crate::text::hidden::is_invisible;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The version of the shape. Members are added, never renamed, within one.
const VERSION: u8 = 1;

/// How many held calls of one item are told; `approve` lists all.
const HELD: usize = 100;

/// The whole report, in JSON.
pub(super) fn report(report: &Report) -> String {
    document(&value(report))
}

/// The same as a part of another document.
pub(super) fn value(report: &Report) -> Value {
    let outcome = match report.status() {
        0 => "clean",
        1 => "drift",
        _ => "error",
    };
    let mut document = json!({
        "report": VERSION,
        "outcome": outcome,
        "servers": [],
        "warnings": warnings(&report.warnings),
        "error": report.error.as_ref().map(problem),
        "base": report.base.as_ref().map(|base| {
            json!({"name": base.name, "commit": base.commit, "lockfileOnly": base.lockfile_only})
        }),
    });
    document["servers"] = report.servers.iter().map(server).collect();
    document
}

/// Any JSON document, with what a terminal would obey as escapes.
pub(super) fn document(value: &Value) -> String {
    let mut out = visible(format!("{value:#}"));
    out.push('\n');
    out
}

/// The same on one line.
pub(super) fn line(value: &Value) -> String {
    let mut out = visible(value.to_string());
    out.push('\n');
    out
}

fn warnings<'a>(warnings: impl IntoIterator<Item = &'a Warning>) -> Vec<Value> {
    let warning = |w: &Warning| {
        let mut value = json!({"rule": w.rule, "path": w.path, "message": w.message});
        if let Some(text) = &w.text {
            let (text, hidden) = cap::cut(text);
            value["text"] = json!(text);
            value["hidden"] = json!(hidden);
        }
        value
    };
    warnings.into_iter().map(warning).collect()
}

fn server(server: &ServerReport) -> Value {
    let outcome = match server.outcome() {
        Outcome::Clean => "clean",
        Outcome::Disabled => "disabled",
        Outcome::Unknown => "unknown",
        Outcome::Drift => "drift",
    };
    let due_warnings = server.due.iter();
    let due_warnings: Vec<Warning> = due_warnings
        .map(|due| Warning::new("review-due", due.message.clone()))
        .collect();
    let mut value = json!({
        "name": server.name.as_str(),
        "outcome": outcome,
        "error": server.error.as_ref().map(problem),
        "unchanged": server.unchanged,
        "recorded": server.recorded.map(|recorded| match recorded {
            Recorded::Baseline => "baseline",
            Recorded::Completed => "completed",
        }),
        "changes": [],
        "groups": [],
        "warnings": warnings(server.warnings.iter().chain(&server.notes).chain(&due_warnings)),
        "due": server.due.iter().map(due).collect::<Vec<_>>(),
        "records": server.records.iter().map(record).collect::<Vec<_>>(),
    });
    // What stands in the macro is copied, and these can be large.
    let groups = server.groups.iter();
    value["changes"] = Value::Array(parallel::map(&server.changes, change));
    value["groups"] = groups.map(|one| group(one, &server.changes)).collect();
    value
}

fn due(due: &Due) -> Value {
    json!({"signal": due.signal, "on": due.on, "message": due.message})
}

fn record(record: &Record) -> Value {
    json!({
        "kind": record.key.as_ref().map(|key| key.kind.word()),
        "name": record.key.as_ref().map(|key| key.name.as_str()),
        "change": record.change,
        "level": record.level.map(|level| level.to_string()),
        "by": record.by.by,
        "at": record.by.at,
        "note": record.by.note,
        "void": record.void,
    })
}

fn change(change: &Change) -> Value {
    let reasons: Vec<Value> = change
        .reasons
        .iter()
        .map(|reason| {
            json!({
                "rule": reason.rule,
                "level": reason.level.to_string(),
                "path": reason.path.as_str(),
                "message": reason.message,
            })
        })
        .collect();
    let acknowledged = change.acknowledged.as_ref().map(|records| {
        let record =
            |r: &crate::report::Acknowledged| json!({"by": r.by, "at": r.at, "note": r.note});
        records.iter().map(record).collect::<Vec<_>>()
    });
    let mut value = json!({
        "id": change.id,
        "kind": change.key.kind.word(),
        "name": change.key.name.as_str(),
        "event": change.event.word(),
        "level": change.level().to_string(),
        "acknowledged": acknowledged,
        "waits": change.waits(),
        "reasons": reasons,
        "before": null,
        "after": null,
    });
    for (member, shown) in [("before", &change.before), ("after", &change.after)] {
        if let Some(shown) = shown {
            value[member] = side(shown);
        }
    }
    if let Some(former) = &change.former {
        value["former"] = json!(former.name.as_str());
    }
    // Most runs ask no guard: without the member nothing is said about calls.
    if !change.held.is_empty() {
        value["held"] = change.held.iter().take(HELD).map(held).collect();
        value["heldHidden"] = json!(change.held.len().saturating_sub(HELD));
    }
    value
}

fn held(call: &Held) -> Value {
    json!({"id": call.id, "arguments": call.arguments, "askedBy": call.asked_by, "last": call.last})
}

fn side(side: &Side) -> Value {
    let text = to_pretty(&brief(side.definition.value()));
    let (shown, hidden) = cap::cut(&text);
    json!({"digest": side.digest.to_string(), "text": shown, "hidden": hidden})
}

fn group(group: &Group, changes: &[Change]) -> Value {
    let members = group
        .members
        .iter()
        .filter_map(|(c, r)| {
            let change = changes.get(*c)?;
            let reason = change.reasons.get(*r)?;
            Some(json!({"change": change.id, "path": reason.path.as_str(), "rule": reason.rule}))
        })
        .collect();
    let mut value = json!({
        "place": group.place,
        "event": group.event,
        "level": group.level.to_string(),
        "rules": group.rules,
        "message": group.message,
        "members": [],
    });
    value["members"] = members;
    value
}

pub(super) fn problem(problem: &Problem) -> Value {
    let mut value = json!({"kind": problem.kind, "message": problem.message});
    if let Some(hint) = &problem.hint {
        value["hint"] = json!(hint);
    }
    value
}

/// A JSON text in which everything that shows nothing is an escape: such characters stand inside strings only.
/// A `#` after another one is too, because CI systems obey `##[…]` wherever it stands in a line.
fn visible(json: String) -> String {
    let shows = |b: &u8| matches!(b, b' '..=b'~' | b'\n');
    if json.bytes().all(|b| shows(&b)) && !json.contains("##") {
        return json;
    }
    let mut out = String::with_capacity(json.len());
    let mut rest = json.as_str();
    let mut before = None;
    while !rest.is_empty() {
        // Most of a text stands as it is: it is copied in runs.
        let run = rest.as_bytes().iter().position(|b| !shows(b) || *b == b'#');
        let (plain, other) = rest.split_at(run.unwrap_or(rest.len()));
        out.push_str(plain);
        before = plain.chars().next_back().or(before);
        rest = other;
        let Some(c) = rest.chars().next() else {
            break;
        };
        if is_invisible(c) || c == '#' && before == Some('#') {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
        before = Some(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}
