//! The members of tools, prompts, resources and templates, everything but their schemas.

use super::schema::{self, EMPTY, merged, renamed_inputs};
use super::{ArgumentPart, DEPTH, Fact, Place, Side, branches, moved};
use crate::catalogue::display_title;
use crate::json::{Object, Value};
use crate::model::{Kind, Pointer};
use crate::pair::{Event, Pair};
use crate::text::is_generated;
use std::collections::BTreeMap;

/// The hints of a tool and what holds where they are absent (2025-03-26, "Tool annotations").
const HINTS: [(&str, bool); 4] = [
    ("readOnlyHint", false),
    ("destructiveHint", true),
    ("idempotentHint", false),
    ("openWorldHint", true),
];

/// What a hint of a tool comes to; `None` if it is something else than a truth value. `null` is absent.
pub(crate) fn effective_hint(annotations: Option<&Object>, name: &str) -> Option<bool> {
    let hint = annotations.and_then(|hints| hints.get(name));
    match hint.filter(|hint| **hint != Value::Null) {
        Some(hint) => hint.as_bool(),
        None => HINTS
            .iter()
            .find(|(hint, _)| *hint == name)
            .map(|(_, d)| *d),
    }
}

/// The facts of two definitions of a listed item.
pub(super) fn compare<'p>(
    pair: &'p Pair<'_>,
    before: &'p Value,
    after: &'p Value,
    facts: &mut Vec<Fact<'p>>,
) {
    let kind = pair.key.kind;
    let (Value::Object(old), Value::Object(new)) = (before, after) else {
        // A flaw is told of the whole, so that nothing is left to tell.
        let told = facts.iter().any(|f| matches!(f.place, Place::Flawed(_)));
        if before != after && !told {
            facts.push(Fact {
                kind,
                path: Pointer::root(),
                was: None,
                place: Place::Whole,
                before: Some(before),
                after: Some(after),
            });
        }
        return;
    };
    let name = pair.key.name.as_str();
    let former = pair.former.as_ref().map_or(name, |key| key.name.as_str());
    // The key of a resource is its address: people go by the name beside it.
    let names = match kind {
        Kind::Resource | Kind::Template => (
            old.text("name").unwrap_or(""),
            new.text("name").unwrap_or(""),
        ),
        _ => (former, name),
    };
    let mut comparison = Comparison {
        kind,
        names,
        renamed: pair.event == Event::Renamed,
        titles: (display_title(before), display_title(after)),
        facts,
    };
    for (member, before, after) in merged(old, new) {
        if before != after {
            comparison.member(member, before, after);
        }
    }
}

struct Comparison<'p, 'f> {
    kind: Kind,
    /// The name before and now.
    names: (&'p str, &'p str),
    renamed: bool,
    titles: (Option<&'p Value>, Option<&'p Value>),
    facts: &'f mut Vec<Fact<'p>>,
}

type Sides<'p> = (Option<&'p Value>, Option<&'p Value>);

