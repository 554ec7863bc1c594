//! What is on the disk: taken, put back, and made comparable.

use crate::support::Sandbox;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The project and the data directory as they are, folders (`None`) and empty files too.
pub(super) type Files = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// The files that say something, by path, without what differs from run to run: times, and the hashes of lines that
/// hold times.
pub(super) type State = BTreeMap<String, String>;

fn roots(sandbox: &Sandbox) -> [PathBuf; 2] {
    [sandbox.path(""), sandbox.data()]
}

/// Everything below the project and the data directory.
pub(super) fn take(sandbox: &Sandbox) -> Files {
    let mut files = Files::new();
    let mut folders = roots(sandbox).to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                files.insert(path.clone(), None);
                folders.push(path);
            } else {
                let content = fs::read(&path).expect("a file");
                files.insert(path, Some(content));
            }
        }
    }
    files
}

/// Makes it as it was.
pub(super) fn put_back(sandbox: &Sandbox, files: &Files) {
    for root in roots(sandbox) {
        fs::remove_dir_all(&root).expect("removed");
        fs::create_dir(&root).expect("made");
    }
    // A folder comes before what is in it.
    for (path, content) in files {
        match content {
            None => fs::create_dir(path).expect("made"),
            Some(content) => fs::write(path, content).expect("written"),
        }
    }
}

fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with(".countersign-"))
}

/// What is there, comparable. Temporary files are nobody's.
pub(super) fn read(sandbox: &Sandbox) -> State {
    let files = take(sandbox).into_iter();
    let files = files.filter_map(|(path, content)| Some((path, content?)));
    files
        .filter(|(path, content)| !content.is_empty() && !is_temporary(path))
        .map(|(path, content)| {
            let text = String::from_utf8(content).expect("UTF-8");
            let path = sandbox.placeholders(&path.to_string_lossy());
            (path, without_hashes(&sandbox.placeholders(&text)))
        })
        .collect()
}

/// Without what binds a line to the one before it, and the end to the last line.
fn without_hashes(text: &str) -> String {
    ["\"prev\":\"", "\"hash\":\""]
        .into_iter()
        .fold(text.to_owned(), |text, before| {
            let mut parts = text.split(before);
            let mut out = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                let (_, rest) = part.split_once('"').expect("the end of a hash");
                out.push_str(rest);
            }
            out
        })
}

/// The temporary files that lie about.
pub(super) fn litter(sandbox: &Sandbox) -> Vec<PathBuf> {
    let paths = take(sandbox).into_keys();
    paths.filter(|path| is_temporary(path)).collect()
}

/// Makes files older than any run that may still be writing them.
pub(super) fn grow_old(files: &[PathBuf]) {
    for path in files {
        let then = SystemTime::now() - Duration::from_hours(2);
        let file = File::options().write(true).open(path).expect("a file");
        file.set_modified(then).expect("set");
    }
}
