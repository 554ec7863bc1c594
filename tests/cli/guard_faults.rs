//! A guard whose client or server goes away at any moment: nothing is left running, and what happened is said.

use crate::guard::Guarded;
use crate::support::text;
use crate::talking::Talk;
use serde_json::json;
use std::time::{Duration, Instant};

/// The processes whose command line holds a text.
#[cfg(target_os = "linux")]
fn running(word: &str) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc")
        .expect("a list of processes")
        .flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid: &u32| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(word)
        })
        .collect()
}

#[cfg(target_os = "linux")]
#[track_caller]
fn nothing_is_left(of: &Guarded) {
    let word = text(&of.sandbox.path("catalogue.json"));
    let started = Instant::now();
    while !running(&word).is_empty() {
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "still running: {:?}",
            running(&word)
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(target_os = "linux")]
fn kill(pid: u32) {
    let pid = i32::try_from(pid)
        .ok()
        .and_then(rustix::process::Pid::from_raw)
        .expect("a process");
    let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
}

#[test]
#[cfg(target_os = "linux")]
fn a_client_that_leaves_at_any_message_leaves_no_process() {
    let steps: &[&dyn Fn(&mut Talk)] = &[
        &|_| {},
        &|talk| {
            talk.send("initialize", json!({"protocolVersion": "2025-11-25"}));
        },
        &|talk| {
            talk.initialize();
        },
        &|talk| {
            talk.initialize();
            talk.send("tools/list", json!({}));
        },
        &|talk| {
            talk.initialize();
            talk.send("tools/call", json!({"name": "add"}));
        },
        &|talk| {
            talk.initialize();
            talk.mutter(r#"{"jsonrpc":"2.0","id":9,"method":"tools/ca"#);
        },
    ];
    for step in steps {
        let guarded = Guarded::new();
        // It hangs up.
        let mut talk = guarded.talk();
        step(&mut talk);
        assert_eq!(talk.leave(), 0);
        nothing_is_left(&guarded);
        // It is killed, and with it both pipes: the guard is another process's child then.
        let script = "exec 3<&0; \"$0\" guard notes <&3 & echo $!; wait";
        let mut shell = guarded
            .sandbox
            .command(std::path::Path::new("/bin/sh"), &[]);
        shell.args(["-c", script, env!("CARGO_BIN_EXE_countersign")]);
        let mut talk = Talk::start(shell);
        let _pid = talk.line();
        step(&mut talk);
        drop(talk);
        nothing_is_left(&guarded);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_that_dies_at_any_message_ends_the_guard_and_is_said() {
    for asked in [
        None,
        Some("initialize"),
        Some("tools/list"),
        Some("tools/call"),
    ] {
        let guarded = Guarded::over(&["--delay-ms", "300"]);
        let mut talk = guarded.talk();
        talk.initialize();
        match asked {
            Some("tools/call") => {
                talk.send("tools/call", json!({"name": "add"}));
            }
            Some(method) => {
                talk.send(method, json!({}));
            }
            None => {}
        }
        let catalogue = text(&guarded.sandbox.path("catalogue.json"));
        running(&catalogue).into_iter().for_each(kill);
        while talk.line().is_some() {}
        assert_eq!(talk.leave(), 2);
        nothing_is_left(&guarded);
    }
}

#[test]
#[cfg(unix)]
fn a_signal_ends_the_guard_and_its_server() {
    let guarded = Guarded::new();
    let mut talk = guarded.talk();
    talk.initialize();
    let pid = rustix::process::Pid::from_child(&talk.child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("sent");
    let started = Instant::now();
    while talk.child.try_wait().expect("waited for").is_none() {
        assert!(
            started.elapsed() < Duration::from_secs(10),
            "it does not end"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    #[cfg(target_os = "linux")]
    nothing_is_left(&guarded);
}
