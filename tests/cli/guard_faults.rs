//! A guard whose client or server goes away at any moment: nothing is left running, and what happened is said.

use crate::guard::Guarded;
use crate::support::text;
use crate::talking::Talk;
use serde_json::{Value, json};
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
        // Once the listing that the call waits for has come, and the call is under way.
        Some("tools/call, judged"),
    ] {
        let guarded = Guarded::over(&["--delay-ms", "300"]);
        let mut talk = guarded.talk();
        talk.initialize();
        match asked {
            Some("tools/call") => {
                talk.send("tools/call", json!({"name": "add"}));
            }
            Some("tools/call, judged") => {
                talk.send("tools/call", json!({"name": "add"}));
                std::thread::sleep(Duration::from_millis(450));
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

/// Passes on so many bytes of what a program says, as the file says, and ends.
#[cfg(target_os = "linux")]
const CUT: &str = r"
import os, subprocess, sys
left = int(open(sys.argv[1]).read())
server = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE)
while left:
    part = os.read(server.stdout.fileno(), left)
    if not part:
        break
    os.write(1, part)
    left -= len(part)
os._exit(0)
";

#[test]
#[cfg(target_os = "linux")]
fn half_a_message_of_the_server_is_none() {
    let guarded = Guarded::new();
    let sandbox = &guarded.sandbox;
    let config: Value = serde_json::from_str(&sandbox.read(".mcp.json")).expect("JSON");
    let server = &config["mcpServers"]["notes"];
    let words =
        std::iter::once(&server["command"]).chain(server["args"].as_array().expect("a list"));
    // What the server says is cut after so many bytes.
    sandbox.write("cut.py", CUT);
    let script = [text(&sandbox.path("cut.py")), text(&sandbox.path("cut"))];
    let args: Vec<Value> = script
        .map(Value::from)
        .into_iter()
        .chain(words.cloned())
        .collect();
    let config = json!({"mcpServers": {"notes": {"command": "python3", "args": args}}});
    sandbox.write(".mcp.json", config.to_string());
    sandbox.write("cut", "1000000");
    sandbox.remove("countersign.lock.json");
    sandbox.run(&["snapshot"]).expect(0);
    let (mut whole, mut cut) = (Vec::new(), 1_000_000);
    while cut > 0 {
        sandbox.write("cut", cut.to_string());
        let mut talk = guarded.talk();
        talk.send("initialize", json!({"protocolVersion": "2025-11-25"}));
        talk.send("tools/list", json!({}));
        talk.send("tools/call", json!({"name": "add"}));
        let wanted = if whole.is_empty() { 3 } else { usize::MAX };
        let mut heard = Vec::new();
        while heard.len() < wanted
            && let Some(line) = talk.line()
        {
            heard.push(line);
        }
        if whole.is_empty() {
            assert_eq!(talk.leave(), 0);
            let length: usize = heard.iter().map(String::len).sum();
            (whole, cut) = (heard, length);
            continue;
        }
        assert_eq!(talk.leave(), 2, "{cut}");
        // The same answers as far as they came whole, and no part of another.
        assert!(
            heard.len() <= whole.len() && heard[..] == whole[..heard.len()],
            "{cut} {heard:?}"
        );
        nothing_is_left(&guarded);
        cut /= 2;
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_approval_is_not_doubled_by_a_server_that_dies_over_the_call() {
    let guarded = Guarded::over(&["--delay-ms", "200"]);
    guarded.policy(json!({"rule": "ask"}));
    let mut talk = guarded.talk();
    talk.initialize();
    let (said, _) = talk.call("add", &json!({}));
    let id = said.split("`countersign approve ").nth(1).expect("an id");
    guarded
        .sandbox
        .run(&["approve", &id[..16], "--by", "me"])
        .expect(0);
    talk.send("tools/call", json!({"name": "add", "arguments": {}}));
    // The listing comes after a fifth of a second, the answer to the call after two.
    std::thread::sleep(Duration::from_millis(300));
    let catalogue = text(&guarded.sandbox.path("catalogue.json"));
    running(&catalogue).into_iter().for_each(kill);
    while talk.line().is_some() {}
    assert_eq!(talk.leave(), 2);
    let mut talk = guarded.talk();
    talk.initialize();
    let (said, is_error) = talk.call("add", &json!({}));
    assert!(is_error && said.contains("countersign approve"), "{said}");
    assert_eq!(talk.leave(), 0);
}

#[test]
fn a_lockfile_that_is_rewritten_all_the_time_lets_nothing_through_that_it_never_allowed() {
    let guarded = Guarded::new();
    guarded.policy(json!({"items": {"tool:find": {"rule": "block"}}}));
    let blocked = guarded.sandbox.read("countersign.lock.json");
    guarded
        .policy(json!({"items": {"tool:add": {"rule": "block"}, "tool:find": {"rule": "block"}}}));
    let both = guarded.sandbox.read("countersign.lock.json");
    let mut talk = guarded.talk();
    talk.initialize();
    let path = guarded.sandbox.path("countersign.lock.json");
    let is_over = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // In place: it is read half written, too.
            while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                for text in [&blocked, &both] {
                    std::fs::write(&path, text).expect("written");
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
        });
        for _ in 0..100 {
            let (said, is_error) = talk.call("find", &json!({}));
            assert!(is_error && said.contains("countersign withholds"), "{said}");
            talk.call("add", &json!({}));
        }
        is_over.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    std::fs::write(&path, &both).expect("written");
    assert!(talk.call("add", &json!({})).1);
    std::fs::write(&path, &blocked).expect("written");
    assert!(!talk.call("add", &json!({})).1);
    assert_eq!(talk.leave(), 0);
}
