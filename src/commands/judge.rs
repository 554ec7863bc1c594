//! What a catalogue means beside what was accepted: the pure pipeline from two catalogues to the report of one
//! server.

use super::check::{Observation, Offer, Seen, launch_item};
use super::select::Selection;
use crate::catalogue::{Catalogue, Item};
use crate::diff::Happened;
use crate::lockfile::{self, Lockfile};
use crate::model::{
    ItemKey, ItemName, Kind, Level, Pointer, Problem, ServerName, ServerSpec, Warning, part,
};
use crate::pair::{Event, Pair, pair};
use crate::parallel;
use crate::policy::{self, Judging};
use crate::report::{Acknowledged, Change, ServerReport};
use crate::rules::{self, Context, Reason, ToolNames};
use std::collections::BTreeMap;

/// The names of the tools of every server: as they are now where it was looked at, as they were accepted elsewhere.
pub(super) fn tool_names(observations: &[Observation], lockfile: Option<&Lockfile>) -> ToolNames {
    let accepted = lockfile.into_iter().flat_map(|lockfile| &lockfile.servers);
    let accepted = accepted.map(|(name, locked)| {
        let kept = locked
            .entries
            .iter()
            .filter(|(key, entry)| key.kind == Kind::Tool && !entry.removed);
        (
            name.clone(),
            kept.map(|(key, _)| key.name.clone()).collect(),
        )
    });
    let offered = observations
        .iter()
        .filter_map(|observation| match &observation.seen {
            Ok(Seen::Offered(offer)) => {
                let names = tools(&offer.catalogue).cloned().collect();
                Some((observation.spec.name.clone(), names))
            }
            _ => None,
        });
    accepted.chain(offered).collect()
}

fn tools(catalogue: &Catalogue) -> impl Iterator<Item = &ItemName> {
    catalogue.of(Kind::Tool).map(|(key, _)| &key.name)
}

/// What two catalogues come to.
#[derive(Default)]
struct Judged {
    changes: Vec<Change>,
    /// How many items are the same, or differ only in what may move.
    unchanged: usize,
    warnings: Vec<Warning>,
}

/// What differs between two catalogues, by the rules alone.
pub(super) fn changes(
    server: &ServerName,
    baseline: &Catalogue,
    current: &Catalogue,
    removed: &BTreeMap<ItemKey, Item>,
) -> Vec<Change> {
    let by = Judging::default();
    judged(server, baseline, current, removed, Context::default(), &by).changes
}

fn judged(
    server: &ServerName,
    baseline: &Catalogue,
    current: &Catalogue,
    removed: &BTreeMap<ItemKey, Item>,
    context: Context<'_>,
    by: &Judging,
) -> Judged {
    let pairing = pair(baseline, current, removed);
    let context = context
        .with_names(tools(baseline).chain(tools(current)))
        .with_collapsed(rules::collapsed(&pairing, baseline));
    let mut found = Judged {
        unchanged: pairing.unchanged,
        ..Judged::default()
    };
    by.apply(context, |context| {
        let judge = |pair: &Pair<'_>| rules::judgement(pair, context);
        let judgements = parallel::map(&pairing.pairs, judge);
        for (pair, judgement) in pairing.pairs.iter().zip(judgements) {
            found
                .warnings
                .extend(policy::volatile_applied(&pair.key, &judgement.moved));
            if judgement.reasons.is_empty() {
                found.unchanged += usize::from(pair.key.kind != Kind::Server);
            } else {
                found
                    .changes
                    .push(Change::new(server, pair, judgement.reasons));
            }
        }
    });
    found
}

