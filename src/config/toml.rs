//! TOML, read into the strict reader's value.
//!
//! The parser refuses a key that stands twice, and bounds the depth, so recursion is bounded too.

use crate::json::{Object, Value, line_of};
use toml::de::{DeTable, DeValue};

/// Reads one document. A UTF-8 byte order mark before it is passed over.
///
/// # Errors
/// A message that begins with the line: bytes that are not UTF-8, a syntax error, a key that stands twice.
pub(super) fn read(source: &[u8]) -> Result<Value, String> {
    let text = super::text_of(source)?;
    let table = DeTable::parse(text).map_err(|error| {
        let line = line_of(text.as_bytes(), error.span().map_or(0, |span| span.start));
        format!("line {line}: {}", error.message())
    })?;
    Ok(Value::Object(members(table.get_ref())))
}

fn members(table: &DeTable<'_>) -> Object {
    table
        .iter()
        .map(|(name, value)| (name.get_ref().to_string(), convert(value.get_ref())))
        .collect()
}

fn convert(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Integer(number) if number.radix() == 10 => super::yaml::number(number.as_str()),
        DeValue::Integer(number) => Value::String(number.to_string()),
        DeValue::Float(number) => super::yaml::number(number.as_str()),
        DeValue::Datetime(time) => Value::String(time.to_string()),
        DeValue::Array(elements) => Value::Array(
            elements
                .iter()
                .map(|element| convert(element.get_ref()))
                .collect(),
        ),
        DeValue::Table(table) => Value::Object(members(table)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_value_is_read() {
        let source = "\u{feff}a = 'x'\nb = 1.5\nc = true\n[d.\"e.f\"]\ng = ['y', 2]\n[[h]]\ni = 0x1F\n[[h]]\n";
        let value = read(source.as_bytes()).expect("TOML");
        let text = crate::canonical::to_text(&crate::canonical::canonical(&value));
        assert_eq!(
            text,
            r#"{"a":"x","b":1.5,"c":true,"d":{"e.f":{"g":["y",2]}},"h":[{"i":"0x1F"},{}]}"#
        );
    }

    #[test]
    fn what_is_no_toml_is_told_with_its_line() {
        for (source, line) in [
            ("a = 1\na = 2\n", "line 2: "),
            ("[a]\nb = 1\n[c]\n[a]\n", "line 4: "),
            ("a = 1\nb =\n", "line 2: "),
            ("a = 1\nb = '\u{1}'", "line 2: "),
        ] {
            let error = read(source.as_bytes()).expect_err(source);
            assert!(error.starts_with(line), "{source}: {error}");
        }
        assert!(read(b"a = 1\n\xff").is_err_and(|error| error.starts_with("line 2: ")));
        let deep = format!("a = {}1{}", "[".repeat(10_000), "]".repeat(10_000));
        assert!(read(deep.as_bytes()).is_err());
    }
}
