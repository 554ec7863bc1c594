//! `diff --base`: what a branch does to the lockfile in the hope that nobody sees it.

use crate::base::{BY, LOCK, alone, base_policy, commit, git, judged, offer, project, warned};
use crate::support::Sandbox;
use serde_json::{Value, json};

fn edit(sandbox: &Sandbox, edit: impl FnOnce(&mut Value)) {
    let mut lock: Value = serde_json::from_str(&sandbox.read(LOCK)).expect("a lockfile");
    edit(&mut lock);
    sandbox.write(LOCK, lock.to_string());
}

/// Does something on `main`, and takes it into the branch.
fn on_main(sandbox: &Sandbox, work: impl FnOnce()) {
    git(sandbox, &["checkout", "-q", "main"]);
    work();
    commit(sandbox, "on main");
    git(sandbox, &["checkout", "-q", "branch"]);
    git(sandbox, &["merge", "-q", "main"]);
}

#[test]
fn an_item_that_a_branch_forgets_is_not_new_to_the_next_one_unseen() {
    let sandbox = project();
    base_policy(&sandbox, &json!({ "newItems": "baseline" }));
    edit(&sandbox, |lock| {
        let tools = lock["servers"]["notes"]["tools"].as_object_mut();
        tools.expect("tools").remove("send");
    });
    // The server still offers it: that waits as well.
    for report in [judged(&sandbox, 1), alone(&sandbox, 2)] {
        let error = report["servers"][0]["error"]["message"].as_str();
        let error = error.expect("an error");
        assert!(error.contains("takes out of the lockfile"), "{error}");
        assert!(error.ends_with("tool `send`"), "{error}");
    }
}

#[test]
fn an_item_that_is_acknowledged_as_gone_is_not_forgotten() {
    let sandbox = project();
    offer(&sandbox, &[("find", "Finds.")]);
    let diff = ["diff", "--name", "notes", "--from", "offer.json"];
    sandbox.run(&diff).expect(0);
    let ack = [&["ack", "--all"][..], &BY].concat();
    sandbox.run(&ack).expect(0);
    judged(&sandbox, 0);
    alone(&sandbox, 0);
}

#[test]
fn a_lockfile_that_a_branch_puts_below_the_one_of_the_base_is_judged_by_its_policy() {
    let mut sandbox = project();
    base_policy(&sandbox, &json!({ "reviewers": 2 }));
    std::fs::create_dir(sandbox.path("sub")).expect("a folder");
    sandbox.write("sub/offer.json", sandbox.read("offer.json"));
    sandbox.go_to("sub");
    let take = [
        "snapshot",
        "--name",
        "notes",
        "--from",
        "offer.json",
        "--lock",
        LOCK,
    ];
    sandbox.run(&take).expect(0);
    let told = alone(&sandbox, 1);
    let said = warned(&told, "lockfile-below");
    assert!(
        said[0].starts_with("`countersign.lock.json` decided for this folder at `main`"),
        "{said:?}"
    );
    let ack = |by: &str| {
        sandbox.run(&["ack", "notes", "--by", by]).expect(0);
    };
    // One review would do by a policy of its own.
    ack("Ann");
    alone(&sandbox, 1);
    ack("Ben");
    alone(&sandbox, 0);
}

#[test]
fn a_due_date_is_not_moved_by_editing_the_day_of_the_first_sight() {
    let sandbox = project();
    on_main(&sandbox, || {
        edit(&sandbox, |lock| {
            lock["servers"]["notes"]["since"] = json!("2020-01-02");
        });
    });
    edit(&sandbox, |lock| {
        lock["servers"]["notes"]["since"] = json!("2026-11-01");
    });
    let report = judged(&sandbox, 0);
    let due = &report["servers"][0]["due"][0];
    assert_eq!(
        (&due["signal"], &due["on"]),
        (&json!("review-every"), &json!("2020-06-30"))
    );
    for report in [report, alone(&sandbox, 0)] {
        let said = warned(&report, "since-edited");
        assert!(
            said[0].contains("where the base holds 2020-01-02"),
            "{said:?}"
        );
    }
}

