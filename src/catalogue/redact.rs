//! Takes the configured secrets out of definitions, however they are written there.

use super::build::Builder;
use crate::canonical;
use crate::json::{self, Limits, Value};
use crate::model::{Kind, Warning};

impl Builder<'_> {
    pub(super) fn redact(&mut self, kind: Kind, value: &mut Value) {
        if self.secrets.is_empty() {
            return;
        }
        match value {
            Value::String(text) => {
                if let Some(clean) = self.redacted(kind, text) {
                    *text = clean;
                }
            }
            Value::Array(elements) => elements.iter_mut().for_each(|e| self.redact(kind, e)),
            Value::Object(object) => {
                for (name, member) in object.members_mut() {
                    if let Some(clean) = self.redacted(kind, name) {
                        *name = clean;
                    }
                    self.redact(kind, member);
                }
            }
            Value::Number(digits) => {
                if let Some(clean) = self.redacted(kind, digits) {
                    *value = Value::String(clean);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// The bytes of a definition, each string of it redacted as it reads: an escape hides nothing.
    pub(super) fn redacted_raw(&mut self, kind: Kind, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        let mut at = 0;
        while at < bytes.len() && !self.secrets.is_empty() {
            let end = at + token_length(&bytes[at..]);
            let token = &bytes[at..end];
            let reading = json::read(token, Limits::default()).ok();
            let clean = reading.and_then(|reading| {
                let mut value = reading.value;
                let before = value.clone();
                self.redact(kind, &mut value);
                (value != before).then(|| canonical::to_text(&value))
            });
            match clean {
                Some(clean) => out.extend(clean.into_bytes()),
                None => out.extend(token),
            }
            at = end;
        }
        out.extend(&bytes[at..]);
        out
    }

    fn redacted(&mut self, kind: Kind, text: &str) -> Option<String> {
        let clean = self.secrets.redact_definition(text)?;
        self.warnings.insert(Warning::new(
            "secret-echoed",
            format!(
                "the server repeats a configured secret in a {}; its name stands in its place",
                kind.word()
            ),
        ));
        Some(clean)
    }
}

/// How long the first token of a JSON text is: a string, a number or a word, or anything between.
fn token_length(text: &[u8]) -> usize {
    let is_plain = |b: &u8| b.is_ascii_alphanumeric() || b"+-.".contains(b);
    match text.first() {
        Some(b'"') => {
            let mut at = 1;
            while at < text.len() && text[at] != b'"' {
                at += if text[at] == b'\\' { 2 } else { 1 };
            }
            (at + 1).min(text.len())
        }
        Some(first) if is_plain(first) => text.iter().take_while(|b| is_plain(b)).count(),
        _ => 1,
    }
}
