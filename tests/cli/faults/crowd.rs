//! Many processes at once, on one data directory and one lockfile: every record that one of them says it made is there.

use super::operations::hold;
use crate::files::{LOCKFILE, has_no_litter, offer, verified};
use crate::support::Sandbox;
use countersign::store::{Store, What};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Child;

/// How many processes of each kind there are at once.
const EACH: usize = 6;

/// A kind of process: its command line for each number, the status that says that its record was made, and how many of
/// the records are found.
struct Kind {
    name: &'static str,
    status: i32,
    args: fn(&Sandbox, usize) -> String,
    found: fn(&Sandbox) -> usize,
}

const KINDS: &[Kind] = &[
    Kind {
        name: "snapshot",
        status: 0,
        args: |_, n| format!("snapshot --name new{n} --from n.json"),
        found: |sandbox| locked(sandbox, "\"new"),
    },
    Kind {
        name: "diff",
        status: 1,
        args: |_, n| format!("diff --name changes --from {n}.json"),
        found: |sandbox| {
            events(sandbox, "changes-", |what| {
                matches!(what, What::Change { .. })
            })
        },
    },
    Kind {
        name: "ack",
        status: 0,
        args: |_, n| format!("ack drifted/t{n} --by reviewer{n}"),
        found: |sandbox| locked(sandbox, "\"by\": \"reviewer"),
    },
    Kind {
        name: "policy",
        status: 0,
        args: |_, n| format!("policy ruled/t{n} rule=block"),
        found: |sandbox| locked(sandbox, "\"rule\": \"block\""),
    },
    Kind {
        name: "flag",
        status: 0,
        args: |_, n| format!("flag ruled --reason usage --note note{n}"),
        found: |sandbox| {
            events(sandbox, "ruled-", |what| {
                matches!(what, What::Flagged { .. })
            })
        },
    },
    Kind {
        name: "approve",
        status: 0,
        args: |sandbox, n| {
            let held = Store::open(sandbox.data()).held().expect("read");
            format!("approve {} --by x", held[n].id)
        },
        found: |sandbox| {
            let held = Store::open(sandbox.data()).held().expect("read");
            held.iter().filter(|held| held.approved.is_some()).count()
        },
    },
];

fn locked(sandbox: &Sandbox, text: &str) -> usize {
    sandbox.read(LOCKFILE).matches(text).count()
}

/// How many events of a server, which the name of its folder begins with, are of a kind.
fn events(sandbox: &Sandbox, of: &str, is_wanted: fn(&What) -> bool) -> usize {
    let store = Store::open(sandbox.data());
    let folders = std::fs::read_dir(sandbox.data().join("servers")).expect("servers");
    let names = folders.map(|folder| folder.expect("an entry").file_name());
    let servers = names
        .filter_map(|name| name.into_string().ok())
        .filter(|name| name.starts_with(of))
        .map(|name| store.server_in(&name).expect("a server's folder"))
        .map(|server| server.history().expect("whole"));
    let events = servers.flat_map(|history| history.events);
    events.filter(|event| is_wanted(&event.what)).count()
}

fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    let names: Vec<String> = (0..EACH).map(|n| format!("t{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    sandbox.write("n.json", offer(&names, "first"));
    sandbox.write("changed.json", offer(&names, "second"));
    for server in ["changes", "drifted", "ruled"] {
        sandbox
            .run(&["snapshot", "--name", server, "--from", "n.json"])
            .expect(0);
    }
    sandbox
        .run(&["diff", "--name", "drifted", "--from", "changed.json"])
        .expect(1);
    for n in 0..EACH {
        sandbox.write(&format!("{n}.json"), offer(&names, &format!("step {n}")));
        hold(&sandbox, &format!("{{\"n\":{n}}}"));
    }
    sandbox
}

/// Lets them run at once, so many times, and answers with the rows of the table.
#[track_caller]
pub(super) fn table(rounds: usize) -> String {
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..rounds {
        let sandbox = project();
        let mut children: Vec<(&Kind, Child)> = Vec::new();
        for n in 0..EACH {
            for kind in KINDS {
                let line = (kind.args)(&sandbox, n);
                let words: Vec<&str> = line.split(' ').collect();
                let child = sandbox.program(&words).spawn().expect("started");
                children.push((kind, child));
            }
        }
        for (kind, child) in children {
            sandbox.finish(child).expect(kind.status);
        }
        has_no_litter(&sandbox);
        verified(&sandbox.data());
        sandbox.run(&["history", "--verify"]).expect(0);
        for kind in KINDS {
            *found.entry(kind.name).or_default() += (kind.found)(&sandbox);
        }
    }
    let mut table = String::new();
    for kind in KINDS {
        let (written, found) = (rounds * EACH, found[kind.name]);
        assert_eq!(found, written, "records of `{}`", kind.name);
        let _ = writeln!(
            table,
            "| `{}` | {written} | {written} | {found} |",
            kind.name
        );
    }
    table
}
