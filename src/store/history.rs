//! The history of a server: append-only lines of canonical JSON, each with the SHA-256 of the line before it.
//!
//! A last line that a crash left torn is cut by the next writer, and said. Any other line that does not follow
//! is an error: nothing is repaired, and nothing is written after it.

mod broken;
mod end;

use self::end::End;
use super::{Event, Guard, ServerStore, StoreError, Taken, What, atomic, lock, regular, version};
use crate::canonical;
use crate::fingerprint::Digest;
use crate::json::{self, Limits, Value};
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// What stands where the first line names the one before it.
const START: &str = "0000000000000000000000000000000000000000000000000000000000000000";
/// The member that names it.
const PREV: &str = "prev";

/// What was observed of a server, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    /// The events, oldest first.
    pub events: Vec<Event>,
    /// Whether a crash left the last line torn. What it was meant to say is lost; the next writer cuts it.
    pub torn: bool,
}

/// The newest snapshot of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Latest<'a> {
    /// When it was first taken, as RFC 3339.
    pub at: &'a str,
    /// Which it is, and how it was taken.
    pub taken: &'a Taken,
}

impl History {
    /// The newest snapshot, if any was taken.
    pub fn latest(&self) -> Option<Latest<'_>> {
        self.events.iter().rev().find_map(|event| {
            Some(Latest {
                at: &event.at,
                taken: event.what.taken()?,
            })
        })
    }

    /// Whether the server could not be asked the last time.
    pub fn unreachable(&self) -> bool {
        let tells = |event: &&Event| {
            event.what.taken().is_some()
                || matches!(event.what, What::Unreachable { .. } | What::Reachable)
        };
        let last = self.events.iter().rfind(tells);
        last.is_some_and(|event| matches!(event.what, What::Unreachable { .. }))
    }

    /// Whether the configuration disabled the server the last time.
    pub fn disabled(&self) -> bool {
        let tells = |event: &&Event| matches!(event.what, What::Enabled | What::Disabled);
        let last = self.events.iter().rfind(tells);
        last.is_some_and(|event| event.what == What::Disabled)
    }

    /// Whether an event tells nothing that the history does not say already.
    fn tells(&self, event: &Event) -> bool {
        match &event.what {
            What::FirstSight { taken, .. } | What::Change { taken, .. } => self
                .latest()
                .is_some_and(|latest| latest.taken.snapshot == taken.snapshot),
            What::Unreachable { .. } => self.unreachable(),
            What::Reachable => !self.unreachable(),
            What::Enabled => !self.disabled(),
            What::Disabled => self.disabled(),
            What::Flagged { .. } => false,
        }
    }
}

impl ServerStore {
    /// What was observed so far; nothing if nothing was. The chain is checked; a torn last line is left out.
    pub fn history(&self) -> Result<History, StoreError> {
        // What was written before it is read is in it.
        let known_end = self.known_end();
        Ok(read_up_to(&self.history_path(), known_end.as_ref())?.0)
    }

    /// Checks the chain of the history and every snapshot that it names.
    pub fn verify(&self) -> Result<History, StoreError> {
        let history = self.history()?;
        for taken in history.events.iter().filter_map(|event| event.what.taken()) {
            self.read_snapshot(taken.snapshot)?;
        }
        Ok(history)
    }

    /// Holds the server against other runs, until the writer is dropped, and cuts a torn last line.
    pub fn lock(&self) -> Result<Writer, StoreError> {
        let guard = lock::acquire(&self.folder.join("lock"))?;
        let known_end = self.known_end();
        let path = self.history_path();
        let (history, place) = read_up_to(&path, known_end.as_ref())?;
        let repaired = history.torn;
        if repaired {
            OpenOptions::new()
                .write(true)
                .open(&path)
                .and_then(|file| file.set_len(place.length))
                .map_err(|cause| StoreError::io("write", &path, cause))?;
        }
        let end_path = self.end_path();
        // A run was stopped after its line, or an older countersign kept no end.
        if let Some(end) = place.known().filter(|end| known_end.as_ref() != Some(end)) {
            end.write(&end_path)?;
        }
        Ok(Writer {
            path,
            end_path,
            history: History {
                torn: false,
                ..history
            },
            place,
            repaired,
            _guard: guard,
        })
    }

    fn history_path(&self) -> PathBuf {
        self.folder.join("history.jsonl")
    }
}

/// The history of a file, which ends no earlier than at the line that was written.
fn read_up_to(path: &Path, written: Option<&End>) -> Result<(History, Place), StoreError> {
    let bytes = regular::own(path)?.unwrap_or_default();
    read(path, &bytes, written)
}

/// Where the next line goes.
#[derive(Debug)]
struct Place {
    /// Bytes of whole lines.
    length: u64,
    /// How many whole lines there are.
    lines: usize,
    /// The hash of the last of them.
    hash: String,
}

