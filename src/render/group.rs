//! The reasons of many changes as a person would count edits (SPEC, section 5, "Groups").
//!
//! What appeared or went whole at one place is one edit on however many tools; a text that was rewritten is one only
//! where the words that went and came are the same. What always differs together, in the same inputs of the same
//! tools, is one edit too. Each reason is in exactly one group.

mod message;

use super::place::{Part, Place, Places};
use super::words;
use crate::canonical::to_text;
use crate::fingerprint::Digest;
use crate::json::Value;
use crate::model::{Kind, Level};
use crate::pair::Event;
use crate::parallel;
use crate::report::{Change, Group};
use crate::rules::Reason;
use crate::text::name_edit;
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

/// The two sides of a text that was rewritten.
type Texts<'a> = (&'a str, &'a str);

/// One reason and where it stands.
struct Member {
    /// Index of the change, index of the reason within it.
    at: (usize, usize),
    /// The name of its place.
    place: String,
    event: &'static str,
    /// The name of the input or hint that came or went whole with it.
    named: Option<String>,
    /// What is said of it, whichever input it is said of.
    said: String,
    part: Option<Part>,
}

/// Parts of items, by the index of the change.
type Parts = BTreeSet<(usize, Part)>;

/// The groups of one server's changes: the highest level first, then in the order of the changes.
pub fn groups(changes: &[Change]) -> Vec<Group> {
    let mut members: BTreeMap<Key, Vec<(Member, Option<Texts<'_>>)>> = BTreeMap::new();
    let numbered: Vec<(usize, &Change)> = changes.iter().enumerate().collect();
    let found = parallel::map(&numbered, |(c, change)| {
        let places = Places::of(change);
        let reasons = change.reasons.iter().enumerate();
        reasons
            .map(|(r, reason)| member((*c, r), change, reason, &places))
            .collect::<Vec<_>>()
    });
    for (key, member, texts) in found.into_iter().flatten() {
        members.entry(key).or_default().push((member, texts));
    }
    let edits = members.into_iter().flat_map(|(key, members)| {
        by_words(members).map(move |members| (key.kind, key.acknowledged, members))
    });
    let mut groups: Vec<Group> = together(edits)
        .into_iter()
        .map(|members| group(&members, changes))
        .collect();
    groups.sort_by(|a, b| (b.level, &a.members).cmp(&(a.level, &b.members)));
    groups
}

/// Those whose texts were edited alike, word by word. The words are compared only where something else might be the
/// same edit.
fn by_words(members: Vec<(Member, Option<Texts<'_>>)>) -> impl Iterator<Item = Vec<Member>> {
    let (_, first) = members[0];
    let is_one = members.iter().all(|(_, texts)| *texts == first);
    let mut found: BTreeMap<Option<Digest>, Vec<Member>> = BTreeMap::new();
    for (member, texts) in members {
        let edit = texts
            .filter(|_| !is_one)
            .map(|(before, after)| Digest::of(&format!("{:?}", words::edit_list(before, after))));
        found.entry(edit).or_default().push(member);
    }
    found.into_values()
}

/// Joins the edits that touch exactly the same parts of the same items.
fn together(edits: impl Iterator<Item = (Kind, bool, Vec<Member>)>) -> Vec<Vec<Member>> {
    let mut found: Vec<Vec<Member>> = Vec::new();
    let mut known: BTreeMap<(Kind, bool, Parts), usize> = BTreeMap::new();
    for (kind, acknowledged, members) in edits {
        let parts: Option<Parts> = members
            .iter()
            .map(|member| Some((member.at.0, member.part.clone()?)))
            .collect();
        let Some(parts) = parts else {
            found.push(members);
            continue;
        };
        let at = *known
            .entry((kind, acknowledged, parts))
            .or_insert(found.len());
        if at == found.len() {
            found.push(Vec::new());
        }
        found[at].extend(members);
    }
    for members in &mut found {
        members.sort_by_key(|member| member.at);
    }
    found
}

fn group(members: &[Member], changes: &[Change]) -> Group {
    let reason = |member: &Member| &changes[member.at.0].reasons[member.at.1];
    let level = members.iter().map(|member| reason(member).level).max();
    let rules: BTreeSet<&str> = members.iter().map(|member| reason(member).rule).collect();
    let place = message::place(members.iter().map(|member| member.place.as_str()));
    let mut events = members.iter().map(|member| member.event);
    let first = events.next().unwrap_or("changed");
    let event = if events.all(|event| event == first) {
        first
    } else {
        "changed"
    };
    Group {
        message: message::message(&place, event, members, changes),
        place,
        event,
        level: level.unwrap_or(Level::Material),
        rules: rules.into_iter().collect(),
        members: members.iter().map(|member| member.at).collect(),
    }
}

fn member<'a>(
    at: (usize, usize),
    change: &Change,
    reason: &Reason,
    places: &Places<'a>,
) -> (Key, Member, Option<Texts<'a>>) {
    let (kind, name) = (change.key.kind, change.key.name.as_str());
    let event = change.event.word();
    let whole = |place: &str, edit: String| {
        let key = Key {
            kind,
            acknowledged: change.acknowledged.is_some(),
            place: place.to_owned(),
            event,
            edit,
        };
        let member = Member {
            at,
            place: place.to_owned(),
            event,
            named: Some(name.to_owned()),
            said: reason.message.clone(),
            part: None,
        };
        (key, member, None)
    };
    match change.event {
        _ if kind == Kind::Server => whole(name, String::new()),
        Event::Added => whole(kind.word(), name.to_owned()),
        Event::Removed => whole(kind.word(), String::new()),
        Event::Renamed if is_of_name(reason) => {
            let former = change.former.as_ref().map_or("", |key| key.name.as_str());
            whole(kind.word(), format!("{:?}", name_edit(former, name)))
        }
        Event::Returned if reason.path.as_str().is_empty() => whole(kind.word(), name.to_owned()),
        Event::Renamed | Event::Returned | Event::Changed => {
            let place = places.place(reason);
            let or_kind = |name: &str| match name {
                "" => kind.word().to_owned(),
                name => name.to_owned(),
            };
            let (edit, texts) = edit(&place, reason);
            let key = Key {
                kind,
                acknowledged: change.acknowledged.is_some(),
                place: or_kind(&place.shared),
                event: place.event,
                edit,
            };
            let is_named = place.event != "changed" && place.is_named();
            let member = Member {
                at,
                named: place.way.now.last().filter(|_| is_named).cloned(),
                said: said(&place, reason, "`*`"),
                place: or_kind(&place.name),
                event: place.event,
                part: place.part,
            };
            (key, member, texts)
        }
    }
}

/// Whether a reason of a renamed item is about its name, or about a title that is made of it.
fn is_of_name(reason: &Reason) -> bool {
    let path = reason.path.as_str();
    let titles = [
        "/title",
        "/annotations/title",
        "/inputSchema/title",
        "/outputSchema/title",
    ];
    matches!(path, "" | "/name") || (reason.rule == "title-generated" && titles.contains(&path))
}

/// What two reasons at one place must have in common to be one edit; for rewritten texts also those, whose words must
/// be edited alike.
fn edit<'a>(place: &Place<'a>, reason: &Reason) -> (String, Option<Texts<'a>>) {
    let said = match (place.before, place.after) {
        (Some(_), Some(_)) if place.event == "renamed" => {
            let now = place.way.now.last().map_or("", String::as_str);
            format!("{:?} {now}", place.former)
        }
        _ if is_wordless(place, reason) => String::new(),
        // A schema that differs in many ways: what was told of it is one of them.
        (Some(Value::Object(_)), Some(Value::Object(_))) => nameless(place, reason),
        (Some(Value::String(before)), Some(Value::String(after)))
            if before != after && before.len() + after.len() <= COMPARED =>
        {
            return (
                format!("{:x}", balance(before, after)),
                Some((before, after)),
            );
        }
        (Some(before), Some(after)) if before != after => changed(before, after),
        (Some(_), None) | (None, Some(_)) => String::new(),
        // It is about something else than a difference at this place: the sentence says what.
        _ => nameless(place, reason),
    };
    (said, None)
}

