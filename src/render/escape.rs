//! Outside text on its way to a reader: every word of it shown, none of it obeyed.
//!
//! What a server, configuration or lockfile says passes through here before it reaches a terminal, a log or a
//! document. Different texts never look the same afterwards: what shows nothing becomes an escape, and what
//! could be taken for an escape or a count of ours gets a backslash. [`collapse`] alone gives that up, for counts.

use super::{cap, joined};
use crate::canonical::is_invisible;
use std::fmt::Write as _;
use std::ops::Range;
use unicode_security::restriction_level::RestrictionLevelDetection as _;
use unicode_security::{RestrictionLevel, skeleton};

/// Longer runs of blanks are shown as a count. No indentation of ours is that deep.
const RUN: usize = 40;

/// What a name, pointer or sentence may take of a line, in bytes. Definitions have a bound of their own.
const SHORT: usize = 1_000;

/// What stands in a count of ours after the number: `[4,000 spaces]`, `[12 lines left out]`.
const COUNTED: [&str; 8] = [
    "spaces]",
    "blanks]",
    "times]",
    "blank lines]",
    "line",
    "character",
    "edit",
    "place",
];

/// A text for one line: LF as `\n`, tab as `\t`, anything else that shows nothing or moves its neighbours as
/// `\u{202E}`. Emoji families, flags, and joiners between Persian or Indic letters are left alone.
pub fn line(text: &str) -> String {
    escaped(text, false, &[])
}

/// The same between double quotes, where quotes and backslashes stand behind a backslash, as in JSON.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text, true, &[]))
}

/// A text for a part of one line: long runs of blanks as counts, and of a text beyond 1,000 bytes both ends.
pub fn short(text: &str) -> String {
    ends(&collapse(&line(text)), SHORT)
}

/// Both ends of an escaped text, with a count of the characters between them.
pub(super) fn ends(escaped: &str, bytes: usize) -> String {
    match cap::ends(escaped, bytes) {
        (whole, 0, _) => whole.to_owned(),
        (head, out, tail) => format!("{head}[{} left out]{tail}", counted(out, "character")),
    }
}

/// A name for one line, between quotes if it is not one plain word.
///
/// A word that mixes scripts, or whose letters all look like ASCII and are not, shows its code points: two names
/// that look the same do not come out the same. Of a name beyond 1,000 bytes both ends are shown.
pub fn name(text: &str) -> String {
    if text.len() > SHORT {
        return ends(&quoted(text), SHORT);
    }
    let plain = !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == '"');
    let exposed: Vec<_> = words(text)
        .filter(|word| looks_like_another(&text[word.clone()]))
        .collect();
    let out = escaped(text, !plain, &exposed);
    if plain { out } else { format!("\"{out}\"") }
}

fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split(|c: char| !c.is_alphanumeric()).map(|word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    })
}

fn looks_like_another(word: &str) -> bool {
    !word.is_ascii()
        && (word.detect_restriction_level() > RestrictionLevel::HighlyRestrictive
            || skeleton(word).all(|c| c.is_ascii()))
}

/// The lines of a text, each escaped. Long runs of blanks and of blank lines are shown as counts.
pub fn block(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut blank = 0;
    for part in text.split('\n') {
        if part.trim().is_empty() {
            blank += 1;
            continue;
        }
        push_blank(&mut lines, blank);
        blank = 0;
        lines.push(collapse(&line(part)));
    }
    push_blank(&mut lines, blank);
    lines
}

fn push_blank(lines: &mut Vec<String>, blank: usize) {
    if blank > 3 {
        lines.push(format!("[{} blank lines]", number(blank)));
    } else {
        lines.extend(std::iter::repeat_n(String::new(), blank));
    }
}

/// What the tag characters of a text spell: they mirror ASCII, models read them, and nobody sees them. `None` if
/// there are none beside those of flags.
pub fn hidden_text(text: &str) -> Option<String> {
    let mut hidden = String::new();
    let (mut at, mut before) = (0, None);
    while let Some(c) = text[at..].chars().next() {
        let run = if c.is_ascii() {
            0
        } else {
            joined::run(&text[at..], before)
        };
        if run == 0
            && joined::is_tag(c)
            && let Some(ascii) = char::from_u32(u32::from(c) - 0xe0000).filter(|c| !c.is_control())
        {
            hidden.push(ascii);
        }
        at += run.max(c.len_utf8());
        before = Some(c);
    }
    (!hidden.is_empty()).then_some(hidden)
}

/// `text` with everything escaped; every character beyond ASCII inside `exposed` too.
fn escaped(text: &str, quoted: bool, exposed: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    let (mut at, mut before) = (0, None);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let after = &rest[c.len_utf8()..];
        let mut length = c.len_utf8();
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' if quoted => out.push_str("\\\""),
            '\\' if quoted || begins_escape(after) => out.push_str("\\\\"),
            '[' if is_count(after) => out.push_str("\\["),
            // Two CI systems obey `##[…]` and `##vso[…]` wherever they stand in a line.
            '#' if before == Some('#')
                && after
                    .trim_start_matches(char::is_alphabetic)
                    .starts_with('[') =>
            {
                push_code(&mut out, c);
            }
            ' '..='~' if !c.is_ascii_digit() && !matches!(c, '#' | '*') => out.push(c),
            _ => {
                // Next to an exposed letter a joiner has nothing to join.
                let run = if exposed.is_empty() {
                    joined::run(rest, before)
                } else {
                    0
                };
                let is_exposed = !c.is_ascii() && exposed.iter().any(|word| word.contains(&at));
                if run > 0 {
                    length = run;
                    out.push_str(&rest[..run]);
                } else if is_exposed || shows_nothing(c) {
                    push_code(&mut out, c);
                } else {
                    out.push(c);
                }
            }
        }
        before = rest[..length].chars().next_back();
        at += length;
    }
    out
}

/// Invisible characters, and blanks that look like a space and are none. The ideographic space is as wide as its
/// letters and common between them.
fn shows_nothing(c: char) -> bool {
    is_invisible(c) || (c.is_whitespace() && c != ' ' && c != '\u{3000}')
}

fn push_code(out: &mut String, c: char) {
    // Writing to a string cannot fail.
    let _ = write!(out, "\\u{{{:X}}}", u32::from(c));
}

/// Whether a backslash in front of this would read as one of our escapes.
fn begins_escape(after: &str) -> bool {
    let mut chars = after.chars();
    match chars.next() {
        None => false,
        Some('\\' | '"' | 'n' | 'r' | 't') => true,
        Some('u') => chars.next() == Some('{'),
        Some('[') => is_count(&after[1..]),
        Some(c) => shows_nothing(c),
    }
}

/// Whether an opening bracket in front of this would read as one of our counts.
fn is_count(after: &str) -> bool {
    let word = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ',');
    word.len() < after.len()
        && word
            .strip_prefix(' ')
            .is_some_and(|word| COUNTED.iter().any(|counted| word.starts_with(counted)))
}

/// An escaped text with every long run of blanks, and of one repeated escape, shown as a count.
pub(super) fn collapse(escaped: &str) -> String {
    let mut out = String::with_capacity(escaped.len());
    let mut at = 0;
    while at < escaped.len() {
        let rest = &escaped[at..];
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

#[cfg(test)]
mod tests;
