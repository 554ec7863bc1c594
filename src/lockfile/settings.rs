//! Which settings a policy may hold, and of which type (SPEC, section 8).
//!
//! A setting, a rule or a template that is spelled wrong must not be passed over in silence. What the values mean is
//! read elsewhere.

use super::members::Members;
use super::parse::{Fault, LockfileError};
use super::volatile::Template;
use crate::canonical;
use crate::json::{Object, Value};
use crate::model::{Kind, Level};
use crate::rules;

/// A setting and the JSON type of its value.
const SETTINGS: [(&str, &str); 9] = [
    ("allowChanges", "string"),
    ("due", "string"),
    ("levels", "object"),
    ("newItems", "string"),
    ("requireNote", "boolean"),
    ("reviewEvery", "string"),
    ("reviewers", "number"),
    ("rule", "string"),
    ("volatile", "object"),
];

/// The policies of single items, a member of a server's policy.
const ITEMS: &str = "items";
/// Other levels of rules, by their ids.
const LEVELS: &str = "levels";
/// Templates of the fields of an item, by their pointers.
const VOLATILE: &str = "volatile";

/// Whose policy it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The lockfile's.
    Lockfile,
    /// A server's: it holds those of its items.
    Server,
    /// A single item's: it has fields.
    Item,
}

/// The policy among some members; empty where there is none.
pub(super) fn policy(of: &Members<'_>, scope: Scope) -> Result<Object, LockfileError> {
    let Some(members) = of.object("policy", "policy")? else {
        return Ok(Object::default());
    };
    check(&members, scope)?;
    let mut value = Value::Object(members.raw().clone());
    canonical::canonicalize(&mut value);
    match value {
        Value::Object(object) => Ok(object),
        _ => Ok(Object::default()),
    }
}

fn check(members: &Members<'_>, scope: Scope) -> Result<(), LockfileError> {
    for (name, value) in members.raw().iter() {
        if scope == Scope::Server && name == ITEMS {
            continue;
        }
        match SETTINGS.iter().find(|(setting, _)| *setting == name) {
            None => return Err(members.unknown(name)),
            Some((_, wanted)) if value.type_name() != *wanted => {
                return Err(members.wrong_type(name, wanted, value));
            }
            Some((VOLATILE, _)) if scope != Scope::Item => {
                let message = "`volatile` belongs to an item of a server: `items`, `tool:NAME`";
                return Err(members.error(Fault::Shape, message));
            }
            Some(_) => {}
        }
    }
    if let Some(levels) = members.object(LEVELS, "`levels`")? {
        check_levels(&levels)?;
    }
    if let Some(fields) = members.object(VOLATILE, "`volatile`")? {
        check_volatile(&fields)?;
    }
    if scope == Scope::Server
        && let Some(items) = members.object(ITEMS, "")?
    {
        for (name, _) in items.raw().iter() {
            let kind = name
                .split_once(':')
                .and_then(|(kind, _)| Kind::from_word(kind));
            if kind.is_none() {
                let message = format!("the item `{name}` stands without its kind: `tool:{name}`");
                return Err(items.error(Fault::Shape, &message));
            }
            if let Some(item) = items.object(name, &format!("`{name}`"))? {
                check(&item, Scope::Item)?;
            }
        }
    }
    Ok(())
}

fn check_levels(levels: &Members<'_>) -> Result<(), LockfileError> {
    for (id, _) in levels.raw().iter() {
        if rules::rule(id).is_none() {
            let near = match rules::nearest(id) {
                Some(near) => format!("; there is `{near}`"),
                None => String::new(),
            };
            return Err(levels.error(Fault::Shape, &format!("there is no rule `{id}`{near}")));
        }
        levels.parsed(id, "`material` or `minor`", Level::from_word)?;
    }
    Ok(())
}

fn check_volatile(fields: &Members<'_>) -> Result<(), LockfileError> {
    for (pointer, value) in fields.raw().iter() {
        if !pointer.starts_with('/') {
            let message = format!("`{pointer}` points to no field; `/description` does");
            return Err(fields.error(Fault::Shape, &message));
        }
        let templates = match value {
            Value::String(one) => vec![one.clone()],
            Value::Array(_) => fields.texts(pointer)?,
            other => return Err(fields.wrong_type(pointer, "string or array", other)),
        };
        for text in templates {
            if let Err(error) = Template::parse(&text) {
                return Err(fields.error(Fault::Shape, &format!("`{text}`: {error}")));
            }
        }
    }
    Ok(())
}
