//! Edits that many items share, each shown once: what came or went, and on which items.

use super::count::counted;
use super::definition::{self, brief, named_lines};
use super::escape::{name, quoted_name, short};
use super::hunks::{self, Diff, Line};
use super::paint::{Ink, Paint};
use super::place::{Place, Places};
use super::rows::{self, Row};
use super::sides::{hidden, removed};
use super::untold::{Untold, says_all};
use super::words;
use crate::canonical::to_text;
use crate::json::{Object, Value};
use crate::model::Pointer;
use crate::pair::Event;
use crate::parallel;
use crate::report::{Change, Group, ServerReport};
use crate::rules::Reason;
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

/// The changes that a group touches.
pub(super) fn items(group: &Group) -> BTreeSet<usize> {
    group.members.iter().map(|(c, _)| *c).collect()
}

/// The reasons of one change that are in a group. They stand in order.
pub(super) fn of_item(group: &Group, c: usize) -> &[(usize, usize)] {
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

/// An item, and its inputs that were edited, where their names may differ from those of others.
type Holder = (usize, Vec<String>);

/// One distinct edit of a group, and the items that share it.
pub(super) struct Edit {
    /// What differs.
    pub(super) diff: Diff,
    /// What the diff does not show, escaped.
    pub(super) below: Vec<String>,
    /// The names of its items, escaped; none where the diff names them.
    pub(super) names: Vec<String>,
    /// Whether the first item is shown for all: of texts only the words that went and came are the same.
    pub(super) is_example: bool,
}

/// Each distinct edit of a group once.
pub(super) fn edits(group: &Group, server: &ServerReport, paint: Paint) -> Vec<Edit> {
    let changes = || items(group).into_iter().map(|c| &server.changes[c]);
    if changes().all(|change| change.event == Event::Removed && change.after.is_none()) {
        return vec![Edit {
            diff: Diff {
                lines: changes().map(|change| gone(change, paint)).collect(),
                hidden: [0, 0],
            },
            below: Vec::new(),
            names: Vec::new(),
            is_example: false,
        }];
    }
    let mut edits: Vec<(Sides, Vec<Holder>)> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let items: Vec<usize> = items(group).into_iter().collect();
    let all = parallel::map(&items, |c| sides(group, *c, &server.changes[*c]));
    for (c, sides) in items.into_iter().zip(all) {
        for mut sides in sides {
            let edit = *known.entry(sides.told.clone()).or_insert(edits.len());
            let input = sides.input.take();
            if edit == edits.len() {
                // The first text stands for all; of the others what is said there by the same edit.
                if edit > 0 {
                    (sides.before, sides.after) = edited(&sides.before, &sides.after);
                }
                edits.push((sides, Vec::new()));
            }
            let holders = &mut edits[edit].1;
            match holders.last_mut() {
                Some((holder, inputs)) if *holder == c => inputs.extend(input),
                _ => holders.push((c, input.into_iter().collect())),
            }
        }
    }
    let edits = edits
        .into_iter()
        .map(|(Sides { before, after, .. }, items)| {
            let (old, new) = (side_lines(&before, &after), side_lines(&after, &before));
            let diff = hunks::diff(&old, &new, paint);
            let mut below = Vec::new();
            if diff.hidden != [0, 0] {
                let [old, new] = diff.hidden;
                below.push(format!("not shown: {}", counted(old + new, "byte")));
            }
            below.extend(hidden(Some(&before), Some(&after), &[&group.message]));
            // One input that bears one name everywhere is named by what is shown.
            let one_name = items
                .iter()
                .all(|(_, inputs)| *inputs == items[0].1 && inputs.len() < 2);
            let holder = |(c, inputs): &Holder| {
                let item = name(server.changes[*c].key.name.as_str());
                if one_name {
                    item
                } else {
                    format!("{item} ({})", inputs.join(" "))
                }
            };
            let names: Vec<String> = items.iter().map(holder).collect();
            Edit {
                is_example: group.event == "changed" && (names.len() > 1 || !one_name),
                diff,
                below,
                names,
            }
        });
    edits.collect()
}

/// What an entry of one of its items says of a group that is told elsewhere.
pub(super) fn told(group: &Group, change: &Change) -> String {
    let others = items(group).len() - 1;
    let others = counted(others, &format!("other {}", change.key.kind.word()));
    format!("as on {others}: {} {}", short(&group.place), group.event)
}

/// The lines of a group's entry: each distinct edit once, with the names of its items.
pub(super) fn show(
    group: &Group,
    server: &ServerReport,
    width: usize,
    paint: Paint,
) -> Vec<String> {
    let mut out = Vec::new();
    for edit in edits(group, server, paint) {
        let Edit {
            diff,
            below,
            mut names,
            is_example,
        } = edit;
        if is_example && let Some(first) = names.first_mut() {
            *first = format!("the same edit on {first} (shown)");
        }
        out.extend(diff.text(paint));
        let below = below.iter().map(|text| format!("| {text}"));
        out.extend(below.map(|text| paint.of(Ink::Warning, &text)));
        if !names.is_empty() {
            out.extend(list(names.into_iter(), width));
        }
    }
    out
}

/// An item that is gone, by its name and what it said it does.
fn gone(change: &Change, paint: Paint) -> Line {
    let text = change.before.as_ref().and_then(removed);
    let text = text.map(|text| format!(": {text}")).unwrap_or_default();
    let text = format!("{}{text}", quoted_name(change.key.name.as_str()));
    Line::Row(Row::whole(rows::Side::Old, &text, paint))
}

/// What stood, and what stands, as members of two objects.
struct Sides {
    before: Value,
    after: Value,
    /// What must be the same for one item to stand for another: of a text that was edited alike its place only.
    told: String,
    /// The one input that it is about, where that may have another name in other items.
    input: Option<String>,
}

/// The places that one item has in a group, each under its own name. A schema that differs in many ways stands alone:
/// inputs that were edited alike are one edit, whatever their names.
fn sides(group: &Group, c: usize, change: &Change) -> Vec<Sides> {
    let mut named = Named::default();
    let mut schemas: BTreeMap<String, Sides> = BTreeMap::new();
    let places = Places::of(change);
    for (_, r) in of_item(group, c) {
        let reason = &change.reasons[*r];
        let place = places.place(reason);
        if let Some(definition) = places.definition(reason, &place) {
            named.add(&definition, reason);
        }
        let (Some(Value::Object(was)), Some(Value::Object(is)), "changed") =
            (place.before, place.after, place.event)
        else {
            named.add(&place, reason);
            continue;
        };
        let label = label(&place);
        let (was, is) = differing(change, &place.way.now, was, is);
        let told = format!("schema {} {}", to_text(&was), to_text(&is));
        let input = Some(short(&label));
        let side = |value: Value| match value {
            Value::Object(object) if object.is_empty() => Value::Object(object),
            value => Value::Object([(label.clone(), value)].into_iter().collect()),
        };
        let (before, after) = (side(was), side(is));
        let sides = Sides {
            before,
            after,
            told,
            input,
        };
        schemas.insert(label, sides);
    }
    let is_there = !named.before.is_empty() || !named.after.is_empty() || schemas.is_empty();
    let rest = is_there.then(|| Sides {
        before: Value::Object(named.before),
        after: Value::Object(named.after),
        told: to_text(&Value::Object(named.told)),
        input: None,
    });
    rest.into_iter().chain(schemas.into_values()).collect()
}

/// Places of one item, each under its own name.
#[derive(Default)]
struct Named {
    before: Object,
    after: Object,
    told: Object,
}

impl Named {
    fn add(&mut self, place: &Place<'_>, reason: &Reason) {
        let label = label(place);
        let former = match &place.former {
            Some(former) => former.clone(),
            None => label.clone(),
        };
        let is_alike = place.event == "changed" && reason.rule != "title-generated";
        match (place.before, place.after) {
            // The same words came and went in the same sentences: the first one stands for all.
            (Some(Value::String(before)), Some(Value::String(after))) if is_alike => {
                let (before, after) = words::edited_sentences(before, after);
                let told = &mut self.told;
                told.set(format!("before {label}"), Value::String(before));
                told.set(format!("after {label}"), Value::String(after));
            }
            (Some(Value::Array(_)), Some(Value::Array(_))) if is_alike => {}
            (before, after) => {
                for (side, label, value) in [("before", &former, before), ("after", &label, after)]
                {
                    if let Some(value) = value {
                        self.told.set(format!("{side} {label}"), value.clone());
                    }
                }
            }
        }
        if let Some(value) = place.before {
            self.before.set(former, value.clone());
        }
        if let Some(value) = place.after {
            self.after.set(label, value.clone());
        }
    }
}

/// Of a schema on both sides what differs, without what is told of on its own.
fn differing(change: &Change, way: &[String], was: &Object, is: &Object) -> (Value, Value) {
    let at = way
        .iter()
        .fold(Pointer::root(), |pointer, token| pointer.join(token));
    let told: BTreeSet<&Pointer> = change.reasons.iter().map(|reason| &reason.path).collect();
    let only = |of: &Object, other: &Object| -> Value {
        let own = of.iter().filter(|(name, value)| {
            other.get(name) != Some(value) && !told.contains(&at.join(name))
        });
        Value::Object(
            own.map(|(name, value)| (name.to_owned(), value.clone()))
                .collect(),
        )
    };
    (only(was, is), only(is, was))
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

fn side_lines(side: &Value, other: &Value) -> Vec<definition::Line> {
    match side {
        Value::Object(object) if object.is_empty() => Vec::new(),
        side => named_lines(&brief(side), Some(other)),
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
