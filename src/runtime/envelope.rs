//! Which message a frame is: its id, its method and where its parts stand, found without reading what is in them.
//!
//! A guard passes results of many megabytes; only what it judges is read whole, by [`crate::json`]. A frame whose own
//! members clients would read differently is no message: it must not pass for another one.

use crate::canonical;
use crate::json::{self, Limits, Value};
use std::ops::Range;

/// An id, in the one spelling under which clients match answers: `1`, `1.0` and `"1"` are the same.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(String);

impl Id {
    /// Of JSON text; `None` if it is neither a number nor a string.
    pub fn read(text: &[u8]) -> Option<Self> {
        match json::read(text, Limits::default()).ok()?.value {
            Value::Number(number) => Some(Self(canonical::number(&number))),
            Value::String(text) => Some(Self::of_text(&text)),
            _ => None,
        }
    }

    /// Of the text of a string.
    pub fn of_text(text: &str) -> Self {
        let number = json::read(text.as_bytes(), Limits::default());
        match number.map(|document| document.value) {
            Ok(Value::Number(number)) => Self(canonical::number(&number)),
            _ => Self(text.to_owned()),
        }
    }
}

/// One JSON-RPC message of a frame. Ranges count in the frame's bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    /// The whole message.
    pub span: Range<usize>,
    /// The id's JSON text, if there is an `id` that is not `null`.
    pub id: Option<Range<usize>>,
    /// Whether there is an `id` that is `null`: no request may bear it, an error answer may.
    pub has_null_id: bool,
    /// The method; `None` for a response. Outside text.
    pub method: Option<String>,
    /// `params`.
    pub params: Option<Range<usize>>,
    /// `result`.
    pub result: Option<Range<usize>>,
    /// Whether there is an `error`.
    pub has_error: bool,
}

impl Envelope {
    /// The id, read from the frame that it stands in.
    pub fn id(&self, frame: &[u8]) -> Option<Id> {
        Id::read(&frame[self.id.clone()?])
    }

    /// Whether it asks something.
    pub fn is_request(&self) -> bool {
        self.method.is_some() && self.id.is_some()
    }

    /// Whether it answers something.
    pub fn is_response(&self) -> bool {
        self.method.is_none() && self.id.is_some()
    }
}

/// What a frame holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// One message.
    One(Envelope),
    /// A batch (2025-03-26, "Batching").
    Batch(Vec<Envelope>),
    /// Nothing that a client takes for one message and no other.
    Nothing,
}

impl Frame {
    /// Its messages; none of what is no message.
    pub fn messages(self) -> Vec<Envelope> {
        match self {
            Self::One(one) => vec![one],
            Self::Batch(all) => all,
            Self::Nothing => Vec::new(),
        }
    }

    /// The same, each beside a text of its own: `text` is what was read.
    pub fn apart(self, text: Vec<u8>) -> Vec<(Vec<u8>, Envelope)> {
        let all = match self {
            Self::One(one) => return vec![(text, one)],
            other => other.messages(),
        };
        let texts = all.into_iter().map(|one| text[one.span].to_vec());
        let apart = texts.filter_map(|text| match read(&text) {
            Self::One(one) => Some((text, one)),
            _ => None,
        });
        apart.collect()
    }
}

/// The members that say what a message is.
const MEMBERS: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];

/// Whether some readers take a member for one of these, of which it is none: they read names in whatever case
/// (`Result`), and for some the Kelvin sign and the long s are letters as well.
pub fn poses(known: &[&str], name: &str) -> bool {
    let folded = |c: char| match c {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        c => c.to_ascii_lowercase(),
    };
    !known.contains(&name)
        && known
            .iter()
            .any(|known| name.chars().map(folded).eq(known.chars().map(folded)))
}

/// What JSON has between strings and brackets. A reader that ends lines elsewhere (at a form feed, at U+2028) would take
/// the rest of a line for another message.
fn is_plain(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' | b'+' | b'-' | b'.' | b'0'..=b'9'
    ) || b"truefalsnE".contains(&byte)
}

