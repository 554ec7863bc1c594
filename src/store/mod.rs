//! The data directory: what was observed of each server, and what was last shown (SPEC, section 6).
//!
//! ```text
//! servers/SLUG-HEX8/snapshots/HEX64.json   catalogues, each named by its digest
//! servers/SLUG-HEX8/history.jsonl          what happened, append-only, each line bound to the one before it
//! servers/SLUG-HEX8/end.json               how far the history had come when it was last written
//! servers/SLUG-HEX8/era.json               how it was last found to be spoken with
//! servers/SLUG-HEX8/lock                   held while the history is written
//! shown/HEX16.json                         what was last shown under one lockfile
//! held/HEX16.json                          calls that a guard holds, approved or not, under one lock
//! used/HEX16.json                          how often tools were called through guards under one lockfile
//! locks/HEX16-…                            held while a lockfile, or what was shown under it, is written
//! ```
//!
//! The only place that touches these files, and the lockfile's. Everything is written whole or not at all.

pub mod atomic;
mod era;
mod event;
mod held;
mod history;
mod key;
mod lock;
mod lockfile;
mod regular;
mod shown;
mod snapshots;
mod used;
mod version;

pub use era::KnownEra;
pub use event::{Event, Observed, ObservedReason, Taken, What};
pub use held::{HeldCall, HeldRecord, Passage};
pub use history::{History, Latest, Writer};
pub use key::Key;
pub use lock::Guard;
pub use lockfile::{LoadError, lines, load, save};
pub use shown::{Shown, ShownServer};
pub use used::{ByTool, Counts, Used, counted_under};

use crate::model::Problem;
use std::io;
use std::path::{Path, PathBuf};

/// A data directory. It need not exist yet.
#[derive(Debug, Clone)]
pub struct Store {
    root: PathBuf,
}

/// What is kept of one server.
#[derive(Debug, Clone)]
pub struct ServerStore {
    folder: PathBuf,
}

impl Store {
    /// The data directory at a path. Nothing is created before something is written.
    pub fn open(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// What is kept of a server.
    pub fn server(&self, key: &Key) -> ServerStore {
        self.server_at(&key.folder_name())
    }

    /// What is kept in a folder of `servers/`, by its name; `None` if the name is none that a [`Key`] gives.
    pub fn server_in(&self, folder_name: &str) -> Option<ServerStore> {
        Key::is_folder_name(folder_name).then(|| self.server_at(folder_name))
    }

    fn server_at(&self, folder_name: &str) -> ServerStore {
        ServerStore {
            folder: self.root.join("servers").join(folder_name),
        }
    }

    /// Holds a lockfile against other runs, until the guard is dropped. The lock stands in the data directory:
    /// the repository is kept free of litter.
    pub fn lock_lockfile(&self, lockfile: &Path) -> Result<Guard, StoreError> {
        lock::acquire(&self.lock_path(lockfile, "lockfile"))
    }

    fn lock_path(&self, lockfile: &Path, what: &str) -> PathBuf {
        let name = format!("{}-{what}", key::lockfile_hex(lockfile));
        self.root.join("locks").join(name)
    }
}

impl ServerStore {
    /// The folder that holds everything of the server.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Why a file of countersign's own could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused.
    #[error("cannot {doing} `{}`: {cause}", .path.display())]
    Io {
        /// `read`, `write`, `lock`, `create`.
        doing: &'static str,
        /// Which file or folder.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// A file does not hold what its name or its form says.
    #[error("`{}` is damaged: {why}", .path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// How that is known.
        why: String,
    },
    /// A line of a history does not follow from the one before it, or cannot be read.
    #[error("`{}`, line {line}: {why}", .path.display())]
    Broken {
        /// Which history.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// How that is known.
        why: String,
    },
    /// A file, or a line of a history, was written by a newer countersign.
    #[error(
        "`{}`{}: version {found}; this countersign reads version {reads}",
        .path.display(),
        .line.map(|line| format!(", line {line}")).unwrap_or_default()
    )]
    Newer {
        /// Which file.
        path: PathBuf,
        /// Which line of it, from 1.
        line: Option<usize>,
        /// What it says.
        found: String,
        /// What is understood.
        reads: &'static str,
    },
    /// Another run holds the lock for longer than anything that is done under it takes.
    #[error("another countersign has held `{}` for {} seconds", .0.display(), lock::PATIENCE.as_secs())]
    Busy(PathBuf),
}

impl StoreError {
    fn io(doing: &'static str, path: &Path, cause: io::Error) -> Self {
        Self::Io {
            doing,
            path: path.to_owned(),
            cause,
        }
    }

    /// What to do about it: a sentence, or a command to paste.
    fn hint(&self) -> Option<String> {
        let quoted = |path: &Path| {
            let text = path.to_string_lossy().into_owned();
            shlex::try_quote(&text).map_or(text.clone(), Into::into)
        };
        match self {
            Self::Io { cause, .. } if cause.kind() == io::ErrorKind::StorageFull => {
                Some("make room, or name another data directory with --data-dir".to_owned())
            }
            Self::Io { .. } | Self::Busy(_) => None,
            Self::Newer { .. } => Some("update countersign".to_owned()),
            Self::Damaged { path, .. } if path.is_file() => Some(format!("rm {}", quoted(path))),
            Self::Damaged { path, .. } => {
                let path = quoted(path);
                Some(format!("mv {path} {path}.broken"))
            }
            // With all that belongs to it: the server is known anew from the next look on.
            Self::Broken { path, .. } => {
                let folder = quoted(path.parent().unwrap_or(path));
                Some(format!("mv {folder} {folder}.broken"))
            }
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        Self {
            kind: "store",
            message: error.to_string(),
            hint: error.hint(),
            place: None,
        }
    }
}