/// A server that the lockfile holds, as it is now.
pub(super) fn compare(
    name: &ServerName,
    locked: &lockfile::Server,
    current: &Catalogue,
    everything: &ToolNames,
    by: &Judging,
) -> ServerReport {
    let (baseline, removed) = (locked.catalogue(), locked.removed());
    let accepted =
        |key: &ItemKey, digest: &crate::fingerprint::Digest| locked.accepted_before(key, *digest);
    let context = Context::default()
        .with_accepted(&accepted)
        .with_names(everything.without(name));
    let mut judged = judged(name, &baseline, current, &removed, context, by);
    for change in &mut judged.changes {
        change.marked = change.waits() && by.marks(change);
    }
    let told = |of: &Catalogue| {
        let mut told = rules::warnings(of);
        told.extend(rules::across(name, of, everything));
        told
    };
    // What was odd about the baseline, or so when it was accepted, was told then.
    let (before, now) = if baseline == *current {
        (Vec::new(), Vec::new())
    } else {
        (told(&baseline), told(current))
    };
    let mut warnings = by.lowered();
    warnings.extend(judged.warnings);
    let marked = judged.changes.iter().filter(|change| change.marked);
    warnings.extend(marked.map(policy::unreviewed));
    let now = now.into_iter();
    warnings.extend(now.filter(|warning| !before.contains(warning)));
    warnings.extend(stale(locked, &removed));
    warnings.extend(awaited(locked, &judged.changes));
    ServerReport {
        unchanged: judged.unchanged,
        changes: judged.changes,
        warnings,
        ..ServerReport::new(name.clone())
    }
}

/// Entries that guard nothing any more, as one warning.
fn stale(locked: &lockfile::Server, removed: &BTreeMap<ItemKey, Item>) -> Option<Warning> {
    // A renaming leaves one record of the same change under each name.
    let new_name = |key: &ItemKey| {
        let last = locked.entries.get(key)?.acknowledgements.last()?;
        let mut others = locked.entries.iter().filter(|(other, _)| *other != key);
        let found = others.find(|(_, entry)| {
            let mut records = entry.acknowledgements.iter();
            records.any(|record| record.change == last.change)
        });
        found.map(|(other, _)| other.name.as_str())
    };
    let names: Vec<String> = removed
        .keys()
        .map(|key| match new_name(key) {
            Some(new) => format!("`{}` (renamed to `{new}`)", key.name.as_str()),
            None => format!("`{}`", key.name.as_str()),
        })
        .collect();
    let count = match names.len() {
        0 => return None,
        1 => "1 stale entry".to_owned(),
        more => format!("{more} stale entries"),
    };
    // Without the server's name: with it `prune` drops a server whole that no configuration names.
    Some(Warning::new(
        "stale-entry",
        format!(
            "{count} in the lockfile, acknowledged as gone: {}; `countersign prune` drops what is stale",
            names.join(", ")
        ),
    ))
}

/// Reviews that await another one, and those that await it in vain because something else waits now.
fn awaited(locked: &lockfile::Server, changes: &[Change]) -> Vec<Warning> {
    let keys = locked.entries.keys().chain(locked.awaiting.keys());
    let records = keys.flat_map(|key| locked.awaited(key).iter().map(move |record| (key, record)));
    let told = records.map(|(key, record)| {
        let item = format!("{} `{}`", key.kind.word(), key.name.as_str());
        let by = format!(
            "`{}` on {}",
            record.by,
            record.at.get(..10).unwrap_or_default()
        );
        let (rule, message) = if changes.iter().any(|change| change.id == record.change) {
            let more = "and another reviewer is awaited";
            (
                "review-awaited",
                format!("{item} was acknowledged by {by}, {more}"),
            )
        } else {
            let vain = "is not what waits now: the record counts for nothing";
            (
                "review-stale",
                format!("what {by} acknowledged of {item} {vain}"),
            )
        };
        Warning::new(rule, message).at(key.name.as_str())
    });
    told.collect()
}

/// Two files, as two states of one server.
pub(crate) fn compare_files(
    name: ServerName,
    baseline: &Catalogue,
    mut current: Catalogue,
) -> ServerReport {
    // A kind that only one of the files speaks of is unknown in the other, not added.
    let gone: Vec<Kind> = current.known.difference(&baseline.known).copied().collect();
    for kind in gone {
        current.known.remove(&kind);
        current.items.retain(|key, _| key.kind != kind);
    }
    let (removed, by) = (BTreeMap::new(), Judging::default());
    let judged = judged(&name, baseline, &current, &removed, Context::default(), &by);
    ServerReport {
        unchanged: judged.unchanged,
        changes: judged.changes,
        warnings: rules::warnings(&current),
        ..ServerReport::new(name)
    }
}

