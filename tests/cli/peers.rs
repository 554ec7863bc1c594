//! Servers that nobody here wrote, of every revision: a listing is taken, and is the same when taken again.

use crate::support::{HttpServer, Sandbox, repository, text};
use serde_json::Value;

/// What every peer is called in these tests.
const NAME: &str = "peer";

/// A file of an installed peer.
pub(crate) fn installed(peer: &str, file: &str) -> String {
    let folder = repository("tests/peers/installed").join(peer);
    assert!(
        folder.join(".stamp").is_file(),
        "the peer `{peer}` is not installed: run `tests/peers/install`"
    );
    text(&folder.join(file))
}

/// A peer that is a script of node.
pub(crate) fn node(peer: &str, script: &str, args: &[&str]) -> Vec<String> {
    let mut command = vec!["node".to_owned(), installed(peer, script)];
    command.extend(args.iter().map(|arg| (*arg).to_owned()));
    command
}

/// A server of the reference collection.
pub(crate) fn reference(peer: &str, server: &str, args: &[&str]) -> Vec<String> {
    let script = format!("node_modules/@modelcontextprotocol/{server}/dist/index.js");
    node(peer, &script, args)
}

/// A peer that is a script of ours on a Python SDK.
pub(crate) fn python(peer: &str, args: &[&str]) -> Vec<String> {
    let mut command = vec![
        installed(peer, "venv/bin/python"),
        installed(peer, "server.py"),
    ];
    command.extend(args.iter().map(|arg| (*arg).to_owned()));
    command
}

/// What the history says about how the listings were taken.
fn told<'a>(value: &'a Value, member: &str, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get(member).and_then(Value::as_str));
            members.values().for_each(|v| told(v, member, found));
        }
        Value::Array(elements) => elements.iter().for_each(|v| told(v, member, found)),
        _ => {}
    }
}

/// Takes a snapshot, compares with it, and looks at what was recorded.
#[track_caller]
fn is_unchanged(source: &[&str], era: &str, revision: &str) {
    is_unchanged_over(source, era, revision, None);
}

#[track_caller]
fn is_unchanged_over(source: &[&str], era: &str, revision: &str, transport: Option<&str>) {
    let sandbox = Sandbox::new();
    let with = |command: &str| -> Vec<String> {
        [&[command, "--name", NAME], source]
            .concat()
            .iter()
            .map(|word| (*word).to_owned())
            .collect()
    };
    let run = |words: &[String]| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        sandbox.run(&words)
    };
    run(&with("snapshot")).expect(0);
    let lock: Value = serde_json::from_str(&sandbox.read("countersign.lock.json")).expect("JSON");
    let tools = lock["servers"][NAME]["tools"].as_object();
    assert!(tools.is_some_and(|tools| !tools.is_empty()), "{lock}");
    run(&with("diff")).expect(0);

    let history = sandbox.history();
    let transport = transport.map(|transport| ("transport", transport));
    for (member, wanted) in [("era", era), ("revision", revision)]
        .into_iter()
        .chain(transport)
    {
        let mut found = Vec::new();
        for line in &history {
            told(line, member, &mut found);
        }
        assert!(
            !found.is_empty() && found.iter().all(|word| *word == wanted),
            "{member}: {found:?}, not {wanted}"
        );
    }
}

#[track_caller]
fn stdio_is_unchanged(command: &[String], era: &str, revision: &str) {
    let mut source = vec!["--"];
    source.extend(command.iter().map(String::as_str));
    is_unchanged(&source, era, revision);
}

#[track_caller]
fn http_is_unchanged(command: &[String], env: &[(&str, &str)], era: &str, revision: &str) {
    let server = HttpServer::peer(command, env);
    is_unchanged(&["--url", &server.url], era, revision);
}

#[track_caller]
fn sse_is_unchanged(command: &[String], env: &[(&str, &str)]) {
    let server = HttpServer::peer(command, env);
    let url = server.url.replace("/mcp", "/sse");
    is_unchanged_over(&["--url", &url], "legacy", "2025-11-25", Some("sse"));
}

#[test]
fn the_reference_server_over_stdio() {
    let command = reference("reference", "server-everything", &["stdio"]);
    stdio_is_unchanged(&command, "legacy", "2025-11-25");
}

/// The reference server where it would listen on every interface.
pub(crate) fn reference_on_loopback(mode: &str) -> Vec<String> {
    let mut command = reference("reference", "server-everything", &[mode]);
    let loopback = [
        "--require".to_owned(),
        installed("reference", "loopback.cjs"),
    ];
    command.splice(1..1, loopback);
    command
}

