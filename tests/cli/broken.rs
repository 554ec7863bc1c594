//! `history --verify` on histories that something else has written to: the server, the line and what is broken are
//! named, nothing is repaired, and nothing is written on.

use crate::files::offer;
use crate::support::Sandbox;
use std::fs;
use std::path::PathBuf;

const DIFF: [&str; 5] = ["diff", "--name", "s", "--from", "s.json"];

/// A line that another program might have written.
const FOREIGN: &str = r#"{"at":"2026-01-02T03:04:05Z","event":"reachable","prev":"00000000000000000000000000000000000000000000000000000000000000ff"}"#;
/// The first line of another history.
const FIRST: &str = r#"{"at":"2026-01-02T03:04:05Z","event":"reachable","prev":"0000000000000000000000000000000000000000000000000000000000000000"}"#;

/// A project with a history of five lines.
struct Observed {
    sandbox: Sandbox,
    folder: PathBuf,
    lines: Vec<String>,
    end: Vec<u8>,
}

impl Observed {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        for (step, status) in ["first", "second", "third", "fourth"].into_iter().zip(0..) {
            sandbox.write("s.json", offer(&["a"], step));
            let command = if status == 0 { "snapshot" } else { "diff" };
            let args = [&[command], &DIFF[1..]].concat();
            sandbox.run(&args).expect(status.min(1));
        }
        let flag = ["flag", "s", "--reason", "usage", "--note", "yearly"];
        sandbox.run(&flag).expect(0);
        let folder = fs::read_dir(sandbox.data().join("servers")).expect("servers");
        let folder = folder.map(|entry| entry.expect("an entry").path()).next();
        let folder = folder.expect("one server");
        let text = fs::read_to_string(folder.join("history.jsonl")).expect("a history");
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        assert_eq!(lines.len(), 5, "{text}");
        Self {
            end: fs::read(folder.join("end.json")).expect("an end"),
            sandbox,
            folder,
            lines,
        }
    }

    /// Puts that in place of the history, with what is known of its end or without.
    fn becomes(&self, history: impl AsRef<[u8]>, knows_end: bool) {
        fs::write(self.folder.join("history.jsonl"), history).expect("written");
        let end = self.folder.join("end.json");
        if knows_end {
            fs::write(end, &self.end).expect("written");
        } else if end.exists() {
            fs::remove_file(end).expect("removed");
        }
    }

    /// It is broken at that line, which every command says that goes by it, and none changes a file.
    #[track_caller]
    fn is_broken(&self, line: usize, words: &str) {
        let before = self.sandbox.files();
        let said = self.sandbox.run(&["history", "--verify"]).expect(2).stdout;
        assert!(said.starts_with("server s\n"), "{said}");
        let place = format!("history.jsonl`, line {line}: {words}");
        assert!(said.contains(&place), "`{place}` is missing in\n{said}");
        let flagged = self.sandbox.run(&["flag", "s", "--reason", "usage"]);
        let said = flagged.expect(2).stderr;
        assert!(said.contains(&place), "`{place}` is missing in\n{said}");
        assert_eq!(self.sandbox.files(), before);
        let json = ["history", "--verify", "--format", "json"];
        let report = self.sandbox.run(&json).expect(2).json();
        assert_eq!(report["servers"][0]["name"], "s");
        assert_eq!(report["servers"][0]["verified"], false);
    }

    /// The last line is torn, and the next run that writes cuts it.
    #[track_caller]
    fn is_torn(&self, left: usize) {
        let said = self.sandbox.run(&["history", "--verify"]).expect(0).stdout;
        let words = "the last line is torn: the next run that writes cuts it";
        assert!(said.contains(words), "{said}");
        let flag = ["flag", "s", "--reason", "usage"];
        self.sandbox.run(&flag).expect(0);
        let text = fs::read_to_string(self.folder.join("history.jsonl")).expect("a history");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..left], self.lines[..left]);
        assert_eq!(lines.len(), left + 1);
        let said = self.sandbox.run(&["history", "--verify"]).expect(0).stdout;
        assert!(!said.contains("torn"), "{said}");
    }
}

/// Lines as a file has them.
fn file<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let lines = lines.into_iter().map(|line| format!("{line}\n"));
    lines.collect()
}

const OR: &str = "that one was edited, or a line between them is gone";

