//! YAML, read into the strict reader's value: one document, bounded, and nothing last-wins.
//!
//! Only the parser's events are used. An alias stands for a copy, and copies are counted, so that a few lines
//! cannot become gigabytes. Plain words are read by YAML 1.2's core schema: `no` is a text.

use crate::json::{Object, Value};
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span};
use std::collections::{BTreeMap, BTreeSet};

/// How many values one document may come to, copies counted.
const VALUES: usize = 200_000;
/// How deep values may stand in one another.
const DEPTH: usize = 128;

/// Reads one document. A UTF-8 byte order mark before it is passed over.
///
/// # Errors
/// A message that begins with the line: bytes that are not UTF-8, a syntax error, a key that stands twice or is
/// no text, a merge key, more than one document, too many or too deep values.
pub(super) fn read(source: &[u8]) -> Result<Value, String> {
    let text = super::text_of(source)?;
    let mut reader = Reader {
        parser: Parser::new_from_str(text),
        anchors: BTreeMap::new(),
        left: VALUES,
    };
    let mut document = None;
    loop {
        let (event, at) = reader.next()?;
        match event {
            Event::StreamEnd => return Ok(document.unwrap_or(Value::Null)),
            Event::DocumentStart(_) if document.is_some() => {
                return Err(said(at, "a second document begins, and one is read"));
            }
            Event::DocumentStart(_) => {
                let (event, at) = reader.next()?;
                document = Some(reader.value(event, at, 0)?);
            }
            _ => {}
        }
    }
}

/// A number if JSON can say it, otherwise the text.
pub(super) fn number(text: &str) -> Value {
    let plain = text.replace('_', "");
    let plain = plain.strip_prefix('+').unwrap_or(&plain);
    match crate::json::read(plain.as_bytes(), crate::json::Limits::default()) {
        Ok(document) if matches!(document.value, Value::Number(_)) => document.value,
        _ => Value::String(text.to_owned()),
    }
}

fn said(at: Marker, what: &str) -> String {
    format!("line {}: {what}", at.line())
}

struct Reader<'a> {
    parser: Parser<'a, saphyr_parser::StrInput<'a>>,
    /// What each anchor stands for, and how many values that is.
    anchors: BTreeMap<usize, (Value, usize)>,
    left: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Marker), String> {
        let event: Option<Result<(Event<'a>, Span), ScanError>> = self.parser.next_event();
        match event {
            Some(Ok((event, span))) => Ok((event, span.start)),
            Some(Err(error)) => Err(said(*error.marker(), error.info())),
            None => Ok((Event::StreamEnd, Marker::new(0, 1, 0))),
        }
    }

    fn take(&mut self, count: usize, at: Marker) -> Result<(), String> {
        self.left = self
            .left
            .checked_sub(count)
            .ok_or_else(|| said(at, &format!("more than {VALUES} values, aliases counted")))?;
        Ok(())
    }

    fn value(&mut self, event: Event<'a>, at: Marker, depth: usize) -> Result<Value, String> {
        if depth > DEPTH {
            return Err(said(at, &format!("nested more than {DEPTH} deep")));
        }
        self.take(1, at)?;
        let before = self.left;
        let (value, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let is_plain = style == ScalarStyle::Plain && tag.is_none();
                let value = if is_plain {
                    plain(&text)
                } else {
                    Value::String(text.into_owned())
                };
                (value, anchor)
            }
            Event::SequenceStart(anchor, _) => (Value::Array(self.elements(depth)?), anchor),
            Event::MappingStart(anchor, _) => (Value::Object(self.members(depth)?), anchor),
            Event::Alias(anchor) => {
                let copy = self.anchors.get(&anchor).cloned();
                let (value, count) =
                    copy.ok_or_else(|| said(at, "an alias stands inside what it stands for"))?;
                self.take(count, at)?;
                (value, 0)
            }
            _ => return Err(said(at, "a value is missing")),
        };
        if anchor > 0 {
            self.anchors
                .insert(anchor, (value.clone(), before - self.left));
        }
        Ok(value)
    }

    fn elements(&mut self, depth: usize) -> Result<Vec<Value>, String> {
        let mut out = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(out),
                (event, at) => out.push(self.value(event, at, depth + 1)?),
            }
        }
    }

    fn members(&mut self, depth: usize) -> Result<Object, String> {
        let mut seen = BTreeSet::new();
        let mut out = Vec::new();
        loop {
            let (event, at) = self.next()?;
            let name = match event {
                Event::MappingEnd => return Ok(out.into_iter().collect()),
                Event::Scalar(text, ScalarStyle::Plain, ..) if text == "<<" => {
                    return Err(said(at, "merge keys (`<<`) are not read"));
                }
                Event::Scalar(text, ..) => text.into_owned(),
                _ => return Err(said(at, "a key that is no text")),
            };
            if !seen.insert(name.clone()) {
                return Err(said(
                    at,
                    &format!("the key `{name}` stands twice in one map"),
                ));
            }
            let (event, at) = self.next()?;
            out.push((name, self.value(event, at, depth + 1)?));
        }
    }
}

/// A word without quotes.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        other => number(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    fn text(source: &str) -> String {
        let value = read(source.as_bytes()).expect(source);
        crate::canonical::to_text(&crate::canonical::canonical(&value))
    }

    #[test]
    fn every_kind_of_value_is_read() {
        let source = "\u{feff}# a comment\na: x\nb: [1, -2.5, +3, 0x1F, 1_0, .5]\nc: {d: true, e: ~, 'f': '1'}\ng: |\n  two\n  lines\nno: no\n1: one\n";
        assert_eq!(
            text(source),
            r#"{"1":"one","a":"x","b":[1,-2.5,3,"0x1F",10,".5"],"c":{"d":true,"e":null,"f":"1"},"g":"two\nlines\n","no":"no"}"#
        );
        assert_eq!(text(""), "null");
        assert_eq!(text("---\na: 1\n...\n"), r#"{"a":1}"#);
    }

    #[test]
    fn an_alias_is_a_copy() {
        assert_eq!(
            text("a: &x {b: 1}\nc: *x\n"),
            r#"{"a":{"b":1},"c":{"b":1}}"#
        );
    }

    #[test]
    fn aliases_of_aliases_are_counted() {
        let mut source = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for i in 1..12 {
            let before = format!("*a{}, ", i - 1).repeat(10);
            writeln!(source, "a{i}: &a{i} [{before}]").expect("a text grows");
        }
        let error = read(source.as_bytes()).expect_err("a bomb");
        assert!(error.contains("aliases counted"), "{error}");
    }

    #[test]
    fn what_two_readers_read_differently_is_refused_with_its_line() {
        for (source, expected) in [
            (
                "a: 1\nb: 2\na: 3\n",
                "line 3: the key `a` stands twice in one map",
            ),
            (
                "a: &x {b: 1}\nc:\n  <<: *x\n",
                "line 3: merge keys (`<<`) are not read",
            ),
            (
                "a: 1\n---\nb: 2\n",
                "line 2: a second document begins, and one is read",
            ),
            (
                "a: &x [*x]\n",
                "line 1: an alias stands inside what it stands for",
            ),
            ("[a]: 1\n", "line 1: a key that is no text"),
        ] {
            assert_eq!(read(source.as_bytes()).expect_err(source), expected);
        }
        for source in ["a: [1\n", "a: *nobody\n", "a: 'x\n"] {
            let error = read(source.as_bytes()).expect_err(source);
            assert!(error.starts_with("line "), "{source}: {error}");
        }
        let deep = "[".repeat(20_000);
        assert!(read(deep.as_bytes()).is_err());
    }
}
