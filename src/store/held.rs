//! Calls that a guard holds: one file each, which a person's approval marks and exactly one matching call uses up.
//!
//! The id is made from everything that must match: lockfile, server, item, definition, arguments. Everything happens
//! under one lock, so that of two calls at once, in two guards too, one approval lets one through.

use super::{Store, StoreError, atomic, key, lock, regular, version};
use crate::canonical;
use crate::fingerprint::Digest;
use crate::json::{self, Limits, Object, Value};
use crate::model::{ItemKey, Kind, ServerName};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How many held calls are kept; beyond that the oldest that nobody approved go.
const KEPT: usize = 1000;
/// How many bytes of the arguments are kept; all of them count for the id.
const ARGUMENTS: usize = 256 << 10;
/// How many hexadecimal digits an id has.
const ID_LENGTH: usize = 16;

/// A call that must not pass without approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldCall {
    /// The server.
    pub server: ServerName,
    /// The tool, prompt or resource.
    pub item: ItemKey,
    /// The definition that it is called under.
    pub definition: Digest,
    /// Its arguments, canonical.
    pub arguments: String,
    /// The arguments without secrets, to be kept and shown.
    pub shown_arguments: String,
    /// Which client asked: name and version. Outside text.
    pub asked_by: String,
    /// Why it is held.
    pub why: String,
}

/// What becomes of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Passage {
    /// An approval was used up for it.
    Through,
    /// It is held under this id.
    Held(String),
}

/// A held call as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldRecord {
    /// What `approve` names it by.
    pub id: String,
    /// The call; its arguments may be cut.
    pub call: HeldCall,
    /// How many bytes the arguments have.
    pub arguments_bytes: usize,
    /// When it was first asked for, RFC 3339.
    pub first: String,
    /// When it was last asked for, RFC 3339.
    pub last: String,
    /// Who approved it and when, if somebody did.
    pub approved: Option<(String, String)>,
    /// Under which lockfile, in hexadecimal digits.
    lockfile: String,
    /// Of which the id is the beginning; empty in records of before it was kept, which let nothing through.
    whole: String,
}

impl HeldCall {
    /// What tells it from every other call, under a lockfile: its id is the beginning of that.
    fn whole(&self, lockfile: &str) -> String {
        let parts = [
            lockfile,
            self.server.as_str(),
            self.item.kind.word(),
            self.item.name.as_str(),
            &self.definition.to_string(),
            &self.arguments,
        ];
        let parts = parts.into_iter().map(Value::from).collect();
        Digest::of(&canonical::to_text(&Value::Array(parts))).hex()
    }
}

impl Store {
    /// Lets a call through if it is approved, which uses the approval up; holds it otherwise. `now` is RFC 3339.
    pub fn pass_or_hold(
        &self,
        lockfile: &Path,
        call: &HeldCall,
        now: &str,
    ) -> Result<Passage, StoreError> {
        let lockfile = key::lockfile_hex(lockfile);
        let whole = call.whole(&lockfile);
        let id = whole[..ID_LENGTH].to_owned();
        let path = self.held_path(&id);
        let _guard = self.lock_held()?;
        let known = match read(&path) {
            // Damage is no approval; the record is made anew.
            Err(StoreError::Damaged { .. }) => None,
            other => other?.filter(|known| !known.whole.is_empty()),
        };
        // Two calls of one id can be made by trying long enough: what a person saw is what passes.
        if known.as_ref().is_some_and(|known| known.whole != whole) {
            return Err(StoreError::Damaged {
                path,
                why: "it holds another call with the same id".to_owned(),
            });
        }
        if known.as_ref().is_some_and(|known| known.approved.is_some()) {
            fs::remove_file(&path).map_err(|cause| StoreError::io("remove", &path, cause))?;
            // It must not come back after a power failure.
            let folder = self.held_folder();
            atomic::sync_folder(&folder)
                .map_err(|cause| StoreError::io("write", &folder, cause))?;
            return Ok(Passage::Through);
        }
        let record = HeldRecord {
            id: id.clone(),
            call: call.clone(),
            arguments_bytes: call.shown_arguments.len(),
            first: known.map_or_else(|| now.to_owned(), |known| known.first),
            last: now.to_owned(),
            approved: None,
            lockfile,
            whole,
        };
        atomic::create_folder(&self.held_folder())?;
        atomic::write_private(&path, canonical::to_pretty(&to_value(&record)).as_bytes())?;
        self.drop_oldest(&id)?;
        Ok(Passage::Held(id))
    }