/// Looks at a frame. A carriage return ends a line for some clients: it stands at the end only.
pub fn read(frame: &[u8]) -> Frame {
    if memchr::memchr(b'\r', frame.trim_ascii_end()).is_some() {
        return Frame::Nothing;
    }
    let mut scan = Scan { frame, at: 0 };
    let found = scan.frame();
    scan.blanks();
    match found {
        Some(found) if scan.at == frame.len() => found,
        _ => Frame::Nothing,
    }
}

struct Scan<'a> {
    frame: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn frame(&mut self) -> Option<Frame> {
        self.blanks();
        if self.peek()? != b'[' {
            return self.message().map(Frame::One);
        }
        self.at += 1;
        let mut messages = Vec::new();
        loop {
            self.blanks();
            messages.push(self.message()?);
            self.blanks();
            match self.take()? {
                b',' => {}
                b']' => return Some(Frame::Batch(messages)),
                _ => return None,
            }
        }
    }

    /// An object whose members are looked at; two of one name make it none.
    fn message(&mut self) -> Option<Envelope> {
        let start = self.at;
        if self.take()? != b'{' {
            return None;
        }
        let mut names: Vec<String> = Vec::new();
        let mut found = Envelope {
            span: start..start,
            id: None,
            has_null_id: false,
            method: None,
            params: None,
            result: None,
            has_error: false,
        };
        self.blanks();
        if self.peek()? == b'}' {
            return None;
        }
        loop {
            self.blanks();
            let name = self.string()?;
            let name = text(&self.frame[name])?;
            self.blanks();
            if self.take()? != b':' {
                return None;
            }
            self.blanks();
            let value = self.value()?;
            match name.as_str() {
                "id" if &self.frame[value.clone()] == b"null" => found.has_null_id = true,
                "id" => found.id = Some(value),
                "method" => found.method = Some(text(&self.frame[value])?),
                "params" => found.params = Some(value),
                "result" => found.result = Some(value),
                "error" => found.has_error = &self.frame[value] != b"null",
                _ => {}
            }
            if names.contains(&name) || poses(&MEMBERS, &name) {
                return None;
            }
            names.push(name);
            self.blanks();
            match self.take()? {
                b',' => {}
                b'}' => break,
                _ => return None,
            }
        }
        found.span = start..self.at;
        let is_answer = found.result.is_some() || found.has_error;
        // What is asked is no answer, and one side or the other could take it for either.
        match &found.method {
            Some(method) if is_answer || method.is_empty() => None,
            _ => Some(found),
        }
    }

    /// Any value: brackets are counted, strings are skipped, the rest is left to whoever reads it, if it can stand in JSON
    /// at all.
    fn value(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        let mut depth = 0_usize;
        loop {
            match self.peek()? {
                b'"' => {
                    self.string()?;
                }
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                _ if depth == 0 => {
                    let rest = &self.frame[self.at..];
                    let length = rest.iter().position(|b| {
                        matches!(b, b',' | b'}' | b']' | b' ' | b'\t' | b'\r' | b'\n')
                    });
                    self.at += length?;
                    let is_value = self.at > start && rest[..length?].iter().copied().all(is_plain);
                    return is_value.then_some(start..self.at);
                }
                byte if is_plain(byte) => self.at += 1,
                _ => return None,
            }
            if depth == 0 {
                return Some(start..self.at);
            }
        }
    }

    /// A string with its quotes.
    fn string(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        if self.take()? != b'"' {
            return None;
        }
        loop {
            self.at += memchr::memchr2(b'"', b'\\', &self.frame[self.at..])?;
            if self.take()? == b'"' {
                return Some(start..self.at);
            }
            self.take()?;
        }
    }

    fn blanks(&mut self) {
        let rest = &self.frame[self.at..];
        let length = rest
            .iter()
            .position(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n'));
        self.at += length.unwrap_or(rest.len());
    }

    fn peek(&self) -> Option<u8> {
        self.frame.get(self.at).copied()
    }

    fn take(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }
}

