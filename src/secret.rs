//! Values that no file, report or log may hold, and the one place where they are taken out of a text.

use std::fmt;

/// The secrets of one server: the name under which each was configured, and its value.
///
/// Its `Debug` shows names only.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secrets {
    /// Longest value first, so that one that holds another is replaced whole.
    entries: Vec<(String, String)>,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.entries.iter().map(|(name, _)| name))
            .finish()
    }
}

impl Secrets {
    /// Shorter values are too common to be replaced inside a server's definitions.
    pub const DEFINITION_LENGTH: usize = 12;
    /// Shorter values are too common to be replaced inside messages.
    const MESSAGE_LENGTH: usize = 4;

    /// Adds a value under the name of the variable, header or argument that holds it. Empty ones are passed over.
    pub fn add(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let entry = (name.into(), value.into());
        if entry.1.is_empty() || self.entries.contains(&entry) {
            return;
        }
        self.entries.push(entry);
        self.entries
            .sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
    }

    /// Adds all of another set.
    pub fn extend(&mut self, other: &Self) {
        for (name, value) in &other.entries {
            self.add(name.clone(), value.clone());
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// A message, an stderr tail or a transcript without any of the values: each is `${NAME}`, also where it stands
    /// as JSON or a URL escapes it.
    pub fn redact(&self, text: &str) -> String {
        self.replace(text, Self::MESSAGE_LENGTH)
            .unwrap_or_else(|| text.to_owned())
    }

    /// The beginning of a message, at most that many characters, once the values are out of it: cut before, half of
    /// one could stay.
    pub fn excerpt(&self, text: &str, characters: usize) -> String {
        let clean = self.redact(text);
        match clean.char_indices().nth(characters) {
            Some((at, _)) => format!("{}…", &clean[..at]),
            None => clean,
        }
    }

    /// A text of a definition without the values of at least [`Secrets::DEFINITION_LENGTH`] bytes; `None` if it holds none.
    pub fn redact_definition(&self, text: &str) -> Option<String> {
        self.replace(text, Self::DEFINITION_LENGTH)
    }

    fn replace(&self, text: &str, length: usize) -> Option<String> {
        let mut out: Option<String> = None;
        for (name, value) in self
            .entries
            .iter()
            .filter(|(_, value)| value.len() >= length)
        {
            let current = out.as_deref().unwrap_or(text);
            if let Some(clean) = replaced(current, value, &format!("${{{name}}}")) {
                out = Some(clean);
            }
        }
        out
    }
}

/// A text with every occurrence of a value replaced, as it is or as JSON and URLs may write it; `None` if there is
/// none.
fn replaced(text: &str, value: &str, name: &str) -> Option<String> {
    let may_be_escaped = text.contains(['\\', '%']);
    if !may_be_escaped {
        return text.contains(value).then(|| text.replace(value, name));
    }
    let mut out = String::new();
    let (mut at, mut kept) = (0, 0);
    while at < text.len() {
        match length_of(value, &text[at..]) {
            Some(length) => {
                out.push_str(&text[kept..at]);
                out.push_str(name);
                at += length;
                kept = at;
            }
            None => at += text[at..].chars().next().map_or(1, char::len_utf8),
        }
    }
    out.push_str(&text[kept..]);
    (kept > 0).then_some(out)
}

/// How many bytes at the start of a text are the value, each character of it as it is, behind backslashes, as
/// `\u0041`, or as `%41`.
fn length_of(value: &str, text: &str) -> Option<usize> {
    // A backslash may be one of the value or one before its next character: all readings are followed.
    let mut ends: Vec<usize> = vec![0];
    for c in value.chars() {
        let mut next: Vec<usize> = ends
            .iter()
            .flat_map(|end| {
                units(c, &text[*end..])
                    .into_iter()
                    .map(move |length| end + length)
            })
            .collect();
        next.sort_unstable();
        next.dedup();
        if next.is_empty() {
            return None;
        }
        ends = next;
    }
    ends.pop()
}

/// The lengths in which a character may stand at the start of a text.
fn units(c: char, text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    if text.starts_with(c) {
        found.push(c.len_utf8());
    }
    let backslashes = text.len() - text.trim_start_matches('\\').len();
    let short = match c {
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        other => other,
    };
    if c == '\\' {
        // A text inside a text doubles them again.
        found.extend([2, 4, 8].into_iter().filter(|count| *count <= backslashes));
    } else if backslashes > 0 && text[backslashes..].starts_with(short) {
        found.push(backslashes + short.len_utf8());
    }
    let code = c.encode_utf16(&mut [0; 2]).iter().try_fold(0, |at, unit| {
        let rest = text[at..].trim_start_matches('\\');
        let start = text.len() - rest.len();
        let digits = rest.strip_prefix('u').and_then(|rest| rest.get(..4))?;
        let is_unit = start > at && u16::from_str_radix(digits, 16) == Ok(*unit);
        is_unit.then_some(start + 5)
    });
    found.extend(code);
    let percent = c.encode_utf8(&mut [0; 4]).bytes().try_fold(0, |at, byte| {
        let digits = text[at..]
            .strip_prefix('%')
            .and_then(|rest| rest.get(..2))?;
        (u8::from_str_radix(digits, 16) == Ok(byte)).then_some(at + 3)
    });
    found.extend(percent);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escape_hides_no_value() {
        let mut secrets = Secrets::default();
        secrets.add("TOKEN", "pa\"ss\\w/\u{e9}\u{1f600}\n");
        for written in [
            "pa\"ss\\w/\u{e9}\u{1f600}\n",
            r#"pa\"ss\\w/é😀\n"#,
            r#"pa\"ss\\w\/\u00e9\uD83D\ude00\n"#,
            r#"\u0070a\\\"ss\\\\w/é😀\\n"#,
            "pa%22ss%5Cw%2f%C3%A9%F0%9F%98%80%0A",
        ] {
            let text = format!("x\\y {written}% {written}");
            assert_eq!(
                secrets.redact(&text),
                "x\\y ${TOKEN}% ${TOKEN}",
                "{written}"
            );
            let other = text.replace('a', "b");
            assert_eq!(secrets.redact(&other), other);
        }
    }

    #[test]
    fn every_value_is_replaced_by_its_name_the_longest_first() {
        let mut secrets = Secrets::default();
        secrets.add("SHORT", "abcdef");
        secrets.add("LONG", "abcdef-012345");
        assert_eq!(
            secrets.redact("x abcdef-012345 abcdef"),
            "x ${LONG} ${SHORT}"
        );
        assert_eq!(secrets.redact_definition("abcdef"), None);
        assert_eq!(
            secrets.redact_definition("abcdef-012345").as_deref(),
            Some("${LONG}")
        );
        assert_eq!(format!("{secrets:?}"), r#"{"LONG", "SHORT"}"#);
    }

    #[test]
    fn a_value_is_found_where_json_escapes_it() {
        let mut secrets = Secrets::default();
        secrets.add("KEY", "a\"b\\c\té😀");
        let plain = r#"{"x":"a\"b\\c\té😀"}"#;
        let ascii = r#"{"x":"a\"b\\c\t\u00e9\ud83d\ude00"}"#;
        for text in [plain, ascii] {
            assert_eq!(secrets.redact(text), r#"{"x":"${KEY}"}"#);
        }
    }
}
