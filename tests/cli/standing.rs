//! `policy`, `flag` and `history`: what holds, what asks for a review, and what was observed.

use crate::support::Sandbox;
use serde_json::{Value, json};
use std::fs;

const LOCK: &str = "countersign.lock.json";
const DIFF: [&str; 5] = ["diff", "--name", "files", "--from", "offer.json"];

fn offer(sandbox: &Sandbox, tools: &[(&str, &str)]) {
    let tools: Vec<Value> = tools
        .iter()
        .map(|(name, text)| json!({ "name": name, "description": text, "inputSchema": { "type": "object" } }))
        .collect();
    sandbox.write("offer.json", json!({ "tools": tools }).to_string());
}

fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    offer(&sandbox, &[("read", "Reads."), ("write", "Writes.")]);
    sandbox
        .run(&["snapshot", "--name", "files", "--from", "offer.json"])
        .expect(0);
    sandbox
}

/// What the table says of an item: `now`, and why.
fn now(sandbox: &Sandbox, item: &str) -> (String, String) {
    let shown = sandbox
        .run(&["policy", "--format", "json"])
        .expect(0)
        .json();
    let rows = shown["rows"].as_array().expect("rows").clone();
    let row = rows.iter().find(|row| row["name"] == item).expect("a row");
    let text = |name: &str| row[name].as_str().expect("a text").to_owned();
    (text("now"), text("why"))
}

#[test]
fn what_is_set_shows_in_the_table_and_unsetting_it_leaves_the_lockfile_as_it_was() {
    let sandbox = project();
    let before = (sandbox.read(LOCK), sandbox.files().len());
    let set = [
        "policy",
        "files/write",
        "rule=block",
        "allowChanges=ask",
        "levels.order-changed=material",
    ];
    let said = sandbox.run(&set).expect(0).stdout;
    assert_eq!(
        said,
        "set  files/tool:write  allowChanges=ask\n\
         set  files/tool:write  levels.order-changed=material\n\
         set  files/tool:write  rule=block\n"
    );
    let lock: Value = serde_json::from_str(&sandbox.read(LOCK)).expect("a lockfile");
    assert_eq!(
        lock["servers"]["files"]["policy"]["items"]["tool:write"]["rule"],
        "block"
    );
    let table = sandbox.run(&["policy"]).expect(0).stdout;
    assert!(!table.contains("files/tool:read"), "{table}");
    for cells in [
        "1 item has no setting of its own and nothing that waits: `countersign policy SERVER` lists all\n",
        "| files/tool:write | block | ask          | blocked | the policy blocks it | never       | no  |",
        "set  files/tool:write  rule=block",
    ] {
        assert!(table.contains(cells), "{table}");
    }
    let all = sandbox.run(&["policy", "files"]).expect(0).stdout;
    let read = "| files/tool:read  | allow | off          | listed  |                      | never       | no  |";
    assert!(all.contains(read) && !all.contains("lists all"), "{all}");
    assert_eq!(
        sandbox.run(&set).expect(0).stdout.lines().next(),
        Some("nothing to change in the policy of files/tool:write")
    );
    let unset = [
        "--unset",
        "rule",
        "--unset",
        "allowChanges",
        "--unset",
        "levels.order-changed",
    ];
    let said = sandbox
        .run(&[&["policy", "files/tool:write"], &unset[..]].concat())
        .expect(0)
        .stdout;
    assert_eq!(
        said,
        "unset  files/tool:write  allowChanges=ask\nunset  files/tool:write  levels.order-changed=material\n\
         unset  files/tool:write  rule=block\nnothing is set any more in the policy of files/tool:write\n"
    );
    assert_eq!((sandbox.read(LOCK), sandbox.files().len()), before);
}

#[test]
fn what_an_item_does_now_follows_from_its_policy_and_its_review() {
    let sandbox = project();
    assert_eq!(now(&sandbox, "read"), ("listed".to_owned(), String::new()));
    offer(
        &sandbox,
        &[
            ("read", "Reads all."),
            ("write", "Writes."),
            ("new", "Is new."),
        ],
    );
    sandbox.run(&DIFF).expect(1);
    // What waits is shown without a setting, and so is what is new.
    let table = sandbox.run(&["policy"]).expect(0).stdout;
    for (item, is_shown) in [("read", true), ("new", true), ("write", false)] {
        let shown = table.contains(&format!("files/tool:{item} "));
        assert_eq!(shown, is_shown, "{item}: {table}");
    }
    for (setting, wanted) in [
        ("allowChanges=off", "withheld"),
        ("allowChanges=ask", "asks"),
        ("allowChanges=on", "marked"),
        ("rule=ask", "asks"),
        ("rule=block", "blocked"),
    ] {
        sandbox.run(&["policy", setting]).expect(0);
        let (now, why) = now(&sandbox, "read");
        assert_eq!(now, wanted, "{setting}: {why}");
        assert!(!why.is_empty());
    }
    sandbox.run(&["policy", "--unset", "rule"]).expect(0);
    assert_eq!(now(&sandbox, "new").0, "asks");
    sandbox.run(&["ack", "--all", "--by", "Ann"]).expect(0);
    assert_eq!(now(&sandbox, "read").0, "listed");
    let one = sandbox
        .run(&["policy", "files/read", "--format", "json"])
        .expect(0)
        .json();
    assert_eq!(one["rows"].as_array().map(Vec::len), Some(1));
    assert_eq!(one["rows"][0]["reviewed"], "[DATE]");
    // Nothing is known of it on another machine.
    fs::remove_dir_all(sandbox.data()).expect("removed");
    let (now, why) = now(&sandbox, "read");
    assert!(now == "listed" && why.contains("no snapshot"), "{why}");
}

