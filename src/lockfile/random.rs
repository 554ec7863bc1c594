//! Random lockfiles: whatever was done to one, it reads back to itself, byte for byte.

use super::tests::{by, catalogue, change, tool};
use super::*;
use crate::json::Value;
use crate::pair::Event;
use crate::report::Change;
use proptest::prelude::*;

/// Something that happens to one of a few names.
#[derive(Debug, Clone)]
enum Act {
    Reword(usize, String),
    Remove(usize),
    Rename(usize, usize),
    Raw(usize, Vec<u8>),
    Prune,
    Revoke(usize),
}

fn names() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec("\\PC{0,6}", 1..5)
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (0..6_usize, ".{0,12}").prop_map(|(i, words)| Act::Reword(i, words)),
        2 => (0..6_usize).prop_map(Act::Remove),
        2 => (0..6_usize, 0..6_usize).prop_map(|(i, j)| Act::Rename(i, j)),
        1 => (0..6_usize, any::<u8>()).prop_map(|(i, byte)| Act::Raw(i, vec![byte])),
        1 => Just(Act::Prune),
        1 => (0..6_usize).prop_map(Act::Revoke),
    ]
}

/// The change that leads an item from what the lockfile holds to `after`.
fn towards(server: &Server, key: &ItemKey, after: Option<&Item>) -> Option<Change> {
    let entry = server.entries.get(key);
    let before = entry.map(|entry| &entry.item);
    let event = match (entry, after) {
        (None, None) => return None,
        (None, Some(_)) => Event::Added,
        (Some(entry), None) if entry.removed => return None,
        (Some(_), None) => Event::Removed,
        (Some(entry), Some(_)) if entry.removed => Event::Returned,
        (Some(_), Some(_)) => Event::Changed,
    };
    Some(change(event, key, None, before, after))
}

fn perform(server: &mut Server, names: &[String], act: &Act, who: &str, reviewers: usize) {
    let key = |i: usize| ItemKey::new(Kind::Tool, &*names[i % names.len()]);
    let asked = match act {
        Act::Reword(i, words) => {
            let key = key(*i);
            towards(server, &key, Some(&tool(key.name.as_str(), words)))
        }
        Act::Raw(i, bytes) => {
            let mut text = [br#"{"name":""#, bytes.as_slice(), br#"","name":"#].concat();
            let name = Value::from(key(*i).name.as_str());
            text.extend(crate::canonical::to_text(&name).into_bytes());
            text.push(b'}');
            let item = Item::raw(text);
            let key = item.key(Kind::Tool);
            towards(server, &key, Some(&item))
        }
        Act::Remove(i) => towards(server, &key(*i), None),
        Act::Rename(i, j) => {
            let (old, new) = (key(*i), key(*j));
            let free = server.entries.get(&new).is_none_or(|entry| entry.removed);
            let held = server.entries.get(&old).filter(|entry| !entry.removed);
            held.filter(|_| free).map(|entry| {
                let after = tool(new.name.as_str(), "renamed");
                change(
                    Event::Renamed,
                    &new,
                    Some(&old),
                    Some(&entry.item),
                    Some(&after),
                )
            })
        }
        Act::Prune => {
            server.prune();
            None
        }
        Act::Revoke(i) => {
            let last = server.entries.get(&key(*i));
            let id = last.and_then(|entry| Some(entry.acknowledgements.last()?.change.clone()));
            // Definitions from before are not at hand here: it succeeds only where none is needed.
            if let Some(id) = id {
                let _ = server.revoke(&id, |_, _| None);
            }
            None
        }
    };
    if let Some(change) = asked {
        server
            .acknowledge(&change, &by(who), reviewers)
            .expect("the change starts from what the lockfile holds");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    #[test]
    fn a_lockfile_reads_back_whatever_was_done_to_it(
        names in names(),
        server_names in names(),
        live in any::<bool>(),
        acts in proptest::collection::vec((act(), "[ab]", 1..3_usize), 0..25),
    ) {
        let tools: Vec<String> = names
            .iter()
            .map(|name| crate::canonical::to_text(tool(name, "first").definition.value()))
            .collect();
        let offered = catalogue(&format!(r#"{{"tools":[{}],"prompts":[]}}"#, tools.join(",")));
        let launch = Launch::Stdio {
            command: names[0].clone(),
            args: names.clone(),
            cwd: None,
            env: BTreeSet::new(),
        };
        let launch = live.then_some(&launch);
        let mut server = Server::first_sight(&offered, launch, "2026-01-02");
        for (act, who, reviewers) in &acts {
            perform(&mut server, &names, act, who, *reviewers);
            let lockfile = Lockfile {
                policy: Object::default(),
                servers: server_names.iter().map(|name| (ServerName::new(&**name), server.clone())).collect(),
            };
            let text = lockfile.to_text();
            let read = Lockfile::parse(text.as_bytes());
            prop_assert_eq!(read.as_ref(), Ok(&lockfile), "after {:?} in\n{}", act, text);
            prop_assert_eq!(read.expect("read").to_text(), text);
        }
    }

    #[test]
    fn a_lockfile_with_one_byte_edited_is_refused_or_reads_back_to_itself(at in 0..4000_usize, byte in 32..127_u8) {
        let source = include_bytes!("../../fixtures/lockfiles/v1.json");
        let mut edited = source.to_vec();
        let at = at % edited.len();
        edited[at] = byte;
        if let Ok(lockfile) = Lockfile::parse(&edited) {
            let text = lockfile.to_text();
            prop_assert_eq!(Lockfile::parse(text.as_bytes()), Ok(lockfile));
        }
    }
}
