//! `replay`: what a file holds, as a server in either era.

use crate::support::{Sandbox, scripted, text};
use crate::talking::Talk;
use serde_json::json;

const CATALOGUE: &str = r#"{"tools":[{"name":"b","description":"B","inputSchema":{"type":"object"}},{"name":"a","n":1.0,"n":2}],
"instructions":"Be kind.","serverInfo":{"name":"notes","version":"1.0.0"},"prompts":[{"name":"p"}]}"#;

#[test]
fn a_list_is_served_as_it_is_written_in_both_eras() {
    let sandbox = Sandbox::new();
    sandbox.write("list.json", CATALOGUE);
    let mut talk = Talk::with(&sandbox, &["replay", "list.json"]);
    let hello = talk.initialize();
    assert_eq!(hello["instructions"], "Be kind.");
    assert_eq!(hello["serverInfo"]["name"], "notes");
    talk.send("tools/list", json!({}));
    let line = talk.line().expect("an answer");
    assert!(line.contains(r#"{"name":"a","n":1.0,"n":2}"#), "{line}");
    let (said, is_error) = talk.call("a", &json!({}));
    assert!(is_error && said.contains("replay of `list.json`"), "{said}");
    let other = talk.ask("resources/list", json!({}));
    assert_eq!(other["error"]["code"], -32601);
    assert_eq!(talk.leave(), 0);

    let mut talk = Talk::with(&sandbox, &["replay", "list.json"]).modern();
    let hello = talk.ask("server/discover", json!({}));
    assert_eq!(hello["result"]["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(talk.tools(), ["b", "a"]);
    let prompts = talk.ask("prompts/list", json!({}));
    assert_eq!(prompts["result"]["resultType"], "complete");
    assert_eq!(talk.leave(), 0);
}

#[test]
fn what_was_recorded_is_what_a_replay_shows() {
    let sandbox = Sandbox::new();
    sandbox.write("catalogue.json", CATALOGUE);
    let server = scripted(&sandbox.path("catalogue.json"));
    let server: Vec<&str> = server.iter().map(String::as_str).collect();
    let live = [&["--name", "notes", "--"], &server[..]].concat();
    sandbox
        .run(&[&["snapshot", "--transcript", "talk.jsonl"], &live[..]].concat())
        .expect(0);
    let stored = std::fs::read_dir(sandbox.data().join("servers"))
        .expect("a folder")
        .map(|server| server.expect("an entry").path().join("snapshots"))
        .flat_map(|folder| std::fs::read_dir(folder).expect("snapshots"))
        .map(|file| text(&file.expect("a snapshot").path()))
        .next()
        .expect("one snapshot");
    let program = env!("CARGO_BIN_EXE_countersign");
    for file in [stored.as_str(), "talk.jsonl"] {
        let replayed = [
            "diff",
            "--start-changed",
            "--name",
            "notes",
            "--",
            program,
            "replay",
            file,
        ];
        let output = sandbox.run(&replayed);
        // Only the launch is another one.
        assert!(output.stdout.contains("launch-changed"), "{output:?}");
        assert!(
            output.stdout.contains("3 items unchanged") || output.stdout.contains("3 unchanged"),
            "{}",
            output.stdout
        );
    }
}

#[test]
fn what_is_no_catalogue_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("x.json", "{}");
    let twice = r#"{"tools":[{"name":"a"}],"tools":[{"name":"b"}]}"#;
    sandbox.write("twice.json", twice);
    sandbox.write("wrapped.json", format!("{{\"result\":{twice}}}"));
    sandbox.write("t.jsonl", "{\"transcript\":1}\nnonsense\n");
    sandbox.write(
        "two.jsonl",
        "{\"transcript\":1}\n{\"server\":\"a\",\"way\":\"sent\",\"message\":\"\"}\n{\"server\":\"b\",\"way\":\"sent\",\"message\":\"\"}\n",
    );
    for (file, words) in [
        ("x.json", "neither a snapshot nor a list result"),
        ("none.json", "cannot replay `none.json`"),
        (".", "it is no regular file"),
        ("twice.json", "`tools`"),
        ("wrapped.json", "`tools`"),
        ("t.jsonl", "line 2 is none of a transcript"),
        ("two.jsonl", "several servers: a, b"),
    ] {
        let output = sandbox.run(&["replay", file]).expect(2);
        assert!(output.stderr.contains(words), "{}", output.stderr);
    }
}
