//! Reading regular files only: a device has no end, and a pipe that nobody writes into never answers.

use super::StoreError;
use std::fs;
use std::io;
use std::path::Path;

/// What is said of anything else.
const NONE: &str = "it is no regular file";

/// The bytes of a file, of at most `bound` bytes; links are followed.
pub(super) fn bytes(path: &Path, bound: u64) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    // A folder is refused by what reads it, in the system's own words.
    if !metadata.is_file() && !metadata.is_dir() {
        return Err(io::Error::other(NONE));
    }
    if metadata.len() > bound {
        return Err(io::Error::other(format!("it has more than {bound} bytes")));
    }
    fs::read(path)
}

/// The bytes of a file of the data directory; `None` if it is not there. Something else in its place is damage.
pub(super) fn own(path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    must_be(path)?;
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(StoreError::io("read", path, cause)),
    }
}

/// Whether something that is there can be opened as a file of the data directory.
pub(super) fn must_be(path: &Path) -> Result<(), StoreError> {
    // What cannot be looked at is told of by who opens it.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(StoreError::Damaged {
            path: path.to_owned(),
            why: NONE.to_owned(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_the_place_of_a_file_is_damage_with_a_way_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        assert_eq!(own(&path).expect("nothing"), None);
        fs::write(&path, "x").expect("written");
        assert_eq!(own(&path).expect("read"), Some(b"x".to_vec()));
        let error = own(folder.path()).expect_err("a folder");
        assert!(
            error
                .to_string()
                .ends_with("is damaged: it is no regular file"),
            "{error}"
        );
        let hint = error.hint().expect("a way out");
        assert!(hint.starts_with("mv "), "{hint}");
    }
}
