//! A run that is interrupted while its servers hang: it ends at once, and leaves no process and no half file.

use crate::support::{Sandbox, python, repository, text};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::json;
use std::fs;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

/// How long a server may take to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long the end of everything may take.
const END: Duration = Duration::from_secs(5);

/// A project whose servers start, write down their processes and hang.
fn project(scenarios: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new();
    let script = text(&repository("fixtures/hostile/stdio_server.py"));
    let servers = scenarios.iter().map(|scenario| {
        let pids = text(&sandbox.path(&format!("{scenario}.pids")));
        let server =
            json!({ "command": python(), "args": [script, scenario], "env": { "PIDFILE": pids } });
        ((*scenario).to_owned(), server)
    });
    let servers: serde_json::Map<_, _> = servers.collect();
    sandbox.write(".mcp.json", json!({ "mcpServers": servers }).to_string());
    sandbox
}

/// Starts a snapshot and waits until all servers hang; the processes of theirs.
fn hanging(sandbox: &Sandbox, scenarios: &[&str], flags: &[&str]) -> (Child, Vec<Pid>) {
    let mut command = sandbox.program(&[&["snapshot"], flags].concat());
    let child = command.spawn().expect("started");
    let start = Instant::now();
    let files = scenarios
        .iter()
        .map(|scenario| sandbox.path(&format!("{scenario}.pids")));
    let mut pids = Vec::new();
    for file in files {
        while !file.exists() {
            assert!(
                start.elapsed() < PATIENCE,
                "`{}` never came",
                file.display()
            );
            thread::sleep(Duration::from_millis(5));
        }
        let words = fs::read_to_string(&file).expect("written whole");
        let found = words
            .split(' ')
            .map(|pid| pid.parse().ok().and_then(Pid::from_raw));
        pids.extend(found.map(|pid| pid.expect("a process id")));
        fs::remove_file(file).expect("removed");
    }
    assert!(!pids.iter().any(|pid| is_gone(*pid)), "they hang");
    (child, pids)
}

fn is_gone(pid: Pid) -> bool {
    // A zombie is over too: it waits for whoever started it.
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    test_kill_process(pid).is_err() || stat.is_ok_and(|stat| stat.contains(") Z "))
}

#[track_caller]
fn are_gone(pids: &[Pid]) {
    let start = Instant::now();
    while let Some(pid) = pids.iter().find(|pid| !is_gone(**pid)) {
        assert!(start.elapsed() < END, "{pid:?} is left");
        thread::sleep(Duration::from_millis(10));
    }
}

const HANGING: [&str; 3] = [
    "stalls",
    "heeds_nothing_and_stalls",
    "leaves_a_child_and_stalls",
];

#[test]
fn a_signal_ends_the_run_and_its_servers_at_once() {
    let sandbox = project(&HANGING);
    let before = sandbox.files();
    for (signal, name, status) in [
        (Signal::INT, "SIGINT", 130),
        (Signal::TERM, "SIGTERM", 143),
        (Signal::HUP, "SIGHUP", 129),
    ] {
        for format in ["text", "json"] {
            let (child, pids) = hanging(&sandbox, &HANGING, &["--format", format]);
            let start = Instant::now();
            kill_process(Pid::from_child(&child), signal).expect("it runs");
            let output = sandbox.finish(child).expect(status);
            assert!(start.elapsed() < END, "{:?}", start.elapsed());
            are_gone(&pids);
            assert_eq!(sandbox.files(), before);
            let words = format!("interrupted by {name}");
            if format == "json" {
                let report = output.json();
                assert_eq!(
                    report["error"],
                    json!({ "kind": "interrupted", "message": words })
                );
            } else {
                assert_eq!(output.stderr, format!("error: {words}\n"));
            }
        }
    }
}

#[test]
fn servers_notice_that_a_killed_run_is_gone() {
    // A server that reads its input ends by itself; more cannot be done for a run that is killed.
    let sandbox = project(&["stalls"]);
    let before = sandbox.files();
    let (mut child, pids) = hanging(&sandbox, &["stalls"], &[]);
    child.kill().expect("killed");
    child.wait().expect("ended");
    are_gone(&pids);
    assert_eq!(sandbox.files(), before);
}

#[test]
fn a_time_limit_ends_what_hangs_too() {
    let sandbox = project(&HANGING);
    let (child, pids) = hanging(&sandbox, &HANGING, &["--timeout", "1"]);
    sandbox.finish(child).expect(2);
    are_gone(&pids);
}