impl<'p> Comparison<'p, '_> {
    fn push(&mut self, path: Pointer, place: Place<'p>, (before, after): Sides<'p>) {
        self.facts.push(Fact {
            kind: self.kind,
            path,
            was: None,
            place,
            before,
            after,
        });
    }

    fn member(&mut self, member: &'p str, before: Option<&'p Value>, after: Option<&'p Value>) {
        let path = Pointer::root().join(member);
        let sides = (before, after);
        match (self.kind, member) {
            // The renaming itself says so.
            (kind, name) if self.renamed && name == kind.name_member() => {}
            (_, "title") => self.title(path, sides),
            (_, "description") => self.push(path, Place::Description, sides),
            (Kind::Resource | Kind::Template, "name") => self.push(path, Place::Name, sides),
            (Kind::Tool, "inputSchema") => {
                let found = schema::compare(Side::Input, path, self.names, before, after);
                self.facts.extend(found);
            }
            (Kind::Tool, "outputSchema") => {
                let found = schema::compare(Side::Output, path, self.names, before, after);
                self.facts.extend(found);
            }
            (Kind::Tool, "annotations") => self.annotations(&path, sides),
            (Kind::Prompt, "arguments") => self.arguments(&path, sides),
            _ => {
                let place = |name| Place::Member { member, name };
                generic(self.kind, &path, &place, member, sides, self.facts);
            }
        }
    }

    fn title(&mut self, path: Pointer, sides: Sides<'p>) {
        let is_generated = |title: Option<&Value>, name| {
            present(title).is_none_or(|title| title.as_str().is_some_and(|t| is_generated(t, name)))
        };
        let shown = |title, display| present(title).is_none() || title == display;
        let place = Place::Title {
            generated: is_generated(sides.0, self.names.0) && is_generated(sides.1, self.names.1),
            same: present(self.titles.0) == present(self.titles.1)
                && shown(sides.0, self.titles.0)
                && shown(sides.1, self.titles.1),
        };
        self.push(path, place, sides);
    }

    fn annotations(&mut self, path: &Pointer, sides: Sides<'p>) {
        let Some((old, new)) = objects(sides) else {
            let place = Place::Hint {
                name: "annotations",
                effective: None,
                idle: false,
            };
            self.push(path.clone(), place, sides);
            return;
        };
        let read_only = |hints| effective_hint(hints, "readOnlyHint") == Some(true);
        let idle = read_only(old) && read_only(new);
        let members = merged(old.unwrap_or(&EMPTY), new.unwrap_or(&EMPTY));
        if members.is_empty() {
            let place = Place::Hint {
                name: "annotations",
                effective: Some((false, false)),
                idle: false,
            };
            self.push(path.clone(), place, sides);
        }
        for (name, before, after) in members {
            let sides = (before, after);
            let path = path.join(name);
            if before == after {
            } else if name == "title" {
                self.title(path, sides);
            } else if HINTS.iter().any(|(hint, _)| *hint == name) {
                let effective = effective_hint(old, name).zip(effective_hint(new, name));
                let place = Place::Hint {
                    name,
                    effective,
                    // What is no truth value may say anything, whatever stands beside it.
                    idle: idle
                        && effective.is_some()
                        && matches!(name, "destructiveHint" | "idempotentHint"),
                };
                self.push(path, place, sides);
            } else {
                let place = |name| Place::Member {
                    member: "annotations",
                    name,
                };
                generic(self.kind, &path, &place, name, sides, self.facts);
            }
        }
    }

    /// Arguments are matched by name.
    fn arguments(&mut self, path: &Pointer, sides: Sides<'p>) {
        let list = |side: Option<&'p Value>| match side {
            None => Some(&[][..]),
            Some(value) => value.as_array(),
        };
        let lists = list(sides.0)
            .zip(list(sides.1))
            .map(|(old, new)| (named(old), named(new)));
        let Some((Some(old), Some(new))) = lists else {
            let place = Place::Member {
                member: "arguments",
                name: "arguments",
            };
            self.push(path.clone(), place, sides);
            return;
        };
        let known = self.facts.len();
        let renamed = renamed_arguments(&old, &new);
        for (name, (at, argument)) in &new {
            let path = path.index(*at);
            if let Some((stood, before)) = old.get(name) {
                let known = self.facts.len();
                self.argument(&path, name, before, argument);
                moved(&mut self.facts[known..], &path, &stood.to_string());
            } else {
                let counterpart = renamed.iter().find(|(_, now)| now == name);
                let part = ArgumentPart::Whole {
                    counterpart: counterpart.map(|(former, _)| *former),
                };
                self.push(path, Place::Argument { name, part }, (None, Some(argument)));
            }
        }
        for (name, (at, argument)) in old.iter().filter(|(name, _)| !new.contains_key(*name)) {
            let path = path.index(*at);
            let counterpart = renamed.iter().find(|(former, _)| former == name);
            let part = ArgumentPart::Whole {
                counterpart: counterpart.map(|(_, now)| *now),
            };
            self.push(path, Place::Argument { name, part }, (Some(argument), None));
        }
        let mut common: Vec<(usize, usize)> = old
            .iter()
            .filter_map(|(name, (before, _))| Some((*before, new.get(name)?.0)))
            .collect();
        common.sort_unstable();
        if !common.is_sorted_by_key(|(_, now)| *now) {
            self.push(path.clone(), Place::Order, sides);
        }
        if self.facts.len() == known {
            // An empty list came or went.
            let place = Place::Member {
                member: "arguments",
                name: "arguments",
            };
            self.push(path.clone(), place, sides);
        }
    }

    fn argument(&mut self, path: &Pointer, name: &'p str, before: &'p Value, after: &'p Value) {
        let Some((Some(old), Some(new))) = objects((Some(before), Some(after))) else {
            return;
        };
        for (member, before, after) in merged(old, new) {
            let path = path.join(member);
            let sides = (before, after);
            let part = match member {
                _ if before == after => continue,
                "title" | "description" => ArgumentPart::Text,
                "required" if [before, after].into_iter().all(is_flag) => ArgumentPart::Required,
                _ => {
                    let place = |name| Place::Member {
                        member: "arguments",
                        name,
                    };
                    generic(self.kind, &path, &place, member, sides, self.facts);
                    continue;
                }
            };
            self.push(path, Place::Argument { name, part }, sides);
        }
    }
}

