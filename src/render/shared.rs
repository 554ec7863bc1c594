//! Edits that many items share, each shown once: what came or went, and on which items.

use super::count::counted;
use super::definition::{self, brief, named_lines};
use super::escape::{name, quoted_name, short};
use super::hunks::{self, Diff, Line};
use super::paint::{Ink, Paint};
use super::place::{Place, Places, Way};
use super::rest::{self, LeftOut};
use super::rows::{self, Row};
use super::sides::{hidden, removed};
use super::words;
use crate::canonical::to_text;
use crate::json::{Object, Value};
use crate::model::Pointer;
use crate::pair::Event;
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

/// What an entry of one of its items says of a group that is told elsewhere, escaped.
pub(super) fn told(group: &Group, change: &Change) -> String {
    let others = counted(
        items(group).len() - 1,
        &format!("other {}", change.key.kind.word()),
    );
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
    let mut old = Object::default();
    let mut new = Object::default();
    let mut told = Object::default();
    let mut schemas: BTreeMap<String, Sides> = BTreeMap::new();
    let places = Places::of(change);
    for (_, r) in of_item(group, c) {
        let reason = &change.reasons[*r];
        let place = places.place(reason);
        let definition = places.definition(reason, &place);
        for place in std::iter::once(place).chain(definition) {
            let label = label(&place);
            if let (Some(Value::Object(was)), Some(Value::Object(is)), "changed") =
                (place.before, place.after, place.event)
            {
                let (was, is) = differing(change, &place.way.now, was, is);
                schemas.insert(label.clone(), schema(&label, was, is));
                continue;
            }
            // The same words came and went in the same sentences: the first one stands for all.
            let is_alike =
                |side: Option<&Value>| matches!(side, Some(Value::String(_) | Value::Array(_)));
            let sentences = ([place.before, place.after].into_iter().all(is_alike)
                && place.event == "changed"
                && reason.rule != "title-generated")
                .then(|| sentences(&place));
            let former = match &place.former {
                Some(former) => former.clone(),
                None => label.clone(),
            };
            let (was, is) = sentences.unzip();
            for (side_name, side, label, value, sentences) in [
                ("before", &mut old, former, place.before, was),
                ("after", &mut new, label, place.after, is),
            ] {
                let Some(value) = value else { continue };
                let key = format!("{side_name} {label}");
                match (value, sentences) {
                    (value, None) => told.set(key, value.clone()),
                    (Value::String(_), Some(sentences)) => told.set(key, Value::String(sentences)),
                    _ => {}
                }
                side.set(label.as_str(), value.clone());
            }
        }
    }
    let rest = (!old.is_empty() || !new.is_empty() || schemas.is_empty()).then(|| Sides {
        before: Value::Object(old),
        after: Value::Object(new),
        told: to_text(&Value::Object(told)),
        input: None,
    });
    rest.into_iter().chain(schemas.into_values()).collect()
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

/// What differs of a schema, which has one label or another.
fn schema(label: &str, was: Value, is: Value) -> Sides {
    let told = format!("schema {} {}", to_text(&was), to_text(&is));
    let side = |value: Value| match value {
        Value::Object(object) if object.is_empty() => Value::Object(object),
        value => Value::Object([(label.to_owned(), value)].into_iter().collect()),
    };
    Sides {
        before: side(was),
        after: side(is),
        told,
        input: Some(short(label)),
    }
}

/// Of a text that was edited the sentences in which it was, on either side.
fn sentences(place: &Place<'_>) -> (String, String) {
    let text = |value: Option<&'_ Value>| -> String {
        value.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    words::edited_sentences(&text(place.before), &text(place.after))
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
