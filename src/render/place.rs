//! Where in a definition something happened, as a person would name it: names of inputs generalized, and what
//! follows from another edit led back to it.

mod follows;
mod references;
mod way;

use crate::diff::Happened;
use crate::diff::keyword::{Shape, shape};
use crate::json::Value;
use crate::report::{Change, Side};
use crate::rules::Reason;
use references::References;
use std::cell::OnceCell;
pub(super) use way::Way;
use way::{child, joined};

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

/// The members of a tool that are schemas.
const SCHEMAS: [&str; 2] = ["inputSchema", "outputSchema"];

/// What leads from one edit to another at most so often.
const STEPS: usize = 16;

/// A place in both sides of a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place<'a> {
    /// Its name: `annotations`, `inputSchema/properties/*/description`. Outside text inside.
    pub(super) name: String,
    /// What edits at it have in common: of a schema its side and keyword or input, however deep it stands.
    pub(super) shared: String,
    /// `added`, `removed`, `renamed` or `changed`.
    pub(super) event: &'static str,
    /// The way to it. Ends at an array where single elements differ.
    pub(super) way: Way,
    /// The last name on the way on the side before, where it was another one.
    pub(super) former: Option<String>,
    /// The input or shared schema that it is in, the innermost.
    pub(super) input: Option<String>,
    /// What stood there.
    pub(super) before: Option<&'a Value>,
    /// What stands there.
    pub(super) after: Option<&'a Value>,
    /// What it is a part of: edits of the same parts of the same items are one edit.
    pub(super) part: Option<Part>,
}

impl Place<'_> {
    /// Whether the last name on the way to it is one that a reader looks for: an input, a shared schema, a hint.
    pub(super) fn is_named(&self) -> bool {
        let [.., holder, _] = &self.way.now[..] else {
            return false;
        };
        MAPS.contains(&holder.as_str()) || holder == "annotations"
    }
}

/// Something in a schema that a person would see as edited once, whatever of its keywords differ.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    /// Which sort of edit: those of different sorts stay apart.
    pub(super) sort: Sort,
    /// The ways to what was edited; more than one where a list of inputs was.
    pub(super) ways: Vec<String>,
}

/// A sort of edits of schemas. Rewritten text is none of them: each stands for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    /// Inputs that one object declares now.
    Came,
    /// Inputs that it no longer declares.
    Went,
    /// What an input accepts.
    Accepted,
    /// What a tool answers with.
    Output,
}

/// The places of one change.
pub(super) struct Places<'a> {
    before: Option<&'a Value>,
    after: Option<&'a Value>,
    references: OnceCell<[References<'a>; 2]>,
}

impl<'a> Places<'a> {
    /// Of a change's two sides.
    pub(super) fn of(change: &'a Change) -> Self {
        let value = |side: &'a Option<Side>| Some(side.as_ref()?.definition.value());
        Self::between(value(&change.before), value(&change.after))
    }

    fn between(before: Option<&'a Value>, after: Option<&'a Value>) -> Self {
        Self {
            before,
            after,
            references: OnceCell::new(),
        }
    }

