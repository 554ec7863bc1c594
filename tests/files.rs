//! What the files must survive: runs that are killed, that run at once, that have no room or no right, and git.
//!
//! The other process is this very program, started again for [`the_other_process`] alone.

use countersign::capture::Capture;
use countersign::catalogue::{Catalogue, Item};
use countersign::diff::Happened;
use countersign::fingerprint::Digest;
use countersign::json::{Limits, Value};
use countersign::lockfile::{Lockfile, Review, Server};
use countersign::model::{ItemKey, Kind, Level, Pointer, ServerName};
use countersign::pair::{self, Pair};
use countersign::report::Change;
use countersign::rules::Reason;
use countersign::secret::Secrets;
use countersign::store::{self, Event, Key, ServerStore, ShownServer, Store, Taken, What};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const ROLE: &str = "COUNTERSIGN_TEST_ROLE";
const FOLDER: &str = "COUNTERSIGN_TEST_FOLDER";
/// Enough to be many lines in two processes, and quick.
const APPENDED: usize = 40;

/// Starts this program as another process with a role in a folder.
fn other(program: &Path, folder: &Path, role: &str) -> Command {
    let mut command = Command::new(program);
    command.args(["--exact", "the_other_process", "--ignored", "--nocapture"]);
    command.env(ROLE, role).env(FOLDER, folder);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

fn this_program() -> PathBuf {
    std::env::current_exe().expect("this program")
}

fn lockfile_in(folder: &Path) -> PathBuf {
    folder.join("countersign.lock.json")
}

fn store_in(folder: &Path) -> Store {
    Store::open(folder.join("data"))
}

fn server_in(folder: &Path) -> ServerStore {
    store_in(folder).server(&Key::of_file(&lockfile_in(folder), &"s".into()))
}

fn catalogue(text: &str) -> Catalogue {
    let capture = Capture::from_file(text.into(), Limits::default()).expect("a list");
    let (catalogue, _) = Catalogue::from_capture(&capture, &Secrets::default()).expect("items");
    catalogue
}

/// One tool, with so many bytes of description.
fn sized(size: usize) -> Catalogue {
    let words = "x".repeat(size);
    catalogue(&format!(
        r#"{{"tools":[{{"name":"t","description":"{words}"}}]}}"#
    ))
}

fn lockfile_of(catalogue: &Catalogue) -> Lockfile {
    let server = Server::first_sight(catalogue, None, "2026-01-02");
    Lockfile {
        servers: [(ServerName::new("s"), server)].into(),
        ..Lockfile::default()
    }
}

fn event(what: What) -> Event {
    Event {
        at: "2026-01-02T03:04:05Z".to_owned(),
        what,
    }
}

fn flagged(note: &str) -> Event {
    event(What::Flagged {
        reason: "usage".to_owned(),
        note: note.to_owned(),
    })
}

/// The names of all files below a folder.
fn files(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            names.extend(files(&path));
        } else {
            names.push(path.file_name().expect("a name").to_string_lossy().into());
        }
    }
    names.sort();
    names
}

#[test]
#[ignore = "the other tests start it as another process"]
fn the_other_process() {
    let role = std::env::var(ROLE).expect("a role");
    let folder = PathBuf::from(std::env::var_os(FOLDER).expect("a folder"));
    match role.as_str() {
        "write without end" => write_without_end(&folder),
        "write what is too large" => {
            said(
                "lockfile",
                store::save(&lockfile_in(&folder), &lockfile_of(&sized(100_000))),
            );
            said(
                "snapshot",
                server_in(&folder).write_snapshot(&sized(100_000)),
            );
            let mut writer = server_in(&folder).lock().expect("free");
            said("history", writer.append(flagged(&"x".repeat(100_000))));
        }
        "write where it may not" => {
            said(
                "lockfile",
                store::save(&lockfile_in(&folder), &lockfile_of(&sized(1))),
            );
            said("history", server_in(&folder).lock().map(|_| ()));
        }
        name => append(&folder, name),
    }
}

/// Tells the parent what became of something, on a line of its own.
#[expect(clippy::print_stdout, reason = "the parent process reads it")]
fn said<T: std::fmt::Debug>(what: &str, result: Result<T, store::StoreError>) {
    match result {
        Ok(value) => println!("\n{what}: done, {value:?}"),
        Err(error) => println!("\n{what}: {error}"),
    }
}

fn write_without_end(folder: &Path) {
    let server = server_in(folder);
    for round in 0.. {
        let catalogue = sized(1 + round % 20_000);
        store::save(&lockfile_in(folder), &lockfile_of(&catalogue)).expect("written");
        let snapshot = server.write_snapshot(&catalogue).expect("written");
        let taken = Taken {
            snapshot,
            taking: Value::Object(countersign::json::Object::default()),
        };
        let mut writer = server.lock().expect("free");
        let what = What::FirstSight {
            taken,
            items: vec![],
        };
        writer.append(event(what)).expect("written");
        if round == 0 {
            said("ready", Ok(()));
        }
    }
}

