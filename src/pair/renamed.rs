//! One item gone and one come that are the same under another name, or nearly.
//!
//! Equal definitions are found by digest, similar ones only among few that share a schema or a description, so
//! that thousands of items take no longer than sorting them.

use super::{Event, Pair};
use crate::catalogue::Definition;
use crate::fingerprint::Digest;
use crate::json::{Object, Value};
use crate::model::Kind;
use crate::text::{folded, name_edit, name_words, similarity};
use std::collections::{BTreeMap, BTreeSet};

/// Among more than so many alike on a side nobody can tell which is which.
const ALIKE: usize = 16;

/// Descriptions that share so much of their words, in percent, are one text with edits.
const SIMILAR: usize = 60;

/// Shorter descriptions say too little to tell an item by.
const DESCRIPTION: usize = 24;

/// Joins a removed and an added pair where they are one item renamed. Keeps the order of keys.
pub(super) fn join(pairs: &mut Vec<Pair<'_>>) {
    for kind in [Kind::Tool, Kind::Prompt] {
        join_by(
            pairs,
            kind,
            |item| Some(Digest::of(&nameless(item, false))),
            |_, _| true,
        );
        join_by(
            pairs,
            kind,
            |item| Some(Digest::of(&nameless(item, true))),
            |_, _| true,
        );
        join_by(pairs, kind, spelling, |_, _| true);
        join_by(pairs, kind, schema, |one, other| {
            match (one.text("description"), other.text("description")) {
                (Some(one), Some(other)) => similarity(one, other) >= SIMILAR,
                _ => false,
            }
        });
        join_by(pairs, kind, description, |_, _| true);
        join_by(pairs, kind, inputs, |one, other| {
            let [one, other] = [one, other].map(|item| name_words(item.text("name").unwrap_or("")));
            one.len().min(other.len()) >= WORDS && (one.is_subset(&other) || other.is_subset(&one))
        });
        if let Some((went, came)) = prefix(pairs, kind) {
            join_by(
                pairs,
                kind,
                |item| {
                    let name = item.text("name")?;
                    let rest = [&went, &came]
                        .into_iter()
                        .filter(|prefix| !prefix.is_empty())
                        .find_map(|prefix| name.strip_prefix(prefix.as_str()));
                    Some(Digest::of(rest.unwrap_or(name)))
                },
                |old, new| {
                    let names = [old, new].map(|item| item.text("name"));
                    let [Some(old), Some(new)] = names else {
                        return false;
                    };
                    old.strip_prefix(went.as_str())
                        .zip(new.strip_prefix(came.as_str()))
                        .is_some_and(|(old, new)| old == new)
                },
            );
        }
    }
}

/// The beginning of a name that went, and the one that came in its place, if several items were renamed by it.
fn prefix(pairs: &[Pair<'_>], kind: Kind) -> Option<(String, String)> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for pair in pairs.iter().filter(|pair| pair.key.kind == kind) {
        let Some(former) = &pair.former else { continue };
        let (old, new) = (former.name.as_str(), pair.key.name.as_str());
        let (went, came) = name_edit(old, new);
        if old.starts_with(went) && new.starts_with(came) {
            *counts.entry((went, came)).or_default() += 1;
        }
    }
    let (edit, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (count >= SEVERAL).then(|| (edit.0.to_owned(), edit.1.to_owned()))
}

/// So many items renamed alike are a rule that others follow too.
const SEVERAL: usize = 2;

/// Names of fewer words say too little to tell that one grew out of another.
const WORDS: usize = 2;

fn join_by(
    pairs: &mut Vec<Pair<'_>>,
    kind: Kind,
    sign: impl Fn(&Object) -> Option<Digest>,
    fits: impl Fn(&Object, &Object) -> bool,
) {
    let mut alike: BTreeMap<Digest, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (at, pair) in pairs.iter().enumerate().filter(|(_, p)| p.key.kind == kind) {
        let Some(found) = object(pair).and_then(&sign) else {
            continue;
        };
        match pair.event {
            Event::Removed => alike.entry(found).or_default().0.push(at),
            Event::Added => alike.entry(found).or_default().1.push(at),
            _ => {}
        }
    }
    let mut gone = Vec::new();
    for (removed, added) in alike.into_values() {
        if removed.len() > ALIKE || added.len() > ALIKE {
            continue;
        }
        let mut removed = removed;
        for now in added {
            let found = removed.iter().position(|old| {
                object(&pairs[*old])
                    .zip(object(&pairs[now]))
                    .is_some_and(|(old, new)| fits(old, new))
            });
            let Some(found) = found else { continue };
            let old = removed.remove(found);
            gone.push(old);
            let (key, before) = (pairs[old].key.clone(), pairs[old].before);
            let pair = &mut pairs[now];
            (pair.event, pair.former, pair.before) = (Event::Renamed, Some(key), before);
        }
    }
    gone.sort_unstable();
    let mut at = 0;
    pairs.retain(|_| {
        at += 1;
        gone.binary_search(&(at - 1)).is_err()
    });
}

/// The definition of an item that came or went, if it is an object in canonical form.
fn object<'a>(pair: &Pair<'a>) -> Option<&'a Object> {
    match &*pair.before.or(pair.after)?.definition {
        Definition::Canonical(canonical) if matches!(pair.event, Event::Added | Event::Removed) => {
            canonical.value().as_object()
        }
        _ => None,
    }
}

