//! Items as a whole: come, gone, back, under another name, or without one reading.

use super::{Rule, words};
use crate::catalogue::Catalogue;
use crate::diff::survey::{Named, Survey};
use crate::diff::{Fact, Flaw, Place, Rest};
use crate::json::{Object, Value};
use crate::model::{Kind, Level};
use crate::pair::{Event, Pairing};

pub(super) static ITEM_ADDED: Rule = Rule {
    id: "item-added",
    level: Level::Material,
    title: "an item is offered that was not there before",
    why: "nobody has reviewed what it says, what it takes and what it does; under a new name it may pass rules made for an old one",
    says: |fact, _| {
        let Place::Item {
            name,
            former,
            event,
            rest,
        } = fact.place
        else {
            return None;
        };
        let (kind, name) = (fact.kind.word(), words::quote(name));
        match (event, former) {
            (Event::Added, _) => Some(format!("{kind} {name} is new{}", takes(fact))),
            (Event::Renamed, Some(former)) => {
                let rest = match rest {
                    Rest::Nothing => "otherwise identical",
                    Rest::Titles => "otherwise identical but for titles made of the name",
                    Rest::More => "and changed",
                };
                let former = words::quote(former);
                Some(format!(
                    "{kind} {name}: renamed from {former}, {rest}; rules and habits made for the old name do not cover it"
                ))
            }
            _ => None,
        }
    },
    last: false,
};

/// What a new tool or prompt takes, to be put behind its name.
fn takes(fact: &Fact<'_>) -> String {
    let Some(definition) = fact.after else {
        return String::new();
    };
    let inputs: Vec<&str> = match fact.kind {
        Kind::Tool => match definition.get("inputSchema") {
            Some(schema) => Survey::of(schema, Named::Not).inputs,
            None => Vec::new(),
        },
        Kind::Prompt => definition
            .get("arguments")
            .and_then(Value::as_array)
            .unwrap_or_default()
            .iter()
            .filter_map(|argument| argument.get("name")?.as_str())
            .collect(),
        _ => return String::new(),
    };
    if inputs.is_empty() {
        ", without inputs".to_owned()
    } else {
        format!(", with inputs {}", words::list(inputs))
    }
}

pub(super) static ITEM_REMOVED: Rule = Rule {
    id: "item-removed",
    level: Level::Minor,
    title: "an item is no longer offered",
    why: "nothing new can be said or sent by it; what relied on it will fail",
    says: |fact, _| match fact.place {
        Place::Item {
            name,
            event: Event::Removed,
            ..
        } => Some(format!(
            "{} {} is gone",
            fact.kind.word(),
            words::quote(name)
        )),
        _ => None,
    },
    last: false,
};

pub(super) static ITEM_RETURNED: Rule = Rule {
    id: "item-returned",
    level: Level::Material,
    title: "an item that was acknowledged as removed is offered again",
    why: "what was settled is open again: it may come back under the name that people trusted, with other content",
    says: |fact, _| match fact.place {
        Place::Item {
            name,
            event: Event::Returned,
            ..
        } => {
            let rest = if fact.before == fact.after {
                "as it was last accepted"
            } else {
                "and differs from what was last accepted"
            };
            Some(format!(
                "{} {} is back, {rest}",
                fact.kind.word(),
                words::quote(name)
            ))
        }
        _ => None,
    },
    last: false,
};

pub(super) static LIST_COLLAPSED: Rule = Rule {
    id: "list-collapsed",
    level: Level::Material,
    title: "more than half of the tools are gone",
    why: "the server may be broken, may see another credential, or is not the server that was reviewed",
    says: |fact, context| match fact.place {
        Place::Item {
            name,
            event: Event::Removed,
            ..
        } if context.collapsed && fact.kind == Kind::Tool => Some(format!(
            "{} went with more than half of the tools: the server may be broken, show another account, or be another one",
            words::quote(name)
        )),
        _ => None,
    },
    last: false,
};

/// Whether more than half of the baseline's tools are gone. Renamed ones are not.
pub fn collapsed(pairing: &Pairing<'_>, baseline: &Catalogue) -> bool {
    let gone = pairing
        .pairs
        .iter()
        .filter(|pair| pair.key.kind == Kind::Tool && pair.event == Event::Removed)
        .count();
    2 * gone > baseline.of(Kind::Tool).count()
}

pub(super) static AMBIGUOUS_NAME: Rule = Rule {
    id: "ambiguous-name",
    level: Level::Material,
    title: "two different definitions bear one name",
    why: "which of them a client shows and calls is chance: one may be reviewed and the other used",
    says: |fact, _| match &fact.place {
        Place::Flawed(Flaw::Ambiguous(count)) => Some(format!(
            "{count} different definitions bear this name; which of them a client uses is chance"
        )),
        _ => None,
    },
    last: false,
};

pub(super) static DUPLICATE_MEMBER: Rule = Rule {
    id: "duplicate-member",
    level: Level::Material,
    title: "an object in the definition has two members of one name",
    why: "clients differ in which one they take: one may be reviewed and the other read by the model",
    says: |fact, _| match &fact.place {
        Place::Flawed(Flaw::Duplicate(name)) => Some(format!(
            "two members are named {} in one object; clients differ in which they take",
            words::quote(name)
        )),
        _ => None,
    },
    last: false,
};

pub(super) static MALFORMED_ITEM: Rule = Rule {
    id: "malformed-item",
    level: Level::Material,
    title: "the definition is read differently by different clients",
    why: "what is reviewed need not be what the model reads",
    says: |fact, _| {
        match &fact.place {
        Place::Flawed(Flaw::Malformed(what)) => {
            Some(format!("the definition holds {what}; clients will read it differently"))
        }
        Place::Flawed(Flaw::Mended) => Some(
            "the definition was read differently by different clients and no longer is; what some of them read is new"
                .to_owned(),
        ),
        Place::Item {
            event: Event::Added | Event::Returned,
            name,
            ..
        } if is_nameless(fact, name) => Some(format!(
            "it names itself in no way: its `{}` is missing or no text",
            fact.kind.name_member()
        )),
        _ => None,
    }
    },
    last: false,
};

/// Whether the current side does not bear the name that it goes by. Several definitions under one name have it
/// inside.
fn is_nameless(fact: &Fact<'_>, name: &str) -> bool {
    let bears = |item: &Value| {
        let mut members = item.as_object().into_iter().flat_map(Object::iter);
        members.any(|(member, value)| {
            member == fact.kind.name_member() && value.as_str() == Some(name)
        })
    };
    fact.after.is_some_and(|item| {
        let several = item.as_array().unwrap_or_default();
        !bears(item) && !several.iter().any(bears)
    })
}
