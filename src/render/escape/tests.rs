//! What [`super`] shows, and that different texts stay different.

use super::super::count::unit;
use super::*;
use proptest::prelude::*;

#[test]
fn controls_bidi_and_invisible_characters_are_shown() {
    for (text, shown) in [
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        (
            "\u{1b}[8m\u{7}\u{8}\u{7f}\u{9b}31m",
            "\\u{1B}[8m\\u{7}\\u{8}\\u{7F}\\u{9B}31m",
        ),
        ("\u{202e}x\u{2066}", "\\u{202E}x\\u{2066}"),
        (
            "a\u{2028}b\u{2029}c\u{85}d",
            "a\\u{2028}b\\u{2029}c\\u{85}d",
        ),
        ("\u{e0041}\u{200b}\u{feff}", "\\u{E0041}\\u{200B}\\u{FEFF}"),
        ("a\u{a0}b", "a\\u{A0}b"),
        ("検索\u{3000}é", "検索\u{3000}é"),
        ("می\u{200c}خواهم", "می\u{200c}خواهم"),
        (
            "👩\u{200d}👧 🏳\u{fe0f}\u{200d}🌈 1\u{fe0f}\u{20e3} 🇩🇪",
            "👩\u{200d}👧 🏳\u{fe0f}\u{200d}🌈 1\u{fe0f}\u{20e3} 🇩🇪",
        ),
        ("a\u{200d}b", "a\\u{200D}b"),
    ] {
        assert_eq!(line(text), shown);
    }
}

#[test]
fn a_backslash_is_doubled_only_where_it_could_be_taken_for_ours() {
    for (text, shown) in [
        (r"\d+\.\w", r"\d+\.\w"),
        (r"\n", r"\\n"),
        (r"\u{202E}", r"\\u{202E}"),
        (r"\uD800", r"\uD800"),
        ("\\\n", r"\\\n"),
        ("[4,000 spaces]", r"\[4,000 spaces]"),
        ("[1, 2] [0]", "[1, 2] [0]"),
    ] {
        assert_eq!(line(text), shown);
    }
    assert_eq!(quoted("say \"\\d\"\n"), r#""say \"\\d\"\n""#);
}

#[test]
fn commands_of_ci_systems_are_broken_wherever_they_stand() {
    assert_eq!(line("x ##[add-mask]e"), "x #\\u{23}[add-mask]e");
    assert_eq!(line("x ##vso[task]e"), "x #\\u{23}vso[task]e");
    assert_eq!(line("## Title"), "## Title");
}

#[test]
fn names_that_look_the_same_are_shown_by_code_point() {
    assert_eq!(name("find_note"), "find_note");
    assert_eq!(name("find_n\u{43e}te"), "find_n\\u{43E}te");
    assert_eq!(name("\u{430}\u{441}\u{435}"), "\\u{430}\\u{441}\\u{435}");
    for plain in [
        "検索",
        "ノート検索",
        "search検索",
        "поиск",
        "naïve",
        "می\u{200c}خواهم",
    ] {
        assert_eq!(name(plain), plain);
    }
    assert_eq!(name("two words"), "\"two words\"");
    assert_eq!(name(""), "\"\"");
    assert_eq!(name("a\nb"), "\"a\\nb\"");
}

#[test]
fn long_runs_of_blanks_are_counted() {
    let text = format!("a{}b", " ".repeat(20_000));
    assert_eq!(collapse(&line(&text)), "a[20,000 spaces]b");
    let text = format!("a{}b", "\t".repeat(41));
    assert_eq!(collapse(&line(&text)), "a\\t[41 times]b");
    let text = format!("a{}b", " \u{a0}".repeat(30));
    assert_eq!(collapse(&line(&text)), "a[60 blanks]b");
    let text = format!("a{}b", "\u{200b}".repeat(5_000));
    assert_eq!(collapse(&line(&text)), "a\\u{200B}[5,000 times]b");
    let short = format!("a{}b", " ".repeat(40));
    assert_eq!(collapse(&line(&short)), short);
}

#[test]
fn a_block_counts_blank_lines() {
    assert_eq!(block("a\n\nb\n"), ["a", "", "b", ""]);
    assert_eq!(
        block(&format!("a{}b", "\n".repeat(2_998) + " \n\t\n")),
        ["a", "[2,999 blank lines]", "b"]
    );
    assert_eq!(block("[2,999 blank lines]"), ["\\[2,999 blank lines]"]);
}

/// Texts rich in what matters here.
fn odd_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(String::from),
        prop::sample::select(vec![
            "\\",
            "n",
            "u{",
            "}",
            "[",
            "4,000 spaces]",
            "5 lines left out]",
            "\n",
            "\t",
            " ",
            "\"",
            "#",
            "##[",
            "\u{200d}",
            "👩",
            "\u{fe0f}",
            "\u{e0041}",
            "\u{e007f}",
            "🏴",
            "ی",
            "\u{200c}",
            "7",
            "\u{20e3}",
            "\u{a0}",
            "\u{94d}",
            "ष",
            "\u{fe00}",
            "\u{2190}",
            "\u{202e}",
            "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// What an escaped text says.
fn read_back(shown: &str) -> String {
    let mut out = String::new();
    let mut at = 0;
    while at < shown.len() {
        let unit = unit(&shown[at..]);
        at += unit.len();
        match unit {
            "\\n" => out.push('\n'),
            "\\r" => out.push('\r'),
            "\\t" => out.push('\t'),
            _ if unit.starts_with("\\u{") => {
                let code = u32::from_str_radix(&unit[3..unit.len() - 1], 16).expect("hexadecimal");
                out.push(char::from_u32(code).expect("a character"));
            }
            _ if unit.len() > 1 && unit.starts_with('\\') => out.push_str(&unit[1..]),
            _ => out.push_str(unit),
        }
    }
    out
}

proptest! {
    #[test]
    fn an_escaped_text_reads_back_to_the_same_text(text in odd_text()) {
        prop_assert_eq!(read_back(&line(&text)), text.clone());
        let quoted = quoted(&text);
        prop_assert_eq!(read_back(&quoted[1..quoted.len() - 1]), text);
    }

    #[test]
    fn what_rules_call_hidden_is_what_comes_out_as_an_escape(text in odd_text()) {
        let shown = line(&text);
        let mut escaped = Vec::new();
        let mut at = 0;
        while at < shown.len() {
            let unit = unit(&shown[at..]);
            at += unit.len();
            // A number sign is no hidden character; CI systems obey it.
            if unit.starts_with("\\u{") && unit != "\\u{23}" {
                escaped.extend(read_back(unit).chars());
            }
        }
        let hidden: Vec<char> = hidden(&text).into_iter().map(|(_, c)| c).collect();
        prop_assert_eq!(escaped, hidden);
    }

    #[test]
    fn nothing_hidden_comes_through(text in odd_text()) {
        for shown in [line(&text), quoted(&text), name(&text), block(&text).concat(), collapse(&line(&text))] {
            prop_assert!(!shown.contains(char::is_control), "{shown:?}");
            prop_assert_eq!(hidden(&shown), [], "{:?}", shown);
        }
    }
}
