//! What a history keeps, what it leaves out, and how damage shows.

use super::*;
use crate::model::{ItemKey, Kind, Level};
use crate::pair;
use crate::store::{Key, Observed, ObservedReason, Store};
use std::fs;
use tempfile::TempDir;

fn server() -> (TempDir, ServerStore) {
    let folder = tempfile::tempdir().expect("a folder");
    let key = Key::of_file(Path::new("/nowhere/lock.json"), &"s".into());
    let server = Store::open(folder.path()).server(&key);
    (folder, server)
}

fn event(what: What) -> Event {
    Event {
        at: "2026-01-02T03:04:05Z".to_owned(),
        what,
    }
}

fn taken(text: &str) -> Taken {
    let taking = [("transport".to_owned(), Value::from("stdio"))];
    Taken {
        snapshot: Digest::of(text),
        taking: Value::Object(taking.into_iter().collect()),
    }
}

fn first_sight(text: &str) -> Event {
    event(What::FirstSight {
        taken: taken(text),
        items: vec![],
    })
}

fn change(text: &str) -> Event {
    let key = |name: &str| ItemKey::new(Kind::Tool, name);
    event(What::Change {
        taken: taken(text),
        changes: vec![Observed {
            id: "0123456789ab".to_owned(),
            key: key("new"),
            former: Some(key("old\u{202e}")),
            event: pair::Event::Renamed,
            reasons: vec![ObservedReason {
                rule: "description-changed".to_owned(),
                level: Level::Material,
                path: "/description".to_owned(),
            }],
        }],
        items: vec![key("third")],
        announced: Some(false),
        delay: Some(60_000),
    })
}

fn unreachable() -> Event {
    event(What::Unreachable {
        kind: "timeout".to_owned(),
        message: "no answer\nwithin 3 s".to_owned(),
    })
}

fn flagged() -> Event {
    event(What::Flagged {
        reason: "incident".to_owned(),
        note: String::new(),
    })
}

/// A history of every kind of event.
fn filled() -> (TempDir, ServerStore, Vec<Event>) {
    let (folder, server) = server();
    let events = vec![
        first_sight("1"),
        change("2"),
        unreachable(),
        event(What::Reachable),
        event(What::Disabled),
        event(What::Enabled),
        flagged(),
    ];
    let mut writer = server.lock().expect("free");
    for event in &events {
        assert!(writer.append(event.clone()).expect("written"));
    }
    drop(writer);
    (folder, server, events)
}

#[test]
fn every_kind_of_event_reads_back_in_order() {
    let (_folder, server, events) = filled();
    let history = server.history().expect("whole");
    assert_eq!(history.events, events);
    assert!(!history.torn);
    let latest = history.latest().expect("a snapshot");
    assert_eq!(latest.taken.snapshot, Digest::of("2"));
    let text = fs::read_to_string(server.history_path()).expect("read");
    assert!(text.starts_with(&format!(
        "{{\"at\":\"2026-01-02T03:04:05Z\",\"event\":\"first-sight\",\"prev\":\"{START}\""
    )));
    assert_eq!(text.lines().count(), events.len());
}

#[test]
fn what_tells_nothing_new_is_not_written() {
    let (_folder, server) = server();
    let mut writer = server.lock().expect("free");
    for (event, written) in [
        (event(What::Reachable), false),
        (event(What::Enabled), false),
        (unreachable(), true),
        (unreachable(), false),
        (first_sight("1"), true),
        (event(What::Reachable), false),
        (change("1"), false),
        (change("2"), true),
        (unreachable(), true),
        (change("2"), false),
        (event(What::Reachable), true),
        (event(What::Disabled), true),
        (event(What::Disabled), false),
        (change("1"), true),
        (flagged(), true),
        (flagged(), true),
    ] {
        assert_eq!(
            writer.append(event.clone()).expect("written"),
            written,
            "{event:?}"
        );
    }
    drop(writer);
    assert_eq!(server.history().expect("whole").events.len(), 9);
}

