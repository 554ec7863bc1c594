//! `diff --base`: a branch is judged by the lockfile that it started from.

use crate::support::{Output, Sandbox, scripted};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

pub(crate) const LOCK: &str = "countersign.lock.json";
pub(crate) const BY: [&str; 2] = ["--by", "Ann <ann@example.invalid>"];

pub(crate) fn git(sandbox: &Sandbox, args: &[&str]) {
    let user = [
        "-c",
        "user.name=test",
        "-c",
        "user.email=test@example.invalid",
    ];
    let args = [&user[..], &["-c", "commit.gpgSign=false"], args].concat();
    let git = sandbox.command(Path::new("git"), &args).spawn();
    sandbox.finish(git.expect("git runs")).expect(0);
}

pub(crate) fn commit(sandbox: &Sandbox, message: &str) {
    git(sandbox, &["add", "-A"]);
    git(sandbox, &["commit", "-qm", message]);
}

/// Tools by name and description, as a server lists them.
pub(crate) fn offer(sandbox: &Sandbox, tools: &[(&str, &str)]) {
    let tools: Vec<Value> = tools
        .iter()
        .map(|(name, text)| json!({ "name": name, "description": text, "inputSchema": { "type": "object" } }))
        .collect();
    sandbox.write("offer.json", json!({ "tools": tools }).to_string());
}

const FIRST: [(&str, &str); 2] = [("find", "Finds."), ("send", "Sends.")];
const FROM: [&str; 4] = ["--name", "notes", "--from", "offer.json"];

/// A repository on `main` with a baseline, and a branch of it.
pub(crate) fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    git(&sandbox, &["init", "-q", "-b", "main"]);
    offer(&sandbox, &FIRST);
    sandbox.run(&[&["snapshot"], &FROM[..]].concat()).expect(0);
    commit(&sandbox, "base");
    git(&sandbox, &["checkout", "-q", "-b", "branch"]);
    sandbox
}

fn with_policy(sandbox: &Sandbox, policy: &Value) {
    let mut lock: Value = serde_json::from_str(&sandbox.read(LOCK)).expect("a lockfile");
    lock["policy"] = policy.clone();
    sandbox.write(LOCK, lock.to_string());
}

/// The policy that is to decide, on both branches.
pub(crate) fn base_policy(sandbox: &Sandbox, policy: &Value) {
    git(sandbox, &["checkout", "-q", "main"]);
    with_policy(sandbox, policy);
    commit(sandbox, "policy");
    git(sandbox, &["checkout", "-q", "branch"]);
    git(sandbox, &["merge", "-q", "main"]);
}

fn diff(sandbox: &Sandbox, more: &[&str]) -> Output {
    sandbox.run(&[&["diff"], &FROM[..], more].concat())
}

pub(crate) fn judged(sandbox: &Sandbox, status: i32) -> Value {
    diff(sandbox, &["--base", "main", "--format", "json"])
        .expect(status)
        .json()
}

pub(crate) fn alone(sandbox: &Sandbox, status: i32) -> Value {
    let args = [
        "diff",
        "--base",
        "main",
        "--lockfile-only",
        "--format",
        "json",
    ];
    sandbox.run(&args).expect(status).json()
}

fn ack(sandbox: &Sandbox, more: &[&str]) {
    sandbox.run(&[&["ack"], &BY[..], more].concat()).expect(0);
}

