//! The invisible characters that have honest work where they stand: emoji sequences, and joiners between or behind
//! Persian or Indic letters. Everything else of their kind is hidden.

use super::hidden::is_invisible;
use unicode_normalization::char::canonical_combining_class;
use unicode_segmentation::UnicodeSegmentation as _;

const NON_JOINER: char = '\u{200c}';
const JOINER: char = '\u{200d}';
/// Asks for the text form, and for the emoji form, of the character before it.
const SELECTORS: [char; 2] = ['\u{fe0e}', '\u{fe0f}'];
const KEYCAP: char = '\u{20e3}';
/// The three flags that are written with tag characters: England, Scotland, Wales.
const TAGGED_FLAGS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];

/// How many bytes at the start of `text` belong together and are shown as they are; 0 if nothing there is special.
/// `before` is the character in front of it.
pub(super) fn run(text: &str, before: Option<char>) -> usize {
    let mut chars = text.chars();
    let (Some(first), second) = (chars.next(), chars.next()) else {
        return 0;
    };
    match first {
        NON_JOINER | JOINER => {
            let class = before.and_then(joining);
            let joins = class.is_some() && class == second.and_then(joining);
            // Behind a virama they decide its form, also at the end of a word (RFC 5892, appendix A).
            if joins || before.is_some_and(is_virama) {
                first.len_utf8()
            } else {
                0
            }
        }
        '0'..='9' | '#' | '*' => {
            if second == Some(SELECTORS[1]) && chars.next() == Some(KEYCAP) {
                1 + SELECTORS[1].len_utf8() + KEYCAP.len_utf8()
            } else {
                0
            }
        }
        _ => emoji(text),
    }
}

/// The length of an emoji with its selectors, skin tones and further emoji joined to it.
fn emoji(text: &str) -> usize {
    let mut length = 0;
    loop {
        let rest = &text[length..];
        let mut chars = rest.chars();
        let Some(base) = chars.next() else {
            return length;
        };
        let mut end = length + base.len_utf8();
        match chars.next() {
            Some(c) if SELECTORS.contains(&c) || ('\u{1f3fb}'..='\u{1f3ff}').contains(&c) => {
                if !is_pictographic(base) {
                    return length;
                }
                end += c.len_utf8();
            }
            Some(c) if base == '\u{1f3f4}' && is_tag(c) => return length + flag(rest),
            Some(JOINER) if is_pictographic(base) => {}
            // A lone emoji needs no care; the last of a joined row belongs to it.
            _ => return if length == 0 { 0 } else { end },
        }
        let mut after = text[end..].chars();
        match (after.next(), after.next()) {
            (Some(JOINER), Some(next)) if is_pictographic(next) => {
                length = end + JOINER.len_utf8();
            }
            _ => return end,
        }
    }
}

/// The length of a black flag with tags, if it is one of the three that exist; else that of the flag alone.
fn flag(text: &str) -> usize {
    let base = '\u{1f3f4}'.len_utf8();
    let known = TAGGED_FLAGS
        .iter()
        .map(|name| name.chars().filter_map(tag_of).chain(['\u{e007f}']))
        .find_map(|tags| {
            let tags: String = tags.collect();
            text[base..].starts_with(&tags).then_some(tags.len())
        });
    base + known.unwrap_or(0)
}

fn tag_of(ascii: char) -> Option<char> {
    char::from_u32(0xe0000 + u32::from(ascii))
}

fn is_tag(c: char) -> bool {
    ('\u{e0000}'..='\u{e007f}').contains(&c)
}

/// Whether a joiner between this and another emoji joins them: property `Extended_Pictographic`, as the rule GB11
/// of UAX 29 shows it.
fn is_pictographic(c: char) -> bool {
    if c.is_ascii() {
        return false;
    }
    let joined: String = [c, JOINER, '\u{1f600}'].into_iter().collect();
    joined.graphemes(true).count() == 1
}

fn is_virama(c: char) -> bool {
    /// Of the property `Canonical_Combining_Class`.
    const VIRAMA: u8 = 9;
    canonical_combining_class(c) == VIRAMA
}

/// A class of letters whose shape a joiner decides; joiners stand between two of one class.
fn joining(c: char) -> Option<u32> {
    if c.is_numeric() || is_invisible(c) {
        return None;
    }
    match u32::from(c) {
        // Arabic and its supplements, which Persian is written in.
        0x600..=0x6ff | 0x750..=0x77f | 0x870..=0x8ff | 0xfb50..=0xfdff | 0xfe70..=0xfeff => {
            Some(0)
        }
        // Devanagari to Sinhala: a block a script, 128 characters each.
        code @ 0x900..=0xdff => Some(code >> 7),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emoji_sequences_are_one_run() {
        for text in [
            "👩\u{200d}👩\u{200d}👧\u{200d}👦",
            "🏳\u{fe0f}\u{200d}🌈",
            "👍🏽",
            "👩🏽\u{200d}🚀",
            "🧜\u{200d}♀\u{fe0f}",
            "❤\u{fe0f}",
            "1\u{fe0f}\u{20e3}",
            "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
        ] {
            assert_eq!(run(text, None), text.len(), "{text:?}");
        }
    }

    #[test]
    fn what_only_looks_like_one_is_not() {
        for (text, length) in [
            ("a\u{200d}b", 0),
            ("a\u{fe0f}", 0),
            ("1\u{fe0f}", 0),
            ("👩\u{200d}a", 4),
            ("👩\u{200d}", 4),
            ("❤\u{fe0f}\u{fe0f}", 6),
            // Tags that spell anything but one of the three flags.
            ("🏴\u{e0073}\u{e0065}\u{e006e}\u{e0064}\u{e007f}", 4),
            ("\u{200d}👩", 0),
        ] {
            assert_eq!(run(text, None), length, "{text:?}");
        }
    }

    #[test]
    fn a_joiner_passes_only_between_letters_of_one_script_and_behind_a_virama() {
        let joiner = NON_JOINER.len_utf8();
        assert_eq!(run("\u{200c}خ", Some('ی')), joiner);
        assert_eq!(run("\u{200d}ष", Some('\u{94d}')), joiner);
        assert_eq!(run("\u{200c}a", Some('ی')), 0);
        assert_eq!(run("\u{200c}ष", Some('ی')), 0);
        assert_eq!(run("\u{200c}\u{200c}خ", Some('ی')), 0);
        assert_eq!(run("\u{200c}", Some('ی')), 0);
        // Malayalam writes a bare consonant at the end of a word so.
        assert_eq!(run("\u{200d} ", Some('\u{d4d}')), joiner);
        assert_eq!(run("\u{200d}\u{200d}", Some('\u{200d}')), 0);
    }
}
