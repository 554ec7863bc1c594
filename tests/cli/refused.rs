//! Where the system refuses to write: no room, no right. The old state stays whole, and the message says why.
#![cfg(unix)]

use crate::files::{LOCKFILE, has_no_litter, offer, verified};
use crate::support::{Output, Sandbox, text};
use countersign::store::{Event, Store, What};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;

const SOURCE: [&str; 4] = ["--name", "s", "--from", "s.json"];

fn with_source(command: &str) -> Vec<&str> {
    [&[command], &SOURCE[..]].concat()
}

/// A project with one server, one changed tool that was shown, and one that is acknowledged as removed.
fn project(description: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("s.json", offer(&["a", "b", "c"], description));
    sandbox.run(&with_source("snapshot")).expect(0);
    sandbox.write("s.json", offer(&["a", "b"], description));
    sandbox.run(&with_source("diff")).expect(0);
    sandbox.run(&["ack", "--all", "--by", "x"]).expect(0);
    let changed = format!("{description}, changed");
    sandbox.write("s.json", offer(&["a", "b"], &changed));
    sandbox.run(&with_source("diff")).expect(1);
    sandbox
}

/// Runs the program where no file may become larger than that many blocks of 512 or 1024 bytes.
fn limited(sandbox: &Sandbox, blocks: u32, args: &[&str]) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let words = ["-c", &script, env!("CARGO_BIN_EXE_countersign")];
    let mut shell = sandbox.command(Path::new("sh"), &[&words, args].concat());
    sandbox.finish(shell.spawn().expect("the shell starts"))
}

#[track_caller]
fn says(output: Output, status: i32, words: &[&str]) {
    let output = output.expect(status);
    let said = output.stdout + &output.stderr;
    for word in words {
        assert!(said.contains(word), "`{word}` is missing in\n{said}");
    }
}

#[test]
fn where_a_file_may_not_grow_the_old_state_stays_whole() {
    let sandbox = project(&"x".repeat(20_000));
    let before = sandbox.files();
    for args in [&["ack", "--all", "--by", "x"][..], &["prune"]] {
        says(
            limited(&sandbox, 16, args),
            2,
            &["cannot write `", LOCKFILE, "File too large"],
        );
        assert_eq!(sandbox.files(), before);
    }
    sandbox.write("s.json", offer(&["a", "b"], &"y".repeat(20_000)));
    let before = sandbox.files();
    // Drift beats error, and both are told.
    for (command, status) in [("diff", 1), ("snapshot", 2)] {
        says(
            limited(&sandbox, 16, &with_source(command)),
            status,
            &["cannot write `", "snapshots", "File too large"],
        );
        assert_eq!(sandbox.files(), before);
    }
    let new = ["snapshot", "--name", "new", "--from", "s.json"];
    says(
        limited(&sandbox, 16, &new),
        2,
        &["cannot write `", "File too large"],
    );
    assert_eq!(sandbox.files(), before);
}

#[test]
fn a_history_that_may_not_grow_keeps_its_lines() {
    let sandbox = project("short");
    let folder = fs::read_dir(sandbox.data().join("servers"))
        .expect("servers")
        .next();
    let folder = folder.expect("one server").expect("an entry").file_name();
    let server = Store::open(sandbox.data()).server_in(folder.to_str().expect("UTF-8"));
    let server = server.expect("a server's folder");
    let what = What::Flagged {
        reason: "usage".to_owned(),
        note: "x".repeat(16 << 10),
    };
    let at = "2026-01-02T03:04:05Z".to_owned();
    let mut writer = server.lock().expect("free");
    writer.append(Event { at, what }).expect("written");
    drop(writer);
    let before = server.verify().expect("whole");
    sandbox.write("s.json", offer(&["a"], "changed again"));
    // Shells count in blocks of 512 or of 1024 bytes: the history is larger than either.
    says(
        limited(&sandbox, 16, &with_source("diff")),
        1,
        &["cannot write `", "history.jsonl", "File too large"],
    );
    assert_eq!(server.verify().expect("whole"), before);
    has_no_litter(&sandbox);
    sandbox.run(&with_source("diff")).expect(1);
    assert_eq!(
        server.verify().expect("whole").events.len(),
        before.events.len() + 1
    );
}

/// A disk of 256 KiB in a mount namespace of its own, as the data directory or the project; then filled. The
/// script runs the program on it and shows what it left.
const FULL_DISK: &str = r#"
    disk=$1; shift
    mount -t tmpfs -o size=256k none "$disk" || exit 77
    cp -R "$disk.before/." "$disk" && cd "$disk.before/../project" || exit 77
    cat /dev/zero >"$disk/filler" 2>/dev/null
    cp countersign.lock.json "$disk.lockfile"
    "$@"; status=$?
    rm "$disk/filler"
    cmp countersign.lock.json "$disk.lockfile" || exit 3
    list() { cd "$1" && find . -type f -size +0 -exec cksum {} + | sort; }
    [ "$(list "$disk.before")" = "$(list "$disk")" ] || exit 4
    [ "$status" = 2 ] || exit 5
    exec "$@"
