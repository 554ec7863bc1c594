//! What the files must survive: runs that are killed at any moment, and runs at once.

use crate::support::Sandbox;
use countersign::store::{self, Store};
use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

/// The lockfile of a project.
pub(crate) const LOCKFILE: &str = "countersign.lock.json";
/// At how many moments a run is killed at least, and how many of them fall into the time that it takes.
const MOMENTS: u32 = 24;
const STEPS: u32 = 20;

/// The answer of a server with these tools, each with that description.
pub(crate) fn offer(names: &[&str], description: &str) -> String {
    let tools = names
        .iter()
        .map(|name| serde_json::json!({ "name": name, "description": description, "inputSchema": { "type": "object" } }));
    serde_json::json!({ "tools": tools.collect::<Vec<_>>() }).to_string()
}

fn temporary(name: &str) -> bool {
    name.starts_with(".countersign-")
}

/// Every history has an unbroken chain and names whole snapshots; how many events there are.
#[track_caller]
pub(crate) fn verified(data: &Path) -> usize {
    let Ok(folders) = fs::read_dir(data.join("servers")) else {
        return 0;
    };
    let store = Store::open(data);
    let events = folders.map(|folder| {
        let name = folder.expect("an entry").file_name();
        let name = name.to_str().expect("UTF-8");
        let server = store.server_in(name).expect("a server's folder");
        server.verify().expect("a whole history").events.len()
    });
    events.sum()
}

/// Every file is whole: the lockfile reads, the histories hold, and nothing lies about but what a run that was
/// killed was writing.
#[track_caller]
fn is_whole(sandbox: &Sandbox) {
    let lockfile = sandbox.path(LOCKFILE);
    if lockfile.exists() {
        store::load(&lockfile).expect("a whole lockfile");
    }
    verified(&sandbox.data());
    for name in names(sandbox) {
        let known = [".json", ".jsonl"].iter().any(|end| name.ends_with(end));
        assert!(known || temporary(&name), "{name}");
    }
}

/// The names of all files.
fn names(sandbox: &Sandbox) -> Vec<String> {
    let files = sandbox.files().into_keys();
    let names = files.map(|path| path.file_name().map(|name| name.to_string_lossy().into()));
    names.flatten().collect()
}

/// No temporary file lies about.
#[track_caller]
pub(crate) fn has_no_litter(sandbox: &Sandbox) {
    let litter = names(sandbox).into_iter().find(|name| temporary(name));
    assert_eq!(litter, None);
}

/// Kills a run after that time; 1 if it had not ended by itself.
fn kill_after(mut command: Command, time: Duration) -> u32 {
    let mut child = command.spawn().expect("started");
    thread::sleep(time);
    child.kill().expect("killed");
    u32::from(child.wait().expect("ended").code().is_none())
}

/// How long a run takes by itself, now: measured again and again, as a machine that is busy later than at first would
/// kill every run long before its end.
fn duration(sandbox: &Sandbox, args: &[&str]) -> Duration {
    let start = Instant::now();
    sandbox.run(args).expect(0);
    start.elapsed()
}

#[test]
fn a_snapshot_that_is_killed_at_any_moment_leaves_everything_whole() {
    let sandbox = Sandbox::new();
    sandbox.write("s.json", offer(&["a", "b", "c"], "first"));
    let known = ["snapshot", "--name", "known", "--from", "s.json"];
    let mut time = duration(&sandbox, &known);
    let (mut killed, mut recorded, mut moment) = (0, 0, 0);
    while moment < MOMENTS || recorded < 3 {
        sandbox.write("s.json", offer(&["a", "b", "c"], &moment.to_string()));
        let before = store::load(&sandbox.path(LOCKFILE)).expect("a lockfile");
        let name = format!("s{moment}");
        let args = ["snapshot", "--name", &name, "--from", "s.json"];
        killed += kill_after(sandbox.program(&args), time * moment / STEPS);
        is_whole(&sandbox);
        let mut after = store::load(&sandbox.path(LOCKFILE)).expect("a lockfile");
        recorded += u32::from(after.servers.remove(&name.as_str().into()).is_some());
        assert_eq!(after, before, "nothing but the new server is new");
        // Whatever was done, the next run does the rest.
        time = duration(&sandbox, &args);
        let diff = ["diff", "--name", &name, "--from", "s.json"];
        sandbox.run(&diff).expect(0);
        // A change of a known server goes to the history.
        killed += kill_after(sandbox.program(&known), time * moment / STEPS);
        is_whole(&sandbox);
        moment += 1;
    }
    assert!(killed > 2, "every run ended before it was killed");
    sandbox.run(&known).expect(0);
    is_whole(&sandbox);
}

