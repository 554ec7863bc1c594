//! Text inside input schemas, text that nobody sees, and differences of text that say nothing.

use super::surface::only_blanks;
use super::{Context, Rule, arrived, words};
use crate::diff::hidden::{CameIn, came_in, look_alike, mixes_scripts};
use crate::diff::keyword::{HEADER, Shape, shape};
use crate::diff::{ArgumentPart, Fact, Place, Side, Spot, What};
use crate::json::Value;
use crate::model::Level;
use crate::text::hidden::{hidden, is_invisible};
use crate::text::strings;

/// Whether a place in a schema is a text, whatever it says.
pub(super) fn is_text(spot: &Spot<'_>) -> bool {
    match spot.what {
        What::Title { generated } => !generated,
        What::Keyword(keyword) => {
            shape(keyword) == Shape::Text || (shape(keyword) == Shape::Unknown && keyword != HEADER)
        }
        _ => false,
    }
}

pub(super) static WORDING_CHANGED: Rule = Rule {
    id: "wording-changed",
    level: Level::Material,
    title: "text in a surviving part of the input schema differs",
    why: "a model reads the whole schema: new words can steer it, and words that are gone may have been a warning",
    says: |fact, _| {
        let Place::Schema(spot) = &fact.place else {
            return None;
        };
        if spot.side != Side::Input {
            return None;
        }
        let subject = words::subject(spot);
        let happened = words::happened(fact);
        let note = words::note(fact.before, fact.after);
        match &spot.what {
            _ if is_text(spot) => {
                let keyword = match spot.what {
                    What::Keyword(keyword) => words::quote(keyword),
                    _ => "`title`".to_owned(),
                };
                (!only_blanks(fact)).then(|| {
                    format!(
                        "{keyword} of {subject} {happened}{note}: the model is told something else"
                    )
                })
            }
            // It is an input, which says enough; what its words say is part of it.
            What::Input { .. } => None,
            What::Opaque(_) | What::Branch { .. }
                if !spot.news.unsaid.is_empty() && spot.news.said.is_empty() =>
            {
                Some(format!(
                    "{subject} no longer says {}",
                    words::list(spot.news.unsaid.iter().copied())
                ))
            }
            _ if spot.news.said.is_empty() => None,
            _ => Some(format!(
                "{subject} newly says {}: the model may take it as told",
                words::list(spot.news.said.iter().copied())
            )),
        }
    },
    last: false,
};

pub(super) static HIDDEN_TEXT: Rule = Rule {
    id: "hidden-text",
    level: Level::Material,
    title: "characters came in that a reader does not see, or takes for others",
    why: "a model reads what a reviewer cannot see; two names that look the same are not the same",
    says: |fact, context| {
        // What was followed or moved is told where it is new.
        let moved = match &fact.place {
            Place::Order => true,
            Place::Schema(spot) => match &spot.what {
                What::Reference
                | What::Nullable { .. }
                | What::Wrapped { .. }
                | What::Union { .. } => true,
                What::Definition { followed, .. } => *followed && spot.news.said.is_empty(),
                _ => false,
            },
            _ => false,
        };
        if moved {
            return None;
        }
        let mut found = Vec::new();
        found.extend(came_in(fact.before, fact.after).map(|came| invisible(&came)));
        if let (Some(Value::String(before)), Some(Value::String(after))) = (fact.before, fact.after)
            && let Some(odd) = look_alike(before, after)
        {
            found.push(format!("only look-alike letters differ: {}", points(&odd)));
        }
        found.extend(
            fact_name(fact)
                .filter(|name| !hidden(name).is_empty())
                .map(|name| {
                    let odd: Vec<char> = hidden(name).into_iter().map(|(_, c)| c).collect();
                    format!("the name holds invisible characters: {}", points(&odd))
                }),
        );
        found.extend(arrived(fact).and_then(|name| odd_name(name, context)));
        (!found.is_empty()).then(|| found.join("; "))
    },
    last: false,
};

