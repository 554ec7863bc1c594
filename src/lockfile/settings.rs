//! Which settings a policy may hold, and of which type (SPEC, section 8).
//!
//! A setting that is spelled wrong must not be passed over in silence. What the values mean is read elsewhere.

use super::members::Members;
use super::parse::LockfileError;
use crate::canonical;
use crate::json::{Object, Value};

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

/// Whose policy it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The lockfile's, or a single item's.
    Flat,
    /// A server's: it holds those of its items.
    Server,
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
            Some(_) => {}
        }
    }
    if scope == Scope::Server
        && let Some(items) = members.object(ITEMS, "")?
    {
        for (name, _) in items.raw().iter() {
            if let Some(item) = items.object(name, &format!("`{name}`"))? {
                check(&item, Scope::Flat)?;
            }
        }
    }
    Ok(())
}
