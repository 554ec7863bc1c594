//! The reasons of many changes as a person would count edits (SPEC, section 5, "Groups").
//!
//! What appeared or went whole at one place is one edit on however many tools; a text that was rewritten is one only
//! where the words that went and came are the same. Each reason is in exactly one group.

use super::place::{self, Place};
use super::words;
use crate::canonical::to_text;
use crate::fingerprint::Digest;
use crate::json::Value;
use crate::model::{Kind, Level};
use crate::pair::Event;
use crate::report::{Change, Group};
use crate::rules::Reason;
use std::collections::{BTreeMap, BTreeSet};

/// Longer texts are one edit only if they are the same texts: comparing the words of each would take too long.
const COMPARED: usize = 100_000;

/// What makes two reasons one edit.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    kind: Kind,
    /// What is acknowledged is no part of what waits.
    acknowledged: bool,
    place: String,
    event: &'static str,
    /// What else must be the same.
    edit: String,
}

/// The groups of one server's changes: the highest level first, then in the order of the changes.
pub fn groups(changes: &[Change]) -> Vec<Group> {
    let mut members: BTreeMap<Key, Vec<(usize, usize)>> = BTreeMap::new();
    for (c, change) in changes.iter().enumerate() {
        for (r, reason) in change.reasons.iter().enumerate() {
            members.entry(key(change, reason)).or_default().push((c, r));
        }
    }
    let mut groups: Vec<Group> = members
        .into_iter()
        .map(|(key, members)| group(key, members, changes))
        .collect();
    groups.sort_by(|a, b| (b.level, &a.members).cmp(&(a.level, &b.members)));
    groups
}

fn group(key: Key, members: Vec<(usize, usize)>, changes: &[Change]) -> Group {
    let reason = |(c, r): &(usize, usize)| &changes[*c].reasons[*r];
    let level = members
        .iter()
        .map(|m| reason(m).level)
        .max()
        .unwrap_or(Level::Material);
    let rules: BTreeSet<&str> = members.iter().map(|m| reason(m).rule).collect();
    let items = members
        .iter()
        .map(|(c, _)| c)
        .collect::<BTreeSet<_>>()
        .len();
    // The sentence of the first reason of that level, unless it does not hold for every item.
    let main = members
        .iter()
        .map(reason)
        .find(|reason| reason.level == level);
    let message = main.map_or("", |main| &main.message);
    let holds_for_all = members
        .iter()
        .map(reason)
        .filter(|other| main.is_some_and(|main| main.rule == other.rule))
        .all(|other| other.message == message);
    let message = if items == 1 || holds_for_all {
        message.to_owned()
    } else {
        format!(
            "{} {} on {items} {}",
            key.place,
            key.event,
            key.kind.plural()
        )
    };
    Group {
        place: key.place,
        event: key.event,
        level,
        rules: rules.into_iter().collect(),
        message,
        members,
    }
}

fn key(change: &Change, reason: &Reason) -> Key {
    let key = |place: &str, event, edit: &str| Key {
        kind: change.key.kind,
        acknowledged: change.acknowledged.is_some(),
        place: place.to_owned(),
        event,
        edit: edit.to_owned(),
    };
    let (kind, name) = (change.key.kind, change.key.name.as_str());
    let event = change.event.word();
    let of_the_item = matches!(reason.path.as_str(), "" | "/name");
    match change.event {
        _ if kind == Kind::Server => key(name, event, ""),
        Event::Added => key(kind.word(), event, name),
        Event::Removed => key(kind.word(), event, ""),
        Event::Renamed | Event::Returned if of_the_item => key(kind.word(), event, name),
        Event::Renamed | Event::Returned | Event::Changed => {
            let place = place_of(change, reason);
            let edit = edit(&place, reason);
            key(
                if place.name.is_empty() {
                    kind.word()
                } else {
                    &place.name
                },
                place.event,
                &edit,
            )
        }
    }
}

/// The place of a reason in the definitions of its change.
pub(super) fn place_of<'a>(change: &'a Change, reason: &Reason) -> Place<'a> {
    let value = |side: &'a Option<crate::report::Side>| side.as_ref().map(|s| s.definition.value());
    place::of(value(&change.before), value(&change.after), &reason.path)
}

fn edit(place: &Place<'_>, reason: &Reason) -> String {
    match (place.before, place.after) {
        (Some(before), Some(after)) if before != after => changed(before, after),
        (Some(_), None) | (None, Some(_)) => String::new(),
        // It is about something else than a difference at this place: the sentence says what.
        _ => format!("{} {}", reason.rule, reason.message),
    }
}

fn changed(before: &Value, after: &Value) -> String {
    let edit = match (before, after) {
        (Value::String(before), Value::String(after)) if before.len() + after.len() <= COMPARED => {
            format!("{:?}", words::edit_list(before, after))
        }
        (Value::Array(before), Value::Array(after)) => {
            let texts = |list: &[Value]| -> BTreeSet<String> { list.iter().map(to_text).collect() };
            let (old, new) = (texts(before), texts(after));
            if old == new {
                format!("{before:?} {after:?}")
            } else {
                format!("{:?} {:?}", old.difference(&new), new.difference(&old))
            }
        }
        _ => format!("{} {}", to_text(before), to_text(after)),
    };
    Digest::of(&edit).hex()
}

#[cfg(test)]
mod tests;
