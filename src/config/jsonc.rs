//! JSON with comments and trailing commas, as editors write it, read into the strict reader's value.
//!
//! Only the syntax tree of `jsonc-parser` is used: its values keep the last of two members of one name, and a
//! configuration that two programs read differently must not pass.

use crate::json::{Object, Value};
use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions};
use std::collections::BTreeMap;

/// Comments and trailing commas, and nothing else beyond RFC 8259.
const SYNTAX: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Reads one document. A UTF-8 byte order mark before it is passed over.
///
/// # Errors
/// A message that begins with the line: bytes that are not UTF-8, a syntax error with its column, or a member
/// that stands twice in one object.
pub(super) fn read(source: &[u8]) -> Result<Value, String> {
    let text = super::text_of(source)?;
    let tree =
        jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &SYNTAX).map_err(|error| {
            let (line, column) = (error.line_display(), error.column_display());
            let message = lower_first(&error.kind().to_string());
            format!("line {line}, column {column}: {message}")
        })?;
    let root = tree.value.ok_or("line 1: the file holds no value")?;
    convert(text, root)
}

fn lower_first(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(chars).collect()
    })
}

/// The parser bounds the depth at 512 levels, so recursion is bounded too.
fn convert(text: &str, value: ast::Value<'_>) -> Result<Value, String> {
    Ok(match value {
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::BooleanLit(literal) => Value::Bool(literal.value),
        ast::Value::NumberLit(literal) => Value::Number(literal.value.into()),
        ast::Value::StringLit(literal) => Value::String(literal.value.into_owned()),
        ast::Value::Array(array) => Value::Array(
            array
                .elements
                .into_iter()
                .map(|element| convert(text, element))
                .collect::<Result<_, _>>()?,
        ),
        ast::Value::Object(object) => Value::Object(members(text, object)?),
    })
}

fn members(text: &str, object: ast::Object<'_>) -> Result<Object, String> {
    let mut seen = BTreeMap::new();
    let mut out = Vec::with_capacity(object.properties.len());
    for property in object.properties {
        let line = crate::json::line_of(text.as_bytes(), property.start());
        let name = property.name.into_string();
        if let Some(first) = seen.insert(name.clone(), line) {
            return Err(format!(
                "line {line}: the member `{name}` stands twice in one object (first on line {first})"
            ));
        }
        out.push((name, convert(text, property.value)?));
    }
    Ok(out.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_trailing_commas_and_a_byte_order_mark_are_read() {
        let source = b"\xef\xbb\xbf{ // one\n \"a\": [\"http://h//x\", 1.50,], /* two */ \"b\": { \"c\": null, }, }";
        let value = read(source).expect("it is JSONC");
        let a = value.get("a").and_then(Value::as_array).expect("an array");
        assert_eq!(a[0].as_str(), Some("http://h//x"));
        assert_eq!(a[1], Value::Number("1.50".into()));
        assert_eq!(value.get("b").and_then(|b| b.get("c")), Some(&Value::Null));
    }

    #[test]
    fn a_syntax_error_names_line_and_column() {
        let message = read(b"{\n  \"a\": 1,\n  \"b\" 2\n}").expect_err("a colon is missing");
        assert!(message.starts_with("line 3, column "), "{message}");
        for source in [
            &b"{ a: 1 }"[..],
            b"{ 'a': 1 }",
            b"[1 2]",
            b"[0x1]",
            b"",
            b"// only a comment",
            b"{} {}",
            b"{ \"a\": \"\\uD800\" }",
            b"\xff",
        ] {
            let message = read(source).expect_err("not JSONC");
            assert!(message.starts_with("line 1"), "{message}");
        }
    }

    #[test]
    fn a_member_that_stands_twice_is_refused_at_any_depth() {
        let message = read(b"{\n\"a\": [{\n\"b\": 1,\n\"\\u0062\": 2}]}").expect_err("twice");
        assert_eq!(
            message,
            "line 4: the member `b` stands twice in one object (first on line 3)"
        );
    }

    #[test]
    fn deep_nesting_is_an_error_and_no_crash() {
        let message = read("[".repeat(100_000).as_bytes()).expect_err("too deep");
        assert!(message.contains("nesting depth"), "{message}");
    }
}
