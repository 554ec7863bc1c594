//! What a schema accepts by `type`, `enum`, `const`, or a union of constants.

use super::reference::View;
use crate::json::Value;
use std::collections::BTreeSet;

/// The types that JSON Schema knows; text and structure first.
pub const TYPES: [&str; 7] = [
    "string", "object", "array", "number", "integer", "boolean", "null",
];

/// How many of [`TYPES`] can carry text or structure.
pub const CARRYING: usize = 3;

/// The types that a `type` accepts, all without one; `None` if it names another.
pub fn types(value: Option<&Value>) -> Option<BTreeSet<&str>> {
    let mut found: BTreeSet<&str> = match value {
        None => TYPES.into(),
        Some(Value::String(one)) => [one.as_str()].into(),
        Some(Value::Array(several)) => several.iter().map(Value::as_str).collect::<Option<_>>()?,
        Some(_) => return None,
    };
    if found.contains("number") {
        found.insert("integer");
    }
    found
        .iter()
        .all(|name| TYPES.contains(name))
        .then_some(found)
}

/// The values that a schema accepts, if it lists them; those that its `type` refuses are left out.
pub(super) fn listed<'a>(view: &View<'a>) -> Option<Vec<&'a Value>> {
    let mut values = match (view.get("const"), view.get("enum")) {
        (Some(one), _) => vec![one],
        (None, Some(Value::Array(several))) => several.iter().collect(),
        (None, Some(_)) => return None,
        (None, None) => ["anyOf", "oneOf"]
            .into_iter()
            .find_map(|keyword| constants(view.get(keyword)?))?,
    };
    let types = types(view.get("type"))?;
    values.retain(|value| is_of(value, &types));
    Some(values)
}

/// The constants that a union consists of; `None` if there is anything else in it.
pub(super) fn constants(union: &Value) -> Option<Vec<&Value>> {
    static NULL: Value = Value::Null;
    let branches = union.as_array()?;
    branches
        .iter()
        .map(|branch| {
            let branch = branch.as_object()?;
            match (branch.get("const"), branch.get("type"), branch.len()) {
                (Some(value), None, 1) => Some(value),
                (Some(value), Some(kind), 2) if is_of(value, &types(Some(kind))?) => Some(value),
                (None, Some(kind), 1) if kind.as_str() == Some("null") => Some(&NULL),
                _ => None,
            }
        })
        .collect()
}

fn is_of(value: &Value, types: &BTreeSet<&str>) -> bool {
    let name = match value {
        Value::Number(text) if text.parse::<f64>().is_ok_and(|n| n.fract() == 0.0) => "integer",
        other => other.type_name(),
    };
    types.contains(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Limits, read};

    #[test]
    fn an_enum_and_a_union_of_constants_list_the_same() {
        let list = |text: &str| {
            let value = read(text.as_bytes(), Limits::default())
                .expect("legal JSON")
                .value;
            let object = value.as_object().expect("an object");
            listed(&View::of(object)).map(|values| {
                values
                    .into_iter()
                    .map(crate::canonical::to_text)
                    .collect::<Vec<_>>()
                    .join(" ")
            })
        };
        let both = Some("\"a\" null".to_owned());
        assert_eq!(list(r#"{"enum":["a",null]}"#), both);
        assert_eq!(
            list(r#"{"anyOf":[{"const":"a","type":"string"},{"type":"null"}]}"#),
            both
        );
        assert_eq!(
            list(r#"{"enum":["a",1],"type":"number"}"#),
            Some("1".into())
        );
        assert_eq!(list(r#"{"anyOf":[{"const":"a"},{"type":"string"}]}"#), None);
        assert_eq!(list(r#"{"anyOf":[{"const":"a","title":"A"}]}"#), None);
    }
}
