//! Where a first user stumbled: what is said leads on, and what was asked for happens.

use crate::support::{Sandbox, scripted};
use serde_json::{Value, json};
use std::fs;

fn catalogue(description: &str) -> String {
    let tool =
        json!({ "name": "find", "description": description, "inputSchema": { "type": "object" } });
    json!({ "tools": [tool] }).to_string()
}

/// A locked project whose server `notes` reads `notes.json`.
fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("notes.json", catalogue("Finds."));
    sandbox.write("other.json", catalogue("Finds other things."));
    configure(&sandbox, &["notes"]);
    sandbox.run(&["snapshot"]).expect(0);
    sandbox
}

fn configure(sandbox: &Sandbox, names: &[&str]) {
    let server = |name: &&str| {
        let command = scripted(&sandbox.path(&format!("{name}.json")));
        (
            (*name).to_owned(),
            json!({ "command": command[0], "args": command[1..] }),
        )
    };
    let servers: serde_json::Map<String, Value> = names.iter().map(server).collect();
    sandbox.write(".mcp.json", json!({ "mcpServers": servers }).to_string());
}

#[test]
fn full_writes_both_sides_of_each_change_whole() {
    let sandbox = project();
    let long = format!("Finds {}.", "very ".repeat(8_000));
    sandbox.write("notes.json", catalogue(&long));
    sandbox.run(&["diff", "--full", "sides"]).expect(1);
    let mut texts: Vec<(String, String)> = fs::read_dir(sandbox.path("sides"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry"))
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read_to_string(entry.path()).expect("text"))
        })
        .collect();
    texts.sort();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts[0].0.starts_with("find-") && texts[0].0.ends_with(".after.json"));
    assert!(texts[0].1.contains(&long) && texts[1].1.contains("Finds."));
}

#[test]
fn a_server_that_nobody_took_in_waits_in_review_too_until_it_leaves_the_configuration() {
    let sandbox = project();
    sandbox.run(&["diff"]).expect(0);
    configure(&sandbox, &["notes", "other"]);
    sandbox.run(&["diff"]).expect(1);
    let report = sandbox
        .run(&["review", "--format", "json"])
        .expect(1)
        .json();
    let other = &report["servers"][1];
    assert_eq!(other["name"], "other");
    assert_eq!(other["changes"][0]["reasons"][0]["rule"], "server-added");
    configure(&sandbox, &["notes"]);
    sandbox.run(&["diff"]).expect(0);
    sandbox.run(&["review"]).expect(0);
}

#[test]
fn a_server_that_was_dropped_does_not_come_back_as_a_new_one() {
    let sandbox = project();
    sandbox.write("third.json", catalogue("Third."));
    configure(&sandbox, &["notes", "third"]);
    sandbox.run(&["snapshot"]).expect(0);
    configure(&sandbox, &["notes"]);
    let said = sandbox.run(&["prune"]).expect(0).stdout;
    assert!(said.contains("countersign prune third"), "{said}");
    sandbox.run(&["prune", "third"]).expect(0);
    sandbox.run(&["review"]).expect(0);
}

#[test]
fn review_says_that_the_last_look_failed_and_from_when_it_speaks() {
    let sandbox = project();
    sandbox.run(&["diff"]).expect(0);
    sandbox.write("notes.json", "{");
    sandbox.run(&["diff"]).expect(2);
    let output = sandbox.run(&["review"]).expect(2);
    assert!(output.stdout.contains("the last look"), "{}", output.stdout);
    assert!(
        output.stderr.contains("snapshot-taken"),
        "{}",
        output.stderr
    );
}

#[test]
fn flags_that_would_reach_no_server_are_refused() {
    let sandbox = project();
    for flags in [["--env", "A=b"], ["-H", "A: b"]] {
        let words = [&["diff"], &flags[..]].concat();
        let said = sandbox.run(&words).expect(2).stderr;
        assert!(said.contains("reach only servers"), "{said}");
    }
    sandbox.run(&["diff", "notes", "--env", "A=b"]).expect(0);
}

#[test]
fn a_word_that_names_nothing_gets_the_nearest_name_and_an_old_id_its_answer() {
    let sandbox = project();
    let said = sandbox.run(&["review", "notes/fnd"]).expect(2).stderr;
    assert!(said.contains("`notes/find` is near"), "{said}");
    sandbox.write("notes.json", catalogue("Finds all."));
    let report = sandbox.run(&["diff", "--format", "json"]).expect(1).json();
    let id = report["servers"][0]["changes"][0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    sandbox.run(&["ack", &id, "--by", "x"]).expect(0);
    let said = sandbox.run(&["ack", &id, "--by", "x"]).expect(2).stderr;
    assert!(said.contains("acknowledged already"), "{said}");
}

#[test]
fn a_missing_file_is_the_one_that_is_named() {
    let sandbox = project();
    let said = sandbox
        .run(&["diff", "notes.json", "absent.json"])
        .expect(2)
        .stderr;
    assert!(
        said.contains("`absent.json`") && !said.contains("`notes.json`"),
        "{said}"
    );
}
