//! Edits that many items share, each shown once: what came or went, and on which items.

use super::count::counted;
use super::definition::{brief, lines};
use super::escape::{name, short};
use super::group::place_of;
use super::hunks;
use super::paint::{Ink, Paint};
use super::place::way;
use super::sides::hidden;
use super::words;
use crate::canonical::to_text;
use crate::json::{Object, Value};
use crate::report::{Change, Group, ServerReport};
use std::collections::{BTreeMap, BTreeSet};

/// The groups of a server that touch several items and are all there is to say of at least one, and those items.
pub(super) struct Shared<'a> {
    /// The groups, in order.
    pub(super) groups: Vec<&'a Group>,
    /// The indices of the changes of which these groups hold every reason.
    pub(super) covered: BTreeSet<usize>,
}

impl<'a> Shared<'a> {
    /// Of the changes that nobody acknowledged.
    pub(super) fn of(server: &'a ServerReport) -> Self {
        let open = |(c, _): &(usize, usize)| {
            server
                .changes
                .get(*c)
                .is_some_and(|change| change.acknowledged.is_none())
        };
        let several: Vec<&Group> = server
            .groups
            .iter()
            .filter(|group| items(group).len() > 1 && group.members.iter().all(open))
            .collect();
        let held: BTreeSet<(usize, usize)> = several
            .iter()
            .flat_map(|group| group.members.iter().copied())
            .collect();
        let covered: BTreeSet<usize> = (0..server.changes.len())
            .filter(|c| (0..server.changes[*c].reasons.len()).all(|r| held.contains(&(*c, r))))
            .filter(|c| says_all(&server.changes[*c]))
            .collect();
        let groups = several
            .into_iter()
            .filter(|group| items(group).iter().any(|c| covered.contains(c)))
            .collect();
        Self { groups, covered }
    }
}

/// Whether the places of its reasons hold everything that differs between the sides of a change: nothing may go
/// unseen because it was led back to an edit elsewhere.
fn says_all(change: &Change) -> bool {
    let (Some(before), Some(after)) = (&change.before, &change.after) else {
        return true;
    };
    let (mut old, mut new) = (
        before.definition.value().clone(),
        after.definition.value().clone(),
    );
    for reason in &change.reasons {
        for way in [place_of(change, reason).way, way(&reason.path)] {
            blank_out(&mut old, &way);
            blank_out(&mut new, &way);
        }
    }
    old == new
}

/// Takes out what a way leads to, and the objects that it leaves empty. The whole, which is no place, stays.
fn blank_out(value: &mut Value, way: &[String]) {
    let Some((first, rest)) = way.split_first() else {
        return;
    };
    match value {
        Value::Object(object) => {
            let members = object.members_mut();
            let Some(at) = members.iter().position(|(name, _)| name == first) else {
                return;
            };
            let member = &mut members[at].1;
            blank_out(member, rest);
            if rest.is_empty() || member.as_object().is_some_and(Object::is_empty) {
                members.remove(at);
            }
        }
        Value::Array(elements) => {
            let element = first
                .parse::<usize>()
                .ok()
                .and_then(|i| elements.get_mut(i));
            match element {
                Some(element) if rest.is_empty() => *element = Value::Null,
                Some(element) => blank_out(element, rest),
                None => {}
            }
        }
        _ => {}
    }
}

/// The changes that a group touches.
pub(super) fn items(group: &Group) -> BTreeSet<usize> {
    group.members.iter().map(|(c, _)| *c).collect()
}

/// The head of a group's entry, after its level.
pub(super) fn head(group: &Group, server: &ServerReport) -> String {
    let items = items(group);
    let kind = items
        .first()
        .map_or("item", |c| server.changes[*c].key.kind.word());
    format!(
        "{}  {}  {}",
        counted(items.len(), kind),
        short(&group.place),
        group.event
    )
}

