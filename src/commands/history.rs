//! `history`: what was observed of the servers, as the data directory tells it and whether its chain holds, and who
//! acknowledged what, as the lockfile tells it. It contacts no server and writes nothing.

use super::select::{self, Candidates, Selection};
use super::world::World;
use super::{Output, UNKNOWN, kept, record, timeline};
use crate::canonical;
use crate::cli;
use crate::lockfile::Lockfile;
use crate::model::{ItemKey, Problem, ServerName};
use crate::render::{self, Format, escape, heard};
use crate::report::{Change, Happening, Moment};
use crate::store::{Event, History, Observed, ServerStore, What};
use serde_json::json;
use std::fmt::Write as _;
use std::time::Duration;

/// What is told of one server.
struct Told {
    name: ServerName,
    history: Result<History, Problem>,
    /// What the lockfile's records tell of it.
    records: Vec<Moment>,
    /// What of it was asked for; everything without.
    only: Option<Selection>,
}

pub(super) fn run(world: &World, args: &cli::History) -> Result<Output, Problem> {
    let lockfile = world.need_lockfile()?;
    if lockfile.servers.is_empty() {
        return Err(Problem::new("usage", "the lockfile holds no server yet")
            .with_hint("countersign snapshot"));
    }
    let store = world.store()?;
    let twins = record::Twins::of(Some(&lockfile), &[]);
    let mut all = Vec::new();
    for name in lockfile.servers.keys() {
        let kept = kept::kept(world, &store, &twins, Some(&lockfile), name)?;
        all.push((name.clone(), read(&kept, args.verify)));
    }
    let chosen = match &args.selector {
        Some(selector) => Some(choose(&lockfile, &all, selector)?),
        None => None,
    };
    let told: Vec<Told> = all
        .into_iter()
        .filter(|(name, _)| chosen.as_ref().is_none_or(|chosen| chosen.server() == name))
        .map(|(name, history)| Told {
            records: lockfile
                .servers
                .get(&name)
                .map(timeline::recorded)
                .unwrap_or_default(),
            name,
            history,
            only: chosen.clone(),
        })
        .collect();
    let stdout = if world.common.format == Format::Json {
        document(&told, args.verify)
    } else {
        told.iter().map(|told| words(told, args.verify)).collect()
    };
    let broken = told.iter().any(|told| told.history.is_err());
    Ok(Output {
        stdout,
        stderr: String::new(),
        status: if broken { UNKNOWN } else { 0 },
    })
}

/// The events of every folder that a server was kept in, by time.
fn read(kept: &[ServerStore], verify: bool) -> Result<History, Problem> {
    let mut all = History::default();
    for kept in kept {
        let history = if verify {
            kept.verify()?
        } else {
            kept.history()?
        };
        all.torn |= history.torn;
        all.events.extend(history.events);
    }
    all.events.sort_by(|a, b| a.at.cmp(&b.at));
    Ok(all)
}

fn choose(
    lockfile: &Lockfile,
    all: &[(ServerName, Result<History, Problem>)],
    word: &str,
) -> Result<Selection, Problem> {
    let steps: Vec<Vec<Change>> = all
        .iter()
        .map(|(_, history)| history.iter().flat_map(|history| &history.events))
        .map(|events| {
            let mut changes: Vec<Change> = events.flat_map(observed).map(change).collect();
            changes.sort_by(|a, b| a.id.cmp(&b.id));
            changes.dedup_by(|a, b| a.id == b.id);
            changes
        })
        .collect();
    let candidates: Vec<Candidates<'_>> = all
        .iter()
        .zip(&steps)
        .map(|((name, _), changes)| Candidates {
            server: name,
            items: lockfile.servers[name].entries.keys().collect(),
            changes,
        })
        .collect();
    select::find(word, &candidates)
}

fn observed(event: &Event) -> &[Observed] {
    match &event.what {
        What::Change { changes, .. } => changes,
        _ => &[],
    }
}

/// A step as something that a selector can mean.
fn change(step: &Observed) -> Change {
    Change {
        id: step.id.clone(),
        key: step.key.clone(),
        former: step.former.clone(),
        event: step.event,
        reasons: Vec::new(),
        line: None,
        acknowledged: None,
        marked: false,
        held: Vec::new(),
        before: None,
        after: None,
    }
}

/// Whether a step, or an item that was seen for the first time, is what was asked for.
fn is_asked_for(told: &Told, id: Option<&str>, keys: &[&ItemKey]) -> bool {
    match &told.only {
        None | Some(Selection::Server(_)) => true,
        Some(Selection::Item(_, key)) => keys.contains(&key),
        Some(Selection::Change(_, _, chosen)) => id == Some(chosen),
    }
}

fn words(told: &Told, verify: bool) -> String {
    let name = escape::name(told.name.as_str());
    let history = match &told.history {
        Ok(history) => history,
        Err(problem) => return format!("server {name}\n{}", render::problem(problem)),
    };
    let events = history.events.iter().flat_map(|event| {
        let lines = lines(told, event).into_iter();
        lines.map(move |line| (event.at.as_str(), line))
    });
    let records = told.records.iter();
    let records =
        records.filter_map(|moment| Some((moment.at.as_str(), record_line(told, moment)?)));
    // In one second something is seen before it is acknowledged.
    let mut rows: Vec<(&str, String)> = events.chain(records).collect();
    rows.sort_by_key(|(at, _)| *at);
    let count = rows.len();
    let holds = if verify {
        ", its chain holds and every snapshot is whole"
    } else {
        ""
    };
    let mut out = match count {
        0 if told
            .only
            .as_ref()
            .is_some_and(|only| !matches!(only, Selection::Server(_))) =>
        {
            format!("server {name}: nothing is known of that on this machine\n")
        }
        0 => format!("server {name}: nothing was observed on this machine\n"),
        1 => format!("server {name}: 1 event{holds}\n"),
        more => format!("server {name}: {more} events{holds}\n"),
    };
    if history.torn {
        out.push_str("  the last line is torn: the next run that writes cuts it\n");
    }
    for (at, line) in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  {}  {}", escape::short(at), line.trim_end());
    }
    out
}

