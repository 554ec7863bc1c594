//! Which characters of a text a reader cannot see where they stand, and what they spell.
//!
//! The one notion of it: what rules call hidden is what `render` shows as an escape. Emoji, and joiners where
//! letters need them, are left alone (`joined`).

use super::joined;

/// Whether a character shows nothing, moves what stands around it, or looks like a space and is none: controls, Unicode
/// format characters (category Cf), fillers, variation selectors, blanks beside space and ideographic space, line and
/// paragraph separators, private use and noncharacters.
///
/// It does not know context: a joiner inside an emoji family is one too, and so are tab, CR and LF. The ideographic
/// space is as wide as its letters and common between them.
pub fn is_invisible(c: char) -> bool {
    // The last two code points of each plane are noncharacters.
    u32::from(c) & 0xfffe == 0xfffe
        || matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{a0}' | '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}'
        | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}' | '\u{115f}' | '\u{1160}'
        | '\u{1680}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2000}'..='\u{200f}'
        | '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
        | '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1345f}' | '\u{16fe4}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d159}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{10ffff}')
}

/// The invisible characters of a text that have no honest work where they stand, with the bytes where they stand.
///
/// Tab, LF and CR are not among them.
pub fn hidden(text: &str) -> Vec<(usize, char)> {
    if text
        .bytes()
        .all(|b| matches!(b, b' '..=b'~' | b'\t' | b'\n' | b'\r'))
    {
        return Vec::new();
    }
    let is_candidate = |c| is_invisible(c) && !matches!(c, '\t' | '\n' | '\r');
    if !text.chars().any(is_candidate) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let (mut at, mut before) = (0, None);
    while let Some(c) = text[at..].chars().next() {
        let run = joined::run(&text[at..], before);
        if run == 0 && is_candidate(c) {
            found.push((at, c));
        }
        let length = run.max(c.len_utf8());
        before = text[at..at + length].chars().next_back();
        at += length;
    }
    found
}

/// What the hidden characters of a text spell; empty if they spell nothing.
///
/// Tag characters mirror ASCII, and variation selectors can stand for the 256 bytes of any UTF-8 text. Models read both.
pub fn decoded(text: &str) -> String {
    let byte = |(_, c): (usize, char)| {
        let code = u32::from(c);
        let byte = match c {
            '\u{e0020}'..='\u{e007e}' => code - 0xe0000,
            '\u{fe00}'..='\u{fe0f}' => code - 0xfe00,
            '\u{e0100}'..='\u{e01ef}' => code - 0xe0100 + 16,
            _ => return None,
        };
        u8::try_from(byte).ok()
    };
    let bytes: Vec<u8> = hidden(text).into_iter().filter_map(byte).collect();
    if bytes.is_empty() {
        return String::new();
    }
    String::from_utf8_lossy(&bytes)
        .chars()
        .filter(|c| !c.is_control() && *c != char::REPLACEMENT_CHARACTER)
        .collect()
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
            "検索\u{3000}する",
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
            ("two\u{a0}words\u{2009}here", 2),
            ("\u{fdd0}\u{1ffff}\u{ffff}", 3),
        ] {
            assert_eq!(hidden(text).len(), count, "{text:?}");
        }
    }

    #[test]
    fn what_looks_ordinary_and_has_no_work_where_it_stands_is_hidden() {
        for text in [
            // A selector behind a digit that becomes no keycap, and behind an arrow that has no emoji form.
            "version 1\u{fe0f}",
            "a \u{2190}\u{fe0f} b",
            // A flag of no region: its tags can spell anything.
            "🏴\u{e0073}\u{e0065}\u{e006e}\u{e0064}\u{e007f}",
            // Joiners that join nothing, or letters that are not written with them.
            "می\u{200d} ",
            "\u{710}\u{200c}\u{710}",
        ] {
            assert!(!hidden(text).is_empty(), "{text:?}");
        }
    }

    #[test]
    fn tags_and_variation_selectors_are_decoded_and_flags_spell_nothing() {
        assert_eq!(decoded("x\u{e0068}\u{e0069}\u{e0020}\u{e0079}"), "hi y");
        assert_eq!(decoded("x\u{e0158}\u{e0159}"), "hi");
        assert_eq!(
            decoded("🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}"),
            ""
        );
        // A selector that chooses the form of an ideograph.
        assert_eq!(decoded("葛\u{e0100}"), "");
        assert_eq!(decoded("plain"), "");
    }
}