"#;

#[cfg(target_os = "linux")]
#[test]
fn on_a_full_disk_the_old_state_stays_whole_and_room_is_all_that_it_takes() {
    for (disk, args, words) in [
        ("project", &["ack", "--all", "--by", "x"][..], LOCKFILE),
        (
            "data",
            &["snapshot", "--name", "new", "--from", "s.json"],
            "/data/servers/new-",
        ),
    ] {
        let sandbox = project("short");
        let root = sandbox.root();
        fs::create_dir(root.join(format!("{disk}.before"))).expect("a folder");
        let copied = sandbox
            .command(
                Path::new("cp"),
                &["-R", &format!("{disk}/."), &format!("{disk}.before")],
            )
            .current_dir(root)
            .status();
        assert!(copied.expect("cp runs").success());
        let path = text(&root.join(disk));
        let program = env!("CARGO_BIN_EXE_countersign");
        let words_before = [
            "--user",
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            FULL_DISK,
            "sh",
            &path,
            program,
        ];
        let mut command = sandbox.command(Path::new("unshare"), &[&words_before, args].concat());
        let Ok(child) = command.spawn() else {
            return not_run("there is no `unshare`");
        };
        let output = sandbox.finish(child);
        if output.status == 77 || output.stderr.contains("unshare") {
            return not_run(&output.stderr);
        }
        let output = output.expect(0);
        for word in [words, "No space left on device"] {
            let said = format!("{}{}", output.stdout, output.stderr);
            assert!(said.contains(word), "`{word}` is missing in\n{said}");
        }
    }
}

/// A full disk cannot be made everywhere. Where it cannot that is said; in CI it is a failure, not a pass.
#[expect(
    clippy::print_stderr,
    reason = "whoever runs the tests is to know what did not run"
)]
fn not_run(why: &str) {
    assert!(
        std::env::var_os("CI").is_none(),
        "no full disk can be made here: {why}"
    );
    eprintln!("not run, because no full disk can be made here: {why}");
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("set");
}

/// Runs a copy of the program as somebody to whom modes mean something: to the superuser they do not.
fn as_somebody(sandbox: &Sandbox, args: &[&str]) -> Output {
    let program = sandbox.root().join("program");
    if !program.exists() {
        mode(sandbox.root(), 0o755);
        fs::copy(env!("CARGO_BIN_EXE_countersign"), &program).expect("copied");
        mode(&program, 0o755);
    }
    let mut command = sandbox.command(&program, args);
    if rustix::process::getuid().is_root() {
        command.uid(65_534).gid(65_534);
    }
    sandbox.finish(command.spawn().expect("the program starts"))
}

/// Lets everybody write everything of the data directory.
fn open(folder: &Path) {
    mode(folder, 0o777);
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            open(&path);
        } else {
            mode(&path, 0o666);
        }
    }
}

#[test]
fn where_there_is_no_right_the_message_names_the_path_and_the_cause() {
    let sandbox = project("short");
    open(&sandbox.data());
    mode(&sandbox.path(""), 0o555);
    let before = sandbox.files();
    let new = ["snapshot", "--name", "new", "--from", "s.json"];
    for args in [&["ack", "--all", "--by", "x"][..], &["prune"], &new] {
        says(
            as_somebody(&sandbox, args),
            2,
            &["cannot write `", LOCKFILE, "Permission denied"],
        );
        has_no_litter(&sandbox);
    }
    assert_eq!(
        sandbox.files()[&sandbox.path(LOCKFILE)],
        before[&sandbox.path(LOCKFILE)]
    );
    verified(&sandbox.data());
    // Looking needs no right to write there.
    as_somebody(&sandbox, &with_source("diff")).expect(1);

    mode(&sandbox.path(""), 0o777);
    mode(&sandbox.path(LOCKFILE), 0o444);
    says(
        as_somebody(&sandbox, &["ack", "--all", "--by", "x"]),
        2,
        &["cannot write `", LOCKFILE, "it is read-only"],
    );
    mode(&sandbox.path(LOCKFILE), 0);
    for args in [
        with_source("diff"),
        vec!["review"],
        vec!["prune"],
        vec!["servers"],
    ] {
        says(
            as_somebody(&sandbox, &args),
            2,
            &["cannot read `", LOCKFILE, "Permission denied"],
        );
    }
}

#[test]
fn a_data_directory_without_right_is_named() {
    let sandbox = project("short");
    let before = sandbox.files();
    mode(&sandbox.data(), 0o500);
    let ack = ["ack", "--all", "--by", "x"];
    for (args, status) in [
        (&with_source("diff")[..], 1),
        (&with_source("snapshot"), 2),
        (&["review"], 2),
        (&ack, 2),
    ] {
        says(
            as_somebody(&sandbox, args),
            status,
            &["cannot ", "[SANDBOX]/data", "Permission denied"],
        );
    }
    mode(&sandbox.data(), 0o700);
    assert_eq!(sandbox.files(), before);
}
