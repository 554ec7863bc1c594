//! Members of an entry by type. A wrong type is a problem that names the member; absent and `null` are one.

use super::expand::Template;
use super::syntax::Syntax;
use crate::json::{Object, Value};
use crate::model::Problem;
use std::collections::BTreeMap;
use std::time::Duration;

/// A problem of the configuration.
pub(super) fn config(message: impl Into<String>) -> Problem {
    Problem::new("config", message)
}

/// What a value is, for a sentence.
pub(super) fn article(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Array(_) | Value::Object(_) => format!("an {}", value.type_name()),
        _ => format!("a {}", value.type_name()),
    }
}

/// A problem of type.
pub(super) fn wrong(what: &str, value: &Value, wanted: &str) -> Problem {
    config(format!("{what} is {}, not {wanted}", article(value)))
}

/// A truth value.
pub(super) fn flag(object: &Object, name: &str) -> Result<Option<bool>, Problem> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(value)) => Ok(Some(*value)),
        Some(other) => Err(wrong(&format!("`{name}`"), other, "true or false")),
    }
}

/// Whether a member is there; absent and `null` are one.
pub(super) fn is_there(object: &Object, name: &str) -> bool {
    !matches!(object.get(name), None | Some(Value::Null))
}

/// A time, counted in units, of at most a day. Nothing and zero set none.
pub(super) fn seconds(
    object: &Object,
    name: &str,
    unit: Duration,
) -> Result<Option<Duration>, Problem> {
    let number = match object.get(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Number(number)) => number,
        Some(other) => return Err(wrong(&format!("`{name}`"), other, "a number")),
    };
    let count: f64 = number.parse().unwrap_or(f64::NAN);
    let seconds = count * unit.as_secs_f64();
    if !(0.0..=86_400.0).contains(&seconds) {
        return Err(config(format!(
            "`{name}` is {number}, which is no time of at most a day"
        )));
    }
    Ok(Some(Duration::from_secs_f64(seconds)).filter(|time| !time.is_zero()))
}

/// A string.
pub(super) fn text<'a>(object: &'a Object, name: &str) -> Result<Option<&'a str>, Problem> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(wrong(&format!("`{name}`"), other, "a string")),
    }
}

/// A list of strings, empty if absent.
pub(super) fn texts(object: &Object, name: &str, syntax: Syntax) -> Result<Vec<Template>, Problem> {
    let elements = match object.get(name) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(elements)) => elements,
        Some(other) => return Err(wrong(&format!("`{name}`"), other, "a list of strings")),
    };
    let element = |(i, element): (usize, &Value)| match element {
        Value::String(text) => Ok(Template::parse(text, syntax)),
        other => Err(wrong(&format!("`{name}[{i}]`"), other, "a string")),
    };
    elements.iter().enumerate().map(element).collect()
}

/// The members of an object, none if absent.
pub(super) fn members<'a>(
    object: &'a Object,
    name: &str,
) -> Result<Vec<(&'a str, &'a Value)>, Problem> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Object(members)) => Ok(members.iter().collect()),
        Some(other) => Err(wrong(&format!("`{name}`"), other, "an object")),
    }
}

/// Environment variables. Numbers and truth values are taken as the text they are, as clients do; `null` sets nothing.
pub(super) fn variables(
    object: &Object,
    name: &str,
    syntax: Syntax,
) -> Result<BTreeMap<String, Template>, Problem> {
    let mut out = BTreeMap::new();
    for (variable, value) in members(object, name)? {
        let value = match value {
            Value::Null => continue,
            Value::String(text) => Template::parse(text, syntax),
            Value::Number(text) => Template::literal(text),
            Value::Bool(value) => Template::literal(&value.to_string()),
            other => return Err(wrong(&format!("`{name}.{variable}`"), other, "a string")),
        };
        if variable.is_empty() || variable.contains(['=', '\0']) {
            return Err(config(format!(
                "`{name}` holds `{variable}`, which cannot name a variable"
            )));
        }
        out.insert(variable.to_owned(), value);
    }
    Ok(out)
}
