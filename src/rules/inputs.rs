//! What a tool takes: inputs that came and went, what must be given, what travels as a header.

use super::{Rule, words};
use crate::diff::keyword::HEADER;
use crate::diff::{ArgumentPart, Fact, Place, Side, Spot, What};
use crate::json::Value;
use crate::model::Level;
use std::collections::BTreeSet;

/// The place, if it is in an input schema.
pub(super) fn input_spot<'f, 'a>(fact: &'f Fact<'a>) -> Option<&'f Spot<'a>> {
    match &fact.place {
        Place::Schema(spot) if spot.side == Side::Input => Some(spot),
        _ => None,
    }
}

pub(super) static INPUT_ADDED: Rule = Rule {
    id: "input-added",
    level: Level::Material,
    title: "an input is declared that was not declared before",
    why: "the model may send in it what it did not send before",
    says: |fact, _| {
        let spot = input_spot(fact)?;
        match &spot.what {
            What::Input {
                name,
                required,
                counterpart,
            } if fact.before.is_none() => Some(format!(
                "a new {} input {}{}{}: the model may send more than before",
                if *required { "required" } else { "optional" },
                words::quote(name),
                fact.after.map(type_note).unwrap_or_default(),
                match counterpart {
                    Some(former) => format!(", renamed from {}", words::quote(former)),
                    None => String::new(),
                }
            )),
            What::Required { undeclared } if !undeclared.is_empty() => {
                Some(made_up(undeclared.iter().copied()))
            }
            What::Input { .. } | What::Definition { followed: true, .. } => None,
            _ if !spot.news.inputs.is_empty() => Some(format!(
                "new inputs {} in {}: the model may send more than before",
                words::list(spot.news.inputs.iter().copied()),
                words::subject(spot)
            )),
            _ if !spot.news.undeclared.is_empty() => {
                Some(made_up(spot.news.undeclared.iter().copied()))
            }
            _ => None,
        }
    },
    last: false,
};

/// What is said of names that must be given and that no property declares.
fn made_up<'a>(names: impl Iterator<Item = &'a str>) -> String {
    format!(
        "{} must be given now although no property declares it: the model will make up what to send",
        words::list(names)
    )
}

/// The type of an input in parentheses, if it says one.
fn type_note(schema: &Value) -> String {
    match schema.get("type") {
        Some(Value::String(one)) => format!(" ({})", words::quote(one)),
        Some(Value::Array(several)) => {
            let types = several.iter().filter_map(Value::as_str);
            format!(" ({})", words::list(types))
        }
        _ => String::new(),
    }
}

pub(super) static INPUT_REMOVED: Rule = Rule {
    id: "input-removed",
    level: Level::Minor,
    title: "an input is no longer declared",
    why: "less is asked for",
    says: |fact, _| {
        if let Place::Argument {
            name,
            part: ArgumentPart::Whole { counterpart },
        } = fact.place
            && fact.after.is_none()
        {
            return Some(gone("argument", name, counterpart));
        }
        let spot = input_spot(fact)?;
        match &spot.what {
            What::Input {
                name, counterpart, ..
            } if fact.after.is_none() => Some(gone("input", name, *counterpart)),
            What::Input { .. } | What::Definition { followed: true, .. } => None,
            _ if spot.news.gone.is_empty() => None,
            _ => Some(format!(
                "inputs {} are gone from {}",
                words::list(spot.news.gone.iter().copied()),
                words::subject(spot)
            )),
        }
    },
    last: false,
};

fn gone(what: &str, name: &str, now: Option<&str>) -> String {
    let name = words::quote(name);
    match now {
        Some(now) => format!("{what} {name} is gone, renamed to {}", words::quote(now)),
        None => format!("{what} {name} is gone"),
    }
}

pub(super) static REQUIRED_CHANGED: Rule = Rule {
    id: "required-changed",
    level: Level::Minor,
    title: "other inputs must be given",
    why: "what may be sent is the same; calls that leave an input out may fail, or no longer do",
    says: |fact, _| {
        if let Place::Argument {
            name,
            part: ArgumentPart::Required,
        } = fact.place
        {
            let must = fact.after.and_then(Value::as_bool) == Some(true);
            let now = if must { "must" } else { "need not" };
            return Some(format!(
                "argument {} {now} be given now",
                words::quote(name)
            ));
        }
        let spot = input_spot(fact)?;
        if !matches!(spot.what, What::Required { .. }) {
            return None;
        }
        let names = |side: Option<&Value>| -> BTreeSet<String> {
            let list = side.and_then(Value::as_array).unwrap_or_default();
            list.iter().map(super::shown).collect()
        };
        let (before, after) = (names(fact.before), names(fact.after));
        let only = |list: &BTreeSet<String>, other: &BTreeSet<String>, word: &str| {
            let only: Vec<String> = list.difference(other).cloned().collect();
            (!only.is_empty()).then(|| format!("{} {word}", words::join(only)))
        };
        let parts: Vec<String> = [
            only(&after, &before, "must be given now"),
            only(&before, &after, "need not be given any more"),
        ]
        .into_iter()
        .flatten()
        .collect();
        Some(if parts.is_empty() {
            "nothing else must be given, the list is written differently".to_owned()
        } else {
            parts.join("; ")
        })
    },
    last: false,
};

pub(super) static ADDITIONAL_PROPERTIES_CHANGED: Rule = Rule {
    id: "additional-properties-changed",
    level: Level::Minor,
    title: "inputs that are not declared are accepted now, or no longer",
    why: "a model sends what is declared; new text under these keywords is judged on its own",
    says: |fact, _| {
        let spot = input_spot(fact)?;
        let What::Subschema { keyword } = spot.what else {
            return None;
        };
        is_about_undeclared(keyword).then(|| {
            let accepts = |side: Option<&Value>| match side {
                Some(Value::Bool(accepts)) => Some(*accepts),
                Some(Value::Object(members)) if !members.is_empty() => None,
                _ => Some(true),
            };
            let now = match (accepts(fact.before), accepts(fact.after)) {
                (Some(true), Some(true)) => "accepts inputs that are not declared, as before",
                (_, Some(true)) => "accepts inputs that are not declared now",
                (_, Some(false)) => "no longer accepts inputs that are not declared",
                (_, None) => "has another say on inputs that are not declared",
            };
            format!("{} {now} ({})", words::subject(spot), words::quote(keyword))
        })
    },
    last: false,
};

/// Whether a keyword speaks of properties that no other keyword declares.
pub(super) fn is_about_undeclared(keyword: &str) -> bool {
    matches!(
        keyword,
        "additionalProperties" | "unevaluatedProperties" | "propertyNames"
    )
}

pub(super) static HEADER_EXPOSED: Rule = Rule {
    id: "header-exposed",
    level: Level::Material,
    title: "the value of an input travels as an HTTP header now, or no longer",
    why: "headers are read and logged by everything between client and server",
    says: |fact, _| match &fact.place {
        Place::Schema(spot) if spot.news.headers => Some(format!(
            "`{HEADER}` {} in {}: what is sent as an HTTP header, and logged on the way, is something else",
            words::happened(fact),
            words::subject(spot)
        )),
        _ => None,
    },
    last: false,
};