/// A value that is more than `null`.
fn present(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| **value != Value::Null)
}

/// Whether a value says yes or no, or nothing.
fn is_flag(value: Option<&Value>) -> bool {
    present(value).is_none_or(|value| value.as_bool().is_some())
}

/// Both sides as objects, if what is there is one.
fn objects<'p>((before, after): Sides<'p>) -> Option<(Option<&'p Object>, Option<&'p Object>)> {
    let object = |side: Option<&'p Value>| match side {
        None => Some(None),
        Some(value) => value.as_object().map(Some),
    };
    object(before).zip(object(after))
}

/// Arguments and their places by name; `None` if one has no name, or two have the same.
fn named(list: &[Value]) -> Option<BTreeMap<&str, (usize, &Value)>> {
    let mut found = BTreeMap::new();
    for (at, argument) in list.iter().enumerate() {
        let name = argument.get("name")?.as_str()?;
        if found.insert(name, (at, argument)).is_some() {
            return None;
        }
    }
    Some(found)
}

type Arguments<'p> = BTreeMap<&'p str, (usize, &'p Value)>;

/// Arguments that went and came and are the same under another name, as inputs are ([`renamed_inputs`]).
fn renamed_arguments<'p>(old: &Arguments<'p>, new: &Arguments<'p>) -> Vec<(&'p str, &'p str)> {
    let only = |of: &Arguments<'p>, other: &Arguments<'p>| -> Object {
        let only = of.iter().filter(|(name, _)| !other.contains_key(*name));
        only.map(|(name, (_, argument))| {
            let mut argument = (*argument).clone();
            if let Value::Object(argument) = &mut argument {
                argument.remove("name");
            }
            ((*name).to_owned(), argument)
        })
        .collect()
    };
    let (gone, came) = (only(old, new), only(new, old));
    let of = |names: &Arguments<'p>, name: &str| names.get_key_value(name).map(|(name, _)| *name);
    let renamed = renamed_inputs(&gone, &came).into_iter();
    renamed
        .filter_map(|(former, now)| Some((of(old, former)?, of(new, now)?)))
        .collect()
}

/// Any two values: into objects that are there on both sides, and no further.
pub(super) fn generic<'p>(
    kind: Kind,
    path: &Pointer,
    place: &dyn Fn(&'p str) -> Place<'p>,
    name: &'p str,
    sides: Sides<'p>,
    facts: &mut Vec<Fact<'p>>,
) {
    let mut open = vec![(path.clone(), name, sides, 0)];
    while let Some((path, name, (before, after), level)) = open.pop() {
        if before == after {
            continue;
        }
        let mut fact = |place| {
            facts.push(Fact {
                kind,
                path: path.clone(),
                was: None,
                place,
                before,
                after,
            });
        };
        match (before, after) {
            (Some(Value::Object(old)), Some(Value::Object(new))) if level < DEPTH => {
                let inside = merged(old, new).into_iter().rev();
                open.extend(
                    inside.map(|(name, old, new)| (path.join(name), name, (old, new), level + 1)),
                );
            }
            (Some(Value::Array(old)), Some(Value::Array(new))) => {
                let (same, reordered) = branches::compare_sets(old, new);
                if reordered {
                    fact(Place::Order);
                }
                if !same {
                    fact(place(name));
                }
            }
            _ => fact(place(name)),
        }
    }
}
