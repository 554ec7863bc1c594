//! The escape function, through which outside text reaches a reader.

use crate::render::escape as ours;
use crate::text::hidden::hidden;

/// Escapes the bytes, as text, in every way there is: nothing that comes out is hidden, moves the cursor or starts a
/// line, and a quoted text reads back.
///
/// # Panics
/// Where something does.
pub fn escape(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut shown = vec![
        ours::line(&text),
        ours::quoted(&text),
        ours::short(&text),
        ours::name(&text),
    ];
    shown.extend(ours::block(&text));
    for line in &shown {
        assert!(hidden(line).is_empty(), "{line:?}");
        assert!(!line.contains(['\t', '\n', '\r', '\u{1b}']), "{line:?}");
    }
    // Different texts never look the same.
    let half = text.len() / 2;
    let half = (0..=half).rev().find(|at| text.is_char_boundary(*at));
    let (one, two) = text.split_at(half.unwrap_or(0));
    assert_eq!(
        ours::line(one) == ours::line(two),
        one == two,
        "{one:?} {two:?}"
    );
    assert_eq!(
        ours::quoted(one) == ours::quoted(two),
        one == two,
        "{one:?} {two:?}"
    );
}
