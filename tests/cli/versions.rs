//! Files of this version are read by every later countersign, and files of a newer one are refused, with both versions
//! named, and left as they are. `fixtures/versions/1` was written by the first countersign.

use crate::files::LOCKFILE;
use crate::support::{Sandbox, repository};
use std::fs;
use std::path::{Path, PathBuf};

const BOTH: &str = "version 2; this countersign reads version 1";

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder of fixtures") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("copied");
        }
    }
}

fn old() -> Sandbox {
    let sandbox = Sandbox::new();
    let fixture = repository("fixtures/versions/1");
    copy(&fixture.join("data"), &sandbox.data());
    for name in [LOCKFILE, ".mcp.json"] {
        sandbox.copy(&format!("fixtures/versions/1/{name}"), name);
    }
    sandbox
}

/// The one file of the data directory with that end.
fn stored(sandbox: &Sandbox, end: &str) -> PathBuf {
    let files = sandbox.files().into_keys();
    let mut found = files.filter(|path| path.to_string_lossy().contains(end));
    found.next().unwrap_or_else(|| panic!("no `{end}`"))
}

#[test]
fn files_of_the_first_version_are_read() {
    let sandbox = old();
    let before = sandbox.files();
    let told = sandbox.run(&["history", "--verify"]).expect(0).stdout;
    for words in [
        "server notes: 6 events, its chain holds and every snapshot is whole",
        "first sight  3 items",
        "changed  tool search_notes  material",
        "flagged  usage  once a year",
    ] {
        assert!(told.contains(words), "`{words}` is missing in\n{told}");
    }
    let held = sandbox.run(&["approve"]).expect(0).stdout;
    assert!(held.contains("4ad011f4be07d4e9"), "{held}");
    let policy = sandbox.run(&["policy", "notes"]).expect(0).stdout;
    assert!(policy.contains("ask"), "{policy}");
    assert_eq!(sandbox.files(), before);
    let review = sandbox.run(&["review", "--all"]).expect(0).stdout;
    assert!(
        review.contains("Ada Example") && review.contains("looked at"),
        "{review}"
    );
    sandbox.run(&["approve", "4ad0", "--by", "x"]).expect(0);
    sandbox
        .run(&["flag", "notes", "--reason", "policy"])
        .expect(0);
    sandbox.run(&["ack", "notes", "--by", "x"]).expect(0);
    let told = sandbox.run(&["history", "--verify"]).expect(0).stdout;
    for words in [
        "8 events, its chain holds",
        "flagged  policy",
        "reviewed  by x",
    ] {
        assert!(told.contains(words), "`{words}` is missing in\n{told}");
    }
}

#[test]
fn files_of_a_newer_version_are_refused_with_both_versions_named_and_left_as_they_are() {
    let flag = &["flag", "notes", "--reason", "policy"][..];
    let verify = &["history", "--verify"][..];
    let ack = &["ack", "notes", "--by", "x"][..];
    let approve = &["approve", "4ad0", "--by", "x"][..];
    for (file, newer, commands) in [
        (
            LOCKFILE,
            (r#""version": 1"#, r#""version": 2"#),
            &[verify, flag, ack, &["review"], &["prune"], &["policy"]][..],
        ),
        (
            "history.jsonl",
            (
                r#""note":"once a year""#,
                r#""note":"once a year","version":2"#,
            ),
            &[verify, &["history"], flag, &["review"]],
        ),
        (
            "/held/",
            (r#""server": "notes""#, r#""server": "notes", "version": 2"#),
            &[&["approve"], approve],
        ),
        (
            "/shown/",
            (r#""servers""#, r#""version": 2, "servers""#),
            &[&["review"], ack, verify],
        ),
    ] {
        let sandbox = old();
        // What was shown stands under the lockfile's path, which is another in each run.
        sandbox.run(&["review"]).expect(0);
        let path = stored(&sandbox, file);
        let text = fs::read_to_string(&path).expect("text");
        assert!(text.contains(newer.0), "{text}");
        fs::write(&path, text.replacen(newer.0, newer.1, 1)).expect("written");
        let before = sandbox.files();
        for command in commands {
            let output = sandbox.run(command).expect(2);
            let said = output.stdout + &output.stderr;
            let name = path.file_name().expect("a name").to_string_lossy();
            assert!(
                said.contains(BOTH) && said.contains(&*name),
                "{command:?}: {said}"
            );
            assert_eq!(sandbox.files(), before, "{command:?}");
        }
    }
}

#[test]
fn sign_ins_of_a_newer_version_are_refused_too() {
    let sandbox = Sandbox::new();
    let folder = sandbox.home("sign-ins");
    sandbox.set("COUNTERSIGN_CONFIG_DIR", folder.to_str().expect("UTF-8"));
    fs::create_dir(&folder).expect("a folder");
    let path = folder.join("credentials.json");
    let newer = r#"{"version":2,"credentials":{"of":"another form"}}"#;
    fs::write(&path, newer).expect("written");
    let output = sandbox.run(&["logout", "http://127.0.0.1:1/mcp"]).expect(2);
    let said = output.stderr;
    assert!(
        said.contains(BOTH) && said.contains("credentials.json") && !said.contains("remove it"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(&path).expect("read"), newer);
}
