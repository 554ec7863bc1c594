//! What reading, acknowledging, taking back and pruning do to a lockfile.

use super::*;
use crate::capture::Capture;
use crate::json::{Limits, Value};
use crate::model::Pointer;
use crate::pair::{Event, Pair};
use crate::report::Change;
use crate::rules::Reason;
use crate::secret::Secrets;

pub(super) const SERVER: &str = "notes";

pub(super) fn catalogue(text: &str) -> Catalogue {
    let capture = Capture::from_file(text.into(), Limits::default()).expect("a list");
    let (catalogue, _) = Catalogue::from_capture(&capture, &Secrets::default()).expect("items");
    catalogue
}

pub(super) fn tool(name: &str, description: &str) -> Item {
    let members = [("description", description), ("name", name)];
    let members = members.map(|(name, text)| (name.to_owned(), Value::from(text)));
    Item::new(Kind::Tool, Value::Object(members.into_iter().collect()))
}

pub(super) fn change(
    event: Event,
    key: &ItemKey,
    former: Option<&ItemKey>,
    before: Option<&Item>,
    after: Option<&Item>,
) -> Change {
    let pair = Pair {
        key: key.clone(),
        former: former.cloned(),
        event,
        before,
        after,
    };
    let reason = Reason {
        rule: "description-changed",
        level: Level::Material,
        path: Pointer::root().join("description"),
        was: None,
        message: "the words differ".to_owned(),
        happened: crate::diff::Happened::Changed,
    };
    Change::new(&SERVER.into(), &pair, vec![reason])
}

pub(super) fn by(name: &str) -> Review {
    Review {
        by: name.to_owned(),
        at: "2026-03-04T05:06:07Z".to_owned(),
        note: "read it".to_owned(),
        first_sight: None,
    }
}

pub(super) fn key(name: &str) -> ItemKey {
    ItemKey::new(Kind::Tool, name)
}

/// A server with the tools `a`, `b` and `c`.
pub(super) fn server() -> Server {
    let text = r#"{"tools":[{"name":"a","description":"one"},{"name":"b"},{"name":"c"}]}"#;
    Server::first_sight(&catalogue(text), None, "2026-01-02")
}

pub(super) fn reworded(server: &Server, name: &str, words: &str) -> Change {
    let (key, after) = (key(name), tool(name, words));
    let before = &server.entries[&key].item;
    change(Event::Changed, &key, None, Some(before), Some(&after))
}

/// The server, written and read.
pub(super) fn through_the_file(server: &Server) -> Server {
    let lockfile = Lockfile {
        servers: [(ServerName::new(SERVER), server.clone())].into(),
        ..Lockfile::default()
    };
    let read = Lockfile::parse(lockfile.to_text().as_bytes()).expect("a lockfile");
    assert_eq!(read, lockfile);
    read.servers.into_values().next().expect("the server")
}

fn fixture(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/lockfiles");
    std::fs::read(format!("{folder}/{name}")).expect("a fixture")
}

#[test]
fn a_lockfile_of_version_1_is_read_and_written_byte_for_byte() {
    let source = fixture("v1.json");
    let lockfile = Lockfile::parse(&source).expect("a lockfile");
    assert_eq!(lockfile.to_text().as_bytes(), source);
    let server = &lockfile.servers[&"notes".into()];
    assert!(matches!(server.launch(), Some(Launch::Stdio { .. })));
    assert_eq!(server.removed().len(), 1);
    assert_eq!(server.awaiting.len(), 1);
    assert!(server.known.contains(&Kind::Prompt) && !server.known.contains(&Kind::Resource));
    assert!(
        server
            .entries
            .values()
            .any(|entry| entry.item.digest.is_raw())
    );
    let file = &lockfile.servers[&"from a file".into()];
    assert!(!file.known.contains(&Kind::Server) && file.launch().is_none());
}

#[test]
fn line_ends_byte_order_mark_indentation_and_order_do_not_matter() {
    let text = String::from_utf8(fixture("v1.json")).expect("UTF-8");
    let lockfile = Lockfile::parse(text.as_bytes()).expect("a lockfile");
    let crlf = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let tabs = text.replace("  ", "\t");
    let mut value = crate::json::read(text.as_bytes(), Limits::default())
        .expect("JSON")
        .value;
    if let Value::Object(object) = &mut value {
        object.members_mut().reverse();
    }
    for other in [crlf, tabs, crate::canonical::to_text(&value)] {
        assert_eq!(Lockfile::parse(other.as_bytes()).as_ref(), Ok(&lockfile));
    }
}

