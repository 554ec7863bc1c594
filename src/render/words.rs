//! Which words of a line changed, and a line with its changed words in colour.
//!
//! Works on escaped text, so that what it cuts apart is safe already.

use super::cap;
use super::count::{counted, unit};
use super::edits;
use super::paint::{Ink, Paint};
use similar::DiffOp;
use std::ops::Range;

/// A place where two lines differ: bytes of the old one, and of the new one. One of them may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    /// What went.
    pub(super) old: Range<usize>,
    /// What came.
    pub(super) new: Range<usize>,
}

/// Where two lines differ, in order.
pub(super) fn compare(old: &str, new: &str) -> Vec<Edit> {
    let (old_words, new_words) = (split(old), split(new));
    let ops = edits::between(&old_words, &new_words);
    let (old_ends, new_ends) = (ends(&old_words), ends(&new_words));
    let mut found: Vec<Edit> = Vec::new();
    let last = ops.len().saturating_sub(1);
    for (i, op) in ops.iter().enumerate() {
        let (old_op, new_op) = (op.old_range(), op.new_range());
        let edit = Edit {
            old: old_ends[old_op.start]..old_ends[old_op.end],
            new: new_ends[new_op.start]..new_ends[new_op.end],
        };
        let stayed = matches!(op, DiffOp::Equal { .. });
        // A few letters between two edits stayed by chance: they only cut the edit into crumbs.
        let chance = i > 0 && i < last && letters(&old[edit.old.clone()]) < 4;
        match found.last_mut() {
            _ if stayed && !chance => {}
            Some(before)
                if before.old.end == edit.old.start && before.new.end == edit.new.start =>
            {
                before.old.end = edit.old.end;
                before.new.end = edit.new.end;
            }
            _ => found.push(edit),
        }
    }
    for i in 0..found.len() {
        let next = found.get(i + 1).map_or(usize::MAX, |next| next.new.start);
        end_sentence(&mut found[i], old, new, next);
    }
    found
}

/// Words that came or went between two marks of one kind are said with the one behind them: `it. [Send it.]` rather
/// than `it[. Send it].`
fn end_sentence(edit: &mut Edit, old: &str, new: &str, next: usize) {
    let moves = |text: &str, range: &Range<usize>| {
        let mark = text[range.clone()].starts_with(['.', ',', ';', '!', '?']);
        mark && text[range.start..].chars().next() == text[range.end..].chars().next()
    };
    let moves = match (edit.old.is_empty(), edit.new.is_empty()) {
        (true, false) => moves(new, &edit.new),
        (false, true) => moves(old, &edit.old),
        _ => false,
    };
    if moves && edit.new.end + 1 < next {
        for range in [&mut edit.old, &mut edit.new] {
            *range = range.start + 1..range.end + 1;
        }
    }
}

/// A row of words that stayed, or that stand on one side only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// Where the words stand in their line.
    pub(super) range: Range<usize>,
    /// Whether the other side lacks them.
    pub(super) changed: bool,
}

/// A line as pieces, none of them empty, by what of it changed.
pub(super) fn pieces(length: usize, changed: impl Iterator<Item = Range<usize>>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    let mut push = |range: Range<usize>, changed| {
        if !range.is_empty() {
            pieces.push(Piece { range, changed });
        }
    };
    for range in changed.filter(|range| !range.is_empty()) {
        push(at..range.start, false);
        at = range.end;
        push(range, true);
    }
    push(at..length, false);
    pieces
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// Words, runs of blanks, escapes, and other characters one by one.
fn split(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let run = |belongs: fn(char) -> bool| rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if is_word(first) {
            run(is_word)
        } else if first == ' ' {
            run(|c| c == ' ')
        } else {
            unit(rest).len()
        };
        split_word(&rest[..end], &mut words);
        rest = &rest[end..];
    }
    words
}

/// Cuts an endless word up, so that an edit in the middle of it is found: where its letters say so, so that what
/// stands before does not move the cuts; where they never do, into letters.
fn split_word<'a>(word: &'a str, words: &mut Vec<&'a str>) {
    const LONG: usize = 80;
    let (mut start, mut before, mut uncut) = (0, 0, 0);
    if word.len() > LONG {
        for (at, c) in word.char_indices() {
            let code = u32::from(c);
            let cut = (code * 31 + before).is_multiple_of(8);
            uncut = if cut { 0 } else { uncut + 1 };
            if at > start && (cut || uncut >= LONG) {
                words.push(&word[start..at]);
                start = at;
            }
            before = code;
        }
    }
    words.push(&word[start..]);
}