/// The sentences of the warnings of a rule, of the servers and of the whole.
pub(crate) fn warned(report: &Value, rule: &str) -> Vec<String> {
    let of = |value: &Value| value["warnings"].as_array().cloned().unwrap_or_default();
    let servers = report["servers"].as_array().cloned().unwrap_or_default();
    let all = servers.iter().flat_map(of).chain(of(report));
    all.filter(|warning| warning["rule"] == rule)
        .map(|warning| warning["message"].as_str().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn what_a_branch_acknowledged_passes_and_is_listed_with_who_when_and_why() {
    let sandbox = project();
    offer(&sandbox, &[("find", "Finds notes."), FIRST[1]]);
    let waiting = judged(&sandbox, 1);
    let id = waiting["servers"][0]["changes"][0]["id"]
        .as_str()
        .expect("an id");
    ack(&sandbox, &[id, "--note", "wanted"]);
    for report in [judged(&sandbox, 0), alone(&sandbox, 0)] {
        let change = &report["servers"][0]["changes"][0];
        assert_eq!(change["id"], id);
        let record = &report["servers"][0]["records"][0];
        for of in [record, &change["acknowledged"][0]] {
            assert_eq!((&of["by"], &of["note"]), (&json!(BY[1]), &json!("wanted")));
            assert_eq!(of["at"], "[TIME]");
        }
        assert_eq!(
            (&record["name"], &record["void"]),
            (&json!("find"), &Value::Null)
        );
        assert_eq!(report["base"]["name"], "main");
    }
    let text = diff(&sandbox, &["--base", "main"]).expect(0).stdout;
    for said in [
        "by Ann <ann@example.invalid>  [TIME]  wanted",
        "judged by the lockfile of `main` at ",
    ] {
        assert!(text.contains(said), "{text}");
    }
    let notice = diff(&sandbox, &["--base", "main", "--format", "github"])
        .expect(0)
        .stdout;
    assert!(
        notice.contains("title=tool notes/find acknowledged::by Ann"),
        "{notice}"
    );
    // The step after it waits again.
    offer(&sandbox, &[("find", "Finds and sends notes."), FIRST[1]]);
    judged(&sandbox, 1);
}

#[test]
fn a_baseline_that_moved_without_a_record_waits_although_the_server_agrees() {
    let sandbox = project();
    offer(&sandbox, &[("find", "Finds notes."), FIRST[1]]);
    fs::remove_file(sandbox.path(LOCK)).expect("removed");
    sandbox.run(&[&["snapshot"], &FROM[..]].concat()).expect(0);
    // By its own lockfile all is well.
    diff(&sandbox, &[]).expect(0);
    for report in [judged(&sandbox, 1), alone(&sandbox, 1)] {
        let server = &report["servers"][0];
        assert_eq!(server["changes"].as_array().map(Vec::len), Some(1));
        assert_eq!(server["changes"][0]["name"], "find");
        let said = warned(&report, "baseline-moved");
        assert!(said[0].contains("no record leads there"), "{said:?}");
    }
    // A record on top of it does not lead there from the base either.
    offer(&sandbox, &[("find", "Finds more notes."), FIRST[1]]);
    diff(&sandbox, &[]).expect(1);
    ack(&sandbox, &["--all"]);
    diff(&sandbox, &[]).expect(0);
    let report = alone(&sandbox, 1);
    assert!(report["servers"][0]["records"][0]["void"].is_string());
    assert_eq!(warned(&report, "record-void").len(), 1);
}

#[test]
fn what_was_acknowledged_and_is_not_offered_waits() {
    let sandbox = project();
    offer(&sandbox, &[("find", "Finds notes."), FIRST[1]]);
    diff(&sandbox, &[]).expect(1);
    ack(&sandbox, &["--all"]);
    offer(&sandbox, &FIRST);
    alone(&sandbox, 0);
    let report = judged(&sandbox, 1);
    let changes = report["servers"][0]["changes"].as_array().expect("changes");
    assert_eq!(changes.len(), 2, "{changes:#?}");
    assert!(changes[0]["acknowledged"].is_array() && changes[1]["acknowledged"].is_null());
}

#[test]
fn a_server_that_enters_waits_until_somebody_reviewed_just_that() {
    let sandbox = project();
    sandbox.write(
        "other.json",
        r#"{"tools":[{"name":"add","description":"Adds."}]}"#,
    );
    let other = ["--name", "sums", "--from", "other.json"];
    sandbox.run(&[&["snapshot"], &other[..]].concat()).expect(0);
    // It waits although no configuration names it.
    configured(&sandbox, "mark");
    let live = [
        "diff",
        "--base",
        "main",
        "--start-changed",
        "--format",
        "json",
    ];
    let live = sandbox.run(&live).expect(1).json();
    assert_eq!(live["servers"][1]["outcome"], "drift");
    let entered = alone(&sandbox, 1);
    assert_eq!(
        entered["servers"][1]["changes"][0]["reasons"][0]["rule"],
        "server-added"
    );
    let said = warned(&entered, "baseline-moved");
    assert!(
        said[0].contains("`countersign ack sums` records a review"),
        "{said:?}"
    );
    sandbox.run(&["review", "sums"]).expect(0);
    ack(&sandbox, &["sums", "--note", "only adds"]);
    let passed = alone(&sandbox, 0);
    let sums = &passed["servers"][1];
    assert_eq!(sums["changes"][0]["acknowledged"][0]["note"], "only adds");
    assert_eq!(sums["records"][0]["kind"], Value::Null);

    // What entered after the review is not what was reviewed.
    let mut lock: Value = serde_json::from_str(&sandbox.read(LOCK)).expect("a lockfile");
    let reviewed = lock["servers"]["sums"]["reviewed"].clone();
    sandbox.run(&["prune", "sums"]).expect(0);
    sandbox.write(
        "other.json",
        r#"{"tools":[{"name":"add","description":"Adds and sends."}]}"#,
    );
    sandbox.run(&[&["snapshot"], &other[..]].concat()).expect(0);
    lock = serde_json::from_str(&sandbox.read(LOCK)).expect("a lockfile");
    lock["servers"]["sums"]["reviewed"] = reviewed;
    sandbox.write(LOCK, lock.to_string());
    let said = warned(&alone(&sandbox, 1), "baseline-moved");
    assert!(said[0].contains("is not what was reviewed"), "{said:?}");
}

#[test]
fn the_policy_of_the_base_decides_and_an_edited_one_is_told() {
    let sandbox = project();
    base_policy(&sandbox, &json!({ "reviewers": 2, "requireNote": true }));
    with_policy(
        &sandbox,
        &json!({ "levels": { "description-changed": "minor" } }),
    );
    offer(&sandbox, &[("find", "Finds notes."), FIRST[1]]);
    let report = judged(&sandbox, 1);
    assert_eq!(warned(&report, "policy-edited").len(), 1);
    assert_eq!(report["servers"][0]["changes"][0]["level"], "material");
    // By the branch's own policy one name without a note is enough.
    diff(&sandbox, &[]).expect(0);
    ack(&sandbox, &["notes/find"]);
    let report = alone(&sandbox, 1);
    let void = report["servers"][0]["records"][0]["void"]
        .as_str()
        .expect("void");
    assert_eq!(
        void,
        "the policy of the base asks for 2 reviewers with a note, and there is 0"
    );
}

#[test]
fn two_reviewers_of_the_base_are_two_names() {
    let sandbox = project();
    base_policy(&sandbox, &json!({ "reviewers": 2 }));
    offer(&sandbox, &[("find", "Finds notes."), FIRST[1]]);
    judged(&sandbox, 1);
    ack(&sandbox, &["notes/find"]);
    let void = alone(&sandbox, 0);
    assert_eq!(
        void["servers"][0]["records"][0]["void"],
        "another reviewer is awaited"
    );
    judged(&sandbox, 1);
    sandbox.run(&["ack", "notes/find", "--by", "Ben"]).expect(0);
    assert_eq!(
        judged(&sandbox, 0)["servers"][0]["records"]
            .as_array()
            .map(Vec::len),
        Some(2)
    );
}

#[test]
fn a_new_item_enters_by_the_policy_of_the_base_only() {
    for decides in [false, true] {
        let sandbox = project();
        let policy = json!({ "newItems": "baseline" });
        if decides {
            base_policy(&sandbox, &policy);
        } else {
            with_policy(&sandbox, &policy);
        }
        offer(&sandbox, &[FIRST[0], FIRST[1], ("new", "Is new.")]);
        sandbox.run(&[&["snapshot"], &FROM[..]].concat()).expect(0);
        let status = i32::from(!decides);
        judged(&sandbox, status);
        let report = alone(&sandbox, status);
        let change = &report["servers"][0]["changes"][0];
        assert_eq!(change["level"], if decides { "minor" } else { "material" });
        // Somebody looked at what is there now.
        ack(&sandbox, &["notes"]);
        judged(&sandbox, 0);
    }
}

#[test]
fn an_acknowledgement_that_is_taken_back_is_told() {
    let sandbox = project();
    offer(&sandbox, &[("find", "Finds notes."), FIRST[1]]);
    diff(&sandbox, &[]).expect(1);
    ack(&sandbox, &["--all"]);
    git(&sandbox, &["checkout", "-q", "-B", "main"]);
    commit(&sandbox, "accepted");
    git(&sandbox, &["checkout", "-q", "-B", "branch"]);
    sandbox.run(&["ack", "--revoke", "notes/find"]).expect(0);
    let report = alone(&sandbox, 1);
    let reason = report["servers"][0]["changes"][0]["reasons"].to_string();
    assert!(
        reason.contains("same definition as accepted on"),
        "{reason}"
    );
}

/// A server of the project's configuration that leaves a mark when it is started.
fn configured(sandbox: &Sandbox, mark: &str) {
    let words = scripted(&sandbox.path("offer.json"));
    let script = format!("touch '{mark}'; exec \"$0\" \"$1\"");
    let args = ["-c", &script, &words[0], &words[1]];
    let server = json!({ "command": "/bin/sh", "args": args });
    sandbox.write(
        ".mcp.json",
        json!({ "mcpServers": { "notes": server } }).to_string(),
    );
}

#[cfg(unix)]
#[test]
fn a_branch_cannot_have_anything_started_by_editing_the_lockfile() {
    let sandbox = Sandbox::new();
    git(&sandbox, &["init", "-q", "-b", "main"]);
    offer(&sandbox, &FIRST);
    configured(&sandbox, "first");
    sandbox.write(".gitignore", "first\nsecond\n");
    sandbox.run(&["snapshot"]).expect(0);
    commit(&sandbox, "base");
    git(&sandbox, &["checkout", "-q", "-b", "branch"]);
    // The branch changes the launch, and acknowledges it.
    configured(&sandbox, "second");
    sandbox.run(&["diff"]).expect(1);
    ack(&sandbox, &["notes/launch"]);
    let clean = |status, more: &[&str]| {
        let _ = fs::remove_file(sandbox.path("first"));
        let before = sandbox.files();
        let args = [&["diff", "--base", "main"], more].concat();
        let output = sandbox.run(&args).expect(status);
        (output, before)
    };
    let (output, _) = clean(2, &[]);
    assert!(
        output.stdout.contains("was not started"),
        "{}",
        output.stdout
    );
    let (_, before) = clean(0, &["--lockfile-only"]);
    assert_eq!(sandbox.files(), before, "nothing is written");
    assert!(!sandbox.path("first").exists() && !sandbox.path("second").exists());
    clean(0, &["--start-changed"]);
    assert!(sandbox.path("second").exists());
}

#[test]
fn a_repository_without_a_commit_is_told_so_and_not_sent_to_fetch() {
    let sandbox = Sandbox::new();
    git(&sandbox, &["init", "-q", "-b", "main"]);
    offer(&sandbox, &FIRST);
    sandbox.run(&[&["snapshot"], &FROM[..]].concat()).expect(0);
    for word in ["HEAD", "origin/main"] {
        let words = ["diff", "--base", word, "--lockfile-only"];
        assert_eq!(
            sandbox.run(&words).expect(2).stderr,
            "error: there is no commit here yet, so no branch to judge\nhint: git commit, or without `--base`: countersign diff\n"
        );
    }
    commit(&sandbox, "first");
    sandbox
        .run(&["diff", "--base", "HEAD", "--lockfile-only"])
        .expect(0);
}

#[test]
fn a_base_that_cannot_be_found_is_an_error_with_the_way_out() {
    let sandbox = project();
    let fails = |word: &str, said: &str, hint: &str| {
        let output = sandbox
            .run(&["diff", "--base", word, "--lockfile-only"])
            .expect(2);
        assert!(
            output.stderr.contains(said) && output.stderr.contains(hint),
            "{}",
            output.stderr
        );
        let json = [
            "diff",
            "--base",
            word,
            "--lockfile-only",
            "--format",
            "json",
        ];
        assert!(sandbox.run(&json).expect(2).json()["error"]["message"].is_string());
    };
    fails(
        "origin/main",
        "no commit that git knows",
        "git fetch origin main",
    );
    fails(
        "nowhere",
        "no file here, and no commit",
        "git fetch origin nowhere",
    );
    sandbox.write("main", "{}");
    fails("main", "is a file and a ref", "--base ./main for the file");
    fs::remove_file(sandbox.path("main")).expect("removed");

    // A detached head is as good as a branch.
    git(&sandbox, &["checkout", "-q", "--detach"]);
    alone(&sandbox, 0);

    git(&sandbox, &["checkout", "-q", "--orphan", "apart"]);
    fails("main", "there is no commit here yet", "git commit");
    commit(&sandbox, "apart");
    fails("main", "no commit in common", "--base FILE");

    git(&sandbox, &["checkout", "-q", "-B", "main", "branch"]);
    let whole = sandbox.read(LOCK);
    sandbox.write(LOCK, whole.replacen('{', "{\n<<<<<<< HEAD", 1));
    commit(&sandbox, "damaged");
    sandbox.write(LOCK, whole);
    fails("main", "line 2: a merge conflict", "mend it there first");
}

#[test]
fn a_shallow_clone_is_an_error_that_says_so() {
    let sandbox = project();
    offer(&sandbox, &[("find", "Finds notes."), FIRST[1]]);
    commit(&sandbox, "branch");
    git(&sandbox, &["checkout", "-q", "main"]);
    sandbox.write("other", "content");
    commit(&sandbox, "main goes on");
    let url = format!("file://{}", sandbox.path("").display());
    git(
        &sandbox,
        &[
            "clone",
            "-q",
            "--depth",
            "1",
            "--no-single-branch",
            "-b",
            "branch",
            &url,
            "../clone",
        ],
    );
    let clone = sandbox.root().join("clone");
    let run = |base: &str| {
        let mut program = sandbox.program(&["diff", "--base", base, "--lockfile-only"]);
        program.current_dir(&clone);
        sandbox.finish(program.spawn().expect("the program starts"))
    };
    let output = run("origin/main").expect(2);
    for said in ["this clone is shallow", "git fetch --unshallow"] {
        assert!(output.stderr.contains(said), "{}", output.stderr);
    }
    let mut fetch = sandbox.command(Path::new("git"), &["fetch", "-q", "--unshallow"]);
    fetch.current_dir(&clone);
    sandbox.finish(fetch.spawn().expect("git runs")).expect(0);
    run("origin/main").expect(0);
}

#[test]
fn a_lockfile_that_moved_is_not_taken_for_a_new_one() {
    let sandbox = project();
    fs::create_dir(sandbox.path("sub")).expect("a folder");
    git(&sandbox, &["mv", LOCK, "sub/other.json"]);
    commit(&sandbox, "moved");
    let args = [
        "diff",
        "--base",
        "main",
        "--lockfile-only",
        "--lock",
        "sub/other.json",
    ];
    let output = sandbox.run(&args).expect(2);
    for said in [
        "stands at `countersign.lock.json`, which this branch takes away",
        "git show",
    ] {
        assert!(output.stderr.contains(said), "{}", output.stderr);
    }
    // The way out that it names.
    let show = sandbox.command(Path::new("git"), &["show", &format!("main:{LOCK}")]);
    let mut show = show;
    let base = sandbox
        .finish(show.spawn().expect("git runs"))
        .expect(0)
        .stdout;
    sandbox.write("base.json", base.replace("[DATE]", "2026-01-02"));
    let args = [
        "diff",
        "--base",
        "./base.json",
        "--lockfile-only",
        "--lock",
        "sub/other.json",
    ];
    sandbox.run(&args).expect(0);
}

#[test]
fn a_base_without_a_lockfile_makes_all_of_it_new() {
    let sandbox = Sandbox::new();
    git(&sandbox, &["init", "-q", "-b", "main"]);
    sandbox.write("readme", "nothing yet");
    fs::create_dir(sandbox.path("deep")).expect("a folder");
    commit(&sandbox, "base");
    git(&sandbox, &["checkout", "-q", "-b", "branch"]);
    offer(&sandbox, &FIRST);
    let deep = ["--lock", "deep/lock.json"];
    sandbox
        .run(&[&["snapshot"], &FROM[..], &deep].concat())
        .expect(0);
    let args = [
        &[
            "diff",
            "--base",
            "main",
            "--lockfile-only",
            "--format",
            "json",
        ],
        &deep[..],
    ]
    .concat();
    let report = sandbox.run(&args).expect(1).json();
    assert_eq!(warned(&report, "base-empty").len(), 1);
    sandbox
        .run(&[&["ack", "notes"], &BY[..], &deep].concat())
        .expect(0);
    sandbox.run(&args).expect(0);
}

#[test]
fn what_a_branch_no_longer_speaks_of_is_unknown_and_not_unchanged() {
    let sandbox = project();
    let whole: Value = serde_json::from_str(&sandbox.read(LOCK)).expect("a lockfile");
    let mut lock = whole.clone();
    let server = lock["servers"]["notes"].as_object_mut().expect("a server");
    server.remove("tools").expect("tools");
    sandbox.write(LOCK, lock.to_string());
    commit(&sandbox, "drop the tools");
    for report in [judged(&sandbox, 2), alone(&sandbox, 2)] {
        let server = &report["servers"][0];
        assert_eq!(server["outcome"], "unknown");
        let message = server["error"]["message"].as_str().expect("a cause");
        assert!(message.ends_with("`notes`: tools"), "{message}");
    }
}

#[test]
fn a_lockfile_that_has_no_end_is_no_lockfile() {
    let sandbox = project();
    sandbox.remove(LOCK);
    std::os::unix::fs::symlink("/dev/zero", sandbox.path(LOCK)).expect("linked");
    for words in [
        &["diff", "--base", "main"][..],
        &["review"],
        &["ack", "--all"],
    ] {
        let said = sandbox.run(words).expect(2).stderr;
        assert!(said.contains("it is no regular file"), "{said}");
    }
}
