//! Who is who among reviewers: names are plain text that anybody can write, so two that nobody can tell apart are one.

use super::hidden::is_invisible;
use unicode_normalization::UnicodeNormalization as _;
use unicode_security::skeleton;

/// What names are compared by: their Unicode form, what shows nothing and how many blanks there are make no other name.
pub fn identity(name: &str) -> String {
    let visible =
        |word: &str| -> String { word.chars().filter(|c| !is_invisible(*c)).nfc().collect() };
    let words = name.split_whitespace().map(visible);
    let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// Whether two names are different ones that look alike (TR39).
pub fn look_alike(one: &str, other: &str) -> bool {
    let (one, other) = (identity(one), identity(other));
    // Within plain letters nobody is suspected of being `l` for `1`.
    one != other && !(one.is_ascii() && other.is_ascii()) && skeleton(&one).eq(skeleton(&other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_can_see_makes_no_other_name() {
        for same in [
            "Ann\u{200b} <ann@example.invalid>",
            "A\u{e0041}nn <ann@example.invalid>\u{feff}",
            " Ann  <ann@example.invalid>",
            "Ann\u{a0}<ann@example.invalid>",
        ] {
            assert_eq!(identity(same), "Ann <ann@example.invalid>", "{same:?}");
        }
        assert_eq!(identity("Ame\u{301}lie"), identity("Am\u{e9}lie"));
        assert_ne!(identity("Ann"), identity("Ben"));
    }

    #[test]
    fn letters_of_another_script_look_alike_and_plain_ones_do_not() {
        assert!(look_alike("Ann", "\u{410}nn"));
        assert!(!look_alike("Ann", "Ann\u{200b}"));
        assert!(!look_alike("Bi11", "Bill") && !look_alike("Ann", "Ben"));
    }
}
