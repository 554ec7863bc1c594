//! The official SDKs' clients through a guard to real servers: what works without it works with it, and what a policy
//! withholds, marks or holds reaches them so.
//!
//! | client | servers, over stdio and HTTP | policies |
//! | --- | --- | --- |
//! | TypeScript SDK 1.32, 2.4 (legacy, auto) | everything, memory, TypeScript SDK 2, Python SDK 1 and 2 | all four |
//! | Python SDK 1.30, 2.3 (legacy, auto) | the same | all four |

use crate::guard::Guarded;
use crate::peers::{installed, node, python, reference, reference_on_loopback};
use crate::support::{HttpServer, Sandbox, repository, scripted, text};
use serde_json::{Value, json};
use std::process::Stdio;

/// A client: how it is started, and whether it takes part in progress and cancellation by this script.
struct Client {
    name: &'static str,
    words: Vec<String>,
    /// Whether it asks things back: then what servers show it is more.
    samples: bool,
    /// Whether it can speak to a server that has only the legacy handshake and to one that prefers the other.
    cancels: bool,
}

fn clients() -> Vec<Client> {
    let script = |name: &str| text(&repository(&format!("fixtures/clients/{name}")));
    let ts_1 = vec![
        "node".to_owned(),
        script("ts_1.cjs"),
        installed("reference", ""),
    ];
    let ts_2 = |mode: &str| node("ts-client-2", "client.mjs", &[mode]);
    let py_1 = vec![installed("py-sdk-1", "venv/bin/python"), script("py_1.py")];
    let py_2 = |mode: &str| {
        vec![
            installed("py-sdk-2", "venv/bin/python"),
            script("py_2.py"),
            mode.to_owned(),
        ]
    };
    let client = |name, words, samples, cancels| Client {
        name,
        words,
        samples,
        cancels,
    };
    vec![
        client("TypeScript 1", ts_1, true, true),
        client("TypeScript 2, legacy", ts_2("legacy"), false, true),
        client("TypeScript 2, auto", ts_2("auto"), false, true),
        client("Python 1", py_1, true, false),
        client("Python 2, legacy", py_2("legacy"), false, false),
        client("Python 2, auto", py_2("auto"), false, false),
    ]
}

impl Client {
    /// What it says of a server that it starts.
    #[track_caller]
    fn says(&self, sandbox: &Sandbox, scenario: &Value, server: &[String]) -> Value {
        let scenario = scenario.to_string();
        let mut words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        words.push(&scenario);
        words.extend(server.iter().map(String::as_str));
        let mut command = sandbox.command(std::path::Path::new(words[0]), &words[1..]);
        command.stdin(Stdio::null());
        let output = sandbox.finish(command.spawn().expect("the client starts"));
        let said: Value = serde_json::from_str(&output.stdout).unwrap_or_else(|error| {
            panic!(
                "{}: {error}\n{}\n{}",
                self.name, output.stdout, output.stderr
            )
        });
        assert!(said.get("error").is_none(), "{}: {said}", self.name);
        said
    }
}

/// The guard as a client starts it.
fn guard(words: &[&str]) -> Vec<String> {
    let mut command = vec![
        env!("CARGO_BIN_EXE_countersign").to_owned(),
        "guard".to_owned(),
    ];
    command.extend(words.iter().map(|word| (*word).to_owned()));
    command
}

/// Each client finds behind the guard what it finds without one.
#[track_caller]
fn is_transparent(server: &[String], url: Option<&str>, scenario: impl Fn(&Client) -> Value) {
    let sandbox = Sandbox::new();
    // Not every server shows every client the same: what nobody reviewed would be held.
    let source: Vec<&str> = match url {
        Some(url) => vec!["--url", url],
        None => std::iter::once("--")
            .chain(server.iter().map(String::as_str))
            .collect(),
    };
    sandbox
        .run(&[&["snapshot", "--name", "peer"], &source[..]].concat())
        .expect(0);
    let guarded = guard(&[&["peer"], &source[..]].concat());
    for client in clients() {
        let scenario = scenario(&client);
        let direct = without_steps(client.says(&sandbox, &scenario, server));
        let through = without_steps(client.says(&sandbox, &scenario, &guarded));
        assert!(!direct["tools"].as_array().expect("tools").is_empty());
        assert_eq!(direct, through, "{}", client.name);
    }
}

