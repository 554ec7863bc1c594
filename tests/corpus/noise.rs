//! What libraries write by themselves and change from release to release, found without the rules: two catalogues
//! are the same once it is left out.

use countersign::canonical::to_text;
use countersign::catalogue::Catalogue;
use countersign::json::{Object, Value};
use countersign::text::{is_generated, is_generated_root, is_prose, strings};
use std::collections::BTreeMap;

/// Bounds that libraries give to numbers.
const BOUNDS: [&str; 4] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];

/// Whether two catalogues are the same without `$schema`, `additionalProperties`, bounds of integers, `execution`,
/// generated titles, and `_meta` without prose.
pub(crate) fn only(before: &Catalogue, after: &Catalogue) -> bool {
    let silent = |catalogue: &Catalogue| -> BTreeMap<_, _> {
        let items = catalogue.items.iter();
        items
            .map(|(key, item)| {
                let mut value = item.definition.value().clone();
                if let Value::Object(tool) = &mut value {
                    of_tool(tool, key.name.as_str());
                }
                (key.clone(), to_text(&value))
            })
            .collect()
    };
    silent(before) == silent(after)
}

fn of_tool(tool: &mut Object, name: &str) {
    tool.members_mut()
        .retain(|(member, value)| match member.as_str() {
            "execution" | "_meta" => !says_nothing(value),
            "title" => !value
                .as_str()
                .is_some_and(|title| is_generated(title, name)),
            _ => true,
        });
    for (member, value) in tool.members_mut() {
        if matches!(member.as_str(), "inputSchema" | "outputSchema") {
            of_schema(value, &|title| is_generated_root(title, name));
        }
    }
}

fn says_nothing(value: &Value) -> bool {
    !strings(value).into_iter().any(is_prose)
}

fn of_schema(schema: &mut Value, made: &dyn Fn(&str) -> bool) {
    let Value::Object(schema) = schema else {
        return;
    };
    let integer = schema.text("type") == Some("integer");
    schema
        .members_mut()
        .retain(|(keyword, value)| match keyword.as_str() {
            "$schema" => !says_nothing(value),
            "additionalProperties" => !(value.as_bool().is_some() || to_text(value) == "{}"),
            "title" => !value.as_str().is_some_and(made),
            bound => !(integer && BOUNDS.contains(&bound)),
        });
    for (keyword, value) in schema.members_mut() {
        match (keyword.as_str(), value) {
            (
                "properties" | "patternProperties" | "$defs" | "definitions",
                Value::Object(named),
            ) => {
                for (name, schema) in named.members_mut() {
                    let name = name.clone();
                    of_schema(schema, &|title| is_generated(title, &name));
                }
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems" | "items", Value::Array(schemas)) => {
                for schema in schemas {
                    of_schema(schema, &|_| false);
                }
            }
            ("items" | "additionalProperties" | "not", schema) => of_schema(schema, &|_| false),
            _ => {}
        }
    }
}
