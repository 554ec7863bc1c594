//! What a server leaves behind outside its process group, found through `/proc`.
//!
//! While a server runs, countersign is a subreaper: a descendant whose parents have died becomes our child
//! instead of init's. Whose stray such a child is cannot be told, so it counts as one of the server that ends
//! last. Our own children share our process group, or
//! were there before the first server, and are never touched.

use rustix::process::{Pid, WaitId, WaitIdOptions, getpgrp, getpid, set_child_subreaper, waitid};
use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The leaders of the groups that are running, and how many are being started.
struct Running {
    leaders: BTreeSet<i32>,
    starting: usize,
    /// Children that were ours before the first of them: a shell that became us left them behind.
    inherited: BTreeSet<i32>,
}

impl Running {
    /// With no server left, children of others are not our business.
    fn rest(&self) {
        if self.leaders.is_empty() && self.starting == 0 {
            let _ = set_child_subreaper(None);
        }
    }
}

static RUNNING: Mutex<Running> = Mutex::new(Running {
    leaders: BTreeSet::new(),
    starting: 0,
    inherited: BTreeSet::new(),
});

/// Told whenever a server is started, or not.
static STARTED: Condvar = Condvar::new();

/// How long is waited for a server that another thread is starting. Longer than that takes.
const START: Duration = Duration::from_millis(50);

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A server that is being started: until it is known or given up, no child of ours passes for a stray.
pub(super) struct Registration(());

impl Registration {
    pub(super) fn new() -> Self {
        let mut running = running();
        if running.leaders.is_empty() && running.starting == 0 {
            let us = getpid().as_raw_nonzero().get();
            let looked_for = || {
                let children = entries().into_iter().filter(|entry| entry.parent == us);
                children.map(|entry| entry.pid).collect()
            };
            running.inherited = children().unwrap_or_else(looked_for).into_iter().collect();
        }
        running.starting += 1;
        // Without it strays are not found; all else works.
        let _ = set_child_subreaper(Some(getpid()));
        Self(())
    }

    pub(super) fn complete(self, leader: Pid) {
        running().leaders.insert(leader.as_raw_nonzero().get());
        drop(self);
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut running = running();
        running.starting -= 1;
        running.rest();
        STARTED.notify_all();
    }
}

/// Takes a server off the record.
pub(super) fn forget(leader: Pid) {
    let mut running = running();
    running.leaders.remove(&leader.as_raw_nonzero().get());
    running.rest();
}

/// A line of `/proc/PID/stat`.
struct Entry {
    pid: i32,
    parent: i32,
    group: i32,
    is_zombie: bool,
}

/// Whether no process but the leaders of groups, and what was ours before them, is a child of ours: then nothing is left of a server whose leader
/// has ended, since what it started would have become our child. Cheaper than to look at every process there is;
/// false where this kernel does not tell.
///
/// A child that another thread is starting looks like a stray until its number is known: that is waited for.
pub(super) fn has_none() -> bool {
    let deadline = Instant::now() + START;
    let mut running = running();
    loop {
        let Some(children) = children() else {
            return false;
        };
        let known = |pid: &i32| running.leaders.contains(pid) || running.inherited.contains(pid);
        if children.iter().all(known) {
            return true;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if running.starting == 0 || left.is_zero() {
            return false;
        }
        let waited = STARTED.wait_timeout(running, left);
        (running, _) = waited.unwrap_or_else(PoisonError::into_inner);
    }
}

/// Our children, by the threads that started them.
fn children() -> Option<Vec<i32>> {
    let mut found = Vec::new();
    let mut text = String::new();
    for thread in fs::read_dir("/proc/self/task").ok()? {
        text.clear();
        let mut file = fs::File::open(thread.ok()?.path().join("children")).ok()?;
        file.read_to_string(&mut text).ok()?;
        for pid in text.split_ascii_whitespace() {
            found.push(pid.parse().ok()?);
        }
    }
    Some(found)
}

/// The processes, other than the leader, that a server is answerable for. Zombies among them that are ours to
/// reap are reaped.
pub(super) fn left_of(leader: Pid) -> Vec<Pid> {
    let leader = leader.as_raw_nonzero().get();
    let running = running();
    let is_last = running.starting == 0 && running.leaders.iter().all(|other| *other == leader);
    let us = getpid().as_raw_nonzero().get();
    let our_group = getpgrp().as_raw_nonzero().get();
    let entries = entries();
    let is_adopted = |entry: &Entry| {
        entry.parent == us
            && entry.group != our_group
            && !running.leaders.contains(&entry.pid)
            && !running.inherited.contains(&entry.pid)
    };
    let mut found: BTreeSet<i32> = BTreeSet::from([leader]);
    // Parents may stand after their children: go on until nothing is added.
    loop {
        let before = found.len();
        for entry in &entries {
            let is_left = entry.group == leader
                || found.contains(&entry.parent)
                || (is_last && is_adopted(entry));
            if is_left {
                found.insert(entry.pid);
            }
        }
        if found.len() == before {
            break;
        }
    }
    found.remove(&leader);
    entries
        .iter()
        .filter(|entry| found.contains(&entry.pid))
        .filter_map(|entry| {
            let pid = Pid::from_raw(entry.pid)?;
            if !entry.is_zombie {
                return Some(pid);
            }
            if is_adopted(entry) {
                let _ = waitid(
                    WaitId::Pid(pid),
                    WaitIdOptions::EXITED | WaitIdOptions::NOHANG,
                );
            }
            None
        })
        .collect()
}

fn entries() -> Vec<Entry> {
    let Ok(folder) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    folder
        .filter_map(|entry| {
            let name = entry.ok()?.file_name();
            let pid: i32 = name.to_str()?.parse().ok()?;
            // What counts stands in the first bytes, so that one read is enough.
            let mut stat = [0; 512];
            let length = fs::File::open(format!("/proc/{pid}/stat"))
                .and_then(|mut file| file.read(&mut stat))
                .ok()?;
            read(pid, &stat[..length])
        })
        .collect()
}

/// The name in the second field may hold anything, blanks and brackets too: what counts comes after the last one.
fn read(pid: i32, stat: &[u8]) -> Option<Entry> {
    let end = stat.iter().rposition(|b| *b == b')')?;
    let rest = std::str::from_utf8(&stat[end + 1..]).ok()?;
    let mut fields = rest.split_ascii_whitespace();
    Some(Entry {
        pid,
        is_zombie: matches!(fields.next()?, "Z" | "X"),
        parent: fields.next()?.parse().ok()?,
        group: fields.next()?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_name_cannot_mislead_the_reading() {
        let entry = read(7, b"7 (a) Z 1 1 (\xff) S 3 4 5 0 -1").expect("a stat line");
        assert_eq!(
            (entry.pid, entry.parent, entry.group, entry.is_zombie),
            (7, 3, 4, false)
        );
        assert!(read(7, b"7 (a").is_none());
    }
}