    /// Every held call, the newest first. Damaged files are passed over: they let nothing through.
    pub fn held(&self) -> Result<Vec<HeldRecord>, StoreError> {
        let mut found = Vec::new();
        for path in self.held_files()? {
            match read(&path) {
                Ok(record) => found.extend(record),
                Err(StoreError::Damaged { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        found.sort_by(|a, b| (&b.last, &a.id).cmp(&(&a.last, &b.id)));
        Ok(found)
    }

    /// What is said of the damaged files among the held calls.
    pub fn damaged_held(&self) -> Result<Vec<StoreError>, StoreError> {
        let files = self.held_files()?;
        Ok(files.iter().filter_map(|path| read(path).err()).collect())
    }

    /// The held calls under a lockfile that nobody approved yet, the newest first.
    pub fn held_under(&self, lockfile: &Path) -> Result<Vec<HeldRecord>, StoreError> {
        let lockfile = key::lockfile_hex(lockfile);
        let mut held = self.held()?;
        held.retain(|record| record.lockfile == lockfile && record.approved.is_none());
        Ok(held)
    }

    /// Approves one held call, for one use. `None` if it is gone meanwhile.
    pub fn approve(&self, id: &str, by: &str, at: &str) -> Result<Option<HeldRecord>, StoreError> {
        let _guard = self.lock_held()?;
        let path = self.held_path(id);
        let Some(mut record) = read(&path)? else {
            return Ok(None);
        };
        record.approved = Some((by.to_owned(), at.to_owned()));
        atomic::write_private(&path, canonical::to_pretty(&to_value(&record)).as_bytes())?;
        Ok(Some(record))
    }

    /// Drops the held calls of an item under any other definition than the one that it has now: an approval dies with
    /// the definition that it was given for.
    pub fn forget_other_definitions(
        &self,
        lockfile: &Path,
        server: &ServerName,
        current: &dyn Fn(&ItemKey) -> Option<Digest>,
        kind: Kind,
    ) -> Result<(), StoreError> {
        let lockfile = key::lockfile_hex(lockfile);
        let is_dead = |record: &HeldRecord| {
            record.lockfile == lockfile
                && record.call.server == *server
                && record.call.item.kind == kind
                && current(&record.call.item) != Some(record.call.definition)
        };
        if !self.held()?.iter().any(is_dead) {
            return Ok(());
        }
        let _guard = self.lock_held()?;
        for record in self.held()?.iter().filter(|record| is_dead(record)) {
            remove(&self.held_path(&record.id))?;
        }
        Ok(())
    }

    fn drop_oldest(&self, but: &str) -> Result<(), StoreError> {
        if self.held_files()?.len() <= KEPT {
            return Ok(());
        }
        let waiting = self.held()?.into_iter();
        let waiting: Vec<HeldRecord> = waiting
            .filter(|record| record.approved.is_none() && record.id != but)
            .collect();
        for record in waiting.iter().skip(KEPT / 2) {
            remove(&self.held_path(&record.id))?;
        }
        Ok(())
    }

    fn held_files(&self) -> Result<Vec<PathBuf>, StoreError> {
        let folder = self.held_folder();
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(cause) => return Err(StoreError::io("read", &folder, cause)),
        };
        let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
        Ok(paths
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "json")
            })
            .collect())
    }

    fn held_folder(&self) -> PathBuf {
        self.root.join("held")
    }

