//! The words for what moved: of a text the part that differs, of a list the first place that differs. Pure.

use crate::canonical;
use crate::json::Value;
use crate::report::{Change, Side};
use std::collections::BTreeSet;

/// How many characters of a differing text are shown, and how many around it.
const SHOWN: usize = 80;
const AROUND: usize = 20;
/// How many places of one item are told.
const PLACES: usize = 4;

/// The reasons of one item as a sentence: a place and both texts each.
pub(super) fn words(change: &Change) -> String {
    let mut seen = BTreeSet::new();
    let sides = [&change.before, &change.after];
    let places: Vec<String> = change
        .reasons
        .iter()
        .filter(|reason| seen.insert(&reason.path))
        .map(|reason| {
            let path = match reason.path.as_str() {
                "" => "it",
                path => path,
            };
            let at = |side: &Side| reason.path.find(side.definition.value()).map(text);
            match sides.map(|side| side.as_ref().and_then(at)) {
                [Some(before), Some(after)] => {
                    let (before, after) = texts(&before, &after);
                    format!("{path} is {before}, there {after}")
                }
                [Some(before), None] => format!("{path} is {}, there absent", cut(&before)),
                [None, Some(after)] => format!("{path} is absent, there {}", cut(&after)),
                [None, None] => format!("{path}: {}", reason.message),
            }
        })
        .collect();
    let left = places.len().saturating_sub(PLACES);
    let mut out = places[..places.len() - left].join("; ");
    if left > 0 {
        out = format!("{out}; and {left} more places");
    }
    out
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => canonical::to_text(&canonical::canonical(other)),
    }
}

/// The part of each text that the other does not share, with a little around it.
fn texts(before: &str, after: &str) -> (String, String) {
    let before: Vec<char> = before.chars().collect();
    let after: Vec<char> = after.chars().collect();
    let pairs = before.iter().zip(&after);
    let start = pairs.take_while(|(a, b)| a == b).count();
    let shorter = before.len().min(after.len()) - start;
    let pairs = before.iter().rev().zip(after.iter().rev()).take(shorter);
    let end = pairs.take_while(|(a, b)| a == b).count();
    let part = |text: &[char]| {
        let from = start.saturating_sub(AROUND);
        let to = (text.len() - end + AROUND).min(text.len());
        let left = if from > 0 { "…" } else { "" };
        let right = if to < text.len() { "…" } else { "" };
        let part: String = text[from..to].iter().collect();
        format!("{left}{}{right}", cut(&part))
    };
    (part(&before), part(&after))
}

/// Both ends of a text, between backquotes.
fn cut(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= SHOWN {
        return format!("`{text}`");
    }
    let head: String = chars[..SHOWN / 2].iter().collect();
    let tail: String = chars[chars.len() - SHOWN / 2..].iter().collect();
    format!("`{head}`…`{tail}`")
}

/// How the order of two lists differs in what both have; `None` if it does not.
pub(super) fn order(former: &[String], current: &[String]) -> Option<String> {
    let common = |list: &[String], other: &[String]| -> Vec<String> {
        let other: BTreeSet<&String> = other.iter().collect();
        list.iter()
            .filter(|name| other.contains(name))
            .cloned()
            .collect()
    };
    let (former, current) = (common(former, current), common(current, former));
    let (one, other) = former.iter().zip(&current).find(|(a, b)| a != b)?;
    Some(format!("where `{one}` stood, there `{other}` stands"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_that_differs_is_shown_with_a_little_around_it() {
        let long = "a".repeat(200);
        assert_eq!(
            texts(&format!("{long}one{long}"), &format!("{long}two{long}")),
            (
                format!("…`{0}one{0}`…", "a".repeat(20)),
                format!("…`{0}two{0}`…", "a".repeat(20))
            )
        );
        assert_eq!(
            texts("same", "same and more"),
            ("`same`".to_owned(), "`same and more`".to_owned())
        );
        assert_eq!(texts("aa", "a"), ("`aa`".to_owned(), "`a`".to_owned()));
        assert_eq!(texts("", "é"), ("``".to_owned(), "`é`".to_owned()));
    }

    #[test]
    fn the_order_of_what_both_lists_have_counts() {
        let list = |names: &[&str]| -> Vec<String> {
            names.iter().map(|name| (*name).to_owned()).collect()
        };
        let former = list(&["a", "b", "c"]);
        assert_eq!(order(&former, &former), None);
        assert_eq!(order(&former, &list(&["a", "c"])), None);
        assert_eq!(order(&former, &list(&["x", "a", "b", "c"])), None);
        assert_eq!(
            order(&former, &list(&["a", "c", "b"])).as_deref(),
            Some("where `b` stood, there `c` stands")
        );
    }

    proptest::proptest! {
        #[test]
        fn any_two_texts_are_shown_and_told_apart(a in ".{0,150}", b in ".{0,150}") {
            let (before, after) = texts(&a, &b);
            proptest::prop_assert!(before.chars().count() < 200 && after.chars().count() < 200);
        }
    }
}
