//! What is disturbed: each command that writes, from a project in which it has something to write.

use crate::files::{LOCKFILE, offer};
use crate::support::{Sandbox, python, text};
use countersign::fingerprint::Digest;
use countersign::model::{ItemKey, Kind};
use countersign::store::{HeldCall, Store};
use std::path::Path;
use std::process::Output;

/// One command line, from one state.
pub(super) struct Operation {
    /// What the table calls it.
    pub(super) name: &'static str,
    args: &'static [&'static str],
    /// The status of an undisturbed run.
    pub(super) status: i32,
    /// The status of one more where all is done already.
    pub(super) repeated: i32,
    /// The status of a run that was refused something.
    pub(super) refused: i32,
    /// Whether each run records something of its own.
    pub(super) is_recorded_each_time: bool,
    /// Whether it asks on a terminal, and is answered `a`.
    is_asked: bool,
    pub(super) prepare: fn(&Sandbox),
}

impl Operation {
    const fn new(name: &'static str, args: &'static [&'static str], prepare: fn(&Sandbox)) -> Self {
        Self {
            name,
            args,
            status: 0,
            repeated: 0,
            refused: 2,
            is_recorded_each_time: false,
            is_asked: false,
            prepare,
        }
    }

    /// Runs it, with these words before the program.
    pub(super) fn run(&self, sandbox: &Sandbox, before: &[&str]) -> Output {
        let id = held(sandbox);
        let mut words = Vec::new();
        if self.is_asked {
            words.extend([python(), "-c", TERMINAL]);
        }
        words.extend(before);
        words.push(env!("CARGO_BIN_EXE_countersign"));
        words.extend(self.args.iter().map(|arg| match *arg {
            "HELD" => id.as_deref().expect("a call is held"),
            arg => arg,
        }));
        let mut command = sandbox.command(Path::new(words[0]), &words[1..]);
        command.output().expect("it starts")
    }
}

/// Runs the rest of its command line in a terminal, presses `a` at the first question and `q` at
/// any other, and ends as that does.
const TERMINAL: &str = r#"
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
seen = b""
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    before, seen = seen, seen + part
    for question in range(before.count(b"? help: "), seen.count(b"? help: ")):
        os.write(terminal, b"q" if question else b"a")
os.write(1, seen)
_, status = os.waitpid(child, 0)
if os.WIFSIGNALED(status):
    os.kill(os.getpid(), os.WTERMSIG(status))
sys.exit(os.WEXITSTATUS(status))
"#;

const SNAPSHOT: &[&str] = &["snapshot", "--name", "s", "--from", "s.json"];
const DIFF: &[&str] = &["diff", "--name", "s", "--from", "s.json"];
const ACK: &[&str] = &["ack", "--all", "--by", "x"];

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("snapshot, first", SNAPSHOT, |sandbox| {
        // An empty lockfile, not none: the program opens it, and so its first temporary file is no longer the fifth file
        // that a thread opens, which `strace` could not tell from the fifth that the loader opens.
        sandbox.write(LOCKFILE, "{\n  \"servers\": {},\n  \"version\": 1\n}\n");
        sandbox.write("s.json", offer(&["a", "b"], "first"));
    }),
    Operation::new("snapshot, changed", SNAPSHOT, changed),
    Operation {
        status: 1,
        repeated: 1,
        // Drift beats error, and both are told.
        refused: 1,
        ..Operation::new("diff", DIFF, changed)
    },
    Operation::new("ack --all", ACK, |sandbox| {
        changed(sandbox);
        sandbox.run(DIFF).expect(1);
    }),
    Operation::new("ack SERVER", &["ack", "s", "--by", "x"], known),
    Operation {
        repeated: 2,
        ..Operation::new("ack --revoke", &["ack", "s/a", "--revoke"], |sandbox| {
            changed(sandbox);
            sandbox.run(DIFF).expect(1);
            sandbox.run(ACK).expect(0);
        })
    },
    Operation {
        is_asked: true,
        // It says what it could not write and asks again; what waits then waits still.
        refused: 1,
        ..Operation::new("review", &["review", "--by", "x"], |sandbox| {
            known(sandbox);
            sandbox.set("TERM", "xterm");
            sandbox.write("s.json", offer(&["a", "b"], "second"));
            sandbox.run(DIFF).expect(1);
        })
    },
    Operation::new("policy", &["policy", "s/a", "rule=block"], known),
    Operation::new("prune", &["prune"], removed),
    Operation {
        repeated: 2,
        ..Operation::new("prune SERVER", &["prune", "s"], removed)
    },
    Operation::new("approve", &["approve", "HELD", "--by", "x"], |sandbox| {
        known(sandbox);
        hold(sandbox, "{}");
    }),
    Operation {
        is_recorded_each_time: true,
        ..Operation::new("flag", &["flag", "s", "--reason", "incident"], known)
    },
];

/// A server in the lockfile.
fn known(sandbox: &Sandbox) {
    sandbox.write("s.json", offer(&["a", "b"], "first"));
    sandbox.run(SNAPSHOT).expect(0);
}

/// One that offers something else now.
fn changed(sandbox: &Sandbox) {
    known(sandbox);
    sandbox.write("s.json", offer(&["a", "b", "c"], "second"));
}

/// One of whose tools is acknowledged as removed.
fn removed(sandbox: &Sandbox) {
    known(sandbox);
    sandbox.write("s.json", offer(&["a"], "first"));
    sandbox.run(DIFF).expect(0);
    sandbox.run(ACK).expect(0);
}

/// A guard's call that waits for approval.
pub(super) fn hold(sandbox: &Sandbox, arguments: &str) {
    let call = HeldCall {
        server: "s".into(),
        item: ItemKey::new(Kind::Tool, "a"),
        definition: Digest::of("definition"),
        arguments: arguments.to_owned(),
        shown_arguments: arguments.to_owned(),
        asked_by: "client 1.0".to_owned(),
        why: "it is new".to_owned(),
    };
    Store::open(sandbox.data())
        .pass_or_hold(&sandbox.path(LOCKFILE), &call, "2026-01-02T03:04:05Z")
        .unwrap_or_else(|error| panic!("{}: {error}", text(&sandbox.data())));
}

/// The id of the one call that is held, if one is.
fn held(sandbox: &Sandbox) -> Option<String> {
    let held = Store::open(sandbox.data()).held().expect("read");
    held.first().map(|record| record.id.clone())
}
