//! What a command knows of the world around it: where it runs, what the time is, where the lockfile and the
//! data directory are, what the terminal can do.

use crate::auth::CredentialFile;
use crate::cli::Common;
use crate::config::Environment;
use crate::lockfile::Lockfile;
use crate::model::Problem;
use crate::store::{self, LoadError, Store};
use jiff::{SignedDuration, Timestamp};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The lockfile's name where `--lock` does not say another.
pub(super) const LOCKFILE: &str = "countersign.lock.json";

/// The world of one run.
pub(super) struct World {
    /// The flags that every command takes.
    pub(super) common: Common,
    /// Variables and home.
    pub(super) environment: Environment,
    /// The current directory.
    pub(super) cwd: PathBuf,
    /// The lockfile, absolute. It need not exist.
    pub(super) lock: PathBuf,
    now: Timestamp,
}

impl World {
    /// Looks around once.
    pub(super) fn look(common: Common) -> Result<Self, Problem> {
        let cwd = std::env::current_dir()
            .map_err(|error| Problem::new("usage", format!("no current directory: {error}")))?;
        let lock = match &common.lock {
            Some(path) => cwd.join(path),
            None => find_lockfile(&cwd),
        };
        Ok(Self {
            environment: Environment::from_process(),
            now: Timestamp::now(),
            common,
            cwd,
            lock,
        })
    }

    /// The time of this run, RFC 3339 in UTC, to the second.
    pub(super) fn now(&self) -> String {
        written(self.now)
    }

    /// Looks at the clock again: for a run that goes on after what it has told.
    pub(super) fn look_at_the_clock(&mut self) {
        self.now = Timestamp::now();
    }

    /// How long before this run a time was; `None` if it was after it, or is no time.
    pub(super) fn since(&self, at: &str) -> Option<Duration> {
        let at: Timestamp = at.parse().ok()?;
        self.now.duration_since(at).try_into().ok()
    }

    /// The date of this run in UTC.
    pub(super) fn today(&self) -> String {
        self.now.strftime("%Y-%m-%d").to_string()
    }

    /// The time as [`World::now`] has it, but later than something that was recorded already: times are whole seconds,
    /// and clocks differ.
    pub(super) fn now_after(&self, recorded: Option<Timestamp>) -> String {
        let next = recorded.and_then(|at| at.checked_add(SignedDuration::from_secs(1)).ok());
        written(next.map_or(self.now, |next| next.max(self.now)))
    }

    /// Whether a CI system runs us: then nothing is asked and no lockfile is made.
    pub(super) fn in_ci(&self) -> bool {
        self.environment
            .var("CI")
            .is_some_and(|value| !matches!(value, "" | "0" | "false"))
    }

    /// The lockfile; `None` if there is no such file.
    pub(super) fn read_lockfile(&self) -> Result<Option<Lockfile>, Problem> {
        match store::load(&self.lock) {
            Ok(lockfile) => Ok(Some(lockfile)),
            Err(LoadError::Missing(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The lockfile, which must be there.
    pub(super) fn need_lockfile(&self) -> Result<Lockfile, Problem> {
        store::load(&self.lock).map_err(|error| {
            let is_missing = matches!(error, LoadError::Missing(_));
            let problem = Problem::from(error);
            if is_missing && self.in_ci() && self.common.lock.is_none() {
                // `snapshot` writes none here.
                problem.with_hint(
                    "countersign snapshot, on a machine where `CI` is not set, and commit the lockfile",
                )
            } else {
                problem
            }
        })
    }

    /// Writes the lockfile whole, or not at all.
    pub(super) fn write_lockfile(&self, lockfile: &Lockfile) -> Result<(), Problem> {
        store::save(&self.lock, lockfile)?;
        Ok(())
    }

    /// The folder that the lockfile stands in: the project's.
    pub(super) fn folder(&self) -> &Path {
        self.lock.parent().unwrap_or(&self.cwd)
    }

    /// Where sign-ins are kept: the configuration directory, which is not the one of snapshots. `None` where this
    /// system says no home directory.
    pub(super) fn credential_file(&self) -> Option<CredentialFile> {
        let folder = match self.environment.var("COUNTERSIGN_CONFIG_DIR") {
            Some(path) if !path.is_empty() => self.cwd.join(path),
            _ => directories::ProjectDirs::from("", "", "countersign")?
                .config_dir()
                .to_owned(),
        };
        Some(CredentialFile::in_folder(folder))
    }

    /// The same, which must be somewhere.
    pub(super) fn need_credential_file(&self) -> Result<CredentialFile, Problem> {
        self.credential_file().ok_or_else(|| {
            Problem::new(
                "store",
                "no configuration directory: this system says no home directory",
            )
            .with_hint("export COUNTERSIGN_CONFIG_DIR=DIR")
        })
    }

    /// The data directory.
    pub(super) fn store(&self) -> Result<Store, Problem> {
        let root = match &self.common.data_dir {
            Some(path) => self.cwd.join(path),
            None => directories::ProjectDirs::from("", "", "countersign")
                .map(|dirs| dirs.data_dir().to_owned())
                .ok_or_else(|| {
                    Problem::new(
                        "store",
                        "no data directory: this system says no home directory",
                    )
                    .with_hint("name one with --data-dir DIR")
                })?,
        };
        Ok(Store::open(root))
    }
}

/// The time at this moment, in the form of [`World::now`]: for a run that waits for a person.
pub(super) fn this_moment() -> String {
    written(Timestamp::now())
}

fn written(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The nearest lockfile from a directory up to the root of its repository; where there is none, where it is to be
/// created: at that root, or here if this is no repository.
fn find_lockfile(from: &Path) -> PathBuf {
    let within = within_repository(from);
    within
        .iter()
        .map(|directory| directory.join(LOCKFILE))
        .find(|path| path.exists())
        .unwrap_or_else(|| within.last().copied().unwrap_or(from).join(LOCKFILE))
}

/// A directory and those above it up to the root of its repository; alone if it is in none.
pub(super) fn within_repository(from: &Path) -> Vec<&Path> {
    match from
        .ancestors()
        .position(|directory| directory.join(".git").exists())
    {
        Some(depth) => from.ancestors().take(depth + 1).collect(),
        None => vec![from],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lockfile_is_looked_for_up_to_the_repository_and_made_at_its_root() {
        let outside = tempfile::tempdir().expect("a directory");
        let repository = outside.path().join("repository");
        let deep = repository.join("a/b");
        std::fs::create_dir_all(&deep).expect("directories");
        std::fs::write(outside.path().join(LOCKFILE), "{}").expect("a file");
        assert_eq!(find_lockfile(&deep), deep.join(LOCKFILE));
        std::fs::create_dir(repository.join(".git")).expect("a directory");
        assert_eq!(find_lockfile(&deep), repository.join(LOCKFILE));
        std::fs::write(repository.join("a").join(LOCKFILE), "{}").expect("a file");
        assert_eq!(find_lockfile(&deep), repository.join("a").join(LOCKFILE));
    }
}