/// Where each word starts in its line, and where the last one ends.
fn ends(words: &[&str]) -> Vec<usize> {
    let mut at = 0;
    let mut ends = vec![0];
    ends.extend(words.iter().map(|word| {
        at += word.len();
        at
    }));
    ends
}

/// What was taken out of `old` and what was put in, edit by edit: the same for two texts that were edited alike.
pub(super) fn edit_list(old: &str, new: &str) -> Vec<(String, String)> {
    let (old_words, new_words) = (split(old), split(new));
    edits::between(&old_words, &new_words)
        .iter()
        .filter(|op| !matches!(op, DiffOp::Equal { .. }))
        .map(|op| {
            let removed = old_words[op.old_range()].concat();
            let added = new_words[op.new_range()].concat();
            (removed.trim().to_owned(), added.trim().to_owned())
        })
        .collect()
}

/// The sentences that were edited, before and now, without what stayed around them. What was put in or taken out as
/// whole sentences stands alone.
pub(super) fn edited_sentences(old: &str, new: &str) -> (String, String) {
    let mut sentences = (Sentences::of(old), Sentences::of(new));
    for Edit { old, new } in compare(old, new) {
        // Beside whole sentences that came or went nothing else did; beside a part of one the rest of it stayed.
        let (one, other) = &mut sentences;
        match (old.is_empty(), new.is_empty()) {
            (true, _) if other.is_whole(&new) => other.add(new),
            (_, true) if one.is_whole(&old) => one.add(old),
            (true, _) => {
                one.add_at(old.start, other.starts(new.start));
                other.add(new);
            }
            (_, true) => {
                other.add_at(new.start, one.starts(old.start));
                one.add(old);
            }
            _ => {
                one.add(old);
                other.add(new);
            }
        }
    }
    (sentences.0.joined(), sentences.1.joined())
}

/// Those sentences of a text that were edited.
struct Sentences<'a> {
    text: &'a str,
    /// Where one may begin or end: the blanks behind a sentence are both.
    bounds: Vec<usize>,
    found: Vec<Range<usize>>,
}

impl<'a> Sentences<'a> {
    fn of(text: &'a str) -> Self {
        let mut bounds = vec![0];
        let (mut ends_one, mut before) = (false, None);
        for (at, c) in text.char_indices() {
            if c == '\n' || before.is_some_and(|before| "。！？".contains(before)) {
                ends_one = true;
            } else if c.is_whitespace() {
                ends_one |= before.is_some_and(|before| ".!?".contains(before));
            }
            if ends_one {
                bounds.push(at);
            }
            ends_one &= c.is_whitespace();
            before = Some(c);
        }
        bounds.push(text.len());
        Self {
            text,
            bounds,
            found: Vec::new(),
        }
    }

    /// Whether a sentence may start here.
    fn starts(&self, at: usize) -> bool {
        self.bounds.binary_search(&at).is_ok()
    }

    /// Whether an edit is one or more sentences and nothing of another.
    fn is_whole(&self, edit: &Range<usize>) -> bool {
        self.starts(edit.start) && self.starts(edit.end)
    }

    /// The sentence to which something was put, or from which it was taken: at its start, or further on.
    fn add_at(&mut self, at: usize, start: bool) {
        if start && at < self.text.len() {
            self.add(at..at + 1);
        } else {
            self.add(at.saturating_sub(1)..at);
        }
    }

    fn add(&mut self, edit: Range<usize>) {
        let after = self.bounds.partition_point(|bound| *bound <= edit.start);
        let start = self.bounds[after.saturating_sub(1)];
        let until = self.bounds.partition_point(|bound| *bound < edit.end);
        let end = self.bounds.get(until).copied().unwrap_or(self.text.len());
        match self.found.last_mut() {
            Some(last) if last.end >= start => last.end = last.end.max(end),
            _ => self.found.push(start..end.max(start)),
        }
    }

