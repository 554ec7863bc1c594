//! The one canonical text of a value: RFC 8785, with exact numbers and strings kept code point by code point.
//!
//! [`canonicalize`] brings a value into canonical order and number spelling, [`to_text`] writes it without
//! blanks, [`to_pretty`] with them. Values with duplicate members or lone surrogates have no canonical form;
//! the caller keeps those raw ([`crate::catalogue`]).

use crate::json::Value;
use crate::text::hidden::is_invisible;
use std::cmp::Ordering;

/// Sorts members by UTF-16 code units (RFC 8785, section 3.2.3) and respells numbers, in place.
pub fn canonicalize(value: &mut Value) {
    match value {
        Value::Number(text) if is_short_integer(text) => {}
        Value::Number(text) => *text = number(text).into(),
        Value::Array(elements) => elements.iter_mut().for_each(canonicalize),
        Value::Object(object) => {
            for (_, member) in object.members_mut().iter_mut() {
                canonicalize(member);
            }
            object
                .members_mut()
                .sort_by(|(a, _), (b, _)| by_utf16(a, b));
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// The order of two texts by UTF-16 code units. It is that of their bytes but for what UTF-16 writes as surrogates,
/// which sort before U+E000.
fn by_utf16(a: &str, b: &str) -> Ordering {
    const U_E000: u8 = 0xee;
    let differ = a.bytes().zip(b.bytes()).find(|(a, b)| a != b);
    match differ {
        None => a.len().cmp(&b.len()),
        Some((a, b)) if a < U_E000 || b < U_E000 => a.cmp(&b),
        Some(_) => a.encode_utf16().cmp(b.encode_utf16()),
    }
}

/// Whether a number is written as the RFC writes it, as most are.
fn is_short_integer(text: &str) -> bool {
    // Doubles hold every integer of 15 digits.
    let is_plain = text.len() <= 15 && text.bytes().all(|b| b.is_ascii_digit());
    is_plain && (text == "0" || !text.starts_with('0'))
}

/// A copy in canonical order and spelling.
pub fn canonical(value: &Value) -> Value {
    let mut copy = value.clone();
    canonicalize(&mut copy);
    copy
}

/// The text of a canonical value, without blanks: what is hashed.
pub fn to_text(value: &Value) -> String {
    // What was read takes about as much room as it took there.
    let read = value.as_object().map_or(0, |object| object.span().len());
    let mut out = String::with_capacity(read);
    Writer {
        out: &mut out,
        indent: None,
        visible: false,
    }
    .value(value, 0);
    out
}

/// The same of an object that has these members, which come in canonical order.
pub fn members_to_text<'a>(members: impl Iterator<Item = (&'a str, &'a Value)>) -> String {
    let mut out = String::new();
    Writer {
        out: &mut out,
        indent: None,
        visible: false,
    }
    .members(members, 0);
    out
}

/// The text of a value for people and files: two blanks of indentation, LF, no final newline.
///
/// Members stand in the value's own order. DEL, C1 controls and invisible or bidirectional characters are
/// written as JSON escapes, so that a file shows what it holds; it reads back to the same value.
pub fn to_pretty(value: &Value) -> String {
    let mut out = String::new();
    Writer {
        out: &mut out,
        indent: Some(2),
        visible: true,
    }
    .value(value, 0);
    out
}

struct Writer<'a> {
    out: &'a mut String,
    indent: Option<usize>,
    visible: bool,
}

impl Writer<'_> {
    fn value(&mut self, value: &Value, depth: usize) {
        match value {
            Value::Null => self.out.push_str("null"),
            Value::Bool(true) => self.out.push_str("true"),
            Value::Bool(false) => self.out.push_str("false"),
            Value::Number(text) => self.out.push_str(text),
            Value::String(text) => self.string(text),
            Value::Array(elements) => {
                self.out.push('[');
                for (i, element) in elements.iter().enumerate() {
                    self.separate(i, depth + 1);
                    self.value(element, depth + 1);
                }
                self.close(elements.is_empty(), depth);
                self.out.push(']');
            }
            Value::Object(object) => self.members(object.iter(), depth),
        }
    }

    fn members<'a>(&mut self, members: impl Iterator<Item = (&'a str, &'a Value)>, depth: usize) {
        self.out.push('{');
        let mut empty = true;
        for (i, (name, member)) in members.enumerate() {
            empty = false;
            self.separate(i, depth + 1);
            self.string(name);
            self.out.push(':');
            if self.indent.is_some() {
                self.out.push(' ');
            }
            self.value(member, depth + 1);
        }
        self.close(empty, depth);
        self.out.push('}');
    }

    fn separate(&mut self, index: usize, depth: usize) {
        if index > 0 {
            self.out.push(',');
        }
        self.line(depth);
    }

    fn close(&mut self, empty: bool, depth: usize) {
        if !empty {
            self.line(depth);
        }
    }

    fn line(&mut self, depth: usize) {
        if let Some(width) = self.indent {
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n(' ', width * depth));
        }
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        let mut rest = text;
        loop {
            // Most of a text stands as it is: it is copied in runs, which end before a whole character.
            let ends =
                |b: &u8| matches!(b, b'"' | b'\\' | 0..=0x1f) || (self.visible && *b >= 0x7f);
            let run = rest.as_bytes().iter().position(ends);
            let (plain, other) = rest.split_at(run.unwrap_or(rest.len()));
            self.out.push_str(plain);
            let Some(c) = other.chars().next() else {
                break;
            };
            self.character(c);
            rest = &other[c.len_utf8()..];
        }
        self.out.push('"');
    }

    fn character(&mut self, c: char) {
        use std::fmt::Write as _;
        match c {
            '"' => self.out.push_str("\\\""),
            '\\' => self.out.push_str("\\\\"),
            '\u{8}' => self.out.push_str("\\b"),
            '\t' => self.out.push_str("\\t"),
            '\n' => self.out.push_str("\\n"),
            '\u{c}' => self.out.push_str("\\f"),
            '\r' => self.out.push_str("\\r"),
            c if c < ' ' || (self.visible && is_invisible(c)) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // Writing to a string cannot fail.
                    let _ = write!(self.out, "\\u{unit:04x}");
                }
            }
            c => self.out.push(c),
        }
    }
}

