//! The words of a review at a terminal: its keys, its question, what it says about a key and at the end. Pure.

use super::session::{At, Said, Tally, Wish};
use std::collections::BTreeSet;

/// The keys, and what each does in a word.
const KEYS: [(char, Wish, &str); 8] = [
    ('a', Wish::Acknowledge, "ack"),
    ('s', Wish::Skip, "skip"),
    ('b', Wish::Block, "block"),
    ('w', Wish::Whole, "whole"),
    ('n', Wish::Note, "note"),
    ('p', Wish::Back, "back"),
    ('q', Wish::Quit, "quit"),
    ('?', Wish::Help, "help"),
];

/// How many items a sentence names.
const NAMED: usize = 3;

/// The columns of the longest of these words.
const LONGEST: usize = 5;

/// What a key asks for, and the word for it.
pub(super) fn wish(key: char) -> Option<(Wish, &'static str)> {
    let key = key.to_ascii_lowercase();
    let found = KEYS.iter().find(|(known, ..)| *known == key)?;
    Some((found.1, found.2))
}

/// The question after an entry, with words where so many columns have room for them.
pub(super) fn prompt(place: &str, columns: Option<usize>) -> String {
    let words: Vec<String> = KEYS
        .iter()
        .map(|(key, _, word)| format!("{key} {word}"))
        .collect();
    let long = format!("{place} {}: ", words.join(", "));
    // The word of the key that is pressed stands behind it.
    if columns.is_none_or(|columns| long.len() + LONGEST <= columns) {
        return long;
    }
    let keys: Vec<String> = KEYS.iter().map(|(key, ..)| key.to_string()).collect();
    format!("{place} [{}]: ", keys.join(","))
}

/// What there is to say about a key. `named` names a change.
pub(super) fn said(said: &Said, named: impl Fn(At) -> String) -> String {
    let line = match said {
        Said::Help => return HELP.to_owned(),
        Said::First => "this is the first entry".to_owned(),
        Said::Awaits(changes) => {
            let some = some(changes, named);
            format!("accepted; not yet recorded of {some}: other entries touch the same")
        }
        Said::Waits(changes) => {
            let some = some(changes, named);
            format!("not recorded: nobody reviewed the whole while {some} waits; p goes back")
        }
        Said::Recorded => "recorded already; `countersign ack --revoke` takes it back".to_owned(),
        Said::NoteKept => "kept for the next acknowledgement".to_owned(),
        Said::NoNote => "no note".to_owned(),
    };
    line + "\n"
}

/// A few of these changes by name, and how many more there are.
fn some(changes: &BTreeSet<At>, named: impl Fn(At) -> String) -> String {
    let some: Vec<String> = changes.iter().take(NAMED).map(|at| named(*at)).collect();
    let more = match changes.len() - some.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", some.join(", "))
}

const HELP: &str = "\
a  acknowledge what is shown: the lockfile says so at once. An item that other
   entries touch too is recorded when all of them are acknowledged. Of a server
   that is due it records that the whole was reviewed
s  skip: it goes on waiting
b  block: `rule=block` for each item here, so that a guard withholds it;
   `countersign policy ITEM --unset rule` takes it back
w  whole: both sides with nothing left out, through $PAGER
n  note: a line that is kept with the next acknowledgement
p  back to the entry before
q  quit: what was decided stands
";

/// What was done, in one sentence.
pub(super) fn told(tally: Tally) -> String {
    let counted = |count: usize, one: &str, several: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {several}")),
    };
    let parts = [
        counted(tally.recorded, "change recorded", "changes recorded"),
        counted(tally.reviewed, "server reviewed", "servers reviewed"),
        counted(
            tally.unfinished,
            "entry accepted without a record: another entry of its item was not",
            "entries accepted without a record: other entries of their items were not",
        ),
        counted(tally.skipped, "entry skipped", "entries skipped"),
        counted(tally.blocked, "entry blocked", "entries blocked"),
        counted(tally.open, "entry left", "entries left"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_has_words_in_eighty_columns_and_fits_forty() {
        let long = prompt("[400/400]", Some(80));
        assert!(long.contains("a ack, s skip"), "{long}");
        assert!(long.len() + LONGEST <= 80, "{long}");
        let short = prompt("[400/400]", Some(40));
        assert_eq!(short, "[400/400] [a,s,b,w,n,p,q,?]: ");
        assert!(short.len() + LONGEST <= 40);
    }

    #[test]
    fn every_key_is_explained() {
        for (key, _, word) in KEYS.iter().filter(|(key, ..)| *key != '?') {
            assert!(
                HELP.lines()
                    .any(|line| line.starts_with(&format!("{key}  "))),
                "{key}"
            );
            assert!(word.len() <= LONGEST, "{word}");
            assert_eq!(wish(key.to_ascii_uppercase()), wish(*key));
        }
        assert_eq!(wish('x'), None);
    }

    #[test]
    fn the_end_tells_each_thing_that_was_done() {
        let tally = Tally {
            recorded: 2,
            open: 1,
            ..Tally::default()
        };
        assert_eq!(told(tally), "2 changes recorded, 1 entry left");
    }

    #[test]
    fn a_few_items_are_named_and_the_others_counted() {
        let said = said(&Said::Awaits((0..5).map(|n| (0, n)).collect()), |(_, n)| {
            format!("s/{n}")
        });
        assert!(
            said.contains("recorded of s/0, s/1, s/2 and 2 more"),
            "{said}"
        );
    }
}
