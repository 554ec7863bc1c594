//! `strace` around the program: which calls of an undisturbed run write, and a run in which one of them fails.

use super::operations::Operation;
use crate::support::{Sandbox, text};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;

/// The calls that change what is on the disk, or bring it there.
const CALLS: &[&str] = &[
    "openat",
    "mkdir",
    "mkdirat",
    "flock",
    "write",
    "writev",
    "pwrite64",
    "ftruncate",
    "fchmod",
    "fchown",
    "fsync",
    "fdatasync",
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "unlink",
    "unlinkat",
];

/// What happens to a call instead of what it was to do.
pub(super) struct Fault {
    /// What the table calls it.
    pub(super) name: &'static str,
    inject: &'static str,
    /// Whether each later call of that name meets it too: of its path, or of any where that has no fixed name.
    pub(super) stays: bool,
    /// What the system says; nothing where the process is gone.
    pub(super) words: Option<&'static str>,
}

impl Fault {
    const fn once(name: &'static str, inject: &'static str, words: Option<&'static str>) -> Self {
        Self {
            name,
            inject,
            stays: false,
            words,
        }
    }
}

pub(super) const FAULTS: &[Fault] = &[
    Fault::once("killed", "signal=KILL", None),
    Fault::once("disk full", "error=ENOSPC", Some("No space left on device")),
    Fault {
        stays: true,
        ..Fault::once(
            "disk stays full",
            "error=ENOSPC",
            Some("No space left on device"),
        )
    },
    Fault::once("disk fails", "error=EIO", Some("Input/output error")),
    Fault::once("no right", "error=EACCES", Some("Permission denied")),
    Fault::once("read-only", "error=EROFS", Some("Read-only file system")),
];

/// One call of an undisturbed run that writes.
pub(super) struct Point {
    /// Which call.
    pub(super) call: String,
    /// What it is of; the name of a temporary file differs from run to run.
    pub(super) path: String,
    /// Which it is, from 1: of the calls of this name on this path, or of its thread's where the path has no fixed name.
    number: usize,
}

impl Point {
    fn has_fixed_name(&self) -> bool {
        !self.path.contains("/.countersign-")
    }

    /// What an error has to name: the file, or where it is.
    pub(super) fn folder(&self) -> String {
        match Path::new(&self.path).parent() {
            Some(folder) if !Path::new(&self.path).is_dir() => text(folder),
            _ => self.path.clone(),
        }
    }
}

/// How a run ended.
pub(super) struct Ended {
    /// Its exit status; nothing if it was killed.
    pub(super) status: Option<i32>,
    /// What it said.
    pub(super) said: String,
    /// What `strace` saw.
    pub(super) log: String,
    /// Whether the fault came.
    pub(super) is_met: bool,
}

impl Ended {
    /// Whether it said that, or tried to: a fault may meet what writes the message too, which is another thread's first
    /// write.
    pub(super) fn tells(&self, words: &str) -> bool {
        let tried = self.log.lines().filter(|line| {
            let call = line
                .split_once(' ')
                .map_or("", |(_, call)| call.trim_start());
            call.starts_with("write(1<") || call.starts_with("write(2<")
        });
        self.said.contains(words) || tried.into_iter().any(|line| line.contains(words))
    }
}

/// Runs an operation as it is.
pub(super) fn plain(sandbox: &Sandbox, operation: &Operation) -> Ended {
    ended(sandbox, operation.run(sandbox, &[]), None)
}

/// Runs an operation undisturbed, and finds the calls that write.
pub(super) fn count(sandbox: &Sandbox, operation: &Operation) -> (Ended, Vec<Point>) {
    let ended = traced(sandbox, operation, &[], None);
    let points = points(sandbox, &ended.log);
    assert!(!points.is_empty(), "{}: {}", operation.name, ended.log);
    (ended, points)
}

