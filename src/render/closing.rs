//! The end of a text report: one sentence that says which kind of empty or full.

use super::What;
use super::count::counted;
use super::escape::short;
use super::heading::{is_first_sight, material, passes};
use crate::model::Level;
use crate::report::{Base, Change, Outcome, Report, ServerReport};

/// One sentence about the whole run. It always agrees with the exit status.
pub(super) fn summary(report: &Report, what: What) -> String {
    if report.error.is_some() && report.servers.is_empty() {
        return "nothing was checked".to_owned();
    }
    let disabled = |s: &&ServerReport| s.outcome() == Outcome::Disabled;
    let disabled = report.servers.iter().filter(disabled).count();
    // A server may hold drift and an error.
    let broken = report.servers.iter().filter(|s| s.error.is_some()).count();
    let (first, known): (Vec<&ServerReport>, Vec<&ServerReport>) = report
        .servers
        .iter()
        .partition(|server| is_first_sight(server));
    let is_checked = |s: &&&ServerReport| matches!(s.outcome(), Outcome::Clean | Outcome::Drift);
    let checked = known.iter().filter(is_checked).count();
    let mut parts = Vec::new();
    if report.servers.is_empty() {
        parts.push("no server to check".to_owned());
    }
    if !first.is_empty() {
        parts.push(first_sight(&first));
    }
    if checked > 0 || known.iter().any(|server| !server.changes.is_empty()) {
        parts.push(changes(&known, checked, what));
    }
    let due = report.servers.iter().filter(|s| s.review_waits()).count();
    if due > 0 {
        parts.push(format!("{} due for a review", counted(due, "server")));
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

/// Which lockfile decided, where it is not the project's own.
pub(super) fn judged_by(base: &Base) -> String {
    let commit = match &base.commit {
        Some(commit) => format!(" at {}", short(commit)),
        None => String::new(),
    };
    let alone = if base.lockfile_only {
        ": the lockfile alone, no server was asked"
    } else {
        ""
    };
    format!(
        "judged by the lockfile of `{}`{commit}{alone}",
        short(&base.name)
    )
}

/// Nothing earlier exists to compare a first sight with.
fn first_sight(servers: &[&ServerReport]) -> String {
    let items = servers.iter().map(|server| server.unchanged).sum();
    format!(
        "{} recorded, with {} that nobody has reviewed yet",
        counted(servers.len(), "new server"),
        counted(items, "item")
    )
}

fn changes(servers: &[&ServerReport], checked: usize, what: What) -> String {
    let changes = || servers.iter().flat_map(|server| &server.changes);
    let waiting = changes().filter(|change| change.waits()).count();
    let acknowledged = changes()
        .filter(|change| change.acknowledged.is_some())
        .count();
    let marked = changes().filter(|change| change.marked).count();
    let minor = changes().count() - waiting - acknowledged - marked;
    let unchanged: usize = servers.iter().map(|server| server.unchanged).sum();
    let mut parts = if waiting > 0 {
        let drift = |s: &&&ServerReport| s.changes.iter().any(Change::waits);
        let place = match what {
            What::Files => String::new(),
            _ => format!(
                " in {}",
                counted(servers.iter().filter(drift).count(), "server")
            ),
        };
        let waits = format!("{}{place}", material(waiting, what));
        let marked = (marked > 0).then(|| passes(marked));
        let minor = (minor > 0).then(|| counted(minor, "minor change"));
        let acknowledged = (acknowledged > 0).then(|| format!("{acknowledged} acknowledged"));
        [Some(waits), marked, minor, acknowledged]
            .into_iter()
            .flatten()
            .collect()
    } else if minor + acknowledged + marked > 0 {
        let any_material = changes().any(|change| change.level() == Level::Material);
        let all = counted(minor + acknowledged + marked, "change");
        let none = if any_material {
            "none waits"
        } else {
            "none material"
        };
        let acknowledged = (acknowledged > 0).then(|| format!("{acknowledged} acknowledged"));
        [all, none.to_owned()]
            .into_iter()
            .chain((marked > 0).then(|| passes(marked)))
            .chain(acknowledged)
            .collect()
    } else {
        let servers = counted(checked, "server");
        vec![match what {
            What::Diff | What::Files => format!("{servers}, no change"),
            What::Snapshot | What::Review { .. } => format!("{servers}, nothing waits"),
        }]
    };
    if unchanged > 0 {
        parts.push(format!("{} unchanged", counted(unchanged, "item")));
    }
    parts.join(", ")
}
