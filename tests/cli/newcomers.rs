//! What a newcomer asks and is told: each answer names what it is about, and leads on.

use crate::formats::{configure, server};
use crate::schema::Schema;
use crate::support::Sandbox;
use serde_json::{Value, json};

const LOCK: &str = "countersign.lock.json";
const BY: [&str; 2] = ["--by", "Ann"];

fn offer(sandbox: &Sandbox, name: &str, tool: &str, description: &str) {
    let tool =
        json!({ "name": tool, "description": description, "inputSchema": { "type": "object" } });
    sandbox.write(
        &format!("{name}.json"),
        json!({ "tools": [tool] }).to_string(),
    );
}

fn name_servers(sandbox: &Sandbox, names: &[&str]) {
    let servers: serde_json::Map<String, Value> = names
        .iter()
        .map(|name| ((*name).to_owned(), server(sandbox, &format!("{name}.json"))))
        .collect();
    configure(sandbox, &Value::Object(servers));
}

/// A project with the server `notes`, of which another one `other` is not named yet.
fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    offer(&sandbox, "notes", "find", "Finds 5 notes.");
    offer(&sandbox, "other", "add", "Adds.");
    name_servers(&sandbox, &["notes"]);
    sandbox.run(&["snapshot", "-q"]).expect(0);
    sandbox
}

fn said(sandbox: &Sandbox, args: &[&str]) -> String {
    let output = sandbox.run(args).expect(0);
    assert_eq!(output.stderr, "");
    output.stdout
}

#[test]
fn a_rule_for_an_item_that_is_not_there_yet_is_shown_wherever_its_server_is() {
    let sandbox = project();
    let set = said(&sandbox, &["policy", "notes/tool:later", "rule=block"]);
    assert_eq!(set, "set  notes/tool:later  rule=block\n");
    for selector in [&["notes"][..], &["notes/tool:later"], &["notes/later"], &[]] {
        let shown = said(&sandbox, &[&["policy"], selector].concat());
        assert!(shown.contains("not there yet"), "{shown}");
        assert!(
            shown.ends_with("set  notes/tool:later  rule=block\n"),
            "{shown}"
        );
    }
    for more in [&[][..], &["rule=ask"]] {
        let args = [&["policy", "notes/nosuch"], more].concat();
        let refused = sandbox.run(&args).expect(2).stderr;
        assert!(refused.contains("`notes/tool:nosuch`"), "{refused}");
    }
}

#[test]
fn setting_a_rule_says_what_changed_and_unsetting_what_went() {
    let sandbox = project();
    let set = |args: &[&str]| said(&sandbox, &[&["policy", "notes"], args].concat());
    set(&["due=fail", "levels.order-changed=material"]);
    assert_eq!(set(&["reviewEvery=9d"]), "set  notes  reviewEvery=9d\n");
    assert_eq!(set(&["due=warn"]), "set  notes  due=warn\n");
    assert_eq!(
        set(&["due=warn"]),
        "nothing to change in the policy of notes\n"
    );
    assert_eq!(
        set(&["--unset", "reviewEvery"]),
        "unset  notes  reviewEvery=9d\n"
    );
    let last = set(&["--unset", "due", "--unset", "levels.order-changed"]);
    assert_eq!(
        last,
        "unset  notes  due=warn\nunset  notes  levels.order-changed=material\n\
         nothing is set any more in the policy of notes\n"
    );
}

#[test]
fn a_template_that_fits_nothing_is_warned_of() {
    let sandbox = project();
    let set = |setting: &str| {
        let output = sandbox.run(&["policy", "notes/find", setting]).expect(0);
        assert!(
            output.stdout.starts_with("set  notes/tool:find"),
            "{}",
            output.stdout
        );
        output.stderr
    };
    assert_eq!(set("volatile./description=Finds {int} notes"), "");
    let wrong = set("volatile./description=holds {int} notes");
    assert!(
        wrong.contains("lets nothing move: it fits nothing in the accepted text"),
        "{wrong}"
    );
    let wrong = set("volatile./descriptin=Finds {int} notes");
    assert!(
        wrong.contains("there is no such text in the accepted definition"),
        "{wrong}"
    );
    // Of what is not there yet nobody knows.
    let later = [
        "policy",
        "notes/tool:later",
        "volatile./description=Finds {int}",
    ];
    assert_eq!(sandbox.run(&later).expect(0).stderr, "");
}

