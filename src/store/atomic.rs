//! Files that are written whole or not at all.
//!
//! The bytes go to a temporary file in the same folder, to the disk, and only then under the file's name. It
//! never leaves half a file, whatever happens in between; what a killed run left is swept by a later one.

use super::StoreError;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::NamedTempFile;

const PREFIX: &str = ".countersign-";
const SUFFIX: &str = ".tmp";

/// Temporary files that are older were left by a run that was killed: no write takes that long.
const STALE: Duration = Duration::from_hours(1);

/// Links are followed so far.
const MAX_LINKS: usize = 40;

/// Replaces a file that others may read, such as the lockfile. An existing one keeps its mode and owner, a new one
/// gets what the umask allows. A symbolic link stays, and what it leads to is replaced.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    replace(path, bytes, 0o666, true).map_err(|cause| StoreError::io("write", path, cause))
}

/// Replaces a file in the data directory, which nobody else need read.
pub fn write_private(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    replace(path, bytes, 0o600, true).map_err(|cause| StoreError::io("write", path, cause))
}

/// The same, without waiting for the disk: whole or not at all for every process, not for a machine that loses its
/// power. For what says nothing new.
pub fn write_unsynced(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    replace(path, bytes, 0o600, false).map_err(|cause| StoreError::io("write", path, cause))
}

/// Creates a folder of the data directory, and those above it, for its owner alone.
pub fn create_folder(path: &Path) -> Result<(), StoreError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder
        .create(path)
        .map_err(|cause| StoreError::io("create", path, cause))
}

/// Brings the names in a folder to the disk.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

fn replace(path: &Path, bytes: &[u8], mode: u32, synced: bool) -> io::Result<()> {
    let path = through_links(path)?;
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let existing = match fs::metadata(&path) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if let Some(existing) = &existing {
        refuse(existing)?;
    }
    sweep(folder);
    let mut file = create(folder, mode)?;
    file.as_file_mut().write_all(bytes)?;
    if let Some(existing) = existing {
        keep_access(file.as_file(), &existing)?;
    }
    if synced {
        file.as_file().sync_all()?;
    }
    file.persist(&path).map_err(|failed| failed.error)?;
    if synced {
        sync_folder(folder)?;
    }
    Ok(())
}

/// What a rename would go over, although writing in place would not.
fn refuse(existing: &Metadata) -> io::Result<()> {
    if existing.is_dir() {
        return Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "it is a folder",
        ));
    }
    if existing.permissions().readonly() {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it is read-only",
        ));
    }
    Ok(())
}

fn create(folder: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        // The umask applies.
        options.mode(mode);
    }
    #[cfg(not(unix))]
    let _ = mode;
    let mut refused = None;
    let mut builder = tempfile::Builder::new();
    let temporary = builder
        .prefix(PREFIX)
        .suffix(SUFFIX)
        .make_in(folder, |path| {
            let file = options.open(path);
            file.inspect_err(|error| refused = error.raw_os_error())
        });
    // What the system said, without the random name that `tempfile` adds to it.
    temporary.map_err(|error| refused.map_or(error, io::Error::from_raw_os_error))
}

fn keep_access(file: &File, existing: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (existing.uid(), existing.gid()) {
            // Only the superuser can give files away; for anybody else the new owner has to do.
            let _ = fchown(file, Some(existing.uid()), Some(existing.gid()));
        }
    }
    file.set_permissions(existing.permissions())
}

/// Where a path leads once its links are followed, whether something is there or not.
fn through_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(next) => {
                let folder = path.parent().unwrap_or(Path::new(""));
                path = folder.join(next);
            }
            // Not a link, or nothing there.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("its symbolic links lead in a circle"))
}

/// Removes what killed runs left. Best effort: litter is no reason not to write.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let ours = name
            .to_str()
            .is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        let age = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        if ours && age().is_some_and(|age| age > STALE) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let names = entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        for text in ["one", "two"] {
            write(&path, text.as_bytes()).expect("written");
            assert_eq!(fs::read_to_string(&path).expect("read"), text);
        }
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn a_folder_or_a_file_that_is_read_only_is_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::create_dir(&path).expect("a folder");
        let error = write(&path, b"x").expect_err("a folder");
        assert!(error.to_string().ends_with("it is a folder"), "{error}");
        let path = folder.path().join("fixed");
        fs::write(&path, "old").expect("written");
        let mut permissions = fs::metadata(&path).expect("metadata").permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).expect("set");
        let error = write(&path, b"x").expect_err("read-only").to_string();
        assert!(
            error.contains("fixed") && error.ends_with("it is read-only"),
            "{error}"
        );
        assert_eq!(fs::read_to_string(&path).expect("read"), "old");
        assert_eq!(names(folder.path()), ["file", "fixed"]);
    }

    #[test]
    fn what_a_killed_run_left_is_swept_and_what_another_run_is_writing_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let make = |name: &str, age: u64| {
            let file = File::create(folder.path().join(name)).expect("created");
            let then = SystemTime::now() - Duration::from_secs(age);
            file.set_modified(then).expect("set");
        };
        make(".countersign-old.tmp", 7200);
        make(".countersign-new.tmp", 1);
        make("theirs.tmp", 7200);
        write(&folder.path().join("file"), b"x").expect("written");
        assert_eq!(
            names(folder.path()),
            [".countersign-new.tmp", "file", "theirs.tmp"]
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_what_it_leads_to_keeps_its_mode() {
        use std::fs::Permissions;
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).expect("a folder");
        fs::write(at("sub/real"), "old").expect("written");
        fs::set_permissions(at("sub/real"), Permissions::from_mode(0o640)).expect("set");
        symlink("sub/real", at("near")).expect("a link");
        symlink("near", at("far")).expect("a link");
        symlink("sub/absent", at("dangling")).expect("a link");
        symlink("circle", at("circle")).expect("a link");
        write(&at("far"), b"new").expect("written");
        write(&at("dangling"), b"new").expect("written");
        assert!(write(&at("circle"), b"new").is_err());
        for (name, mode) in [("sub/real", Some(0o640)), ("sub/absent", None)] {
            assert_eq!(fs::read_to_string(at(name)).expect("read"), "new");
            let found = fs::metadata(at(name))
                .expect("metadata")
                .permissions()
                .mode()
                & 0o777;
            assert_eq!(found, mode.unwrap_or(found));
        }
        assert!(
            fs::symlink_metadata(at("far"))
                .expect("metadata")
                .is_symlink()
        );
        write_private(&at("own"), b"x").expect("written");
        let mode = fs::metadata(at("own"))
            .expect("metadata")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
