//! The bound on each side of a review (SPEC, section 5), so that no server can make one endless.

/// How many bytes of a side are shown.
pub const BYTES: usize = 16_384;

/// The first [`BYTES`] bytes of a text, cut at a character boundary, and how many bytes are hidden behind them.
pub fn cut(text: &str) -> (&str, usize) {
    let end = text.floor_char_boundary(BYTES);
    (&text[..end], text.len() - end)
}

/// How many characters that join others are left out with what they joined, at most: no letter or emoji has more.
const JOINED: usize = 16;

/// Whether a character is part of a letter or emoji, and shows nothing where that is cut apart.
fn joins(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0020}'..='\u{e007f}')
}

/// Both ends of a text that is longer than `bytes`, and how many characters are left out between them. No joiner stands
/// at the cut: it would be hidden there.
pub(super) fn ends(text: &str, bytes: usize) -> (&str, usize, &str) {
    if text.len() <= bytes {
        return (text, 0, "");
    }
    let (mut head, mut tail) = (
        text.floor_char_boundary(bytes / 2),
        text.ceil_char_boundary(text.len() - bytes / 2),
    );
    for _ in 0..JOINED {
        let last = text[..head].chars().next_back().filter(|c| joins(*c));
        let first = text[tail..].chars().next().filter(|c| joins(*c));
        head -= last.map_or(0, char::len_utf8);
        tail += first.map_or(0, char::len_utf8);
    }
    let out = text[head..tail].chars().count();
    (&text[..head], out, &text[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_not_cut() {
        let text = "é".repeat(BYTES / 2);
        assert_eq!(cut(&text), (text.as_str(), 0));
    }

    #[test]
    fn a_character_across_the_bound_is_hidden_whole() {
        let text = format!("{}é!", "a".repeat(BYTES - 1));
        let (shown, hidden) = cut(&text);
        assert_eq!((shown.len(), hidden), (BYTES - 1, 3));
    }

    #[test]
    fn both_ends_stand_and_what_is_between_is_counted() {
        assert_eq!(ends("abcdef", 6), ("abcdef", 0, ""));
        assert_eq!(ends("abcdefgh", 4), ("ab", 4, "gh"));
        let family = "\u{1f469}\u{200d}\u{1f469}\u{200d}\u{1f466}";
        assert_eq!(ends(family, 14), ("\u{1f469}", 3, "\u{1f466}"));
        assert_eq!(ends("aéééb", 4), ("a", 3, "b"));
    }
}
