//! Inputs that a tool wants beside its call as HTTP headers (2026-07-28, "Custom Headers from Tool Parameters"). A
//! client over stdio sends none, so whoever bridges it to HTTP has to. Pure.

use crate::canonical;
use crate::catalogue::Definition;
use crate::diff::keyword::{HEADER, is_token};
use crate::json::{Object, Value};
use std::collections::BTreeSet;

/// The name of each header after `Mcp-Param-`, and the value in it, not encoded yet.
pub type Headers = Vec<(String, String)>;

/// The headers of a call, by the definition as of the call; none where the definition breaks the rules for them.
pub fn headers(definition: &Definition, params: &Object) -> Headers {
    let Definition::Canonical(tool) = definition else {
        return Headers::new();
    };
    let tool = tool.value();
    let (Some(schema), Some(arguments)) = (tool.get("inputSchema"), params.get("arguments")) else {
        return Headers::new();
    };
    let mut out = Headers::new();
    let mut seen = BTreeSet::new();
    // A schema, and the value that it is of.
    let mut open = vec![(schema, Some(arguments))];
    while let Some((schema, value)) = open.pop() {
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flat_map(Object::iter) {
            let value = value.and_then(|value| value.get(name));
            if let Some(header) = property.get(HEADER) {
                let token = header.as_str().filter(|token| is_token(token));
                let Some(token) = token.filter(|token| seen.insert(token.to_ascii_lowercase()))
                else {
                    return Headers::new();
                };
                let value = value.and_then(rendered);
                out.extend(value.map(|value| (token.to_owned(), value)));
            }
            open.push((property, value));
        }
    }
    out
}

/// What stands in a header for a value; nothing for what has no such form.
fn rendered(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(canonical::number(number)),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Item;
    use crate::json::{self, Limits};
    use crate::model::Kind;

    fn value(text: &str) -> Value {
        json::read(text.as_bytes(), Limits::default())
            .expect("JSON")
            .value
    }

    fn of(properties: &str, arguments: &str) -> Headers {
        let tool = format!(r#"{{"name":"t","inputSchema":{{"properties":{properties}}}}}"#);
        let params = value(&format!(r#"{{"arguments":{arguments}}}"#));
        headers(
            &Item::new(Kind::Tool, value(&tool)).definition,
            params.as_object().expect("an object"),
        )
    }

    #[test]
    fn values_that_are_there_are_mirrored_and_others_are_not() {
        let properties = r#"{"a":{"x-mcp-header":"A"},"n":{"x-mcp-header":"N"},"b":{"x-mcp-header":"B"},
            "gone":{"x-mcp-header":"Gone"},"null":{"x-mcp-header":"Null"},"plain":{},
            "deep":{"properties":{"in":{"x-mcp-header":"In"}}}}"#;
        let arguments =
            r#"{"a":"é\r\nX: y","n":10e0,"b":true,"null":null,"plain":"p","deep":{"in":"i"}}"#;
        let mut found = of(properties, arguments);
        found.sort();
        let text = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            found,
            [
                text("A", "é\r\nX: y"),
                text("B", "true"),
                text("In", "i"),
                text("N", "10")
            ]
        );
    }

    #[test]
    fn a_definition_against_the_rules_gives_none() {
        for properties in [
            r#"{"a":{"x-mcp-header":"A"},"b":{"x-mcp-header":"a"}}"#,
            r#"{"a":{"x-mcp-header":"A B"}}"#,
            r#"{"a":{"x-mcp-header":"A\r\nX"}}"#,
            r#"{"a":{"x-mcp-header":7}}"#,
            r#"{"a":{"x-mcp-header":""}}"#,
        ] {
            assert_eq!(of(properties, r#"{"a":"1","b":"2"}"#), [], "{properties}");
        }
    }
}
