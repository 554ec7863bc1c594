//! The history of a server: append-only lines of canonical JSON, each with the SHA-256 of the line before it.
//!
//! A last line that a crash left torn is cut by the next writer, and said. Any other line that does not follow
//! is an error: nothing is repaired, and nothing is written after it.

use super::head::{self, Head};
use super::{Event, Guard, ServerStore, StoreError, Taken, What, atomic, lock, regular};
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
    /// Whether lines are gone that it was known to have.
    pub shortened: bool,
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
        Ok(self.read_history()?.0)
    }

    /// Checks the chain of the history, that it lacks no line that it is known to have had, and every snapshot that it
    /// names.
    pub fn verify(&self) -> Result<History, StoreError> {
        let history = self.history()?;
        self.check_length(&history)?;
        for taken in history.events.iter().filter_map(|event| event.what.taken()) {
            self.read_snapshot(taken.snapshot)?;
        }
        Ok(history)
    }

    fn check_length(&self, history: &History) -> Result<(), StoreError> {
        let shortened = |witness: &Path, why: String| StoreError::Shortened {
            path: self.history_path(),
            witness: witness.to_owned(),
            why,
        };
        if history.shortened
            && let Some(head) = self.head()?
        {
            let why = format!("`{}` knows of {}", self.head.display(), head.lines);
            return Err(shortened(&self.head, why));
        }
        // One of before such heads were kept.
        let snapshots = self.folder.join("snapshots");
        if history.latest().is_none()
            && let Ok(mut entries) = std::fs::read_dir(&snapshots)
            && entries.next().is_some()
        {
            let why = format!("it tells of none of `{}`", snapshots.display());
            return Err(shortened(&snapshots, why));
        }
        Ok(())
    }

    /// Holds the server against other runs, until the writer is dropped, and cuts a torn last line.
    pub fn lock(&self) -> Result<Writer, StoreError> {
        let guard = lock::acquire(&self.folder.join("lock"))?;
        let (history, end) = self.read_history()?;
        let path = self.history_path();
        let repaired = history.torn;
        if repaired {
            OpenOptions::new()
                .write(true)
                .open(&path)
                .and_then(|file| file.set_len(end.length))
                .map_err(|cause| StoreError::io("write", &path, cause))?;
        }
        Ok(Writer {
            path,
            head: self.head.clone(),
            history: History {
                torn: false,
                ..history
            },
            end,
            repaired,
            _guard: guard,
        })
    }

    fn history_path(&self) -> PathBuf {
        self.folder.join("history.jsonl")
    }

    fn read_history(&self) -> Result<(History, End), StoreError> {
        let path = self.history_path();
        let bytes = regular::own(&path)?.unwrap_or_default();
        let (mut history, mut end) = read(&path, &bytes)?;
        // Damage of what was noted is no reason to take the history for whole.
        history.shortened = match self.head() {
            Ok(None) => false,
            Ok(Some(head)) => !end.passed(&head),
            Err(_) => true,
        };
        end.hashes.clear();
        Ok((history, end))
    }
}

/// Where the next line goes.
#[derive(Debug)]
struct End {
    /// Bytes of whole lines.
    length: u64,
    /// The hash of the last of them.
    hash: String,
    /// How many lines they are.
    lines: usize,
    /// The hash of each, while the history is read.
    hashes: Vec<String>,
}

impl End {
    fn start() -> Self {
        Self {
            length: 0,
            hash: START.to_owned(),
            lines: 0,
            hashes: Vec::new(),
        }
    }

    fn passed(&self, head: &Head) -> bool {
        match head.lines.checked_sub(1) {
            Some(last) => self.hashes.get(last) == Some(&head.hash),
            None => true,
        }
    }

    fn pass(&mut self, line: &[u8]) {
        self.length += line.len() as u64 + 1;
        self.hash = Digest::of_raw(line).hex();
        self.lines += 1;
    }
}

fn read(path: &Path, bytes: &[u8]) -> Result<(History, End), StoreError> {
    let (mut history, mut end) = (History::default(), End::start());
    let mut lines = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .enumerate()
        .peekable();
    while let Some((index, line)) = lines.next() {
        let broken = |why: String| StoreError::Broken {
            path: path.to_owned(),
            line: index + 1,
            why,
        };
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
            Some((_, Err(error))) => return Err(broken(error.kind.to_string())),
            None => return Err(broken("the line does not end".to_owned())),
        };
        let object = document
            .value
            .as_object()
            .filter(|_| document.flaws.is_empty())
            .ok_or_else(|| broken("not an event".to_owned()))?;
        if object.text(PREV) != Some(&end.hash) {
            let why = if index == 0 {
                "the first lines are gone: it names one before it".to_owned()
            } else {
                format!(
                    "it does not follow from line {index}: one of them was edited, or a line is gone"
                )
            };
            return Err(broken(why));
        }
        let event = Event::from_object(object)
            .ok_or_else(|| broken("not an event that this countersign reads".to_owned()))?;
        history.events.push(event);
        end.pass(line);
        end.hashes.push(end.hash.clone());
    }
    Ok((history, end))
}

/// A history that may be appended to; it holds the server's lock.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    head: PathBuf,
    history: History,
    end: End,
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
    /// unreachable, …), and then nothing is written. On an error the history is as it was.
    pub fn append(&mut self, event: Event) -> Result<bool, StoreError> {
        if self.history.tells(&event) {
            return Ok(false);
        }
        let mut object = event.to_object();
        object.set(PREV, Value::from(self.end.hash.as_str()));
        let mut line = canonical::to_text(&canonical::canonical(&Value::Object(object)));
        line.push('\n');
        self.write(line.as_bytes())
            .map_err(|cause| StoreError::io("write", &self.path, cause))?;
        self.end.pass(line.trim_end_matches('\n').as_bytes());
        // What knows of lines that are gone stays until a person has seen it.
        if !self.history.shortened {
            let head = Head {
                lines: self.end.lines,
                hash: self.end.hash.clone(),
            };
            // It may be behind: the line is there, whatever becomes of this.
            let _ = head::write(&self.head, &head);
        }
        self.history.events.push(event);
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
            Some(folder) if self.end.length == 0 => atomic::sync_folder(folder),
            _ => Ok(()),
        }
    }

    /// Best effort: what stays of the line is torn, and the next writer cuts it.
    fn take_back(&self, file: &File) {
        let _ = file.set_len(self.end.length);
    }
}

#[cfg(test)]
mod tests;
