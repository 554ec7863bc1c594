//! When a server as a whole is due for another review: warned of, or failing, as the policy says.

use crate::support::{Sandbox, scripted};
use serde_json::{Value, json};

const LOCK: &str = "countersign.lock.json";
const FROM: [&str; 5] = ["diff", "--name", "notes", "--from", "offer.json"];

fn offer(sandbox: &Sandbox, version: &str) {
    let tool =
        json!({ "name": "find", "description": "Finds.", "inputSchema": { "type": "object" } });
    let info = json!({ "name": "notes", "version": version });
    let offer = json!({ "serverInfo": info, "capabilities": {}, "tools": [tool] });
    sandbox.write("offer.json", offer.to_string());
}

/// A project with a baseline, whose lockfile was then edited.
fn project(edit: impl FnOnce(&mut Value)) -> Sandbox {
    let sandbox = Sandbox::new();
    offer(&sandbox, "1.9.0");
    sandbox
        .run(&["snapshot", "--name", "notes", "--from", "offer.json"])
        .expect(0);
    edit_lock(&sandbox, edit);
    sandbox
}

fn edit_lock(sandbox: &Sandbox, edit: impl FnOnce(&mut Value)) {
    let mut lock: Value = serde_json::from_str(&sandbox.read(LOCK)).expect("a lockfile");
    edit(&mut lock);
    sandbox.write(LOCK, lock.to_string());
}

fn diff(sandbox: &Sandbox, status: i32) -> Value {
    let args = [&FROM[..], &["--format", "json"]].concat();
    sandbox.run(&args).expect(status).json()
}

fn signals(report: &Value) -> Vec<&str> {
    let due = report["servers"][0]["due"].as_array().expect("a list");
    due.iter()
        .map(|due| due["signal"].as_str().expect("a word"))
        .collect()
}

fn ack(sandbox: &Sandbox, more: &[&str]) {
    sandbox
        .run(&[&["ack", "--by", "Ann"], more].concat())
        .expect(0);
}

#[test]
fn a_review_that_is_too_old_is_warned_of_everywhere_and_a_new_one_answers_it() {
    let sandbox = project(|lock| lock["servers"]["notes"]["since"] = json!("2020-01-02"));
    let report = diff(&sandbox, 0);
    assert_eq!(signals(&report), ["review-every"]);
    let server = &report["servers"][0];
    assert_eq!(
        (&server["outcome"], &server["due"][0]["on"]),
        (&json!("clean"), &json!("2020-06-30"))
    );
    let said = "never reviewed since its first sight on 2020-01-02, due since 2020-06-30";
    for args in [&FROM[..], &["review"], &["servers"]] {
        let shown = sandbox.run(args).expect(0).stdout;
        assert!(
            shown.replace("\n  | ", " ").contains(said) || shown.contains("due since"),
            "{shown}"
        );
    }
    let twice = [&FROM[..], &["--format", "github"]].concat();
    let first = sandbox.run(&twice).expect(0).stdout;
    assert!(first.contains("title=notes%3A review due::"), "{first}");
    assert_eq!(sandbox.run(&twice).expect(0).stdout, first);
    let servers = sandbox
        .run(&["servers", "--format", "json"])
        .expect(0)
        .json();
    assert!(
        servers["servers"][0]["due"][0]
            .as_str()
            .expect("words")
            .contains(said)
    );

    ack(&sandbox, &["notes"]);
    assert!(signals(&diff(&sandbox, 0)).is_empty());
    // Another period, and none at all.
    edit_lock(&sandbox, |lock| {
        lock["servers"]["notes"]["reviewed"][0]["at"] = json!("2021-03-04T05:06:07Z");
    });
    let late = diff(&sandbox, 0);
    assert!(
        late["servers"][0]["due"][0]["message"]
            .as_str()
            .expect("words")
            .starts_with("last reviewed on 2021-03-04")
    );
    edit_lock(&sandbox, |lock| {
        lock["policy"] = json!({ "reviewEvery": "off" });
    });
    assert!(signals(&diff(&sandbox, 0)).is_empty());
}

#[test]
fn a_review_that_is_due_fails_where_the_policy_says_so() {
    let sandbox = project(|lock| {
        lock["servers"]["notes"]["since"] = json!("2020-01-02");
        lock["servers"]["notes"]["policy"] =
            json!({ "due": "fail", "reviewEvery": "90d", "requireNote": true });
    });
    let report = diff(&sandbox, 1);
    assert_eq!(
        (&report["outcome"], &report["servers"][0]["outcome"]),
        (&json!("drift"), &json!("drift"))
    );
    let text = sandbox.run(&FROM).expect(1).stdout;
    for said in [
        "server notes: a review is due",
        "1 server due for a review",
        "due since 2020-04-01",
        "countersign ack notes",
    ] {
        assert!(text.contains(said), "{text}");
    }
    let quiet = sandbox.run(&[&FROM[..], &["-q"]].concat()).expect(1).stdout;
    assert!(
        quiet.starts_with("server notes: a review is due"),
        "{quiet}"
    );
    assert!(quiet.contains("\ndue: server notes"), "{quiet}");
    sandbox.run(&["review"]).expect(1);
    // A review of the whole says why where the policy asks for it.
    let refused = sandbox
        .run(&["ack", "notes", "--by", "Ann"])
        .expect(2)
        .stderr;
    assert!(refused.contains("asks for a note"), "{refused}");
    ack(&sandbox, &["notes", "--note", "read again"]);
    diff(&sandbox, 0);
}

