//! How often the tools of a server were used through guards: by lockfile, server and tool, added up over all guards.
//!
//! It is for people who look for unusual use, and decides nothing.

use super::{Store, StoreError, atomic, key, lock, regular};
use crate::canonical;
use crate::json::{self, Limits, Object, Value};
use crate::model::ServerName;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Of how many tools of one server counts are kept: a client may name what it likes.
const TOOLS: usize = 1000;
/// How many bytes the name of a tool may have that is counted.
const NAME: usize = 1000;

/// How often one tool was called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// How often in all.
    pub calls: u64,
    /// How many of these were refused.
    pub refused: u64,
    /// How many of these were held.
    pub held: u64,
    /// How many bytes of arguments went to the server, as the client spelled them.
    pub bytes: u64,
}

/// The counts of a tool, and of when they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Used {
    /// What was counted.
    pub counts: Counts,
    /// When the first was added, RFC 3339.
    pub since: String,
    /// When the last was added, RFC 3339.
    pub last: String,
}

/// Counts by the names of tools. Outside text.
pub type ByTool<T> = BTreeMap<String, T>;

/// The counts to which more of a tool are to be added, made if there is room for them. Names of which every call was
/// refused make room for others: a client can invent those.
pub fn counted_under<'a, T: Default>(
    tools: &'a mut ByTool<T>,
    tool: &str,
    more: &Counts,
    counts: impl Fn(&T) -> &Counts,
) -> Option<&'a mut T> {
    if !tools.contains_key(tool) {
        if tool.len() > NAME {
            return None;
        }
        if tools.len() >= TOOLS {
            if more.is_refused_only() {
                return None;
            }
            let refused = tools
                .iter()
                .find(|(_, one)| counts(one).is_refused_only())
                .map(|(name, _)| name.clone())?;
            tools.remove(&refused);
        }
    }
    Some(tools.entry(tool.to_owned()).or_default())
}

impl Counts {
    fn is_refused_only(&self) -> bool {
        self.calls == self.refused
    }

    /// Adds others.
    pub fn add(&mut self, more: &Self) {
        for (count, more) in [
            (&mut self.calls, more.calls),
            (&mut self.refused, more.refused),
            (&mut self.held, more.held),
            (&mut self.bytes, more.bytes),
        ] {
            *count = count.saturating_add(more);
        }
    }
}

impl Store {
    /// Adds what was counted of a server's tools. Waits at most so long for others who add theirs; `now` is RFC 3339.
    ///
    /// # Errors
    /// Nothing was added then.
    pub fn add_used(
        &self,
        lockfile: &Path,
        server: &ServerName,
        counted: &ByTool<Counts>,
        now: &str,
        patience: Duration,
    ) -> Result<(), StoreError> {
        let _guard = lock::acquire_within(&self.lock_path(lockfile, "used"), patience)?;
        let mut all = self.used(lockfile)?;
        let tools = all.entry(server.clone()).or_default();
        for (tool, counts) in counted {
            let Some(used) = counted_under(tools, tool, counts, |used| &used.counts) else {
                continue;
            };
            if used.since.is_empty() {
                now.clone_into(&mut used.since);
            }
            used.counts.add(counts);
            now.clone_into(&mut used.last);
        }
        let path = self.used_path(lockfile);
        if let Some(folder) = path.parent() {
            atomic::create_folder(folder)?;
        }
        let mut text = canonical::to_pretty(&to_value(&all));
        text.push('\n');
        atomic::write_unsynced(&path, text.as_bytes())
    }

    /// What was counted under a lockfile, by server.
    pub fn used(&self, lockfile: &Path) -> Result<BTreeMap<ServerName, ByTool<Used>>, StoreError> {
        let path = self.used_path(lockfile);
        let Some(bytes) = regular::own(&path)? else {
            return Ok(BTreeMap::new());
        };
        let document = json::read(&bytes, Limits::default());
        let document = document.ok().filter(|document| document.flaws.is_empty());
        let used = document.and_then(|document| from_value(&document.value));
        used.ok_or_else(|| StoreError::Damaged {
            path,
            why: "not a record of counted calls".to_owned(),
        })
    }

    fn used_path(&self, lockfile: &Path) -> PathBuf {
        let name = format!("{}.json", key::lockfile_hex(lockfile));
        self.root.join("used").join(name)
    }
}

