//! Where in a definition something happened, as a person would name it: names of inputs generalized, and what
//! follows from another edit led back to it.

use crate::json::Value;
use crate::model::Pointer;

/// Schema keywords whose members bear names that the author chose.
const MAPS: [&str; 6] = [
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
    "dependencies",
];

/// The members of `annotations` that claim how a tool behaves: they come and go together.
const HINTS: [&str; 4] = [
    "readOnlyHint",
    "destructiveHint",
    "idempotentHint",
    "openWorldHint",
];

/// A place in both sides of a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place<'a> {
    /// Its name: `annotations`, `inputSchema/properties/*/description`. Outside text inside.
    pub(super) name: String,
    /// `added`, `removed` or `changed`.
    pub(super) event: &'static str,
    /// The way to it. Ends at an array where single elements differ.
    pub(super) way: Vec<String>,
    /// What stood there.
    pub(super) before: Option<&'a Value>,
    /// What stands there.
    pub(super) after: Option<&'a Value>,
}

/// The place that a reason points to, or the one above it that appeared or went whole.
pub(super) fn of<'a>(
    before: Option<&'a Value>,
    after: Option<&'a Value>,
    pointer: &Pointer,
) -> Place<'a> {
    let way = way(pointer);
    let way: Vec<&str> = way.iter().map(String::as_str).collect();
    if let Some(input) = input_of_required(before, after, &way) {
        let way: Vec<&str> = input.iter().map(String::as_str).collect();
        return walk(before, after, &way);
    }
    walk(before, after, &way)
}

/// The tokens of a pointer.
pub(super) fn way(pointer: &Pointer) -> Vec<String> {
    let token = |token: &str| token.replace("~1", "/").replace("~0", "~");
    pointer.as_str().split('/').skip(1).map(token).collect()
}

fn child<'a>(value: Option<&'a Value>, token: &str) -> Option<&'a Value> {
    match value? {
        Value::Object(object) => object.get(token),
        Value::Array(elements) => elements.get(token.parse::<usize>().ok()?),
        _ => None,
    }
}

fn walk<'a>(
    mut before: Option<&'a Value>,
    mut after: Option<&'a Value>,
    way: &[&str],
) -> Place<'a> {
    let is_container =
        |value: Option<&Value>| matches!(value, Some(Value::Object(_) | Value::Array(_)));
    let mut name: Vec<&str> = Vec::new();
    let mut names_follow = false;
    let mut end = 0;
    for (i, token) in way.iter().enumerate() {
        let (b, a) = (child(before, token), child(after, token));
        let in_array = [before, after]
            .iter()
            .any(|side| matches!(side, Some(Value::Array(_))));
        // Elements have no names: where one came or went, the whole array changed.
        if in_array && !(is_container(b) && is_container(a)) {
            break;
        }
        let is_name = in_array || names_follow;
        names_follow = !is_name && MAPS.contains(token);
        (before, after) = (b, a);
        end = i + 1;
        let one_sided = b.is_some() != a.is_some();
        name.push(if is_name && !one_sided { "*" } else { token });
        // What is said in annotations beside hints is judged for itself, though all of them appeared.
        let goes_on = i == 0 && *token == "annotations" && way.len() > 1;
        if one_sided && !goes_on {
            break;
        }
    }
    if let ["annotations", hint] = name[..]
        && HINTS.contains(&hint)
    {
        name.pop();
    }
    Place {
        name: name.join("/"),
        event: match (before, after) {
            (None, Some(_)) => "added",
            (Some(_), None) => "removed",
            _ => "changed",
        },
        way: way[..end].iter().map(|token| (*token).to_owned()).collect(),
        before,
        after,
    }
}

