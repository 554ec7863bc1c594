//! `ack`: records that somebody reviewed what was last shown. It never contacts a server.

use super::due::Due;
use super::select::{self, Candidates, Selection};
use super::world::World;
use super::{Output, UNKNOWN, git, record, revoke};
use crate::cli;
use crate::lockfile::{self, Acknowledged, Lockfile, Review};
use crate::model::{Problem, ServerName};
use crate::policy::{self, Settings};
use crate::render::{self, Format};
use crate::report::{Change, ServerReport};
use crate::store::Store;
use std::collections::BTreeSet;

/// What was done for one change.
pub(super) struct Done {
    server: ServerName,
    change: Change,
    outcome: Acknowledged,
}

pub(super) fn run(world: &World, args: &cli::Ack) -> Result<Output, Problem> {
    if args.revoke {
        return revoke::run(world, args);
    }
    if args
        .note
        .as_ref()
        .is_some_and(|note| note.trim().is_empty())
    {
        return Err(Problem::new("usage", "the note is empty")
            .with_hint("--note 'why it is fine', or leave it out"));
    }
    let store = world.store()?;
    let _guard = store
        .lock_lockfile(&world.lock)
        .map_err(|error| Problem::new("store", error.to_string()))?;
    let mut lockfile = world.need_lockfile()?;
    let shown = record::shown(world, &store, &lockfile)?;
    let reports: Vec<&ServerReport> = shown.iter().map(|shown| &shown.report).collect();
    let chosen = choose(&lockfile, &reports, args)?;
    for selection in &chosen {
        let server = selection.server();
        if let Some(problem) = shown
            .iter()
            .find(|shown| shown.report.name == *server)
            .and_then(|shown| shown.stale.clone())
        {
            return Err(problem);
        }
    }
    let mut refused: Vec<Problem> = Vec::new();
    if args.all {
        refused.extend(shown.iter().filter_map(|shown| shown.stale.clone()));
    }
    let waits = |report: &&&ServerReport| {
        let chosen = |change| chosen.iter().any(|s| s.covers(&report.name, change));
        report
            .changes
            .iter()
            .any(|change| args.all || chosen(change))
    };
    let records = reports.iter().any(|report| waits(&report))
        || chosen
            .iter()
            .any(|selection| matches!(selection, Selection::Server(_)));
    let by = match &args.by {
        Some(by) if !by.trim().is_empty() => by.trim().to_owned(),
        // Where nothing is recorded nobody needs to say who they are.
        _ if !records => String::new(),
        _ => git::identity(&world.cwd)?,
    };
    let review = Review {
        by,
        at: world.now(),
        note: args.note.clone().unwrap_or_default(),
        first_sight: None,
    };
    let mut done = Vec::new();
    for shown in &shown {
        let name = &shown.report.name;
        // What was not shown is refused, and keeps nobody from what was.
        if args.all && shown.stale.is_some() {
            continue;
        }
        for change in &shown.report.changes {
            let is_chosen = args.all
                || chosen
                    .iter()
                    .any(|selection| selection.covers(name, change));
            if is_chosen && !shown.ids.contains(&change.id) {
                if !args.all {
                    return Err(unseen(name, change));
                }
                refused.push(unseen(name, change));
            } else if is_chosen {
                done.push(acknowledge(&mut lockfile, name, change, &review)?);
            }
        }
    }
    if done.is_empty() && !refused.is_empty() {
        return Err(all_of(&refused));
    }
    let reviewed = record_reviews(world, &store, &mut lockfile, &chosen, &done, &review)?;
    let writes = done
        .iter()
        .any(|done| done.outcome != Acknowledged::Already)
        || reviewed.iter().any(|(_, is_new)| *is_new);
    if writes {
        world.write_lockfile(&lockfile)?;
    }
    let due = still_due(world, &store, &lockfile, &chosen, &done, args.all)?;
    let stdout = match world.common.format {
        Format::Json => document(&done, &reviewed, &refused, &due, &review.by),
        _ => words(&done, &reviewed, &due),
    };
    let is_json = world.common.format == Format::Json;
    let told = refused.iter().filter(|_| !is_json);
    Ok(Output {
        stdout,
        stderr: told.map(render::problem).collect(),
        status: if refused.is_empty() { 0 } else { UNKNOWN },
    })
}

/// Several refusals as one: what was not shown, and the first command that shows some of it.
fn all_of(refused: &[Problem]) -> Problem {
    let messages: Vec<&str> = refused.iter().map(|one| one.message.as_str()).collect();
    let first = refused.first();
    let problem = Problem::new(
        first.map_or("not-shown", |one| one.kind),
        messages.join("\n"),
    );
    match first.and_then(|one| one.hint.clone()) {
        Some(hint) => problem.with_hint(hint),
        None => problem,
    }
}