#[test]
fn quiet_says_whatever_waits_and_nothing_else() {
    let sandbox = project();
    assert_eq!(said(&sandbox, &["diff", "-q"]), "");
    assert_eq!(said(&sandbox, &["snapshot", "-q"]), "");
    sandbox
        .run(&["flag", "notes", "--reason", "usage"])
        .expect(0);
    offer(&sandbox, "notes", "find", "Finds all notes.");
    name_servers(&sandbox, &["notes", "other"]);
    let shown = said(&sandbox, &["snapshot", "-q"]);
    let heads: Vec<&str> = shown.lines().collect();
    assert_eq!(heads.len(), 4, "{shown}");
    assert_eq!(heads[0], "server notes: 1 material change waits");
    assert!(
        heads[1].starts_with("due: server notes  flagged on "),
        "{shown}"
    );
    assert!(
        heads[2].starts_with("material  tool notes/find  changed"),
        "{shown}"
    );
    assert_eq!(
        heads[3],
        "server other: first sight, recorded as the baseline, 1 item"
    );
    let quiet = sandbox.run(&["diff", "-q"]).expect(1).stdout;
    assert_eq!(quiet.lines().count(), 3, "{quiet}");
}

#[test]
fn all_acknowledges_what_was_shown_and_says_what_was_not_and_how_to_look() {
    let sandbox = project();
    name_servers(&sandbox, &["notes", "other"]);
    sandbox.run(&["snapshot", "-q"]).expect(0);
    offer(&sandbox, "notes", "find", "Finds all notes.");
    offer(&sandbox, "other", "add", "Adds more.");
    // On another machine only one of them was looked at.
    std::fs::remove_dir_all(sandbox.data()).expect("removed");
    sandbox.run(&["diff", "notes"]).expect(1);
    let all = [&["ack", "--all"][..], &BY].concat();
    let output = sandbox.run(&all).expect(2);
    assert!(
        output
            .stdout
            .starts_with("acknowledged  material  tool notes/find"),
        "{}",
        output.stdout
    );
    assert_eq!(
        output.stderr,
        "error: nothing of `other` was shown under this lockfile yet: look first\nhint: countersign diff other\n"
    );
    // With nothing that was shown it is refused as a whole.
    let lock = sandbox.read(LOCK);
    let document = sandbox
        .run(&[&all[..], &["--format", "json"]].concat())
        .expect(2);
    assert!(document.json()["error"].is_object(), "{}", document.stdout);
    assert_eq!(sandbox.read(LOCK), lock);
    sandbox.run(&["diff", "other"]).expect(1);
    let document = sandbox
        .run(&[&all[..], &["--format", "json"]].concat())
        .expect(0)
        .json();
    assert_eq!(document["refused"], json!([]));
    sandbox.run(&["diff"]).expect(0);
}

#[test]
fn a_history_counts_what_it_lists_and_lists_who_acknowledged() {
    let sandbox = project();
    offer(&sandbox, "notes", "find", "Finds all notes.");
    sandbox.run(&["diff"]).expect(1);
    sandbox
        .run(&[&["ack", "--all", "--note", "wanted\u{1b}"][..], &BY].concat())
        .expect(0);
    sandbox
        .run(&[&["ack", "notes"][..], &BY].concat())
        .expect(0);
    for (selector, last) in [
        ("notes", "reviewed  by Ann"),
        ("notes/find", "by Ann  wanted\\u{1B}"),
    ] {
        let shown = said(&sandbox, &["history", selector]);
        let rows = shown.lines().skip(1).count();
        assert!(
            shown.starts_with(&format!("server notes: {rows} events\n")),
            "{shown}"
        );
        assert!(shown.trim_end().ends_with(last), "{shown}");
        assert!(shown.contains("  acknowledged  tool find  ["), "{shown}");
    }
    let document = sandbox
        .run(&["history", "--format", "json"])
        .expect(0)
        .json();
    let records = &document["servers"][0]["records"];
    assert_eq!(records.as_array().map(Vec::len), Some(2), "{records}");
    assert_eq!(
        (&records[0]["name"], &records[0]["by"]),
        (&json!("find"), &json!("Ann"))
    );
}

