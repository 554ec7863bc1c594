//! Wrong usage, and asking for what is not there.

use super::{Writes, project, refused};
use crate::files::LOCKFILE;
use crate::support::{Sandbox, scripted};

/// What is typed, and what is said.
const USAGE: &[(&[&str], &[&str])] = &[
    (&["diff", "--unknown-flag"], &["--unknown-flag"]),
    (&["dif"], &["dif"]),
    (&[], &["Usage"]),
    (&["diff", "--timeout"], &["--timeout"]),
    (&["diff", "--timeout", "soon"], &["--timeout", "soon"]),
    (&["diff", "--timeout", "-1"], &["--timeout"]),
    (&["diff", "--max-frame", "1"], &["--max-frame", "1024"]),
    (&["diff", "--max-depth", "10001"], &["--max-depth", "10000"]),
    (&["diff", "--jobs", "0"], &["--jobs"]),
    (&["diff", "--color", "blue"], &["--color", "blue"]),
    (&["diff", "-q", "-v"], &["--quiet", "--verbose"]),
    (&["diff", "--url", "http://127.0.0.1:1"], &["--name"]),
    (&["diff", "--name", "s"], &["s"]),
    (
        &[
            "diff",
            "--name",
            "s",
            "--url",
            "http://127.0.0.1:1",
            "--from",
            "a",
        ],
        &["--url", "--from"],
    ),
    (
        &[
            "diff",
            "--name",
            "s",
            "--url",
            "http://127.0.0.1:1",
            "--",
            "x",
        ],
        &["--url"],
    ),
    (
        &["diff", "--name", "s", "--config", "c.json", "--", "x"],
        &["--config", "--name"],
    ),
    (&["diff", "--name", "", "--from", "a"], &["name"]),
    (
        &["diff", "--protocol", "1999-01-01"],
        &["1999-01-01", "2025-11-25"],
    ),
    (
        &["diff", "--capabilities", "absent.json"],
        &["absent.json", "host"],
    ),
    (
        &["diff", "--client-info", "me"],
        &["--client-info", "NAME/VERSION"],
    ),
    (&["diff", "--explain", "no-such-rule"], &["no-such-rule"]),
    (&["diff", "nobody"], &["`nobody`", "`s`"]),
    (&["snapshot", "nobody"], &["`nobody`", "`s`"]),
    (&["diff", "server"], &["server"]),
    (&["diff", "a.json"], &["a.json", "no such file"]),
    (&["diff", "a.json", "b.json"], &["a.json", "no such file"]),
    (&["diff", "countersign.lock.json"], &["two at a time"]),
    (&["diff", "-", "-"], &["standard input"]),
    (&["review", "nobody"], &["`nobody`"]),
    (&["review", "s/nothing"], &["`s/nothing`"]),
    (&["ack"], &["SELECTOR"]),
    (&["ack", "--all", "s"], &["--all"]),
    (&["ack", "--all", "--note", ""], &["note is empty"]),
    (&["ack", "--all", "--note", "  "], &["note is empty"]),
    (&["ack", "nobody", "--by", "x"], &["`nobody`"]),
    (&["ack", "s/nothing", "--by", "x"], &["`s/nothing`"]),
    (&["ack", "0123456789ab", "--by", "x"], &["`0123456789ab`"]),
    (&["ack", "", "--by", "x"], &["``"]),
    (&["prune", "nobody"], &["`nobody`"]),
    (&["servers", "--config", "absent.json"], &["absent.json"]),
    (&["completions"], &["SHELL"]),
    (&["completions", "csh"], &["csh"]),
];

#[test]
fn wrong_usage_is_said_in_either_format() {
    let sandbox = project();
    for (args, words) in USAGE {
        refused(&sandbox, args, Writes::Nothing, words);
    }
}

#[test]
fn json_is_asked_for_in_every_way_that_the_command_line_knows() {
    let sandbox = Sandbox::new();
    for args in [
        &["--format", "json", "diff", "--nonsense"][..],
        &["--format=json", "diff", "--nonsense"],
        &["diff", "--nonsense", "--format=json"],
    ] {
        sandbox.run(args).expect(2).json();
    }
    let mut command = sandbox.program(&["diff", "--nonsense"]);
    command.env("COUNTERSIGN_FORMAT", "json");
    sandbox
        .finish(command.spawn().expect("started"))
        .expect(2)
        .json();
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let mut command = sandbox.program(&["diff"]);
        command
            .arg(std::ffi::OsStr::from_bytes(b"\xff"))
            .args(["--format", "json"]);
        sandbox
            .finish(command.spawn().expect("started"))
            .expect(2)
            .json();
    }
}