#[test]
fn a_setting_that_cannot_be_meant_is_an_error() {
    for (setting, words) in [
        (
            r#""reviewers": 1.5"#,
            "policy: `reviewers` is `1.5`, not a whole number from 1 to 1000",
        ),
        (
            r#""reviewers": 0"#,
            "policy: `reviewers` is `0`, not a whole number from 1 to 1000",
        ),
        (
            r#""newItems": "basline""#,
            "policy: `newItems` is `basline`, not one of `review`, `baseline`",
        ),
        (
            r#""reviewEvery": "soon""#,
            "policy: `reviewEvery` is `soon`, not a number of days such as `180d`, or `off`",
        ),
        (
            r#""levels": {"order-changed": "major"}"#,
            "policy, `levels`: `order-changed` is `major`, not `material` or `minor`",
        ),
    ] {
        let text = format!(r#"{{"policy":{{{setting}}},"servers":{{}},"version":1}}"#);
        let error = Lockfile::parse(text.as_bytes()).expect_err(setting);
        assert_eq!(error.fault, Fault::Shape);
        assert_eq!(error.message, words);
    }
    let text =
        r#"{"policy":{"reviewers":2e0,"reviewEvery":"90d","rule":"ask"},"servers":{},"version":1}"#;
    Lockfile::parse(text.as_bytes()).expect("a lockfile");
}

#[test]
fn damage_is_an_error_with_its_line() {
    use Fault::{Conflict, Edited, Json, Shape, Version};
    for (name, line, fault, words) in [
        ("conflict.json", 18, Conflict, "`<<<<<<<`"),
        ("duplicate-server.json", 12, Json, "`notes`"),
        ("duplicate-in-definition.json", 10, Json, "`description`"),
        ("truncated.json", 15, Json, "ends too early"),
        (
            "version-999.json",
            1,
            Version,
            "version 999; this countersign reads version 1",
        ),
        ("no-version.json", 1, Shape, "`version` is missing"),
        (
            "unknown-member.json",
            3,
            Shape,
            "server `notes`: unknown member `tool`",
        ),
        (
            "unknown-setting.json",
            2,
            Shape,
            "policy: unknown member `reviewer`",
        ),
        (
            "unknown-item-setting.json",
            6,
            Shape,
            "`tool:a`: unknown member `rules`",
        ),
        (
            "wrong-type.json",
            2,
            Shape,
            "policy: `reviewers` is a string, not a number",
        ),
        (
            "no-date.json",
            3,
            Shape,
            "`since` is `yesterday`, not a date",
        ),
        (
            "edited-definition.json",
            6,
            Edited,
            "tool `a`: the definition was edited",
        ),
        (
            "edited-fingerprint.json",
            6,
            Edited,
            "tool `a`: the fingerprint was edited",
        ),
        ("edited-launch.json", 4, Edited, "launch: not a launch"),
        (
            "moved-definition.json",
            6,
            Edited,
            "the definition is that of `b`",
        ),
        ("chain-gap.json", 6, Edited, "number 2 starts from"),
        (
            "chain-end.json",
            6,
            Edited,
            "the last acknowledgement leads to",
        ),
        (
            "chain-standstill.json",
            6,
            Edited,
            "number 1 leads to where it starts",
        ),
        (
            "removed-by-nobody.json",
            6,
            Edited,
            "marked as removed without",
        ),
        (
            "never-accepted.json",
            6,
            Edited,
            "the last acknowledgement leads to no item",
        ),
    ] {
        let error = Lockfile::parse(&fixture(name)).expect_err(name);
        assert_eq!((error.line, error.fault), (line, fault), "{name}: {error}");
        assert!(error.message.contains(words), "{name}: {error}");
    }
    assert!(Lockfile::parse(b"").is_err() && Lockfile::parse(b"[]").is_err());
    let conflict = Lockfile::parse(&fixture("conflict.json")).expect_err("a conflict");
    assert_eq!(conflict.hint("a b.json"), "git mergetool -- 'a b.json'");
}

#[test]
fn a_change_moves_its_own_baseline_and_nothing_else() {
    let mut lock = server();
    let change = reworded(&lock, "a", "two");
    let before = lock.clone();
    assert_eq!(
        lock.acknowledge(&change, &by("ann"), 1),
        Ok(Acknowledged::Accepted)
    );
    let entry = &lock.entries[&key("a")];
    assert_eq!(entry.item, tool("a", "two"));
    assert_eq!(
        entry.acknowledgements[0].from,
        Some(before.entries[&key("a")].item.digest)
    );
    assert_eq!(entry.acknowledgements[0].rules, ["description-changed"]);
    assert_eq!(lock.entries[&key("b")], before.entries[&key("b")]);
    let once = through_the_file(&lock);
    for name in ["ann", "ben"] {
        assert_eq!(
            lock.acknowledge(&change, &by(name), 1),
            Ok(Acknowledged::Already)
        );
        assert_eq!(lock, once);
    }
}

#[test]
fn a_change_that_starts_elsewhere_is_refused() {
    let mut lock = server();
    let stale = reworded(&lock, "a", "three");
    let first = reworded(&lock, "a", "two");
    lock.acknowledge(&first, &by("ann"), 1).expect("accepted");
    let held = lock.clone();
    let error = lock.acknowledge(&stale, &by("ann"), 1).expect_err("stale");
    assert!(matches!(error, AcknowledgeError::Moved { .. }), "{error}");
    let added = change(Event::Added, &key("b"), None, None, Some(&tool("b", "x")));
    assert!(lock.acknowledge(&added, &by("ann"), 1).is_err());
    let mut forged = reworded(&lock, "c", "two");
    forged.after.as_mut().expect("a side").digest = Digest::of("other");
    assert!(lock.acknowledge(&forged, &by("ann"), 1).is_err());
    assert_eq!(lock, held);
}

#[test]
fn removed_added_and_returned_items_chain_through_nothing() {
    let mut lock = server();
    let (old, name) = (lock.entries[&key("a")].item.clone(), key("a"));
    let removed = change(Event::Removed, &name, None, Some(&old), None);
    lock.acknowledge(&removed, &by("ann"), 1).expect("accepted");
    let mut lock = through_the_file(&lock);
    assert!(lock.removed().contains_key(&name) && !lock.catalogue().items.contains_key(&name));
    assert_eq!(lock.entries[&name].item, old);
    let other = tool("a", "never accepted");
    let wrong = change(Event::Returned, &name, None, Some(&other), Some(&other));
    assert!(lock.acknowledge(&wrong, &by("ann"), 1).is_err());
    let returned = change(Event::Returned, &name, None, Some(&old), Some(&old));
    assert_eq!(
        lock.accepted_before(&name, old.digest).as_deref(),
        Some("2026-01-02")
    );
    lock.acknowledge(&returned, &by("ann"), 1)
        .expect("accepted");
    let mut lock = through_the_file(&lock);
    assert!(!lock.entries[&name].removed);
    assert_eq!(lock.entries[&name].acknowledgements[1].from, None);
    let added = change(Event::Added, &key("d"), None, None, Some(&tool("d", "new")));
    lock.acknowledge(&added, &by("ann"), 1).expect("accepted");
    let lock = through_the_file(&lock);
    assert_eq!(lock.entries[&key("d")].acknowledgements[0].from, None);
}

#[test]
fn a_renaming_leaves_a_record_under_both_names() {
    let mut lock = server();
    let old = lock.entries[&key("a")].item.clone();
    let new = tool("z", "one");
    let renamed = change(
        Event::Renamed,
        &key("z"),
        Some(&key("a")),
        Some(&old),
        Some(&new),
    );
    assert_eq!(
        lock.acknowledge(&renamed, &by("ann"), 2),
        Ok(Acknowledged::Awaiting(1))
    );
    let mut lock = through_the_file(&lock);
    assert!(lock.catalogue().items.contains_key(&key("a")));
    assert_eq!(
        lock.awaited(&key("a")).len() + lock.awaited(&key("z")).len(),
        2
    );
    assert_eq!(
        lock.acknowledge(&renamed, &by("ben"), 2),
        Ok(Acknowledged::Accepted)
    );
    let mut lock = through_the_file(&lock);
    assert_eq!(
        lock.acknowledge(&renamed, &by("ann"), 2),
        Ok(Acknowledged::Already)
    );
    assert!(lock.entries[&key("a")].removed);
    assert_eq!(lock.entries[&key("z")].item, new);
    assert_eq!(lock.records_of(&renamed.id).len(), 4);
    assert_eq!(lock.prune(), [key("a")]);
    assert_eq!(lock.prune(), []);
    through_the_file(&lock);
}

#[test]
fn with_two_reviewers_the_baseline_waits_for_the_second_name() {
    let mut lock = server();
    let first = reworded(&lock, "a", "two");
    assert_eq!(
        lock.acknowledge(&first, &by("ann"), 2),
        Ok(Acknowledged::Awaiting(1))
    );
    let once = through_the_file(&lock);
    assert_eq!(
        lock.acknowledge(&first, &by("ann"), 2),
        Ok(Acknowledged::Already)
    );
    assert_eq!(lock, once);
    assert_eq!(lock.catalogue(), server().catalogue());
    // What the server shows next supersedes what nobody completed.
    let second = reworded(&lock, "a", "three");
    lock.acknowledge(&second, &by("ben"), 2).expect("a record");
    assert_eq!(lock.awaited(&key("a")).len(), 1);
    lock.acknowledge(&second, &by("ann"), 2).expect("accepted");
    let lock = through_the_file(&lock);
    assert_eq!(lock.entries[&key("a")].item, tool("a", "three"));
    assert_eq!(lock.awaited(&key("a")), []);
    // One name is enough once the policy says so.
    let mut lock = once;
    assert_eq!(
        lock.acknowledge(&first, &by("ann"), 1),
        Ok(Acknowledged::Accepted)
    );
    through_the_file(&lock);
}

#[test]
fn an_earlier_definition_is_recognised_with_its_date() {
    let mut lock = server();
    let one = lock.entries[&key("a")].item.digest;
    for words in ["two", "three"] {
        let change = reworded(&lock, "a", words);
        lock.acknowledge(&change, &by("ann"), 1).expect("accepted");
    }
    let date = |digest| lock.accepted_before(&key("a"), digest);
    assert_eq!(date(one).as_deref(), Some("2026-01-02"));
    assert_eq!(date(tool("a", "two").digest).as_deref(), Some("2026-03-04"));
    assert_eq!(date(tool("a", "three").digest), None);
    assert_eq!(date(Digest::of("never")), None);
}

#[test]
fn revoking_goes_back_to_where_the_baseline_stood() {
    let start = server();
    let mut lock = start.clone();
    let first = reworded(&lock, "a", "two");
    lock.acknowledge(&first, &by("ann"), 1).expect("accepted");
    let middle = lock.clone();
    let second = reworded(&lock, "a", "three");
    lock.acknowledge(&second, &by("ann"), 1).expect("accepted");
    let known = [start.entries[&key("a")].item.clone(), tool("a", "two")];
    let stored = |_: &ItemKey, digest| known.iter().find(|item| item.digest == digest).cloned();
    let unknown = lock
        .revoke("000000000000", stored)
        .expect_err("no such change");
    assert_eq!(unknown, RevokeError::Unknown("000000000000".to_owned()));
    assert_eq!(
        lock.revoke(&first.id, stored),
        Err(RevokeError::NotNewest(key("a")))
    );
    assert!(lock.revoke(&second.id, |_, _| None).is_err());
    assert_eq!(lock.revoke(&second.id, stored), Ok(vec![key("a")]));
    assert_eq!(lock, middle);
    assert_eq!(lock.revoke(&first.id, stored), Ok(vec![key("a")]));
    assert_eq!(lock, start);
    // A renaming is taken back under both names, an unfinished one too.
    let old = &start.entries[&key("a")].item;
    let new = tool("z", "one");
    let renamed = change(
        Event::Renamed,
        &key("z"),
        Some(&key("a")),
        Some(old),
        Some(&new),
    );
    for reviewers in [1, 2] {
        lock.acknowledge(&renamed, &by("ann"), reviewers)
            .expect("a record");
        assert_eq!(
            lock.revoke(&renamed.id, stored),
            Ok(vec![key("a"), key("z")])
        );
        assert_eq!(lock, start);
    }
}

#[test]
fn a_baseline_from_a_file_takes_the_first_live_launch_without_a_change() {
    let launch = Launch::Http {
        url: "https://h.invalid/mcp".into(),
        headers: BTreeSet::new(),
        auth: "none".into(),
    };
    let live = catalogue(r#"{"capabilities":{},"instructions":"do","tools":[{"name":"a"}]}"#);
    let mut lock = server();
    assert!(!lock.known.contains(&Kind::Server));
    assert!(lock.record_live(&launch, &live));
    assert_eq!(lock.launch(), Some(launch.clone()));
    let part = |name| lock.entries.contains_key(&ItemKey::part(name));
    assert!(part(part::CAPABILITIES));
    assert!(!part(part::INSTRUCTIONS), "nobody has read them");
    assert_eq!(lock.entries[&key("a")], server().entries[&key("a")]);
    assert!(!lock.record_live(&launch, &live));
    through_the_file(&lock);
}

#[test]
fn a_review_of_the_whole_server_stands_once_a_day() {
    let mut lock = server();
    assert!(
        lock.review(by("ann"), false)
            && !lock.review(by("ann"), false)
            && lock.review(by("ben"), false)
    );
    through_the_file(&lock);
}