/// The canonical text of a JSON number: the RFC's where it denotes exactly the decimal that was sent, else
/// normalized digits and exponent (`9007199254740993e0`, `1e400`).
pub fn number(text: &str) -> String {
    let Some(decimal) = Decimal::parse(text) else {
        return text.to_owned();
    };
    if decimal.digits.is_empty() {
        return "0".to_owned();
    }
    if let Ok(double) = text.parse::<f64>()
        && double.is_finite()
    {
        let mut buffer = ryu_js::Buffer::new();
        let short = buffer.format_finite(double);
        if Decimal::parse(short).is_some_and(|d| d == decimal) {
            return short.to_owned();
        }
    }
    let sign = if decimal.negative { "-" } else { "" };
    format!("{sign}{}e{}", decimal.digits, decimal.exponent)
}

/// A decimal number as its significant digits (no zero at either end; none at all is zero) times a power of ten.
#[derive(PartialEq, Eq)]
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// `None` where the exponent has more than 18 digits, or the text is no number.
    fn parse(text: &str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match rest.find(['e', 'E']) {
            Some(at) => (&rest[..at], rest[at + 1..].trim_start_matches('+')),
            None => (rest, "0"),
        };
        let exponent: i64 = exponent.parse().ok()?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let significant = all.trim_end_matches('0');
        let cut = i64::try_from(all.len() - significant.len()).ok()?;
        let digits = significant.trim_start_matches('0').to_owned();
        let shift = i64::try_from(fraction.len()).ok()?;
        let exponent = exponent.checked_sub(shift)?.checked_add(cut)?;
        Some(Self {
            negative: negative && !digits.is_empty(),
            exponent: if digits.is_empty() { 0 } else { exponent },
            digits,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Limits, read};

    fn canonical_text(text: &str) -> String {
        to_text(&canonical(
            &read(text.as_bytes(), Limits::default())
                .expect("legal JSON")
                .value,
        ))
    }

    #[test]
    fn members_are_sorted_by_utf16_code_units() {
        // U+FB33 sorts after U+1F600 by UTF-16 (0xFB33 > 0xD83D), before it by code point.
        assert_eq!(
            canonical_text("{\"\u{fb33}\":1,\"\u{1f600}\":2,\"a\":3}"),
            "{\"a\":3,\"\u{1f600}\":2,\"\u{fb33}\":1}"
        );
    }

    #[test]
    fn texts_are_ordered_as_their_utf16_code_units_are() {
        let texts = [
            "",
            "a",
            "ab",
            "b",
            "\u{7f}",
            "\u{e9}",
            "\u{7ff}",
            "\u{800}",
            "\u{d7ff}",
            "\u{e000}",
            "\u{fb33}",
            "\u{ffff}",
            "\u{10000}",
            "\u{1f600}",
            "\u{10ffff}",
            "a\u{e000}",
            "a\u{1f600}",
            "a\u{1f600}b",
        ];
        for (a, b) in texts.iter().flat_map(|a| texts.iter().map(move |b| (a, b))) {
            assert_eq!(
                by_utf16(a, b),
                a.encode_utf16().cmp(b.encode_utf16()),
                "{a} {b}"
            );
        }
    }

    #[test]
    fn a_short_integer_is_its_own_canonical_text() {
        for text in ["0", "7", "10", "123456789012345"] {
            assert!(is_short_integer(text) && number(text) == text, "{text}");
        }
        for text in ["-0", "-1", "1.0", "1e2", "9007199254740993"] {
            assert!(!is_short_integer(text), "{text}");
        }
    }

    #[test]
    fn numbers_of_one_value_share_a_text_and_others_never_do() {
        for (sent, text) in [
            ("1", "1"),
            ("1.0", "1"),
            ("10e-1", "1"),
            ("-0", "0"),
            ("0e999999999999999999", "0"),
            ("1e2", "100"),
            ("0.1000", "0.1"),
            ("1e21", "1e+21"),
            ("1e-7", "1e-7"),
            ("9007199254740992", "9007199254740992"),
            ("9007199254740993", "9007199254740993e0"),
            ("18446744073709551616", "18446744073709551616e0"),
            ("1e400", "1e400"),
            ("1E+400", "1e400"),
            ("-10e399", "-1e400"),
            (
                "0.1000000000000000055511151231257827",
                "1000000000000000055511151231257827e-34",
            ),
        ] {
            assert_eq!(number(sent), text, "{sent}");
        }
    }

    #[test]
    fn pretty_text_shows_hidden_characters_and_reads_back() {
        let value = Value::from("a\u{202e}b\u{e0041}\u{7f}é");
        let text = to_pretty(&value);
        assert_eq!(text, "\"a\\u202eb\\udb40\\udc41\\u007fé\"");
        assert_eq!(
            read(text.as_bytes(), Limits::default())
                .expect("legal JSON")
                .value,
            value
        );
    }
}
