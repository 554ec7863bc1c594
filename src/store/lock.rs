//! Locks between two runs at once, held by the system: one that is killed lets go.

use super::{StoreError, atomic, regular};
use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a run waits for another. Nothing that is done under a lock takes as long.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(5);

/// A lock that is held until this is dropped.
#[derive(Debug)]
#[must_use = "the lock is let go when this is dropped"]
pub struct Guard {
    _file: File,
}

/// Takes the lock of a path, which is created where it is missing, and its folder with it.
pub(super) fn acquire(path: &Path) -> Result<Guard, StoreError> {
    acquire_within(path, PATIENCE)
}

/// The same, waiting so long at most.
pub(super) fn acquire_within(path: &Path, patience: Duration) -> Result<Guard, StoreError> {
    if let Some(folder) = path.parent() {
        atomic::create_folder(folder)?;
    }
    // A pipe in its place would never open.
    regular::must_be(path)?;
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    let file = options
        .open(path)
        .map_err(|cause| StoreError::io("lock", path, cause))?;
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Guard { _file: file }),
            Err(TryLockError::WouldBlock) if start.elapsed() < patience => {
                std::thread::sleep(PAUSE);
            }
            Err(TryLockError::WouldBlock) => return Err(StoreError::Busy(path.to_owned())),
            Err(TryLockError::Error(cause)) => return Err(StoreError::io("lock", path, cause)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_exclusive_until_it_is_dropped() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sub/lock");
        let first = acquire(&path).expect("free");
        let busy = acquire_within(&path, Duration::from_millis(20)).expect_err("held");
        assert!(matches!(busy, StoreError::Busy(_)), "{busy}");
        drop(first);
        drop(acquire(&path).expect("free again"));
    }
}
