//! Which words of an edited line went and came, beside it: for readers without colour.
//!
//! Both lines stand whole above, so this is kept short. Works on escaped text and keeps its escapes whole.

use super::count::{counted, is_wordless, unit};
use super::words::Edit;

/// How many columns such a line may take, so that it fits a terminal of 80 with the indentation of the report.
const COLUMNS: usize = 76;
/// Deeper lines are marked no deeper.
const DEEPEST: usize = 20;
/// Of longer words both ends are shown, each half as long.
const WORDS: usize = 44;
/// In shorter lines the eye finds the words.
const SHORT: usize = 40;
/// The last edit and so many others are shown.
const EDITS: usize = 5;

/// The lines that say where two lines differ: `-"went" +"came", +"came too"`. None where they would say no less than
/// the two lines.
pub(super) fn marks(old: &str, new: &str, edits: &[Edit]) -> Vec<String> {
    let indent = new.len() - new.trim_start().len();
    let longer = old.len().max(new.len()) - indent;
    if longer <= SHORT {
        return Vec::new();
    }
    let indent = " ".repeat(indent.min(DEEPEST));
    let mut lines = vec![indent.clone()];
    for token in tokens(old, new, edits) {
        let fits = |line: &String| line.chars().count() + 1 + token.chars().count() <= COLUMNS;
        match lines.last_mut() {
            Some(line) if line.len() == indent.len() => line.push_str(&token),
            Some(line) if fits(line) => line.extend([" ", &token]),
            _ => lines.push(format!("{indent}{token}")),
        }
    }
    if lines
        .iter()
        .map(|line| line.len() - indent.len())
        .sum::<usize>()
        < longer
    {
        lines
    } else {
        Vec::new()
    }
}

/// What went and came, edit by edit, a comma behind each edit but the last.
fn tokens(old: &str, new: &str, edits: &[Edit]) -> Vec<String> {
    let left_out = match edits.len() {
        0..=EDITS => 0..0,
        more => EDITS - 1..more - 1,
    };
    let mut tokens: Vec<String> = Vec::new();
    for (i, edit) in edits.iter().enumerate() {
        if left_out.contains(&i) {
            if i == left_out.start {
                tokens.push(format!("[{} left out],", counted(left_out.len(), "edit")));
            }
            continue;
        }
        let (went, came) = (&old[edit.old.clone()], &new[edit.new.clone()]);
        // Blanks around words say nothing, unless nothing else differs.
        let (went, came) = match (went.trim_matches(' '), came.trim_matches(' ')) {
            ("", "") => (went, came),
            trimmed => trimmed,
        };
        tokens.extend(quoted('-', went));
        tokens.extend(quoted('+', came));
        if i + 1 < edits.len()
            && let Some(last) = tokens.last_mut()
        {
            last.push(',');
        }
    }
    tokens
}

/// Words between quotes that nothing in them can end; `None` if there are none.
fn quoted(sign: char, words: &str) -> Option<String> {
    let mut units = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let unit = unit(&words[at..]);
        at += unit.len();
        units.push(if unit == "\"" { "\\\"" } else { unit });
    }
    let width = |units: &[&str]| -> usize { units.iter().map(|unit| unit.chars().count()).sum() };
    let fitting = |units: &mut dyn Iterator<Item = &&str>| {
        let mut room = WORDS / 2;
        units
            .take_while(|unit| {
                let fits = unit.chars().count() <= room;
                room = room.saturating_sub(unit.chars().count());
                fits
            })
            .count()
    };
    if units.is_empty() {
        None
    } else if is_wordless(words) && units.len() > 1 {
        Some(format!("{sign}[{}]", counted(units.len(), "character")))
    } else if width(&units) <= WORDS {
        Some(format!("{sign}\"{}\"", units.concat()))
    } else {
        let head = fitting(&mut units.iter());
        let tail = units.len() - fitting(&mut units.iter().rev());
        let (head, tail) = (units[..head].concat(), units[tail..].concat());
        // Cut between words where there are any.
        let head = head.rsplit_once(' ').map_or(&*head, |(words, _)| words);
        let tail = tail.split_once(' ').map_or(&*tail, |(_, words)| words);
        Some(format!("{sign}\"{head}\" … \"{tail}\""))
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::compare;
    use super::*;

    fn marked(old: &str, new: &str) -> Vec<String> {
        marks(old, new, &compare(old, new))
    }

    #[test]
    fn words_that_went_and_came_stand_beside_each_other() {
        assert_eq!(
            marked(
                "  \"description\": \"Find notes that contain a phrase.\"",
                "  \"description\": \"Find notes by phrase.\""
            ),
            ["  -\"that contain a\" +\"by\""]
        );
        assert_eq!(
            marked(
                "| Add two whole numbers. Never share the sum with others.",
                "| Add two small whole numbers.",
            ),
            ["+\"small\", -\"Never share the sum with others.\""]
        );
    }

    #[test]
    fn short_lines_and_lines_that_have_little_in_common_need_no_marks() {
        let none: [String; 0] = [];
        assert_eq!(marked("\"maxLength\": 10", "\"maxLength\": 12"), none);
        let (old, new) = (
            "Find: one two three four five six seven",
            "Find: a few other words that came instead.",
        );
        assert_eq!(marked(old, new), none);
    }

    #[test]
    fn marks_fit_eighty_columns_and_show_both_ends_of_what_is_long() {
        let stays = "word by word as it was, ".repeat(30);
        let came = (0..400)
            .map(|i| format!(" word{i}"))
            .collect::<Vec<_>>()
            .concat();
        let old = format!("            start {stays} one {stays} end");
        let new = format!("            begin {stays} first{came} last {stays} finish");
        let lines = marked(&old, &new);
        assert_eq!(
            lines,
            [
                "            -\"start\" +\"begin\", -\"one\"",
                "            +\"first word0 word1\" … \"word398 word399 last\", -\"end\" +\"finish\"",
            ]
        );
        assert!(lines.iter().all(|line| line.chars().count() <= COLUMNS));
    }

    #[test]
    fn the_first_edits_and_the_last_one_are_marked() {
        let text = |word: &str| -> Vec<String> {
            let part = |i| format!("{word}{i} stays here long enough");
            (0..300).map(part).collect()
        };
        let (old, new) = (text("word").join(" "), text("other").join(" "));
        let lines = marked(&old, &new);
        assert_eq!(
            lines.join(" "),
            "-\"word0\" +\"other0\", -\"word1\" +\"other1\", -\"word2\" +\"other2\", -\"word3\" +\"other3\", \
             [295 edits left out], -\"word299\" +\"other299\""
        );
    }

    #[test]
    fn no_word_can_end_its_quotes_and_no_escape_is_cut() {
        let stays = "| this part of the line stays as it was, word by word";
        let shown = marked(&format!("{stays}."), &format!("{stays} x\", -\"y."));
        assert_eq!(shown, ["+\"x\\\", -\\\"y\""]);
        let hidden = "\\u{200B}".repeat(30);
        let shown = marked(&format!("{stays}."), &format!("{stays}{hidden}."));
        assert_eq!(shown, ["+[30 characters]"]);
        let shown = marked(&format!("{stays} a b"), &format!("{stays} a  b"));
        assert_eq!(shown, ["-\" \" +[2 characters]"]);
        let hidden = format!("{stays} x{hidden}y.");
        let shown = marked(&format!("{stays}."), &hidden);
        assert_eq!(
            shown,
            ["+\"x\\u{200B}\\u{200B}\" … \"\\u{200B}\\u{200B}y\""]
        );
    }
}
