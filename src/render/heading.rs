//! The first line of a server and of a change in a text report.

use super::What;
use super::count::counted;
use super::escape::{name, short};
use crate::report::{Change, Due, Record, Recorded, ServerReport};

/// `tool notes/find_note  changed  [id]`.
pub(super) fn of_change(server: &ServerReport, change: &Change) -> String {
    let former = match &change.former {
        Some(former) => format!(" from {}", name(former.name.as_str())),
        None => String::new(),
    };
    format!(
        "{} {}/{}  {}{former}  [{}]",
        change.key.kind.word(),
        name(server.name.as_str()),
        name(change.key.name.as_str()),
        change.event.word(),
        change.id
    )
}

/// `due: server notes  flagged on 2026-…`: why a review of the whole is due.
pub(super) fn of_due(server: &ServerReport, due: &Due) -> String {
    let server = name(server.name.as_str());
    format!("due: server {server}  {}", short(&due.message))
}

/// `due: server notes  flagged on 2026-…`, a line each, and the way out: a review that what was done did not answer.
pub fn still_due(server: &ServerReport) -> String {
    let due = server.due.iter().map(|due| of_due(server, due) + "\n");
    due.chain([way_out(server) + "\n"]).collect()
}

/// What answers a review that is due.
pub(super) fn way_out(server: &ServerReport) -> String {
    format!(
        "`countersign ack {}` records a review",
        name(server.name.as_str())
    )
}

/// `recorded  tool notes/find_note  [id]  by Ann  2026-…  a note`: a record that is new in a branch.
fn of_record(server: &ServerReport, record: &Record) -> String {
    let server = name(server.name.as_str());
    let what = match (&record.key, &record.change) {
        (Some(key), Some(id)) => format!(
            "{} {server}/{}  [{}]",
            key.kind.word(),
            name(key.name.as_str()),
            short(id)
        ),
        _ => format!("server {server}  reviewed"),
    };
    let note = match record.by.note.as_str() {
        "" => String::new(),
        note => format!("  {}", short(note)),
    };
    format!(
        "recorded  {what}  by {}  {}{note}",
        short(&record.by.by),
        short(&record.by.at)
    )
}

/// The records of a branch that no acknowledged change shows, a line each.
pub(super) fn untold(server: &ServerReport) -> Vec<String> {
    let told = |record: &&Record| {
        let changes = server.changes.iter();
        let mut by = changes.flat_map(|change| change.acknowledged.iter().flatten());
        by.any(|by| *by == record.by)
    };
    let untold = server.records.iter().filter(|record| !told(record));
    untold.map(|record| of_record(server, record)).collect()
}

/// `server notes: 2 material changes wait, 1 item unchanged`.
pub(super) fn of_server(server: &ServerReport, what: What) -> String {
    let shown = name(server.name.as_str());
    format!("server {shown}: {}", counts(server, what))
}

/// `2 material changes wait, 1 item unchanged`: nothing from outside.
pub(super) fn counts(server: &ServerReport, what: What) -> String {
    let changes = || server.changes.iter();
    let acknowledged = changes().filter(|c| c.acknowledged.is_some()).count();
    let waiting = changes().filter(|change| change.waits()).count();
    let marked = changes().filter(|change| change.marked).count();
    let minor = server.changes.len() - acknowledged - waiting - marked;
    let mut parts = Vec::new();
    if server.error.is_some() {
        parts.push("could not be checked".to_owned());
    } else if server.disabled {
        parts.push("disabled".to_owned());
    } else if let Some(recorded) = server.recorded {
        parts.push(
            match recorded {
                Recorded::Baseline => "first sight, recorded as the baseline",
                Recorded::Completed => "the baseline was completed",
            }
            .to_owned(),
        );
    } else if server.changes.is_empty() && !server.review_waits() {
        parts.push("no change".to_owned());
    }
    if waiting > 0 {
        parts.push(material(waiting, what));
    }
    if marked > 0 {
        parts.push(passes(marked));
    }
    if minor > 0 {
        parts.push(counted(minor, "minor change"));
    }
    if acknowledged > 0 {
        parts.push(format!("{acknowledged} acknowledged"));
    }
    if server.review_waits() {
        parts.push("a review is due".to_owned());
    }
    if server.unchanged > 0 {
        let items = counted(server.unchanged, "item");
        parts.push(if is_first_sight(server) {
            items
        } else {
            format!("{items} unchanged")
        });
    }
    parts.join(", ")
}

/// `1 material change passes by policy`.
pub(super) fn passes(count: usize) -> String {
    let verb = if count == 1 { "passes" } else { "pass" };
    format!("{} {verb} by policy", counted(count, "material change"))
}

/// `2 material changes wait`. Of two files nothing waits for anybody.
pub(super) fn material(count: usize, what: What) -> String {
    let verb = match (what, count) {
        (What::Files, _) => "",
        (_, 1) => " waits",
        _ => " wait",
    };
    format!("{}{verb}", counted(count, "material change"))
}

/// Whether the lockfile did not hold the server before: then nothing of it is unchanged.
pub(super) fn is_first_sight(server: &ServerReport) -> bool {
    server.recorded == Some(Recorded::Baseline)
}
