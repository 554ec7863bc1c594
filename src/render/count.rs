//! What is too long to be shown, as counts: runs of blanks, repeated escapes, the middle of a text.
//!
//! Works on escaped text, whose units are characters and escapes.

use super::cap;
use super::escape::is_count;
use std::fmt::Write as _;

/// Longer runs of blanks are shown as a count. No indentation of ours is that deep.
const RUN: usize = 40;

/// An escaped text with every long run of blanks, and of one repeated escape, shown as a count.
pub(super) fn collapse(escaped: &str) -> String {
    let mut out = String::with_capacity(escaped.len());
    let mut at = 0;
    while at < escaped.len() {
        let rest = &escaped[at..];
        // Neither blanks nor escapes: most of a text.
        let plain = |b: &&u8| matches!(b, b'!'..=b'~') && **b != b'\\';
        let run = rest.as_bytes().iter().take_while(plain).count();
        if run > 0 {
            out.push_str(&rest[..run]);
            at += run;
            continue;
        }
        let unit = unit(rest);
        let blank = run_of(rest, is_blank);
        let same = if blank.units > 0 || unit.len() > 1 && unit.starts_with('\\') {
            run_of(rest, |other| other == unit)
        } else {
            blank
        };
        at += if same.units > RUN {
            let _ = match unit {
                " " => write!(out, "[{} spaces]", number(same.units)),
                _ => write!(out, "{unit}[{} times]", number(same.units)),
            };
            same.bytes
        } else if blank.units > RUN {
            let _ = write!(out, "[{} blanks]", number(blank.units));
            blank.bytes
        } else {
            let length = blank.bytes.max(unit.len());
            out.push_str(&rest[..length]);
            length
        };
    }
    out
}

#[derive(Clone, Copy)]
struct Run {
    units: usize,
    bytes: usize,
}

fn run_of(text: &str, belongs: impl Fn(&str) -> bool) -> Run {
    let mut run = Run { units: 0, bytes: 0 };
    while run.bytes < text.len() {
        let unit = unit(&text[run.bytes..]);
        if !belongs(unit) {
            break;
        }
        run.units += 1;
        run.bytes += unit.len();
    }
    run
}

/// The first character or escape of an escaped text that is not empty.
pub(super) fn unit(escaped: &str) -> &str {
    let mut chars = escaped.chars();
    let first = chars.next().map_or(0, char::len_utf8);
    if !escaped.starts_with('\\') {
        return &escaped[..first];
    }
    match chars.next() {
        Some('u') if escaped[2..].starts_with('{') => {
            let end = escaped.find('}').map_or(escaped.len(), |end| end + 1);
            &escaped[..end]
        }
        Some('\\' | 'n' | 'r' | 't' | '"') => &escaped[..2],
        Some('[') if is_count(&escaped[2..]) => &escaped[..2],
        _ => &escaped[..1],
    }
}

/// Whether an escaped text holds nothing that a person reads: blanks, and escapes of what shows nothing.
pub(super) fn is_wordless(escaped: &str) -> bool {
    let mut at = 0;
    while at < escaped.len() {
        let unit = unit(&escaped[at..]);
        if !is_blank(unit) && !unit.starts_with("\\u{") {
            return false;
        }
        at += unit.len();
    }
    true
}

fn is_blank(unit: &str) -> bool {
    match unit {
        " " | "\u{3000}" | "\\t" | "\\n" | "\\r" => true,
        _ => unit
            .strip_prefix("\\u{")
            .and_then(|code| u32::from_str_radix(code.trim_end_matches('}'), 16).ok())
            .and_then(char::from_u32)
            .is_some_and(char::is_whitespace),
    }
}

/// A count with its noun: `1 line`, `1,200 lines`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", number(count))
}

/// A count with commas between thousands.
pub(super) fn number(count: usize) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Both ends of an escaped text, with a count of the characters between them.
pub(super) fn ends(escaped: &str, bytes: usize) -> String {
    match cap::ends(escaped, bytes) {
        (whole, 0, _) => whole.to_owned(),
        (head, out, tail) => format!("{head}[{} left out]{tail}", counted(out, "character")),
    }
}
