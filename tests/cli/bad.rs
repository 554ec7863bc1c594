//! Bad input of every kind: each ends in time, with status 2 and words that say what is wrong, in text and as one
//! JSON document, and leaves the files as they were.

mod configs;
mod lockfiles;
mod servers;
mod stored;
mod usage;

use crate::files::LOCKFILE;
use crate::support::{Output, Sandbox, python, repository, text};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How long a run may take that has no time limits of its own: a debug build on a busy machine.
const MOMENT: Duration = Duration::from_secs(30);

/// What a run may write although it fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Writes {
    /// Nothing at all.
    Nothing,
    /// What was observed, in the data directory.
    Data,
}

/// Runs the program in both formats; what it says each time.
#[track_caller]
fn run(sandbox: &Sandbox, args: &[&str], writes: Writes) -> [Output; 2] {
    [&[][..], &["--format", "json"]].map(|format| {
        // Whatever follows `--` is not ours.
        let end = args
            .iter()
            .position(|word| *word == "--")
            .unwrap_or(args.len());
        let words = [&args[..end], format, &args[end..]].concat();
        let before = sandbox.files();
        let start = Instant::now();
        let output = sandbox.run(&words);
        let about = format!("{words:?}\n{}{}", output.stdout, output.stderr);
        assert!(start.elapsed() < MOMENT, "{:?}: {about}", start.elapsed());
        let lockfile = sandbox.path(LOCKFILE);
        let after = sandbox.files();
        assert_eq!(after.get(&lockfile), before.get(&lockfile), "{about}");
        if writes == Writes::Nothing {
            let names = |files: &std::collections::BTreeMap<_, _>| {
                files.keys().cloned().collect::<Vec<std::path::PathBuf>>()
            };
            assert_eq!(names(&after), names(&before), "{about}");
            assert!(after == before, "{about}");
        }
        for told in [&output.stdout, &output.stderr] {
            let raw = told.chars().find(|c| c.is_control() && *c != '\n');
            assert_eq!(raw, None, "{about}");
        }
        assert!(!about.contains("failed inside"), "{about}");
        output
    })
}

/// What a JSON report says went wrong: kinds and messages of its own error and of those of its servers.
fn errors(report: &Value) -> String {
    let servers = report["servers"].as_array().expect("servers");
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut told = Vec::new();
    for value in servers.iter().chain([report]) {
        let (name, error) = (word(&value["name"]), &value["error"]);
        told.push([name, word(&error["kind"]), word(&error["message"])].join(" "));
    }
    told.join("\n")
}

/// The run cannot check: status 2, and these words in either format.
#[track_caller]
fn refused(sandbox: &Sandbox, args: &[&str], writes: Writes, words: &[&str]) {
    let [text, json] = run(sandbox, args, writes);
    let text = text.expect(2);
    let told = text.stdout + &text.stderr;
    let report = json.expect(2).json();
    assert_eq!(report["outcome"], "error", "{report:#}");
    let errors = errors(&report);
    for word in words {
        assert!(
            told.contains(word),
            "{args:?}: `{word}` is missing in\n{told}"
        );
        assert!(
            errors.contains(word),
            "{args:?}: `{word}` is missing in\n{errors}"
        );
    }
}

/// A project whose server `s` is what the script `server` is, with a lockfile made of the scenario `plain`.
fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    plays(&sandbox, "plain");
    let config = json!({ "mcpServers": { "s": { "command": "sh", "args": ["server"] } } });
    sandbox.write(".mcp.json", config.to_string());
    sandbox.run(&["snapshot"]).expect(0);
    sandbox
}

/// From now on the server `s` plays another scenario; its launch stays.
fn plays(sandbox: &Sandbox, scenario: &str) {
    let script = text(&repository("fixtures/hostile/stdio_server.py"));
    let python = python();
    sandbox.write("server", format!("exec '{python}' '{script}' {scenario}\n"));
}
