//! What is due on which day.

use super::*;
use crate::catalogue::Item;
use crate::lockfile::{Acknowledgement, Review, Server};
use crate::model::{Kind, Level};

fn server(since: &str, reviewed: &[&str]) -> Server {
    let reviewed = reviewed.iter().map(|at| Review {
        by: "Ann".to_owned(),
        at: (*at).to_owned(),
        note: String::new(),
        first_sight: None,
    });
    Server {
        since: since.to_owned(),
        reviewed: reviewed.collect(),
        ..Server::default()
    }
}

const EVERY: ServerSettings = ServerSettings {
    review_every: Some(30),
    due_fails: false,
    require_note: false,
};

fn signals(locked: &Server, today: &str, flags: &[Flag]) -> Vec<&'static str> {
    let due = due(EVERY, locked, Some(locked), today, flags, &[]);
    due.into_iter().map(|due| due.signal).collect()
}

#[test]
fn a_review_falls_due_on_its_day_and_not_before() {
    let never = server("2026-01-01", &[]);
    assert!(signals(&never, "2026-01-30", &[]).is_empty());
    let late = due(EVERY, &never, Some(&never), "2026-01-31", &[], &[]);
    assert_eq!(late[0].on.as_deref(), Some("2026-01-31"));
    assert!(late[0].message.starts_with("never reviewed"), "{late:?}");
    // What it says does not move with the days.
    assert_eq!(
        due(EVERY, &never, Some(&never), "2027-06-01", &[], &[]),
        late
    );
    // The latest review counts, whatever the order in which branches were merged; its day is that of UTC.
    let merged = server(
        "2026-01-01",
        &["2026-03-02T23:30:00-05:00", "2026-02-01T00:00:00Z"],
    );
    assert!(signals(&merged, "2026-04-01", &[]).is_empty());
    assert_eq!(signals(&merged, "2026-04-02", &[]), ["review-every"]);
    let off = ServerSettings {
        review_every: None,
        ..EVERY
    };
    assert!(due(off, &never, Some(&never), "2036-01-01", &[], &[]).is_empty());
}

#[test]
fn a_flag_stands_until_a_review_that_is_younger() {
    let flag = |at: &str| Flag {
        at: at.to_owned(),
        reason: "incident".to_owned(),
        note: "see the ticket".to_owned(),
    };
    let flags = [flag("2026-01-05T10:00:00Z")];
    let before = server("2026-01-01", &["2026-01-05T09:00:00Z"]);
    let found = due(EVERY, &before, Some(&before), "2026-01-06", &flags, &[]);
    assert_eq!(
        found[0].message,
        "flagged on 2026-01-05 (incident): see the ticket"
    );
    let after = server("2026-01-01", &["2026-01-05T11:00:00Z"]);
    assert!(signals(&after, "2026-01-06", &flags).is_empty());
}

#[test]
fn a_review_of_tomorrow_answers_nothing_today() {
    let flags = [Flag {
        at: "2026-03-01T10:00:00Z".to_owned(),
        reason: "incident".to_owned(),
        note: String::new(),
    }];
    let forged = server("2026-01-01", &["2999-01-01T00:00:00Z"]);
    assert_eq!(
        signals(&forged, "2026-03-02", &flags),
        ["review-every", "flagged"]
    );
    let beside = server(
        "2026-01-01",
        &["2999-01-01T00:00:00Z", "2026-03-02T23:00:00Z"],
    );
    assert!(signals(&beside, "2026-03-02", &flags).is_empty());
}

#[test]
fn a_branch_dates_no_step_away_that_its_base_holds() {
    let acknowledged = |at: &str, reviewed: &[&str]| {
        let mut server = server("2026-01-01", reviewed);
        let key = ItemKey::part(part::LAUNCH);
        let item = Item::new(Kind::Server, Value::from("a launch"));
        let record = Acknowledgement {
            change: "c".to_owned(),
            from: None,
            to: Some(item.digest),
            level: Level::Material,
            rules: vec![rules::LAUNCH_CHANGED.id.to_owned()],
            by: "Ann".to_owned(),
            at: at.to_owned(),
            note: String::new(),
        };
        let entry = Entry {
            acknowledgements: vec![record],
            ..Entry::first_sight(item)
        };
        server.entries.insert(key, entry);
        server
    };
    let reviewed = ["2026-01-05T09:00:00Z"];
    let base = acknowledged("2026-01-07T09:00:00Z", &reviewed);
    let found = |own: &Server| due(EVERY, own, Some(&base), "2026-01-10", &[], &[]);
    let wanted = found(&base);
    assert_eq!(wanted[0].signal, "launch-changed");
    assert_eq!(
        found(&acknowledged("2026-01-02T09:00:00Z", &reviewed)),
        wanted
    );
    let mut erased = base.clone();
    for entry in erased.entries.values_mut() {
        entry.acknowledgements.clear();
    }
    assert_eq!(found(&erased), wanted);
    // A review after it answers it.
    let again = ["2026-01-05T09:00:00Z", "2026-01-08T09:00:00Z"];
    assert_eq!(found(&acknowledged("2026-01-07T09:00:00Z", &again)), []);
}
