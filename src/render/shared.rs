//! Edits that many items share, each shown once: what came or went, and on which items.

use super::count::counted;
use super::definition::{brief, lines};
use super::escape::{name, short};
use super::hunks;
use super::paint::{Ink, Paint};
use super::place::{Place, Places, Way};
use super::rest::{self, LeftOut};
use super::sides::hidden;
use super::words;
use crate::canonical::to_text;
use crate::json::{Object, Value};
use crate::parallel;
use crate::report::{Change, Group, ServerReport};
use std::collections::{BTreeMap, BTreeSet};

/// The groups of a server that touch several items and are all there is to say of at least one, and those items.
pub(super) struct Shared<'a> {
    /// The groups, in order.
    pub(super) groups: Vec<&'a Group>,
    /// The indices of the changes of which these groups hold every reason.
    pub(super) covered: BTreeSet<usize>,
    /// What is left to say of those of which they hold some, by index.
    pub(super) untold: BTreeMap<usize, Untold<'a>>,
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
        let whole: Vec<usize> = (0..server.changes.len())
            .filter(|c| (0..server.changes[*c].reasons.len()).all(|r| held.contains(&(*c, r))))
            .collect();
        let told = parallel::map(&whole, |c| says_all(&server.changes[*c]).then_some(*c));
        let covered: BTreeSet<usize> = told.into_iter().flatten().collect();
        let groups: Vec<&Group> = several
            .into_iter()
            .filter(|group| items(group).iter().any(|c| covered.contains(c)))
            .collect();
        let touched: BTreeSet<usize> = groups.iter().flat_map(|group| items(group)).collect();
        let untold = touched
            .difference(&covered)
            .filter_map(|c| Some((*c, Untold::of(*c, &server.changes[*c], &groups)?)))
            .collect();
        Self {
            groups,
            covered,
            untold,
        }
    }
}

/// Whether the places of its reasons hold everything that differs between the sides of a change: nothing may go
/// unseen because it was led back to an edit elsewhere.
fn says_all(change: &Change) -> bool {
    let Some([before, after]) = both_sides(change) else {
        return true;
    };
    let places = Places::of(change);
    let ways: Vec<Way> = change
        .reasons
        .iter()
        .flat_map(|reason| [places.place(reason).way, Way::of(reason)])
        .collect();
    rest::is_same(
        (before, &LeftOut::before(&ways)),
        (after, &LeftOut::now(&ways)),
    )
}

fn both_sides(change: &Change) -> Option<[&Value; 2]> {
    let (before, after) = (change.before.as_ref()?, change.after.as_ref()?);
    Some([before, after].map(|side| side.definition.value()))
}

/// What is left to say of a change, beside what groups tell of it.
pub(super) struct Untold<'a> {
    /// The groups that tell of it.
    pub(super) told: Vec<&'a Group>,
    /// The reasons that are left, by index.
    pub(super) reasons: BTreeSet<usize>,
    /// What is left of the definition before.
    pub(super) before: Value,
    /// What is left of the definition now.
    pub(super) after: Value,
}