#[test]
fn the_reference_server_over_http() {
    let command = reference_on_loopback("streamableHttp");
    http_is_unchanged(&command, &[("PORT", "{port}")], "legacy", "2025-11-25");
}

#[test]
fn the_reference_server_over_sse() {
    let command = reference_on_loopback("sse");
    sse_is_unchanged(&command, &[("PORT", "{port}")]);
}

#[test]
fn the_reference_file_server() {
    let command = reference("reference", "server-filesystem", &["."]);
    stdio_is_unchanged(&command, "legacy", "2025-11-25");
}

#[test]
fn the_reference_memory_server() {
    let command = reference("reference", "server-memory", &[]);
    stdio_is_unchanged(&command, "legacy", "2025-11-25");
}

#[test]
fn a_reference_server_of_the_first_revision() {
    let command = reference("reference-2024", "server-everything", &[]);
    stdio_is_unchanged(&command, "legacy", "2024-11-05");
}

#[test]
fn typescript_sdk_1_12() {
    let command = node("ts-sdk-1.12", "server.mjs", &[]);
    stdio_is_unchanged(&command, "legacy", "2025-03-26");
}

#[test]
fn typescript_sdk_1_20() {
    let command = node("ts-sdk-1.20", "server.mjs", &[]);
    stdio_is_unchanged(&command, "legacy", "2025-06-18");
}

#[test]
fn typescript_sdk_2_over_stdio() {
    let command = node("ts-sdk-2", "server.mjs", &["stdio"]);
    stdio_is_unchanged(&command, "modern", "2026-07-28");
}

#[test]
fn typescript_sdk_2_over_http() {
    let command = node("ts-sdk-2", "server.mjs", &["http", "{port}"]);
    http_is_unchanged(&command, &[], "modern", "2026-07-28");
}

#[test]
fn python_sdk_1_over_stdio() {
    let command = python("py-sdk-1", &["stdio"]);
    stdio_is_unchanged(&command, "legacy", "2025-11-25");
}

#[test]
fn python_sdk_1_over_sse() {
    sse_is_unchanged(&python("py-sdk-1", &["sse", "{port}"]), &[]);
}

#[test]
fn python_sdk_1_over_http() {
    let command = python("py-sdk-1", &["http", "{port}"]);
    http_is_unchanged(&command, &[], "legacy", "2025-11-25");
}

#[test]
fn python_sdk_2_over_stdio() {
    let command = python("py-sdk-2", &["stdio"]);
    stdio_is_unchanged(&command, "modern", "2026-07-28");
}

#[test]
fn python_sdk_2_over_sse() {
    sse_is_unchanged(&python("py-sdk-2", &["sse", "{port}"]), &[]);
}

#[test]
fn python_sdk_2_over_http() {
    let command = python("py-sdk-2", &["http", "{port}"]);
    http_is_unchanged(&command, &[], "modern", "2026-07-28");
}

#[test]
fn fastmcp_over_stdio() {
    let command = python("fastmcp", &["stdio"]);
    stdio_is_unchanged(&command, "modern", "2026-07-28");
}

#[test]
fn fastmcp_over_http() {
    let command = python("fastmcp", &["http", "{port}"]);
    http_is_unchanged(&command, &[], "modern", "2026-07-28");
}

/// The server of mcp-argocd never reaches an Argo CD here: its tools are listed without one.
const ARGOCD: [&str; 4] = [
    "--env",
    "ARGOCD_URL=http://127.0.0.1:9",
    "--env",
    "ARGOCD_TOKEN=x",
];

/// The tools that `MCP_READ_ONLY=1` takes away from mcp-argocd.
const WRITING: [&str; 9] = [
    "argocd_create_application",
    "argocd_delete_application",
    "argocd_delete_resource",
    "argocd_invalidate_cluster_cache",
    "argocd_patch_application",
    "argocd_rollback_application",
    "argocd_run_resource_action",
    "argocd_sync_application",
    "argocd_terminate_operation",
];

#[test]
fn argocd_over_stdio() {
    let program = installed("argocd", "venv/bin/mcp-argocd");
    is_unchanged(
        &[&ARGOCD[..], &["--", &program]].concat(),
        "modern",
        "2026-07-28",
    );
}

