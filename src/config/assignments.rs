//! Values that are assigned to a name somewhere in a text, in the many ways in which people do that.

use super::looks;
use super::spans::{Span, leading_blanks, scheme_end};
use std::ops::Range;

/// How far the value of a name that says nothing is looked at, in bytes: a bound on the time that a text takes.
const UNNAMED_LENGTH: usize = 4096;

/// Values whose name says that they are secrets, or that look random: `KEY=x`, `--token=x`, `--token x` inside
/// one text, `?sig=x`, `"apiKey": "x"`, `Authorization: Bearer x`, `Password=x;`.
pub(super) fn assignments(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(is_name_char).map(|found| at + found) {
        let end = text[start..]
            .find(|c| !is_name_char(c))
            .map_or(text.len(), |length| start + length);
        at = end;
        let name = &text[start..end];
        let is_named = looks::secret_name(name);
        let within = if is_named {
            text
        } else {
            &text[..text.floor_char_boundary(end + UNNAMED_LENGTH)]
        };
        let Some(value) = value_after(within, start..end, is_named) else {
            continue;
        };
        if value.is_empty() || (value.end == within.len() && value.end < text.len()) {
            continue;
        }
        let literal = &text[value.clone()];
        let is_secret = (is_named && !looks::is_switch(literal))
            || (looks::random(literal) && !looks::hash_name(name));
        if is_secret {
            at = value.end;
            spans.push(Span::new(value, name));
        }
    }
    spans
}

/// The bytes of the value that is assigned to a name in a text, if one is.
fn value_after(text: &str, name: Range<usize>, is_named: bool) -> Option<Range<usize>> {
    let is_flag = text[name.clone()].starts_with("--");
    // `"name": "value"`, also with the quotes escaped once more.
    let key_quote = quote_at(text, name.end);
    let mut at = name.end + key_quote.len();
    let blanks = leading_blanks(&text[at..]);
    let separator = match text[at + blanks..].chars().next()? {
        next @ ('=' | ':') if blanks == 0 || !key_quote.is_empty() => {
            at += blanks + 1;
            next
        }
        next if is_flag && blanks > 0 && next != '-' => ' ',
        _ => return None,
    };
    let blanks = leading_blanks(&text[at..]);
    let quote = quote_at(text, at + blanks);
    let start = scheme_end(text, at + blanks + quote.len());
    let until = |is_end: &dyn Fn(char) -> bool| {
        let end = text[start..].find(is_end);
        Some(start..end.map_or(text.len(), |length| start + length))
    };
    let is_quote = |c: char| matches!(c, '"' | '\'' | '`');
    match separator {
        _ if !quote.is_empty() => Some(start..closing(text, start, quote)),
        // A header. `name:value` without a blank is an image, a port or a scheme.
        ':' if blanks > 0 && is_named => until(&|c| is_quote(c) || c == '\n'),
        ':' => None,
        // `--flag=all of it`, and `NAME=all of it` where nothing else can follow.
        '=' if name.start == 0 && (is_flag || !text.contains(char::is_whitespace)) => {
            Some(start..text.len())
        }
        '=' if blanks > 0 => None,
        // What looks random holds no `=` but at its end; without this, a text of many takes long.
        '=' => until(&|c| {
            is_quote(c)
                || c.is_whitespace()
                || matches!(c, '&' | ';' | '#')
                || (c == '=' && !is_named)
        }),
        _ => until(&|c| is_quote(c) || c.is_whitespace()),
    }
}

/// The quote that stands at a place, with the backslashes before it; empty if there is none.
fn quote_at(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    let backslashes = rest.len() - rest.trim_start_matches('\\').len();
    match rest[backslashes..].chars().next() {
        Some('"' | '\'') => &rest[..=backslashes],
        _ => "",
    }
}

/// Where a quoted value ends: at the same quote, unless a backslash more stands before it.
fn closing(text: &str, start: usize, quote: &str) -> usize {
    let mut at = start;
    while let Some(found) = text[at..].find(quote).map(|found| at + found) {
        let escaped = text[start..found].ends_with('\\');
        if !escaped {
            return found;
        }
        at = found + quote.len();
    }
    text.len()
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

#[cfg(test)]
mod tests {
    use super::super::spans::tests::marked;
    use super::*;

    #[test]
    fn a_value_is_found_by_the_name_before_it() {
        for (text, expected) in [
            ("--api-key=s3 cr3t", "--api-key=[api-key]"),
            ("API_KEY=s3cr3t", "API_KEY=[API_KEY]"),
            ("x KEY=Bearer s3cr3t y", "x KEY=Bearer [KEY] y"),
            ("API_KEY=s3cr3t node x.js", "API_KEY=[API_KEY] node x.js"),
            (
                "node x.js --token s3cr3t -v",
                "node x.js --token [token] -v",
            ),
            (
                "h/mcp?a=1&access_token=s3cr3t&b=2#c",
                "h/mcp?a=1&access_token=[access_token]&b=2#c",
            ),
            (
                "Server=h;Password=s3;User=u v",
                "Server=h;Password=[Password];User=u v",
            ),
            (
                r#"{"apiKey":"s3 cr3t","n":1}"#,
                r#"{"apiKey":"[apiKey]","n":1}"#,
            ),
            (
                r#"{ "apiKey" : "s3\"cr3t" }"#,
                r#"{ "apiKey" : "[apiKey]" }"#,
            ),
            (r#"{\"apiKey\":\"s3cr3t\"}"#, r#"{\"apiKey\":\"[apiKey]\"}"#),
            (
                "Authorization: Bearer s3cr3t",
                "Authorization: Bearer [Authorization]",
            ),
            (
                "curl -H 'X-Api-Key: s3cr3t' h",
                "curl -H 'X-Api-Key: [X-Api-Key]' h",
            ),
            (
                "--config={\"token\":\"s3\"}",
                "--config={\"token\":\"[token]\"}",
            ),
        ] {
            assert_eq!(marked(text, &assignments(text)), expected);
        }
    }
}