/// What one record of the lockfile says; `None` if it was not asked for.
fn record_line(told: &Told, moment: &Moment) -> Option<String> {
    let said = |by: &str, note: &str| {
        let note = match note {
            "" => String::new(),
            note => format!("  {}", escape::short(note)),
        };
        format!("by {}{note}", escape::short(by))
    };
    match &moment.what {
        Happening::Acknowledged { step, by, note } => {
            is_asked_for(told, Some(&step.id), &[&step.key]).then(|| {
                let (kind, name) = (step.key.kind.word(), escape::name(step.key.name.as_str()));
                let (id, by) = (escape::short(&step.id), said(by, note));
                format!("acknowledged  {kind} {name}  [{id}]  {by}")
            })
        }
        Happening::Reviewed { by, note } => {
            is_asked_for(told, None, &[]).then(|| format!("reviewed  {}", said(by, note)))
        }
        _ => None,
    }
}

/// What one event says, a line each thing.
fn lines(told: &Told, event: &Event) -> Vec<String> {
    let whole = is_asked_for(told, None, &[]);
    let item = |key: &ItemKey| format!("{} {}", key.kind.word(), escape::name(key.name.as_str()));
    let first = |items: &[ItemKey]| -> Vec<String> {
        let asked = items.iter().filter(|key| is_asked_for(told, None, &[key]));
        asked
            .map(|key| format!("first sight  {}", item(key)))
            .collect()
    };
    match &event.what {
        What::FirstSight { items, .. } if whole => {
            let plural = if items.len() == 1 { "" } else { "s" };
            vec![format!("first sight  {} item{plural}", items.len())]
        }
        What::FirstSight { items, .. } => first(items),
        What::Change {
            changes,
            items,
            announced,
            delay,
            ..
        } => {
            let heard = heard::recorded(*announced, delay.map(Duration::from_millis));
            let heard = heard.map_or_else(String::new, |heard| format!("  {heard}"));
            let asked = changes.iter().filter(|step| {
                let keys: Vec<&ItemKey> = std::iter::once(&step.key).chain(&step.former).collect();
                is_asked_for(told, Some(&step.id), &keys)
            });
            let steps = asked.map(|step| {
                let rules = step.reasons.iter();
                let mut rules: Vec<String> = rules
                    .map(|reason| format!("{} {}", reason.level, escape::short(&reason.rule)))
                    .collect();
                rules.sort();
                rules.dedup();
                format!(
                    "{}  {}  {}  [{}]{heard}",
                    step.event.word(),
                    item(&step.key),
                    rules.join(", "),
                    escape::short(&step.id)
                )
            });
            steps.chain(first(items)).collect()
        }
        _ if !whole => Vec::new(),
        What::Unreachable { kind, message } => vec![format!(
            "unreachable  {}: {}",
            escape::short(kind),
            escape::short(message)
        )],
        What::Flagged { reason, note } => vec![format!(
            "flagged  {}  {}",
            escape::short(reason),
            escape::short(note)
        )],
        other => vec![other.word().to_owned()],
    }
}

fn document(told: &[Told], verify: bool) -> String {
    let servers: Vec<serde_json::Value> = told
        .iter()
        .map(|told| match &told.history {
            Ok(history) => {
                let events = history.events.iter();
                let asked = events.filter(|event| !lines(told, event).is_empty());
                let events: Vec<serde_json::Value> = asked.map(value).collect();
                json!({
                    "name": told.name.as_str(), "events": events, "records": records(told), "torn": history.torn,
                    "verified": verify.then_some(true), "error": null,
                })
            }
            Err(problem) => json!({
                "name": told.name.as_str(), "events": [], "records": records(told), "torn": false, "verified": verify.then_some(false),
                "error": {"kind": problem.kind, "message": problem.message, "hint": problem.hint},
            }),
        })
        .collect();
    render::document(&json!({ "history": 1, "servers": servers, "error": null }))
}

/// The acknowledgements and reviews that were asked for.
fn records(told: &Told) -> Vec<serde_json::Value> {
    let asked = told
        .records
        .iter()
        .filter(|moment| record_line(told, moment).is_some());
    let values = asked.filter_map(|moment| match &moment.what {
        Happening::Acknowledged { step, by, note } => Some(json!({
            "at": moment.at, "kind": step.key.kind.word(), "name": step.key.name.as_str(), "change": step.id,
            "by": by, "note": note,
        })),
        Happening::Reviewed { by, note } => {
            Some(json!({ "at": moment.at, "kind": null, "name": null, "change": null, "by": by, "note": note }))
        }
        _ => None,
    });
    values.collect()
}

/// An event as its line of the history has it.
fn value(event: &Event) -> serde_json::Value {
    let text = canonical::to_text(&event.to_value());
    // What canonical text cannot be read as is told as text.
    serde_json::from_str(&text).unwrap_or(serde_json::Value::String(text))
}
