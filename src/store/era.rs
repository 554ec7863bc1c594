//! Which era a server was last found to be of, so that the next talk can begin in it.
//!
//! The history tells of an era only beside a catalogue that was new. This is kept apart from it because it is no fact
//! to rely on, only where to begin: what cannot be read is not known, and is found out again.

use super::{ServerStore, StoreError, atomic, regular};
use crate::canonical;
use crate::capture::Era;
use crate::json::{self, Limits, Object, Value};
use std::path::PathBuf;

/// An era that was found by asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownEra {
    /// Which.
    pub era: Era,
    /// When it was found, as RFC 3339.
    pub at: String,
}

impl ServerStore {
    /// The era that was last found; `None` where none was, or it cannot be read.
    pub fn known_era(&self) -> Option<KnownEra> {
        let bytes = regular::own(&self.era_path()).ok()??;
        let value = json::read(&bytes, Limits::default()).ok()?.value;
        Some(KnownEra {
            era: Era::from_word(value.get("era")?.as_str()?)?,
            at: value.get("at")?.as_str()?.to_owned(),
        })
    }

    /// Keeps an era that was found.
    ///
    /// # Errors
    /// The system refuses; nothing is lost by it.
    pub fn record_era(&self, known: &KnownEra) -> Result<(), StoreError> {
        let mut object = Object::default();
        object.set("at", Value::from(known.at.as_str()));
        object.set("era", Value::from(known.era.word()));
        let mut text = canonical::to_text(&Value::Object(object));
        text.push('\n');
        atomic::create_folder(&self.folder)?;
        atomic::write_unsynced(&self.era_path(), text.as_bytes())
    }

    fn era_path(&self) -> PathBuf {
        self.folder.join("era.json")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn an_era_is_kept_and_what_is_none_is_not_known() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path());
        let server = store.server_in("server-00000000").expect("a folder's name");
        assert_eq!(server.known_era(), None);
        for era in [Era::Modern, Era::Legacy] {
            let known = KnownEra {
                era,
                at: "2026-01-02T03:04:05Z".to_owned(),
            };
            server.record_era(&known).expect("written");
            assert_eq!(server.known_era(), Some(known));
        }
        for damaged in ["", "{", r#"{"at":"2026-01-02T03:04:05Z","era":"stone"}"#] {
            std::fs::write(server.era_path(), damaged).expect("written");
            assert_eq!(server.known_era(), None, "{damaged}");
        }
    }
}