fn to_value(all: &BTreeMap<ServerName, ByTool<Used>>) -> Value {
    let servers = all.iter().map(|(server, tools)| {
        let tools = tools.iter().map(|(tool, used)| {
            let mut object = Object::default();
            let counts = &used.counts;
            for (name, count) in [
                ("bytes", counts.bytes),
                ("calls", counts.calls),
                ("held", counts.held),
                ("refused", counts.refused),
            ] {
                object.set(name, Value::Number(count.to_string().into()));
            }
            object.set("since", Value::from(used.since.as_str()));
            object.set("last", Value::from(used.last.as_str()));
            (tool.clone(), Value::Object(object))
        });
        (server.as_str().to_owned(), Value::Object(tools.collect()))
    });
    let mut root = Object::default();
    root.set("servers", Value::Object(servers.collect()));
    Value::Object(root)
}

fn from_value(value: &Value) -> Option<BTreeMap<ServerName, ByTool<Used>>> {
    let servers = value.get("servers")?.as_object()?.iter();
    let servers = servers.map(|(server, tools)| {
        let tools = tools.as_object()?.iter().map(|(tool, used)| {
            let used = used.as_object()?;
            let count = |name: &str| match used.get(name)? {
                Value::Number(text) => text.parse().ok(),
                _ => None,
            };
            let used = Used {
                counts: Counts {
                    calls: count("calls")?,
                    refused: count("refused")?,
                    held: count("held")?,
                    bytes: count("bytes")?,
                },
                since: used.text("since")?.to_owned(),
                last: used.text("last")?.to_owned(),
            };
            Some((tool.to_owned(), used))
        });
        Some((ServerName::new(server), tools.collect::<Option<_>>()?))
    });
    servers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "2026-01-02T03:04:05Z";

    fn counted(tool: &str) -> ByTool<Counts> {
        let counts = Counts {
            calls: 3,
            refused: 1,
            held: 1,
            bytes: 7,
        };
        [(tool.to_owned(), counts)].into()
    }

    #[test]
    fn what_many_add_at_once_is_added_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let lockfile = Path::new("/nowhere/l.json");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let store = Store::open(folder.path());
                    let (server, patience) = ("notes".into(), Duration::from_secs(30));
                    for _ in 0..5 {
                        store
                            .add_used(lockfile, &server, &counted("add"), NOW, patience)
                            .expect("added");
                    }
                });
            }
        });
        let store = Store::open(folder.path());
        let used = store.used(lockfile).expect("read");
        let used = &used[&"notes".into()]["add"];
        assert_eq!(used.counts.calls, 120);
        assert_eq!((used.counts.bytes, used.counts.held), (280, 40));
        assert_eq!(store.used(Path::new("/m.json")).expect("none").len(), 0);
    }

    #[test]
    fn names_that_a_client_invents_take_no_tools_place() {
        let refused = Counts {
            calls: 1,
            refused: 1,
            ..Counts::default()
        };
        let passed = Counts {
            calls: 1,
            ..Counts::default()
        };
        let mut tools = ByTool::new();
        let mut add = |tool: &str, more: &Counts| {
            let counts = counted_under(&mut tools, tool, more, |counts| counts);
            counts.map(|counts| counts.add(more)).is_some()
        };
        for n in 0..TOOLS {
            assert!(add(&format!("invented {n}"), &refused));
        }
        assert!(!add("one more", &refused));
        assert!(add("add", &passed) && add("add", &refused));
        assert!(!add(&"x".repeat(NAME + 1), &passed));
        assert_eq!(tools.len(), TOOLS);
        assert_eq!(tools["add"].calls, 2);
    }

    #[test]
    fn there_are_never_more_than_so_many_tools_and_damage_is_said() {
        let folder = tempfile::tempdir().expect("a folder");
        let (store, lockfile) = (Store::open(folder.path()), Path::new("/nowhere/l.json"));
        let many = (0..=TOOLS)
            .flat_map(|n| counted(&format!("{n:04}")))
            .collect();
        let add = |counted: &ByTool<Counts>| {
            store.add_used(lockfile, &"s".into(), counted, NOW, Duration::ZERO)
        };
        add(&many).expect("added");
        add(&counted("0007")).expect("added");
        let used = store.used(lockfile).expect("read");
        assert_eq!(used[&"s".into()].len(), TOOLS);
        assert_eq!(used[&"s".into()]["0007"].counts.calls, 6);
        assert!(!used[&"s".into()].contains_key("1000"));
        for damaged in ["", "{}", r#"{"servers":{"s":{"a":{}}}}"#] {
            std::fs::write(store.used_path(lockfile), damaged).expect("written");
            let error = add(&many).expect_err("damaged");
            assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        }
    }
}
