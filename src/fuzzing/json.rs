//! The strict reader, beside one that nobody here wrote.

use crate::json::{ErrorKind, FlawKind, Limits, Value, read};

/// Reads the bytes as JSON: `serde_json` takes and refuses the same texts, and finds the same values in them.
///
/// # Panics
/// Where the two differ for no reason that is known.
pub fn json(data: &[u8]) {
    let theirs: Result<serde_json::Value, _> =
        serde_json::from_slice(data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data));
    match (read(data, Limits::default()), theirs) {
        (Ok(ours), Ok(theirs)) => {
            // Of two members of one name it keeps the last; its other flaws it refuses.
            assert!(
                ours.flaws
                    .iter()
                    .all(|flaw| !matches!(flaw.kind, FlawKind::LoneSurrogate))
            );
            if ours.flaws.is_empty() {
                same(&ours.value, &theirs);
            }
        }
        (Ok(ours), Err(error)) => {
            let words = error.to_string();
            let known = words.starts_with("recursion limit exceeded")
                || words.starts_with("number out of range")
                || !ours.flaws.is_empty();
            assert!(known, "taken here, and refused there: {error}");
        }
        (Err(error), Ok(_)) => {
            // Nothing in the default bounds that `serde_json` keeps too.
            assert!(
                matches!(error.kind, ErrorKind::StringLength(_)),
                "refused here, and taken there: {error}"
            );
        }
        (Err(_), Err(_)) => {}
    }
}

/// Fails unless both are one value. Its numbers are doubles, and not always the nearest: they are compared as such.
fn same(ours: &Value, theirs: &serde_json::Value) {
    match (ours, theirs) {
        (Value::Null, serde_json::Value::Null) => {}
        (Value::Bool(a), serde_json::Value::Bool(b)) => assert_eq!(a, b),
        (Value::String(a), serde_json::Value::String(b)) => assert_eq!(a, b),
        (Value::Number(a), serde_json::Value::Number(b)) => {
            let (a, b): (f64, f64) = (a.parse().expect("a number"), b.as_f64().expect("a double"));
            assert!((a - b).abs() <= a.abs() * 1e-15, "{a} and {b}");
        }
        (Value::Array(a), serde_json::Value::Array(b)) => {
            assert_eq!(a.len(), b.len());
            a.iter().zip(b).for_each(|(a, b)| same(a, b));
        }
        (Value::Object(a), serde_json::Value::Object(b)) => {
            assert_eq!(a.len(), b.len());
            for (name, member) in a.iter() {
                same(member, b.get(name).expect("a member of that name"));
            }
        }
        (a, b) => panic!("{} here, and {b} there", a.type_name()),
    }
}
