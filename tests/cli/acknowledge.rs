//! `ack` covers what was shown, and nothing more: neither what was left out of a review, nor another account's list,
//! nor what a lockfile that was exchanged makes of it.

use crate::support::{Sandbox, scripted};
use serde_json::{Value, json};

fn configure(sandbox: &Sandbox, servers: &Value) {
    sandbox.write(".mcp.json", json!({ "mcpServers": servers }).to_string());
}

/// Tools by name and description, as a server lists them.
fn serve(sandbox: &Sandbox, file: &str, tools: &[(&str, &str)]) {
    let tools: Vec<Value> = tools
        .iter()
        .map(|(name, text)| json!({ "name": name, "description": text, "inputSchema": { "type": "object" } }))
        .collect();
    sandbox.write(file, json!({ "tools": tools }).to_string());
}

/// A project with one server, and its first snapshot.
fn project(tools: &[(&str, &str)]) -> Sandbox {
    let sandbox = Sandbox::new();
    serve(&sandbox, "catalogue.json", tools);
    let command = scripted(&sandbox.path("catalogue.json"));
    let server = json!({ "command": command[0], "args": command[1..] });
    configure(&sandbox, &json!({ "notes": server }));
    sandbox.run(&["snapshot"]).expect(0);
    sandbox
}

const BY: [&str; 2] = ["--by", "A. Reviewer"];

#[test]
fn a_review_of_one_item_acknowledges_no_other() {
    let sandbox = project(&[("find", "Finds."), ("send", "Sends.")]);
    serve(
        &sandbox,
        "catalogue.json",
        &[("find", "Finds notes."), ("send", "Sends.")],
    );
    sandbox.run(&["diff"]).expect(1);
    // A newer snapshot, stored for another lockfile.
    let newer = [("find", "Finds notes."), ("send", "Sends everything.")];
    serve(&sandbox, "catalogue.json", &newer);
    sandbox.run(&["snapshot", "--lock", "other.json"]).expect(0);

    let shown = sandbox.run(&["review", "notes/find"]).expect(1).stdout;
    assert!(!shown.contains("everything"), "{shown}");
    for selector in ["--all", "notes", "notes/send"] {
        let said = sandbox
            .run(&["ack", selector, BY[0], BY[1]])
            .expect(2)
            .stderr;
        assert!(said.contains("was not shown"), "{said}");
    }
    sandbox.run(&["ack", "notes/find", BY[0], BY[1]]).expect(0);
    sandbox.run(&["review", "notes/send"]).expect(1);
    sandbox.run(&["ack", "--all", BY[0], BY[1]]).expect(0);
    sandbox.run(&["diff"]).expect(0);
}

#[test]
fn what_was_shown_beside_another_lockfile_is_looked_at_again() {
    let sandbox = project(&[("find", "Finds. Never send what it finds.")]);
    let first = sandbox.read("countersign.lock.json");
    serve(&sandbox, "catalogue.json", &[("find", "Finds")]);
    sandbox.run(&["diff"]).expect(1);
    sandbox.run(&["ack", "--all", BY[0], BY[1]]).expect(0);
    serve(&sandbox, "catalogue.json", &[("find", "Finds.")]);
    sandbox.run(&["diff"]).expect(1);
    // As after a checkout: beside this baseline the change is a larger one.
    sandbox.write("countersign.lock.json", first);
    let said = sandbox
        .run(&["ack", "notes/find", BY[0], BY[1]])
        .expect(2)
        .stderr;
    assert!(said.contains("was not shown"), "{said}");
    sandbox.run(&["review"]).expect(1);
    sandbox.run(&["ack", "notes/find", BY[0], BY[1]]).expect(0);
}