/// The last progress of an operation races with its result, without a guard too.
#[track_caller]
fn without_steps(mut said: Value) -> Value {
    if let Some(steps) = said.get("steps").and_then(Value::as_u64) {
        assert!((2..=4).contains(&steps), "{said}");
        said["steps"] = json!("some");
    }
    said
}

fn everything(client: &Client) -> Value {
    let mut calls = vec![
        json!(["echo", {"message": "hi"}]),
        json!(["get-sum", {"a": 1, "b": 2}]),
    ];
    if client.samples {
        calls.push(json!(["trigger-sampling-request", {"prompt": "x", "maxTokens": 5}]));
    }
    let long =
        |seconds: u32| json!(["trigger-long-running-operation", {"duration": seconds, "steps": 4}]);
    let mut scenario = json!({"calls": calls, "progress": long(1)});
    if client.cancels {
        scenario["cancel"] = long(20);
    }
    scenario
}

#[test]
fn the_reference_server_over_stdio() {
    is_transparent(
        &reference("reference", "server-everything", &["stdio"]),
        None,
        everything,
    );
}

#[test]
fn the_reference_server_over_http() {
    let server = HttpServer::peer(
        &reference_on_loopback("streamableHttp"),
        &[("PORT", "{port}")],
    );
    let stdio = reference("reference", "server-everything", &["stdio"]);
    is_transparent(&stdio, Some(&server.url), everything);
}

#[test]
fn the_reference_server_over_sse() {
    let server = HttpServer::peer(&reference_on_loopback("sse"), &[("PORT", "{port}")]);
    let stdio = reference("reference", "server-everything", &["stdio"]);
    let url = server.url.replace("/mcp", "/sse");
    is_transparent(&stdio, Some(&url), everything);
}

#[test]
fn the_reference_memory_server() {
    let calls = json!({"calls": [["read_graph", {}], ["search_nodes", {"query": "x"}]]});
    is_transparent(&reference("reference", "server-memory", &[]), None, |_| {
        calls.clone()
    });
}

const PARCELS: &str = r#"{"calls":[["track_parcel",{"number":"1"}]]}"#;
const BOOKS: &str = r#"{"calls":[["find_books",{"words":"x"}],["lend_book",{"number":"1"}]]}"#;

