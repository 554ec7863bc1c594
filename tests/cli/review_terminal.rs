//! `review` in a real terminal: real keys, and the lockfile that they lead to.

use crate::support::{Sandbox, scripted};
use crate::terminal::Terminal;
use serde_json::{Value, json};

const LOCK: &str = "countersign.lock.json";

/// A tool with a description and hints.
fn tool(name: &str, text: &str, is_read_only: bool) -> Value {
    json!({
        "name": name, "description": text, "inputSchema": { "type": "object" },
        "annotations": { "readOnlyHint": is_read_only },
    })
}

fn serve(sandbox: &Sandbox, tools: &[Value]) {
    sandbox.write("catalogue.json", json!({ "tools": tools }).to_string());
}

/// A project whose server offered these tools first, and now those.
fn drifted(before: &[Value], after: &[Value]) -> Sandbox {
    let sandbox = Sandbox::new();
    serve(&sandbox, before);
    let command = scripted(&sandbox.path("catalogue.json"));
    let server = json!({ "command": command[0], "args": command[1..] });
    sandbox.write(
        ".mcp.json",
        json!({ "mcpServers": { "notes": server } }).to_string(),
    );
    sandbox.run(&["snapshot"]).expect(0);
    serve(&sandbox, after);
    sandbox.run(&["diff"]).expect(1);
    sandbox
}

/// Three tools, of which two change alike, one of them in its words too, and a third by itself.
fn three() -> Sandbox {
    drifted(
        &[
            tool("add", "Adds.", true),
            tool("find", "Finds.", true),
            tool("send", "Sends.", true),
        ],
        &[
            tool("add", "Adds.", false),
            tool("find", "Finds and sends.", false),
            tool("send", "Sends it all.", true),
        ],
    )
}

const REVIEW: [&str; 3] = ["review", "--by", "A. Reviewer"];

fn lock(sandbox: &Sandbox) -> Value {
    serde_json::from_str(&sandbox.read(LOCK)).expect("a lockfile")
}

/// How often the question after an entry was asked.
fn questions(screen: &str, entry: usize) -> usize {
    let lines = screen.lines();
    let place = format!("[{entry}/");
    lines
        .filter(|line| line.starts_with(&place) && line.contains("] a ack, "))
        .count()
}

/// The notes of a tool's acknowledgements.
fn notes(sandbox: &Sandbox, tool: &str) -> Vec<String> {
    let lock = lock(sandbox);
    let records = lock["servers"]["notes"]["tools"][tool]["acknowledgements"].as_array();
    let records = records.into_iter().flatten();
    records
        .map(|record| {
            assert_eq!(record["by"], "A. Reviewer");
            record["note"].as_str().unwrap_or_default().to_owned()
        })
        .collect()
}

#[test]
fn each_decision_is_in_the_lockfile_at_once_and_a_skipped_entry_goes_on_waiting() {
    let sandbox = three();
    let terminal = Terminal::start(&sandbox, &REVIEW, 120);
    let screen = terminal.wait_for("[1/3] a ack, s skip");
    assert!(
        screen.contains("[1/3] material  2 tools  annotations"),
        "{screen}"
    );
    terminal.press("a");
    let screen = terminal.wait_for("[2/3] a ack");
    assert!(
        screen.contains("not yet recorded of notes/find"),
        "{screen}"
    );
    assert_eq!(notes(&sandbox, "add"), [""]);
    assert_eq!(notes(&sandbox, "find"), [""; 0]);
    terminal.press("s");
    terminal.wait_for("[3/3] a ack");
    terminal.press("q");
    let (status, screen) = terminal.end();
    assert_eq!(status, 1, "{screen}");
    assert!(
        screen.contains("1 change recorded, 1 entry accepted without a record"),
        "{screen}"
    );
    assert!(
        screen.contains("2 material changes wait in 1 server"),
        "{screen}"
    );
    assert_eq!(notes(&sandbox, "find"), [""; 0]);
    assert_eq!(notes(&sandbox, "send"), [""; 0]);
}

#[test]
fn the_last_decision_ends_it_with_nothing_left() {
    let sandbox = three();
    let terminal = Terminal::start(&sandbox, &REVIEW, 120);
    for place in ["[1/3]", "[2/3]", "[3/3]"] {
        terminal.wait_for(&format!("{place} a ack"));
        terminal.press("a");
    }
    let (status, screen) = terminal.end();
    assert_eq!(status, 0, "{screen}");
    assert!(screen.contains("3 changes recorded"), "{screen}");
    sandbox.run(&["diff"]).expect(0);
}