    fn held_path(&self, id: &str) -> PathBuf {
        self.held_folder().join(format!("{id}.json"))
    }

    fn lock_held(&self) -> Result<lock::Guard, StoreError> {
        lock::acquire(&self.root.join("locks").join("held"))
    }
}

fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::io("remove", path, cause))
        }
        _ => Ok(()),
    }
}

/// A record; `None` if there is none.
fn read(path: &Path) -> Result<Option<HeldRecord>, StoreError> {
    let Some(bytes) = regular::own(path)? else {
        return Ok(None);
    };
    let damaged = |why: &str| StoreError::Damaged {
        path: path.to_owned(),
        why: why.to_owned(),
    };
    let document =
        json::read(&bytes, Limits::default()).map_err(|error| damaged(&error.to_string()))?;
    if let Some(object) = document.value.as_object() {
        version::check(object, path, None)?;
    }
    let record = document
        .flaws
        .is_empty()
        .then(|| from_value(&document.value))
        .flatten();
    // A record under another name would be found where it does not belong.
    let record = record.filter(|record| path.file_stem().is_some_and(|stem| *stem == *record.id));
    record
        .map(Some)
        .ok_or_else(|| damaged("not a record of a held call"))
}

fn to_value(record: &HeldRecord) -> Value {
    let call = &record.call;
    let mut object = Object::default();
    let mut put = |name: &str, text: &str| object.set(name, Value::from(text));
    put("id", &record.id);
    put("whole", &record.whole);
    put("lockfile", &record.lockfile);
    put("server", call.server.as_str());
    put("kind", call.item.kind.word());
    put("name", call.item.name.as_str());
    put("definition", &call.definition.to_string());
    let shown = &call.shown_arguments;
    put("arguments", &shown[..shown.floor_char_boundary(ARGUMENTS)]);
    put("askedBy", &call.asked_by);
    put("why", &call.why);
    put("first", &record.first);
    put("last", &record.last);
    if let Some((by, at)) = &record.approved {
        put("approvedBy", by);
        put("approvedAt", at);
    }
    let bytes = record.arguments_bytes.to_string();
    object.set("argumentsBytes", Value::Number(bytes.into()));
    Value::Object(object)
}