#[test]
fn another_major_version_asks_for_a_review_even_once_it_is_acknowledged() {
    let sandbox = project(|_| {});
    offer(&sandbox, "1.10.0");
    assert!(signals(&diff(&sandbox, 0)).is_empty());
    offer(&sandbox, "2.0.0");
    let report = diff(&sandbox, 0);
    assert_eq!(signals(&report), ["major-version"]);
    assert_eq!(report["servers"][0]["due"][0]["on"], Value::Null);
    ack(&sandbox, &["--all"]);
    let report = diff(&sandbox, 0);
    assert_eq!(signals(&report), ["major-version"]);
    assert_eq!(report["servers"][0]["due"][0]["on"], "[DATE]");
    ack(&sandbox, &["notes"]);
    assert!(signals(&diff(&sandbox, 0)).is_empty());
}

#[test]
fn another_launch_asks_for_a_review_of_what_it_starts() {
    let sandbox = Sandbox::new();
    offer(&sandbox, "1.0.0");
    let words = scripted(&sandbox.path("offer.json"));
    let configure = |more: &[&str]| {
        let args: Vec<&str> = more.iter().copied().chain([words[1].as_str()]).collect();
        let server = json!({ "command": words[0], "args": args });
        sandbox.write(
            ".mcp.json",
            json!({ "mcpServers": { "notes": server } }).to_string(),
        );
    };
    configure(&[]);
    sandbox.run(&["snapshot"]).expect(0);
    configure(&["--era", "legacy"]);
    sandbox.run(&["diff"]).expect(1);
    ack(&sandbox, &["notes/launch"]);
    let report = sandbox
        .run(&["review", "--format", "json"])
        .expect(0)
        .json();
    assert_eq!(signals(&report), ["launch-changed"]);
}

#[test]
fn drift_that_the_policy_lets_pass_is_told_and_does_not_fail() {
    let sandbox = project(|lock| {
        let item = json!({ "tool:find": { "allowChanges": "on" } });
        lock["servers"]["notes"]["policy"] = json!({ "items": item });
    });
    let reworded = sandbox
        .read("offer.json")
        .replace("Finds.", "Finds and sends.");
    sandbox.write("offer.json", &reworded);
    let report = diff(&sandbox, 0);
    let change = &report["servers"][0]["changes"][0];
    assert_eq!(
        (&change["level"], &change["waits"]),
        (&json!("material"), &json!(false))
    );
    let text = sandbox.run(&FROM).expect(0).stdout;
    for said in [
        "1 material change passes by policy",
        "unreviewed-change",
        "Finds and sends.",
    ] {
        assert!(text.contains(said), "{text}");
    }
    // A new item is no drift, and a rule that asks is not softened.
    let added = reworded.replace(
        "]}",
        r#",{"name":"new","description":"x","inputSchema":{}}]}"#,
    );
    sandbox.write("offer.json", &added);
    diff(&sandbox, 1);
    sandbox.write("offer.json", &reworded);
    edit_lock(&sandbox, |lock| lock["policy"] = json!({ "rule": "ask" }));
    diff(&sandbox, 1);
}

#[test]
fn a_review_that_awaits_another_is_told_and_so_is_one_that_does_in_vain() {
    let sandbox = project(|lock| lock["policy"] = json!({ "reviewers": 2 }));
    let first = sandbox.read("offer.json");
    let offer = |words: &str| sandbox.write("offer.json", first.replace("Finds.", words));
    let told = |rule: &str| {
        let report = diff(&sandbox, 1);
        let warnings = report["servers"][0]["warnings"]
            .as_array()
            .expect("a list")
            .clone();
        let mut of_rule = warnings
            .into_iter()
            .filter(|warning| warning["rule"] == rule);
        of_rule.next().map(|warning| warning["message"].to_string())
    };
    offer("Finds notes.");
    assert_eq!(told("review-awaited"), None);
    ack(&sandbox, &["notes/find"]);
    let said = told("review-awaited").expect("a warning");
    assert!(
        said.contains("acknowledged by `Ann` on [DATE], and another reviewer is awaited"),
        "{said}"
    );
    offer("Finds and sends notes.");
    let said = told("review-stale").expect("a warning");
    assert!(said.contains("is not what waits now"), "{said}");
    // The next record takes its place, and the second name completes it.
    ack(&sandbox, &["notes/find"]);
    assert_eq!(told("review-stale"), None);
    sandbox.run(&["ack", "notes/find", "--by", "Ben"]).expect(0);
    assert_eq!(diff(&sandbox, 0)["servers"][0]["warnings"], json!([]));
}

#[test]
fn a_review_answers_a_flag_of_the_same_second_and_not_the_one_after_it() {
    let sandbox = project(|_| {});
    let flag = || {
        sandbox
            .run(&["flag", "notes", "--reason", "report"])
            .expect(0);
    };
    // More often than seconds pass: neither order is told apart by luck.
    for _ in 0..3 {
        flag();
        assert_eq!(signals(&diff(&sandbox, 0)), ["flagged"]);
        ack(&sandbox, &["notes"]);
        assert!(signals(&diff(&sandbox, 0)).is_empty());
    }
    let reviewed = || {
        let lock: Value = serde_json::from_str(&sandbox.read(LOCK)).expect("a lockfile");
        let reviewed = &lock["servers"]["notes"]["reviewed"];
        reviewed.as_array().map_or(0, Vec::len)
    };
    assert_eq!(reviewed(), 3);
    // What says nothing new is not recorded, and that is said.
    let before = sandbox.read(LOCK);
    let again = sandbox.run(&["ack", "notes", "--by", "Ann"]).expect(0);
    assert!(
        again.stdout.contains("nothing new to record"),
        "{}",
        again.stdout
    );
    assert_eq!(sandbox.read(LOCK), before);
}
