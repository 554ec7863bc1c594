//! Snapshots: catalogues in canonical text, each in a file that is named by the SHA-256 of its bytes.
//!
//! A snapshot is never changed. One that does not match its name is an error, and is never used.

use super::{ServerStore, StoreError, atomic, regular};
use crate::capture::{FileError, SNAPSHOT_VERSION};
use crate::catalogue::{Catalogue, FileCatalogueError};
use crate::fingerprint::Digest;
use crate::json::Limits;
use crate::secret::Secrets;
use std::io;
use std::path::PathBuf;

impl ServerStore {
    /// Keeps a catalogue, and returns the digest that names it. The launch is not part of a snapshot.
    pub fn write_snapshot(&self, catalogue: &Catalogue) -> Result<Digest, StoreError> {
        let text = catalogue.to_snapshot();
        let digest = Digest::of(&text);
        let path = self.snapshot_path(digest);
        if matches!(regular::own(&path), Ok(Some(bytes)) if bytes == text.as_bytes()) {
            return Ok(digest);
        }
        atomic::create_folder(&self.folder.join("snapshots"))?;
        atomic::write_private(&path, text.as_bytes())?;
        Ok(digest)
    }

    /// The catalogue that was kept under a digest.
    pub fn read_snapshot(&self, digest: Digest) -> Result<Catalogue, StoreError> {
        let path = self.snapshot_path(digest);
        let bytes = regular::own(&path)?.ok_or_else(|| {
            StoreError::io("read", &path, io::Error::from(io::ErrorKind::NotFound))
        })?;
        let damaged = |why: String| StoreError::Damaged {
            path: path.clone(),
            why,
        };
        let text = std::str::from_utf8(&bytes).map_err(|error| damaged(error.to_string()))?;
        let found = Digest::of(text);
        if found != digest {
            return Err(damaged(format!("its SHA-256 is {}", found.hex())));
        }
        // It is as large as what was accepted when it was taken.
        let limits = Limits {
            depth: Limits::MAX_DEPTH,
            string: usize::MAX,
        };
        match Catalogue::from_file(bytes, limits, &Secrets::default()) {
            Ok((catalogue, _)) => Ok(catalogue),
            Err(FileCatalogueError::File(FileError::Version(found))) => Err(StoreError::Newer {
                path: path.clone(),
                line: None,
                found,
                reads: SNAPSHOT_VERSION,
            }),
            Err(error) => Err(damaged(error.to_string())),
        }
    }

    /// Where a snapshot is kept.
    pub fn snapshot_path(&self, digest: Digest) -> PathBuf {
        self.folder
            .join("snapshots")
            .join(format!("{}.json", digest.hex()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Key, Store};
    use std::fs;
    use std::path::Path;

    fn catalogue(text: &str) -> Catalogue {
        let (catalogue, _) =
            Catalogue::from_file(text.into(), Limits::default(), &Secrets::default())
                .expect("a catalogue");
        catalogue
    }

    fn server(folder: &Path) -> ServerStore {
        Store::open(folder).server(&Key::of_file(Path::new("/nowhere/lock.json"), &"s".into()))
    }

    #[test]
    fn a_snapshot_reads_back_and_is_named_by_its_bytes() {
        let folder = tempfile::tempdir().expect("a folder");
        let server = server(folder.path());
        let one = catalogue(
            r#"{"instructions":"do","capabilities":{},"tools":[{"name":"b"},{"name":"a","name":"a"}],"prompts":[]}"#,
        );
        let digest = server.write_snapshot(&one).expect("written");
        assert_eq!(server.write_snapshot(&one).expect("written"), digest);
        assert_eq!(server.read_snapshot(digest).expect("read"), one);
        let bytes = fs::read(server.snapshot_path(digest)).expect("read");
        assert_eq!(Digest::of_raw(&bytes).hex(), digest.hex());
    }

    #[test]
    fn a_snapshot_that_was_tampered_with_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let server = server(folder.path());
        let one = catalogue(r#"{"tools":[{"name":"a"}]}"#);
        let digest = server.write_snapshot(&one).expect("written");
        let path = server.snapshot_path(digest);
        for bytes in [
            r#"{"snapshot":1,"tools":[{"name":"b"}]}"#.as_bytes(),
            b"\xff",
            b"",
        ] {
            fs::write(&path, bytes).expect("written");
            let error = server.read_snapshot(digest).expect_err("damaged");
            assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
            assert!(error.to_string().contains(&digest.hex()), "{error}");
        }
        // A newer one is no damage, and not to be removed.
        let newer = r#"{"snapshot":2,"tools":[{"name":"a"}]}"#;
        let newer_path = server.snapshot_path(Digest::of(newer));
        fs::write(&newer_path, newer).expect("written");
        let error = server.read_snapshot(Digest::of(newer)).expect_err("newer");
        let both = "version 2; this countersign reads version 1";
        assert!(error.to_string().ends_with(both), "{error}");
        assert_eq!(error.hint().as_deref(), Some("update countersign"));
        // What the server shows again replaces it.
        server.write_snapshot(&one).expect("written");
        assert_eq!(server.read_snapshot(digest).expect("read"), one);
        assert!(server.read_snapshot(Digest::of("absent")).is_err());
    }
}
