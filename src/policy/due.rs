//! When a whole server is due for another review, and why (SPEC, section 8). Dates come in as arguments.
//!
//! A review answers every signal that is no younger than it. Nothing is counted in days for a reader: a report of an
//! unchanged world says the same tomorrow, but for what fell due.

use crate::json::Value;
use crate::lockfile::{self, Entry, Lockfile, Review};
use crate::model::{ItemKey, ServerName, part};
use crate::report::{Change, Due};
use crate::rules;
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _};

/// What holds for a server as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerSettings {
    /// After how many days a review is due again; `None` for never.
    pub review_every: Option<u16>,
    /// Whether a review that is due keeps a run from passing.
    pub due_fails: bool,
    /// Whether a review must say why.
    pub require_note: bool,
}

/// How long a review holds where no policy says otherwise, in days.
const REVIEW_EVERY: u16 = 180;

/// The settings of a server.
pub fn of_server(lockfile: &Lockfile, server: &ServerName) -> ServerSettings {
    let own = lockfile.servers.get(server).map(|server| &server.policy);
    let setting = |name: &str| {
        let mut policies = own.into_iter().chain([&lockfile.policy]);
        policies.find_map(|policy| policy.get(name))
    };
    ServerSettings {
        review_every: match setting("reviewEvery").and_then(Value::as_str) {
            None => Some(REVIEW_EVERY),
            Some("off") => None,
            // What is no such text is refused when the file is read.
            Some(text) => text.trim_end_matches('d').parse().ok(),
        },
        due_fails: setting("due").and_then(Value::as_str) == Some("fail"),
        require_note: setting("requireNote")
            .and_then(Value::as_bool)
            .unwrap_or(false),
    }
}

/// That somebody asked for a full review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flag {
    /// When, as RFC 3339.
    pub at: String,
    /// `incident`, `report`, `policy` or `usage`.
    pub reason: String,
    /// What they said. Outside text.
    pub note: String,
}

/// Why a server is due for a review; empty if it is not.
///
/// `locked` is the account that holds the reviews, `base` the one that decides, where that holds the server: the same,
/// or the one that a branch started from. Of a branch no record counts that does not beside its base, and none of the
/// base's is gone because the branch says so. `today` is `YYYY-MM-DD` in UTC, `waiting` what differs from the account
/// now.
pub fn due(
    settings: ServerSettings,
    locked: &lockfile::Server,
    base: Option<&lockfile::Server>,
    today: &str,
    flags: &[Flag],
    waiting: &[Change],
) -> Vec<Due> {
    let void = locked.void_reviews(base);
    let counting = locked.reviewed.iter();
    let last = newest(counting.filter(|review| !void.contains(review)), today);
    let since = &base.unwrap_or(locked).since;
    let mut found = Vec::new();
    found.extend(too_old(settings, since, last, today));
    let launch = "its launch or authentication is another";
    let rule = &rules::LAUNCH_CHANGED;
    found.extend(recorded(locked, base, last, part::LAUNCH, rule, launch));
    let version = "it calls itself another major version";
    let rule = &rules::MAJOR_VERSION;
    found.extend(recorded(locked, base, last, part::INFO, rule, version));
    let hits = |change: &&Change| {
        let major = |reason: &rules::Reason| reason.rule == rules::MAJOR_VERSION.id;
        change.acknowledged.is_none() && change.reasons.iter().any(major)
    };
    found.extend(waiting.iter().find(hits).map(|_| Due {
        signal: rules::MAJOR_VERSION.id,
        on: None,
        message: format!("{version} than the accepted one"),
    }));
    let unanswered = flags.iter().filter(|flag| !is_answered(&flag.at, last));
    found.extend(unanswered.map(|flag| {
        let note = match flag.note.as_str() {
            "" => String::new(),
            note => format!(": {note}"),
        };
        let on = day(&flag.at);
        Due {
            signal: "flagged",
            message: format!("flagged on {on} ({}){note}", flag.reason),
            on: Some(on),
        }
    }));
    found
}

/// When the server as a whole was last reviewed, up to the end of a day (`YYYY-MM-DD`, UTC): a record that says that it was
/// made later would answer for what nobody has seen yet.
pub fn last_review(locked: &lockfile::Server, today: &str) -> Option<Timestamp> {
    newest(locked.reviewed.iter(), today)
}

fn newest<'a>(reviews: impl Iterator<Item = &'a Review>, today: &str) -> Option<Timestamp> {
    let times = reviews.filter_map(|review| review.at.parse::<Timestamp>().ok());
    times
        .filter(|at| day(&at.to_string()).as_str() <= today)
        .max()
}

fn too_old(
    settings: ServerSettings,
    since: &str,
    last: Option<Timestamp>,
    today: &str,
) -> Option<Due> {
    let days = settings.review_every?;
    let last_day = last.map(|last| day(&last.to_string()));
    let from: Date = last_day.as_deref().unwrap_or(since).parse().ok()?;
    let on = from.checked_add(i64::from(days).days()).ok()?;
    let today: Date = today.parse().ok()?;
    (on <= today).then(|| Due {
        signal: "review-every",
        on: Some(on.to_string()),
        message: match last_day {
            Some(day) => format!("last reviewed on {day}, due since {on}"),
            None => format!("never reviewed since its first sight on {since}, due since {on}"),
        },
    })
}

/// A step that was acknowledged on its own, and after which nobody reviewed the whole.
fn recorded(
    locked: &lockfile::Server,
    base: Option<&lockfile::Server>,
    last: Option<Timestamp>,
    part: &str,
    rule: &rules::Rule,
    what: &str,
) -> Option<Due> {
    let key = ItemKey::part(part);
    let entry = locked.entries.get(&key)?;
    let held = base.and_then(|base| base.entries.get(&key));
    // Who takes an acknowledgement back moves the baseline with it.
    let held = held.filter(|held| held.state() == entry.state());
    let records = held.into_iter().chain([entry]).flat_map(Entry::complete);
    let mut hits = records
        .filter(|record| record.rules.iter().any(|id| id == rule.id) && is_newer(&record.at, last));
    let hit = hits.next_back()?;
    let on = day(&hit.at);
    Some(Due {
        signal: rule.id,
        message: format!("{what} since {on}"),
        on: Some(on),
    })
}

/// Whether a flag was set before the last review. In one second the review came later: `flag` writes no time that a review
/// has already.
fn is_answered(at: &str, last: Option<Timestamp>) -> bool {
    match (at.parse::<Timestamp>(), last) {
        (Ok(at), Some(last)) => at <= last,
        _ => false,
    }
}

/// Whether something was acknowledged after the last review; in the same second it was one with it. In doubt it was.
fn is_newer(at: &str, last: Option<Timestamp>) -> bool {
    match (at.parse::<Timestamp>(), last) {
        (Ok(at), Some(last)) => at > last,
        _ => true,
    }
}

/// The day of a time of RFC 3339, in UTC.
fn day(at: &str) -> String {
    at.parse::<Timestamp>()
        .map_or_else(|_| at.to_owned(), |at| at.strftime("%Y-%m-%d").to_string())
}

#[cfg(test)]
mod tests;