#[test]
fn a_torn_last_line_is_cut_by_the_next_writer_and_said() {
    let (_folder, server, events) = filled();
    let path = server.history_path();
    let whole = fs::read(&path).expect("read");
    let last = whole[..whole.len() - 1]
        .iter()
        .rposition(|b| *b == b'\n')
        .expect("lines")
        + 1;
    for torn in [
        whole[..=last].to_vec(),
        whole[..whole.len() - 1].to_vec(),
        [&whole[..last], b"{\"at\":\"20\n"].concat(),
        [&whole[..last], &[0; 20]].concat(),
    ] {
        fs::write(&path, &torn).expect("written");
        let known = server.known_end().expect("an end");
        assert_eq!(known.line, events.len());
        assert!(server.history().is_err(), "it was whole once");
        // A run that was stopped in its line had not come to write down the end.
        fs::remove_file(server.end_path()).expect("removed");
        let history = server.history().expect("torn, not broken");
        assert!(history.torn);
        assert_eq!(history.events, events[..events.len() - 1]);
        let mut writer = server.lock().expect("free");
        assert!(writer.repaired());
        assert_eq!(fs::read(&path).expect("read"), whole[..last]);
        assert!(writer.append(flagged()).expect("written"));
        drop(writer);
        assert_eq!(fs::read(&path).expect("read"), whole);
        assert_eq!(server.known_end(), Some(known));
        assert!(!server.lock().expect("free").repaired());
    }
}

#[test]
fn a_broken_chain_is_an_error_that_names_the_line_and_stops_writing() {
    let (_folder, server, _) = filled();
    let path = server.history_path();
    let whole = fs::read_to_string(&path).expect("read");
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let without = |gone: usize| {
        let mut lines = lines.clone();
        lines.remove(gone);
        lines.concat()
    };
    let mut swapped = lines.clone();
    swapped.swap(3, 4);
    for (text, line) in [
        (whole.replacen("timeout", "timeoff", 1), 4),
        (without(0), 1),
        (without(2), 3),
        (swapped.concat(), 4),
        (whole.replacen("{\"at\"", "{at", 1), 1),
        (
            whole.replacen("\"event\":\"flagged\"", "\"event\":\"unheard\"", 1),
            7,
        ),
        (whole.replacen('\n', "\n\n", 1), 2),
        (
            whole.replacen("{\"at\":\"2026", "{\"at\":\"2025\",\"at\":\"2026", 1),
            1,
        ),
    ] {
        fs::write(&path, &text).expect("written");
        for error in [server.history().err(), server.lock().err()] {
            let error = error.expect("broken");
            assert!(
                matches!(error, StoreError::Broken { line: found, .. } if found == line),
                "{line}: {error}"
            );
        }
        assert_eq!(fs::read_to_string(&path).expect("read"), text);
    }
}

#[test]
fn verifying_wants_every_snapshot_whole() {
    let (_folder, server) = server();
    let snapshot = server.write_snapshot(&crate::catalogue::Catalogue {
        known: [Kind::Tool].into(),
        ..Default::default()
    });
    let taken = Taken {
        snapshot: snapshot.expect("written"),
        ..taken("")
    };
    let first = What::FirstSight {
        taken: taken.clone(),
        items: vec![],
    };
    let mut writer = server.lock().expect("free");
    writer.append(event(first)).expect("written");
    assert_eq!(server.verify().expect("whole").events.len(), 1);
    let path = server.snapshot_path(taken.snapshot);
    fs::write(&path, "{}").expect("written");
    assert!(
        matches!(server.verify(), Err(StoreError::Damaged { path: found, .. }) if found == path)
    );
}

#[test]
fn an_end_that_was_not_written_is_made_up_for_by_the_next_writer() {
    let (_folder, server, events) = filled();
    let whole = server.known_end();
    let earlier = End {
        line: 2,
        hash: Digest::of_raw(b"none of the lines").hex(),
    };
    for left in ["", "{", "\0\0\0", r#"{"hash":"","line":"1"}"#] {
        fs::write(server.end_path(), left).expect("written");
        assert_eq!(server.known_end(), None, "{left}");
        assert_eq!(server.history().expect("whole").events, events);
        drop(server.lock().expect("free"));
        assert_eq!(server.known_end(), whole);
    }
    // Of an earlier line nothing is asked: the later ones follow from it.
    earlier.write(&server.end_path()).expect("written");
    assert_eq!(server.history().expect("whole").events, events);
    drop(server.lock().expect("free"));
    assert_eq!(server.known_end(), whole);
}
