use super::*;
use Wish::{Acknowledge, Back, Block, Help, Note, Quit, Skip, Whole};

/// Entries by the changes of one server that they touch.
fn session(entries: &[&[usize]]) -> Session {
    let entry = |changes: &&[usize]| Entry {
        changes: changes.iter().map(|change| (0, *change)).collect(),
        whole: None,
        needs_note: false,
    };
    Session::new(entries.iter().map(entry).collect())
}

fn record(changes: &[(usize, &str)]) -> Effect {
    let records = changes
        .iter()
        .map(|(change, note)| ((0, *change), (*note).to_owned()));
    Effect::Record(records.collect())
}

fn awaits(changes: &[usize]) -> Effect {
    Effect::Say(Said::Awaits(changes.iter().map(|c| (0, *c)).collect()))
}

#[test]
fn an_entry_after_the_other_is_decided_and_after_the_last_one_it_ends() {
    let mut session = session(&[&[0], &[1], &[2]]);
    assert_eq!(
        session.wish(Acknowledge),
        [record(&[(0, "")]), Effect::Show]
    );
    assert_eq!(session.wish(Skip), [Effect::Show]);
    assert_eq!(session.at(), 2);
    let block = Effect::Block([(0, 2)].into());
    assert_eq!(session.wish(Block), [block, Effect::End]);
    let tally = Tally {
        recorded: 1,
        skipped: 1,
        blocked: 1,
        ..Tally::default()
    };
    assert_eq!(session.tally(), tally);
}

#[test]
fn a_change_is_recorded_when_every_entry_that_touches_it_is_accepted() {
    // A hint of three tools, and the description of one of them.
    let mut session = session(&[&[0, 1, 2], &[1]]);
    assert_eq!(
        session.wish(Acknowledge),
        [record(&[(0, ""), (2, "")]), awaits(&[1]), Effect::Show]
    );
    assert_eq!(session.tally().unfinished, 1);
    assert_eq!(session.wish(Acknowledge), [record(&[(1, "")]), Effect::End]);
    assert_eq!(session.tally().unfinished, 0);
}

#[test]
fn nobody_acknowledges_a_reworded_description_by_accepting_a_hint() {
    for other in [Skip, Block] {
        let mut session = session(&[&[0], &[0]]);
        session.wish(other);
        assert_eq!(session.wish(Acknowledge), [awaits(&[0]), Effect::End]);
        assert_eq!(session.tally().recorded, 0);
    }
}

#[test]
fn an_acceptance_without_a_record_can_be_taken_back() {
    let mut session = session(&[&[0], &[0], &[1]]);
    assert_eq!(session.wish(Acknowledge), [awaits(&[0]), Effect::Show]);
    assert_eq!(session.wish(Back), [Effect::Show]);
    assert_eq!(session.wish(Skip), [Effect::Show]);
    assert_eq!(session.at(), 1);
    assert_eq!(session.wish(Acknowledge), [awaits(&[0]), Effect::Show]);
    // And given again.
    session.wish(Back);
    session.wish(Back);
    assert_eq!(
        session.wish(Acknowledge),
        [record(&[(0, "")]), Effect::Show]
    );
    assert_eq!(session.at(), 2);
}

#[test]
fn what_is_recorded_stays_so() {
    let mut session = session(&[&[0], &[1]]);
    session.wish(Acknowledge);
    session.wish(Back);
    assert_eq!(session.wish(Acknowledge), [Effect::Say(Said::Recorded)]);
    assert_eq!(session.wish(Skip), [Effect::Show]);
    assert_eq!(session.at(), 1);
    assert_eq!((session.tally().recorded, session.tally().skipped), (1, 0));
}

#[test]
fn nothing_stands_before_the_first_entry() {
    let mut session = session(&[&[0], &[1]]);
    assert_eq!(session.wish(Back), [Effect::Say(Said::First)]);
    assert_eq!(session.at(), 0);
}