#[test]
fn a_broken_chain_is_named_by_server_line_and_what_is_broken() {
    let observed = Observed::new();
    let l: Vec<&str> = observed.lines.iter().map(String::as_str).collect();
    let edited = l[1].replacen("material", "minor", 1);
    assert_ne!(edited, l[1]);
    let nulls = "\0".repeat(l[2].len());
    let nameless = FOREIGN.replacen("prev", "next", 1);
    let chained = FOREIGN.replacen(
        "00000000000000000000000000000000000000000000000000000000000000ff",
        &countersign::fingerprint::Digest::of_raw(l[1].as_bytes()).hex(),
        1,
    );
    for (history, line, knowing, without) in [
        // Edited.
        (
            file([l[0], &edited, l[2], l[3], l[4]]),
            3,
            "it does not follow from line 2, which was edited",
            OR,
        ),
        // Removed.
        (
            file([l[0], l[1], l[3], l[4]]),
            3,
            "lines are gone before it: 5 were written, and 4 are left",
            OR,
        ),
        (
            file([l[1], l[2], l[3], l[4]]),
            1,
            "the first lines are gone",
            "the first lines are gone",
        ),
        // Swapped, repeated, put in.
        (
            file([l[0], l[2], l[1], l[3], l[4]]),
            2,
            "it follows from line 3, which stands behind it: lines changed places",
            "it follows from line 3, which stands behind it: lines changed places",
        ),
        (
            file([l[0], l[1], l[1], l[2], l[3], l[4]]),
            3,
            "it repeats line 2",
            "it repeats line 2",
        ),
        (
            file([l[0], l[1], FOREIGN, l[2], l[3], l[4]]),
            3,
            "it was put in: line 4 follows from line 2",
            "it was put in: line 4 follows from line 2",
        ),
        (
            file([l[0], l[1], &chained, l[2], l[3], l[4]]),
            4,
            "it follows from line 2: what stands between was put in",
            "it follows from line 2: what stands between was put in",
        ),
        // Garbage, in the middle.
        (file([l[0], l[1], "garbage", l[3], l[4]]), 3, "", ""),
        (file([l[0], l[1], &nulls, l[3], l[4]]), 3, "", ""),
        (file([l[0], l[1], "", l[2], l[3], l[4]]), 3, "", ""),
        (
            file([l[0], l[1], "[]", l[2], l[3], l[4]]),
            3,
            "not an event",
            "not an event",
        ),
        // Appended.
        (
            file([l[0], l[1], l[2], l[3], l[4], FOREIGN]),
            6,
            "it was put behind line 5, the last that was written, by something else",
            OR,
        ),
        (
            file([l[0], l[1], l[2], l[3], l[4], &nameless]),
            6,
            "it names no line before it: countersign did not write it",
            "it names no line before it: countersign did not write it",
        ),
        (
            file([l[0], l[1], l[2], l[3], l[4], FIRST]),
            6,
            "it begins a history, but lines stand before it",
            "it begins a history, but lines stand before it",
        ),
    ] {
        for (knows_end, words) in [(true, knowing), (false, without)] {
            observed.becomes(&history, knows_end);
            let words = if words == OR {
                format!("it does not follow from line {}: {OR}", line - 1)
            } else {
                words.to_owned()
            };
            observed.is_broken(line, &words);
        }
    }
}

#[test]
fn an_end_that_is_gone_and_an_edit_of_the_last_line_are_named() {
    let observed = Observed::new();
    let l: Vec<&str> = observed.lines.iter().map(String::as_str).collect();
    let whole = file(l.iter().copied());
    for left in 0..5 {
        let gone = format!("the end is gone: line 5 was written, and {left} are left");
        observed.becomes(file(l[..left].iter().copied()), true);
        observed.is_broken(left + 1, &gone);
    }
    // Cut within a line that was whole.
    observed.becomes(&whole[..whole.len() - 9], true);
    observed.is_broken(5, "the end is gone: line 5 was written, and 4 are left");
    fs::remove_file(observed.folder.join("history.jsonl")).expect("removed");
    observed.is_broken(1, "the end is gone: line 5 was written, and 0 are left");

    let edited = whole.replacen("yearly", "monthly", 1);
    observed.becomes(&edited, true);
    observed.is_broken(5, "it was edited: it is not what was written last");
    // What nothing binds is not noticed: the page on security says so.
    observed.becomes(&edited, false);
    observed.sandbox.run(&["history", "--verify"]).expect(0);

    // The way out that the error names.
    observed.becomes(&edited, true);
    let said = observed.sandbox.run(&["history", "--verify"]).expect(2);
    let hint = said
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("hint: mv "));
    let folder = observed.folder.to_str().expect("UTF-8");
    let placeholder = observed
        .sandbox
        .placeholders(&format!("{folder} {folder}.broken"));
    assert_eq!(hint, Some(placeholder.as_str()));
    fs::rename(&observed.folder, format!("{folder}.broken")).expect("moved");
    observed.sandbox.run(&DIFF).expect(1);
    let said = observed.sandbox.run(&["history", "--verify"]).expect(0);
    assert!(
        said.stdout.contains("1 event, its chain holds"),
        "{}",
        said.stdout
    );
}

#[test]
fn a_torn_last_line_is_named_and_the_next_run_mends_it() {
    let observed = Observed::new();
    let whole = file(observed.lines.iter().map(String::as_str));
    let fourth = file(observed.lines[..4].iter().map(String::as_str));
    // A run that was stopped had not come to write down the end.
    for torn in [
        whole[..whole.len() - 1].to_owned(),
        whole[..whole.len() - 9].to_owned(),
        format!("{fourth}garbage\n"),
        format!("{fourth}{}", "\0".repeat(40)),
    ] {
        observed.becomes(torn, false);
        observed.is_torn(4);
    }
    // Behind what is known to be whole.
    observed.becomes(format!("{whole}{{\"at\":"), true);
    observed.is_torn(5);
}
