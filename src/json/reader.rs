//! The reader itself: one pass over the bytes, with a stack of its own.

use super::exponent::is_endless;
use super::{Document, Element, Error, ErrorKind, Flaw, FlawKind, Limits, Object, Value};

/// Reads one JSON text. A UTF-8 byte order mark before it is passed over.
///
/// # Errors
/// The first [`ErrorKind`] met, with its line and column.
pub fn read(source: &[u8], limits: Limits) -> Result<Document, Error> {
    read_with(source, limits, None)
}

/// What is asked for each element of an outer list what stands in its place; nothing, where it was taken.
type Take<'t> = &'t mut dyn FnMut(Element<'_>) -> Option<Value>;

/// The same, of a text with long lists near its top: `take` gets each element of them as soon as it is read, and what
/// it keeps for itself is never held with the others.
///
/// # Errors
/// The first [`ErrorKind`] met, with its line and column; some elements may have been taken by then.
pub fn read_lists(source: &[u8], limits: Limits, take: Take<'_>) -> Result<Document, Error> {
    read_with(source, limits, Some(take))
}

fn read_with(source: &[u8], limits: Limits, take: Option<Take<'_>>) -> Result<Document, Error> {
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
        elements: Vec::new(),
        members: Vec::new(),
        names_at: Vec::new(),
        take,
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

/// The member of an open object that waits for its value.
fn last_name(members: &[(String, Value)]) -> &str {
    members.last().map_or("", |(name, _)| name)
}

/// The line, from 1, in which a byte stands.
pub fn line_of(source: &[u8], offset: usize) -> usize {
    locate(source, offset.min(source.len()), ErrorKind::End).line
}

/// An array or object that is still open. What it holds so far stands at the end of the reader's rows, so that each
/// is allocated once, as large as it is.
enum Frame {
    Array {
        /// Where its elements start.
        elements: usize,
    },
    Object {
        /// Where its members start. The last one waits for its value.
        members: usize,
        /// The byte where it starts.
        at: usize,
    },
}

struct Reader<'a, 't> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    limits: Limits,
    flaws: Vec<Flaw>,
    /// The elements of all open arrays.
    elements: Vec<Value>,
    /// The members of all open objects, and where the name of each stands.
    members: Vec<(String, Value)>,
    names_at: Vec<usize>,
    take: Option<Take<'t>>,
}

impl Reader<'_, '_> {
    fn document(&mut self) -> Result<Value, ErrorKind> {
        let mut open: Vec<Frame> = Vec::new();
        loop {
            // A value starts here; what opens a container goes on to its first element.
            self.blanks();
            let mut value = match self.peek()? {
                b'{' => {
                    self.deeper(open.len())?;
                    let (members, at) = (self.members.len(), self.at);
                    self.at += 1;
                    self.blanks();
                    if self.peek()? == b'}' {
                        self.object(members, at)
                    } else {
                        self.member_name()?;
                        open.push(Frame::Object { members, at });
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
                        let elements = self.elements.len();
                        open.push(Frame::Array { elements });
                        continue;
                    }
                }
                b'"' => Value::String(self.string()?),
                _ => self.scalar()?,
            };
            // The value is whole; it may complete its container, and that the next one.
            loop {
                let Some(container) = open.last() else {
                    self.blanks();
                    return if self.at == self.bytes.len() {
                        Ok(value)
                    } else {
                        Err(ErrorKind::Trailing)
                    };
                };
                match *container {
                    Frame::Array { elements } => {
                        if let Some(value) = self.hand_on(&open, value) {
                            self.elements.push(value);
                        }
                        self.blanks();
                        match self.peek()? {
                            b',' => {
                                self.at += 1;
                                break;
                            }
                            b']' => {
                                self.at += 1;
                                value = Value::Array(self.elements.drain(elements..).collect());
                            }
                            other => return Err(ErrorKind::Unexpected(other)),
                        }
                    }
                    Frame::Object { members, at } => {
                        if let Some((_, waiting)) = self.members.last_mut() {
                            *waiting = value;
                        }
                        self.blanks();
                        match self.peek()? {
                            b',' => {
                                self.at += 1;
                                self.blanks();
                                self.member_name()?;
                                break;
                            }
                            b'}' => value = self.object(members, at),
                            other => return Err(ErrorKind::Unexpected(other)),
                        }
                    }
                }
                open.pop();
            }
        }
    }

    /// Offers an element of an outer list to whoever wants these; what comes back stays.
    fn hand_on(&mut self, open: &[Frame], value: Value) -> Option<Value> {
        let Some(take) = &mut self.take else {
            return Some(value);
        };
        let (outer, inner);
        let path: &[&str] = match open {
            [Frame::Array { .. }] => &[],
            [Frame::Object { .. }, Frame::Array { .. }] => {
                outer = [last_name(&self.members)];
                &outer
            }
            [
                Frame::Object { .. },
                Frame::Object { members, .. },
                Frame::Array { .. },
            ] => {
                let (before, inside) = self.members.split_at(*members);
                inner = [last_name(before), last_name(inside)];
                &inner
            }
            _ => return Some(value),
        };
        let start = value.as_object().map(|object| object.span.0);
        // All that was found before it stands before it.
        let found = self.flaws.last().map(|flaw| flaw.offset);
        take(Element {
            path,
            is_flawed: start.is_some_and(|start| found >= Some(start)),
            value,
        })
    }

    /// Ends an object at its brace.
    fn object(&mut self, members: usize, start: usize) -> Value {
        self.at += 1;
        self.find_duplicates(members);
        self.names_at.truncate(members);
        Value::Object(Object {
            members: self.members.drain(members..).collect(),
            span: (start, self.at),
        })
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

    /// Reads the name of a member, which then waits for its value.
    fn member_name(&mut self) -> Result<(), ErrorKind> {
        match self.peek()? {
            b'"' => {}
            other => return Err(ErrorKind::Unexpected(other)),
        }
        self.names_at.push(self.at);
        let name = self.string()?;
        self.members.push((name, Value::Null));
        self.blanks();
        match self.peek()? {
            b':' => self.at += 1,
            other => return Err(ErrorKind::Unexpected(other)),
        }
        Ok(())
    }

    /// The flaw stands at the second name, which falls inside the object's span.
    fn find_duplicates(&mut self, start: usize) {
        let members = &self.members[start..];
        let names_at = &self.names_at[start..];
        let mut found = Vec::new();
        // Small objects are the rule; a set pays only for large ones.
        if members.len() <= 16 {
            for (i, (name, _)) in members.iter().enumerate() {
                if members[..i].iter().any(|(n, _)| n == name) {
                    found.push((name.clone(), names_at[i]));
                }
            }
        } else {
            let mut seen = std::collections::HashSet::with_capacity(members.len());
            for ((name, _), at) in members.iter().zip(names_at) {
                if !seen.insert(name.as_str()) {
                    found.push((name.clone(), *at));
                }
            }
        }
        for (name, at) in found {
            self.flaw(FlawKind::DuplicateMember(name), at);
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
            let ends = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
            let length = self.bytes[run..].iter().position(ends);
            self.at = length.map_or(self.bytes.len(), |length| run + length);
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
            if is_endless(&self.text[start..self.at], &self.text[exponent..self.at]) {
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
mod tests;
