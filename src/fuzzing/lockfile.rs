//! The reader and the writer of lockfiles.

use crate::lockfile::Lockfile;

/// Reads the bytes as a lockfile: what is taken is written so that it reads back the same, to one text.
///
/// # Panics
/// Where it does not.
pub fn lockfile(data: &[u8]) {
    match Lockfile::parse(data) {
        Ok(lockfile) => {
            let text = lockfile.to_text();
            let again = Lockfile::parse(text.as_bytes()).expect("what was written is read");
            assert_eq!(again, lockfile);
            assert_eq!(again.to_text(), text);
        }
        Err(error) => {
            let lines = data.split(|byte| *byte == b'\n').count();
            assert!((1..=lines).contains(&error.line), "{error:?}");
            assert!(!error.hint("countersign.lock").is_empty());
        }
    }
}
