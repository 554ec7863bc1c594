//! The strict, lossless JSON reader.
//!
//! Reads RFC 8259 and keeps what an auditor must not lose: member order, duplicate members, the text of
//! numbers, and the byte range of every object. It is iterative, so that nesting is bounded by
//! [`Limits::depth`] and never by the stack. What JSON permits but no two readers agree on (duplicate
//! members, lone surrogates, exponents beyond all bounds) is reported as a [`Flaw`], not as an error, so
//! that one bad item does not hide its neighbours. It never repairs anything.

use std::fmt;
use std::ops::Range;

/// A JSON value with everything that its text said.
///
/// Equality is of what is kept: numbers by their text, objects member by member in order. Two values that
/// went through [`crate::canonical::canonicalize`] are equal exactly if they mean the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as its text.
    Number(Box<str>),
    /// A string, unescaped. A lone surrogate reads as U+FFFD and is reported as a [`Flaw`].
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object.
    Object(Object),
}

/// The members of a JSON object, in the order they stood, duplicates included.
#[derive(Debug, Clone, Default)]
pub struct Object {
    members: Vec<(String, Value)>,
    span: (usize, usize),
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.members == other.members
    }
}

impl Eq for Object {}

impl Object {
    /// The first member of that name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.members.iter().find(|(n, _)| n == name).map(|(_, v)| v)
    }

    /// The first member of that name, if it is a string.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(Value::as_str)
    }

    /// The members in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> {
        self.members.iter().map(|(n, v)| (n.as_str(), v))
    }

    /// The members in order, to be changed in place.
    pub fn members_mut(&mut self) -> &mut Vec<(String, Value)> {
        &mut self.members
    }

    /// Appends a member, or replaces the first of that name.
    pub fn set(&mut self, name: impl Into<String>, value: Value) {
        let name = name.into();
        match self.members.iter_mut().find(|(n, _)| *n == name) {
            Some((_, old)) => *old = value,
            None => self.members.push((name, value)),
        }
    }

    /// Removes the first member of that name.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let at = self.members.iter().position(|(n, _)| n == name)?;
        Some(self.members.remove(at).1)
    }

    /// How many members there are, duplicates counted.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The bytes of the source that the object was read from; empty if it was built.
    pub fn span(&self) -> Range<usize> {
        self.span.0..self.span.1
    }
}

impl FromIterator<(String, Value)> for Object {
    fn from_iter<T: IntoIterator<Item = (String, Value)>>(members: T) -> Self {
        Self {
            members: members.into_iter().collect(),
            span: (0, 0),
        }
    }
}

impl Value {
    /// The text, if it is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The members, if it is an object.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The elements, if it is an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Self::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The member of that name, if it is an object that has one.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.as_object().and_then(|object| object.get(name))
    }

    /// The JSON type's name.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

/// Bounds of one reading. Size is bounded by whoever holds the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How deep arrays and objects may nest. At most [`Limits::MAX_DEPTH`] is honoured.
    pub depth: usize,
    /// How long one string may be, in bytes of UTF-8 once unescaped.
    pub string: usize,
}

impl Limits {
    /// Deeper documents are refused whatever was asked for: later stages walk values recursively.
    pub const MAX_DEPTH: usize = 10_000;
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 2_000,
            string: 32 << 20,
        }
    }
}

/// What is legal JSON, or nearly, and yet read differently by different readers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FlawKind {
    /// A second member of that name in one object.
    DuplicateMember(String),
    /// `\uD800` to `\uDFFF` that is no half of a pair.
    LoneSurrogate,
    /// An exponent of more than 18 digits: no reader computes with it.
    EndlessExponent,
}

/// A [`FlawKind`] and the byte where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// What it is.
    pub kind: FlawKind,
    /// Where, counted in bytes from the start of the source.
    pub offset: usize,
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The value.
    pub value: Value,
    /// Its flaws, in the order of their offsets.
    pub flaws: Vec<Flaw>,
}

