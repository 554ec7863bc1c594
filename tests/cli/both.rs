//! Drift and failure in one run: drift beats error, both are told, and what is unknown loses nothing.

use crate::files::LOCKFILE;
use crate::support::{Sandbox, python, repository, scripted, text};
use serde_json::{Value, json};

/// Two servers: `good` serves the file `good.json`, `bad` plays the scenario that the script `bad` names.
fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    offers(&sandbox, "One.");
    plays(&sandbox, "prompts_too");
    let good = scripted(&sandbox.path("good.json"));
    let config = json!({ "mcpServers": {
        "bad": { "command": "sh", "args": ["bad"] },
        "good": { "command": good[0], "args": good[1..] },
    }});
    sandbox.write(".mcp.json", config.to_string());
    sandbox.run(&["snapshot"]).expect(0);
    sandbox.run(&["diff"]).expect(0);
    sandbox
}

fn offers(sandbox: &Sandbox, description: &str) {
    let tools = json!({ "tools": [{ "name": "add", "description": description }] });
    sandbox.write("good.json", tools.to_string());
}

fn plays(sandbox: &Sandbox, scenario: &str) {
    let script = text(&repository("fixtures/hostile/stdio_server.py"));
    sandbox.write(
        "bad",
        format!("exec '{}' '{script}' {scenario}\n", python()),
    );
}

fn outcomes(report: &Value) -> Vec<&str> {
    let servers = report["servers"].as_array().expect("servers");
    servers
        .iter()
        .filter_map(|server| server["outcome"].as_str())
        .collect()
}

#[test]
fn drift_beats_error_and_both_are_told() {
    let sandbox = project();
    plays(&sandbox, "dies_at_start");
    let report = sandbox.run(&["diff", "--format", "json"]).expect(2).json();
    assert_eq!(outcomes(&report), ["unknown", "clean"]);
    assert_eq!(report["outcome"], "error");

    offers(&sandbox, "Two.");
    let told = sandbox.run(&["diff"]).expect(1).stdout;
    for words in [
        "server bad: could not be checked",
        "exit status 3",
        "description-changed",
        "1 material change waits in 1 server",
        "1 server could not be checked",
    ] {
        assert!(told.contains(words), "`{words}` is missing in\n{told}");
    }
    let report = sandbox.run(&["diff", "--format", "json"]).expect(1).json();
    assert_eq!(outcomes(&report), ["unknown", "drift"]);
    assert_eq!(report["outcome"], "drift");
    // A snapshot says what waits and judges nothing; what it could not take is its status.
    sandbox.run(&["snapshot"]).expect(2);

    // What was seen can be acknowledged without the other; what was not seen is still unknown.
    sandbox.run(&["ack", "good", "--by", "x"]).expect(0);
    let report = sandbox.run(&["diff", "--format", "json"]).expect(2).json();
    assert_eq!(outcomes(&report), ["unknown", "clean"]);
    plays(&sandbox, "prompts_too");
    sandbox.run(&["diff"]).expect(0);
}

#[test]
fn a_server_of_which_one_list_fails_is_unknown_as_a_whole() {
    let sandbox = project();
    let before = sandbox.read(LOCKFILE);
    assert!(
        before.contains("\"echo\"") && before.contains("\"greet\""),
        "{before}"
    );
    // Its list of tools is whole and lacks one; its list of prompts fails.
    plays(&sandbox, "fails_to_list_prompts");
    for command in ["diff", "snapshot"] {
        let report = sandbox.run(&[command, "--format", "json"]).expect(2).json();
        assert_eq!(outcomes(&report), ["unknown", "clean"]);
        let bad = &report["servers"][0];
        assert_eq!(bad["changes"], json!([]), "{bad:#}");
        assert!(
            bad["error"]["message"].to_string().contains("prompts/list"),
            "{bad:#}"
        );
        assert_eq!(sandbox.read(LOCKFILE), before);
    }
    // Nothing of it waits, so nothing of it is acknowledged, nor is anything stale.
    sandbox.run(&["review"]).expect(2);
    sandbox.run(&["ack", "--all", "--by", "x"]).expect(0);
    sandbox.run(&["prune"]).expect(0);
    assert_eq!(sandbox.read(LOCKFILE), before);
    plays(&sandbox, "prompts_too");
    sandbox.run(&["diff"]).expect(0);
}

#[test]
fn a_first_snapshot_takes_the_servers_that_answer() {
    let sandbox = project();
    std::fs::remove_file(sandbox.path(LOCKFILE)).expect("removed");
    plays(&sandbox, "fails_to_list_prompts");
    let report = sandbox
        .run(&["snapshot", "--format", "json"])
        .expect(2)
        .json();
    assert_eq!(outcomes(&report), ["unknown", "clean"]);
    let lockfile = sandbox.read(LOCKFILE);
    assert!(
        lockfile.contains("\"good\"") && !lockfile.contains("\"bad\""),
        "{lockfile}"
    );
    plays(&sandbox, "prompts_too");
    sandbox.run(&["snapshot"]).expect(0);
    sandbox.run(&["diff"]).expect(0);
}

#[test]
fn a_launch_that_changed_waits_although_the_server_fails() {
    let sandbox = project();
    let config = sandbox.read(".mcp.json");
    sandbox.write(".mcp.json", config.replace(r#"["bad"]"#, r#"["-e","bad"]"#));
    plays(&sandbox, "dies_at_start");
    let report = sandbox
        .run(&["diff", "--start-changed", "--format", "json"])
        .expect(1)
        .json();
    let bad = &report["servers"][0];
    assert_eq!(bad["outcome"], "drift", "{bad:#}");
    assert_eq!(bad["error"]["kind"], "ended", "{bad:#}");
    let id = bad["changes"][0]["id"].as_str().expect("an id");
    assert_eq!(
        bad["changes"][0]["reasons"][0]["rule"], "launch-changed",
        "{bad:#}"
    );
    // It was shown, so it can be acknowledged; the server stays unknown.
    sandbox.run(&["ack", id, "--by", "x"]).expect(0);
    sandbox.run(&["diff"]).expect(2);
    plays(&sandbox, "prompts_too");
    sandbox.run(&["diff"]).expect(0);
}

#[test]
fn a_server_whose_baseline_came_from_a_file_and_that_fails_is_only_unknown() {
    let sandbox = project();
    let from = ["snapshot", "--name", "new", "--from", "good.json"];
    sandbox.run(&from).expect(0);
    let args = ["diff", "--name", "new", "--format", "json", "--", "false"];
    let report = sandbox.run(&args).expect(2).json();
    assert_eq!(outcomes(&report), ["unknown"]);
}