#[test]
fn what_fits_two_things_is_refused_with_both_named() {
    let sandbox = Sandbox::new();
    let offer = |word: &str| {
        format!(
            r#"{{"tools":[{{"name":"add","description":"{word}"}}],"prompts":[{{"name":"add","description":"{word}"}}]}}"#
        )
    };
    sandbox.write("s.json", offer("one"));
    sandbox
        .run(&["snapshot", "--name", "s", "--from", "s.json"])
        .expect(0);
    sandbox.write("s.json", offer("two"));
    sandbox
        .run(&["diff", "--name", "s", "--from", "s.json"])
        .expect(1);
    for command in ["review", "ack"] {
        let args = [command, "s/add"];
        refused(
            &sandbox,
            &args,
            Writes::Nothing,
            &["`s/tool:add`", "`s/prompt:add`"],
        );
    }
    sandbox.run(&["ack", "s/tool:add", "--by", "x"]).expect(0);
    sandbox.run(&["ack", "s/add", "--by", "x"]).expect(2);
}

#[test]
fn only_what_was_shown_last_can_be_acknowledged() {
    let sandbox = Sandbox::new();
    sandbox.write("s.json", r#"{"tools":[{"name":"a","description":"One."}]}"#);
    let launch = scripted(&sandbox.path("s.json"));
    let with_launch = |words: &[&str]| {
        let words = words.iter().map(|word| (*word).to_owned());
        words
            .chain(["--name", "s", "--"].map(str::to_owned))
            .chain(launch.clone())
            .collect::<Vec<_>>()
    };
    let run = |words: &[&str]| {
        let words = with_launch(words);
        sandbox.run(&words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    run(&["snapshot"]).expect(0);
    // Another lockfile of the same server was not shown anything yet.
    std::fs::copy(sandbox.path(LOCKFILE), sandbox.path("other.json")).expect("copied");
    let other = ["ack", "--all", "--by", "x", "--lock", "other.json"];
    refused(
        &sandbox,
        &other,
        Writes::Nothing,
        &["nothing of `s` was shown", "look first"],
    );

    sandbox.write("s.json", r#"{"tools":[{"name":"a","description":"Two."}]}"#);
    let report = run(&["diff", "--format", "json"]).expect(1).json();
    let id = report["servers"][0]["changes"][0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    // A newer snapshot, which the other lockfile was shown.
    sandbox.write(
        "s.json",
        r#"{"tools":[{"name":"a","description":"Three."}]}"#,
    );
    run(&["diff", "--lock", "other.json"]).expect(1);
    for selector in ["--all", "s", "s/a", &id] {
        let args = ["ack", selector, "--by", "x"];
        refused(
            &sandbox,
            &args,
            Writes::Nothing,
            &["newer snapshot of `s`", "look first"],
        );
    }
    // Looking shows it, and then the old change is none any more.
    sandbox.run(&["review"]).expect(1);
    refused(
        &sandbox,
        &["ack", &id, "--by", "x"],
        Writes::Nothing,
        &[&format!("`{id}`")],
    );
    sandbox.run(&["ack", "--all", "--by", "x"]).expect(0);
    run(&["diff"]).expect(0);
    // Acknowledged once is enough.
    refused(
        &sandbox,
        &["ack", &id, "--by", "x"],
        Writes::Nothing,
        &[&format!("`{id}`")],
    );
}

#[test]
fn who_acknowledges_must_be_known() {
    let sandbox = project();
    refused(
        &sandbox,
        &["ack", "s"],
        Writes::Nothing,
        &["who acknowledges"],
    );
    // Where nothing is recorded nobody is asked.
    sandbox.run(&["ack", "--all"]).expect(0);
}

#[test]
fn in_ci_a_lockfile_is_written_only_where_it_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write("s.json", r#"{"tools":[{"name":"a"}]}"#);
    let in_ci = |flags: &[&str]| {
        let words = [&["snapshot", "--name", "s", "--from", "s.json"], flags].concat();
        let mut command = sandbox.program(&words);
        command.env("CI", "1");
        sandbox.finish(command.spawn().expect("started")).expect(0)
    };
    let said = in_ci(&[]);
    let said = said.stdout + &said.stderr;
    assert!(
        said.contains("`CI` is set") && said.contains("--lock"),
        "{said}"
    );
    let said = in_ci(&["--format", "json"]).json();
    assert!(said["servers"][0]["recorded"].is_null(), "{said:#}");
    assert!(said.to_string().contains("`CI` is set"), "{said:#}");
    assert!(!sandbox.path(LOCKFILE).exists());
    in_ci(&["--lock", LOCKFILE]);
    sandbox
        .run(&["diff", "--name", "s", "--from", "s.json"])
        .expect(0);
}