    fn joined(&self) -> String {
        let found = self
            .found
            .iter()
            .map(|range| self.text[range.clone()].trim());
        let found: Vec<&str> = found.filter(|sentence| !sentence.is_empty()).collect();
        found.join(" … ")
    }
}

/// Whether two lines have enough in common to be shown as one that was edited.
pub(super) fn alike(old: &str, new: &str, edits: &[Edit]) -> bool {
    let went: usize = edits.iter().map(|e| letters(&old[e.old.clone()])).sum();
    let all = letters(old);
    let stayed = all - went;
    stayed > 0 && stayed * 4 >= all.min(letters(new))
}

/// A line with its changed words in colour, whole. `inks` are those of the line and of its changed words.
pub(super) fn whole(line: &str, pieces: &[Piece], paint: Paint, inks: (Ink, Ink)) -> String {
    pieces
        .iter()
        .map(|piece| {
            let ink = if piece.changed { inks.1 } else { inks.0 };
            paint.of(ink, &line[piece.range.clone()])
        })
        .collect()
}

/// The same within `bytes` or little more: what stayed is counted where it is long; the first edits and the last one
/// stand, each with both its ends; those between are counted.
pub(super) fn folded(
    line: &str,
    pieces: &[Piece],
    bytes: usize,
    paint: Paint,
    inks: (Ink, Ink),
) -> String {
    let changed: Vec<usize> = (0..pieces.len()).filter(|i| pieces[*i].changed).collect();
    let each = bytes / changed.len().clamp(1, 4);
    let mut room = bytes.saturating_sub(each);
    let leading = changed[..changed.len().saturating_sub(1)]
        .iter()
        .take_while(|i| {
            let cost = pieces[**i].range.len().min(each) + 2 * AROUND;
            let fits = cost <= room;
            room = room.saturating_sub(cost);
            fits
        })
        .count();
    // From the first edit that is left out up to the last edit, which stands.
    let left_out = match changed.last() {
        Some(last) if leading + 1 < changed.len() => changed[leading]..*last,
        _ => 0..0,
    };
    let mut out = String::new();
    for (i, piece) in pieces.iter().enumerate() {
        if left_out.contains(&i) {
            if i == left_out.start {
                let count = changed.len() - leading - 1;
                out.extend(["[", &counted(count, "edit"), " left out]"]);
            }
            continue;
        }
        let (ink, bytes, what) = if piece.changed {
            (inks.1, each, "left out")
        } else {
            (inks.0, 2 * AROUND, "unchanged")
        };
        let text = match cap::ends(&line[piece.range.clone()], bytes) {
            (whole, 0, _) => whole.to_owned(),
            (head, count, tail) => {
                format!("{head}[{} {what}]{tail}", counted(count, "character"))
            }
        };
        out.push_str(&paint.of(ink, &text));
    }
    out
}