/// The way to the input that came or went with an entry of `required`, if the list differs by nothing else than
/// inputs that did.
fn input_of_required(
    before: Option<&Value>,
    after: Option<&Value>,
    way: &[&str],
) -> Option<Vec<String>> {
    let at = match way {
        [.., "required"] => way.len() - 1,
        [.., "required", index] if index.parse::<usize>().is_ok() => way.len() - 2,
        _ => return None,
    };
    let down = |side: Option<&'_ Value>, way: &[&str]| -> Option<Value> {
        way.iter()
            .try_fold(side?, |value, token| child(Some(value), token))
            .cloned()
    };
    let names = |side| -> Vec<String> {
        let list = down(side, &way[..=at]);
        let list = list.as_ref().and_then(Value::as_array).unwrap_or_default();
        list.iter()
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect()
    };
    let (old, new) = (names(before), names(after));
    let came = new.iter().filter(|name| !old.contains(name));
    let went = old.iter().filter(|name| !new.contains(name));
    let moved: Vec<&String> = came.chain(went).collect();
    let declared = |side, name: &str| {
        let way: Vec<&str> = way[..at]
            .iter()
            .copied()
            .chain(["properties", name])
            .collect();
        down(side, &way).is_some()
    };
    moved
        .iter()
        .all(|name| declared(before, name) != declared(after, name))
        .then(|| moved.first())
        .flatten()
        .map(|name| {
            let input = ["properties", name.as_str()];
            way[..at]
                .iter()
                .copied()
                .chain(input)
                .map(str::to_owned)
                .collect()
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Limits, read};

    fn place(before: &str, after: &str, way: &[&str]) -> (String, &'static str) {
        let value = |text: &str| {
            read(text.as_bytes(), Limits::default())
                .expect("legal JSON")
                .value
        };
        let (before, after) = (value(before), value(after));
        let pointer = way
            .iter()
            .fold(Pointer::root(), |pointer, token| pointer.join(token));
        let place = of(Some(&before), Some(&after), &pointer);
        (place.name, place.event)
    }

    #[test]
    fn names_of_inputs_are_generalized_and_what_came_bears_its_own() {
        let before = r#"{"s":{"properties":{"a":{"type":"string"},"properties":{"title":"x"}}}}"#;
        let after = r#"{"s":{"properties":{"a":{"type":"string","description":"d"},"new":{"title":"t"},"properties":{"title":"y"}}}}"#;
        for (way, name, event) in [
            (
                &["s", "properties", "a", "description"][..],
                "s/properties/*/description",
                "added",
            ),
            (&["s", "properties", "new"], "s/properties/new", "added"),
            (
                &["s", "properties", "new", "title"],
                "s/properties/new",
                "added",
            ),
            (
                &["s", "properties", "properties", "title"],
                "s/properties/*/title",
                "changed",
            ),
            (&[], "", "changed"),
        ] {
            assert_eq!(place(before, after, way), (name.to_owned(), event));
        }
    }

    #[test]
    fn elements_count_as_their_array_and_branches_as_one_another() {
        let before = r#"{"enum":["a"],"anyOf":[{"description":"x"}]}"#;
        let after = r#"{"enum":["a","b"],"anyOf":[{"description":"y"},{}]}"#;
        assert_eq!(
            place(before, after, &["enum", "1"]),
            ("enum".to_owned(), "changed")
        );
        assert_eq!(
            place(before, after, &["anyOf", "0", "description"]),
            ("anyOf/*/description".to_owned(), "changed")
        );
        assert_eq!(
            place(before, after, &["anyOf", "1"]),
            ("anyOf".to_owned(), "changed")
        );
    }

    #[test]
    fn hints_are_one_place_whether_annotations_were_there_or_not() {
        let after = r#"{"annotations":{"readOnlyHint":true,"x-note":"use first"}}"#;
        for before in ["{}", r#"{"annotations":{}}"#] {
            let hint = place(before, after, &["annotations", "readOnlyHint"]);
            assert_eq!(hint, ("annotations".to_owned(), "added"));
            let note = place(before, after, &["annotations", "x-note"]);
            assert_eq!(note, ("annotations/x-note".to_owned(), "added"));
        }
    }

    #[test]
    fn a_required_entry_follows_its_new_input_and_nothing_else() {
        let before = r#"{"properties":{"a":{}},"required":[]}"#;
        let after = r#"{"properties":{"a":{},"b":{}},"required":["b"]}"#;
        assert_eq!(
            place(before, after, &["required"]),
            ("properties/b".to_owned(), "added")
        );
        assert_eq!(
            place(before, after, &["required", "0"]),
            ("properties/b".to_owned(), "added")
        );
        let also_a = r#"{"properties":{"a":{},"b":{}},"required":["a","b"]}"#;
        assert_eq!(
            place(before, also_a, &["required"]),
            ("required".to_owned(), "changed")
        );
        let unknown = r#"{"properties":{"a":{}},"required":["b"]}"#;
        assert_eq!(
            place(before, unknown, &["required"]),
            ("required".to_owned(), "changed")
        );
    }
}
