//! Reads a source text as far as the import law needs: which paths it names.

/// Every path in a source text, those of grouped imports one by one; code under `#[cfg(test)]` is left out.
pub(crate) fn paths(text: &str) -> Vec<Vec<&str>> {
    let tokens = without_tests(&tokens(text));
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if is_name(tokens[at]) {
            at = path(&tokens, at, &[], &mut found);
        } else {
            at += 1;
        }
    }
    found
}

/// The modules that a source text declares for tests only, each in a file of its own.
pub(crate) fn test_modules(text: &str) -> Vec<&str> {
    let tokens = tokens(text);
    let declared = |at: usize| {
        let rest = &tokens[at..];
        match rest.strip_prefix(&TEST).or(rest.strip_prefix(&FUZZING))? {
            ["mod", name, ";", ..] | ["pub", "mod", name, ";", ..] => Some(*name),
            _ => None,
        }
    };
    (0..tokens.len()).filter_map(declared).collect()
}

/// What stands before code for tests only.
const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];

/// What stands before code for tests and fuzzing only.
const FUZZING: [&str; 12] = [
    "#", "[", "cfg", "(", "any", "(", "test", ",", "fuzzing", ")", ")", "]",
];

/// Identifiers and punctuation, without comments, strings, characters and lifetimes. `::` is one token.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if c.is_whitespace() {
            c.len_utf8()
        } else if let Some(length) = skipped(rest) {
            length
        } else {
            let length = if c.is_alphabetic() || c == '_' {
                word(rest)
            } else if rest.starts_with("::") {
                2
            } else {
                c.len_utf8()
            };
            found.push(&rest[..length]);
            length
        };
        rest = &rest[length..];
    }
    found
}

fn word(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len())
}

/// The length of the comment, string, character, lifetime or number that a text begins with.
fn skipped(text: &str) -> Option<usize> {
    let end = |found: Option<usize>| found.unwrap_or(text.len());
    if text.starts_with("//") {
        return Some(end(text.find('\n')));
    }
    if text.starts_with("/*") {
        return Some(end(text.find("*/").map(|at| at + 2)));
    }
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(word(text));
    }
    // `r#"…"#`, `b"…"`, `br"…"`, `c"…"`: a prefix, hashes and a quote; `r#name` has no quote.
    let prefix = text.len() - text.trim_start_matches(['b', 'c', 'r']).len();
    let after = text[prefix..].trim_start_matches('#');
    let hashes = text.len() - prefix - after.len();
    if after.starts_with('"') && prefix <= 2 && (hashes == 0 || text[..prefix].contains('r')) {
        let start = prefix + hashes + 1;
        if text[..prefix].contains('r') {
            let close = format!("\"{}", "#".repeat(hashes));
            return Some(end(text[start..]
                .find(&close)
                .map(|at| start + at + close.len())));
        }
        return Some(quoted(text, start, '"'));
    }
    let body = text
        .strip_prefix('\'')
        .or_else(|| text.strip_prefix("b'"))?;
    let start = text.len() - body.len();
    let mut characters = body.chars();
    let (first, second) = (characters.next()?, characters.next()?);
    if first == '\\' || second == '\'' {
        Some(quoted(text, start, '\''))
    } else {
        Some(start + word(body))
    }
}

/// The end of what began before `start` and ends at an unescaped `close`.
fn quoted(text: &str, start: usize, close: char) -> usize {
    let mut escaped = false;
    for (at, c) in text[start..].char_indices() {
        if !escaped && c == close {
            return start + at + 1;
        }
        escaped = !escaped && c == '\\';
    }
    text.len()
}

/// Leaves out every item under `#[cfg(test)]`.
fn without_tests<'a>(tokens: &[&'a str]) -> Vec<&'a str> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !tokens[at..].starts_with(&TEST) {
            kept.push(tokens[at]);
            at += 1;
            continue;
        }
        // The item ends with its first `;` outside brackets, or with its block.
        let mut depth = 0usize;
        while at < tokens.len() {
            match tokens[at] {
                "{" | "[" | "(" => depth += 1,
                "}" | "]" | ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
            let last = depth == 0 && matches!(tokens[at], ";" | "}");
            at += 1;
            if last {
                break;
            }
        }
    }
    kept
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Collects the paths that begin with `before` and go on at `at`; returns where they end.
fn path<'a>(
    tokens: &[&'a str],
    mut at: usize,
    before: &[&'a str],
    found: &mut Vec<Vec<&'a str>>,
) -> usize {
    let mut parts = before.to_vec();
    while let Some(token) = tokens.get(at) {
        if *token == "{" {
            at += 1;
            while let Some(token) = tokens.get(at) {
                match *token {
                    "}" => return at + 1,
                    "," => at += 1,
                    "as" => at += 2,
                    _ => at = path(tokens, at, &parts, found).max(at + 1),
                }
            }
            return at;
        }
        if !is_name(token) && *token != "*" {
            break;
        }
        // `a::{self}` is `a`.
        if *token != "self" || parts.is_empty() {
            parts.push(token);
        }
        at += 1;
        if tokens.get(at) != Some(&"::") {
            break;
        }
        at += 1;
    }
    found.push(parts);
    at
}