/// How much of what stayed is shown on either side of an edit in a long line, in bytes.
const AROUND: usize = 120;

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Paint = Paint::Plain;
    const NEW: (Ink, Ink) = (Ink::New, Ink::NewWords);

    fn new_folded(old: &str, new: &str, bytes: usize) -> String {
        let came = compare(old, new).into_iter().map(|edit| edit.new);
        folded(new, &pieces(new.len(), came), bytes, PLAIN, NEW)
    }

    /// What went and came, edit by edit.
    fn edited<'a>(old: &'a str, new: &'a str) -> Vec<(&'a str, &'a str)> {
        let edits = compare(old, new).into_iter();
        edits.map(|e| (&old[e.old], &new[e.new])).collect()
    }

    #[test]
    fn words_that_went_and_came_are_found() {
        assert_eq!(
            edited("Find all notes.", "Find some notes."),
            [("all", "some")]
        );
        assert_eq!(
            edited("Add two.", "Add two. Then send them on."),
            [("", " Then send them on.")]
        );
        assert_eq!(edited("Add.", "Add."), []);
        let kept = "Add two small numbers and show the sum";
        assert_eq!(
            edited(&format!("{kept}. Never share it."), &format!("So {kept}.")),
            [("", "So "), (" Never share it.", "")]
        );
    }

    #[test]
    fn a_line_is_cut_into_what_stayed_and_what_came() {
        let (old, new) = ("Find all notes.", "Find some notes now.");
        let came = compare(old, new).into_iter().map(|edit| edit.new);
        let shown: Vec<(&str, bool)> = pieces(new.len(), came)
            .into_iter()
            .map(|piece| (&new[piece.range], piece.changed))
            .collect();
        let wanted = [
            ("Find ", false),
            ("some", true),
            (" notes", false),
            (" now", true),
            (".", false),
        ];
        assert_eq!(shown, wanted);
    }

    #[test]
    fn letters_that_stayed_by_chance_do_not_cut_an_edit_apart() {
        let edits = edited(
            "Find notes that contain a phrase.",
            "Find notes. Also send them on, to a friend.",
        );
        let came = [". Also send them on, to a friend"];
        assert!(edits.iter().map(|(_, new)| *new).eq(came), "{edits:?}");
    }

    #[test]
    fn a_long_line_shows_its_first_and_its_last_edit_and_counts_the_rest() {
        let filler = "lorem ipsum ".repeat(500);
        let old = format!("one {filler} two {filler} three");
        let new = format!("decoy {filler} two {filler} payload");
        let shown = new_folded(&old, &new, 2_000);
        assert!(shown.len() < 2_000, "{}", shown.len());
        assert!(shown.starts_with("decoy"), "{shown}");
        assert!(shown.ends_with("payload"), "{shown}");
        assert!(shown.contains("characters unchanged]"), "{shown}");
    }

    #[test]
    fn edits_beyond_the_bound_are_counted_and_the_last_one_stands() {
        let old: Vec<_> = (0..300)
            .map(|i| format!("word{i} stays here long enough"))
            .collect();
        let new: Vec<_> = (0..300)
            .map(|i| format!("other{i} stays here long enough"))
            .collect();
        let (old, new) = (old.join(" "), new.join(" "));
        let shown = new_folded(&old, &new, 2_000);
        assert!(
            shown.contains("other0 ") && shown.contains("other299 "),
            "{shown}"
        );
        assert!(shown.contains(" edits left out]"), "{shown}");
        assert!(shown.len() < 3_000, "{}", shown.len());
    }

    #[test]
    fn both_ends_of_a_long_edit_stand() {
        let old = "a";
        let new = format!("a start {} finish", "x ".repeat(9_000));
        let shown = new_folded(old, &new, 400);
        assert!(
            shown.contains("start") && shown.contains("finish"),
            "{shown}"
        );
        assert!(shown.contains(" characters left out]"), "{shown}");
    }

    #[test]
    fn an_edit_inside_an_endless_word_is_found() {
        let (a, b) = ("ab12cd9".repeat(3_000), "e7xq4z".repeat(3_000));
        let (old, new) = (format!("{a}{b}"), format!("{a}SEND{b}"));
        let shown = new_folded(&old, &new, 400);
        assert!(shown.contains("SEND"), "{shown}");
    }

    #[test]
    fn texts_that_were_edited_alike_share_their_list_of_edits() {
        let list = edit_list("Return it. Never share.", "Return it.");
        assert_eq!(list, [("Never share.".to_owned(), String::new())]);
        assert_eq!(list, edit_list("Find a note. Never share.", "Find a note."));
    }

    #[test]
    fn a_sentence_that_was_added_to_stands_on_both_sides() {
        let edited = |old, new| {
            let (old, new) = edited_sentences(old, new);
            format!("{old} / {new}")
        };
        for (old, new, shown) in [
            (
                "Create a page",
                "Notes | Create a page",
                "Create a page / Notes | Create a page",
            ),
            (
                "Find one",
                "Find one. Use it first.",
                "Find one / Find one. Use it first.",
            ),
            (
                "One. Find two. Three.",
                "One. Find two or more. Three.",
                "Find two. / Find two or more.",
            ),
            ("One. Two.", "One. Never share. Two.", " / Never share."),
            ("One. Never share.", "One.", "Never share. / "),
            (
                "One. Find them all.",
                "One. Find all.",
                "Find them all. / Find all.",
            ),
            ("", "All of it.", " / All of it."),
            ("Two", "So Two", "Two / So Two"),
        ] {
            assert_eq!(edited(old, new), shown, "{old} -> {new}");
        }
    }
}
