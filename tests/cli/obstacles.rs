//! Things in the place of files: nothing waits for a pipe that nobody writes into, and each is named with the way out.

#![cfg(unix)]

use crate::guard::{ADD_REWORDED, Guarded};
use crate::support::{Sandbox, text};
use serde_json::json;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Puts a pipe, or a folder, in the place of a file.
fn obstruct(path: &Path, with: &str) {
    let _ = std::fs::remove_file(path);
    let _ = std::fs::remove_dir(path);
    let made = Command::new(with).arg(path).status().expect("it runs");
    assert!(made.success());
}

const OBSTACLES: [&str; 2] = ["mkfifo", "mkdir"];

/// A project with a shown change, a held call and a history.
fn project() -> Guarded {
    let guarded = Guarded::new();
    guarded.policy(json!({"allowChanges": "ask"}));
    guarded.offer(&[ADD_REWORDED]);
    let mut talk = guarded.talk();
    talk.initialize();
    assert!(talk.call("add", &json!({})).1);
    assert_eq!(talk.leave(), 0);
    guarded.sandbox.run(&["diff"]).expect(1);
    guarded
}

fn stored(sandbox: &Sandbox, wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let files = sandbox.files().into_keys();
    let found: Vec<PathBuf> = files.filter(|path| wanted(path)).collect();
    assert!(!found.is_empty());
    found
}

fn within(folder: &str) -> impl Fn(&Path) -> bool {
    move |path| path.parent().and_then(Path::file_name) == Some(OsStr::new(folder))
}

#[test]
fn what_stands_in_the_place_of_a_file_of_the_data_directory_is_named() {
    for with in OBSTACLES {
        let guarded = project();
        let sandbox = &guarded.sandbox;
        let named = |args: &[&str], path: &Path| {
            let output = sandbox.run(args).expect(2);
            let said = output.stdout + &output.stderr;
            let path = path.file_name().expect("a name").to_string_lossy();
            for words in [&*path, "it is no regular file", "mv "] {
                assert!(said.contains(words), "{with} {args:?} {words}: {said}");
            }
        };
        // A held call: the others are listed, and the file that is in the way is said.
        let held = &stored(sandbox, within("held"))[0];
        let record = std::fs::read(held).expect("a record");
        let id = held
            .file_stem()
            .expect("a stem")
            .to_string_lossy()
            .into_owned();
        obstruct(held, with);
        let output = sandbox.run(&["approve"]).expect(0);
        assert!(output.stderr.contains(&id), "{}", output.stderr);
        assert!(
            output.stderr.contains("it is no regular file"),
            "{}",
            output.stderr
        );
        assert!(output.stderr.contains("hint: mv "), "{}", output.stderr);
        let output = sandbox.run(&["approve", &id, "--by", "me"]).expect(2);
        assert!(
            output.stderr.contains("no call is held"),
            "{}",
            output.stderr
        );
        sandbox.run(&["review"]).expect(1);
        let _ = std::fs::remove_file(held);
        let _ = std::fs::remove_dir(held);
        std::fs::write(held, record).expect("written");
        // The locks.
        let lock = &sandbox.data().join("locks/held");
        obstruct(lock, with);
        named(&["approve", &id, "--by", "me"], lock);
        let _ = std::fs::remove_file(lock);
        let _ = std::fs::remove_dir(lock);
        // What was shown.
        let shown = &stored(sandbox, within("shown"))[0];
        let record = std::fs::read(shown).expect("a record");
        obstruct(shown, with);
        named(&["ack", "--all", "--by", "me"], shown);
        named(&["history"], shown);
        let _ = std::fs::remove_file(shown);
        let _ = std::fs::remove_dir(shown);
        std::fs::write(shown, record).expect("written");
        // The history, and a snapshot that it names.
        let snapshot = stored(sandbox, within("snapshots"));
        for snapshot in &snapshot {
            obstruct(snapshot, with);
        }
        let output = sandbox.run(&["history", "--verify"]).expect(2);
        assert!(
            output.stdout.contains("it is no regular file"),
            "{}",
            output.stdout
        );
        let history = &stored(sandbox, |path| path.ends_with("history.jsonl"))[0];
        obstruct(history, with);
        for args in [
            &["history"][..],
            &["history", "--verify"],
            &["review"],
            &["flag", "notes", "--reason", "usage"],
        ] {
            named(args, history);
        }
    }
}

#[test]
fn a_pipe_is_not_replayed() {
    let sandbox = Sandbox::new();
    let path = sandbox.path("pipe.json");
    obstruct(&path, "mkfifo");
    let output = sandbox.run(&["replay", &text(&path)]).expect(2);
    assert!(
        output.stderr.contains("it is no regular file"),
        "{}",
        output.stderr
    );
}