#[test]
fn a_note_is_kept_with_the_next_acknowledgement_and_no_other() {
    let mut session = session(&[&[0], &[1], &[2]]);
    assert_eq!(session.wish(Note), [Effect::AskNote { required: false }]);
    assert_eq!(
        session.noted("  it is wanted "),
        [Effect::Say(Said::NoteKept)]
    );
    session.wish(Skip);
    assert_eq!(
        session.wish(Acknowledge),
        [record(&[(1, "it is wanted")]), Effect::Show]
    );
    assert_eq!(session.wish(Acknowledge), [record(&[(2, "")]), Effect::End]);
}

#[test]
fn a_record_bears_the_notes_of_every_entry_that_led_to_it() {
    let mut session = session(&[&[0], &[0], &[0]]);
    for note in ["one", "two", "one"] {
        session.wish(Note);
        session.noted(note);
        let effects = session.wish(Acknowledge);
        if session.tally().recorded == 1 {
            assert_eq!(effects[0], record(&[(0, "one; two")]));
        }
    }
    assert_eq!(session.tally().recorded, 1);
}

#[test]
fn an_acknowledgement_waits_for_the_note_that_the_policy_asks_for() {
    let entry = Entry {
        whole: None,
        changes: [(0, 0)].into(),
        needs_note: true,
    };
    let mut session = Session::new(vec![entry.clone(), entry]);
    assert_eq!(
        session.wish(Acknowledge),
        [Effect::AskNote { required: true }]
    );
    assert_eq!(session.noted(" "), [Effect::Say(Said::NoNote)]);
    assert_eq!(session.tally().open, 2);
    session.wish(Acknowledge);
    assert_eq!(session.noted("fine"), [awaits(&[0]), Effect::Show]);
    session.wish(Note);
    session.noted("wanted");
    assert_eq!(
        session.wish(Acknowledge),
        [record(&[(0, "fine; wanted")]), Effect::End]
    );
}

#[test]
fn looking_decides_nothing() {
    let mut session = session(&[&[0], &[1]]);
    assert_eq!(session.wish(Whole), [Effect::Whole]);
    assert_eq!(session.wish(Help), [Effect::Say(Said::Help)]);
    assert_eq!(session.wish(Quit), [Effect::End]);
    assert_eq!(session.tally().open, 2);
}

#[test]
fn a_change_was_seen_when_every_entry_that_touches_it_was_shown() {
    let mut session = session(&[&[0, 1], &[1], &[2]]);
    assert_eq!(session.seen(), [(0, 0)].into());
    session.wish(Skip);
    assert_eq!(session.seen(), [(0, 0), (0, 1)].into());
}

#[test]
fn a_server_is_reviewed_as_a_whole_once_nothing_of_it_waits() {
    let change = |server| Entry {
        changes: [(server, 0)].into(),
        whole: None,
        needs_note: false,
    };
    let whole = Entry {
        changes: BTreeSet::new(),
        whole: Some(1),
        needs_note: true,
    };
    // A change of another server keeps nobody from it.
    let mut session = Session::new(vec![change(0), change(1), whole]);
    session.wish(Skip);
    session.wish(Skip);
    assert_eq!(session.at(), 2);
    let waits = Effect::Say(Said::Waits([(1, 0)].into()));
    assert_eq!(session.wish(Acknowledge), [waits]);
    assert_eq!(session.tally().reviewed, 0);
    session.wish(Back);
    session.wish(Acknowledge);
    session.wish(Back);
    let mut session = Session { at: 2, ..session };
    let asks = Effect::AskNote { required: true };
    assert_eq!(session.wish(Acknowledge), [asks]);
    let review = Effect::Review(1, "read".to_owned());
    assert_eq!(session.noted("read"), [review, Effect::End]);
    assert_eq!(session.tally().reviewed, 1);
    let said = [Effect::Say(Said::Recorded)];
    assert_eq!(session.wish(Acknowledge), said);
    assert_eq!(session.wish(Block)[0], Effect::BlockServer(1));
}
