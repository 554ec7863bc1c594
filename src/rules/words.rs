//! The pieces that sentences are made of. Outside text in them is cut short, never cleaned: that is `render`'s.

use crate::diff::{Fact, Side, Spot};
use crate::json::Value;
use crate::text::{Difference, difference};

/// Longer names and values are cut in a sentence; the report shows them whole beside it.
const LENGTH: usize = 80;

/// So many are named in a sentence, and the rest counted.
const NAMED: usize = 6;

/// What was hidden is told at more length: nothing else shows it.
const HIDDEN: usize = 400;

/// A name or value in backticks.
pub(super) fn quote(text: &str) -> String {
    cut(text, LENGTH)
}

/// A text that cannot be seen where it stands, in backticks.
pub(super) fn quote_hidden(text: &str) -> String {
    cut(text, HIDDEN)
}

fn cut(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        None => format!("`{text}`"),
        Some((at, _)) => format!("`{}…`", &text[..at]),
    }
}

/// Names in backticks, joined.
pub(super) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names = names.into_iter();
    let pieces: Vec<String> = names.by_ref().take(NAMED).map(quote).collect();
    counted(&pieces, names.count())
}

/// Pieces joined by commas; the rest of a long list is counted.
pub(super) fn join(mut pieces: Vec<String>) -> String {
    let more = pieces.len().saturating_sub(NAMED);
    pieces.truncate(NAMED);
    counted(&pieces, more)
}

fn counted(pieces: &[String], more: usize) -> String {
    let named = pieces.join(", ");
    if more > 0 {
        format!("{named} and {more} more")
    } else {
        named
    }
}

/// "input `x`", "the input schema", "output `x`", "the output schema", "the shared schema `x`".
pub(super) fn subject(spot: &Spot<'_>) -> String {
    let side = match spot.side {
        Side::Input => "input",
        Side::Output => "output",
    };
    match spot.input {
        Some(name) if spot.shared => format!("the shared schema {}", quote(name)),
        Some(name) => format!("{side} {}", quote(name)),
        None => format!("the {side} schema"),
    }
}

/// What differs, and the values where they are small: "`a` in `_meta` is `2`, was `1`", "`_meta` added".
pub(super) fn differs(what: &str, fact: &Fact<'_>) -> String {
    let sides = [fact.before, fact.after];
    let is_small = |value: &Value| !matches!(value, Value::Array(_) | Value::Object(_));
    if !sides.into_iter().flatten().all(is_small) {
        return format!("{what} {}", happened(fact));
    }
    let [before, after] = sides.map(|value| value.map_or_else(|| "none".to_owned(), super::shown));
    format!("{what} is {after}, was {before}")
}

/// A member of an item, or a name inside one: "`_meta`", "`a` in `_meta`".
pub(super) fn inside(member: &str, name: &str) -> String {
    if name == member {
        quote(member)
    } else {
        format!("{} in {}", quote(name), quote(member))
    }
}

/// The names on the way to a place, in backticks.
pub(super) fn way(fact: &Fact<'_>) -> String {
    let way = fact.path.as_str().trim_start_matches('/');
    quote(&way.replace("~1", "/").replace("~0", "~"))
}

/// "added", "removed" or "changed", by which sides are there.
pub(super) fn happened(fact: &Fact<'_>) -> &'static str {
    fact.happened().word()
}

/// What makes a change of words quick to read, in parentheses; empty if nothing does.
pub(super) fn note(before: Option<&Value>, after: Option<&Value>) -> &'static str {
    let (Some(Value::String(before)), Some(Value::String(after))) = (before, after) else {
        return "";
    };
    match difference(before, after) {
        Difference::Digits => " (only digits differ)",
        Difference::Form => " (only Unicode form differs)",
        Difference::Removed => " (text only removed)",
        Difference::Added => " (text only added)",
        Difference::Order => " (the same words in another order)",
        Difference::Blanks | Difference::Words => "",
    }
}
