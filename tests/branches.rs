//! What git makes of lockfiles: branches that acknowledge different tools merge without a conflict.

use countersign::capture::Capture;
use countersign::catalogue::{Catalogue, Item};
use countersign::diff::Happened;
use countersign::json::{Limits, Value};
use countersign::lockfile::{Fault, Lockfile, Review, Server};
use countersign::model::{ItemKey, Kind, Level, Pointer, ServerName};
use countersign::pair::{self, Pair};
use countersign::report::Change;
use countersign::rules::Reason;
use countersign::secret::Secrets;
use countersign::store;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

fn catalogue(text: &str) -> Catalogue {
    let capture = Capture::from_file(text.into(), Limits::default()).expect("a list");
    let (catalogue, _) = Catalogue::from_capture(&capture, &Secrets::default()).expect("items");
    catalogue
}

fn lockfile_of(catalogue: &Catalogue) -> Lockfile {
    let server = Server::first_sight(catalogue, None, "2026-01-02");
    Lockfile {
        servers: [(ServerName::new("s"), server)].into(),
        ..Lockfile::default()
    }
}

/// Somebody acknowledges what became of one tool, or that it came.
fn acknowledge(lockfile: &mut Lockfile, name: &str, after: Option<&Item>) {
    let key = ItemKey::new(Kind::Tool, name);
    let server_name = ServerName::new("s");
    let server = lockfile.servers.get_mut(&server_name).expect("the server");
    let before = server.entries.get(&key).map(|entry| entry.item.clone());
    let pair = Pair {
        key,
        former: None,
        event: match (&before, after) {
            (None, _) => pair::Event::Added,
            (_, None) => pair::Event::Removed,
            _ => pair::Event::Changed,
        },
        before: before.as_ref(),
        after,
    };
    let reason = Reason {
        rule: "description-changed",
        level: Level::Material,
        path: Pointer::root(),
        was: None,
        message: String::new(),
        happened: Happened::Changed,
    };
    let change = Change::new(&server_name, &pair, vec![reason]);
    let review = Review {
        by: "Ann <ann@example.invalid>".to_owned(),
        at: "2026-03-04T05:06:07Z".to_owned(),
        note: format!("read {name}"),
        first_sight: None,
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
    let path = folder.join("countersign.lock.json");
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

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }
}

/// What a branch does to one tool: `b`, `d`, … stand in the base, of which `h` and `n` are acknowledged as removed; `a`,
/// `c`, … are new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Act {
    Reword,
    Remove,
    Add,
    Prune,
}

fn act_on(name: char, numbers: &mut Numbers) -> Act {
    match name {
        'h' | 'n' => Act::Prune,
        _ if (u32::from(name) - u32::from('a')).is_multiple_of(2) => Act::Add,
        _ if numbers.below(3) == 0 => Act::Remove,
        _ => Act::Reword,
    }
}

fn perform(lockfile: &mut Lockfile, name: char, act: Act) {
    let text = name.to_string();
    match act {
        Act::Reword => {
            let after = tool(&text, "Does something else.", &["third", "first"]);
            acknowledge(lockfile, &text, Some(&after));
        }
        Act::Remove => acknowledge(lockfile, &text, None),
        Act::Add => {
            let new = tool(&text, "Is new.", &["first"]);
            acknowledge(lockfile, &text, Some(&new));
        }
        Act::Prune => {
            let server = lockfile.servers.get_mut(&ServerName::new("s"));
            let entries = &mut server.expect("the server").entries;
            entries.remove(&ItemKey::new(Kind::Tool, &*text));
        }
    }
}

#[test]
fn random_branches_merge_to_their_union_or_in_a_conflict_that_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let path = folder.join("countersign.lock.json");
    let run = |args: &[&str]| {
        let (fine, text) = git(folder, args);
        assert!(fine, "git {args:?}: {text}");
    };
    let held = ["b", "d", "f", "h", "j", "l", "n", "p"];
    let tools = held.map(|name| {
        let tool = tool(name, "Does one thing.", &["first", "second"]);
        countersign::canonical::to_text(tool.definition.value())
    });
    let mut base = lockfile_of(&catalogue(&format!(r#"{{"tools":[{}]}}"#, tools.join(","))));
    for gone in ["h", "n"] {
        acknowledge(&mut base, gone, None);
    }
    store::save(&path, &base).expect("written");
    run(&["init", "-q"]);
    run(&["add", "countersign.lock.json"]);
    run(&["commit", "-qm", "base"]);
    run(&["tag", "base"]);
    let mut numbers = Numbers(2_026);
    let (mut merged, mut conflicts, mut acts) = (0, 0, BTreeSet::new());
    for _ in 0..60 {
        let mut both = base.clone();
        let mut touched = [BTreeSet::new(), BTreeSet::new()];
        let mut branches = [base.clone(), base.clone()];
        for _ in 0..=numbers.below(4) {
            let name = char::from_digit(10 + u32::try_from(numbers.below(17)).expect("small"), 36);
            let name = name.expect("a letter");
            if touched.iter().any(|names| names.contains(&name)) {
                continue;
            }
            let (branch, act) = (numbers.below(2), act_on(name, &mut numbers));
            acts.insert(act);
            touched[branch].insert(name);
            perform(&mut branches[branch], name, act);
            perform(&mut both, name, act);
        }
        for (name, lockfile) in ["one", "two"].into_iter().zip(&branches) {
            run(&["checkout", "-q", "-B", name, "base"]);
            store::save(&path, lockfile).expect("written");
            run(&["commit", "-qam", name, "--allow-empty"]);
        }
        let (fine, said) = git(folder, &["merge", "-q", "--no-edit", "one"]);
        let found = std::fs::read(&path).expect("read");
        if fine {
            merged += 1;
            assert_eq!(
                String::from_utf8_lossy(&found),
                both.to_text(),
                "{touched:?}"
            );
            assert_eq!(Lockfile::parse(&found), Ok(both));
        } else {
            conflicts += 1;
            // Only where the two stand side by side in the file does git not know.
            let distance = |a: &char, b: &char| (u32::from(*a)).abs_diff(u32::from(*b));
            let near = |a: &char| touched[1].iter().any(|b| distance(a, b) <= 2);
            assert!(touched[0].iter().any(near), "{touched:?}: {said}");
            let error = Lockfile::parse(&found).expect_err("a conflict");
            assert_eq!(error.fault, Fault::Conflict);
            run(&["merge", "--abort"]);
        }
    }
    assert!(
        merged > 40 && acts.len() == 4,
        "{merged} merged, {conflicts} conflicts, {acts:?}"
    );
}