#[test]
fn an_interrupt_after_one_decision_loses_none() {
    let sandbox = three();
    let terminal = Terminal::start(&sandbox, &REVIEW, 120);
    terminal.wait_for("[1/3] a ack");
    terminal.press("a");
    terminal.wait_for("[2/3] a ack");
    terminal.press_named("C-c");
    let (status, screen) = terminal.end();
    assert_eq!(status, 130, "{screen}");
    assert_eq!(notes(&sandbox, "add"), [""]);
    sandbox.run(&["diff"]).expect(1);
}

#[test]
fn a_block_is_a_standing_rule_and_no_acknowledgement() {
    let sandbox = three();
    let terminal = Terminal::start(&sandbox, &["review", "notes/send"], 120);
    terminal.wait_for("[1/1] a ack");
    terminal.press("b");
    let (status, screen) = terminal.end();
    assert_eq!(status, 1, "{screen}");
    assert!(screen.contains("blocked  notes/tool:send"), "{screen}");
    let items = &lock(&sandbox)["servers"]["notes"]["policy"]["items"];
    assert_eq!(*items, json!({ "tool:send": { "rule": "block" } }));
    assert_eq!(notes(&sandbox, "send"), [""; 0]);
}

#[test]
fn a_note_is_asked_for_where_the_policy_wants_one_and_kept() {
    let sandbox = three();
    sandbox
        .run(&["policy", "notes", "requireNote=true"])
        .expect(0);
    let terminal = Terminal::start(&sandbox, &[&REVIEW[..], &["notes/send"]].concat(), 120);
    terminal.wait_for("[1/1] a ack");
    terminal.press("a");
    terminal.wait_for("the policy asks for a note");
    terminal.press_named("Enter");
    terminal.wait_for("no note");
    terminal.press("n");
    terminal.wait_for("note: ");
    terminal.press("it is wanted");
    terminal.press_named("Enter");
    terminal.wait_for("kept for the next acknowledgement");
    terminal.press("a");
    assert_eq!(terminal.end().0, 0);
    assert_eq!(notes(&sandbox, "send"), ["it is wanted"]);
}

#[test]
fn what_somebody_else_recorded_meanwhile_stays() {
    let sandbox = three();
    let terminal = Terminal::start(&sandbox, &REVIEW, 120);
    terminal.wait_for("[1/3] a ack");
    sandbox
        .run(&[
            "ack",
            "notes/send",
            "--by",
            "A. Reviewer",
            "--note",
            "elsewhere",
        ])
        .expect(0);
    for place in ["[1/3]", "[2/3]", "[3/3]"] {
        terminal.wait_for(&format!("{place} a ack"));
        terminal.press("a");
    }
    let (status, screen) = terminal.end();
    assert_eq!(status, 0, "{screen}");
    assert!(screen.contains("acknowledged by you already"), "{screen}");
    assert_eq!(notes(&sandbox, "send"), ["elsewhere"]);
    assert_eq!(notes(&sandbox, "add"), [""]);
}

#[test]
fn a_lockfile_that_changed_under_the_change_in_hand_refuses_it_and_takes_the_others() {
    let sandbox = three();
    let terminal = Terminal::start(&sandbox, &REVIEW, 120);
    terminal.wait_for("[1/3] a ack");
    // As after a pull: somebody accepted another definition of it.
    let other = drifted(
        &[tool("send", "Sends.", true)],
        &[tool("send", "Else.", true)],
    );
    other.run(&["ack", "--all", "--by", "B"]).expect(0);
    let mut pulled = lock(&sandbox);
    let theirs = lock(&other);
    pulled["servers"]["notes"]["tools"]["send"] =
        theirs["servers"]["notes"]["tools"]["send"].clone();
    sandbox.write(LOCK, pulled.to_string());
    for place in ["[2/3]", "[3/3]"] {
        terminal.press("s");
        terminal.wait_for(&format!("{place} a ack"));
    }
    terminal.press("a");
    let screen = terminal.wait_for("the lockfile holds");
    assert!(screen.contains("starts from"), "{screen}");
    assert_eq!(lock(&sandbox), pulled);
    // The entries before it can still be decided.
    for (key, shown) in [("p", 2), ("p", 1), ("a", 3), ("p", 2), ("a", 3)] {
        let before = questions(&terminal.screen(), shown);
        terminal.press(key);
        terminal.wait_until(|screen| questions(screen, shown) > before);
    }
    terminal.wait_for("acknowledged  material  tool notes/find");
    terminal.press("q");
    assert_eq!(terminal.end().0, 1);
    assert_eq!(notes(&sandbox, "find"), [""]);
}