impl Place {
    fn start() -> Self {
        Self {
            length: 0,
            lines: 0,
            hash: START.to_owned(),
        }
    }

    fn pass(&mut self, line: &[u8]) {
        self.length += line.len() as u64 + 1;
        self.lines += 1;
        self.hash = Digest::of_raw(line).hex();
    }

    /// What is to be known of the end here; nothing before the first line.
    fn known(&self) -> Option<End> {
        (self.lines > 0).then(|| End {
            line: self.lines,
            hash: self.hash.clone(),
        })
    }
}

/// Reads a history, which ends no earlier than at the line that was written.
fn read(path: &Path, bytes: &[u8], written: Option<&End>) -> Result<(History, Place), StoreError> {
    let (mut history, mut place) = (History::default(), Place::start());
    let mut lines = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .enumerate()
        .peekable();
    let broken = |line: usize, why: String| StoreError::Broken {
        path: path.to_owned(),
        line,
        why,
    };
    while let Some((index, line)) = lines.next() {
        let number = index + 1;
        let whole = line.strip_suffix(b"\n");
        let limits = Limits {
            string: usize::MAX,
            ..Limits::default()
        };
        let (line, document) = match whole.map(|line| (line, json::read(line, limits))) {
            Some((line, Ok(document))) => (line, document),
            // The last line, without its end or without its sense.
            _ if lines.peek().is_none() => {
                history.torn = true;
                break;
            }
            Some((_, Err(error))) => return Err(broken(number, error.kind.to_string())),
            None => return Err(broken(number, "the line does not end".to_owned())),
        };
        let object = document
            .value
            .as_object()
            .filter(|_| document.flaws.is_empty())
            .ok_or_else(|| broken(number, "not an event".to_owned()))?;
        version::check(object, path, Some(number))?;
        if object.text(PREV) != Some(&place.hash) {
            let all: Vec<&[u8]> = bytes
                .split_inclusive(|byte| *byte == b'\n')
                .map(|line| line.strip_suffix(b"\n").unwrap_or(line))
                .collect();
            return Err(broken(number, broken::why(&all, index, written)));
        }
        let event = Event::from_object(object).ok_or_else(|| {
            broken(
                number,
                "not an event that this countersign reads".to_owned(),
            )
        })?;
        history.events.push(event);
        place.pass(line);
    }
    match written {
        Some(end) if end.line > place.lines => {
            let (number, left) = (place.lines + 1, place.lines);
            let why = format!(
                "the end is gone: line {} was written, and {left} are left",
                end.line
            );
            Err(broken(number, why))
        }
        // The lines after it follow from it, if there are any.
        Some(end) if end.line == place.lines && end.hash != place.hash => Err(broken(
            end.line,
            "it was edited: it is not what was written last".to_owned(),
        )),
        _ => Ok((history, place)),
    }
}

/// A history that may be appended to; it holds the server's lock.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    end_path: PathBuf,
    history: History,
    place: Place,
    repaired: bool,
    _guard: Guard,
}

impl Writer {
    /// What was observed so far, with what was appended here.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Whether a torn last line was cut when the lock was taken.
    pub fn repaired(&self) -> bool {
        self.repaired
    }

    /// Appends an event and brings it to the disk. False if it tells nothing new (the same catalogue, still
    /// unreachable, …), and then nothing is written. On an error the history is as it was, or has the event.
    pub fn append(&mut self, event: Event) -> Result<bool, StoreError> {
        if self.history.tells(&event) {
            return Ok(false);
        }
        let mut object = event.to_object();
        object.set(PREV, Value::from(self.place.hash.as_str()));
        let mut line = canonical::to_text(&canonical::canonical(&Value::Object(object)));
        line.push('\n');
        self.write(line.as_bytes())
            .map_err(|cause| StoreError::io("write", &self.path, cause))?;
        self.place.pass(line.trim_end_matches('\n').as_bytes());
        self.history.events.push(event);
        if let Some(end) = self.place.known() {
            end.write(&self.end_path)?;
        }
        Ok(true)
    }

    fn write(&self, line: &[u8]) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.mode(0o600);
        }
        let mut file = options.open(&self.path)?;
        let written = file.write_all(line).and_then(|()| file.sync_data());
        if let Err(error) = written {
            self.take_back(&file);
            return Err(error);
        }
        match self.path.parent() {
            Some(folder) if self.place.length == 0 => atomic::sync_folder(folder),
            _ => Ok(()),
        }
    }

    /// Best effort: what stays of the line is torn, and the next writer cuts it.
    fn take_back(&self, file: &File) {
        let _ = file.set_len(self.place.length);
    }
}

#[cfg(test)]
mod tests;