impl Document {
    /// The flaws that stand inside a byte range.
    pub fn flaws_within(&self, span: &Range<usize>) -> impl Iterator<Item = &Flaw> {
        self.flaws.iter().filter(move |f| span.contains(&f.offset))
    }
}

/// Why a text is not JSON, or is more than the bounds allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind} at line {line}, column {column}")]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// Bytes from the start.
    pub offset: usize,
    /// Lines from 1.
    pub line: usize,
    /// Bytes from the start of the line, from 1.
    pub column: usize,
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorKind {
    /// The text ended inside a value, or is empty.
    End,
    /// A byte that cannot stand there.
    Unexpected(u8),
    /// A literal or number that JSON does not know.
    Literal,
    /// A control character inside a string, or an escape that JSON does not know.
    StringSyntax,
    /// Bytes that are not UTF-8.
    Utf8,
    /// Something after the value.
    Trailing,
    /// Nested deeper than the bound.
    Depth(usize),
    /// A string longer than the bound.
    StringLength(usize),
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::End => f.write_str("the JSON text ends too early"),
            Self::Unexpected(byte) if byte.is_ascii_graphic() => {
                write!(f, "unexpected `{}`", char::from(*byte))
            }
            Self::Unexpected(byte) => write!(f, "unexpected byte 0x{byte:02x}"),
            Self::Literal => f.write_str("not a JSON value"),
            Self::StringSyntax => f.write_str("a control character or unknown escape in a string"),
            Self::Utf8 => f.write_str("bytes that are not UTF-8"),
            Self::Trailing => f.write_str("more text after the JSON value"),
            Self::Depth(bound) => write!(f, "nested deeper than {bound} levels (--max-depth)"),
            Self::StringLength(bound) => {
                write!(f, "a string longer than {bound} bytes (--max-string)")
            }
        }
    }
}

/// Reads one JSON text. A UTF-8 byte order mark before it is passed over.
///
/// # Errors
/// The first [`ErrorKind`] met, with its line and column.
pub fn read(source: &[u8], limits: Limits) -> Result<Document, Error> {
    let start = if source.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        0
    };
    let text = std::str::from_utf8(source)
        .map_err(|e| locate(source, e.valid_up_to(), ErrorKind::Utf8))?;
    let mut reader = Reader {
        text,
        bytes: source,
        at: start,
        limits,
        flaws: Vec::new(),
    };
    match reader.document() {
        Ok(value) => {
            // Duplicates are found when their object ends, after the flaws inside it.
            reader.flaws.sort_by_key(|flaw| flaw.offset);
            Ok(Document {
                value,
                flaws: reader.flaws,
            })
        }
        Err(kind) => Err(locate(source, reader.at.min(source.len()), kind)),
    }
}

fn locate(source: &[u8], offset: usize, kind: ErrorKind) -> Error {
    let before = &source[..offset];
    let line_start = before
        .iter()
        .rposition(|b| *b == b'\n')
        .map_or(0, |at| at + 1);
    Error {
        kind,
        offset,
        line: before.split(|b| *b == b'\n').count(),
        column: offset - line_start + 1,
    }
}

/// The line, from 1, in which a byte stands.
pub fn line_of(source: &[u8], offset: usize) -> usize {
    locate(source, offset.min(source.len()), ErrorKind::End).line
}

/// An array or object that is still open.
enum Frame {
    Array(Vec<Value>),
    /// Its members so far, where the name of each stands, and the name whose value is being read.
    Object(Object, Vec<usize>, String),
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    limits: Limits,
    flaws: Vec<Flaw>,
}