fn append(folder: &Path, name: &str) {
    for number in 0..APPENDED {
        let name = format!("{name} {number}");
        let mut writer = server_in(folder).lock().expect("free in time");
        assert!(writer.append(flagged(&name)).expect("written"));
        drop(writer);
        let shown = ShownServer {
            folder: "s-00000000".to_owned(),
            snapshot: Some(Digest::of(&name)),
            launch: None,
            at: "2026-01-02T03:04:05Z".to_owned(),
        };
        let servers = BTreeMap::from([(ServerName::new(name), shown)]);
        store_in(folder)
            .record_shown(&lockfile_in(folder), servers)
            .expect("written");
    }
}

#[test]
fn a_run_that_is_killed_at_any_moment_leaves_everything_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let server = server_in(folder);
    let mut events = 0;
    for round in 0..16 {
        let mut child = other(&this_program(), folder, "write without end")
            .spawn()
            .expect("started");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let ready = output
            .lines()
            .map_while(Result::ok)
            .any(|line| line.starts_with("ready"));
        assert!(ready, "it ended by itself");
        // Spread over what a round of writing takes, whatever that is here.
        std::thread::sleep(Duration::from_micros(2_741 * round));
        child.kill().expect("killed");
        child.wait().expect("ended");
        store::load(&lockfile_in(folder)).expect("a whole lockfile");
        let history = server.verify().expect("a whole history of whole snapshots");
        assert!(history.events.len() > events, "nothing was written");
        events = history.events.len();
        let mut writer = server.lock().expect("the lock died with its holder");
        assert!(writer.append(flagged("after")).expect("written"));
    }
}

#[test]
fn two_runs_at_once_lose_no_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let children = ["one", "two"].map(|name| {
        let mut command = other(&this_program(), folder, name);
        command.spawn().expect("started")
    });
    for mut child in children {
        assert!(child.wait().expect("ended").success());
    }
    let mut expected: Vec<String> = (0..APPENDED)
        .flat_map(|number| [format!("one {number}"), format!("two {number}")])
        .collect();
    expected.sort();
    let history = server_in(folder).history().expect("a whole chain");
    let notes = history.events.into_iter().map(|event| match event.what {
        What::Flagged { note, .. } => note,
        other => panic!("never written: {other:?}"),
    });
    let mut notes: Vec<String> = notes.collect();
    notes.sort();
    assert_eq!(notes, expected);
    let shown = store_in(folder).shown(&lockfile_in(folder)).expect("whole");
    let names: Vec<_> = shown.servers.keys().map(ServerName::as_str).collect();
    assert_eq!(names, expected);
}

/// What the other process said of each thing that it tried.
fn told(mut command: Command) -> BTreeMap<String, String> {
    let output = command.output().expect("it ran");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success(), "{text}");
    text.lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(what, result)| (what.to_owned(), result.to_owned()))
        .collect()
}

#[cfg(unix)]
#[test]
fn where_there_is_no_room_the_old_state_stays_whole_and_no_litter() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let old = lockfile_of(&sized(1));
    store::save(&lockfile_in(folder), &old).expect("written");
    let server = server_in(folder);
    let mut writer = server.lock().expect("free");
    writer.append(flagged("old")).expect("written");
    drop(writer);
    let before = files(folder);
    // A limit on the size of files stands in for a full disk: it needs no right to mount one.
    let plain = other(&this_program(), folder, "write what is too large");
    let mut limited = Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$0\" \"$@\"";
    limited
        .args(["-c", script])
        .arg(plain.get_program())
        .args(plain.get_args());
    limited
        .env(ROLE, "write what is too large")
        .env(FOLDER, folder);
    let told = told(limited);
    for (what, name) in [
        ("lockfile", "countersign.lock.json"),
        ("snapshot", ".json"),
        ("history", "history.jsonl"),
    ] {
        let said = &told[what];
        assert!(
            said.starts_with("cannot write `") && said.contains(name),
            "{said}"
        );
        assert!(said.ends_with("File too large (os error 27)"), "{said}");
    }
    assert_eq!(files(folder), before);
    assert_eq!(store::load(&lockfile_in(folder)).expect("whole"), old);
    let history = server.history().expect("whole");
    assert_eq!(
        (history.events, history.torn),
        (vec![flagged("old")], false)
    );
}

