//! How often tools are called through guards, and where that is seen.

use crate::guard::{ADD, FIND, Guarded, NEW};
use serde_json::{Value, json};

fn used(guarded: &Guarded) -> Value {
    let shown = guarded
        .sandbox
        .run(&["servers", "--format", "json"])
        .expect(0);
    shown.json()["servers"][0]["used"].clone()
}

fn counts(used: &Value, tool: &str) -> [u64; 4] {
    let tools = used.as_array().expect("a list");
    let found = tools.iter().find(|used| used["tool"] == tool);
    let found = found.unwrap_or_else(|| panic!("{tool} in {used}"));
    ["calls", "refused", "held", "argumentBytes"].map(|name| found[name].as_u64().expect(name))
}

#[test]
fn calls_are_counted_by_tool_and_shown() {
    let guarded = Guarded::new();
    assert_eq!(used(&guarded), json!([]));
    guarded.offer(&[ADD, FIND, NEW]);
    let mut talk = guarded.talk();
    talk.initialize();
    for _ in 0..3 {
        assert!(!talk.call("add", &json!({"text": "abc"})).1);
    }
    assert!(talk.call("new", &json!({})).1);
    assert!(talk.call("hidden", &json!({})).1);
    guarded.policy(json!({"items": {"tool:add": {"rule": "block"}}}));
    assert!(talk.call("add", &json!({"text": "abc"})).1);
    assert_eq!(talk.leave(), 0);
    let found = used(&guarded);
    assert_eq!(counts(&found, "add"), [4, 1, 0, 3 * 14]);
    assert_eq!(counts(&found, "new"), [1, 0, 1, 0]);
    assert_eq!(counts(&found, "hidden"), [1, 1, 0, 0]);
    let shown = guarded.sandbox.run(&["servers", "-v"]).expect(0).stdout;
    let row = shown.lines().find(|line| line.contains("notes/add"));
    let row = row.unwrap_or_else(|| panic!("{shown}"));
    let cells: Vec<&str> = row
        .split(|c: char| !c.is_alphanumeric())
        .filter(|c| !c.is_empty())
        .collect();
    assert_eq!(cells[2..6], ["4", "1", "0", "42"], "{row}");
    let plain = guarded.sandbox.run(&["servers"]).expect(0).stdout;
    assert!(!plain.contains("notes/add"), "{plain}");
}

#[test]
fn two_guards_on_one_data_directory_lose_no_count_and_a_signal_none_either() {
    let guarded = Guarded::new();
    let mut talks = [guarded.talk(), guarded.talk()];
    for talk in &mut talks {
        talk.initialize();
    }
    for _ in 0..5 {
        for talk in &mut talks {
            assert!(!talk.call("add", &json!({})).1);
        }
    }
    let [one, mut other] = talks;
    #[cfg(unix)]
    {
        let pid = rustix::process::Pid::from_child(&other.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("sent");
        while other.line().is_some() {}
    }
    assert_eq!(one.leave(), 0);
    other.leave();
    assert_eq!(counts(&used(&guarded), "add")[0], 10);
}

#[test]
fn counts_that_cannot_be_kept_hinder_no_call_and_are_named() {
    let guarded = Guarded::new();
    let mut talk = guarded.talk();
    talk.initialize();
    assert!(!talk.call("add", &json!({})).1);
    assert_eq!(talk.leave(), 0);
    let folder = guarded.sandbox.data().join("used");
    let file = std::fs::read_dir(folder).expect("a folder").next();
    let file = file.expect("one").expect("an entry").path();
    std::fs::write(&file, "{").expect("written");
    let mut talk = guarded.talk();
    talk.initialize();
    assert!(!talk.call("add", &json!({})).1);
    assert_eq!(talk.leave(), 0);
    let output = guarded.sandbox.run(&["servers", "-v"]).expect(2);
    let said = output.stdout + &output.stderr;
    assert!(said.contains("not a record of counted calls"), "{said}");
    assert!(said.contains("hint: rm "), "{said}");
}