/// Whether a server may be started: its launch is the accepted one, or the user said so.
///
/// A server of which the lockfile knows no launch is started if the user named it or its configuration.
pub(super) fn may_start(lockfile: &Lockfile, spec: &ServerSpec, start_changed: bool) -> bool {
    let Some(locked) = lockfile.servers.get(&spec.name) else {
        return spec.explicit;
    };
    if spec.launch.is_some() && !knows_launch(locked) {
        return spec.explicit || start_changed;
    }
    start_changed || waiting_launch(spec, Some(locked)).is_none()
}

/// Whether the lockfile knows how a server is launched.
pub(super) fn holds_launch(lockfile: &Lockfile, name: &ServerName) -> bool {
    lockfile.servers.get(name).is_some_and(knows_launch)
}

/// A baseline that was made from a file has no launch, nor has one from which somebody took it out.
fn knows_launch(locked: &lockfile::Server) -> bool {
    locked.entries.contains_key(&ItemKey::part(part::LAUNCH))
}

/// How a launch differs from the accepted one.
fn launch_change(spec: &ServerSpec, locked: Option<&lockfile::Server>) -> Option<Change> {
    let key = ItemKey::part(part::LAUNCH);
    let only = |item: Option<Item>| Catalogue {
        items: item.into_iter().map(|item| (key.clone(), item)).collect(),
        known: [Kind::Server].into(),
    };
    let accepted = locked
        .and_then(|locked| locked.entries.get(&key))
        .filter(|entry| !entry.removed);
    let baseline = only(accepted.map(|entry| entry.item.clone()));
    let current = only(launch_item(spec));
    changes(&spec.name, &baseline, &current, &BTreeMap::new())
        .into_iter()
        .next()
}

/// A server that was not started, because the lockfile does not know its launch.
pub(super) fn launch_only(spec: &ServerSpec, locked: Option<&lockfile::Server>) -> ServerReport {
    let mut report = ServerReport::new(spec.name.clone());
    if locked.is_some_and(knows_launch) {
        report.changes.extend(launch_change(spec, locked));
        report.warnings.push(Warning::new(
            "not-started",
            format!("`{}` was not started, because its launch is not the accepted one; `--start-changed` starts it and shows both at once", spec.name.as_str()),
        ));
    } else {
        report.changes.push(server_added(
            &spec.name,
            launch_item(spec).as_ref(),
            "it was not started, because it was merely found in the project",
        ));
    }
    report
}

/// A server that could not be checked. Where it was started with a launch that is not the accepted one, that waits
/// all the same.
pub(super) fn failed(
    spec: &ServerSpec,
    locked: Option<&lockfile::Server>,
    problem: &Problem,
) -> ServerReport {
    let mut report = ServerReport::new(spec.name.clone());
    report.error = Some(problem.clone());
    report.changes.extend(waiting_launch(spec, locked));
    report
}

/// A server that its configuration disables. Not every client heeds that: another launch waits all the same.
pub(super) fn disabled(spec: &ServerSpec, locked: Option<&lockfile::Server>) -> ServerReport {
    let mut report = ServerReport::new(spec.name.clone());
    report.disabled = true;
    report.changes.extend(waiting_launch(spec, locked));
    report
}

/// How the launch of a server that the lockfile holds differs from the accepted one, if that is material.
pub(super) fn waiting_launch(
    spec: &ServerSpec,
    locked: Option<&lockfile::Server>,
) -> Option<Change> {
    launch_change(spec, Some(locked?)).filter(|change| change.level() == Level::Material)
}

/// What is odd about a catalogue that nobody reviewed yet, and what deserves a look.
pub(super) fn first_sight(
    name: &ServerName,
    catalogue: &Catalogue,
    everything: &ToolNames,
) -> Vec<Warning> {
    let mut warnings = rules::warnings(catalogue);
    warnings.extend(rules::across(name, catalogue, everything));
    warnings.extend(rules::first_sight(catalogue));
    warnings
}

