//! A data directory that was tampered with: what it says is not believed.

use super::{Writes, refused};
use crate::support::Sandbox;
use std::ffi::OsStr;
use std::path::PathBuf;

const DIFF: [&str; 5] = ["diff", "--name", "s", "--from", "s.json"];
const ACK: [&str; 4] = ["ack", "--all", "--by", "x"];

/// A project with a lockfile, and a change of its server that was shown.
fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("s.json", r#"{"tools":[{"name":"a","description":"One."}]}"#);
    sandbox
        .run(&["snapshot", "--name", "s", "--from", "s.json"])
        .expect(0);
    sandbox.write("s.json", r#"{"tools":[{"name":"a","description":"Two."}]}"#);
    sandbox.run(&DIFF).expect(1);
    sandbox
}

fn stored(sandbox: &Sandbox, wanted: impl Fn(&PathBuf) -> bool) -> Vec<PathBuf> {
    let found: Vec<PathBuf> = sandbox.files().into_keys().filter(wanted).collect();
    assert!(!found.is_empty());
    found
}

#[test]
fn a_snapshot_that_was_edited_is_not_believed() {
    let sandbox = project();
    let snapshots = stored(&sandbox, |path| {
        path.parent().and_then(|p| p.file_name()) == Some(OsStr::new("snapshots"))
    });
    for content in [
        "",
        "{",
        r#"{"snapshot":1,"tools":[{"description":"One.","name":"a"}]}"#,
        "\u{0}",
    ] {
        for path in &snapshots {
            std::fs::write(path, content).expect("written");
        }
        for args in [&["review"][..], &ACK] {
            refused(
                &sandbox,
                args,
                Writes::Nothing,
                &["snapshots", "is damaged", "SHA-256"],
            );
        }
    }
    // Looking again writes what is shown anew.
    sandbox.run(&DIFF).expect(1);
    sandbox.run(&ACK).expect(0);
    sandbox.run(&DIFF).expect(0);
}

#[test]
fn a_history_that_was_edited_is_not_believed_nor_written_on() {
    let sandbox = project();
    let history = &stored(&sandbox, |path| path.ends_with("history.jsonl"))[0];
    let good = std::fs::read_to_string(history).expect("a history");
    let (first, rest) = good.split_once('\n').expect("two lines");
    for content in [
        rest.to_owned(),
        good.replacen("first-sight", "first-sighT", 1),
        format!("{first}\n{first}\n{rest}"),
        format!("\n{good}"),
        format!("{{}}\n{good}"),
    ] {
        std::fs::write(history, &content).expect("written");
        for args in [&["review"][..], &ACK] {
            refused(&sandbox, args, Writes::Nothing, &["history.jsonl", "line"]);
        }
        // Drift beats error, and both are told; the history is left as it is.
        let output = sandbox.run(&DIFF).expect(1).stdout;
        assert!(
            output.contains("history.jsonl") && output.contains("line"),
            "{output}"
        );
        assert_eq!(
            std::fs::read_to_string(history).expect("a history"),
            content
        );
    }
    // A line that a crash has torn is cut, and the rest stands. Nothing had come to say that it was whole.
    std::fs::remove_file(history.with_file_name("end.json")).expect("removed");
    std::fs::write(history, &good[..good.len() - 9]).expect("written");
    sandbox.run(&DIFF).expect(1);
    sandbox.run(&ACK).expect(0);
}

#[test]
fn a_record_of_what_was_shown_that_was_edited_acknowledges_nothing() {
    let sandbox = project();
    let shown = &stored(&sandbox, |path| {
        path.parent().and_then(|p| p.file_name()) == Some(OsStr::new("shown"))
    })[0];
    for content in [
        "{",
        "{}",
        r#"{"servers":{"s":{"folder":"../../..","at":"x"}}}"#,
    ] {
        std::fs::write(shown, content).expect("written");
        refused(&sandbox, &ACK, Writes::Nothing, &[]);
    }
    sandbox.run(&DIFF).expect(1);
    sandbox.run(&ACK).expect(0);
}
