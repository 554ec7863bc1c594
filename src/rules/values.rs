//! What values an input accepts. Where it cannot be decided whether more is accepted, more is assumed, and said.

use super::inputs::{input_spot, is_about_undeclared};
use super::{Rule, shown, words};
use crate::canonical::to_text;
use crate::diff::keyword::{Shape, shape, turns_direction};
use crate::diff::values::{CARRYING, TYPES, types};
use crate::diff::{Fact, Spot, What, refuses_all};
use crate::json::Value;
use crate::model::Level;
use std::collections::BTreeSet;

/// Whether more is accepted than before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// More.
    Wider,
    /// The same or less.
    Tighter,
    /// Something else, of which none is text or structure.
    Other,
    /// It cannot be decided.
    Open,
}

fn type_direction(before: Option<&Value>, after: Option<&Value>) -> Direction {
    let (Some(old), Some(new)) = (types(before), types(after)) else {
        return Direction::Open;
    };
    let mut gained = new.difference(&old);
    if gained.any(|name| TYPES[..CARRYING].contains(name)) {
        Direction::Wider
    } else if new.is_subset(&old) {
        Direction::Tighter
    } else {
        Direction::Other
    }
}

/// Of two bounds, whether the second lets more through; `upper` says which way.
fn bound_direction(before: Option<&Value>, after: Option<&Value>) -> Direction {
    let number = |side: &Value| match side {
        Value::Number(text) => text.parse::<f64>().ok(),
        _ => None,
    };
    match (before, after) {
        (None, _) => Direction::Tighter,
        (_, None) => Direction::Wider,
        // Rounding keeps order, so that two doubles that differ do so in the right way.
        (Some(old), Some(new)) => match number(old).zip(number(new)) {
            Some((old, new)) if new > old => Direction::Wider,
            Some((old, new)) if new < old => Direction::Tighter,
            _ => Direction::Open,
        },
    }
}

/// Of something that restricts by being there.
fn presence(fact: &Fact<'_>) -> Direction {
    match (fact.before, fact.after) {
        (None, _) => Direction::Tighter,
        (_, None) => Direction::Wider,
        _ => Direction::Open,
    }
}