    /// The place that a reason points to, or the one above it that appeared or went whole, or the edit that it
    /// follows from.
    pub(super) fn place(&self, reason: &Reason) -> Place<'a> {
        let mut way = Way::of(reason);
        let mut whole = reason.happened == Happened::Changed;
        for _ in 0..STEPS {
            let Some(next) = self.follows(&way) else {
                break;
            };
            way = next;
            whole = true;
        }
        let mut place = self.walk(&way, whole);
        if let Some(former) = self.renamed_from(&place) {
            if let Some(last) = place.way.was.last_mut() {
                last.clone_from(&former);
            }
            [place.before, _] = self.down(&place.way);
            (place.event, place.former, place.part) = ("renamed", Some(former), None);
        } else if place.part.is_some()
            && let Some(inputs) = self.inputs_of_required(&way)
        {
            place.part = Some(Part {
                sort: Sort::Accepted,
                ways: inputs.iter().map(|way| joined(&way.tokens())).collect(),
            });
        }
        place
    }

    /// What came or went of the shared schemas, if a reason about one of them was led back to another place.
    pub(super) fn definition(&self, reason: &Reason, led_to: &Place<'_>) -> Option<Place<'a>> {
        let way = Way::of(reason);
        let is_shared = matches!(way.tokens()[..], [_, "$defs" | "definitions", ..]);
        let is_elsewhere = !way.now.starts_with(&led_to.way.now);
        (is_shared && is_elsewhere).then(|| self.walk(&way, reason.happened == Happened::Changed))
    }

    /// Walks both sides at once. Without `whole`, an element at the end came or went, whatever stands at its index
    /// on the other side.
    fn walk(&self, way: &Way, whole: bool) -> Place<'a> {
        let (mut before, mut after) = (self.before, self.after);
        let is_container =
            |value: Option<&Value>| matches!(value, Some(Value::Object(_) | Value::Array(_)));
        let mut name: Vec<&str> = Vec::new();
        let mut names_follow = false;
        // Where the last name on the way stands.
        let mut named = None;
        let mut end = 0;
        let tokens = way.tokens();
        for (i, (was, token)) in way.steps().enumerate() {
            let (b, a) = (child(before, was), child(after, token));
            let in_array = [before, after]
                .iter()
                .any(|side| matches!(side, Some(Value::Array(_))));
            // Elements have no names: where one came or went, the whole array changed.
            let last = i + 1 == tokens.len();
            if in_array && (!(is_container(b) && is_container(a)) || (last && !whole)) {
                break;
            }
            let is_name = in_array || names_follow;
            if names_follow {
                named = Some(i);
            }
            names_follow = !is_name && MAPS.contains(&token);
            (before, after) = (b, a);
            end = i + 1;
            let one_sided = b.is_some() != a.is_some();
            name.push(if is_name && !one_sided { "*" } else { token });
            // What is said in annotations beside hints is judged for itself, though all of them appeared.
            let goes_on = i == 0 && token == "annotations" && tokens.len() > 1;
            if one_sided && !goes_on {
                break;
            }
        }
        if let ["annotations", hint] = name[..]
            && HINTS.contains(&hint)
        {
            name.pop();
        }
        let event = match (before, after) {
            (None, Some(_)) => "added",
            (Some(_), None) => "removed",
            _ => "changed",
        };
        let name = name.join("/");
        let at = &tokens[..end];
        Place {
            shared: shared(at, named, event).unwrap_or_else(|| name.clone()),
            part: part(at, named, event),
            name,
            event,
            way: way.upto(end, &[]),
            former: None,
            input: named.map(|at| tokens[at].to_owned()),
            before,
            after,
        }
    }
}

/// Side and last keyword, or the name of what came or went whole, of a way into a schema.
fn shared(way: &[&str], named: Option<usize>, event: &str) -> Option<String> {
    let [side, .., last] = way else {
        return None;
    };
    if !SCHEMAS.contains(side) {
        return None;
    }
    Some(match named {
        Some(at) if at + 1 == way.len() => {
            let name = if event == "changed" { "*" } else { last };
            format!("{side}/**/{}/{name}", way[at - 1])
        }
        _ => format!("{side}/**/{last}"),
    })
}

fn part(way: &[&str], named: Option<usize>, event: &str) -> Option<Part> {
    let [side, .., last] = way else {
        return None;
    };
    let is_whole = named.is_some_and(|at| at + 1 == way.len());
    let one = |sort, way: &[&str]| {
        let ways = vec![joined(way)];
        Some(Part { sort, ways })
    };
    let is_text = matches!(shape(last), Shape::Title | Shape::Text | Shape::Unknown);
    match (*side, is_whole, event) {
        (_, false, _) if is_text => None,
        ("outputSchema", _, _) => one(Sort::Output, &way[..1]),
        ("inputSchema", true, "added") => one(Sort::Came, &way[..way.len() - 1]),
        ("inputSchema", true, "removed") => one(Sort::Went, &way[..way.len() - 1]),
        ("inputSchema", _, _) => one(Sort::Accepted, &way[..named.map_or(1, |at| at + 1)]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Limits, read};
    use crate::model::{Level, Pointer};

    fn place(before: &str, after: &str, way: &[&str]) -> (String, &'static str) {
        let value = |text: &str| {
            read(text.as_bytes(), Limits::default())
                .expect("legal JSON")
                .value
        };
        let (before, after) = (value(before), value(after));
        let reason = Reason {
            rule: "rule",
            level: Level::Minor,
            path: way
                .iter()
                .fold(Pointer::root(), |pointer, token| pointer.join(token)),
            was: None,
            message: String::new(),
            happened: Happened::Changed,
        };
        let place = Places::between(Some(&before), Some(&after)).place(&reason);
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