/// A number that two texts share with all that were edited alike: what came weighs as much, and what went, whatever
/// stayed around it. Blanks weigh nothing, because edits are compared without those at their ends.
fn balance(before: &str, after: &str) -> u64 {
    let weight = |text: &str| {
        text.chars()
            .filter(|c| !c.is_whitespace())
            .map(|c| {
                (u64::from(c) + 1)
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    .rotate_left(u32::from(c) % 64)
            })
            .fold(0, u64::wrapping_add)
    };
    weight(after).wrapping_sub(weight(before))
}

/// What is said of a place, without the name of the input that it is said of.
fn nameless(place: &Place<'_>, reason: &Reason) -> String {
    format!("{} {}", reason.rule, said(place, reason, ""))
}

/// What is said of a place, with something else for the name of the input that it is said of.
fn said(place: &Place<'_>, reason: &Reason, name: &str) -> String {
    match &place.input {
        Some(input) => reason.message.replace(&format!("`{input}`"), name),
        None => reason.message.clone(),
    }
}

/// Whether a reason is about a value that says nothing by its words: whatever it was and is, it is one edit.
fn is_wordless(place: &Place<'_>, reason: &Reason) -> bool {
    let is_flag = |side: Option<&Value>| matches!(side, Some(Value::Bool(_)));
    match reason.rule {
        // What a title is made of is another name each time.
        "title-generated" | "meta-changed" | "execution-changed" | "icons-changed" => true,
        "hint-changed" | "hint-spelled-out" => is_flag(place.before) && is_flag(place.after),
        _ => false,
    }
}

fn changed(before: &Value, after: &Value) -> String {
    let edit = match (before, after) {
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
