//! The whole loop that the demo shows: snapshot, drift, diff, review, ack, and a diff that passes.

use crate::support::{HttpServer, Sandbox, scripted};
use serde_json::{Value, json};

/// A project whose configuration names the demo's server.
fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.copy("fixtures/demo/before.json", "catalogue.json");
    let command = scripted(&sandbox.path("catalogue.json"));
    configure(
        &sandbox,
        &json!({ "command": command[0], "args": command[1..] }),
    );
    sandbox
}

fn configure(sandbox: &Sandbox, server: &Value) {
    let config = json!({ "mcpServers": { "notes": server } });
    sandbox.write(".mcp.json", config.to_string());
}

/// The changes of the only server of a JSON report: name → event, level and rules.
fn changes(report: &Value) -> Vec<(String, String, String, Vec<String>)> {
    let word = |value: &Value| value.as_str().expect("a text").to_owned();
    let servers = report["servers"].as_array().expect("servers");
    assert_eq!(servers.len(), 1);
    servers[0]["changes"]
        .as_array()
        .expect("changes")
        .iter()
        .map(|change| {
            let reasons = change["reasons"].as_array().expect("reasons");
            let mut rules: Vec<String> = reasons.iter().map(|r| word(&r["rule"])).collect();
            rules.sort();
            (
                word(&change["name"]),
                word(&change["event"]),
                word(&change["level"]),
                rules,
            )
        })
        .collect()
}

#[test]
fn drift_fails_until_it_is_acknowledged() {
    let sandbox = project();
    sandbox.run(&["snapshot"]).expect(0);
    let first = sandbox.read("countersign.lock.json");
    assert!(first.contains("search_notes"), "{first}");
    sandbox.run(&["diff"]).expect(0);

    sandbox.copy("fixtures/demo/after.json", "catalogue.json");
    let shown = sandbox.run(&["diff"]).expect(1).stdout;
    for word in [
        "search_notes",
        "context",
        "input-added",
        "description-changed",
        "countersign ack",
    ] {
        assert!(shown.contains(word), "`{word}` is missing in\n{shown}");
    }
    let report = sandbox.run(&["diff", "--format", "json"]).expect(1).json();
    assert_eq!(report["outcome"], "drift");
    let found = changes(&report);
    let (_, event, level, rules) = found
        .iter()
        .find(|(name, ..)| name == "search_notes")
        .expect("a change of `search_notes`");
    assert_eq!((event.as_str(), level.as_str()), ("changed", "material"));
    assert_eq!(rules, &["description-changed", "input-added"]);
    assert!(
        found
            .iter()
            .all(|(name, _, level, _)| name == "search_notes" || level == "minor"),
        "{found:?}"
    );
    assert_eq!(
        sandbox.read("countersign.lock.json"),
        first,
        "`diff` never writes the lockfile"
    );

    let waiting = sandbox.run(&["review"]).expect(1).stdout;
    assert!(waiting.contains("search_notes"), "{waiting}");

    let note = "the context is wanted";
    sandbox
        .run(&["ack", "--all", "--by", "A. Reviewer", "--note", note])
        .expect(0);
    let second = sandbox.read("countersign.lock.json");
    assert!(
        second.contains("A. Reviewer") && second.contains(note),
        "{second}"
    );
    let report = sandbox.run(&["diff", "--format", "json"]).expect(0).json();
    assert_eq!(report["outcome"], "clean");
    sandbox.run(&["review"]).expect(0);
}

#[test]
fn the_next_change_of_an_acknowledged_tool_waits_again() {
    let sandbox = project();
    sandbox.run(&["snapshot"]).expect(0);
    sandbox.copy("fixtures/demo/after.json", "catalogue.json");
    sandbox.run(&["diff"]).expect(1);
    sandbox
        .run(&["ack", "notes/search_notes", "--by", "A. Reviewer"])
        .expect(0);
    sandbox.run(&["diff"]).expect(0);

    let again = sandbox
        .read("catalogue.json")
        .replace("Find notes", "Find and keep notes");
    sandbox.write("catalogue.json", again);
    let shown = sandbox.run(&["diff"]).expect(1).stdout;
    assert!(shown.contains("search_notes"), "{shown}");
}

#[test]
fn the_same_server_over_http_is_told_apart_by_its_launch_only() {
    let sandbox = project();
    sandbox.run(&["snapshot"]).expect(0);
    let server = HttpServer::scripted(&sandbox.path("catalogue.json"), &["--page-size", "1"]);
    configure(&sandbox, &json!({ "type": "http", "url": server.url }));
    let report = sandbox
        .run(&["diff", "--start-changed", "--format", "json"])
        .expect(1)
        .json();
    let found = changes(&report);
    assert_eq!(found.len(), 1, "{found:?}");
    // Command, arguments and URL: a reason each.
    assert_eq!(found[0].3, ["launch-changed"; 3]);
}

#[test]
fn a_server_that_cannot_be_asked_is_unknown_and_never_clean() {
    let sandbox = project();
    sandbox.run(&["snapshot"]).expect(0);
    sandbox.write("catalogue.json", "{");
    let report = sandbox.run(&["diff", "--format", "json"]).expect(2).json();
    assert_eq!(report["servers"][0]["outcome"], "unknown");
    assert_eq!(report["servers"][0]["changes"], json!([]));
}
