//! What was last shown under one lockfile: what `ack` acknowledges, and nothing newer.

use super::{Store, StoreError, atomic, key, lock, regular, version};
use crate::canonical;
use crate::fingerprint::Digest;
use crate::json::{self, Limits, Object, Value};
use crate::model::{Launch, ServerName};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What was last shown, by server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// The servers that were shown, under the names that the lockfile has for them.
    pub servers: BTreeMap<ServerName, ShownServer>,
}

/// What was last shown of one server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownServer {
    /// The folder in which it is kept: [`super::Key::folder_name`].
    pub folder: String,
    /// The snapshot that was shown; `None` where the server was not started, and its launch alone was shown.
    pub snapshot: Option<Digest>,
    /// The launch that was seen; `None` for a file.
    pub launch: Option<Launch>,
    /// The ids of the changes that were shown: no other is acknowledged.
    pub changes: BTreeSet<String>,
    /// When, as RFC 3339.
    pub at: String,
}

impl ShownServer {
    /// Whether another record tells of the same, at whatever time.
    fn is_the_same(&self, other: &Self) -> bool {
        (&self.folder, self.snapshot, &self.launch, &self.changes)
            == (&other.folder, other.snapshot, &other.launch, &other.changes)
    }
}

impl Store {
    /// What was last shown under a lockfile; nothing if nothing was.
    pub fn shown(&self, lockfile: &Path) -> Result<Shown, StoreError> {
        let path = self.shown_path(lockfile);
        let Some(bytes) = regular::own(&path)? else {
            return Ok(Shown::default());
        };
        let damaged = |why: String| StoreError::Damaged {
            path: path.clone(),
            why,
        };
        let document =
            json::read(&bytes, Limits::default()).map_err(|error| damaged(error.to_string()))?;
        if let Some(object) = document.value.as_object() {
            version::check(object, &path, None)?;
        }
        let whole = document.flaws.is_empty();
        let shown = whole.then(|| from_value(&document.value)).flatten();
        shown.ok_or_else(|| damaged("not a record of what was shown".to_owned()))
    }

    /// Records what was shown of some servers under a lockfile. The record of others stays. Answers with the whole.
    pub fn record_shown(
        &self,
        lockfile: &Path,
        servers: BTreeMap<ServerName, ShownServer>,
    ) -> Result<Shown, StoreError> {
        let _guard = lock::acquire(&self.lock_path(lockfile, "shown"))?;
        let mut shown = match self.shown(lockfile) {
            Ok(shown) => shown,
            // It is made anew by looking again; what it said of other servers has to be looked at again too.
            Err(StoreError::Damaged { .. }) => Shown::default(),
            Err(error) => return Err(error),
        };
        // Whoever only looks again is not made to wait for the disk.
        let is_news = servers.iter().any(|(name, server)| {
            let known = shown.servers.get(name);
            known.is_none_or(|known| !known.is_the_same(server))
        });
        shown.servers.extend(servers);
        self.write_shown(lockfile, &shown, is_news)?;
        Ok(shown)
    }

    fn write_shown(&self, lockfile: &Path, shown: &Shown, is_news: bool) -> Result<(), StoreError> {
        let path = self.shown_path(lockfile);
        if let Some(folder) = path.parent() {
            atomic::create_folder(folder)?;
        }
        let mut text = canonical::to_pretty(&to_value(shown));
        text.push('\n');
        if is_news {
            atomic::write_private(&path, text.as_bytes())
        } else {
            atomic::write_unsynced(&path, text.as_bytes())
        }
    }

    /// Forgets what was shown of servers that are gone.
    pub fn forget_shown(
        &self,
        lockfile: &Path,
        gone: impl Fn(&ServerName) -> bool,
    ) -> Result<(), StoreError> {
        let _guard = lock::acquire(&self.lock_path(lockfile, "shown"))?;
        let mut shown = self.shown(lockfile)?;
        let before = shown.servers.len();
        shown.servers.retain(|name, _| !gone(name));
        if shown.servers.len() < before {
            self.write_shown(lockfile, &shown, true)?;
        }
        Ok(())
    }

