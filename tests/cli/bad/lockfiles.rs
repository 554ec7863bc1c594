//! Lockfiles that cannot be trusted: never repaired, never taken as empty.

use super::{Writes, refused};
use crate::files::LOCKFILE;
use crate::support::Sandbox;

const COMMANDS: &[&[&str]] = &[
    &["diff", "--name", "s", "--from", "s.json"],
    &["snapshot", "--name", "s", "--from", "s.json"],
    &["snapshot", "--name", "new", "--from", "s.json"],
    &["review"],
    &["review", "--all"],
    &["ack", "--all", "--by", "x"],
    &["ack", "s", "--by", "x"],
    &["prune"],
    &["prune", "--check"],
];

/// A project with a lockfile, and a change of its server that was shown.
fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    let with_source = |command| [command, "--name", "s", "--from", "s.json"];
    sandbox.write("s.json", r#"{"tools":[{"name":"a","description":"One."}]}"#);
    sandbox.run(&with_source("snapshot")).expect(0);
    sandbox.write("s.json", r#"{"tools":[{"name":"a","description":"Two."}]}"#);
    sandbox.run(&with_source("diff")).expect(1);
    sandbox
}

#[test]
fn a_damaged_lockfile_is_refused_with_the_line_by_every_command() {
    let sandbox = project();
    let good = sandbox.read(LOCKFILE);
    let line_of = |text: &str, part: &str| {
        let at = text.find(part).expect("it is there");
        format!("line {}", text[..at].matches('\n').count() + 1)
    };
    let edited = good.replace("One.", "Other.");
    let digest = good.replace("\"digest\": \"v1:", "\"digest\": \"v1:0");
    let unknown = good.replace(
        "\"description\"",
        "\"acknowledgments\": [],\n\"description\"",
    );
    let unknown = unknown.replacen("\"digest\"", "\"unknown\": 1,\n\"digest\"", 1);
    let twice = good.replacen("\"version\": 1", "\"version\": 1,\n  \"version\": 1", 1);
    let servers_twice = good.replacen("\"since\"", "\"since\": \"2026-01-02\",\n\"since\"", 1);
    let newer = good.replacen("\"version\": 1", "\"version\": 999", 1);
    let conflict = good.replacen("      \"since\"", "<<<<<<< HEAD\n      \"since\"", 1);
    let resolved_badly = format!("{good}>>>>>>> branch\n");
    for (damaged, words) in [
        (
            conflict.clone().into_bytes(),
            vec![line_of(&conflict, "<<<<<<<"), "conflict".to_owned()],
        ),
        (resolved_badly.into_bytes(), vec!["conflict".to_owned()]),
        (
            twice.clone().into_bytes(),
            vec!["two members named `version`".to_owned(), "line".to_owned()],
        ),
        (
            servers_twice.into_bytes(),
            vec!["two members named `since`".to_owned()],
        ),
        (
            newer.clone().into_bytes(),
            vec!["version 999".to_owned(), "line 1:".to_owned()],
        ),
        (unknown.into_bytes(), vec!["line".to_owned()]),
        (
            edited.into_bytes(),
            vec!["the definition was edited".to_owned(), "line".to_owned()],
        ),
        (digest.into_bytes(), vec!["line".to_owned()]),
        (b"\xff\xfe{\0}\0".to_vec(), vec!["line 1".to_owned()]),
        ([good.as_bytes(), b"\xff"].concat(), vec!["line".to_owned()]),
        (
            good.replacen("One.", "\u{0}", 1).into_bytes(),
            vec!["line".to_owned()],
        ),
        (b"".to_vec(), vec!["line 1".to_owned()]),
        (b"\n".to_vec(), vec!["line".to_owned()]),
        (b"{}".to_vec(), vec!["`version`".to_owned()]),
        (b"null".to_vec(), vec!["line 1".to_owned()]),
        (
            format!("{good}{good}").into_bytes(),
            vec!["line".to_owned()],
        ),
        ("[".repeat(100_000).into_bytes(), vec!["line 1".to_owned()]),
    ] {
        sandbox.write(LOCKFILE, &damaged);
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        words.push(LOCKFILE);
        for args in COMMANDS {
            refused(&sandbox, args, Writes::Nothing, &words);
        }
        refused(&sandbox, &["servers"], Writes::Nothing, &words);
    }
    sandbox.write(LOCKFILE, good);
    sandbox
        .run(&["diff", "--name", "s", "--from", "s.json"])
        .expect(1);
}

#[test]
fn a_lockfile_that_was_cut_anywhere_is_no_shorter_lockfile() {
    let sandbox = project();
    let good = sandbox.read(LOCKFILE);
    for length in (0..good.trim_end().len()).step_by(7) {
        sandbox.write(LOCKFILE, &good[..length]);
        refused(
            &sandbox,
            &["diff", "--name", "s", "--from", "s.json"],
            Writes::Nothing,
            &[LOCKFILE, "line"],
        );
    }
}

#[test]
fn a_folder_in_place_of_the_lockfile_is_named() {
    let sandbox = project();
    std::fs::remove_file(sandbox.path(LOCKFILE)).expect("removed");
    std::fs::create_dir(sandbox.path(LOCKFILE)).expect("a folder");
    for args in COMMANDS {
        refused(
            &sandbox,
            args,
            Writes::Nothing,
            &[LOCKFILE, "cannot read", "directory"],
        );
    }
    std::fs::remove_dir(sandbox.path(LOCKFILE)).expect("removed");
    let absent: Vec<_> = COMMANDS
        .iter()
        .filter(|args| args[0] != "snapshot")
        .collect();
    for args in absent {
        refused(
            &sandbox,
            args,
            Writes::Nothing,
            &["no lockfile at", LOCKFILE],
        );
    }
}
