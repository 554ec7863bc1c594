//! `approve`: one approval, one call.

use crate::guard::Guarded;
use crate::schema::Schema;
use crate::talking::{Talk, said};
use serde_json::{Value, json};

const REWORDED: &str = r#"{"name":"add","description":"Adds a note. Twice.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}"#;
const AGAIN: &str = r#"{"name":"add","description":"Adds a note. Thrice.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}"#;

/// A drifted tool whose calls are held.
fn drifted() -> (Guarded, Talk) {
    let guarded = Guarded::new();
    guarded.policy(json!({"allowChanges": "ask"}));
    guarded.offer(&[REWORDED]);
    let mut talk = guarded.talk();
    talk.initialize();
    (guarded, talk)
}

/// The id that a held call's answer names.
#[track_caller]
fn held(answer: (String, bool)) -> String {
    let (text, is_error) = answer;
    assert!(is_error, "{text}");
    let rest = text.split("`countersign approve ").nth(1);
    let rest = rest.unwrap_or_else(|| panic!("not held: {text}"));
    rest.split(['`', ' ']).next().expect("a word").to_owned()
}

fn approve(guarded: &Guarded, id: &str) {
    guarded
        .sandbox
        .run(&["approve", id, "--by", "me"])
        .expect(0);
}

#[test]
fn an_approval_lets_exactly_that_call_through_once() {
    let (guarded, mut talk) = drifted();
    let id = held(talk.call("add", &json!({"text": "a", "n": 1.0})));
    assert_eq!(
        held(talk.call("add", &json!({"n": 1, "text": "a"}))),
        id,
        "the same call, spelled otherwise"
    );
    let other = held(talk.call("add", &json!({"text": "b"})));
    assert_ne!(id, other);

    let listed = guarded.sandbox.run(&["approve"]).expect(0);
    for word in [&id, &other, "notes/tool:add", "talker 1.0", "waits"] {
        assert!(listed.stdout.contains(word), "{word}: {}", listed.stdout);
    }
    let shown = guarded
        .sandbox
        .run(&["approve", &id[..6], "--by", "me"])
        .expect(0);
    assert!(
        shown.stdout.contains(r#"{"n":1,"text":"a"}"#),
        "{}",
        shown.stdout
    );
    assert!(
        shown.stdout.contains("description-changed"),
        "{}",
        shown.stdout
    );

    assert_eq!(
        held(talk.call("add", &json!({"text": "b"}))),
        other,
        "another call is not unlocked"
    );
    assert!(!talk.call("add", &json!({"text": "a", "n": 1})).1);
    assert_eq!(
        held(talk.call("add", &json!({"text": "a", "n": 1}))),
        id,
        "it is used up"
    );
}

#[test]
fn an_approval_dies_with_the_definition() {
    let (guarded, mut talk) = drifted();
    let id = held(talk.call("add", &json!({})));
    approve(&guarded, &id);
    guarded.offer(&[AGAIN]);
    let later = held(talk.call("add", &json!({})));
    assert_ne!(id, later);
    guarded.offer(&[REWORDED]);
    assert_eq!(
        held(talk.call("add", &json!({}))),
        id,
        "the approval was for what has gone since"
    );
    assert!(
        guarded
            .sandbox
            .run(&["approve", &later])
            .expect(2)
            .stderr
            .contains("no call is held")
    );
}

#[test]
fn of_identical_calls_at_once_one_passes_across_two_guards() {
    let (guarded, mut talk) = drifted();
    let mut second = guarded.talk();
    second.initialize();
    let call = json!({"name": "add", "arguments": {"text": "a"}});
    for _ in 0..10 {
        let id = held(talk.call("add", &json!({"text": "a"})));
        approve(&guarded, &id);
        let mine: Vec<u64> = (0..3)
            .map(|_| talk.send("tools/call", call.clone()))
            .collect();
        let others: Vec<u64> = (0..3)
            .map(|_| second.send("tools/call", call.clone()))
            .collect();
        let answers = mine
            .into_iter()
            .map(|id| talk.answer(id))
            .collect::<Vec<Value>>();
        let others = others
            .into_iter()
            .map(|id| second.answer(id))
            .collect::<Vec<Value>>();
        let all = answers.iter().chain(&others).map(said);
        assert_eq!(all.filter(|(_, is_error)| !is_error).count(), 1);
    }
}

#[test]
fn a_held_call_is_shown_escaped_and_capped_and_as_json() {
    let (guarded, mut talk) = drifted();
    let long = format!("\u{1b}[8m::error::\u{202e}{}", "x".repeat(20_000));
    let id = held(talk.call("add", &json!({"text": long})));
    let shown = guarded.sandbox.run(&["approve", &id, "--show"]).expect(0);
    assert!(!shown.stdout.contains('\u{1b}') && !shown.stdout.contains('\u{202e}'));
    assert!(
        shown.stdout.contains("bytes more are not shown"),
        "{}",
        shown.stdout
    );
    assert!(shown.stdout.contains("not approved"), "{}", shown.stdout);
    assert!(
        shown
            .stdout
            .lines()
            .all(|line| !line.starts_with("::error"))
    );
    let listed = guarded
        .sandbox
        .run(&["approve", "--format", "json"])
        .expect(0)
        .json();
    assert_eq!(listed["held"][0]["id"], id.as_str());
    assert_eq!(listed["held"][0]["approved"], Value::Null);
    held(talk.call("add", &json!({"text": long})));
}

#[test]
fn no_call_and_an_unknown_one_are_said() {
    let guarded = Guarded::new();
    let none = guarded.sandbox.run(&["approve"]).expect(0);
    assert_eq!(none.stdout, "no call is held\n");
    let unknown = guarded.sandbox.run(&["approve", "abc"]).expect(2);
    assert!(
        unknown.stderr.contains("no call is held under `abc`"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn a_review_shows_the_held_calls_beside_the_change_with_the_command_that_approves_them() {
    let (guarded, mut talk) = drifted();
    let id = held(talk.call("add", &json!({"text": "\u{1b}[2Ja"})));
    guarded.sandbox.run(&["diff"]).expect(1);
    let review = |args: &[&str]| {
        let args = [&["review"], args].concat();
        guarded.sandbox.run(&args).expect(1).stdout
    };
    let shown = review(&[]);
    let beside = shown.split_once("tool notes/add  changed");
    let (_, beside) = beside.unwrap_or_else(|| panic!("{shown}"));
    assert!(
        beside.contains("held call, last asked for by talker 1.0"),
        "{shown}"
    );
    assert!(
        beside.contains(&format!("| countersign approve {id}")),
        "{shown}"
    );
    assert!(!shown.contains('\u{1b}'), "{shown}");
    // Every format that has a place for them tells them too.
    let document = review(&["--format", "json"]).replace("[TIME]", "2026-11-30T00:00:00Z");
    let document: Value = serde_json::from_str(&document).expect("a report");
    Schema::of_report().holds(&document);
    let changes = document["servers"][0]["changes"].as_array();
    let change = changes
        .into_iter()
        .flatten()
        .find(|change| change["name"] == "add");
    let told = &change.expect("a change")["held"];
    assert_eq!(told.as_array().map(Vec::len), Some(1));
    assert_eq!(told[0]["id"], id.as_str());
    assert_eq!(told[0]["askedBy"], "talker 1.0");
    assert_eq!(told[0]["arguments"], r#"{"text":"\u001b[2Ja"}"#);
    for format in ["markdown", "html", "junit", "github"] {
        let shown = review(&["--format", format]);
        let approves = format!("countersign approve {id}");
        assert!(shown.contains(&approves), "{format}: {shown}");
        assert!(shown.contains("talker 1.0"), "{format}: {shown}");
        assert!(!shown.contains('\u{1b}'), "{format}: {shown}");
    }
    for format in ["sarif", "gitlab"] {
        assert!(!review(&["--format", format]).contains(&id));
    }
    // Under another lockfile nothing is held.
    std::fs::copy(
        guarded.sandbox.path("countersign.lock.json"),
        guarded.sandbox.path("other.json"),
    )
    .expect("copied");
    let other = review(&["--lock", "other.json"]);
    assert!(!other.contains("held call"), "{other}");
    approve(&guarded, &id);
    assert!(!review(&[]).contains("held call"));
}
