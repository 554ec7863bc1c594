//! A definition as lines for people: like JSON, one member a line, no commas, so that a line changes only where
//! something changed. Texts of several lines stand as such, each line behind a bar.
//!
//! Every line is escaped, and different definitions give different lines.

use super::count::number;
use super::escape::{line, push_quoted, push_quoted_name};
use crate::diff::renamed_inputs;
use crate::fingerprint::Digest;
use crate::json::{Object, Value};
use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Deeper levels are indented no further.
const DEEPEST: usize = 18;
/// A list of plain values up to this many bytes stands on one line.
const SHORT_LIST: usize = 60;

/// A line and the place that it is about: two lines are the same only if both are, so that a diff never takes a
/// member of one object for that of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// Escaped, indented.
    pub(super) text: String,
    /// The names on the way to it, hashed; elements of an array have none.
    pub(super) place: u64,
}

/// The lines of a definition, to be compared with those of `other`: a text stands as lines if that of either side has
/// several. The braces around the whole are left out.
pub(super) fn lines(value: &Value, other: Option<&Value>) -> Vec<Line> {
    lines_of(value, other, At::default())
}

/// The same of values under names that an author chose: a value whose name alone differs is compared with its like.
pub(super) fn named_lines(value: &Value, other: Option<&Value>) -> Vec<Line> {
    let root = At {
        inputs: true,
        ..At::default()
    };
    lines_of(value, other, root)
}

fn lines_of(value: &Value, other: Option<&Value>, root: At) -> Vec<Line> {
    let mut writer = Writer { lines: Vec::new() };
    match value {
        Value::Object(object) if !object.is_empty() => writer.members(object, other, root),
        value => writer.value(String::new(), value, other, root),
    }
    writer.lines
}

/// Where a line stands.
#[derive(Clone, Copy, Default)]
struct At {
    depth: usize,
    place: u64,
    /// Whether the members of the object here are inputs.
    inputs: bool,
}

impl At {
    /// In a member of this name, or in an element, which has none.
    fn inside(self, name: Option<&str>) -> Self {
        let mut hasher = DefaultHasher::new();
        (self.place, name).hash(&mut hasher);
        Self {
            place: hasher.finish(),
            inputs: !self.inputs && matches!(name, Some("properties" | "patternProperties")),
            ..self
        }
    }

    fn deeper(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }
}

/// Inputs that are there under another name on the other side, with that name.
fn renamed<'a>(object: &'a Object, other: Option<&'a Value>) -> Vec<(&'a str, &'a str)> {
    match other.and_then(Value::as_object) {
        Some(other) => renamed_inputs(object, other),
        None => Vec::new(),
    }
}

struct Writer {
    lines: Vec<Line>,
}

impl Writer {
    fn members(&mut self, object: &Object, other: Option<&Value>, at: At) {
        let renamed = if at.inputs {
            renamed(object, other)
        } else {
            Vec::new()
        };
        for (name, member) in object.iter() {
            let mut first = begun(at.depth);
            push_quoted_name(&mut first, name);
            first.push_str(": ");
            let other_name = renamed.iter().find(|(own, _)| *own == name);
            let other_name = other_name.map_or(name, |(_, other)| other);
            // Both sides of a renaming are one place.
            let inside = at.inside(Some(name.min(other_name)));
            match member.as_str() {
                // The name that an item goes by.
                Some(text) if at.depth == 0 && name == "name" => {
                    push_quoted_name(&mut first, text);
                    self.push(inside, first);
                }
                _ => {
                    let other = other.and_then(|other| other.get(other_name));
                    self.value(first, member, other, inside);
                }
            }
        }
    }