#[cfg(unix)]
#[test]
fn two_servers_that_differ_in_a_value_only_are_kept_apart() {
    let sandbox = Sandbox::new();
    serve(&sandbox, "home.json", &[("find", "Finds at home.")]);
    serve(&sandbox, "work.json", &[("find", "Finds at work.")]);
    let server = |file: &str| {
        let [program, catalogue] = &scripted(&sandbox.path(file))[..] else {
            panic!("a program and a catalogue");
        };
        json!({
            "command": "/bin/sh", "args": ["-c", r#"exec "$PROGRAM" "$CATALOGUE""#],
            "env": { "PROGRAM": program, "CATALOGUE": catalogue },
        })
    };
    let servers = json!({ "home": server("home.json"), "work": server("work.json") });
    configure(&sandbox, &servers);
    sandbox.run(&["snapshot"]).expect(0);
    sandbox.run(&["diff"]).expect(0);
    sandbox.run(&["review"]).expect(0);

    serve(&sandbox, "home.json", &[("find", "Finds all at home.")]);
    sandbox.run(&["diff"]).expect(1);
    let shown = sandbox.run(&["review"]).expect(1).stdout;
    assert!(
        shown.contains("1 material change waits in 1 server"),
        "{shown}"
    );
    sandbox.run(&["ack", "home", BY[0], BY[1]]).expect(0);
    sandbox.run(&["diff"]).expect(0);
}

#[test]
fn a_live_server_brings_no_instructions_into_a_baseline_from_a_file() {
    let sandbox = Sandbox::new();
    sandbox.write("list.json", r#"{"tools":[]}"#);
    sandbox
        .run(&["snapshot", "--name", "notes", "--from", "list.json"])
        .expect(0);
    sandbox.write(
        "catalogue.json",
        r#"{"tools":[],"instructions":"Send it on."}"#,
    );
    let command = scripted(&sandbox.path("catalogue.json"));
    let server = json!({ "command": command[0], "args": command[1..] });
    configure(&sandbox, &json!({ "notes": server }));
    sandbox.run(&["diff"]).expect(1);
    sandbox.run(&["snapshot"]).expect(0);
    let shown = sandbox.run(&["diff"]).expect(1).stdout;
    assert!(shown.contains("instructions-changed"), "{shown}");
    sandbox.run(&["ack", "notes", BY[0], BY[1]]).expect(0);
    sandbox.run(&["diff"]).expect(0);
}

#[test]
fn a_server_whose_launch_was_taken_out_of_the_lockfile_is_not_started() {
    let sandbox = project(&[("find", "Finds.")]);
    let mut lock: Value =
        serde_json::from_str(&sandbox.read("countersign.lock.json")).expect("a lockfile");
    let server = lock["servers"]["notes"].as_object_mut();
    server.expect("a server").remove("launch");
    sandbox.write("countersign.lock.json", lock.to_string());
    // It would say so if it were asked.
    sandbox.write("catalogue.json", "{");
    let report = sandbox.run(&["diff", "--format", "json"]).expect(1).json();
    let server = &report["servers"][0];
    assert_eq!(server["changes"][0]["reasons"][0]["rule"], "server-added");
    assert_eq!(server["error"], Value::Null);
    sandbox.run(&["diff", "notes"]).expect(2);
}

#[test]
fn another_launch_waits_although_the_server_is_disabled() {
    let sandbox = project(&[("find", "Finds.")]);
    let other = json!({ "command": "other", "disabled": true });
    configure(&sandbox, &json!({ "notes": other }));
    let shown = sandbox.run(&["diff"]).expect(1).stdout;
    assert!(
        shown.contains("notes: disabled, 1 material change waits"),
        "{shown}"
    );
    sandbox
        .run(&["ack", "notes/launch", BY[0], BY[1]])
        .expect(0);
    sandbox.run(&["diff"]).expect(0);
}

#[test]
fn the_policy_of_an_item_holds_for_it() {
    let sandbox = project(&[("find", "Finds."), ("send", "Sends.")]);
    let mut lock: Value =
        serde_json::from_str(&sandbox.read("countersign.lock.json")).expect("a lockfile");
    lock["servers"]["notes"]["policy"] =
        json!({ "items": { "tool:send": { "reviewers": 2, "requireNote": true } } });
    sandbox.write("countersign.lock.json", lock.to_string());
    serve(
        &sandbox,
        "catalogue.json",
        &[("find", "Finds all."), ("send", "Sends all.")],
    );
    sandbox.run(&["diff"]).expect(1);
    sandbox.run(&["ack", "notes/find", BY[0], BY[1]]).expect(0);
    sandbox.run(&["ack", "notes/send", BY[0], BY[1]]).expect(2);
    let said = sandbox
        .run(&["ack", "notes/send", BY[0], BY[1], "--note", "fine"])
        .expect(0)
        .stdout;
    assert!(said.contains("1 more reviewer is awaited"), "{said}");
    sandbox.run(&["diff"]).expect(1);
}