    fn shown_path(&self, lockfile: &Path) -> PathBuf {
        let name = format!("{}.json", key::lockfile_hex(lockfile));
        self.root.join("shown").join(name)
    }
}

fn to_value(shown: &Shown) -> Value {
    let servers = shown.servers.iter().map(|(name, server)| {
        let mut object = Object::default();
        object.set("at", Value::from(server.at.as_str()));
        let changes = server.changes.iter().map(|id| Value::from(id.as_str()));
        object.set("changes", Value::Array(changes.collect()));
        object.set("folder", Value::from(server.folder.as_str()));
        if let Some(launch) = &server.launch {
            object.set("launch", launch.to_value());
        }
        if let Some(snapshot) = server.snapshot {
            object.set("snapshot", Value::String(snapshot.to_string()));
        }
        (name.as_str().to_owned(), Value::Object(object))
    });
    let members = [("servers".to_owned(), Value::Object(servers.collect()))];
    Value::Object(members.into_iter().collect())
}

fn from_value(value: &Value) -> Option<Shown> {
    let servers = value.get("servers")?.as_object()?;
    let servers = servers.iter().map(|(name, server)| {
        let server = server.as_object()?;
        let shown = ShownServer {
            folder: server.text("folder")?.to_owned(),
            snapshot: match server.get("snapshot") {
                None => None,
                Some(snapshot) => Some(snapshot.as_str()?.parse().ok()?),
            },
            launch: match server.get("launch") {
                None => None,
                Some(launch) => Some(Launch::from_value(launch)?),
            },
            changes: server
                .get("changes")?
                .as_array()?
                .iter()
                .map(|id| id.as_str().map(str::to_owned))
                .collect::<Option<_>>()?,
            at: server.text("at")?.to_owned(),
        };
        Some((ServerName::new(name), shown))
    });
    Some(Shown {
        servers: servers.collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_shown_is_kept_by_lockfile_and_server() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path());
        let (one, two) = (
            Path::new("/nowhere/one.json"),
            Path::new("/nowhere/two.json"),
        );
        let server = |text: &str, launch| ShownServer {
            folder: "a-00000000".to_owned(),
            snapshot: Some(Digest::of(text)),
            launch,
            changes: ["0123456789ab".to_owned()].into(),
            at: "2026-01-02T03:04:05Z".to_owned(),
        };
        let launch = Launch::Stdio {
            command: "x".to_owned(),
            args: vec![],
            cwd: None,
            env: ["A".to_owned()].into(),
        };
        let first = server("1", Some(launch));
        let record = |name: &str, server: &ShownServer| {
            let servers = [(ServerName::new(name), server.clone())].into();
            store.record_shown(one, servers).expect("written");
        };
        record("a", &first);
        record("b", &server("2", None));
        record("b", &server("3", None));
        let shown = store.shown(one).expect("read");
        assert_eq!(shown.servers[&"a".into()], first);
        assert_eq!(shown.servers[&"b".into()], server("3", None));
        assert_eq!(store.shown(two).expect("read"), Shown::default());
    }

    #[test]
    fn a_damaged_record_is_an_error_until_something_is_shown_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path());
        let lockfile = Path::new("/nowhere/one.json");
        let path = store.shown_path(lockfile);
        store
            .record_shown(lockfile, BTreeMap::new())
            .expect("written");
        for text in [
            "{",
            "{}",
            r#"{"servers":{"a":{}}}"#,
            r#"{"servers":{},"servers":{}}"#,
        ] {
            std::fs::write(&path, text).expect("written");
            let error = store.shown(lockfile).expect_err("damaged");
            assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        }
        store
            .record_shown(lockfile, BTreeMap::new())
            .expect("written");
        assert_eq!(store.shown(lockfile).expect("read"), Shown::default());
    }
}