    /// Writes a value behind what its first line begins with.
    fn value(&mut self, mut first: String, value: &Value, other: Option<&Value>, at: At) {
        match value {
            Value::Object(object) if !object.is_empty() => {
                first.push('{');
                self.push(at, first);
                self.members(object, other, at.deeper());
                self.end(at, '}');
            }
            Value::Array(elements) if !elements.is_empty() => {
                if let Some(list) = short_list(elements) {
                    first.push_str(&list);
                    self.push(at, first);
                    return;
                }
                first.push('[');
                self.push(at, first);
                let others = other.and_then(Value::as_array).unwrap_or_default();
                let inside = at.deeper().inside(None);
                for (i, element) in elements.iter().enumerate() {
                    self.value(begun(inside.depth), element, others.get(i), inside);
                }
                self.end(at, ']');
            }
            Value::String(text) if [Some(value), other].into_iter().any(has_lines) => {
                first.push('|');
                self.push(at, first);
                for part in text.split('\n') {
                    let mut out = begun(at.depth + 1);
                    out.push('|');
                    if !part.is_empty() {
                        out.push(' ');
                        out.push_str(&line(part));
                    }
                    self.push(at, out);
                }
            }
            other => {
                push_plain(&mut first, other);
                self.push(at, first);
            }
        }
    }

    fn end(&mut self, at: At, bracket: char) {
        let mut line = begun(at.depth);
        line.push(bracket);
        self.push(at, line);
    }

    fn push(&mut self, at: At, text: String) {
        self.lines.push(Line {
            text,
            place: at.place,
        });
    }
}

/// A line with its indentation.
fn begun(depth: usize) -> String {
    /// As much as most lines take.
    const ROOM: usize = 48;
    let indent = 2 * depth.min(DEEPEST);
    let mut line = String::with_capacity(indent + ROOM);
    line.extend(std::iter::repeat_n(' ', indent));
    line
}

fn has_lines(value: Option<&Value>) -> bool {
    value
        .and_then(Value::as_str)
        .is_some_and(|text| text.contains('\n'))
}

/// A value that needs no lines of its own.
fn push_plain(line: &mut String, value: &Value) {
    match value {
        Value::Null => line.push_str("null"),
        Value::Bool(true) => line.push_str("true"),
        Value::Bool(false) => line.push_str("false"),
        Value::Number(text) => line.push_str(text),
        Value::String(text) => push_quoted(line, text),
        Value::Array(_) => line.push_str("[]"),
        Value::Object(_) => line.push_str("{}"),
    }
}

fn short_list(elements: &[Value]) -> Option<String> {
    let mut out = String::from("[");
    for (i, element) in elements.iter().enumerate() {
        match element {
            Value::Array(_) | Value::Object(_) => return None,
            Value::String(text) if text.len() > SHORT_LIST || text.contains('\n') => return None,
            _ => {}
        }
        if i > 0 {
            out.push_str(", ");
        }
        push_plain(&mut out, element);
        if out.len() > SHORT_LIST {
            return None;
        }
    }
    out.push(']');
    Some(out)
}

/// A definition without the bulk of its icons, which no model reads and no person wants to scroll through: a `data:`
/// URI is shown as kind, size and hash, the query of a URL as size and hash.
pub(super) fn brief(definition: &Value) -> Cow<'_, Value> {
    let Some(icons) = definition.get("icons").and_then(Value::as_array) else {
        return Cow::Borrowed(definition);
    };
    let icons = icons
        .iter()
        .map(|icon| {
            let mut icon = icon.clone();
            if let Value::Object(object) = &mut icon
                && let Some(brief) = object.text("src").and_then(brief_source)
            {
                object.set("src", Value::String(brief));
            }
            icon
        })
        .collect();
    let mut copy = definition.clone();
    if let Value::Object(object) = &mut copy {
        object.set("icons", Value::Array(icons));
    }
    Cow::Owned(copy)
}

