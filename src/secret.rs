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
    /// as JSON escapes it.
    pub fn redact(&self, text: &str) -> String {
        let mut out = self
            .replace(text, Self::MESSAGE_LENGTH)
            .unwrap_or_else(|| text.to_owned());
        for (name, value) in &self.entries {
            if value.len() < Self::MESSAGE_LENGTH || value.bytes().all(is_plain) {
                continue;
            }
            for ascii in [false, true] {
                let escaped = escaped(value, ascii);
                if out.contains(&escaped) {
                    out = out.replace(&escaped, &format!("${{{name}}}"));
                }
            }
        }
        out
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
            if current.contains(value.as_str()) {
                out = Some(current.replace(value.as_str(), &format!("${{{name}}}")));
            }
        }
        out
    }
}

/// Whether JSON writes a byte in one way only.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')
}

/// A text as it stands inside a JSON string; `ascii` as those write it who escape all else.
fn escaped(text: &str, ascii: bool) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' || (ascii && !c.is_ascii()) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // Writing to a string does not fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

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
