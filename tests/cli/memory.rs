//! However much a server says, memory stays a small multiple of the bound. Peaks are read from `/proc`.

use crate::guard::Guarded;
use crate::network::Fixture;
use crate::support::{Sandbox, repository, text};
use serde_json::json;
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// The bound that the program is given, and the most that it may need: four times as much, and itself.
const BOUND: u64 = 8 << 20;
const PEAK: u64 = 4 * BOUND + (40 << 20);

/// Runs the program to its end; its peak of memory in bytes.
fn peak(sandbox: &Sandbox, source: &[&str]) -> u64 {
    let bound = BOUND.to_string();
    let mut child = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["snapshot", "--name", "huge", "--timeout", "3"])
        .args(["--max-frame", &bound, "--max-listing", &bound])
        .args(source)
        .env("COUNTERSIGN_DATA_DIR", sandbox.path("data"))
        .current_dir(sandbox.path(""))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let code = loop {
        if let Some(code) = child.try_wait().expect("it can be waited for") {
            break code;
        }
        let now = fs::read_to_string(&status).unwrap_or_default();
        let line = now.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(kibibytes.unwrap_or(0) << 10);
        thread::sleep(Duration::from_millis(2));
    };
    assert_eq!(code.code(), Some(2), "{source:?}");
    assert!(peak > 1 << 20, "nothing was measured: {source:?}");
    peak
}

#[test]
fn endless_answers_over_http_are_not_kept() {
    let sandbox = Sandbox::new();
    let server = Fixture::start(&sandbox, "raw_server.py", &[]);
    for scenario in [
        "endless_chunks",
        "endless_event",
        "endless_event_name",
        "endless_gzip",
        "endless_notifications",
        "endless_noise",
        "endless_headers",
        "endless_pages",
    ] {
        let url = format!("http://127.0.0.1:{}/{scenario}", server.port);
        let peak = peak(&sandbox, &["--url", &url]);
        assert!(peak < PEAK, "{scenario}: {peak}");
    }
}

#[test]
fn endless_answers_over_stdio_are_not_kept() {
    let sandbox = Sandbox::new();
    let server = text(&repository("fixtures/hostile/stdio_server.py"));
    for scenario in [
        "endless_line",
        "notifies_for_ever",
        "asks_for_ever",
        "pages_of_a_megabyte",
    ] {
        let peak = peak(&sandbox, &["--", "python3", &server, scenario]);
        assert!(peak < PEAK, "{scenario}: {peak}");
    }
}

#[test]
fn a_guard_needs_no_more_memory_after_twenty_thousand_calls() {
    let guarded = Guarded::new();
    let mut talk = guarded.talk();
    talk.initialize();
    let mut calls = |count: usize| {
        for _ in 0..count {
            let (text, is_error) = talk.call("add", &json!({"text": "a"}));
            assert!(!is_error, "{text}");
        }
        let status = std::fs::read_to_string(format!("/proc/{}/status", talk.child.id()));
        let status = status.expect("a running process");
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kibibytes =
            resident.and_then(|text| text.split_whitespace().next()?.parse::<usize>().ok());
        kibibytes.expect("a number")
    };
    let (early, late) = (calls(1_000), calls(20_000));
    assert!(late < early + 1_024, "{early} KiB, then {late} KiB");
}