/// `None` where the source is short enough, or holds more than an icon needs.
fn brief_source(source: &str) -> Option<String> {
    let hash = |text: &str| Digest::of(text).short();
    if let Some(data) = source.strip_prefix("data:") {
        let (kind, base64) = data.split_once(";base64,")?;
        let is_kind = |c: char| c.is_ascii_alphanumeric() || "/+-.".contains(c);
        let is_base64 = |c: char| c.is_ascii_alphanumeric() || "+/-_=".contains(c);
        if kind.len() > 60 || !kind.chars().all(is_kind) || !base64.chars().all(is_base64) {
            return None;
        }
        let bytes = base64.trim_end_matches('=').len() * 3 / 4;
        return Some(format!(
            "data: {kind}, {} bytes, hash {}",
            number(bytes),
            hash(source)
        ));
    }
    let (url, query) = source.split_once('?')?;
    Some(format!(
        "{url}?[{} bytes, hash {}]",
        number(query.len()),
        hash(query)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Limits, read};

    /// The lines without their places.
    fn lines(value: &Value, other: Option<&Value>) -> Vec<String> {
        let lines = super::lines(value, other).into_iter();
        lines.map(|line| line.text).collect()
    }

    fn value(text: &str) -> Value {
        read(text.as_bytes(), Limits::default())
            .expect("legal JSON")
            .value
    }

    #[test]
    fn members_stand_a_line_each_and_texts_as_lines() {
        let definition = value(
            r#"{"description":"Find notes.\n\n\tTitle \"x\"","inputSchema":{"properties":{},"required":["a","b"],
                "anyOf":[{"type":"string"},7],"x":null},"name":"find_note"}"#,
        );
        assert_eq!(
            lines(&definition, None).join("\n"),
            r#""description": |
  | Find notes.
  |
  | \tTitle "x"
"inputSchema": {
  "properties": {}
  "required": ["a", "b"]
  "anyOf": [
    {
      "type": "string"
    }
    7
  ]
  "x": null
}
"name": "find_note""#
        );
    }

    #[test]
    fn a_text_alone_and_an_empty_object_have_lines_too() {
        assert_eq!(lines(&value("\"Use wisely.\""), None), ["\"Use wisely.\""]);
        assert_eq!(lines(&value("\"a\\nb\""), None), ["|", "  | a", "  | b"]);
        assert_eq!(lines(&value("{}"), None), ["{}"]);
    }

    #[test]
    fn a_text_stands_as_lines_beside_one_that_has_several() {
        let (old, new) = (
            value(r#"{"a":["x",{"b":"y"}]}"#),
            value(r#"{"a":["x",{"b":"y\nz"}]}"#),
        );
        assert_eq!(
            lines(&old, Some(&new)),
            [
                "\"a\": [",
                "  \"x\"",
                "  {",
                "    \"b\": |",
                "      | y",
                "  }",
                "]"
            ]
        );
    }

    #[test]
    fn names_show_what_their_letters_are() {
        let shown = lines(
            &value("{\"name\":\"n\u{43e}te\",\"p\u{430}th\":\"n\u{43e}\"}"),
            None,
        );
        assert_eq!(
            shown,
            [r#""name": "n\u{43E}te""#, "\"p\\u{430}th\": \"n\u{43e}\""]
        );
    }

    #[test]
    fn no_text_can_pose_as_structure() {
        let posing = value(r#"{"a":"x\",\n\"b\": 1","c":["x\", \"y"]}"#);
        assert_eq!(
            lines(&posing, None),
            [
                r#""a": |"#,
                r#"  | x","#,
                r#"  | "b": 1"#,
                r#""c": ["x\", \"y"]"#
            ]
        );
    }

    #[test]
    fn icons_are_shown_as_kind_size_and_hash() {
        let definition = value(
            r#"{"icons":[{"src":"data:image/png;base64,QUJDQUJD"},{"src":"https://cdn.invalid/i.png?sig=aaa"},
                {"src":"https://cdn.invalid/i.png"},{"src":"data:text/plain;base64,send all notes"}],"name":"x"}"#,
        );
        let shown = lines(&brief(&definition), None).join("\n");
        assert!(shown.contains("data: image/png, 6 bytes, hash "), "{shown}");
        assert!(
            !shown.contains("QUJD") && !shown.contains("sig=aaa"),
            "{shown}"
        );
        assert!(shown.contains("\"https://cdn.invalid/i.png\""), "{shown}");
        // What is no base64 may be words.
        assert!(shown.contains("send all notes"), "{shown}");
        let other = value(r#"{"icons":[{"src":"data:image/png;base64,QUJDQUJE"}]}"#);
        assert_ne!(
            lines(&brief(&other), None)[2],
            lines(&brief(&definition), None)[2]
        );
    }
}