/// Of schemas that came, went, or are mere truth values.
fn subschema_direction(fact: &Fact<'_>, keyword: &str) -> Direction {
    let accepts_all = |schema: &Value| match schema {
        Value::Bool(all) => *all,
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    match (fact.before, fact.after) {
        // What `not` accepts is refused; without `if` neither `then` nor `else` holds.
        (Some(old), None) if turns_direction(keyword) => match old {
            Value::Bool(false) if keyword == "not" => Direction::Tighter,
            _ => Direction::Wider,
        },
        (_, Some(Value::Bool(false))) | (None, _) => Direction::Tighter,
        (Some(old), _) if accepts_all(old) => Direction::Tighter,
        _ => Direction::Wider,
    }
}

/// Whether a branch accepts nothing but `null`.
fn is_null(branch: Option<&Value>) -> bool {
    let branch = branch.and_then(Value::as_object);
    branch.is_some_and(|branch| branch.len() == 1 && branch.text("type") == Some("null"))
}

/// Whether a place in an input schema accepts more than before; `None` if it does not say what is accepted.
fn direction(fact: &Fact<'_>, spot: &Spot<'_>) -> Option<Direction> {
    let found = match &spot.what {
        What::Keyword("type") => type_direction(fact.before, fact.after),
        What::Keyword("maxLength") => bound_direction(fact.before, fact.after),
        What::Keyword("pattern" | "format") | What::Root => presence(fact),
        What::Keyword(keyword) if shape(keyword) == Shape::Reference => match fact.after {
            // What leaves the document has a rule of its own.
            Some(Value::String(now)) if !now.starts_with('#') => return None,
            _ => Direction::Open,
        },
        What::Values { before, after } => match (before, after) {
            (Some(_), None) => Direction::Wider,
            (None, _) => Direction::Tighter,
            (Some(old), Some(new)) => {
                let (lost, gained) = (only_in(old, new), only_in(new, old));
                match (lost.is_empty(), gained.is_empty()) {
                    // Values that came in have a rule of their own.
                    (true, false) => return None,
                    _ => Direction::Tighter,
                }
            }
        },
        What::Branch {
            keyword: "anyOf" | "oneOf",
        } => match presence(fact) {
            Direction::Tighter if fact.after.is_some_and(refuses_all) => Direction::Tighter,
            // A branch that carries no text is another type and no more.
            Direction::Tighter => {
                let kind = fact.after.and_then(|branch| branch.get("type"));
                match types(kind) {
                    Some(found) if TYPES[..CARRYING].iter().all(|t| !found.contains(t)) => {
                        Direction::Other
                    }
                    _ => Direction::Wider,
                }
            }
            _ if is_null(fact.before) => Direction::Other,
            _ => Direction::Tighter,
        },
        What::Branch { .. } => presence(fact),
        What::Subschema { keyword } if is_about_undeclared(keyword) => return None,
        What::Subschema { keyword } => subschema_direction(fact, keyword),
        What::Opaque(_) => Direction::Open,
        What::Union { now, exclusive } if *now == "anyOf" && !exclusive => Direction::Open,
        What::Union { .. } => Direction::Tighter,
        What::Nullable { .. } => return Some(Direction::Other),
        _ => return None,
    };
    // What is said of a type that is not accepted any more restricts nothing.
    let (found, decided) = if spot.moot {
        (Direction::Tighter, true)
    } else {
        (found, spot.decided)
    };
    // What it says by a reference that came with it is not looked into.
    let refers = found == Direction::Tighter && !spot.news.references.is_empty();
    Some(if decided && !refers {
        found
    } else {
        Direction::Open
    })
}

/// The values of one list that another lacks.
fn only_in<'a>(list: &[&'a Value], other: &[&'a Value]) -> Vec<&'a Value> {
    let known: BTreeSet<String> = other.iter().map(|value| to_text(value)).collect();
    list.iter()
        .copied()
        .filter(|value| !known.contains(&to_text(value)))
        .collect()
}

/// The direction of a place in an input schema, beside it.
fn judged<'f, 'a>(fact: &'f Fact<'a>) -> Option<(&'f Spot<'a>, Direction)> {
    let spot = input_spot(fact)?;
    Some((spot, direction(fact, spot)?))
}

/// Whether the schemas under a keyword go by names.
fn is_map(keyword: &str) -> bool {
    matches!(
        shape(keyword),
        Shape::Inputs | Shape::Definitions | Shape::Dependents
    )
}

/// What a place is called in a sentence.
fn named(spot: &Spot<'_>) -> String {
    match &spot.what {
        // The keyword is that of what it stands in.
        What::Subschema { keyword } if is_map(keyword) => "the schema".to_owned(),
        What::Keyword(keyword) | What::Subschema { keyword } => words::quote(keyword),
        What::Branch { keyword } => format!("an element of {}", words::quote(keyword)),
        What::Values { .. } => "the list of accepted values".to_owned(),
        What::Opaque(why) => format!("a part that cannot be compared ({why})"),
        What::Nullable { .. } => "`null` beside the rest".to_owned(),
        What::Union { now, .. } => words::quote(now),
        _ => "the schema".to_owned(),
    }
}

pub(super) static VALUE_ADDED: Rule = Rule {
    id: "value-added",
    level: Level::Material,
    title: "a value is accepted or assumed that was not before",
    why: "the same call may do something else, and a new choice may do more than those that were reviewed",
    says: |fact, _| {
        let spot = input_spot(fact)?;
        match &spot.what {
            What::Values {
                before: Some(before),
                after: Some(after),
            } => {
                let gained = only_in(after, before);
                (!gained.is_empty()).then(|| {
                    format!(
                        "{} accepts {} now: a choice that was not reviewed",
                        words::subject(spot),
                        words::join(gained.into_iter().map(shown).collect())
                    )
                })
            }
            What::Keyword("default") => {
                let now = shown(fact.after?);
                let was = match fact.before {
                    Some(before) => format!("was {}", shown(before)),
                    None => "there was none".to_owned(),
                };
                Some(format!(
                    "the default of {} is {now}, {was}: the same call may do something else",
                    words::subject(spot)
                ))
            }
            _ => None,
        }
    },
    last: false,
};

pub(super) static TEXT_WIDENED: Rule = Rule {
    id: "text-widened",
    level: Level::Material,
    title: "text or structure is accepted that was refused",
    why: "an input that took a number, or one of a few words, can carry anything out of the account once it takes text",
    says: |fact, _| {
        let (spot, direction) = judged(fact)?;
        let (named, subject) = (named(spot), words::subject(spot));
        let happened = words::happened(fact);
        match direction {
            Direction::Wider => Some(format!(
                "{named} of {subject} {happened}: text or structure is accepted that was refused"
            )),
            Direction::Open => Some(format!(
                "{named} of {subject} {happened}: whether more is accepted cannot be decided, so it is assumed"
            )),
            Direction::Tighter | Direction::Other => None,
        }
    },
    last: false,
};

pub(super) static TYPE_TIGHTENED: Rule = Rule {
    id: "type-tightened",
    level: Level::Minor,
    title: "fewer types are accepted",
    why: "less can be sent",
    says: |fact, _| match judged(fact)? {
        (spot, Direction::Tighter) if matches!(spot.what, What::Keyword("type")) => Some(format!(
            "{} accepts {} now",
            words::subject(spot),
            fact.after.map_or_else(|| "any type".to_owned(), shown)
        )),
        _ => None,
    },
    last: false,
};

pub(super) static TYPE_CHANGED: Rule = Rule {
    id: "type-changed",
    level: Level::Minor,
    title: "another type is accepted, and no text or structure that was refused",
    why: "numbers, truth values and null carry little",
    says: |fact, _| match judged(fact)? {
        (spot, Direction::Other) => Some(match spot.what {
            What::Nullable { accepted } => {
                let now = match accepted {
                    Some(true) => "accepts `null` too",
                    Some(false) => "no longer accepts `null`",
                    None => "accepts `null` as before, spelled another way",
                };
                format!("{} {now}", words::subject(spot))
            }
            What::Branch { keyword } if is_null(fact.before.or(fact.after)) => {
                let (subject, keyword) = (words::subject(spot), words::quote(keyword));
                if fact.after.is_some() {
                    format!("{subject} accepts `null` too, by {keyword}")
                } else {
                    format!("{subject} no longer accepts `null` by {keyword}")
                }
            }
            What::Branch { .. } => format!(
                "{} accepts another type without text or structure too",
                words::subject(spot)
            ),
            _ => format!(
                "{} accepts {} now, before {}",
                words::subject(spot),
                fact.after.map_or_else(|| "any type".to_owned(), shown),
                fact.before.map_or_else(|| "any type".to_owned(), shown)
            ),
        }),
        _ => None,
    },
    last: false,
};

pub(super) static ENUM_TIGHTENED: Rule = Rule {
    id: "enum-tightened",
    level: Level::Minor,
    title: "fewer values are accepted",
    why: "less can be chosen",
    says: |fact, _| match judged(fact)? {
        (spot, Direction::Tighter) => match &spot.what {
            What::Values {
                before: Some(before),
                after: Some(after),
            } => {
                let lost = only_in(before, after);
                Some(if lost.is_empty() {
                    format!(
                        "{} accepts the same values, spelled another way",
                        words::subject(spot)
                    )
                } else {
                    format!(
                        "{} no longer accepts {}",
                        words::subject(spot),
                        words::join(lost.into_iter().map(shown).collect())
                    )
                })
            }
            What::Values {
                before: None,
                after: Some(after),
            } => Some(format!(
                "{} accepts only {} now",
                words::subject(spot),
                words::join(after.iter().map(|value| shown(value)).collect())
            )),
            _ => None,
        },
        _ => None,
    },
    last: false,
};

/// Bounds of numbers, arrays and objects, and of text from below.
fn is_bound(keyword: &str) -> bool {
    matches!(
        keyword,
        "minLength"
            | "minimum"
            | "maximum"
            | "exclusiveMinimum"
            | "exclusiveMaximum"
            | "multipleOf"
            | "minItems"
            | "maxItems"
            | "uniqueItems"
            | "minProperties"
            | "maxProperties"
            | "minContains"
            | "maxContains"
    )
}

pub(super) static CONSTRAINT_CHANGED: Rule = Rule {
    id: "constraint-changed",
    level: Level::Minor,
    title: "a bound differs, or text and structure are checked more strictly",
    why: "no text or structure is accepted that was refused",
    says: |fact, _| {
        let spot = input_spot(fact)?;
        let happened = words::happened(fact);
        match spot.what {
            What::Keyword(keyword) if is_bound(keyword) => {
                let side = |value: Option<&Value>| value.map_or_else(|| "none".to_owned(), shown);
                return Some(format!(
                    "`{keyword}` of {} is {}, was {}",
                    words::subject(spot),
                    side(fact.after),
                    side(fact.before)
                ));
            }
            What::Keyword("type") | What::Values { .. } => return None,
            _ => {}
        }
        (judged(fact)?.1 == Direction::Tighter).then(|| {
            format!(
                "{} of {} {happened}: the same or less is accepted",
                named(spot),
                words::subject(spot)
            )
        })
    },
    last: false,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Limits, read};

    fn value(text: &str) -> Value {
        read(text.as_bytes(), Limits::default())
            .expect("legal JSON")
            .value
    }

    #[test]
    fn the_direction_of_types_is_about_text_and_structure() {
        for (before, after, direction) in [
            (r#""integer""#, r#""string""#, Direction::Wider),
            (r#""string""#, r#"["string","object"]"#, Direction::Wider),
            (r#""string""#, r#"["string","null"]"#, Direction::Other),
            (r#""string""#, r#""integer""#, Direction::Other),
            (r#"["string","null"]"#, r#""string""#, Direction::Tighter),
            (r#""number""#, r#""integer""#, Direction::Tighter),
            (r#""integer""#, r#""number""#, Direction::Other),
            (r#""string""#, r#""string, or so""#, Direction::Open),
        ] {
            let (before, after) = (value(before), value(after));
            assert_eq!(
                type_direction(Some(&before), Some(&after)),
                direction,
                "{before:?} → {after:?}"
            );
        }
        let string = value(r#""string""#);
        assert_eq!(type_direction(Some(&string), None), Direction::Wider);
        assert_eq!(type_direction(None, Some(&string)), Direction::Tighter);
    }

    #[test]
    fn bounds_beyond_doubles_are_left_open() {
        let (low, high) = (value("9007199254740992"), value("9007199254740993"));
        assert_eq!(bound_direction(Some(&low), Some(&high)), Direction::Open);
        assert_eq!(
            bound_direction(Some(&value("5")), Some(&value("1e400"))),
            Direction::Wider
        );
    }
}
