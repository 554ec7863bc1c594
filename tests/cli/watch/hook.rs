//! The command of `--exec`.

use super::{PATIENCE, Watching, catalogue, offer, project, stdio, wait_for};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::fs;

#[test]
fn the_command_gets_each_change_on_its_input_and_what_it_leaves_is_ended() {
    let source = stdio(&["--announce"]);
    let sandbox = project(&source);
    // Only the command line names a shell.
    let script = "cat >> changes.jsonl; echo $COUNTERSIGN_EVENT $COUNTERSIGN_SERVER $COUNTERSIGN_LEVEL \
                  $COUNTERSIGN_WAITS $COUNTERSIGN_ANNOUNCED $COUNTERSIGN_OUTCOME >> variables; echo heard";
    let command = format!("sh -c '{script}'");
    let flags = ["--every", "1h", "--exec", &command];
    let watching = Watching::start_json(&sandbox, &flags, &source);
    watching.event("watching");
    let mut changes = Vec::new();
    for text in ["Two.", "Three \u{1b}[31m$(touch gotcha).", "One."] {
        offer(&sandbox, &catalogue(text));
        changes.push(watching.change(&json!(true)));
    }
    let lines = wait_for(|| {
        let text = fs::read_to_string(sandbox.path("variables")).unwrap_or_default();
        (text.lines().count() == 3).then_some(text)
    });
    assert_eq!(
        lines,
        "change notes material true true drift\nchange notes material true true drift\nchange notes material false true clean\n"
    );
    let given = sandbox.read("changes.jsonl");
    assert!(!given.contains('\u{1b}'), "{given}");
    let given: Vec<Value> = given
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(given, changes);
    let (more, errors) = watching.end(Signal::TERM, 143);
    // What the command prints is no document.
    assert_eq!((more.len(), errors), (1, vec!["heard".to_owned(); 3]));
    assert!(!sandbox.path("gotcha").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn a_command_that_fails_or_hangs_is_said_and_stops_nothing() {
    let source = stdio(&["--announce"]);
    let sandbox = project(&source);
    let command = "sh -c 'echo $$ > pid; [ -e fail ] && exit 3; sleep 600 & sleep 600'";
    let flags = ["--every", "1h", "--exec", command, "--exec-timeout", "0.5"];
    let watching = Watching::start_json(&sandbox, &flags, &source);
    watching.event("watching");
    offer(&sandbox, &catalogue("Two."));
    watching.change(&json!(true));
    let said = |words: &str| {
        // The shell may say beside it that it was ended.
        let is_ours = |line: &String| line.starts_with("countersign: ");
        let next = || watching.errors.recv_timeout(PATIENCE).expect("a line");
        let line = std::iter::repeat_with(next).find(is_ours).expect("a line");
        assert_eq!(
            line,
            format!("countersign: the command of --exec, `sh`, {words}")
        );
    };
    said("did not end within 0.5 s");
    let group = sandbox.read("pid").trim().to_owned();
    let of_group = || {
        let all = fs::read_dir("/proc").expect("/proc").flatten();
        let stats = all.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
        stats
            .filter(|stat| stat.split(' ').nth(4) == Some(&group) && !stat.contains(") Z "))
            .count()
    };
    wait_for(|| (of_group() == 0).then_some(()));
    sandbox.write("fail", "");
    offer(&sandbox, &catalogue("Three."));
    watching.change(&json!(true));
    said("ended with exit status 3");
    sandbox.remove("fail");
    sandbox.remove("pid");
    // The end of the watch is that of a command that runs.
    offer(&sandbox, &catalogue("Four."));
    watching.change(&json!(true));
    wait_for(|| {
        fs::read_to_string(sandbox.path("pid"))
            .ok()
            .filter(|text| text.ends_with('\n'))
    });
    watching.end(Signal::TERM, 143);
}
