//! The end of a text report: one sentence that says which kind of empty or full, and the commands that lead on.

use super::count::counted;
use super::escape::line;
use super::{Style, What};
use crate::model::Level;
use crate::report::{Outcome, Report, ServerReport};

/// One sentence about the whole run. It always agrees with the exit status.
pub(super) fn summary(report: &Report, what: What) -> String {
    if report.error.is_some() && report.servers.is_empty() {
        return "nothing was checked".to_owned();
    }
    let of = |wanted| {
        report
            .servers
            .iter()
            .filter(|s| s.outcome() == wanted)
            .count()
    };
    let (unknown, disabled) = (of(Outcome::Unknown), of(Outcome::Disabled));
    // A server may hold drift and an error.
    let broken = report.servers.iter().filter(|s| s.error.is_some()).count();
    let checked = report.servers.len() - unknown - disabled;
    let mut parts = Vec::new();
    if report.servers.is_empty() {
        parts.push("no server to check".to_owned());
    } else if checked > 0 || report.servers.iter().any(|s| !s.changes.is_empty()) {
        parts.push(changes(report, checked, what));
    }
    if broken > 0 {
        parts.push(format!(
            "{} could not be checked",
            counted(broken, "server")
        ));
    }
    if disabled > 0 {
        parts.push(format!("{} disabled", counted(disabled, "server")));
    }
    if report.error.is_some() {
        parts.push("not everything was checked".to_owned());
    }
    parts.join("; ")
}

fn changes(report: &Report, checked: usize, what: What) -> String {
    let changes = || report.servers.iter().flat_map(|server| &server.changes);
    let waiting = changes().filter(|change| change.waits()).count();
    let acknowledged = changes()
        .filter(|change| change.acknowledged.is_some())
        .count();
    let minor = changes().count() - waiting - acknowledged;
    let unchanged: usize = report.servers.iter().map(|server| server.unchanged).sum();
    let mut parts = if waiting > 0 {
        let servers = report
            .servers
            .iter()
            .filter(|s| s.outcome() == Outcome::Drift)
            .count();
        let verb = if waiting == 1 { "waits" } else { "wait" };
        let waits = format!("{} {verb}", counted(waiting, "material change"));
        let minor = (minor > 0).then(|| counted(minor, "minor change"));
        let acknowledged = (acknowledged > 0).then(|| format!("{acknowledged} acknowledged"));
        let waits = format!("{waits} in {}", counted(servers, "server"));
        [Some(waits), minor, acknowledged]
            .into_iter()
            .flatten()
            .collect()
    } else if minor + acknowledged > 0 {
        let material = changes().any(|change| change.level() == Level::Material);
        let all = counted(minor + acknowledged, "change");
        let none = if material {
            "none waits"
        } else {
            "none material"
        };
        let acknowledged = (acknowledged > 0).then(|| format!("{acknowledged} acknowledged"));
        [all, none.to_owned()]
            .into_iter()
            .chain(acknowledged)
            .collect()
    } else {
        let servers = counted(checked, "server");
        vec![match what {
            What::Diff | What::Files => format!("{servers}, no change"),
            What::Snapshot => format!("{servers} recorded, nothing waits"),
            What::Review { .. } => format!("{servers}, nothing waits"),
        }]
    };
    if unchanged > 0 {
        parts.push(format!("{} unchanged", counted(unchanged, "item")));
    }
    parts.join(", ")
}

/// How many servers or ids a command names before it names none.
const NAMED: usize = 3;

/// The commands that lead on from what waits, to be pasted.
pub(super) fn hints(report: &Report, style: &Style) -> Vec<String> {
    let waiting: Vec<&ServerReport> = report
        .servers
        .iter()
        .filter(|server| server.outcome() == Outcome::Drift)
        .collect();
    if waiting.is_empty() || style.what == What::Files {
        return Vec::new();
    }
    let ids: Vec<&str> = waiting
        .iter()
        .flat_map(|server| &server.changes)
        .filter(|change| change.waits())
        .map(|change| change.id.as_str())
        .collect();
    let servers: Option<Vec<String>> = waiting
        .iter()
        .map(|server| pasted(server.name.as_str()))
        .collect();
    let servers = servers
        .filter(|servers| servers.len() <= NAMED)
        .map(|s| s.join(" "));
    let lock = match &style.lock {
        None => String::new(),
        Some(lock) => match pasted(lock) {
            Some(lock) => format!(" --lock {lock}"),
            // No command that can be pasted names that file.
            None => return Vec::new(),
        },
    };
    let ack = if ids.len() <= NAMED {
        ids.join(" ")
    } else {
        servers.clone().unwrap_or_else(|| "--all".to_owned())
    };
    let review = servers
        .map(|servers| format!(" {servers}"))
        .unwrap_or_default();
    let ack = format!("countersign ack {ack}{lock}");
    match style.what {
        What::Review { .. } => vec![ack],
        _ => vec![format!("countersign review{review}{lock}"), ack],
    }
}

/// A word as a shell takes it; `None` where that cannot be shown, or reads as a flag.
fn pasted(word: &str) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./:@%+=,-".contains(c);
    if word.is_empty() || word.starts_with('-') || line(word) != word {
        None
    } else if word.chars().all(plain) {
        Some(word.to_owned())
    } else {
        Some(format!("'{}'", word.replace('\'', r"'\''")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_a_shell_are_quoted_where_they_must_be() {
        for (word, shown) in [
            ("notes", Some("notes")),
            ("my notes", Some("'my notes'")),
            ("it's", Some(r"'it'\''s'")),
            ("$(x)", Some("'$(x)'")),
            ("-x", None),
            ("", None),
            ("a\u{202e}b", None),
            ("a\nb", None),
        ] {
            assert_eq!(pasted(word).as_deref(), shown);
        }
    }
}