impl Reader<'_> {
    fn document(&mut self) -> Result<Value, ErrorKind> {
        let mut open: Vec<Frame> = Vec::new();
        loop {
            // A value starts here; what opens a container goes on to its first element.
            self.blanks();
            let mut value = match self.peek()? {
                b'{' => {
                    self.deeper(open.len())?;
                    let mut object = Object {
                        members: Vec::new(),
                        span: (self.at, self.at),
                    };
                    self.at += 1;
                    self.blanks();
                    if self.peek()? == b'}' {
                        self.at += 1;
                        object.span.1 = self.at;
                        Value::Object(object)
                    } else {
                        let at = vec![self.at];
                        let name = self.member_name()?;
                        open.push(Frame::Object(object, at, name));
                        continue;
                    }
                }
                b'[' => {
                    self.deeper(open.len())?;
                    self.at += 1;
                    self.blanks();
                    if self.peek()? == b']' {
                        self.at += 1;
                        Value::Array(Vec::new())
                    } else {
                        open.push(Frame::Array(Vec::new()));
                        continue;
                    }
                }
                b'"' => Value::String(self.string()?),
                _ => self.scalar()?,
            };
            // The value is whole; it may complete its container, and that the next one.
            loop {
                match open.pop() {
                    None => {
                        self.blanks();
                        return if self.at == self.bytes.len() {
                            Ok(value)
                        } else {
                            Err(ErrorKind::Trailing)
                        };
                    }
                    Some(Frame::Array(mut elements)) => {
                        elements.push(value);
                        self.blanks();
                        match self.peek()? {
                            b',' => {
                                self.at += 1;
                                open.push(Frame::Array(elements));
                                break;
                            }
                            b']' => {
                                self.at += 1;
                                value = Value::Array(elements);
                            }
                            other => return Err(ErrorKind::Unexpected(other)),
                        }
                    }
                    Some(Frame::Object(mut object, mut names_at, name)) => {
                        object.members.push((name, value));
                        self.blanks();
                        match self.peek()? {
                            b',' => {
                                self.at += 1;
                                self.blanks();
                                names_at.push(self.at);
                                let name = self.member_name()?;
                                open.push(Frame::Object(object, names_at, name));
                                break;
                            }
                            b'}' => {
                                self.at += 1;
                                object.span.1 = self.at;
                                self.find_duplicates(&object, &names_at);
                                value = Value::Object(object);
                            }
                            other => return Err(ErrorKind::Unexpected(other)),
                        }
                    }
                }
            }
        }
    }

    fn deeper(&self, depth: usize) -> Result<(), ErrorKind> {
        let bound = self.limits.depth.min(Limits::MAX_DEPTH);
        if depth >= bound {
            return Err(ErrorKind::Depth(bound));
        }
        Ok(())
    }

    fn blanks(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Result<u8, ErrorKind> {
        self.bytes.get(self.at).copied().ok_or(ErrorKind::End)
    }

    fn member_name(&mut self) -> Result<String, ErrorKind> {
        match self.peek()? {
            b'"' => {}
            other => return Err(ErrorKind::Unexpected(other)),
        }
        let name = self.string()?;
        self.blanks();
        match self.peek()? {
            b':' => self.at += 1,
            other => return Err(ErrorKind::Unexpected(other)),
        }
        Ok(name)
    }

    /// The flaw stands at the second name, which falls inside the object's span.
    fn find_duplicates(&mut self, object: &Object, names_at: &[usize]) {
        // Small objects are the rule; a set pays only for large ones.
        if object.members.len() <= 16 {
            for (i, (name, _)) in object.members.iter().enumerate() {
                if object.members[..i].iter().any(|(n, _)| n == name) {
                    self.flaw(FlawKind::DuplicateMember(name.clone()), names_at[i]);
                }
            }
        } else {
            let mut seen = std::collections::HashSet::with_capacity(object.members.len());
            for ((name, _), at) in object.members.iter().zip(names_at) {
                if !seen.insert(name.as_str()) {
                    self.flaw(FlawKind::DuplicateMember(name.clone()), *at);
                }
            }
        }
    }

    fn flaw(&mut self, kind: FlawKind, offset: usize) {
        self.flaws.push(Flaw { kind, offset });
    }

    fn string(&mut self) -> Result<String, ErrorKind> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let run = self.at;
            while let Some(byte) = self.bytes.get(self.at) {
                if matches!(byte, b'"' | b'\\' | 0..=0x1f) {
                    break;
                }
                self.at += 1;
            }
            // Both ends stand beside an ASCII byte, so the slice falls on character boundaries.
            out.push_str(&self.text[run..self.at]);
            if out.len() > self.limits.string {
                return Err(ErrorKind::StringLength(self.limits.string));
            }
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Ok(out);
                }
                b'\\' => self.escape(&mut out)?,
                _ => return Err(ErrorKind::StringSyntax),
            }
        }
    }

    fn escape(&mut self, out: &mut String) -> Result<(), ErrorKind> {
        let start = self.at;
        self.at += 1;
        let byte = self.peek()?;
        self.at += 1;
        out.push(match byte {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.hex4()?;
                if let Some(plain) = char::from_u32(first) {
                    plain
                } else if first < 0xdc00 && self.bytes[self.at..].starts_with(b"\\u") {
                    let back = self.at;
                    self.at += 2;
                    let second = self.hex4()?;
                    if (0xdc00..0xe000).contains(&second) {
                        let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                        char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
                    } else {
                        // The second escape stands for itself and is read again.
                        self.at = back;
                        self.flaw(FlawKind::LoneSurrogate, start);
                        char::REPLACEMENT_CHARACTER
                    }
                } else {
                    self.flaw(FlawKind::LoneSurrogate, start);
                    char::REPLACEMENT_CHARACTER
                }
            }
            _ => {
                self.at = start;
                return Err(ErrorKind::StringSyntax);
            }
        });
        Ok(())
    }

    fn hex4(&mut self) -> Result<u32, ErrorKind> {
        let digits = self.bytes.get(self.at..self.at + 4).ok_or(ErrorKind::End)?;
        let mut code = 0;
        for digit in digits {
            let value = char::from(*digit)
                .to_digit(16)
                .ok_or(ErrorKind::StringSyntax)?;
            code = code * 16 + value;
        }
        self.at += 4;
        Ok(code)
    }

    fn scalar(&mut self) -> Result<Value, ErrorKind> {
        let start = self.at;
        let first = self.peek()?;
        if first == b'-' || first.is_ascii_digit() {
            return self.number();
        }
        if !first.is_ascii_alphabetic() {
            return Err(ErrorKind::Unexpected(first));
        }
        while self
            .bytes
            .get(self.at)
            .is_some_and(u8::is_ascii_alphanumeric)
        {
            self.at += 1;
        }
        match &self.text[start..self.at] {
            "null" => Ok(Value::Null),
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            _ => {
                self.at = start;
                Err(ErrorKind::Literal)
            }
        }
    }

    fn number(&mut self) -> Result<Value, ErrorKind> {
        let start = self.at;
        if self.bytes[self.at] == b'-' {
            self.at += 1;
        }
        if self.peek()? == b'0' {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.bytes.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.bytes.get(self.at), Some(b'+' | b'-')) {
                self.at += 1;
            }
            let exponent = self.at;
            self.digits()?;
            if self.text[exponent..self.at].trim_start_matches('0').len() > 18 {
                self.flaw(FlawKind::EndlessExponent, start);
            }
        }
        if self
            .bytes
            .get(self.at)
            .is_some_and(u8::is_ascii_alphanumeric)
        {
            self.at = start;
            return Err(ErrorKind::Literal);
        }
        Ok(Value::Number(self.text[start..self.at].into()))
    }

    fn digits(&mut self) -> Result<(), ErrorKind> {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        if self.at == start {
            return Err(match self.bytes.get(self.at) {
                Some(byte) => ErrorKind::Unexpected(*byte),
                None => ErrorKind::End,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flaws(text: &str) -> Vec<FlawKind> {
        let document = read(text.as_bytes(), Limits::default()).expect("legal JSON");
        document.flaws.into_iter().map(|f| f.kind).collect()
    }

    fn kind(text: &[u8]) -> ErrorKind {
        read(text, Limits::default()).expect_err("not JSON").kind
    }

    #[test]
    fn order_duplicates_and_number_texts_are_kept() {
        let text = r#"{"b":1.0,"a":[1e2,-0,0.10],"b":"\u00e9\ud83d\ude00"}"#;
        let document = read(text.as_bytes(), Limits::default()).expect("legal JSON");
        let members: Vec<_> = document
            .value
            .as_object()
            .expect("an object")
            .iter()
            .collect();
        assert_eq!(members[0], ("b", &Value::Number("1.0".into())));
        assert_eq!(members[2], ("b", &Value::from("é😀")));
        assert_eq!(
            document.flaws[0].kind,
            FlawKind::DuplicateMember("b".into())
        );
    }

    #[test]
    fn a_duplicate_stands_where_its_second_name_does() {
        let text = r#"{"a":1,"a":{"b":"\ud800"}}"#;
        let document = read(text.as_bytes(), Limits::default()).expect("legal JSON");
        let offsets: Vec<_> = document.flaws.iter().map(|flaw| flaw.offset).collect();
        assert_eq!(offsets[0], 7);
        assert!(offsets.is_sorted() && offsets.len() == 2);
    }

    #[test]
    fn an_object_knows_the_bytes_it_was_read_from() {
        let text = br#" [ {"a": {} } , 1]"#;
        let document = read(text, Limits::default()).expect("legal JSON");
        let first = document.value.as_array().expect("an array")[0]
            .as_object()
            .expect("an object");
        assert_eq!(&text[first.span()], br#"{"a": {} }"#);
    }

    #[test]
    fn a_lone_surrogate_is_a_flaw_and_its_neighbour_is_read() {
        assert_eq!(flaws(r#""a\ud800b""#), [FlawKind::LoneSurrogate]);
        assert_eq!(flaws(r#""\ud800\u0041""#), [FlawKind::LoneSurrogate]);
        assert_eq!(flaws(r#""\udc00""#), [FlawKind::LoneSurrogate]);
        assert_eq!(flaws(r#""\ud83d\ude00""#), []);
    }

    #[test]
    fn what_is_not_json_is_refused() {
        for text in [
            "",
            "{",
            "[1,]",
            "{\"a\":1,}",
            "01",
            "+1",
            ".5",
            "1.",
            "1e",
            "nul",
            "NaN",
            "'a'",
            "[1 2]",
            "{a:1}",
            "\"\\x\"",
            "1a",
        ] {
            assert!(read(text.as_bytes(), Limits::default()).is_err(), "{text}");
        }
        assert_eq!(kind(b"\"\x01\""), ErrorKind::StringSyntax);
        assert_eq!(kind(b"\"\xff\""), ErrorKind::Utf8);
        assert_eq!(kind(b"{} {}"), ErrorKind::Trailing);
    }

    #[test]
    fn depth_is_bounded_without_recursion() {
        let limits = Limits {
            depth: 3,
            ..Limits::default()
        };
        assert!(read(b"[[[]]]", limits).is_ok());
        assert_eq!(
            read(b"[[[[]]]]", limits).expect_err("too deep").kind,
            ErrorKind::Depth(3)
        );
        let bomb = vec![b'['; 4 << 20];
        assert_eq!(kind(&bomb), ErrorKind::Depth(2_000));
    }

    #[test]
    fn an_error_names_line_and_column() {
        let error = read(b"{\n  \"a\": tru\n}", Limits::default()).expect_err("not JSON");
        assert_eq!((error.line, error.column), (2, 8));
    }
}