#[test]
fn no_hint_names_the_command_that_was_just_run_in_vain() {
    let sandbox = project();
    std::fs::remove_file(sandbox.path(LOCK)).expect("removed");
    sandbox.set("CI", "1");
    let elsewhere = "on a machine where `CI` is not set, and commit the lockfile";
    let told = sandbox.run(&["snapshot"]).expect(0).stdout;
    assert!(
        told.contains(&format!("hint: countersign snapshot notes, {elsewhere}")),
        "{told}"
    );
    let told = sandbox.run(&["diff"]).expect(2).stderr;
    assert!(
        told.contains(&format!("hint: countersign snapshot, {elsewhere}")),
        "{told}"
    );
}

#[test]
fn what_is_missing_on_the_command_line_is_named_and_nothing_that_is_there() {
    let sandbox = project();
    let flag = sandbox.run(&["flag", "notes"]).expect(2).stderr;
    assert!(
        flag.contains("--reason <incident|report|policy|usage>"),
        "{flag}"
    );
    // The sandbox names a data directory by a variable.
    for args in [&["ack"][..], &["flag", "notes"], &["-q", "login"]] {
        let usage = sandbox.run(args).expect(2).stderr;
        assert!(!usage.contains("--data-dir"), "{usage}");
        assert!(
            usage.contains(&format!(
                "Usage: countersign {} [OPTIONS]",
                args[args.len().min(2) - 1].trim_start_matches("notes")
            )) || usage.contains("Usage: countersign flag"),
            "{usage}"
        );
    }
    let dash = sandbox
        .run(&["diff", "--output", "junit=-"])
        .expect(2)
        .stderr;
    assert!(
        dash.contains("`--format junit` writes to standard output"),
        "{dash}"
    );
    assert!(!sandbox.path("-").exists());
}

#[test]
fn the_list_of_servers_says_which_of_them_wait() {
    let sandbox = project();
    let state = || {
        let shown = said(&sandbox, &["servers"]);
        assert!(shown.contains("| last looked at |"), "{shown}");
        let row = shown.lines().nth(2).expect("a row").to_owned();
        let cells: Vec<String> = row.split('|').map(|cell| cell.trim().to_owned()).collect();
        (cells[5].clone(), shown)
    };
    assert_eq!(state().0, "ready");
    sandbox
        .run(&["flag", "notes", "--reason", "usage"])
        .expect(0);
    assert_eq!(state().0, "due");
    offer(&sandbox, "notes", "find", "Finds all notes.");
    sandbox.run(&["diff"]).expect(1);
    let (word, shown) = state();
    assert_eq!(word, "waits");
    assert!(
        shown.contains("1 material change waits: `countersign review notes`"),
        "{shown}"
    );
    let document = sandbox
        .run(&["servers", "--format", "json"])
        .expect(0)
        .json();
    assert_eq!(document["servers"][0]["waiting"], 1);
}

#[test]
fn a_damaged_lockfile_is_annotated_at_its_line() {
    let sandbox = project();
    let damaged = sandbox.read(LOCK).replacen('\n', "\n<<<<<<< HEAD\n", 1);
    sandbox.write(LOCK, damaged);
    std::fs::create_dir(sandbox.path(".git")).expect("a folder");
    let told = sandbox
        .run(&["diff", "--format", "github"])
        .expect(2)
        .stdout;
    assert!(
        told.starts_with("::error file=countersign.lock.json,line=2::"),
        "{told}"
    );
    let told = sandbox
        .run(&["diff", "--format", "gitlab"])
        .expect(2)
        .json();
    assert_eq!(told[0]["location"]["lines"]["begin"], 2);
    let report = sandbox.run(&["diff", "--format", "json"]).expect(2).json();
    Schema::of_report().holds(&report);
}

#[test]
fn the_stale_entry_of_a_renamed_item_says_its_new_name() {
    let sandbox = project();
    offer(&sandbox, "notes", "seek", "Finds 5 notes.");
    sandbox.run(&["diff"]).expect(1);
    sandbox
        .run(&[&["ack", "--all"][..], &BY].concat())
        .expect(0);
    let shown = sandbox.run(&["diff"]).expect(0).stdout;
    assert!(
        shown.contains("acknowledged as gone: `find` (renamed to `seek`)"),
        "{shown}"
    );
}
