//! The era of a server is remembered from run to run, for a day.

use crate::support::{HttpServer, Sandbox, repository, scripted, text};
use std::path::PathBuf;

/// The requests that a check sent, by method.
fn asked(sandbox: &Sandbox, command: &str, more: &[&str]) -> Vec<String> {
    let words = [command, "--name", "demo", "--transcript", "t.jsonl"];
    sandbox.run(&[&words, more].concat()).expect(0);
    let transcript = sandbox.read("t.jsonl");
    let lines = transcript.lines().skip(1);
    let lines = lines.map(|line| serde_json::from_str(line).expect("a line of JSON"));
    lines
        .filter(|line: &serde_json::Value| line["way"] == "sent")
        .filter_map(|line| {
            let message = line["message"].as_str().expect("a text");
            let message: serde_json::Value = serde_json::from_str(message).expect("a message");
            let method = message["method"].as_str()?.to_owned();
            message.get("id").map(|_| method)
        })
        .collect()
}

fn remembered(sandbox: &Sandbox) -> PathBuf {
    let servers = std::fs::read_dir(sandbox.data().join("servers")).expect("a folder");
    let mut files = servers.map(|entry| entry.expect("an entry").path().join("era.json"));
    let file = files.next().expect("a server");
    assert_eq!(files.next(), None, "one server");
    file
}

#[test]
fn a_legacy_server_is_asked_one_question_less_from_the_second_run_on() {
    let sandbox = Sandbox::new();
    let catalogue = repository("fixtures/demo/before.json");
    let mut words = scripted(&catalogue);
    words.splice(1..1, ["--era".to_owned(), "legacy".to_owned()]);
    words.insert(0, "--".to_owned());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let first = asked(&sandbox, "snapshot", &words);
    assert_eq!(first[..2], ["server/discover", "initialize"]);
    let known = remembered(&sandbox);
    let kept = std::fs::read_to_string(&known).expect("an era");
    assert!(kept.contains(r#""era":"legacy""#), "{kept}");
    for _ in 0..2 {
        assert_eq!(asked(&sandbox, "diff", &words), first[1..]);
    }
    // It is not believed for longer because it was used.
    assert_eq!(std::fs::read_to_string(&known).expect("an era"), kept);
    // What is older than a day, yet to come, or damaged is asked for again.
    for old in [
        r#"{"at":"2026-01-02T03:04:05Z","era":"legacy"}"#,
        r#"{"at":"9026-01-02T03:04:05Z","era":"legacy"}"#,
        "{",
    ] {
        std::fs::write(&known, old).expect("written");
        assert_eq!(asked(&sandbox, "diff", &words), first, "{old}");
        assert_eq!(asked(&sandbox, "diff", &words), first[1..], "{old}");
    }
}

#[test]
fn a_server_that_has_become_a_modern_one_is_found_out_and_remembered_as_such() {
    let sandbox = Sandbox::new();
    let catalogue = repository("fixtures/demo/before.json");
    let legacy = HttpServer::scripted(&catalogue, &["--era", "legacy"]);
    let modern = HttpServer::scripted(&catalogue, &["--era", "modern"]);
    sandbox.set("SERVER", &legacy.url);
    let words = ["--url", "${SERVER}"];
    let first = asked(&sandbox, "snapshot", &words);
    assert_eq!(first[..2], ["server/discover", "initialize"]);
    assert_eq!(asked(&sandbox, "diff", &words), first[1..]);
    sandbox.set("SERVER", &modern.url);
    let moved = asked(&sandbox, "diff", &words);
    let discovered = moved.iter().filter(|method| *method == "server/discover");
    assert_eq!((moved[0].as_str(), discovered.count()), ("initialize", 1));
    let kept = text(&remembered(&sandbox));
    let kept = std::fs::read_to_string(kept).expect("an era");
    assert!(kept.contains(r#""era":"modern""#), "{kept}");
    let after = asked(&sandbox, "diff", &words);
    assert_eq!(after[0], "server/discover");
    assert!(!after.contains(&"initialize".to_owned()), "{after:?}");
}

#[test]
fn a_revision_that_was_asked_for_is_not_remembered() {
    let sandbox = Sandbox::new();
    let words = scripted(&repository("fixtures/demo/before.json"));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let plain = [&["--"], &words[..]].concat();
    let named = [&["--protocol", "2025-11-25"], &plain[..]].concat();
    assert_eq!(asked(&sandbox, "snapshot", &named)[0], "initialize");
    assert!(!remembered(&sandbox).exists());
    assert_eq!(asked(&sandbox, "diff", &plain)[0], "server/discover");
    assert_eq!(asked(&sandbox, "diff", &named)[0], "initialize");
    assert_eq!(asked(&sandbox, "diff", &plain)[0], "server/discover");
}