/// Runs an operation with a fault at one of its calls.
pub(super) fn inject(
    sandbox: &Sandbox,
    operation: &Operation,
    point: &Point,
    fault: &Fault,
) -> Ended {
    let inject = format!(
        "inject={}:{}:when={}{}",
        point.call,
        fault.inject,
        point.number,
        if fault.stays { "+" } else { "" }
    );
    let mut words = vec!["-e", &inject];
    if point.has_fixed_name() {
        // The paths that are traced are those that faults come to. What is said goes to pipes.
        words.extend(["-P", &point.path]);
    }
    traced(sandbox, operation, &words, Some(point))
}

fn traced(sandbox: &Sandbox, operation: &Operation, more: &[&str], point: Option<&Point>) -> Ended {
    let log = text(&sandbox.root().join("trace"));
    let calls = format!("trace={}", CALLS.join(","));
    let mut words = vec![
        "timeout",
        "--foreground",
        "-s",
        "KILL",
        "60",
        "strace",
        "-f",
        "-y",
        "-qq",
        "-s",
        "65536",
        "-o",
        &log,
        "-e",
        &calls,
    ];
    words.extend(more);
    words.push("--");
    let output = operation.run(sandbox, &words);
    ended(sandbox, output, point)
}

fn ended(sandbox: &Sandbox, output: Output, point: Option<&Point>) -> Ended {
    let log = fs::read(sandbox.root().join("trace")).unwrap_or_default();
    let log = String::from_utf8_lossy(&log).into_owned();
    let is_met = point.is_some_and(|point| is_met(&log, point));
    let said = [output.stdout, output.stderr].concat();
    Ended {
        status: output.status.code(),
        said: String::from_utf8_lossy(&said).into_owned(),
        log,
        is_met,
    }
}

/// Whether the call of a point, at its path, did not do what it was to do.
fn is_met(log: &str, point: &Point) -> bool {
    let (call, folder) = (format!("{}(", point.call), point.folder());
    let mut lines = log
        .lines()
        .filter(|line| line.contains(&call) && line.contains(&folder));
    if log.contains("+++ killed by SIGKILL +++") {
        // It does not return from its last call.
        return lines.any(|line| line.ends_with("= ?") || line.contains("<unfinished"));
    }
    lines.any(|line| line.ends_with("(INJECTED)"))
}

fn points(sandbox: &Sandbox, log: &str) -> Vec<Point> {
    let root = text(sandbox.root());
    let own = [text(&sandbox.path("")), text(&sandbox.data())];
    let mut by_thread: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut by_path: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut points = Vec::new();
    for line in log.lines() {
        let (thread, rest) = line.split_once(' ').expect("a thread");
        let Some((call, args)) = rest.trim_start().split_once('(') else {
            continue;
        };
        let number = by_thread.entry((thread, call)).or_default();
        *number += 1;
        let Some(path) = path(args, &root) else {
            continue;
        };
        let number = if path.contains("/.countersign-") {
            *number
        } else {
            let seen = by_path.entry((call.to_owned(), path.clone())).or_default();
            *seen += 1;
            *seen
        };
        let writes = call != "openat" || args.contains("O_CREAT") || args.contains("O_WRONLY");
        if writes
            && own
                .iter()
                .any(|own| path.starts_with(own.trim_end_matches('/')))
        {
            points.push(Point {
                call: call.to_owned(),
                path,
                number,
            });
        }
    }
    points
}

/// The first path of the sandbox that a call names: its descriptor's, or an argument.
fn path(args: &str, root: &str) -> Option<String> {
    let args = args.strip_prefix("AT_FDCWD<").map_or(args, |rest| {
        rest.split_once('>').map_or(rest, |(_, rest)| rest)
    });
    let start = args.find(root)?;
    let end = args[start..].find(['"', '>'])?;
    Some(args[start..start + end].to_owned())
}

/// Which calls there are how often, for the table.
pub(super) fn calls(points: &[Point]) -> String {
    let mut calls: BTreeMap<&str, usize> = BTreeMap::new();
    for point in points {
        *calls.entry(&point.call).or_default() += 1;
    }
    let calls = calls.iter().map(|(call, count)| format!("{count} {call}"));
    calls.collect::<Vec<_>>().join(", ")
}