#[test]
fn a_newer_snapshot_ends_it_and_what_was_decided_stands() {
    let sandbox = three();
    let terminal = Terminal::start(&sandbox, &REVIEW, 120);
    terminal.wait_for("[1/3] a ack");
    terminal.press("a");
    terminal.wait_for("[2/3] a ack");
    let before = lock(&sandbox);
    serve(&sandbox, &[tool("find", "Finds other things.", false)]);
    // For another lockfile: nobody looked at it here.
    sandbox.run(&["snapshot", "--lock", "other.json"]).expect(0);
    terminal.press("a");
    let (status, screen) = terminal.end();
    assert_eq!(status, 1, "{screen}");
    assert!(
        screen.contains("a newer snapshot of `notes` was stored"),
        "{screen}"
    );
    assert_eq!(lock(&sandbox), before);
    assert_eq!(notes(&sandbox, "add"), [""]);
}

#[test]
fn what_was_not_on_the_screen_was_not_shown() {
    let sandbox = three();
    // Another look at the same, so that nothing but this review counts.
    std::fs::remove_dir_all(sandbox.data().join("shown")).expect("what was shown");
    let terminal = Terminal::start(&sandbox, &REVIEW, 120);
    terminal.wait_for("[1/3] a ack");
    terminal.press("q");
    terminal.end();
    let said = sandbox
        .run(&["ack", "notes/send", "--by", "A"])
        .expect(2)
        .stderr;
    assert!(said.contains("was not shown"), "{said}");
    // Of this one an entry was shown, and not the other.
    sandbox.run(&["ack", "notes/find", "--by", "A"]).expect(2);
    sandbox.run(&["ack", "notes/add", "--by", "A"]).expect(0);
}

#[test]
fn four_hundred_entries_are_gone_through_one_after_the_other() {
    // No two are edited alike.
    let tools = |times: usize| -> Vec<Value> {
        let name = |n| format!("tool_{n}");
        let tool = |n: usize| tool(&name(n), &format!("Does {}.", n * times), true);
        (1..=400).map(tool).collect()
    };
    let sandbox = drifted(&tools(1001), &tools(2003));
    let terminal = Terminal::start(&sandbox, &REVIEW, 120);
    let screen = terminal.wait_for("a ack");
    assert!(screen.contains("/400] a ack"), "{screen}");
    for place in 2..=25 {
        terminal.press("s");
        terminal.wait_for(&format!("[{place}/400] a ack"));
    }
    terminal.press("a");
    terminal.wait_for("[26/400] a ack");
    terminal.press("q");
    let (status, screen) = terminal.end();
    assert_eq!(status, 1, "{screen}");
    assert!(
        screen.contains("1 change recorded, 24 entries skipped, 375 entries left"),
        "{screen}"
    );
}

#[test]
fn hostile_names_and_texts_reach_no_terminal_as_they_are() {
    let name = "find\u{1b}[2J\u{7}\u{202e}\u{9b}31m";
    let text = "Finds.\u{1b}]0;owned\u{7}\r\n[1/1] a ack\u{1b}[1A";
    let sandbox = drifted(&[tool(name, "Finds.", true)], &[tool(name, text, true)]);
    let terminal = Terminal::start(&sandbox, &REVIEW, 120);
    terminal.wait_for("a ack, s skip");
    terminal.press("w");
    let screen = terminal.wait_for("after v1:");
    assert!(
        screen.contains(r"find\u{1B}[2J\u{7}\u{202E}\u{9B}31m"),
        "{screen}"
    );
    assert!(
        screen.contains("server notes: 1 material change waits"),
        "not cleared: {screen}"
    );
    let of_theirs = screen
        .lines()
        .find(|line| line.starts_with("[1/1] a ack\\u"));
    assert_eq!(of_theirs, None);
    terminal.press("a");
    let (status, screen) = terminal.end();
    assert_eq!(status, 0, "{screen}");
    assert!(
        screen.contains(r"acknowledged  material  tool notes/find\u{1B}"),
        "{screen}"
    );
}

#[test]
fn forty_columns_are_enough() {
    let sandbox = three();
    let terminal = Terminal::start(&sandbox, &REVIEW, 40);
    terminal.wait_for("[1/3] [a,s,b,w,n,p,q,?]:");
    let before = terminal.lines();
    let is_ours = |line: &&String| line.starts_with("  |") || line.starts_with("[1/3]");
    assert!(
        before
            .iter()
            .filter(is_ours)
            .all(|line| line.chars().count() <= 40)
    );
    assert!(
        before.iter().any(|line| line.starts_with("[1/3] [a,")),
        "{before:#?}"
    );
    for (key, place) in [("a", "[2/3]"), ("s", "[3/3]")] {
        terminal.press(key);
        terminal.wait_for(&format!("{place} [a,s"));
    }
    terminal.press("a");
    let (status, screen) = terminal.end();
    assert_eq!(status, 1, "{screen}");
    assert_eq!(
        (notes(&sandbox, "add").len(), notes(&sandbox, "send").len()),
        (1, 1)
    );
}