/// The lines of a group's entry: each distinct edit once, with the names of its items.
pub(super) fn show(
    group: &Group,
    server: &ServerReport,
    width: usize,
    paint: Paint,
) -> Vec<String> {
    let mut edits: Vec<(Sides, Vec<usize>)> = Vec::new();
    let mut known: BTreeMap<(String, String), usize> = BTreeMap::new();
    for c in items(group) {
        let mut sides = sides(group, c, &server.changes[c]);
        let in_texts = group.event == "changed";
        let edited = if in_texts {
            edited(&sides)
        } else {
            sides.clone()
        };
        let key = (to_text(&edited.0), to_text(&edited.1));
        let edit = *known.entry(key).or_insert(edits.len());
        if edit == edits.len() {
            // The first text stands for all; of the others what is said there by the same edit.
            if in_texts && edit > 0 {
                sides = edited;
            }
            edits.push((sides, Vec::new()));
        }
        edits[edit].1.push(c);
    }
    let mut out = Vec::new();
    for ((before, after), items) in edits {
        let diff = hunks::diff(
            &side_lines(&before, &after),
            &side_lines(&after, &before),
            paint,
        );
        out.extend(diff.lines);
        if diff.hidden != [0, 0] {
            let [old, new] = diff.hidden;
            out.push(format!("| not shown: {}", counted(old + new, "byte")));
        }
        let said = [group.message.as_str()];
        out.extend(
            hidden(Some(&before), Some(&after), &said).map(|text| paint.of(Ink::Warning, &text)),
        );
        let mut names: Vec<String> = items
            .iter()
            .map(|c| name(server.changes[*c].key.name.as_str()))
            .collect();
        // Of texts only the words that went and came are the same.
        if group.event == "changed" && names.len() > 1 {
            names[0] = format!("the same edit on {} (shown)", names[0]);
        }
        out.extend(list(names.into_iter(), width));
    }
    out
}

/// What stood, and what stands, as members of two objects.
type Sides = (Value, Value);

/// The places that one item has in a group, each under its own name.
fn sides(group: &Group, c: usize, change: &Change) -> Sides {
    let mut old = Object::default();
    let mut new = Object::default();
    for (_, r) in group.members.iter().filter(|(member, _)| *member == c) {
        let place = place_of(change, &change.reasons[*r]);
        let Some(label) = place.way.last() else {
            continue;
        };
        for (side, value) in [(&mut old, place.before), (&mut new, place.after)] {
            if let Some(value) = value {
                side.set(label.as_str(), value.clone());
            }
        }
    }
    (Value::Object(old), Value::Object(new))
}

/// The same words that come and go mean something else in another sentence: what remains of the sides are the
/// sentences that were edited.
fn edited((old, new): &Sides) -> Sides {
    let (mut before, mut after) = (Object::default(), Object::default());
    for (label, old) in old.as_object().into_iter().flat_map(Object::iter) {
        if let (Some(old), Some(new)) = (old.as_str(), new.get(label).and_then(Value::as_str)) {
            let (old, new) = words::edited_sentences(old, new);
            before.set(label, Value::String(old));
            after.set(label, Value::String(new));
        }
    }
    (Value::Object(before), Value::Object(after))
}

fn side_lines(side: &Value, other: &Value) -> Vec<String> {
    match side {
        Value::Object(object) if object.is_empty() => Vec::new(),
        side => lines(&brief(side), Some(other)),
    }
}

/// Names after each other, wrapped; each line starts with a mark of ours.
fn list(names: impl Iterator<Item = String>, width: usize) -> Vec<String> {
    let mut lines = vec![String::from("|")];
    let mut names = names.peekable();
    while let Some(name) = names.next() {
        let comma = if names.peek().is_some() { "," } else { "" };
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last > 1 && last + name.chars().count() + 2 > width {
            lines.push(String::from("|"));
        }
        if let Some(line) = lines.last_mut() {
            line.extend([" ", &name, comma]);
        }
    }
    lines
}
