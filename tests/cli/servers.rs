//! `servers`: what is named where, without starting anything.

use crate::support::Sandbox;
use serde_json::json;
use std::fs;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let write = |path: &str, text: &str| {
        let path = sandbox.root().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a configuration");
    };
    write(
        "project/.mcp.json",
        r#"{ "mcpServers": {
            "pinned": { "command": "npx", "args": ["-y", "@example/a-rather-long-name-of-a-server@1.4.2"] },
            "floating": { "command": "uvx", "args": ["notes-mcp"] },
            "twice": { "url": "https://one.invalid/mcp" },
            "unset": { "url": "https://h.invalid/mcp", "headers": { "Authorization": "Bearer ${UNSET}" } } } }"#,
    );
    write(
        "project/.cursor/mcp.json",
        r#"{ "mcpServers": {
            "other-name": { "command": "uvx", "args": ["notes-mcp"] },
            "twice": { "url": "https://two.invalid/mcp" } } }"#,
    );
    write(
        "project/.gemini/settings.json",
        r#"{ "mcpServers": {
            "older": { "url": "https://h.invalid/events" },
            "newer": { "httpUrl": "https://h.invalid/other" } } }"#,
    );
    write(
        "home/.lmstudio/mcp.json",
        r#"{ "mcpServers": {
            "typed": { "type": "sse", "url": "https://h.invalid/typed" },
            "socket": { "type": "ws", "url": "wss://h.invalid/" } } }"#,
    );
    write(
        "home/.codex/config.toml",
        "[mcp_servers.off]\ncommand = 'notes'\nenabled = false\n[mcp_servers.mine]\ncommand = 'notes'\n",
    );
    write(
        "project/old.json",
        r#"{ "tools": [{ "name": "a", "inputSchema": { "type": "object" } }] }"#,
    );
    sandbox
        .run(&["snapshot", "--name", "old", "--from", "old.json"])
        .expect(0);
    sandbox
}

#[test]
fn every_server_is_listed_with_where_and_how() {
    let sandbox = sandbox();
    let output = sandbox.run(&["servers", "--user"]).expect(0);
    insta::assert_snapshot!(output.stdout);
    let launch = "- `floating` in `.mcp.json`: is launched as `uvx notes-mcp`\n";
    assert!(!output.stdout.contains(launch));
    let told = sandbox.run(&["servers", "--user", "-v"]).expect(0).stdout;
    assert!(told.contains(launch), "{told}");
    assert!(
        output.stderr.contains("launch `twice` in different ways"),
        "{}",
        output.stderr
    );
}

#[test]
fn the_document_holds_all_of_it() {
    let sandbox = sandbox();
    let document = sandbox
        .run(&["servers", "--user", "--format", "json"])
        .expect(0)
        .json();
    let row = |name: &str, member: &str| -> Vec<serde_json::Value> {
        let rows = document["servers"].as_array().expect("servers").iter();
        rows.filter(|row| row["name"] == name)
            .map(|row| row[member].clone())
            .collect()
    };
    assert_eq!(row("pinned", "version"), [json!("pinned")]);
    assert_eq!(row("floating", "version"), [json!("floating")]);
    assert_eq!(
        row("floating", "sameLaunch"),
        [json!(["`other-name` in `.cursor/mcp.json`"])]
    );
    assert_eq!(
        row("twice", "client"),
        [json!("Claude Code, Copilot"), json!("Cursor")]
    );
    assert_eq!(row("twice", "state"), [json!("ready"), json!("not taken")]);
    assert_eq!(row("off", "state"), [json!("disabled")]);
    assert_eq!(row("off", "origin"), [json!("~/.codex/config.toml")]);
    assert_eq!(row("off", "client"), [json!("Codex")]);
    for (name, carrier) in [
        ("pinned", "stdio"),
        ("older", "sse"),
        ("newer", "http"),
        ("typed", "sse"),
        ("old", "file"),
    ] {
        assert_eq!(row(name, "transport"), [json!(carrier)], "{name}");
    }
    assert_eq!(row("socket", "transport"), [json!(null)]);
    assert_eq!(row("socket", "state"), [json!("broken")]);
    assert_eq!(row("unset", "state"), [json!("broken")]);
    assert_eq!(row("old", "state"), [json!("in no configuration")]);
    assert_eq!(row("old", "locked"), [json!(true)]);
    assert_eq!(row("pinned", "locked"), [json!(false)]);
}

#[test]
fn the_home_directory_is_looked_at_only_when_it_is_asked_for() {
    let sandbox = sandbox();
    let names = |sandbox: &Sandbox, args: &[&str]| -> Vec<String> {
        let document = sandbox.run(args).expect(0).json();
        let rows = document["servers"].as_array().expect("servers").iter();
        rows.map(|row| row["name"].as_str().expect("a name").to_owned())
            .collect()
    };
    let project = [
        "floating",
        "newer",
        "old",
        "older",
        "other-name",
        "pinned",
        "twice",
        "twice",
        "unset",
    ];
    let args = ["servers", "--format", "json"];
    assert_eq!(names(&sandbox, &args), project);
    sandbox.set("COUNTERSIGN_USER", "true");
    assert_eq!(names(&sandbox, &args).len(), project.len() + 4);
    // What is checked follows the same rule.
    let diff = |sandbox: &Sandbox| sandbox.run(&["diff", "--format", "json"]).stdout;
    assert!(diff(&sandbox).contains("\"mine\""));
    sandbox.set("COUNTERSIGN_USER", "false");
    assert!(!diff(&sandbox).contains("\"mine\""));
}

#[test]
fn settings_of_a_subfolder_that_name_no_server_hide_none() {
    let mut sandbox = Sandbox::new();
    let write = |path: &str, text: &str| {
        let path = sandbox.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write(".git/HEAD", "ref: refs/heads/main\n");
    write(
        ".mcp.json",
        r#"{ "mcpServers": { "root": { "command": "notes" } } }"#,
    );
    write("sub/.vscode/settings.json", r#"{ "editor.fontSize": 14 }"#);
    write("sub/deep/file", "");
    sandbox.go_to("sub/deep");
    let document = sandbox
        .run(&["servers", "--format", "json"])
        .expect(0)
        .json();
    assert_eq!(document["servers"][0]["name"], "root", "{document:#}");
}

#[test]
fn a_broken_file_in_the_home_directory_hides_no_other_server() {
    let sandbox = sandbox();
    fs::write(sandbox.root().join("home/.lmstudio/mcp.json"), "{ broken").expect("a file");
    let output = sandbox.run(&["servers", "--user"]).expect(2);
    assert!(output.stdout.contains("| mine "), "{}", output.stdout);
    assert!(
        output.stderr.contains("mcp.json`: line 1, "),
        "{}",
        output.stderr
    );
    sandbox.run(&["servers"]).expect(0);
    let report = sandbox
        .run(&["snapshot", "floating", "--user", "--format", "json"])
        .expect(2)
        .json();
    assert_eq!(report["error"]["kind"], "config");
    assert_eq!(report["servers"][0]["name"], "floating");
}