#[test]
fn a_setting_that_is_wrong_or_of_nothing_is_refused_and_writes_nothing() {
    let sandbox = project();
    let before = sandbox.read(LOCK);
    for (args, said) in [
        (
            &["policy", "files/write", "rule=blok"][..],
            "`rule` is `blok`, not one of `allow`, `ask`, `block`",
        ),
        (
            &["policy", "rules=block"],
            "names no server, item or change",
        ),
        (
            &["policy", "files", "rules=block"],
            "there is no setting `rules`",
        ),
        (&["policy", "nobody", "rule=block"], "names no server"),
        (
            &[
                "policy",
                "files/write",
                "volatile./description={int} notes",
                "reviewers=0",
            ],
            "not a whole number from 1",
        ),
        (
            &["policy", "--unset", "rulez"],
            "there is no setting `rulez`",
        ),
        (&["policy", "rule"], "sets nothing"),
    ] {
        let output = sandbox.run(args).expect(2);
        assert!(output.stderr.contains(said), "{args:?}: {}", output.stderr);
        assert_eq!(sandbox.read(LOCK), before);
    }
    // An item that is not there yet, foreseen by its kind.
    sandbox
        .run(&["policy", "files/tool:erase", "rule=block"])
        .expect(0);
    let table = sandbox.run(&["policy"]).expect(0).stdout;
    assert!(
        table.contains("set  files/tool:erase  rule=block"),
        "{table}"
    );
}

#[test]
fn a_flag_is_due_until_somebody_reviewed_the_server_after_it() {
    let sandbox = project();
    let flag = [
        "flag",
        "files",
        "--reason",
        "incident",
        "--note",
        "see the ticket",
    ];
    let before = sandbox.read(LOCK);
    let said = sandbox.run(&flag).expect(0).stdout;
    assert!(said.starts_with("flagged files (incident)"), "{said}");
    assert_eq!(sandbox.read(LOCK), before);
    for args in [&DIFF[..], &["review"], &["servers"], &["policy"]] {
        let shown = sandbox.run(args).expect(0).stdout;
        assert!(shown.contains("flagged"), "{args:?}: {shown}");
    }
    let text = sandbox.run(&DIFF).expect(0).stdout;
    assert!(
        text.contains("flagged on [DATE] (incident): see the ticket"),
        "{text}"
    );
    sandbox.run(&["policy", "files", "due=fail"]).expect(0);
    sandbox.run(&DIFF).expect(1);
    // A review within the same second looked at nothing that came later.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    sandbox.run(&["ack", "files", "--by", "Ann"]).expect(0);
    sandbox.run(&DIFF).expect(0);
    sandbox
        .run(&["flag", "nobody", "--reason", "usage"])
        .expect(2);
    sandbox.run(&["flag", "files"]).expect(2);
    sandbox
        .run(&["flag", "files", "--reason", "mood"])
        .expect(2);
}

#[test]
fn acknowledging_what_waits_says_that_a_review_is_still_due() {
    let sandbox = project();
    let flag = ["flag", "files", "--reason", "report"];
    let ack = ["ack", "files", "--by", "Ann"];
    sandbox.run(&flag).expect(0);
    offer(&sandbox, &[("read", "Reads all."), ("write", "Writes.")]);
    sandbox.run(&DIFF).expect(1);
    let said = sandbox.run(&ack).expect(0).stdout;
    assert!(said.starts_with("acknowledged  material"), "{said}");
    assert!(
        said.ends_with(
            "due: server files  flagged on [DATE] (report)\n`countersign ack files` records a review\n"
        ),
        "{said}"
    );
    // The way out that it names is one, and leaves nothing to say.
    let said = sandbox.run(&ack).expect(0).stdout;
    assert_eq!(said, "nothing waits of files; recorded as reviewed today\n");
    let shown = sandbox.run(&DIFF).expect(0).stdout;
    assert!(!shown.contains("due:"), "{shown}");

    // Whoever acknowledges one change of several is not sent on to accept the rest.
    sandbox.run(&flag).expect(0);
    offer(&sandbox, &[("read", "Reads."), ("write", "Writes all.")]);
    sandbox.run(&DIFF).expect(1);
    let one = sandbox.run(&["ack", "files/read", "--by", "Ann"]).expect(0);
    assert!(!one.stdout.contains("due"), "{}", one.stdout);
    let all = ["ack", "--all", "--by", "Ann", "--format", "json"];
    assert_eq!(sandbox.run(&all).expect(0).json()["due"], json!(["files"]));
}

