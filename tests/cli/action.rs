//! The GitHub action: its scripts are run as a runner runs them, step after step, with what the steps before said.

use crate::formats::{configure, server};
use crate::support::{Sandbox, repository};
use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A document of YAML; plain words stay text.
fn yaml(text: &str) -> Value {
    fn value<'a>(first: Event<'a>, events: &mut impl Iterator<Item = Event<'a>>) -> Value {
        match first {
            Event::Scalar(text, style, ..) => {
                assert!(style != ScalarStyle::Plain || text != "<<", "a merge key");
                Value::String(text.into_owned())
            }
            Event::SequenceStart(..) => {
                let mut out = Vec::new();
                loop {
                    match events.next().expect("an end") {
                        Event::SequenceEnd => return Value::Array(out),
                        event => out.push(value(event, events)),
                    }
                }
            }
            Event::MappingStart(..) => {
                let mut out = Map::new();
                loop {
                    let name = match events.next().expect("an end") {
                        Event::MappingEnd => return Value::Object(out),
                        Event::Scalar(name, ..) => name.into_owned(),
                        other => panic!("a name, not {other:?}"),
                    };
                    let first = events.next().expect("a value");
                    out.insert(name, value(first, events));
                }
            }
            other => panic!("no value: {other:?}"),
        }
    }
    let mut events = Parser::new_from_str(text).map(|event| event.expect("legal YAML").0);
    loop {
        match events.next().expect("a document") {
            Event::StreamStart | Event::DocumentStart(_) => {}
            first => return value(first, &mut events),
        }
    }
}

fn action() -> Value {
    yaml(&fs::read_to_string(repository("action.yml")).expect("the action"))
}

/// A runner: what the steps said so far, and what a user gave.
struct Runner<'a> {
    sandbox: &'a Sandbox,
    inputs: BTreeMap<String, String>,
    outputs: BTreeMap<String, String>,
}

impl<'a> Runner<'a> {
    fn new(sandbox: &'a Sandbox, given: &[(&str, &str)]) -> Self {
        let action = action();
        let defaults = action["inputs"].as_object().expect("inputs").iter();
        let mut inputs: BTreeMap<String, String> = defaults
            .map(|(name, input)| {
                let default = input["default"].as_str().expect("a default");
                (name.clone(), default.to_owned())
            })
            .collect();
        for (name, value) in given {
            assert!(
                inputs
                    .insert((*name).to_owned(), (*value).to_owned())
                    .is_some(),
                "{name}"
            );
        }
        for folder in ["temp/countersign/bin", "action"] {
            fs::create_dir_all(sandbox.path(folder)).expect("a folder");
        }
        // What the cache brings back.
        let program = sandbox.path("temp/countersign/bin/countersign");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_countersign"), program).expect("linked");
        Self {
            sandbox,
            inputs,
            outputs: BTreeMap::new(),
        }
    }

    /// A text with its expressions filled in.
    fn filled(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${{ ") {
            let (name, after) = after.split_once(" }}").expect("an end");
            let value = match name.split('.').collect::<Vec<_>>()[..] {
                ["inputs", name] => &self.inputs[name],
                ["steps", step, "outputs", name] => {
                    let key = format!("{step}.{name}");
                    self.outputs
                        .get(&key)
                        .unwrap_or_else(|| panic!("no output `{key}`"))
                }
                _ => panic!("an expression that this runner does not know: {name}"),
            };
            out.extend([before, value]);
            rest = after;
        }
        out + rest
    }

    /// Runs the scripts, and answers with the last one's status and with what all printed.
    fn run(&mut self) -> (i32, String) {
        let action = action();
        let mut printed = String::new();
        let mut status = 0;
        for step in action["runs"]["steps"].as_array().expect("steps") {
            let id = step["id"].as_str().unwrap_or_default();
            // What the cache brought back is not built again, and other actions are not ours.
            if id == "install" || step["uses"].is_string() {
                continue;
            }
            assert_eq!(step["shell"], "bash", "{id}");
            let script = step["run"].as_str().expect("a script");
            assert!(
                !script.contains("${{"),
                "an expression inside a script can inject: {script}"
            );
            let folder = step["working-directory"]
                .as_str()
                .map_or_else(String::new, |f| self.filled(f));
            let said = self.sandbox.path("said");
            fs::write(&said, "").expect("written");
            let file = self.sandbox.path("temp/step.sh");
            fs::write(&file, script).expect("written");
            // As runners start `shell: bash`.
            let words = [
                "--noprofile",
                "--norc",
                "-eo",
                "pipefail",
                &file.to_string_lossy(),
            ]
            .map(str::to_owned);
            let mut command: Command = self
                .sandbox
                .command(Path::new("bash"), &words.each_ref().map(String::as_str));
            for (name, value) in step["env"].as_object().into_iter().flatten() {
                command.env(name, self.filled(value.as_str().expect("a text")));
            }
            command
                .env("CI", "true")
                .env("GITHUB_ACTION_PATH", repository("."))
                .env("GITHUB_OUTPUT", &said)
                .env("GITHUB_STEP_SUMMARY", self.sandbox.path("summary.md"))
                .env("RUNNER_TEMP", self.sandbox.path("temp"))
                .env("RUNNER_OS", "Linux")
                .env("RUNNER_ARCH", "X64")
                .current_dir(self.sandbox.path(&folder));
            let output = command.output().expect("bash is installed");
            printed += &String::from_utf8_lossy(&output.stdout);
            printed += &String::from_utf8_lossy(&output.stderr);
            status = output.status.code().expect("a status");
            for line in fs::read_to_string(&said).expect("outputs").lines() {
                let (name, value) = line.split_once('=').expect("an output");
                self.outputs
                    .insert(format!("{id}.{name}"), value.to_owned());
            }
            if status != 0 {
                break;
            }
        }
        (status, printed)
    }
}

fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path(".git")).expect("a folder of the sandbox");
    sandbox.copy("fixtures/demo/before.json", "catalogue.json");
    configure(
        &sandbox,
        &json!({ "notes": server(&sandbox, "catalogue.json") }),
    );
    sandbox.run(&["snapshot"]).expect(0);
    sandbox
}

