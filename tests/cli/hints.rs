//! The hints at the end of a report are commands: pasted, they lead on.

use crate::support::{Output, Sandbox, scripted};
use serde_json::{Value, json};

const TOOL: &str = r#"{"tools":[{"name":"find","description":"Find.","inputSchema":{"type":"object"}}],"instructions":"Be kind.\nBe quick."}"#;

/// A project whose configuration names these servers.
fn configure(sandbox: &Sandbox, servers: &[(&str, Value)]) {
    let servers: serde_json::Map<String, Value> = servers
        .iter()
        .map(|(name, entry)| ((*name).to_owned(), entry.clone()))
        .collect();
    sandbox.write(".mcp.json", json!({ "mcpServers": servers }).to_string());
}

fn entry(sandbox: &Sandbox, options: &[&str]) -> Value {
    let command = scripted(&sandbox.path("catalogue.json"));
    let args: Vec<&str> = options
        .iter()
        .copied()
        .chain(command[1..].iter().map(String::as_str))
        .collect();
    json!({ "command": command[0], "args": args })
}

fn hints(output: &Output) -> Vec<&str> {
    let lines = output.stdout.lines();
    lines
        .filter_map(|line| line.strip_prefix("hint: "))
        .collect()
}

/// Runs a hint. None of these needs a shell.
fn paste(sandbox: &Sandbox, hint: &str) -> Output {
    let words: Vec<&str> = hint.split(' ').collect();
    assert_eq!(words[0], "countersign", "{hint}");
    sandbox.run(&words[1..])
}

fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("catalogue.json", TOOL);
    configure(&sandbox, &[("notes", entry(&sandbox, &[]))]);
    sandbox
}

#[test]
fn a_first_sight_leads_to_the_lockfile_and_shows_what_to_read() {
    let sandbox = project();
    let first = sandbox.run(&["snapshot"]).expect(0);
    assert_eq!(
        hints(&first),
        ["read `countersign.lock.json`, then commit it: git add countersign.lock.json"]
    );
    assert!(
        first
            .stdout
            .contains("server notes: first sight, recorded as the baseline, 1 item\n"),
        "{}",
        first.stdout
    );
    assert!(
        first.stdout.contains("\n  | Be kind.\n  | Be quick.\n"),
        "{}",
        first.stdout
    );
    let second = sandbox.run(&["snapshot"]).expect(0);
    assert_eq!(hints(&second), [""; 0]);
}

#[test]
fn a_new_server_leads_to_a_snapshot_of_it() {
    let sandbox = project();
    sandbox.run(&["snapshot"]).expect(0);
    let off = json!({ "command": "nothing", "disabled": true });
    configure(
        &sandbox,
        &[
            ("notes", entry(&sandbox, &[])),
            ("wiki", entry(&sandbox, &[])),
            ("off", off),
        ],
    );
    let shown = sandbox.run(&["diff"]).expect(1);
    assert_eq!(hints(&shown), ["countersign snapshot wiki"]);
    assert!(
        shown.stdout.contains("server off: disabled"),
        "{}",
        shown.stdout
    );
    paste(&sandbox, hints(&shown)[0]).expect(0);
    sandbox.run(&["diff"]).expect(0);
}

#[test]
fn a_changed_launch_leads_to_its_acknowledgement() {
    let sandbox = project();
    sandbox.run(&["snapshot"]).expect(0);
    configure(
        &sandbox,
        &[("notes", entry(&sandbox, &["--page-size", "1"]))],
    );
    let shown = sandbox.run(&["diff"]).expect(1);
    assert_eq!(
        hints(&shown),
        ["countersign review notes", "countersign ack notes/launch"]
    );
    paste(&sandbox, hints(&shown)[0]).expect(1);
    sandbox
        .run(&["ack", "notes/launch", "--by", "A. Reviewer"])
        .expect(0);
    sandbox.run(&["diff"]).expect(0);
}

#[test]
fn quiet_says_what_waits_and_nothing_else() {
    let sandbox = project();
    let recorded = "server notes: first sight, recorded as the baseline, 1 item\n";
    assert_eq!(sandbox.run(&["snapshot", "-q"]).expect(0).stdout, recorded);
    assert_eq!(sandbox.run(&["diff", "-q"]).expect(0).stdout, "");
    sandbox.write("catalogue.json", TOOL.replace("Find.", "Find it."));
    let waiting = sandbox.run(&["diff", "-q"]).expect(1).stdout;
    assert_eq!(waiting.lines().count(), 2, "{waiting}");
    let lines = "server notes: 1 material change waits\nmaterial  tool notes/find  changed  [";
    assert!(waiting.starts_with(lines), "{waiting}");
    sandbox.write("catalogue.json", "{");
    let broken = sandbox.run(&["diff", "-q"]).expect(2).stdout;
    assert!(
        broken.starts_with("server notes: could not be checked\n  error: "),
        "{broken}"
    );
}
