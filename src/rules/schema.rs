//! How schemas are written: dialects, references, order. And what else may differ in one.

use super::inputs::input_spot;
use super::{Rule, words};
use crate::diff::keyword::{Dialect, Shape, shape};
use crate::diff::{Fact, Place, Spoken, Spot, What};
use crate::json::Value;
use crate::model::Level;

/// The place, in whichever schema.
fn any_spot<'f, 'a>(fact: &'f Fact<'a>) -> Option<&'f Spot<'a>> {
    match &fact.place {
        Place::Schema(spot) => Some(spot),
        _ => None,
    }
}

pub(super) static EXTERNAL_REFERENCE: Rule = Rule {
    id: "external-reference",
    level: Level::Material,
    title: "the schema refers to another document",
    why: "what stands there can change without the server; a client that follows it makes a request that it did not mean to",
    says: |fact, _| {
        let spot = any_spot(fact)?;
        let references: Vec<&str> = match (&spot.what, fact.after) {
            (What::Keyword(keyword), Some(Value::String(now)))
                if shape(keyword) == Shape::Reference
                    && !now.is_empty()
                    && !now.starts_with('#') =>
            {
                vec![now]
            }
            _ => spot.news.external.clone(),
        };
        (!references.is_empty()).then(|| {
            format!(
                "{} refers to {}: external, not followed; what stands there can change by itself",
                words::subject(spot),
                words::list(references)
            )
        })
    },
    last: false,
};

/// The dialect that holds, and whether it may mean something else than the one before.
fn dialects(fact: &Fact<'_>) -> Option<Result<(Dialect, Dialect), &'static str>> {
    let What::Dialect {
        before,
        after,
        sensitive,
    } = any_spot(fact)?.what
    else {
        return None;
    };
    let holds = |spoken| match spoken {
        Spoken::Silent => Some(Dialect::Draft2020),
        Spoken::Known(dialect) => Some(dialect),
        Spoken::Unknown => None,
    };
    Some(match (holds(before), holds(after)) {
        (_, None) => Err("names no known dialect: clients will read the schema differently"),
        (None, Some(_)) => {
            Err("named no known dialect and does now: clients read the schema differently")
        }
        (Some(old), Some(new)) if old != new && sensitive.is_some() => {
            Err("moved between dialects in which keywords of this schema mean something else")
        }
        (Some(old), Some(new)) => Ok((old, new)),
    })
}

pub(super) static DIALECT_UNKNOWN: Rule = Rule {
    id: "dialect-unknown",
    level: Level::Material,
    title: "the schema's dialect is not known, or its keywords mean something else in the new one",
    why: "the same words may accept something else, or nothing be checked at all",
    says: |fact, _| match (dialects(fact)?, any_spot(fact).map(|spot| &spot.what)) {
        (Err(what), Some(What::Dialect { sensitive, .. })) => {
            let keyword = match sensitive {
                Some(keyword) if what.starts_with("moved") => {
                    format!(" ({})", words::quote(keyword))
                }
                _ => String::new(),
            };
            Some(format!("`$schema` {what}{keyword}"))
        }
        _ => None,
    },
    last: false,
};

pub(super) static DIALECT_CHANGED: Rule = Rule {
    id: "dialect-changed",
    level: Level::Minor,
    title: "`$schema` differs, and nothing in the schema means something else by it",
    why: "libraries write it or leave it out",
    says: |fact, _| match dialects(fact)? {
        Ok((old, new)) if old == new => Some(format!(
            "`$schema` {}; {} holds as before",
            words::happened(fact),
            new.word()
        )),
        Ok((old, new)) => Some(format!(
            "`$schema` {}: {} holds now, {} before; no keyword here means something else",
            words::happened(fact),
            new.word(),
            old.word()
        )),
        Err(_) => None,
    },
    last: false,
};

pub(super) static REFERENCES_INLINED: Rule = Rule {
    id: "references-inlined",
    level: Level::Minor,
    title: "a local reference was written out, or came in the place of what it stands for",
    why: "the schema is the same once references are resolved; what differs beyond is told on its own",
    says: |fact, _| {
        let spot = any_spot(fact)?;
        let subject = words::subject(spot);
        let has = |side: Option<&Value>| side.is_some_and(|schema| schema.get("$ref").is_some());
        match &spot.what {
            What::Reference => Some(match (has(fact.before), has(fact.after)) {
                (true, false) => format!("a reference in {subject} was written out"),
                (false, true) => {
                    format!("a reference in {subject} came in the place of what it stands for")
                }
                _ => format!("a reference in {subject} goes by another name"),
            }),
            What::Definition {
                name,
                followed: true,
            } => Some(format!(
                "the shared schema {} {}; it is compared where it is used",
                words::quote(name),
                words::happened(fact)
            )),
            _ => None,
        }
    },
    last: false,
};

pub(super) static ORDER_CHANGED: Rule = Rule {
    id: "order-changed",
    level: Level::Minor,
    title: "the elements of an array stand in another order",
    why: "nothing came or went",
    says: |fact, _| {
        matches!(fact.place, Place::Order)
            .then(|| "elements that were there before stand in another order".to_owned())
    },
    last: false,
};

pub(super) static SCHEMA_EDITED: Rule = Rule {
    id: "schema-edited",
    level: Level::Minor,
    title: "something else in the input schema differs",
    why: "it is within the vocabularies of JSON Schema, adds no input and holds no text",
    says: |fact, _| {
        let spot = input_spot(fact)?;
        let what = match &spot.what {
            What::Keyword(keyword) | What::Subschema { keyword } => words::quote(keyword),
            What::Definition { name, .. } => {
                let name = words::quote(name);
                return Some(format!(
                    "the shared schema {name} {}",
                    words::happened(fact)
                ));
            }
            What::Wrapped { came } => {
                let subject = words::subject(spot);
                return Some(if *came {
                    format!(
                        "{subject} takes one of several schemas now; what it took is compared with the one most like it"
                    )
                } else {
                    format!(
                        "{subject} no longer takes one of several schemas; what it takes is compared with the one most like it"
                    )
                });
            }
            _ => "a part".to_owned(),
        };
        Some(format!(
            "{what} of {} {}",
            words::subject(spot),
            words::happened(fact)
        ))
    },
    last: true,
};
