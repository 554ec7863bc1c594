//! Nothing of a server stays behind.

use crate::{names, options, runtime, secrets, stdio, take};
use countersign::client::capture;
use countersign::model::Kind;
use rustix::process::{Pid, test_kill_process};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// The processes that the scenario wrote down.
fn written(pidfile: &Path) -> Vec<Pid> {
    std::fs::read_to_string(pidfile)
        .unwrap_or_default()
        .split(' ')
        .filter_map(|pid| Pid::from_raw(pid.parse().ok()?))
        .collect()
}

/// Whether all of them end in time.
fn are_gone(pids: &[Pid], within: Duration) -> bool {
    let deadline = Instant::now() + within;
    loop {
        if pids.iter().all(|pid| is_gone(*pid)) {
            return true;
        }
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn is_gone(pid: Pid) -> bool {
    // A zombie is over too: it waits for whoever started it.
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    test_kill_process(pid).is_err() || stat.is_ok_and(|stat| stat.contains(") Z "))
}

fn leaves_nothing(scenario: &str, count: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let pidfile = folder.path().join("pids");
    let endpoint = stdio(scenario, &[("PIDFILE", pidfile.to_str().expect("UTF-8"))]);
    let before = Instant::now();
    let capture = take(&endpoint, &options()).expect(scenario);
    assert_eq!(names(&capture, Kind::Tool), ["echo"]);
    assert!(before.elapsed() < Duration::from_secs(10), "{scenario}");
    let pids = written(&pidfile);
    assert_eq!(pids.len(), count, "{scenario}");
    assert!(are_gone(&pids, Duration::from_secs(1)), "{scenario}");
}

#[test]
fn a_child_that_shares_the_pipes_is_ended() {
    leaves_nothing("leaves_a_child", 2);
}

#[test]
fn a_server_that_heeds_nothing_is_killed() {
    leaves_nothing("heeds_nothing", 1);
}

#[test]
fn dropping_the_capture_ends_the_group() {
    let folder = tempfile::tempdir().expect("a folder");
    let pidfile = folder.path().join("pids");
    let endpoint = stdio(
        "leaves_a_child_and_stalls",
        &[("PIDFILE", pidfile.to_str().expect("UTF-8"))],
    );
    let (options, secrets, none) = (options(), secrets(), BTreeSet::new());
    runtime().block_on(async {
        let talk = capture(&endpoint, &secrets, &none, &options, &|_: &str| {});
        let stalled = tokio::time::timeout(Duration::from_secs(2), talk).await;
        assert!(stalled.is_err(), "it stalls");
    });
    let pids = written(&pidfile);
    assert_eq!(pids.len(), 2);
    assert!(are_gone(&pids, Duration::from_secs(2)));
}