impl<'a> Untold<'a> {
    /// `None` if nothing is told of it, or what is told cannot be taken out of the rest.
    fn of(c: usize, change: &Change, groups: &[&'a Group]) -> Option<Self> {
        let mut reasons: BTreeSet<usize> = (0..change.reasons.len()).collect();
        let mut told = Vec::new();
        for group in groups {
            let here = of_item(group, c);
            for (_, r) in here {
                reasons.remove(r);
            }
            if !here.is_empty() {
                told.push(*group);
            }
        }
        let [before, after] = both_sides(change).filter(|_| !told.is_empty())?;
        let places = Places::of(change);
        let (mut ways, mut left) = (Vec::new(), Vec::new());
        for (r, reason) in change.reasons.iter().enumerate() {
            let ways = if reasons.contains(&r) {
                &mut left
            } else {
                &mut ways
            };
            ways.extend([places.place(reason).way, Way::of(reason)]);
        }
        // A list of required inputs goes with the inputs, if all that differ in it are told.
        let is_told = |way: &Way| ways.iter().any(|told| told.now == way.now);
        let is_settled = |way: &&Way| {
            let inputs = places.inputs_of_required(way);
            inputs.is_none_or(|inputs| inputs.iter().all(is_told))
        };
        let settled: Vec<Way> = ways.iter().filter(is_settled).cloned().collect();
        if (left.iter()).any(|left| settled.iter().any(|told| told.meets(left))) {
            return None;
        }
        let before = rest::without(before, &LeftOut::before(&settled));
        let after = rest::without(after, &LeftOut::now(&settled));
        (before != after).then_some(Self {
            told,
            reasons,
            before,
            after,
        })
    }
}

/// The changes that a group touches.
pub(super) fn items(group: &Group) -> BTreeSet<usize> {
    group.members.iter().map(|(c, _)| *c).collect()
}

/// The reasons of one change that are in a group. They stand in order.
fn of_item(group: &Group, c: usize) -> &[(usize, usize)] {
    let start = group.members.partition_point(|(member, _)| *member < c);
    let members = &group.members[start..];
    &members[..members.partition_point(|(member, _)| *member == c)]
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

/// What an entry of one of its items says of a group that is told elsewhere.
pub(super) fn told(group: &Group, change: &Change) -> String {
    let others = counted(
        items(group).len() - 1,
        &format!("other {}", change.key.kind.word()),
    );
    format!("| as on {others}: {} {}", short(&group.place), group.event)
}

/// The lines of a group's entry: each distinct edit once, with the names of its items.
pub(super) fn show(
    group: &Group,
    server: &ServerReport,
    width: usize,
    paint: Paint,
) -> Vec<String> {
    let mut edits: Vec<(Sides, Vec<usize>)> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let items: Vec<usize> = items(group).into_iter().collect();
    let all = parallel::map(&items, |c| sides(group, *c, &server.changes[*c]));
    for (c, mut sides) in items.into_iter().zip(all) {
        let edit = *known.entry(sides.told.clone()).or_insert(edits.len());
        if edit == edits.len() {
            // The first text stands for all; of the others what is said there by the same edit.
            if edit > 0 {
                (sides.before, sides.after) = edited(&sides.before, &sides.after);
            }
            edits.push((sides, Vec::new()));
        }
        edits[edit].1.push(c);
    }
    let mut out = Vec::new();
    for (Sides { before, after, .. }, items) in edits {
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
struct Sides {
    before: Value,
    after: Value,
    /// What must be the same for one item to stand for another: of a text that was edited alike its place only.
    told: String,
}

/// The places that one item has in a group, each under its own name.
fn sides(group: &Group, c: usize, change: &Change) -> Sides {
    let mut old = Object::default();
    let mut new = Object::default();
    let mut told = Object::default();
    let places = Places::of(change);
    for (_, r) in of_item(group, c) {
        let reason = &change.reasons[*r];
        let place = places.place(reason);
        let definition = places.definition(reason, &place);
        for place in std::iter::once(place).chain(definition) {
            // The same words came and went in the same sentences: the first one stands for all.
            let alike = matches!(
                (place.before, place.after),
                (Some(Value::String(_)), Some(Value::String(_)))
                    | (Some(Value::Array(_)), Some(Value::Array(_)))
            );
            let alike = alike && place.event == "changed" && reason.rule != "title-generated";
            let label = label(&place);
            if let (true, Some(Value::String(before)), Some(Value::String(after))) =
                (alike, place.before, place.after)
            {
                // Of a text that was edited the sentences in which it was.
                let (before, after) = words::edited_sentences(before, after);
                told.set(format!("before {label}"), Value::String(before));
                told.set(format!("after {label}"), Value::String(after));
            }
            let former = match &place.former {
                Some(former) => former.clone(),
                None => label.clone(),
            };
            for (side_name, side, label, value) in [
                ("before", &mut old, former, place.before),
                ("after", &mut new, label, place.after),
            ] {
                if let Some(value) = value {
                    if !alike {
                        told.set(format!("{side_name} {label}"), value.clone());
                    }
                    side.set(label.as_str(), value.clone());
                }
            }
        }
    }
    Sides {
        before: Value::Object(old),
        after: Value::Object(new),
        told: to_text(&Value::Object(told)),
    }
}

/// What a place is called beside others of the same item: the names on the way to it, without what holds them.
fn label(place: &Place<'_>) -> String {
    let way = &place.way.now;
    let inside = way.get(1..).unwrap_or_default();
    let way = if inside.is_empty() || place.name.starts_with("annotations") {
        &way[way.len().saturating_sub(1)..]
    } else {
        inside
    };
    let names = way.iter().map(String::as_str);
    names
        .filter(|token| *token != "properties")
        .collect::<Vec<_>>()
        .join("/")
}

/// The same words that come and go mean something else in another sentence: of texts on both sides what remains are
/// the sentences that were edited.
fn edited(old: &Value, new: &Value) -> (Value, Value) {
    let (mut before, mut after) = (Object::default(), Object::default());
    for (label, now) in new.as_object().into_iter().flat_map(Object::iter) {
        match (old.get(label).and_then(Value::as_str), now.as_str()) {
            (Some(was), Some(is)) => {
                let (was, is) = words::edited_sentences(was, is);
                before.set(label, Value::String(was));
                after.set(label, Value::String(is));
            }
            _ => after.set(label, now.clone()),
        }
    }
    for (label, was) in old.as_object().into_iter().flat_map(Object::iter) {
        if before.get(label).is_none() {
            before.set(label, was.clone());
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

#[cfg(test)]
mod tests;
