//! What people and models read first: titles and descriptions of tools, prompts and resources.

use super::{Rule, words};
use crate::diff::{ArgumentPart, Fact, Place};
use crate::json::Value;
use crate::model::{Kind, Level};
use crate::text::same_words;

/// Whether only blanks differ between two texts.
pub(super) fn only_blanks(fact: &Fact<'_>) -> bool {
    match (fact.before, fact.after) {
        (Some(Value::String(before)), Some(Value::String(after))) => same_words(before, after),
        _ => false,
    }
}

/// Whether the words of a title differ, in a way that is neither made from the name nor a mere move.
fn title_differs(fact: &Fact<'_>) -> bool {
    let Place::Title { generated, same } = fact.place else {
        return false;
    };
    !generated && !same && !only_blanks(fact)
}

fn description_differs(fact: &Fact<'_>) -> bool {
    matches!(fact.place, Place::Description) && !only_blanks(fact)
}

pub(super) static TITLE_CHANGED: Rule = Rule {
    id: "title-changed",
    level: Level::Material,
    title: "the words of a tool's title differ",
    why: "people choose by the title and approve under it, and some clients hand it to the model",
    says: |fact, _| {
        (fact.kind == Kind::Tool && title_differs(fact)).then(|| {
            format!(
                "title {}{}: people approve the tool under it, and a model may read it",
                words::happened(fact),
                words::note(fact.before, fact.after)
            )
        })
    },
    last: false,
};

pub(super) static DESCRIPTION_CHANGED: Rule = Rule {
    id: "description-changed",
    level: Level::Material,
    title: "the words of a tool's description differ",
    why: "the model follows the description: new words can steer it, and words that are gone may have been a warning",
    says: |fact, _| {
        (fact.kind == Kind::Tool && description_differs(fact)).then(|| {
            format!(
                "description {}{}: the model is told something else",
                words::happened(fact),
                words::note(fact.before, fact.after)
            )
        })
    },
    last: false,
};

pub(super) static PROMPT_CHANGED: Rule = Rule {
    id: "prompt-changed",
    level: Level::Material,
    title: "the words or the arguments of a prompt differ",
    why: "people choose a prompt by its words, and what they fill in goes to the server",
    says: |fact, _| {
        if fact.kind != Kind::Prompt {
            return None;
        }
        let what = match fact.place {
            Place::Argument {
                name,
                part: ArgumentPart::Whole { counterpart },
            } if fact.before.is_none() => {
                let former = match counterpart {
                    Some(former) => format!(", renamed from {}", words::quote(former)),
                    None => String::new(),
                };
                return Some(format!(
                    "a new argument {}{former}: people may hand over more than before",
                    words::quote(name)
                ));
            }
            Place::Argument {
                name,
                part: ArgumentPart::Text,
            } if !only_blanks(fact) => format!("text of argument {}", words::quote(name)),
            Place::Member {
                member: "arguments",
                name,
            } if !is_empty(fact) => words::inside("arguments", name),
            _ if title_differs(fact) => "title".to_owned(),
            _ if description_differs(fact) => "description".to_owned(),
            _ => return None,
        };
        Some(format!(
            "{what} of the prompt {}{}: people are told something else",
            words::happened(fact),
            words::note(fact.before, fact.after)
        ))
    },
    last: false,
};

/// Whether an empty list came or went.
pub(super) fn is_empty(fact: &Fact<'_>) -> bool {
    let empty = |side: Option<&Value>| {
        side.is_none_or(|value| value.as_array().is_some_and(<[Value]>::is_empty))
    };
    empty(fact.before) && empty(fact.after)
}

pub(super) static RESOURCE_CHANGED: Rule = Rule {
    id: "resource-changed",
    level: Level::Material,
    title: "the words of a resource or resource template differ",
    why: "people and models choose what to read by these words",
    says: |fact, _| {
        if !matches!(fact.kind, Kind::Resource | Kind::Template) {
            return None;
        }
        let what = match fact.place {
            Place::Name if !only_blanks(fact) => "name",
            _ if title_differs(fact) => "title",
            _ if description_differs(fact) => "description",
            _ => return None,
        };
        Some(format!(
            "{what} of the {} {}{}: a model may choose it for another purpose",
            fact.kind.word(),
            words::happened(fact),
            words::note(fact.before, fact.after)
        ))
    },
    last: false,
};
