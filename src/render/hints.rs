//! The commands that lead on from a report, to be pasted.

use super::escape::line;
use super::{Style, What};
use crate::model::{ItemKey, part};
use crate::pair::Event;
use crate::report::{Change, Outcome, Recorded, Report, ServerReport};

/// How many servers or changes a command names before it names none.
const NAMED: usize = 3;

/// The hints of a report. Two files that were compared lead to nothing.
pub(super) fn hints(report: &Report, style: &Style) -> Vec<String> {
    let lock = match &style.lock {
        None => String::new(),
        Some(lock) => match pasted(lock) {
            Some(lock) => format!(" --lock {lock}"),
            // No command that can be pasted names that file.
            None => return Vec::new(),
        },
    };
    let waiting: Vec<&ServerReport> = report
        .servers
        .iter()
        .filter(|server| server.outcome() == Outcome::Drift)
        .collect();
    if report.base.is_some() {
        return beside_a_base(&waiting, &lock).into_iter().collect();
    }
    match style.what {
        What::Files => Vec::new(),
        _ => [
            commit(report, style),
            take_in(&waiting, style, &lock),
            review(&waiting, style, &lock),
            acknowledge(&waiting, &lock),
        ]
        .into_iter()
        .flatten()
        .collect(),
    }
}

/// What waits beside a base is acknowledged beside the branch's own lockfile, and that is committed.
fn beside_a_base(waiting: &[&ServerReport], lock: &str) -> Option<String> {
    let names = names(waiting).map(|names| format!(" {names}"));
    let names = names.unwrap_or_default();
    (!waiting.is_empty()).then(|| {
        format!("countersign diff{names}{lock}, then countersign ack what you accept, and commit the lockfile")
    })
}

/// What guards a first sight is the review of the lockfile in git.
fn commit(report: &Report, style: &Style) -> Option<String> {
    let recorded = |server: &ServerReport| server.recorded == Some(Recorded::Baseline);
    let lockfile = pasted(&style.lockfile)?;
    let hint = format!("read `{lockfile}`, then commit it: git add {lockfile}");
    report.servers.iter().any(recorded).then_some(hint)
}

/// The lockfile takes in a server that it does not hold by `snapshot`; nothing of it can be acknowledged before.
fn take_in(waiting: &[&ServerReport], style: &Style, lock: &str) -> Option<String> {
    let new: Vec<&ServerReport> = waiting
        .iter()
        .copied()
        .filter(|server| server.changes.iter().any(is_new_server))
        .collect();
    if new.is_empty() {
        return None;
    }
    if style.by_flags {
        return Some("countersign snapshot, with the flags that name the server here".to_owned());
    }
    let configs = style.configs.iter().map(|config| pasted(config));
    let configs: Option<Vec<String>> = configs
        .map(|config| Some(format!(" --config {}", config?)))
        .collect();
    let names = names(&new)
        .map(|names| format!(" {names}"))
        .unwrap_or_default();
    let command = format!("countersign snapshot{names}{}{lock}", configs?.concat());
    Some(match style.what {
        // It was just run, and wrote no lockfile: it does not where CI runs it.
        What::Snapshot => {
            format!("{command}, on a machine where `CI` is not set, and commit the lockfile")
        }
        _ => command,
    })
}

fn review(waiting: &[&ServerReport], style: &Style, lock: &str) -> Option<String> {
    let known = known(waiting);
    if known.is_empty() || matches!(style.what, What::Review { .. }) {
        return None;
    }
    let names = names(&known)
        .map(|names| format!(" {names}"))
        .unwrap_or_default();
    Some(format!("countersign review{names}{lock}"))
}

fn acknowledge(waiting: &[&ServerReport], lock: &str) -> Option<String> {
    let known = known(waiting);
    let changes: Option<Vec<String>> = known
        .iter()
        .flat_map(|server| server.changes.iter().map(move |change| (server, change)))
        .filter(|(_, change)| change.waits())
        .map(|(server, change)| selector(server, change))
        .collect();
    let selectors = match changes {
        Some(changes) if changes.is_empty() => return None,
        Some(changes) if changes.len() <= NAMED => changes.join(" "),
        _ => names(&known).unwrap_or_else(|| "--all".to_owned()),
    };
    Some(format!("countersign ack {selectors}{lock}"))
}

/// A launch by its name: it is what keeps the server from being started. Other changes by their id.
fn selector(server: &ServerReport, change: &Change) -> Option<String> {
    if change.key == ItemKey::part(part::LAUNCH) {
        pasted(&format!("{}/{}", server.name.as_str(), part::LAUNCH))
    } else {
        Some(change.id.clone())
    }
}

/// Servers that the lockfile holds.
fn known<'a>(waiting: &[&'a ServerReport]) -> Vec<&'a ServerReport> {
    let known = |server: &&ServerReport| !server.changes.iter().any(is_new_server);
    waiting.iter().copied().filter(known).collect()
}

fn is_new_server(change: &Change) -> bool {
    change.key == ItemKey::part(part::LAUNCH) && change.event == Event::Added
}

/// The names of servers as words for a shell; `None` if they are many or one cannot be pasted.
fn names(servers: &[&ServerReport]) -> Option<String> {
    let names: Option<Vec<String>> = servers.iter().map(|s| pasted(s.name.as_str())).collect();
    names
        .filter(|names| names.len() <= NAMED)
        .map(|names| names.join(" "))
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
