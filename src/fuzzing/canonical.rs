//! The canonical text, beside an implementation of RFC 8785 that nobody here wrote.

use crate::canonical as ours;
use crate::json::{Limits, Value, read};

/// Reads the bytes as JSON and writes them canonically: that text reads back to the same canonical value, so does
/// the pretty one, and where every number is a double an independent writer agrees.
///
/// # Panics
/// Where one of these does not hold.
pub fn canonical(data: &[u8]) {
    // The independent writer walks recursively.
    let limits = Limits {
        depth: 200,
        ..Limits::default()
    };
    let Ok(document) = read(data, limits) else {
        return;
    };
    if !document.flaws.is_empty() {
        return;
    }
    let value = ours::canonical(&document.value);
    let text = ours::to_text(&value);
    for written in [&text, &ours::to_pretty(&value)] {
        let again = read(written.as_bytes(), limits).expect("canonical text is JSON");
        assert!(again.flaws.is_empty(), "{written}");
        assert_eq!(ours::canonical(&again.value), value, "{written}");
        assert_eq!(ours::to_text(&again.value), text);
    }
    if let Some(theirs) = doubles(&document.value) {
        let theirs = serde_json_canonicalizer::to_string(&theirs).expect("a text");
        assert_eq!(text, theirs);
    }
}

/// The same with doubles for numbers; `None` where one of them says more than a double can.
fn doubles(value: &Value) -> Option<serde_json::Value> {
    Some(match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::String(text) => text.as_str().into(),
        Value::Number(text) => {
            let double: f64 = text.parse().ok()?;
            let mut buffer = ryu_js::Buffer::new();
            if !double.is_finite() || ours::number(text) != buffer.format_finite(double) {
                return None;
            }
            serde_json::Number::from_f64(double)?.into()
        }
        Value::Array(elements) => elements
            .iter()
            .map(doubles)
            .collect::<Option<Vec<_>>>()?
            .into(),
        Value::Object(object) => {
            let members = object.iter();
            let members = members.map(|(name, member)| Some((name.to_owned(), doubles(member)?)));
            serde_json::Value::Object(members.collect::<Option<_>>()?)
        }
    })
}
