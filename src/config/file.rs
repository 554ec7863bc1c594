//! The one place of `config` that reads files and folders, and never more of them than a configuration can need.

use crate::model::Problem;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The largest configuration that is read, in bytes.
const SIZE: u64 = 16 << 20;
/// How many files of one form are looked at in a folder.
const MATCHES: usize = 256;

/// The bytes of a configuration.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Problem> {
    let shown = path.to_string_lossy();
    let problem = |message: String| Problem::new("config", message);
    let mut source = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(SIZE + 1).read_to_end(&mut source))
        .map_err(|error| problem(format!("`{shown}` cannot be read: {error}")))?;
    if source.len() as u64 > SIZE {
        return Err(problem(format!("`{shown}` holds more than {SIZE} bytes")));
    }
    Ok(source)
}

/// The text of a file that a configuration names. The cause of a failure does not name the file.
pub(super) fn read_text(path: &Path) -> Result<String, String> {
    // Nobody may be at the other end of a pipe.
    let found = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !found.is_file() {
        return Err("it is no file".to_owned());
    }
    let mut source = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(SIZE + 1).read_to_end(&mut source))
        .map_err(|error| error.to_string())?;
    if source.len() as u64 > SIZE {
        return Err(format!("it holds more than {SIZE} bytes"));
    }
    String::from_utf8(source).map_err(|_| "it holds bytes that are not UTF-8".to_owned())
}

/// The files that a path means whose last parts may hold `*`, sorted by name.
pub(super) fn matching(pattern: &Path) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    for part in pattern.components() {
        let part = part.as_os_str();
        match part.to_str().filter(|part| part.contains('*')) {
            None => found.iter_mut().for_each(|path| path.push(part)),
            Some(part) => found = found.iter().flat_map(|path| within(path, part)).collect(),
        }
    }
    found.retain(|path| path.is_file());
    found
}

/// What stands in a folder under a name of that form, sorted.
fn within(folder: &Path, form: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .filter(|entry| {
            entry
                .file_name()
                .to_str()
                .is_some_and(|name| super::places::fits(name, form))
        })
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found.truncate(MATCHES);
    found
}
