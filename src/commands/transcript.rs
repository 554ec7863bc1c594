//! `--transcript FILE`: what was said between countersign and each server, for a bug report or to be replayed.
//!
//! JSON lines. The first is `{"transcript":1,"program":"countersign/VERSION"}`; each other one is a message,
//! `{"server":NAME,"way":"sent"|"received","message":TEXT}`, in the order in which they passed. TEXT is what was
//! sent, secrets replaced by their names, bytes that are no UTF-8 by U+FFFD; where it is not JSON it was none. Past
//! the bound stands `{"cut":true}` and nothing more.

use crate::client::Direction;
use crate::model::{Problem, ServerName};
use serde_json::json;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// How large the file may get, in bytes.
const BOUND: usize = 64 << 20;

/// The file.
pub(super) struct Transcript {
    path: PathBuf,
    state: Mutex<State>,
}

struct State {
    file: File,
    /// Bytes that may still be written.
    left: usize,
    is_cut: bool,
    failed: Option<io::Error>,
}

impl Transcript {
    /// Begins a transcript; a file of that name is replaced.
    pub(super) fn create(path: &Path) -> Result<Self, Problem> {
        Self::bounded(path, BOUND)
    }

    fn bounded(path: &Path, bound: usize) -> Result<Self, Problem> {
        let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
        let transcript = Self {
            path: path.to_owned(),
            state: Mutex::new(State {
                file,
                left: bound,
                is_cut: false,
                failed: None,
            }),
        };
        let program = concat!("countersign/", env!("CARGO_PKG_VERSION"));
        transcript.write(&json!({ "transcript": 1, "program": program }));
        Ok(transcript)
    }

    /// Writes one message down; secrets are out of it already.
    pub(super) fn note(&self, server: &ServerName, direction: Direction, message: &str) {
        let way = match direction {
            Direction::Sent => "sent",
            Direction::Received => "received",
        };
        self.write(&json!({ "server": server.as_str(), "way": way, "message": message }));
    }

    /// Says whether all of it could be written.
    pub(super) fn finish(&self) -> Result<(), Problem> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.failed.take() {
            Some(error) => Err(cannot_write(&self.path, &error)),
            None => Ok(()),
        }
    }

    fn write(&self, line: &serde_json::Value) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_cut || state.failed.is_some() {
            return;
        }
        let mut line = format!("{line}\n");
        if line.len() > state.left {
            state.is_cut = true;
            line = format!("{}\n", json!({ "cut": true }));
        } else {
            state.left -= line.len();
        }
        // Line by line: what was said before a run was ended is what it was asked for.
        if let Err(error) = state.file.write_all(line.as_bytes()) {
            state.failed = Some(error);
        }
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Problem {
    Problem::new(
        "file",
        format!("cannot write the transcript `{}`: {error}", path.display()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_ends_at_its_bound_and_says_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t");
        let transcript = Transcript::bounded(&path, 200).expect("a file");
        let server = ServerName::new("notes");
        transcript.note(&server, Direction::Sent, "{\"a\":\"\u{2028}\n\"}");
        transcript.note(&server, Direction::Received, &"x".repeat(200));
        transcript.note(&server, Direction::Received, "late");
        transcript.finish().expect("written");
        let text = std::fs::read_to_string(&path).expect("a file");
        let lines: Vec<serde_json::Value> = text
            .split_terminator('\n')
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0]["transcript"], 1);
        assert_eq!(lines[1]["message"], "{\"a\":\"\u{2028}\n\"}");
        assert_eq!(lines[1]["way"], "sent");
        assert_eq!(lines[2], json!({ "cut": true }));
    }
}