#[test]
fn a_review_that_does_not_count_answers_no_due_date_either() {
    let sandbox = project();
    on_main(&sandbox, || {
        edit(&sandbox, |lock| {
            lock["servers"]["notes"]["since"] = json!("2020-01-02");
        });
    });
    let due = |report: Value| report["servers"][0]["due"].clone();
    sandbox
        .run(&[&["ack", "notes"][..], &BY].concat())
        .expect(0);
    assert_eq!(due(judged(&sandbox, 0)), json!([]));
    // By hand, or before something else entered.
    edit(&sandbox, |lock| {
        let review = &mut lock["servers"]["notes"]["reviewed"][0];
        review.as_object_mut().expect("one").remove("firstSight");
    });
    let report = judged(&sandbox, 0);
    assert_eq!(warned(&report, "record-void").len(), 1);
    assert_eq!(due(report)[0]["signal"], "review-every");
    // The way out is another review.
    sandbox
        .run(&[&["ack", "notes"][..], &BY].concat())
        .expect(0);
    assert_eq!(due(judged(&sandbox, 0)), json!([]));
}

#[test]
fn records_that_a_branch_erases_are_told() {
    let sandbox = project();
    on_main(&sandbox, || {
        offer(&sandbox, &[("find", "Finds notes."), ("send", "Sends.")]);
        let diff = ["diff", "--name", "notes", "--from", "offer.json"];
        sandbox.run(&diff).expect(1);
        sandbox
            .run(&[&["ack", "--all"][..], &BY].concat())
            .expect(0);
        sandbox
            .run(&[&["ack", "notes"][..], &BY].concat())
            .expect(0);
    });
    assert_eq!(warned(&judged(&sandbox, 0), "records-erased"), [""; 0]);
    edit(&sandbox, |lock| {
        let notes = &mut lock["servers"]["notes"];
        notes["reviewed"] = json!([]);
        let find = notes["tools"]["find"].as_object_mut().expect("a tool");
        find.remove("acknowledgements");
    });
    for report in [judged(&sandbox, 0), alone(&sandbox, 0)] {
        let said = warned(&report, "records-erased");
        assert_eq!(
            said,
            [
                "this branch takes 2 records out of the lockfile: of tool `find` by `Ann <ann@example.invalid>` on [DATE], of the server by `Ann <ann@example.invalid>` on [DATE]"
            ]
        );
    }
}

#[test]
fn a_character_that_nobody_sees_makes_no_second_reviewer_and_a_look_alike_is_told() {
    let sandbox = project();
    base_policy(&sandbox, &json!({ "reviewers": 2 }));
    offer(&sandbox, &[("find", "Finds notes."), ("send", "Sends.")]);
    let diff = ["diff", "--name", "notes", "--from", "offer.json"];
    sandbox.run(&diff).expect(1);
    let ack = |by: &str| sandbox.run(&["ack", "--all", "--by", by]).expect(0).stdout;
    ack("Ann");
    assert!(ack("Ann\u{200b}").starts_with("acknowledged by you already"));
    let one = sandbox.read(LOCK);
    assert!(ack("Ben").starts_with("acknowledged  material"));
    alone(&sandbox, 0);
    // Written by hand it counts once, too.
    let by_hand = sandbox.read(LOCK).replace("\"Ben\"", "\"Ann\u{2060}\"");
    sandbox.write(LOCK, by_hand);
    let report = alone(&sandbox, 1);
    let said = warned(&report, "baseline-moved");
    assert!(said[0].contains("2 reviewers, and there is 1"), "{said:?}");
    sandbox.write(LOCK, one);
    assert!(ack("\u{410}nn").starts_with("acknowledged  material"));
    let report = judged(&sandbox, 0);
    let said = warned(&report, "look-alike-reviewer");
    assert!(said[0].contains("looks like"), "{said:?}");
}
