//! Which settings a policy may hold, and which values (SPEC, section 8).
//!
//! A setting, a value, a rule or a template that is spelled wrong must not be passed over in silence. What they mean is
//! read elsewhere.

use super::members::Members;
use super::parse::{Fault, LockfileError};
use super::volatile::Template;
use crate::canonical;
use crate::json::{Object, Value};
use crate::model::{Kind, Level};
use crate::rules;

/// A setting and the JSON type of its value.
pub(super) const SETTINGS: [(&str, &str); 9] = [
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
    match (name, value) {
        ("reviewEvery", Value::String(text)) => {
            let days = text
                .strip_suffix('d')
                .filter(|days| !days.starts_with('+'))
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
            Some((VOLATILE, _)) if scope != Scope::Item => {
                let message = "`volatile` belongs to an item of a server: `items`, `tool:NAME`";
                return Err(members.error(Fault::Shape, message));
            }
            Some(("due" | "reviewEvery", _)) if scope == Scope::Item => {
                let message = format!("`{name}` belongs to a server, not to one item");
                return Err(members.error(Fault::Shape, &message));
            }
            Some(_) => check_value(members, name, value)?,
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