/// The text of a JSON string that every reader reads alike.
fn text(source: &[u8]) -> Option<String> {
    let document = json::read(source, Limits::default()).ok()?;
    match document.value {
        Value::String(text) if document.flaws.is_empty() => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Envelope {
        match read(text.as_bytes()) {
            Frame::One(envelope) => envelope,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn what_clients_could_take_for_another_message_is_none() {
        for text in [
            r#"{"id":1,"method":"","result":{}}"#,
            r#"{"id":1,"method":"ping","result":{}}"#,
            r#"{"id":1,"method":"ping","error":{}}"#,
            r#"{"ID":1,"Result":{}}"#,
            r#"{"id":1,"result":{},"Result":{}}"#,
            "{\"id\":1,\"re\u{17f}ult\":{}}",
            "{\"method\":\"note\",\"params\":[\u{2028}{\"id\":1,\"result\":{}}\u{2028}]}",
            "{\"method\":\"note\",\"params\":\u{2028}{\"id\":1,\"result\":{}}}",
            "{\"method\":\"note\",\"params\":\u{c}{\"id\":1,\"result\":{}}\u{c}}",
            "{\"method\":\"note\",\"params\":[\u{b}{\"id\":1,\"result\":{}}\u{b}]}",
            r#"{"method":"note","params":["{"id":1,"result":{}}"]}"#,
            "{\"method\":\"note\",\"params\":\r{\"id\":1,\"result\":{}}\r}",
        ] {
            assert_eq!(read(text.as_bytes()), Frame::Nothing, "{text}");
        }
        one("{\"id\":1,\"result\":{}}\r");
        one("{\"id\":1,\"result\":[\"\u{2028}\",-1.5E+3, null,true,false]}");
    }

    #[test]
    fn the_parts_of_a_message_are_found_wherever_they_stand() {
        let text = r#" {"result" : {"a":["}",{"id":7}],"b":"\\\""} ,"jsonrpc":"2.0","id":3} "#;
        let found = one(text);
        assert_eq!(found.id(text.as_bytes()), Some(Id("3".to_owned())));
        assert_eq!(
            &text[found.result.clone().expect("a result")],
            r#"{"a":["}",{"id":7}],"b":"\\\""}"#
        );
        assert!(found.is_response() && !found.is_request());
        let call = one(r#"{"\u006dethod":"tools\/call","id":"x","params":{}}"#);
        assert_eq!(call.method.as_deref(), Some("tools/call"));
        assert!(one(r#"{"method":"m","id":null}"#).id.is_none());
    }

    #[test]
    fn ids_that_a_client_takes_for_one_are_one() {
        let of = |text: &str| Id::read(text.as_bytes());
        assert_eq!(of("1"), of("1.0"));
        assert_eq!(of("1"), of("\"1\""));
        assert_eq!(of("10"), of("\"1e1\""));
        assert_ne!(of("1"), of("\"a1\""));
        assert_eq!(of("null"), None);
        assert_eq!(of("\"a\""), Some(Id::of_text("a")));
    }

    #[test]
    fn what_clients_would_read_differently_is_no_message() {
        for text in [
            r#"{"id":1,"id":2,"result":{}}"#,
            r#"{"id":1,"result":{},"\u0069d":2}"#,
            r#"{"id":1,"result":{}"#,
            r#"{"id":1,"result":{}} {}"#,
            r#"{"id":1,"result":{]}"#.trim_end_matches('}'),
            "{}",
            "[]",
            "hello",
            "",
            "7",
            r#"{"method":7}"#,
            r#"{"id":1,,}"#,
        ] {
            assert_eq!(read(text.as_bytes()), Frame::Nothing, "{text}");
        }
    }

    #[test]
    fn the_messages_of_a_batch_are_told_apart() {
        let text = r#"[{"id":1,"result":{}}, {"method":"n"}]"#;
        let Frame::Batch(found) = read(text.as_bytes()) else {
            panic!("a batch")
        };
        assert_eq!(&text[found[1].span.clone()], r#"{"method":"n"}"#);
    }
}