/// The definition without its name, and if asked for without the titles that libraries make of names.
fn nameless(item: &Object, untitled: bool) -> String {
    let mut copy = item.clone();
    copy.remove("name");
    if untitled {
        copy.remove("title");
        for (member, value) in copy.members_mut() {
            if let ("annotations" | "inputSchema" | "outputSchema", Value::Object(object)) =
                (member.as_str(), value)
            {
                object.remove("title");
            }
        }
    }
    crate::canonical::to_text(&Value::Object(copy))
}

/// The input schema, if it declares an input: two without one have nothing in common.
fn schema(item: &Object) -> Option<Digest> {
    let mut schema = item.get("inputSchema")?.as_object()?.clone();
    schema.remove("title");
    let inputs = schema.get("properties")?.as_object()?;
    (!inputs.is_empty()).then(|| Digest::of(&crate::canonical::to_text(&Value::Object(schema))))
}

fn spelling(item: &Object) -> Option<Digest> {
    Some(Digest::of(&folded(item.text("name")?)))
}

/// The names of the inputs, if there are any.
fn inputs(item: &Object) -> Option<Digest> {
    let inputs = item.get("inputSchema")?.get("properties")?.as_object()?;
    let names: BTreeSet<&str> = inputs.iter().map(|(name, _)| name).collect();
    (!names.is_empty()).then(|| Digest::of(&format!("{names:?}")))
}

fn description(item: &Object) -> Option<Digest> {
    let text = item.text("description")?;
    (text.len() >= DESCRIPTION).then(|| Digest::of(text))
}

#[cfg(test)]
mod tests {
    use crate::capture::Capture;
    use crate::catalogue::Catalogue;
    use crate::json::Limits;
    use crate::pair::{Event, pair};
    use crate::secret::Secrets;
    use std::collections::BTreeMap;
    use std::fmt::Write as _;

    fn catalogue(text: &str) -> Catalogue {
        let capture =
            Capture::from_file(text.as_bytes().to_vec(), Limits::default()).expect("a list");
        Catalogue::from_capture(&capture, &Secrets::default())
            .expect("a catalogue")
            .0
    }

    fn renamed(before: &str, after: &str) -> Vec<(String, String)> {
        let (before, after) = (catalogue(before), catalogue(after));
        let none = BTreeMap::new();
        pair(&before, &after, &none)
            .pairs
            .into_iter()
            .filter(|pair| pair.event == Event::Renamed)
            .map(|pair| {
                let former = pair.former.expect("a former name");
                (
                    former.name.as_str().to_owned(),
                    pair.key.name.as_str().to_owned(),
                )
            })
            .collect()
    }

    #[test]
    fn a_tool_is_known_by_its_definition_its_schema_or_its_description() {
        let schema = r#""inputSchema":{"title":"T","properties":{"id":{"type":"string"}}}"#;
        let tool = |name: &str, description: &str, schema: &str| {
            format!(r#"{{"tools":[{{"name":"{name}","description":"{description}",{schema}}}]}}"#)
        };
        let old = tool("delete_note", "Delete one note for good.", schema);
        for new in [
            tool("tidy_note", "Delete one note for good.", schema),
            tool(
                "tidy_note",
                "Delete one note for good.",
                &schema.replace("\"T\"", "\"X\""),
            ),
            tool("tidy_note", "Delete one note for now.", schema),
            tool(
                "tidy_note",
                "Delete one note for good.",
                r#""inputSchema":{"properties":{"all":{"type":"boolean"}}}"#,
            ),
        ] {
            assert_eq!(
                renamed(&old, &new),
                [("delete_note".into(), "tidy_note".into())],
                "{new}"
            );
        }
        for (former, now) in [("tidy_note", "tidyNote"), ("tidy_note", "now-tidy-note")] {
            let old = tool(former, "Delete one note for good.", schema);
            let other = schema.replace("string", "integer");
            let new = tool(now, "Something else altogether, at length.", &other);
            assert_eq!(renamed(&old, &new), [(former.into(), now.into())]);
        }
        let other = tool("tidy_note", "Something else altogether, at length.", schema);
        assert!(renamed(&old, &other).is_empty());
    }

    #[test]
    fn a_prefix_that_several_tools_lost_is_lost_by_the_others_too() {
        let list = |prefix: &str, text: &str| {
            let tool = |name: &str, text: &str| {
                format!(r#"{{"name":"{prefix}{name}","description":"{text}","inputSchema":{{}}}}"#)
            };
            format!(
                r#"{{"tools":[{},{},{}]}}"#,
                tool("find", "Finds one note among all."),
                tool("read", "Reads one note, if there is."),
                tool("write", text)
            )
        };
        let names = renamed(
            &list("notes_", "Writes a note."),
            &list("", "Puts words into a file of its own."),
        );
        let of = |name: &str| (format!("notes_{name}"), name.to_owned());
        assert_eq!(names, ["find", "read", "write"].map(of));
    }

    #[test]
    fn thousands_of_items_without_a_sign_are_left_alone() {
        let list = |prefix: &str| {
            let mut text = r#"{"tools":["#.to_owned();
            for at in 0..5_000 {
                let comma = if at == 0 { "" } else { "," };
                write!(
                    text,
                    r#"{comma}{{"name":"{prefix}{at}","inputSchema":{{}}}}"#
                )
                .expect("room for text");
            }
            text + "]}"
        };
        assert!(renamed(&list("a"), &list("b")).is_empty());
    }
}
