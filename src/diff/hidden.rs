//! What came in that a reader cannot see, and names that a reader takes for others (TR39).

use crate::json::Value;
use crate::text::hidden::{decoded, hidden, is_invisible};
use crate::text::strings;
use std::collections::{BTreeMap, BTreeSet};
use unicode_normalization::UnicodeNormalization as _;
use unicode_security::MixedScript as _;
use unicode_security::skeleton;

/// Hidden characters that came in between two values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CameIn {
    /// Each character and how many more of it there are. May be empty where others spell something else now.
    pub characters: BTreeMap<char, usize>,
    /// What they spell; may be empty.
    pub spells: String,
}

/// The hidden characters that `after` has more of than `before`, and what is newly spelled by any.
pub fn came_in(before: Option<&Value>, after: Option<&Value>) -> Option<CameIn> {
    let after = strings(after?);
    let mut characters = count(&after);
    if characters.is_empty() {
        return None;
    }
    let before = before.map(strings).unwrap_or_default();
    for (c, old) in count(&before) {
        if let Some(now) = characters.get_mut(&c) {
            *now = now.saturating_sub(old);
        }
    }
    characters.retain(|_, more| *more > 0);
    let spelled: BTreeSet<String> = before.into_iter().map(decoded).collect();
    let spells = after
        .into_iter()
        .map(decoded)
        .filter(|text| !spelled.contains(text))
        .collect::<Vec<_>>()
        .concat();
    (!characters.is_empty() || !spells.is_empty()).then_some(CameIn { characters, spells })
}

fn count(texts: &[&str]) -> BTreeMap<char, usize> {
    let mut counts = BTreeMap::new();
    for (_, c) in texts.iter().flat_map(|text| hidden(text)) {
        *counts.entry(c).or_default() += 1;
    }
    counts
}

/// The characters outside ASCII that make one text look like another that it is not; `None` if it does not look
/// so, or only invisible characters or the Unicode form differ.
pub fn look_alike(before: &str, after: &str) -> Option<Vec<char>> {
    if before == after || (before.is_ascii() && after.is_ascii()) {
        return None;
    }
    // Two texts that do not look the same are told apart at their first difference.
    if skeleton(before).ne(skeleton(after)) {
        return None;
    }
    let visible =
        |text: &str| -> String { text.chars().filter(|c| !is_invisible(*c)).nfc().collect() };
    let (seen_before, seen_after) = (visible(before), visible(after));
    if seen_before == seen_after {
        return None;
    }
    let mut odd: Vec<char> = Vec::new();
    for (one, other) in [(&seen_after, &seen_before), (&seen_before, &seen_after)] {
        let known: BTreeSet<char> = other.chars().collect();
        for c in one.chars() {
            if !c.is_ascii() && !known.contains(&c) && !odd.contains(&c) {
                odd.push(c);
            }
        }
    }
    (!odd.is_empty()).then_some(odd)
}

/// What names that look alike share (TR39, "Confusable detection").
pub fn skeleton_of(name: &str) -> String {
    skeleton(name).collect()
}

/// Whether the letters of a name are of scripts that no language writes together. Latin beside Chinese, Japanese
/// or Korean is one such writing.
pub fn mixes_scripts(name: &str) -> bool {
    let letters: String = name.chars().filter(|c| c.is_alphabetic()).collect();
    let foreign: String = letters.chars().filter(|c| !c.is_ascii()).collect();
    let east_asian = foreign.chars().all(|c| {
        matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3005}'..='\u{318f}' | '\u{31a0}'..='\u{31ff}'
            | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}'
            | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
    });
    let together =
        letters.as_str().is_single_script() || (east_asian && foreign.as_str().is_single_script());
    !together
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_came_in_counts() {
        let old = Value::from("a\u{200b}");
        let new = Value::from("a\u{200b}b");
        assert_eq!(came_in(Some(&old), Some(&new)), None);
        assert!(came_in(None, Some(&new)).is_some());
    }

    #[test]
    fn the_same_hidden_characters_in_another_order_spell_something_else() {
        let text = |words: &str, hidden: [char; 2]| {
            Value::from(&*format!("{words}{}", String::from_iter(hidden)))
        };
        let old = text("Find.", ['\u{e006f}', '\u{e006e}']);
        let new = text("Find.", ['\u{e006e}', '\u{e006f}']);
        let came = came_in(Some(&old), Some(&new)).expect("another text");
        assert_eq!((came.characters.len(), &*came.spells), (0, "no"));
        let reworded = text("Find it.", ['\u{e006f}', '\u{e006e}']);
        assert_eq!(came_in(Some(&old), Some(&reworded)), None);
    }

    #[test]
    fn look_alikes_are_of_another_script_only() {
        assert_eq!(look_alike("find_note", "find_n\u{43e}te"), Some(vec!['о']));
        assert_eq!(look_alike("burn", "bum"), None);
        assert_eq!(look_alike("l1", "ll"), None);
        assert_eq!(look_alike("cafe\u{301}", "caf\u{e9}"), None);
        assert_eq!(look_alike("note", "no\u{200b}te"), None);
        assert_eq!(look_alike("note", "nota\u{43e}"), None);
    }

    #[test]
    fn scripts_that_are_written_together_do_not_count_as_mixed() {
        assert!(mixes_scripts("find_n\u{43e}te"));
        for name in [
            "find_note",
            "メモを探す",
            "検索_note",
            "メモ検索note",
            "поиск",
            "노트note",
        ] {
            assert!(!mixes_scripts(name), "{name}");
        }
    }
}