#[test]
fn the_action_passes_while_nothing_waits_and_fails_with_the_reasons_when_something_does() {
    let sandbox = project();
    let (status, printed) = Runner::new(&sandbox, &[]).run();
    assert_eq!(status, 0, "{printed}");
    fs::remove_dir_all(sandbox.path("temp")).expect("a folder");

    sandbox.copy("fixtures/demo/after.json", "catalogue.json");
    let mut runner = Runner::new(&sandbox, &[]);
    let (status, printed) = runner.run();
    assert_eq!(status, 1, "{printed}");
    assert!(
        printed.contains("::error file=countersign.lock.json"),
        "{printed}"
    );
    assert_eq!(runner.outputs["diff.status"], "1");
    let sarif = fs::read_to_string(&runner.outputs["diff.sarif-file"]).expect("a file");
    let sarif: Value = serde_json::from_str(&sarif).expect("JSON");
    assert_eq!(sarif["version"], "2.1.0");
    assert!(sandbox.read("summary.md").contains("search_notes"));
}

#[test]
fn what_a_user_gives_the_action_is_words_and_never_a_script() {
    let sandbox = project();
    fs::create_dir(sandbox.path("a b")).expect("a folder");
    fs::rename(sandbox.path(".mcp.json"), sandbox.path("a b/mcp.json")).expect("moved");
    let given = [
        ("arguments", "--config 'a b/mcp.json' notes"),
        ("summary", "false"),
    ];
    let (status, printed) = Runner::new(&sandbox, &given).run();
    assert_eq!(status, 0, "{printed}");
    assert!(!sandbox.path("summary.md").exists());
    fs::remove_dir_all(sandbox.path("temp")).expect("a folder");

    let given = [("arguments", "$(touch pwned) `touch pwned` ; touch pwned")];
    let (status, printed) = Runner::new(&sandbox, &given).run();
    assert_eq!(status, 2, "{printed}");
    assert!(!sandbox.path("pwned").exists());
}

#[test]
fn the_action_names_other_actions_by_commit() {
    let action = action();
    let steps = action["runs"]["steps"].as_array().expect("steps");
    let used: Vec<&str> = steps
        .iter()
        .filter_map(|step| step["uses"].as_str())
        .collect();
    assert!(!used.is_empty());
    for name in used {
        let (_, commit) = name.split_once('@').expect("a version");
        assert!(
            commit.len() == 40 && commit.bytes().all(|b| b.is_ascii_hexdigit()),
            "{name}"
        );
    }
}

#[test]
fn the_hooks_start_commands_that_there_are() {
    let sandbox = project();
    let hooks = yaml(&fs::read_to_string(repository(".pre-commit-hooks.yaml")).expect("the hooks"));
    for hook in hooks.as_array().expect("hooks") {
        let entry = hook["entry"].as_str().expect("a command");
        let words: Vec<&str> = entry.split(' ').skip(1).collect();
        let run = sandbox.run(&words);
        assert!(!run.stderr.contains("Usage:"), "{entry}: {}", run.stderr);
    }
}