fn choose(
    lockfile: &Lockfile,
    reports: &[&ServerReport],
    args: &cli::Ack,
) -> Result<Vec<Selection>, Problem> {
    let candidates: Vec<Candidates<'_>> = lockfile
        .servers
        .iter()
        .map(|(name, server)| Candidates {
            server: name,
            items: server.entries.keys().collect(),
            changes: reports
                .iter()
                .find(|report| report.name == *name)
                .map_or(&[], |report| &report.changes),
        })
        .collect();
    args.selectors
        .iter()
        .map(|word| {
            select::find(word, &candidates).map_err(|problem| match recorded(lockfile, word) {
                Some(server) => Problem::new(
                    "usage",
                    format!(
                        "change `{word}` of `{}` is acknowledged already",
                        server.as_str()
                    ),
                ),
                None => problem,
            })
        })
        .collect()
}

/// The server of which a change with such an id was acknowledged.
fn recorded<'a>(lockfile: &'a Lockfile, id: &str) -> Option<&'a ServerName> {
    let mut servers = lockfile.servers.iter();
    let holds = |server: &lockfile::Server| {
        let mut records = server
            .entries
            .values()
            .flat_map(|entry| &entry.acknowledgements);
        records.any(|record| !id.is_empty() && record.change.starts_with(id))
    };
    servers
        .find(|(_, server)| holds(server))
        .map(|(name, _)| name)
}

/// Records one change, as the policy of its item asks.
pub(super) fn acknowledge(
    lockfile: &mut Lockfile,
    name: &ServerName,
    change: &Change,
    review: &Review,
) -> Result<Done, Problem> {
    // Under both names of a renamed item the stricter policy holds.
    let keys = std::iter::once(&change.key).chain(&change.former);
    let settings: Vec<Settings> = keys.map(|key| policy::of(lockfile, name, key)).collect();
    if settings.iter().any(|s| s.require_note) && review.note.is_empty() {
        let item = format!("{}/{}", name.as_str(), change.key.name.as_str());
        return Err(needs_note(&item));
    }
    let reviewers = settings.iter().map(|s| s.reviewers).max().unwrap_or(1);
    let server = lockfile
        .servers
        .get_mut(name)
        .ok_or_else(|| unknown(name))?;
    let outcome = server
        .acknowledge(change, review, reviewers)
        .map_err(|error| Problem::new("lockfile", error.to_string()))?;
    Ok(Done {
        server: name.clone(),
        change: change.clone(),
        outcome,
    })
}

fn needs_note(of: &str) -> Problem {
    Problem::new("usage", format!("the policy of `{of}` asks for a note"))
        .with_hint("countersign ack … --note 'why it is fine'")
}

/// Another item was looked at, or the lockfile is no longer the one beside which it was shown.
fn unseen(name: &ServerName, change: &Change) -> Problem {
    let (name, key) = (name.as_str(), &change.key);
    let item = format!("{name}/{}:{}", key.kind.word(), key.name.as_str());
    Problem::new(
        "not-shown",
        format!(
            "change `{}` of `{item}` was not shown under this lockfile yet: look first",
            change.id
        ),
    )
    .with_hint(format!("countersign review {}", change.id))
}

pub(super) fn unknown(name: &ServerName) -> Problem {
    Problem::new(
        "usage",
        format!("the lockfile does not hold `{}` yet", name.as_str()),
    )
    .with_hint(format!("countersign snapshot {}", name.as_str()))
}

/// Naming a server of which nothing waits says that it was looked at; once a day and person.
fn record_reviews(
    world: &World,
    store: &Store,
    lockfile: &mut Lockfile,
    chosen: &[Selection],
    done: &[Done],
    review: &Review,
) -> Result<Vec<(ServerName, bool)>, Problem> {
    let mut reviewed = Vec::new();
    for selection in chosen {
        let Selection::Server(name) = selection else {
            continue;
        };
        if done.iter().any(|done| done.server == *name) {
            continue;
        }
        if policy::of_server(lockfile, name).require_note && review.note.is_empty() {
            return Err(needs_note(name.as_str()));
        }
        let is_new = review_whole(world, store, lockfile, name, review)?;
        reviewed.push((name.clone(), is_new));
    }
    Ok(reviewed)
}