#[test]
fn an_acknowledgement_that_is_killed_at_any_moment_is_recorded_or_not() {
    let sandbox = Sandbox::new();
    let source = ["--name", "s", "--from", "s.json"];
    let with_source = |command| [&[command], &source[..]].concat();
    let ack = ["ack", "--all", "--by", "x"];
    let change = |to: &str, status| {
        sandbox.write("s.json", offer(&["a", "b"], to));
        sandbox.run(&with_source("diff")).expect(status);
    };
    sandbox.write("s.json", offer(&["a", "b"], "first"));
    sandbox.run(&with_source("snapshot")).expect(0);
    change("second", 1);
    let mut time = duration(&sandbox, &ack);
    let (mut killed, mut recorded, mut moment) = (0, 0, 0);
    while moment < MOMENTS || recorded < 3 {
        change(&moment.to_string(), 1);
        let before = sandbox.read(LOCKFILE);
        killed += kill_after(sandbox.program(&ack), time * moment / STEPS);
        is_whole(&sandbox);
        // Both tools or none: one file, written whole.
        if sandbox.read(LOCKFILE) == before {
            sandbox.run(&with_source("diff")).expect(1);
            time = duration(&sandbox, &ack);
        } else {
            recorded += 1;
        }
        sandbox.run(&with_source("diff")).expect(0);
        moment += 1;
    }
    assert!(killed > 2, "every run ended before it was killed");
}

#[test]
fn runs_at_once_lose_nothing() {
    let sandbox = Sandbox::new();
    let at_once = |runs: Vec<Vec<String>>, status: i32| {
        let children: Vec<Child> = runs
            .iter()
            .map(|args| {
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                sandbox.program(&args).spawn().expect("started")
            })
            .collect();
        for child in children {
            sandbox.finish(child).expect(status);
        }
        has_no_litter(&sandbox);
    };
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let names = ["a", "b", "c", "d", "e", "f"];
    sandbox.write("s.json", offer(&names, "first"));
    // Servers that are all new to one lockfile.
    at_once(
        (0..6)
            .map(|n| words(&format!("snapshot --name s{n} --from s.json")))
            .collect(),
        0,
    );
    let lockfile = store::load(&sandbox.path(LOCKFILE)).expect("whole");
    assert_eq!(lockfile.servers.len(), 6);
    // One server that answers each of them something else: every answer is a step of one history.
    let events = verified(&sandbox.data());
    for n in 0..6 {
        sandbox.write(&format!("{n}.json"), offer(&names, &format!("{n}")));
    }
    at_once(
        (0..6)
            .map(|n| words(&format!("diff --name s0 --from {n}.json")))
            .collect(),
        1,
    );
    assert_eq!(verified(&sandbox.data()), events + 6);
    // Two looks at one server leave it open which was shown last, so it is looked at once more.
    sandbox
        .run(&["diff", "--name", "s0", "--from", "0.json"])
        .expect(1);
    at_once(
        names
            .iter()
            .map(|name| words(&format!("ack s0/{name} --by {name}")))
            .collect(),
        0,
    );
    sandbox
        .run(&["diff", "--name", "s0", "--from", "0.json"])
        .expect(0);
    for name in names {
        assert!(
            sandbox
                .read(LOCKFILE)
                .contains(&format!(r#""by": "{name}""#))
        );
    }
}