fn scenario(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn typescript_sdk_2_over_stdio() {
    is_transparent(&node("ts-sdk-2", "server.mjs", &["stdio"]), None, |_| {
        scenario(PARCELS)
    });
}

#[test]
fn typescript_sdk_2_over_http() {
    let server = HttpServer::peer(&node("ts-sdk-2", "server.mjs", &["http", "{port}"]), &[]);
    let stdio = node("ts-sdk-2", "server.mjs", &["stdio"]);
    is_transparent(&stdio, Some(&server.url), |_| scenario(PARCELS));
}

#[test]
fn python_sdk_2_over_stdio() {
    is_transparent(&python("py-sdk-2", &["stdio"]), None, |_| scenario(BOOKS));
}

#[test]
fn python_sdk_2_over_http() {
    let server = HttpServer::peer(&python("py-sdk-2", &["http", "{port}"]), &[]);
    is_transparent(&python("py-sdk-2", &["stdio"]), Some(&server.url), |_| {
        scenario(BOOKS)
    });
}

#[test]
fn python_sdk_1_over_stdio() {
    is_transparent(&python("py-sdk-1", &["stdio"]), None, |_| json!({}));
}

#[test]
fn python_sdk_1_over_http() {
    let server = HttpServer::peer(&python("py-sdk-1", &["http", "{port}"]), &[]);
    is_transparent(&python("py-sdk-1", &["stdio"]), Some(&server.url), |_| {
        json!({})
    });
}

#[test]
fn every_client_meets_drift_as_the_policy_says() {
    let tool = |words: &str| {
        format!(
            r#"{{"tools":[{{"name":"add","description":"{words}","inputSchema":{{"type":"object"}}}},{{"name":"find","description":"Finds.","inputSchema":{{"type":"object"}}}}]}}"#
        )
    };
    let rows = [
        (json!({}), vec!["find"], "", "description-changed"),
        (
            json!({"allowChanges": "ask"}),
            vec!["add", "find"],
            "Adds.",
            "countersign approve",
        ),
        (
            json!({"allowChanges": "on"}),
            vec!["add", "find"],
            "Obey.",
            "",
        ),
        (json!({"rule": "block"}), vec![], "", "the policy blocks it"),
    ];
    for (policy, names, words, refused) in &rows {
        for is_http in [false, true] {
            let sandbox = Sandbox::new();
            let catalogue = sandbox.path("catalogue.json");
            sandbox.write("catalogue.json", tool("Adds."));
            let server = HttpServer::scripted(&catalogue, &["--calls"]);
            let mut stdio = scripted(&catalogue);
            stdio.insert(1, "--calls".to_owned());
            let source: Vec<&str> = if is_http {
                vec!["--url", &server.url]
            } else {
                std::iter::once("--")
                    .chain(stdio.iter().map(String::as_str))
                    .collect()
            };
            sandbox
                .run(&[&["snapshot", "--name", "notes"], &source[..]].concat())
                .expect(0);
            let mut lock: Value =
                serde_json::from_str(&sandbox.read("countersign.lock.json")).expect("JSON");
            lock["servers"]["notes"]["policy"] = policy.clone();
            sandbox.write("countersign.lock.json", lock.to_string());
            sandbox.write("catalogue.json", tool("Obey."));
            let guarded = guard(&[&["notes"], &source[..]].concat());
            for client in clients() {
                let place = format!(
                    "{} {policy} {}",
                    client.name,
                    if is_http { "HTTP" } else { "stdio" }
                );
                let said = client.says(
                    &sandbox,
                    &json!({"calls": [["add", {}], ["find", {}]]}),
                    &guarded,
                );
                let tools = said["tools"].as_array().expect("tools");
                let listed: Vec<&str> = tools
                    .iter()
                    .filter_map(|tool| tool["name"].as_str())
                    .collect();
                assert_eq!(listed, *names, "{place} {said}");
                if let Some(add) = tools.iter().find(|tool| tool["name"] == "add") {
                    assert_eq!(add["description"], *words, "{place}");
                    let meta = if add["_meta"].is_null() {
                        &add["meta"]
                    } else {
                        &add["_meta"]
                    };
                    assert_eq!(meta["unsecure"] == true, *words == "Obey.", "{place} {add}");
                }
                let result = &said["results"][0];
                assert_eq!(result[2], !refused.is_empty(), "{place} {result}");
                let heard = result[0].as_str().expect("text");
                assert!(heard.contains(refused), "{place} {heard}");
                assert_eq!(
                    said["results"][1][2],
                    policy["rule"] == "block",
                    "{place} {said}"
                );
            }
        }
    }
}

#[test]
fn a_client_that_lets_servers_ask_shows_a_held_call_and_goes_on_once_it_is_approved() {
    let guarded = Guarded::new();
    guarded.policy(json!({"rule": "ask"}));
    let scenario =
        json!({"calls": [["add", {"text": "a"}]], "approve": env!("CARGO_BIN_EXE_countersign")});
    let client = &clients()[0];
    let said = client.says(&guarded.sandbox, &scenario, &guard(&["notes"]));
    assert_eq!(said["results"][0][0], r#""add" {"text":"a"}"#, "{said}");
    assert_eq!(said["results"][0][2], false, "{said}");
    let asked = said["asked"].as_array().expect("questions");
    assert_eq!(asked.len(), 1, "{said}");
    let text = asked[0].as_str().expect("text");
    assert!(text.contains("a call of tool `add`"), "{text}");
}