/// A server that the lockfile does not hold, and that was looked at because the user named it.
pub(super) fn unknown_server(
    spec: &ServerSpec,
    offer: &Offer,
    everything: &ToolNames,
) -> ServerReport {
    let mut report = ServerReport::new(spec.name.clone());
    report.warnings = first_sight(&spec.name, &offer.catalogue, everything);
    let offers = format!("it offers {}", offered(&offer.catalogue));
    let launch = launch_item(spec);
    report
        .changes
        .push(server_added(&spec.name, launch.as_ref(), &offers));
    report
}

/// How many items of each kind there are, in words.
pub(super) fn offered(catalogue: &Catalogue) -> String {
    let counts = Kind::LISTED.into_iter().filter_map(|kind| {
        let count = catalogue.of(kind).count();
        let word = if count == 1 {
            kind.word()
        } else {
            kind.plural()
        };
        (count > 0).then(|| format!("{count} {word}"))
    });
    let counts: Vec<String> = counts.collect();
    if counts.is_empty() {
        "nothing".to_owned()
    } else {
        counts.join(", ")
    }
}

/// A server that the lockfile does not hold. `seen` says what is known of it.
pub(super) fn server_added(name: &ServerName, launch: Option<&Item>, seen: &str) -> Change {
    let key = ItemKey::part(part::LAUNCH);
    let pair = Pair {
        key,
        former: None,
        event: Event::Added,
        before: None,
        after: launch,
    };
    let rule = &rules::SERVER_ADDED;
    let reason = Reason {
        rule: rule.id,
        level: rule.level,
        path: Pointer::root(),
        was: None,
        message: format!("the lockfile does not know this server; {seen}"),
        happened: Happened::Added,
    };
    Change::new(name, &pair, vec![reason])
}

/// The changes that the lockfile's records tell of, as history: the definitions themselves are in git.
pub(super) fn acknowledged(
    name: &ServerName,
    locked: &lockfile::Server,
    chosen: &[Selection],
) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for (key, entry) in &locked.entries {
        for record in &entry.acknowledgements {
            let by = Acknowledged::from(record);
            if let Some(same) = changes
                .iter_mut()
                .find(|change| change.id == record.change && change.key == *key)
            {
                same.acknowledged.get_or_insert_default().push(by);
                continue;
            }
            let event = match (record.from, record.to) {
                (None, _) => Event::Added,
                (_, None) => Event::Removed,
                _ => Event::Changed,
            };
            let rules: Vec<Option<&rules::Rule>> =
                record.rules.iter().map(|id| rules::rule(id)).collect();
            // The record holds the level of the whole. Each rule has its own, unless none of them explains that.
            let own = |rule: Option<&rules::Rule>| {
                rule.map_or(record.level, |rule| rule.level.min(record.level))
            };
            let explained = rules.iter().any(|rule| own(*rule) == record.level);
            let reasons = record.rules.iter().zip(&rules).map(|(id, rule)| Reason {
                rule: rule.map_or("unclassified", |rule| rule.id),
                level: if explained { own(*rule) } else { record.level },
                path: Pointer::root(),
                was: None,
                message: rule.map_or_else(
                    || format!("rule `{id}` of another version"),
                    |rule| rule.title.to_owned(),
                ),
                happened: match event {
                    Event::Added => Happened::Added,
                    Event::Removed => Happened::Removed,
                    _ => Happened::Changed,
                },
            });
            changes.push(Change {
                id: record.change.clone(),
                key: key.clone(),
                former: None,
                event,
                reasons: reasons.collect(),
                line: None,
                acknowledged: Some(vec![by]),
                marked: false,
                held: Vec::new(),
                before: None,
                after: None,
            });
        }
    }
    let only = |change: &Change| {
        chosen.is_empty()
            || chosen
                .iter()
                .any(|selection| selection.covers(name, change))
    };
    changes.retain(only);
    changes
}
