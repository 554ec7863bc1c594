//! The lockfile on the disk. Missing, unreadable and damaged are three different answers, and none is "empty".

use super::{StoreError, atomic, regular};
use crate::lockfile::{Lines, Lockfile, LockfileError};
use crate::model::Problem;
use std::io;
use std::path::{Path, PathBuf};

/// Why there is no lockfile to go by.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is none.
    #[error("no lockfile at `{}`", .0.display())]
    Missing(PathBuf),
    /// The system refused.
    #[error(transparent)]
    Unreadable(StoreError),
    /// It cannot be trusted.
    #[error("`{}`, {error}", .path.display())]
    Damaged {
        /// The lockfile.
        path: PathBuf,
        /// Where and why.
        error: LockfileError,
    },
}

impl From<LoadError> for Problem {
    fn from(error: LoadError) -> Self {
        let problem = Self::new("lockfile", error.to_string());
        match error {
            LoadError::Missing(_) => problem.with_hint("countersign snapshot"),
            LoadError::Unreadable(_) => problem,
            LoadError::Damaged { path, error } => problem
                .with_hint(error.hint(&path.to_string_lossy()))
                .at(&path, error.line),
        }
    }
}

/// The most bytes that a lockfile may have.
const BYTES: u64 = 256 << 20;

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    regular::bytes(path, BYTES)
}

/// Reads a lockfile.
pub fn load(path: &Path) -> Result<Lockfile, LoadError> {
    match bytes(path) {
        Ok(bytes) => Lockfile::parse(&bytes).map_err(|error| LoadError::Damaged {
            path: path.to_owned(),
            error,
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(LoadError::Missing(path.to_owned()))
        }
        Err(cause) => Err(LoadError::Unreadable(StoreError::io("read", path, cause))),
    }
}

/// Where a lockfile holds what; nothing where it cannot be read.
pub fn lines(path: &Path) -> Lines {
    bytes(path).map_or_else(|_| Lines::default(), |bytes| Lines::of(&bytes))
}

/// Writes a lockfile. False if the file says the same already, in whatever spelling: then it is left alone.
///
/// # Errors
/// If the text would not read back to the same lockfile, too: such a file would lock everybody out.
pub fn save(path: &Path, lockfile: &Lockfile) -> Result<bool, StoreError> {
    if load(path).is_ok_and(|known| known == *lockfile) {
        return Ok(false);
    }
    let text = lockfile.to_text();
    match Lockfile::parse(text.as_bytes()) {
        Ok(read) if read == *lockfile => {}
        read => {
            let why = read.map_or_else(|error| error.to_string(), |_| "other content".to_owned());
            let cause = io::Error::other(format!("it would not read back: {why}"));
            return Err(StoreError::io("write", path, cause));
        }
    }
    atomic::write(path, text.as_bytes())?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lockfile::Server;
    use crate::model::ServerName;
    use std::fs;

    fn lockfile(since: &str) -> Lockfile {
        let server = Server {
            since: since.to_owned(),
            ..Server::default()
        };
        Lockfile {
            servers: [(ServerName::new("s"), server)].into(),
            ..Lockfile::default()
        }
    }

    #[test]
    fn missing_unreadable_and_damaged_are_told_apart() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("countersign.lock.json");
        let problem = |path: &Path| Problem::from(load(path).expect_err("no lockfile"));
        let missing = problem(&path);
        assert!(
            missing.message.starts_with("no lockfile at `"),
            "{missing:?}"
        );
        assert_eq!(missing.hint.as_deref(), Some("countersign snapshot"));
        let unreadable = problem(folder.path());
        assert!(
            unreadable.message.starts_with("cannot read `"),
            "{unreadable:?}"
        );
        for (text, words) in [
            (
                "{\n\"version\": 999}",
                "line 1: version 999; this countersign reads version 1",
            ),
            ("{\n<<<<<<< HEAD\n", "line 2: a merge conflict"),
        ] {
            fs::write(&path, text).expect("written");
            let damaged = problem(&path);
            assert!(
                damaged.message.contains("countersign.lock.json`, line"),
                "{damaged:?}"
            );
            assert!(damaged.message.contains(words), "{damaged:?}");
            assert!(damaged.hint.is_some());
            assert_eq!(fs::read_to_string(&path).expect("read"), text);
        }
    }

    #[test]
    fn a_lockfile_is_written_only_where_it_says_something_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("countersign.lock.json");
        let one = lockfile("2026-01-02");
        assert!(save(&path, &one).expect("written"));
        let crlf = one.to_text().replace('\n', "\r\n");
        fs::write(&path, &crlf).expect("written");
        assert!(!save(&path, &one).expect("the same"));
        assert_eq!(fs::read_to_string(&path).expect("read"), crlf);
        assert!(save(&path, &lockfile("2026-01-03")).expect("written"));
        assert_eq!(load(&path).expect("read"), lockfile("2026-01-03"));
        let error = save(&path, &lockfile("no date")).expect_err("would not read back");
        assert!(
            error.to_string().contains("it would not read back"),
            "{error}"
        );
        assert_eq!(load(&path).expect("read"), lockfile("2026-01-03"));
    }
}