/// Records that a server as a whole was reviewed; false if that says nothing new.
pub(super) fn review_whole(
    world: &World,
    store: &Store,
    lockfile: &mut Lockfile,
    name: &ServerName,
    review: &Review,
) -> Result<bool, Problem> {
    let twins = record::Twins::of(Some(lockfile), &[]);
    let due = Due::by(world, store, &twins, lockfile);
    let report = due.report(name)?;
    let mut review = review.clone();
    // What was flagged within this second, or by a clock that is ahead, is answered by whoever reviews it now.
    if let Some(flagged) = due.last_flag(name)?.filter(|at| *at > review.at) {
        review.at = flagged;
    }
    let is_asked_for = !report.due.is_empty();
    let server = lockfile.servers.get_mut(name);
    Ok(server.is_some_and(|server| server.review(review, is_asked_for)))
}

/// The servers of which everything was acknowledged, and that are due for a review all the same: acknowledging what
/// waits records none.
fn still_due(
    world: &World,
    store: &Store,
    lockfile: &Lockfile,
    chosen: &[Selection],
    done: &[Done],
    all: bool,
) -> Result<Vec<ServerReport>, Problem> {
    let twins = record::Twins::of(Some(lockfile), &[]);
    let due = Due::by(world, store, &twins, lockfile);
    let is_whole = |name: &ServerName| {
        let named =
            |selection: &Selection| matches!(selection, Selection::Server(one) if one == name);
        all || chosen.iter().any(named)
    };
    let names: BTreeSet<&ServerName> = done
        .iter()
        .filter(|done| done.outcome == Acknowledged::Accepted && is_whole(&done.server))
        .map(|done| &done.server)
        .collect();
    let mut reports = Vec::new();
    for name in names {
        let report = due.report(name)?;
        if !report.due.is_empty() {
            reports.push(report);
        }
    }
    Ok(reports)
}

/// What became of the review of a server, as a line.
pub(super) fn review_line(name: &ServerName, is_new: bool) -> String {
    let name = render::escape::name(name.as_str());
    if is_new {
        format!("nothing waits of {name}; recorded as reviewed today\n")
    } else {
        format!("nothing waits of {name}; you reviewed it today already, nothing new to record\n")
    }
}

fn words(done: &[Done], reviewed: &[(ServerName, bool)], due: &[ServerReport]) -> String {
    let mut lines: Vec<String> = done.iter().map(done_line).collect();
    lines.extend(
        reviewed
            .iter()
            .map(|(name, is_new)| review_line(name, *is_new)),
    );
    lines.extend(due.iter().map(render::still_due));
    if lines.is_empty() {
        lines.push("nothing waits\n".to_owned());
    }
    lines.concat()
}

/// What was done, as a line.
pub(super) fn done_line(
    Done {
        server,
        change,
        outcome,
    }: &Done,
) -> String {
    let verb = match outcome {
        Acknowledged::Accepted => "acknowledged".to_owned(),
        Acknowledged::Awaiting(1) => "recorded; 1 more reviewer is awaited".to_owned(),
        Acknowledged::Awaiting(more) => format!("recorded; {more} more reviewers are awaited"),
        Acknowledged::Already => "acknowledged by you already".to_owned(),
    };
    format!(
        "{verb}  {:8}  {} {}/{}  {}  [{}]\n",
        change.level(),
        change.key.kind.word(),
        render::escape::name(server.as_str()),
        render::escape::name(change.key.name.as_str()),
        change.event.word(),
        change.id
    )
}

fn document(
    done: &[Done],
    reviewed: &[(ServerName, bool)],
    refused: &[Problem],
    due: &[ServerReport],
    by: &str,
) -> String {
    let due: Vec<&str> = due.iter().map(|report| report.name.as_str()).collect();
    let entries: Vec<serde_json::Value> = done
        .iter()
        .map(|Done { server, change, outcome }| {
            serde_json::json!({
                "server": server.as_str(), "id": change.id, "kind": change.key.kind.word(), "name": change.key.name.as_str(),
                "event": change.event.word(), "level": change.level().to_string(), "complete": *outcome == Acknowledged::Accepted,
            })
        })
        .collect();
    let reviewed: Vec<&str> = reviewed.iter().map(|(name, _)| name.as_str()).collect();
    let refused: Vec<serde_json::Value> = refused
        .iter()
        .map(
            |one| serde_json::json!({ "kind": one.kind, "message": one.message, "hint": one.hint }),
        )
        .collect();
    render::document(&serde_json::json!({
        "ack": 1, "by": by, "acknowledged": entries, "reviewed": reviewed, "refused": refused,
        "due": due,
    }))
}
