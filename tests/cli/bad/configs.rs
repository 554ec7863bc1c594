//! Configurations that say nothing, or two things.

use super::{Writes, project, refused, run};
use serde_json::json;

#[test]
fn a_config_that_cannot_be_read_is_named_with_the_line() {
    let sandbox = project();
    for (content, words) in [
        (
            &b"{\n  \"mcpServers\": {\n    \"s\": }\n}"[..],
            &["line 3"][..],
        ),
        (b"not json", &["line 1"]),
        (b"", &["line 1", "no value"]),
        (b"  \n\n", &["no value"]),
        (
            b"{\"mcpServers\": {\"s\": {\"command\": \"\xff\"}}}",
            &["line 1", "UTF-8"],
        ),
        (
            b"{\n\"mcpServers\": {},\n\"mcpServers\": {}\n}",
            &["line 3", "`mcpServers`", "twice"],
        ),
        (
            b"{\"mcpServers\": {\n\"s\": {\"command\": \"a\"},\n\"s\": {\"command\": \"b\"}}}",
            &["line 3", "`s`", "twice"],
        ),
        (
            b"{\"mcpServers\": {\"s\": {\n\"command\": \"a\",\n\"command\": \"b\"}}}",
            &["line 3", "`command`", "twice"],
        ),
        (b"<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n", &["line 1"]),
        (b"[]", &[]),
        (b"{\"mcpServers\": []}", &[]),
    ] {
        sandbox.write("c.json", content);
        let named = [&["c.json"], words].concat();
        for command in ["diff", "snapshot", "servers"] {
            refused(
                &sandbox,
                &[command, "--config", "c.json"],
                Writes::Nothing,
                &named,
            );
        }
        sandbox.write(".mcp.json", content);
        if words.is_empty() {
            continue;
        }
        for command in ["diff", "snapshot", "servers"] {
            let named = [&[".mcp.json"], words].concat();
            refused(&sandbox, &[command], Writes::Nothing, &named);
        }
    }
}

#[test]
fn deep_nesting_in_a_config_is_an_error() {
    let sandbox = project();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    sandbox.write("c.json", format!("{{\"x\": {deep}}}"));
    refused(
        &sandbox,
        &["diff", "--config", "c.json"],
        Writes::Nothing,
        &["c.json", "line 1"],
    );
}

#[test]
fn a_folder_or_nothing_as_config_is_named() {
    let sandbox = project();
    std::fs::create_dir(sandbox.path("folder")).expect("a folder");
    for command in ["diff", "snapshot", "servers"] {
        let folder = [command, "--config", "folder"];
        refused(&sandbox, &folder, Writes::Nothing, &["folder", "directory"]);
        let absent = [command, "--config", "absent.json"];
        refused(
            &sandbox,
            &absent,
            Writes::Nothing,
            &["absent.json", "No such file"],
        );
    }
}

#[test]
fn without_any_server_there_is_nothing_to_check() {
    let sandbox = project();
    for content in ["{}", r#"{"mcpServers": {}}"#, r#"{"other": 1}"#] {
        sandbox.write(".mcp.json", content);
        for command in ["diff", "snapshot"] {
            refused(&sandbox, &[command], Writes::Nothing, &["nothing to check"]);
        }
    }
    std::fs::remove_file(sandbox.path(".mcp.json")).expect("removed");
    refused(
        &sandbox,
        &["diff"],
        Writes::Nothing,
        &["nothing to check", ".mcp.json"],
    );
    refused(&sandbox, &["diff", "s"], Writes::Nothing, &["`s`"]);
    std::fs::remove_file(sandbox.path("countersign.lock.json")).expect("removed");
    for command in ["diff", "snapshot", "servers"] {
        refused(
            &sandbox,
            &[command],
            Writes::Nothing,
            &["nothing to check", ".mcp.json"],
        );
    }
}

#[test]
fn a_server_entry_that_makes_no_sense_is_that_servers_error_alone() {
    let sandbox = project();
    let good = json!({ "command": "sh", "args": ["server"] });
    for (bad, word) in [
        (json!({}), "command"),
        (json!(5), "number"),
        (json!({ "command": 5 }), "command"),
        (json!({ "command": "x", "args": "y" }), "args"),
        (
            json!({ "command": "x", "env": { "A": "${UNSET_VARIABLE}" } }),
            "UNSET_VARIABLE",
        ),
        (json!({ "type": "http", "url": "no url" }), "url"),
        (
            json!({ "type": "telepathy", "url": "http://127.0.0.1:1" }),
            "telepathy",
        ),
    ] {
        let config = json!({ "mcpServers": { "s": good, "bad": bad } });
        sandbox.write("c.json", config.to_string());
        refused(
            &sandbox,
            &["diff", "--config", "c.json"],
            Writes::Data,
            &["bad", word],
        );
        let report = sandbox
            .run(&["diff", "--config", "c.json", "--format", "json"])
            .json();
        assert_eq!(report["servers"][0]["outcome"], "unknown", "{report:#}");
        assert_eq!(report["servers"][1]["outcome"], "clean", "{report:#}");
    }
}

#[test]
fn where_every_server_is_disabled_it_is_said_and_fine() {
    let sandbox = project();
    let config =
        json!({ "mcpServers": { "s": { "command": "sh", "args": ["server"], "disabled": true } } });
    sandbox.write(".mcp.json", config.to_string());
    for command in ["diff", "snapshot"] {
        let [text, report] = run(&sandbox, &[command], Writes::Data);
        let text = text.expect(0).stdout;
        assert!(
            text.contains("server s: disabled") && text.contains("1 server disabled"),
            "{text}"
        );
        let report = report.expect(0).json();
        assert_eq!(
            (&report["outcome"], &report["servers"][0]["outcome"]),
            (&json!("clean"), &json!("disabled"))
        );
    }
}
