//! Files of variables, a line each: `NAME=value`, as editors read them for `envFile`.
//!
//! Nothing in a value is expanded, and no line of the file gets into a message: it may hold a secret.

use std::collections::BTreeMap;

const QUOTES: [char; 3] = ['"', '\'', '`'];

/// The variables. Of two of one name the later one counts, as for the programs that read such files.
///
/// # Errors
/// A message that names the line: no name before a `=`, or a quote that is not closed.
pub(super) fn read(text: &str) -> Result<BTreeMap<String, String>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut out = BTreeMap::new();
    let mut rest = text;
    let mut line = 0;
    while !rest.is_empty() {
        line += 1;
        let (first, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let statement = first.trim();
        if statement.is_empty() || statement.starts_with('#') {
            rest = after;
            continue;
        }
        let statement = statement
            .strip_prefix("export ")
            .unwrap_or(statement)
            .trim_start();
        let name = statement
            .split_once('=')
            .map(|(name, _)| name.trim_end())
            .filter(|name| {
                !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c == '\0')
            })
            .ok_or_else(|| format!("line {line} is not `NAME=value`"))?;
        let start = rest.find('=').map_or(rest.len(), |at| at + 1);
        let value = rest[start..].trim_start_matches([' ', '\t']);
        let (value, after) =
            if let Some(quote) = value.chars().next().filter(|c| QUOTES.contains(c)) {
                let (value, after) = quoted(&value[1..], quote)
                    .ok_or_else(|| format!("line {line}: a quote is not closed"))?;
                // A value may go over several lines; what follows the quote is a comment.
                line += rest[..rest.len() - after.len()].matches('\n').count();
                let end = after.find('\n').map_or(after.len(), |at| at + 1);
                (value, &after[end..])
            } else {
                let value = value.split('\n').next().unwrap_or_default();
                let comment = if value.starts_with('#') {
                    Some(0)
                } else {
                    value.find(" #")
                };
                let value = &value[..comment.unwrap_or(value.len())];
                (value.trim().to_owned(), after)
            };
        out.insert(name.to_owned(), value);
        rest = after;
    }
    Ok(out)
}

/// A value up to its closing quote, and what follows. Between double quotes `\n` and the like are read.
fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let mut out = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if c == quote {
            return Some((out, &text[at + 1..]));
        }
        if c != '\\' || quote != '"' {
            out.push(c);
            continue;
        }
        match chars.next()?.1 {
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            other @ ('"' | '\\' | '$') => out.push(other),
            other => out.extend(['\\', other]),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_editors_do() {
        let text = "\u{feff}# a comment\r\n\r\nA=1\r\n export B = two words # why\nC='$A # \\n'\nD=\"a\\nb \\\"c\\\"\" # why\nE=\nF=\"over\ntwo lines\"\nG=a#b=c\nA=2\n";
        let expected = [
            ("A", "2"),
            ("B", "two words"),
            ("C", "$A # \\n"),
            ("D", "a\nb \"c\""),
            ("E", ""),
            ("F", "over\ntwo lines"),
            ("G", "a#b=c"),
        ];
        let found = read(text).expect("variables");
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_line_that_sets_nothing_is_told_by_its_number_alone() {
        for (text, expected) in [
            ("A=1\ns3cr3t-value-line\n", "line 2 is not `NAME=value`"),
            ("\n=s3cr3t\n", "line 2 is not `NAME=value`"),
            ("A=\"x\ny\"\nB='s3cr3t\n", "line 3: a quote is not closed"),
            ("A B=1", "line 1 is not `NAME=value`"),
        ] {
            assert_eq!(read(text).expect_err(text), expected);
        }
    }
}