/// The name of a new member or input: it stands in the pointer, not in the value.
fn fact_name<'f>(fact: &Fact<'f>) -> Option<&'f str> {
    if fact.before.is_some() {
        return None;
    }
    match &fact.place {
        Place::Member { name, .. } | Place::Info { name, .. } | Place::Capabilities { name } => {
            Some(name)
        }
        Place::Schema(spot) => match spot.what {
            What::Keyword(name) | What::Input { name, .. } | What::Definition { name, .. } => {
                Some(name)
            }
            _ => None,
        },
        _ => None,
    }
}

fn invisible(came: &CameIn) -> String {
    let characters: Vec<char> = came.characters.keys().copied().collect();
    let spells = words::quote_hidden(&came.spells);
    let came_in = match came.characters.values().sum() {
        0 => return format!("the hidden text is another one: {spells}"),
        1 => "1 invisible character".to_owned(),
        more => format!("{more} invisible characters"),
    };
    let spells = match came.spells.as_str() {
        "" => String::new(),
        _ => format!("; hidden text: {spells}"),
    };
    format!("{came_in} came in ({}){spells}", points(&characters))
}

/// What is odd about the name of an item that came.
fn odd_name(name: &str, context: &Context<'_>) -> Option<String> {
    let twins: Vec<&str> = context.names.like(name).collect();
    if twins.is_empty() && !mixes_scripts(name) {
        return None;
    }
    let odd: Vec<char> = name.chars().filter(|c| !c.is_ascii()).collect();
    let odd = if odd.is_empty() {
        String::new()
    } else {
        format!(" ({})", points(&odd))
    };
    let name = words::quote(name);
    Some(if twins.is_empty() {
        format!("the name {name} mixes letters of several scripts{odd}")
    } else {
        format!("the name {name} looks like {}{odd}", words::list(twins))
    })
}

/// Code points, as people look them up.
fn points(characters: &[char]) -> String {
    words::join(
        characters
            .iter()
            .map(|c| {
                let code = u32::from(*c);
                if is_invisible(*c) {
                    format!("U+{code:04X}")
                } else {
                    format!("`{c}` is U+{code:04X}")
                }
            })
            .collect(),
    )
}

pub(super) static BLANK_CHANGED: Rule = Rule {
    id: "blank-changed",
    level: Level::Minor,
    title: "only runs of blanks inside a text differ",
    why: "the words are the same",
    says: |fact, _| {
        let text = match &fact.place {
            Place::Title { generated, same } => !generated && !same,
            Place::Schema(spot) => is_text(spot),
            Place::Description
            | Place::Name
            | Place::Instructions
            | Place::Member { .. }
            | Place::Info { .. }
            | Place::Capabilities { .. } => true,
            Place::Argument { part, .. } => *part == ArgumentPart::Text,
            _ => false,
        };
        (text && only_blanks(fact)).then(|| "only blanks differ, the words are the same".to_owned())
    },
    last: false,
};

pub(super) static TITLE_GENERATED: Rule = Rule {
    id: "title-generated",
    level: Level::Minor,
    title: "a title differs that says no more than the name",
    why: "libraries make such titles from names, and one release more or fewer of them",
    says: |fact, _| match &fact.place {
        Place::Title { same: true, .. } => {
            Some("the title moved; what clients show is the same".to_owned())
        }
        Place::Title {
            generated: true, ..
        } => Some(format!(
            "a title made of the name {}",
            words::happened(fact)
        )),
        Place::Schema(spot) if matches!(spot.what, What::Title { generated: true }) => {
            Some(format!(
                "a title made of the name {} on {}",
                words::happened(fact),
                words::subject(spot)
            ))
        }
        _ => None,
    },
    last: false,
};

/// The strings of a value in which characters are hidden.
pub(super) fn hiding(value: &Value) -> Vec<&str> {
    strings(value)
        .into_iter()
        .filter(|text| !hidden(text).is_empty())
        .collect()
}
