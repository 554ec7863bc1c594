//! The one place of `config` that reads a file, and never more of it than a configuration can need.

use crate::model::Problem;
use std::io::Read as _;
use std::path::Path;

/// The largest configuration that is read, in bytes.
const SIZE: u64 = 16 << 20;

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
