//! What a server says of itself, and how it is launched.

use super::schema::{EMPTY, merged};
use super::surface::generic;
use super::{Fact, Place};
use crate::json::Value;
use crate::model::{Kind, Pointer, part};

/// The facts of one part of a server.
pub(super) fn compare<'p>(
    part: &'p str,
    (before, after): (Option<&'p Value>, Option<&'p Value>),
    facts: &mut Vec<Fact<'p>>,
) {
    let root = Pointer::root();
    let whole = |place| Fact {
        kind: Kind::Server,
        path: Pointer::root(),
        was: None,
        place,
        before,
        after,
    };
    if before == after {
        return;
    }
    match part {
        part::INSTRUCTIONS => facts.push(whole(Place::Instructions)),
        part::LAUNCH => match (before, after) {
            (Some(Value::Object(old)), Some(Value::Object(new))) => {
                for (member, before, after) in merged(old, new) {
                    if before != after {
                        facts.push(Fact {
                            kind: Kind::Server,
                            path: root.join(member),
                            was: None,
                            place: Place::Launch(Some(member)),
                            before,
                            after,
                        });
                    }
                }
            }
            _ => facts.push(whole(Place::Launch(None))),
        },
        part::INFO | part::CAPABILITIES => {
            for (member, sides) in members(before, after) {
                let place = |name| match part {
                    part::INFO => Place::Info { member, name },
                    _ => Place::Capabilities { name },
                };
                let path = root.join(member);
                generic(Kind::Server, &path, &place, member, sides, facts);
            }
        }
        _ => {}
    }
    if facts.is_empty() {
        // An empty object came or went, a side is no object, or the part is none that is known.
        facts.push(whole(match part {
            part::INFO => Place::Info {
                member: "",
                name: "",
            },
            part::CAPABILITIES => Place::Capabilities { name: "" },
            _ => Place::Whole,
        }));
    }
}

type Member<'p> = (&'p str, (Option<&'p Value>, Option<&'p Value>));

/// The members that differ; a side that is missing has none. Nothing if a side is no object.
fn members<'p>(before: Option<&'p Value>, after: Option<&'p Value>) -> Vec<Member<'p>> {
    let object = |side: Option<&'p Value>| side.map_or(Some(&*EMPTY), Value::as_object);
    let Some((old, new)) = object(before).zip(object(after)) else {
        return Vec::new();
    };
    merged(old, new)
        .into_iter()
        .filter(|(_, before, after)| before != after)
        .map(|(name, before, after)| (name, (before, after)))
        .collect()
}
