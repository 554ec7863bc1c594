//! What a reader cannot see: invisible and bidirectional characters, and letters that look like others (TR39).
//!
//! Flags, emoji families and the joiners of Arabic and Indic scripts are left alone.

use crate::canonical::is_invisible;
use crate::json::Value;
use crate::text::strings;
use std::collections::BTreeMap;
use unicode_normalization::UnicodeNormalization as _;
use unicode_security::MixedScript as _;
use unicode_security::skeleton;

/// The characters of a text that show nothing or move what stands around them, with the bytes where they stand.
///
/// Tab, LF and CR are not among them, nor what belongs to an emoji or a joined letter.
pub fn hidden(text: &str) -> Vec<(usize, char)> {
    if text.is_ascii() && !text.bytes().any(|b| b < b' ' || b == 0x7f) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut flag_until = 0;
    for (at, c) in text.char_indices() {
        if c == '\u{1f3f4}' {
            flag_until = at + c.len_utf8() + flag_tags(&text[at + c.len_utf8()..]);
        }
        if at >= flag_until && is_invisible(c) && !belongs(text, at, c) {
            found.push((at, c));
        }
    }
    found
}

/// How many bytes of tags follow that make a black flag the flag of a region (UTS 51, "Emoji tag sequences").
fn flag_tags(rest: &str) -> usize {
    let mut length = 0;
    for (count, c) in rest.chars().enumerate() {
        length += c.len_utf8();
        match c {
            '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}' if count < 6 => {}
            '\u{e007f}' if count >= 3 => return length,
            _ => return 0,
        }
    }
    0
}

/// Whether an invisible character has its ordinary work to do where it stands.
fn belongs(text: &str, at: usize, c: char) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at + c.len_utf8()..].chars().next();
    match c {
        '\t' | '\n' | '\r' => true,
        '\u{fe0e}' | '\u{fe0f}' => {
            before.is_some_and(|b| is_emoji(b) || matches!(b, '0'..='9' | '#' | '*'))
        }
        '\u{200d}' => {
            let emoji = before.is_some_and(|b| is_emoji(b) || b == '\u{fe0f}')
                && after.is_some_and(is_emoji);
            emoji || before.is_some_and(is_joining)
        }
        '\u{200c}' => before.is_some_and(is_joining) && after.is_some_and(is_joining),
        _ => false,
    }
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
        | '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{2460}'..='\u{24ff}'
        | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}' | '\u{2b00}'..='\u{2bff}'
        | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

/// Letters of scripts that write with joiners: Arabic, Syriac, the Indic ones, Mongolian, Myanmar, Khmer.
fn is_joining(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17ff}' | '\u{1800}'..='\u{18af}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
        && !is_invisible(c)
}

/// What tag characters and variation selectors spell, if anything.
pub fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    for (_, c) in hidden(text) {
        let code = u32::from(c);
        let byte = match c {
            '\u{e0020}'..='\u{e007e}' => code - 0xe0000,
            '\u{fe00}'..='\u{fe0f}' => code - 0xfe00,
            '\u{e0100}'..='\u{e01ef}' => code - 0xe0100 + 16,
            _ => continue,
        };
        bytes.extend(u8::try_from(byte));
    }
    String::from_utf8_lossy(&bytes)
        .chars()
        .filter(|c| !c.is_control() && *c != char::REPLACEMENT_CHARACTER)
        .collect()
}

/// Hidden characters that came in between two values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CameIn {
    /// Each character and how many more of it there are.
    pub characters: BTreeMap<char, usize>,
    /// What they spell; may be empty.
    pub spells: String,
}

/// The hidden characters that `after` has more of than `before`.
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
    if characters.is_empty() {
        return None;
    }
    let spells = after
        .iter()
        .filter(|text| !before.contains(text))
        .map(|text| decoded(text))
        .collect::<Vec<_>>()
        .concat();
    Some(CameIn { characters, spells })
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
    let visible =
        |text: &str| -> String { text.chars().filter(|c| !is_invisible(*c)).nfc().collect() };
    let (seen_before, seen_after) = (visible(before), visible(after));
    if seen_before == seen_after || skeleton(before).ne(skeleton(after)) {
        return None;
    }
    let mut odd: Vec<char> = Vec::new();
    for (one, other) in [(&seen_after, &seen_before), (&seen_before, &seen_after)] {
        let known: std::collections::BTreeSet<char> = other.chars().collect();
        for c in one.chars() {
            if !c.is_ascii() && !known.contains(&c) && !odd.contains(&c) {
                odd.push(c);
            }
        }
    }
    Some(odd)
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
    fn hidden_characters_are_found_and_ordinary_ones_left_alone() {
        for text in [
            "plain\ttext\r\n",
            "👨\u{200d}👩\u{200d}👧 ❤\u{fe0f} 1\u{fe0f}\u{20e3}",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
        ] {
            assert_eq!(hidden(text), [], "{text:?}");
        }
        for (text, count) in [
            ("a\u{200b}b\u{2060}\u{feff}", 3),
            ("a\u{202e}b", 1),
            ("a\u{1b}[8m", 1),
            ("a\u{200d}b", 1),
            ("a\u{200c}b", 1),
            ("🏴\u{e0068}\u{e0069}", 2),
            ("❤\u{fe0f}\u{fe0f}", 1),
        ] {
            assert_eq!(hidden(text).len(), count, "{text:?}");
        }
    }

    #[test]
    fn tags_and_variation_selectors_are_decoded() {
        assert_eq!(decoded("x\u{e0068}\u{e0069}\u{e0020}\u{e0079}"), "hi y");
        assert_eq!(decoded("x\u{e0158}\u{e0159}"), "hi");
    }

    #[test]
    fn only_what_came_in_counts() {
        let old = Value::from("a\u{200b}");
        let new = Value::from("a\u{200b}b");
        assert_eq!(came_in(Some(&old), Some(&new)), None);
        assert!(came_in(None, Some(&new)).is_some());
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