#[cfg(unix)]
#[test]
fn where_there_is_no_right_the_message_names_the_path_and_the_cause() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    let root = tempfile::tempdir().expect("a folder");
    let mode = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("set");
    };
    // To the superuser modes mean nothing: the other process is somebody else, and needs a copy to start from.
    mode(root.path(), 0o755);
    let program = root.path().join("program");
    std::fs::copy(this_program(), &program).expect("copied");
    mode(&program, 0o755);
    let folder = root.path().join("closed");
    std::fs::create_dir(&folder).expect("a folder");
    let old = lockfile_of(&sized(2));
    store::save(&lockfile_in(&folder), &old).expect("written");
    mode(&folder, 0o555);
    let mut command = other(&program, &folder, "write where it may not");
    if rustix::process::getuid().is_root() {
        command.uid(65_534).gid(65_534);
    }
    command.current_dir(root.path());
    let told = told(command);
    for (what, words) in [
        ("lockfile", "cannot write `"),
        ("history", "cannot create `"),
    ] {
        let said = &told[what];
        assert!(said.starts_with(words) && said.contains("closed"), "{said}");
        assert!(said.ends_with("Permission denied (os error 13)"), "{said}");
    }
    mode(&folder, 0o755);
    assert_eq!(files(&folder), ["countersign.lock.json"]);
    assert_eq!(store::load(&lockfile_in(&folder)).expect("whole"), old);
}

/// Somebody acknowledges what became of one tool.
fn acknowledge(lockfile: &mut Lockfile, name: &str, after: Option<&Item>) {
    let key = ItemKey::new(Kind::Tool, name);
    let server_name = ServerName::new("s");
    let server = lockfile.servers.get_mut(&server_name).expect("the server");
    let before = server.entries[&key].item.clone();
    let pair = Pair {
        key,
        former: None,
        event: after.map_or(pair::Event::Removed, |_| pair::Event::Changed),
        before: Some(&before),
        after,
    };
    let reason = Reason {
        rule: "description-changed",
        level: Level::Material,
        path: Pointer::root(),
        message: String::new(),
        happened: Happened::Changed,
    };
    let change = Change::new(&server_name, &pair, vec![reason]);
    let review = Review {
        by: "Ann <ann@example.invalid>".to_owned(),
        at: "2026-03-04T05:06:07Z".to_owned(),
        note: format!("read {name}"),
    };
    server.acknowledge(&change, &review, 1).expect("accepted");
}

fn tool(name: &str, description: &str, inputs: &[&str]) -> Item {
    let text = |text: &str| Value::from(text);
    let inputs = inputs
        .iter()
        .map(|input| ((*input).to_owned(), text("string")));
    let members = [
        ("description", text(description)),
        ("inputSchema", Value::Object(inputs.collect())),
        ("name", text(name)),
    ];
    let members = members.map(|(name, value)| (name.to_owned(), value));
    Item::new(Kind::Tool, Value::Object(members.into_iter().collect()))
}

/// Git in a folder, without anybody's configuration.
fn git(folder: &Path, args: &[&str]) -> (bool, String) {
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=test",
            "-c",
            "user.email=test@example.invalid",
        ])
        .args(["-c", "commit.gpgSign=false", "-c", "core.autocrlf=false"])
        .args(args)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("HOME", folder)
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .output()
        .expect("git runs");
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&text).into(),
    )
}

#[test]
fn branches_that_acknowledge_two_tools_merge_to_what_one_branch_would_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let path = lockfile_in(folder);
    let run = |args: &[&str]| {
        let (fine, text) = git(folder, args);
        assert!(fine, "git {args:?}: {text}");
    };
    let names = ["a", "b", "c", "d", "e", "f"];
    let tools = names.map(|name| {
        let tool = tool(name, "Does one thing.", &["first", "second"]);
        countersign::canonical::to_text(tool.definition.value())
    });
    let mut base = lockfile_of(&catalogue(&format!(r#"{{"tools":[{}]}}"#, tools.join(","))));
    // Some have a record already, so that one follows another.
    for name in ["b", "e"] {
        acknowledge(
            &mut base,
            name,
            Some(&tool(name, "Does two.", &["first", "second"])),
        );
    }
    store::save(&path, &base).expect("written");
    run(&["init", "-q"]);
    run(&["add", "countersign.lock.json"]);
    run(&["commit", "-qm", "base"]);
    run(&["tag", "base"]);
    // A reworded description, another tool altogether, a tool that is gone.
    let edit = |lockfile: &mut Lockfile, index: usize| {
        let name = names[index];
        let after = match index % 3 {
            0 => Some(tool(name, "Does one thing more.", &["first", "second"])),
            1 => Some(tool(name, "Other words.", &["third", "fourth", "zero"])),
            _ => None,
        };
        acknowledge(lockfile, name, after.as_ref());
    };
    for one in 0..names.len() {
        for two in one + 1..names.len() {
            let mut both = base.clone();
            for (branch, index) in [("one", one), ("two", two)] {
                let mut lockfile = base.clone();
                edit(&mut lockfile, index);
                edit(&mut both, index);
                run(&["checkout", "-q", "-B", branch, "base"]);
                store::save(&path, &lockfile).expect("written");
                run(&["commit", "-qam", branch]);
            }
            run(&["merge", "-q", "--no-edit", "one"]);
            let merged = std::fs::read_to_string(&path).expect("read");
            assert_eq!(merged, both.to_text(), "{} and {}", names[one], names[two]);
        }
    }
}