#[test]
fn argocd_over_http() {
    let words = "--transport streamable-http --host 127.0.0.1 --port {port}";
    let mut command = vec![installed("argocd", "venv/bin/mcp-argocd")];
    command.extend(words.split(' ').map(str::to_owned));
    let env = [("ARGOCD_URL", "http://127.0.0.1:9"), ("ARGOCD_TOKEN", "x")];
    http_is_unchanged(&command, &env, "modern", "2026-07-28");
}

/// The report of `diff` after mcp-argocd was locked with some variables and then run with others.
fn argocd_moves(before: &[&str], after: &[&str], locked: usize) -> Value {
    let sandbox = Sandbox::new();
    let program = installed("argocd", "venv/bin/mcp-argocd");
    let run = |words: &[&str], env: &[&str]| {
        sandbox.run(&[words, &["--name", NAME], &ARGOCD, env, &["--", &program]].concat())
    };
    run(&["snapshot"], before).expect(0);
    let lock: Value = serde_json::from_str(&sandbox.read("countersign.lock.json")).expect("JSON");
    let tools = lock["servers"][NAME]["tools"].as_object().expect("tools");
    assert_eq!(tools.len(), locked);
    run(&["diff", "--format", "json"], after).expect(1).json()
}

/// The names of the tools to which something happened, sorted.
fn tools_that<'a>(report: &'a Value, event: &str) -> Vec<&'a str> {
    let changes = report["servers"][0]["changes"].as_array().expect("changes");
    let mut names: Vec<&str> = changes
        .iter()
        .filter(|change| change["kind"] == "tool" && change["event"] == event)
        .filter_map(|change| change["name"].as_str())
        .collect();
    names.sort_unstable();
    names
}

#[test]
fn tools_that_a_server_withholds_are_named_and_its_new_instructions_wait() {
    let report = argocd_moves(&[], &["--env", "MCP_READ_ONLY=1"], 37);
    assert_eq!(tools_that(&report, "removed"), WRITING);
    let changes = report["servers"][0]["changes"].as_array().expect("changes");
    let instructions = changes
        .iter()
        .find(|change| change["kind"] == "server" && change["name"] == "instructions")
        .expect("a change of the instructions");
    assert_eq!(instructions["level"], "material");
    assert_eq!(instructions["reasons"][0]["rule"], "instructions-changed");
}

#[test]
fn tools_that_no_review_covers_wait() {
    let report = argocd_moves(&["--env", "MCP_READ_ONLY=1"], &[], 28);
    assert_eq!(tools_that(&report, "added"), WRITING);
    assert_eq!(report["outcome"], "drift");
}

#[test]
fn a_server_whose_tools_depend_on_what_the_client_can_do_is_told_by_vary() {
    let sandbox = Sandbox::new();
    let command = reference("reference", "server-everything", &["stdio"]);
    let mut words = vec![
        "snapshot", "--vary", "--format", "json", "--name", NAME, "--",
    ];
    words.extend(command.iter().map(String::as_str));
    let document = sandbox.run(&words).expect(0).json();
    let warnings = document["servers"][0]["warnings"].as_array();
    let varies: Vec<&Value> = warnings
        .into_iter()
        .flatten()
        .filter(|warning| warning["rule"] == "varies")
        .collect();
    assert!(
        varies
            .iter()
            .any(|warning| warning["path"] == "tool:trigger-sampling-request"),
        "{document:#}"
    );
    for warning in varies {
        let message = warning["message"].as_str().unwrap_or_default();
        assert!(
            message.starts_with("varies by the client's capabilities (none): "),
            "{message}"
        );
    }
}

#[test]
fn a_server_of_both_eras_lists_the_same_in_each() {
    let servers = [
        node("ts-sdk-2", "server.mjs", &["stdio"]),
        python("py-sdk-2", &["stdio"]),
        python("fastmcp", &["stdio"]),
    ];
    for command in &servers {
        let sandbox = Sandbox::new();
        let run = |words: &[&str], revision: &str| {
            let mut all = words.to_vec();
            all.extend(["--name", NAME, "--protocol", revision, "--"]);
            all.extend(command.iter().map(String::as_str));
            sandbox.run(&all).expect(0)
        };
        run(&["snapshot"], "2025-11-25");
        let report = run(&["diff", "--format", "json"], "2026-07-28").json();
        let server = &report["servers"][0];
        assert!(server["unchanged"].as_u64() > Some(0), "{command:?}");
        // What a server declares for one era need not hold in the other; what it lists is the same.
        let changes = server["changes"].as_array().expect("changes");
        assert!(
            changes
                .iter()
                .all(|change| change["name"] == "capabilities"),
            "{command:?}: {server:#}"
        );
    }
}
