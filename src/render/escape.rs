//! Outside text on its way to a reader: every word of it shown, none of it obeyed.
//!
//! What a server, configuration or lockfile says passes through here before it reaches a terminal, a log or a
//! document. Different texts never look the same afterwards: what shows nothing becomes an escape, and what
//! could be taken for an escape or a count of ours gets a backslash.

use super::count::{collapse, ends, number};
use crate::text::hidden::{hidden, is_invisible};
use std::fmt::Write as _;
use std::ops::Range;
use unicode_security::restriction_level::RestrictionLevelDetection as _;
use unicode_security::{RestrictionLevel, skeleton};

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
    let mut out = String::with_capacity(text.len() + 2);
    push_quoted(&mut out, text);
    out
}

/// A text for a part of one line: long runs of blanks as counts, and of a text beyond 1,000 bytes both ends.
///
/// It may quote names: a word that mixes scripts shows its code points.
pub fn short(text: &str) -> String {
    let mixed: Vec<Range<usize>> = if text.is_ascii() {
        Vec::new()
    } else {
        words(text)
            .filter(|word| mixes_scripts(&text[word.clone()]))
            .collect()
    };
    ends(&collapse(&escaped(text, false, &mixed)), SHORT)
}

/// A name for one line, between quotes if it is not one plain word.
///
/// A word that mixes scripts, or whose letters all look like ASCII and are not, shows its code points: two names
/// that look the same do not come out the same. Of a name beyond 1,000 bytes both ends are shown.
pub fn name(text: &str) -> String {
    if text.len() > SHORT {
        return ends(&quoted(text), SHORT);
    }
    if text.is_empty() || text.contains(|c: char| c.is_whitespace() || c == '"') {
        quoted_name(text)
    } else {
        escaped(text, false, &exposed(text))
    }
}

/// The same between quotes in every case, whole.
pub(super) fn quoted_name(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_quoted_name(&mut out, text);
    out
}

/// The same, behind what stands in a line.
pub(super) fn push_quoted_name(line: &mut String, text: &str) {
    push_in_quotes(line, text, &exposed(text));
}

/// What [`quoted`] gives, behind what stands in a line.
pub(super) fn push_quoted(line: &mut String, text: &str) {
    push_in_quotes(line, text, &[]);
}

/// The words of a name whose code points must be shown.
fn exposed(text: &str) -> Vec<Range<usize>> {
    if text.is_ascii() {
        return Vec::new();
    }
    words(text)
        .filter(|word| looks_like_another(&text[word.clone()]))
        .collect()
}

fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split(|c: char| !c.is_alphanumeric()).map(|word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    })
}

fn looks_like_another(word: &str) -> bool {
    !word.is_ascii() && (mixes_scripts(word) || skeleton(word).all(|c| c.is_ascii()))
}

fn mixes_scripts(word: &str) -> bool {
    !word.is_ascii() && word.detect_restriction_level() > RestrictionLevel::HighlyRestrictive
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

/// `text` with everything escaped; every character beyond ASCII inside `exposed` too.
fn escaped(text: &str, quoted: bool, exposed: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    escape(&mut out, text, quoted, exposed);
    out
}

fn push_in_quotes(out: &mut String, text: &str, exposed: &[Range<usize>]) {
    out.push('"');
    escape(out, text, true, exposed);
    out.push('"');
}

fn escape(out: &mut String, text: &str, quoted: bool, exposed: &[Range<usize>]) {
    let mut hidden = hidden(text).into_iter().peekable();
    let mut before = None;
    let mut at = 0;
    while at < text.len() {
        // Most of a text stands as it is: it is copied in runs.
        let run = text.as_bytes()[at..].iter().take_while(|b| stands(**b));
        let run = run.count();
        if run > 0 {
            out.push_str(&text[at..at + run]);
            at += run;
            before = text[..at].chars().next_back();
        }
        let Some(c) = text[at..].chars().next() else {
            break;
        };
        let after = &text[at + c.len_utf8()..];
        let is_hidden = hidden.next_if(|(next, _)| *next == at).is_some();
        let word = exposed.partition_point(|word| word.end <= at);
        let is_exposed = !c.is_ascii() && exposed.get(word).is_some_and(|word| word.contains(&at));
        // Next to an exposed letter a joiner has nothing to join.
        let is_stranded = !exposed.is_empty() && is_invisible(c);
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
                push_code(out, c);
            }
            _ if is_hidden || is_exposed || is_stranded => push_code(out, c),
            _ => out.push(c),
        }
        before = Some(c);
        at += c.len_utf8();
    }
}

/// Whether a byte is a character that stands as it is, whatever is around it.
fn stands(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\' | b'[' | b'#')
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
        Some(c) => is_invisible(c),
    }
}

/// Whether an opening bracket in front of this would read as one of our counts.
pub(super) fn is_count(after: &str) -> bool {
    let word = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ',');
    word.len() < after.len()
        && word
            .strip_prefix(' ')
            .is_some_and(|word| COUNTED.iter().any(|counted| word.starts_with(counted)))
}

#[cfg(test)]
mod tests;