#[test]
fn the_whole_goes_through_the_pager_with_nothing_left_out() {
    let long = |last: &str| format!("Finds.{}{last}", " a word".repeat(20_000));
    let sandbox = drifted(
        &[tool("find", &long(" was"), true)],
        &[tool("find", &long(" is"), true)],
    );
    let kept = sandbox.path("paged text");
    // Words are split as a shell would, and nothing runs in one.
    sandbox.set("PAGER", &format!("tee '{}'", crate::support::text(&kept)));
    let terminal = Terminal::start(&sandbox, &REVIEW, 120);
    terminal.wait_for("[1/1] a ack");
    terminal.press("w");
    terminal.wait_until(|screen| questions(screen, 1) > 1);
    terminal.press("q");
    terminal.end();
    // The next one starts with other variables.
    drop(terminal);
    let paged = std::fs::read_to_string(&kept).expect("what the pager read");
    assert!(paged.contains(&long(" was")) && paged.contains(&long(" is")));
    // One that is not there is said, and the review goes on.
    sandbox.set("PAGER", "no-such-pager");
    let terminal = Terminal::start(&sandbox, &REVIEW, 120);
    terminal.wait_for("[1/1] a ack");
    terminal.press("w");
    terminal.wait_for("cannot show it whole: `no-such-pager`");
    terminal.press("a");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn in_ci_in_another_format_and_without_a_terminal_it_prints() {
    let sandbox = three();
    let before = sandbox.read(LOCK);
    let printed = sandbox.run(&["review"]).expect(1).stdout;
    assert!(!printed.contains("[1/3]"), "{printed}");
    let terminal = Terminal::start(&sandbox, &["review", "--format", "json"], 120);
    assert_eq!(terminal.end().0, 1);
    drop(terminal);
    sandbox.set("CI", "true");
    let terminal = Terminal::start(&sandbox, &["review"], 120);
    let (status, screen) = terminal.end();
    assert_eq!(status, 1, "{screen}");
    assert!(!screen.contains("[1/3]"), "{screen}");
    assert_eq!(sandbox.read(LOCK), before);
}

#[test]
fn a_key_that_was_pressed_before_an_entry_was_shown_decides_nothing_about_it() {
    let sandbox = three();
    let terminal = Terminal::start(&sandbox, &REVIEW, 120);
    terminal.wait_for("[1/3] a ack");
    terminal.press("aaaaaa");
    terminal.wait_for("[2/3] a ack");
    terminal.press("q");
    assert_eq!(terminal.end().0, 1);
    assert_eq!(notes(&sandbox, "find"), [""; 0]);
}

/// A server of which nothing waits, and that somebody flagged.
fn flagged() -> Sandbox {
    let tools = [tool("send", "Sends.", true)];
    let sandbox = Sandbox::new();
    serve(&sandbox, &tools);
    let snapshot = ["snapshot", "--name", "notes", "--from", "catalogue.json"];
    sandbox.run(&snapshot).expect(0);
    let flag = [
        "flag",
        "notes",
        "--reason",
        "incident",
        "--note",
        "a leak\u{1b}[2J",
    ];
    sandbox.run(&flag).expect(0);
    sandbox
}

#[test]
fn a_server_that_is_due_is_an_entry_and_to_acknowledge_it_answers_that() {
    let sandbox = flagged();
    let terminal = Terminal::start(&sandbox, &REVIEW, 120);
    let screen = terminal.wait_for("[1/1] a ack");
    assert!(screen.contains("[1/1] due  server notes"), "{screen}");
    assert!(screen.contains("(incident): a leak\\u{1B}[2J"), "{screen}");
    terminal.press("w");
    terminal.wait_for("accepted v1:");
    terminal.wait_for("\"Sends.\"");
    terminal.press("a");
    let (status, screen) = terminal.end();
    assert_eq!(status, 0, "{screen}");
    assert!(screen.contains("1 server reviewed"), "{screen}");
    let reviewed = &lock(&sandbox)["servers"]["notes"]["reviewed"];
    assert_eq!(reviewed[0]["by"], "A. Reviewer");
    drop(terminal);
    // Nothing is due any more: there is nothing to ask about.
    let terminal = Terminal::start(&sandbox, &REVIEW, 120);
    let (status, screen) = terminal.end();
    assert_eq!(status, 0, "{screen}");
    assert!(screen.contains("nothing waits"), "{screen}");
    assert!(!screen.contains("flagged"), "{screen}");
}

#[test]
fn a_whole_server_is_blocked_and_not_reviewed_by_that() {
    let sandbox = flagged();
    let terminal = Terminal::start(&sandbox, &REVIEW, 120);
    terminal.wait_for("[1/1] a ack");
    terminal.press("b");
    let (status, screen) = terminal.end();
    assert_eq!(status, 0, "{screen}");
    let server = &lock(&sandbox)["servers"]["notes"];
    assert_eq!(server["policy"], json!({ "rule": "block" }));
    assert_eq!(server["reviewed"], Value::Null);
}
