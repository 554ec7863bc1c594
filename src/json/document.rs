//! What a reading comes to: the bounds that it keeps, the document with its flaws, or why there is none.

use super::Value;
use std::fmt;
use std::ops::Range;

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
    /// An exponent of more than 18 digits, as it stands or in the canonical text: no reader computes with it.
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
        // They are in order: looking through all of them for each item would take a million times a million steps.
        let start = self.flaws.partition_point(|flaw| flaw.offset < span.start);
        let end = span.end;
        self.flaws[start..]
            .iter()
            .take_while(move |flaw| flaw.offset < end)
    }
}

/// One element of a list that stands at the top of a text, in its top object, or in an object in that.
#[derive(Debug)]
pub struct Element<'a> {
    /// The members that lead to the list, from the outside: at most two.
    pub path: &'a [&'a str],
    /// What it is. The span of an object counts in the whole text.
    pub value: Value,
    /// Whether it is an object with flaws in it: those that [`Document::flaws_within`] will find in its span.
    pub is_flawed: bool,
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
