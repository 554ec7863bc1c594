//! Which settings a policy may hold, and which values (SPEC, section 8).
//!
//! A setting or a value that is spelled wrong must not be passed over in silence. What they mean is read elsewhere.

use super::members::Members;
use super::parse::{Fault, LockfileError};
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

/// The words that a setting may be.
fn words(setting: &str) -> Option<&'static [&'static str]> {
    Some(match setting {
        "allowChanges" => &["off", "ask", "on"],
        "due" => &["warn", "fail"],
        "newItems" => &["review", "baseline"],
        "rule" => &["allow", "ask", "block"],
        _ => return None,
    })
}

/// The most reviewers that a policy may ask for.
const REVIEWERS: u16 = 1000;

fn check_value(members: &Members<'_>, name: &str, value: &Value) -> Result<(), LockfileError> {
    let wrong = |wanted: &str| {
        let text = value.as_str().map(str::to_owned);
        let shown = text.unwrap_or_else(|| canonical::to_text(value));
        let message = format!("`{name}` is `{shown}`, not {wanted}");
        Err(members.error(Fault::Shape, &message))
    };
    let is_level = |level: &Value| matches!(level.as_str(), Some("minor" | "material"));
    match (name, value) {
        ("reviewEvery", Value::String(text)) => {
            let days = text
                .strip_suffix('d')
                .and_then(|days| days.parse::<u16>().ok());
            if text != "off" && days.is_none_or(|days| days == 0) {
                return wrong("a number of days such as `180d`, or `off`");
            }
        }
        (name, Value::String(text)) => {
            if let Some(known) = words(name).filter(|known| !known.contains(&text.as_str())) {
                return wrong(&format!("one of `{}`", known.join("`, `")));
            }
        }
        ("reviewers", Value::Number(text)) => {
            let count = canonical::number(text).parse::<u16>();
            if !count.is_ok_and(|count| (1..=REVIEWERS).contains(&count)) {
                return wrong(&format!("a whole number from 1 to {REVIEWERS}"));
            }
        }
        ("levels", Value::Object(levels)) if !levels.iter().all(|(_, level)| is_level(level)) => {
            return wrong("rules with `minor` or `material` each");
        }
        _ => {}
    }
    Ok(())
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
            Some(_) => check_value(members, name, value)?,
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