fn from_value(value: &Value) -> Option<HeldRecord> {
    let object = value.as_object()?;
    let text = |name: &str| object.text(name).map(str::to_owned);
    let arguments = text("arguments")?;
    Some(HeldRecord {
        id: text("id")?,
        call: HeldCall {
            server: ServerName::new(text("server")?),
            item: ItemKey::new(Kind::from_word(object.text("kind")?)?, text("name")?),
            definition: object.text("definition")?.parse().ok()?,
            arguments: arguments.clone(),
            shown_arguments: arguments,
            asked_by: text("askedBy")?,
            why: text("why")?,
        },
        arguments_bytes: match object.get("argumentsBytes")? {
            Value::Number(text) => text.parse().ok()?,
            _ => return None,
        },
        first: text("first")?,
        last: text("last")?,
        approved: match (text("approvedBy"), text("approvedAt")) {
            (Some(by), Some(at)) => Some((by, at)),
            _ => None,
        },
        lockfile: text("lockfile")?,
        whole: text("whole").unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "2026-01-02T03:04:05Z";

    fn call(definition: &str, arguments: &str) -> HeldCall {
        HeldCall {
            server: "notes".into(),
            item: ItemKey::new(Kind::Tool, "add"),
            definition: Digest::of(definition),
            arguments: arguments.to_owned(),
            shown_arguments: arguments.to_owned(),
            asked_by: "client/1".to_owned(),
            why: "it is new".to_owned(),
        }
    }

    fn held(store: &Store, call: &HeldCall) -> String {
        match store.pass_or_hold(Path::new("/l.json"), call, NOW) {
            Ok(Passage::Held(id)) => id,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_approval_lets_exactly_one_matching_call_through() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path());
        let one = call("d", r#"{"a":1}"#);
        let id = held(&store, &one);
        assert_eq!(held(&store, &one), id, "asking again changes nothing");
        store
            .approve(&id, "me", NOW)
            .expect("written")
            .expect("held");
        // Neither other arguments, nor another definition, nor another lockfile.
        held(&store, &call("d", r#"{"a":2}"#));
        held(&store, &call("e", r#"{"a":1}"#));
        let elsewhere = store.pass_or_hold(Path::new("/m.json"), &one, NOW);
        assert!(matches!(elsewhere, Ok(Passage::Held(_))));
        let pass = || store.pass_or_hold(Path::new("/l.json"), &one, NOW);
        assert_eq!(pass().expect("read"), Passage::Through);
        assert_eq!(held(&store, &one), id, "it is used up");
    }

    #[test]
    fn an_approval_lets_no_other_call_of_the_same_id_through() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path());
        let (seen, other) = (call("d", r#"{"a":1}"#), call("d", r#"{"a":2}"#));
        let (from, to) = (held(&store, &seen), held(&store, &other));
        store
            .approve(&from, "me", NOW)
            .expect("written")
            .expect("held");
        // As if both had the id of the other one.
        let text = fs::read_to_string(store.held_path(&from)).expect("read");
        let id = |id: &str| format!(r#""id": "{id}""#);
        let posing = text.replace(&id(&from), &id(&to));
        fs::write(store.held_path(&to), &posing).expect("written");
        let pass = || store.pass_or_hold(Path::new("/l.json"), &other, NOW);
        let error = pass().expect_err("another call");
        assert!(error.to_string().contains("another call"), "{error}");
        // A record that does not tell is made anew.
        let line = posing.lines().find(|line| line.contains("\"whole\""));
        let older = posing.replace(line.expect("it is kept"), "");
        let older = older.replace(",\n\n}", "\n}");
        fs::write(store.held_path(&to), older).expect("written");
        assert_eq!(pass().expect("held"), Passage::Held(to));
    }

    #[test]
    fn of_many_at_once_one_passes() {
        let folder = tempfile::tempdir().expect("a folder");
        let one = call("d", "{}");
        let store = Store::open(folder.path());
        let id = held(&store, &one);
        store
            .approve(&id, "me", NOW)
            .expect("written")
            .expect("held");
        let passed = std::thread::scope(|scope| {
            let tries: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        let store = Store::open(folder.path());
                        store.pass_or_hold(Path::new("/l.json"), &one, NOW)
                    })
                })
                .collect();
            let tries = tries
                .into_iter()
                .map(|thread| thread.join().expect("no panic"));
            tries
                .filter(|passage| matches!(passage, Ok(Passage::Through)))
                .count()
        });
        assert_eq!(passed, 1);
    }

    #[test]
    fn an_approval_dies_with_its_definition() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path());
        let one = call("d", "{}");
        let id = held(&store, &one);
        store
            .approve(&id, "me", NOW)
            .expect("written")
            .expect("held");
        let lockfile = Path::new("/l.json");
        let forget = |now: &str| {
            let current = |_: &ItemKey| Some(Digest::of(now));
            store.forget_other_definitions(lockfile, &one.server, &current, Kind::Tool)
        };
        forget("d").expect("read");
        assert_eq!(store.held().expect("read").len(), 1);
        forget("e").expect("removed");
        held(&store, &one);
    }

    #[test]
    fn a_damaged_record_lets_nothing_through() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path());
        let one = call("d", "{}");
        let id = held(&store, &one);
        store
            .approve(&id, "me", NOW)
            .expect("written")
            .expect("held");
        let path = store.held_path(&id);
        let text = fs::read_to_string(&path).expect("read");
        for damaged in [&text[..text.len() / 2], "", "{}"] {
            fs::write(&path, damaged).expect("written");
            held(&store, &one);
            assert_eq!(store.held().expect("read").len(), 1);
        }
    }
}