#[test]
fn the_way_out_of_a_stale_entry_drops_it_and_not_its_server() {
    let sandbox = project();
    offer(&sandbox, &[("read", "Reads.")]);
    sandbox.run(&DIFF).expect(0);
    sandbox.run(&["ack", "--all", "--by", "Ann"]).expect(0);
    let said = sandbox.run(&DIFF).expect(0).stdout;
    let start = said.find("`countersign prune").expect("a way out") + 1;
    let command = said[start..].split('`').next().expect("a command");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    sandbox.run(&words).expect(0);
    // No configuration names the server: `prune files` would have dropped it whole.
    let lock: Value = serde_json::from_str(&sandbox.read(LOCK)).expect("a lockfile");
    let tools = lock["servers"]["files"]["tools"].as_object();
    let tools = tools.expect("the server is still there");
    assert_eq!(tools.keys().collect::<Vec<_>>(), ["read"]);
    let said = sandbox.run(&DIFF).expect(0).stdout;
    assert!(!said.contains("stale"), "{said}");
}

#[test]
fn a_new_account_is_not_asked_about_what_changed_before_it() {
    let sandbox = project();
    offer(
        &sandbox,
        &[("read", "Reads all of it."), ("new", "Is new.")],
    );
    let kept = sandbox.run(&DIFF).expect(1).stdout;
    assert!(kept.contains("description-changed"), "{kept}");
    // Another lockfile on the same data directory: another account, which enables the server now.
    let other = [&DIFF[1..], &["--lock", "other.lock"]].concat();
    sandbox.run(&[&["snapshot"], &other[..]].concat()).expect(0);
    for command in ["diff", "review"] {
        let words = match command {
            "diff" => [&["diff"], &other[..]].concat(),
            _ => vec!["review", "--lock", "other.lock"],
        };
        let shown = sandbox.run(&words).expect(0).stdout;
        assert!(!shown.contains("description-changed"), "{shown}");
    }
    // The first account goes on waiting.
    sandbox.run(&DIFF).expect(1);
}

#[test]
fn the_history_tells_what_was_observed_and_whether_its_chain_holds() {
    let sandbox = project();
    offer(
        &sandbox,
        &[
            ("read", "Reads all."),
            ("write", "Writes."),
            ("new", "Is new."),
        ],
    );
    sandbox.run(&DIFF).expect(1);
    sandbox
        .run(&["flag", "files", "--reason", "usage"])
        .expect(0);
    let told = sandbox.run(&["history", "--verify"]).expect(0).stdout;
    for line in [
        "server files: 4 events, its chain holds and every snapshot is whole",
        "  [TIME]  first sight  2 items",
        "  [TIME]  changed  tool read  material description-changed  [",
        "  [TIME]  first sight  tool new",
        "  [TIME]  flagged  usage",
    ] {
        assert!(told.contains(line), "{told}");
    }
    let of_one = sandbox.run(&["history", "files/read"]).expect(0).stdout;
    assert!(
        of_one.contains("tool read") && !of_one.contains("tool new"),
        "{of_one}"
    );
    let json = sandbox
        .run(&["history", "--verify", "--format", "json"])
        .expect(0)
        .json();
    let events = json["servers"][0]["events"]
        .as_array()
        .expect("events")
        .clone();
    assert_eq!(events.len(), 3);
    let id = events[1]["changes"][0]["id"].as_str().expect("an id");
    let by_id = sandbox
        .run(&["history", &id[..8], "--format", "json"])
        .expect(0)
        .json();
    assert_eq!(
        by_id["servers"][0]["events"].as_array().map(Vec::len),
        Some(1)
    );
    sandbox.run(&["history", "files/nothing"]).expect(2);

    // A line that was edited breaks the chain, and a snapshot that was is found.
    let folder = fs::read_dir(sandbox.data().join("servers"))
        .expect("servers")
        .next();
    let folder = folder.expect("one").expect("a folder").path();
    let snapshot = fs::read_dir(folder.join("snapshots"))
        .expect("snapshots")
        .next();
    let snapshot = snapshot.expect("one").expect("a file").path();
    let whole = fs::read(&snapshot).expect("read");
    fs::write(&snapshot, "{}").expect("written");
    sandbox.run(&["history"]).expect(0);
    let said = sandbox.run(&["history", "--verify"]).expect(2).stdout;
    assert!(said.contains("is damaged"), "{said}");
    fs::write(&snapshot, whole).expect("written");
    let history = folder.join("history.jsonl");
    let lines = fs::read_to_string(&history).expect("read");
    fs::write(&history, lines.replacen("\"read\"", "\"raed\"", 1)).expect("written");
    let output = sandbox.run(&["history", "--format", "json"]).expect(2);
    assert!(
        output.json()["servers"][0]["error"]["message"]
            .as_str()
            .expect("words")
            .contains("line")
    );
}
