//! What is asked of git, as a process: who the user is, and what a commit holds. It never writes.

use crate::model::Problem;
use std::path::Path;
use std::process::{Command, Stdio};

/// What git said.
pub(super) struct Said {
    /// Whether it ended with status 0.
    pub(super) fine: bool,
    /// Its standard output.
    pub(super) stdout: Vec<u8>,
    /// The first line of its standard error. Outside text.
    pub(super) complaint: String,
}

impl Said {
    /// Its standard output as one line of text; `None` if it failed or said nothing.
    pub(super) fn line(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.stdout).trim().to_owned();
        (self.fine && !text.is_empty()).then_some(text)
    }
}

/// Runs git in a folder.
///
/// # Errors
/// If there is no git here.
pub(super) fn ask(folder: &Path, args: &[&str]) -> Result<Said, Problem> {
    let output = Command::new("git")
        .args(args)
        .current_dir(folder)
        // Nobody is asked for a password, and messages are those that are looked for.
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Problem::new("git", format!("cannot run `git`: {error}")))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    Ok(Said {
        fine: output.status.success(),
        complaint: complaint.lines().next().unwrap_or_default().to_owned(),
        stdout: output.stdout,
    })
}

/// git's `user.name <user.email>`.
pub(super) fn identity(folder: &Path) -> Result<String, Problem> {
    let setting = |key: &str| ask(folder, &["config", key]).ok()?.line();
    match (setting("user.name"), setting("user.email")) {
        (Some(name), Some(email)) => Ok(format!("{name} <{email}>")),
        (Some(name), None) => Ok(name),
        (None, Some(email)) => Ok(email),
        (None, None) => Err(
            Problem::new("usage", "who acknowledges? git knows no user.name here")
                .with_hint("--by 'NAME <ADDRESS>'"),
        ),
    }
}
