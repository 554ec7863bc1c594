//! One child process: what it inherits, what it writes to stderr, and that nothing of it stays behind.
//!
//! On Unix it leads a process group of its own, on Windows a job; both are ended on every path, also when the
//! future that holds it is dropped. On Linux what left the group is found too.

#[cfg(target_os = "linux")]
mod strays;
mod told;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub(crate) use told::tell;
#[cfg(unix)]
use unix::Group;
#[cfg(windows)]
use windows::Group;

use super::{Failure, Remains, cut};
use crate::secret::Secrets;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;

/// What every server inherits: the short list that the official SDKs pass. The rest of our environment may hold
/// secrets that are not the server's business.
#[cfg(not(windows))]
const INHERITED: &[&str] = &["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];
#[cfg(windows)]
const INHERITED: &[&str] = &[
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "USERNAME",
    "USERPROFILE",
];

/// How long an ended output may be followed by the end of the process.
const EXIT_WAIT: Duration = Duration::from_millis(500);
/// How long stderr may outlive the process.
const STDERR_WAIT: Duration = Duration::from_millis(100);
/// How many of the last lines of stderr an error shows, and how many characters of them.
const STDERR_LINES: usize = 5;
const STDERR_CHARACTERS: usize = 1000;

/// A running child process.
#[derive(Debug)]
pub(super) struct Process {
    group: Group,
    tail: Arc<Mutex<Tail>>,
    drain: Task,
    secrets: Secrets,
}

/// A task that ends with its owner.
#[derive(Debug)]
struct Task(JoinHandle<()>);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Process {
    /// Starts a program; `env` comes on top of what every server inherits. Stderr is drained from now on.
    pub(super) fn spawn(
        command: &str,
        args: &[String],
        cwd: Option<&Path>,
        env: &BTreeMap<String, String>,
        secrets: Secrets,
    ) -> Result<(Self, ChildStdin, ChildStdout), Failure> {
        let mut built = Command::new(command);
        built
            .args(args)
            .env_clear()
            .envs(
                INHERITED
                    .iter()
                    .filter_map(|name| Some((*name, std::env::var_os(name)?))),
            )
            .envs(env)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(cwd) = cwd {
            built.current_dir(cwd);
        }
        let broken = |cause: String| Failure::Spawn {
            command: secrets.redact(command),
            cause,
        };
        let mut group = Group::spawn(built).map_err(|error| match error.kind() {
            ErrorKind::NotFound if cwd.is_some_and(|cwd| !cwd.is_dir()) => {
                Failure::NoDirectory(cwd.unwrap_or(Path::new("")).display().to_string())
            }
            ErrorKind::NotFound => Failure::NoProgram(secrets.redact(command)),
            _ => broken(error.to_string()),
        })?;
        let (Some(stdin), Some(stdout), Some(stderr)) = group.pipes() else {
            return Err(broken("its standard streams are not pipes".to_owned()));
        };
        let tail = Arc::new(Mutex::new(Tail::default()));
        let drain = Task(tokio::spawn(drain(stderr, Arc::clone(&tail))));
        let process = Self {
            group,
            tail,
            drain,
            secrets,
        };
        Ok((process, stdin, stdout))
    }

    /// Ends the process and what it started. The caller has closed its standard streams. `ended` says that it
    /// closed its output by itself, so that its exit status tells why.
    pub(super) async fn end(mut self, ended: bool) -> Remains {
        let exit = if ended {
            self.group.exit(EXIT_WAIT).await
        } else {
            None
        };
        self.group.end().await;
        // What it wrote last is the most telling; whoever still holds the other end may not delay us for long.
        let _ = tokio::time::timeout(STDERR_WAIT, &mut self.drain.0).await;
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        Remains {
            exit,
            stderr: tail.last_lines(&self.secrets),
        }
    }
}

/// The end of what a process wrote to stderr.
#[derive(Debug, Default)]
struct Tail {
    bytes: Vec<u8>,
    is_cut: bool,
}

impl Tail {
    const SIZE: usize = 16 << 10;

    fn push(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
        if self.bytes.len() > Self::SIZE {
            self.bytes.drain(..self.bytes.len() - Self::SIZE);
            self.is_cut = true;
        }
    }

    /// The last lines that say something, joined by ` | `. Secrets go before anything is cut; a line that has
    /// lost its beginning may hold half of one, and is left out.
    fn last_lines(&self, secrets: &Secrets) -> Option<String> {
        let text = String::from_utf8_lossy(&self.bytes);
        let whole = match text.split_once('\n') {
            Some((_, rest)) if self.is_cut => rest,
            None if self.is_cut => "",
            _ => &text,
        };
        let redacted = secrets.redact(whole);
        let lines: Vec<&str> = redacted
            .lines()
            .map(str::trim_end)
            .filter(|line| !line.is_empty())
            .collect();
        let last = lines[lines.len().saturating_sub(STDERR_LINES)..].join(" | ");
        (!last.is_empty()).then(|| cut(&last, STDERR_CHARACTERS))
    }
}

/// Reads to the end, in pieces rather than lines: nobody promised lines.
async fn drain(mut stderr: impl AsyncRead + Unpin, tail: Arc<Mutex<Tail>>) {
    let mut piece = [0; 8 << 10];
    while let Ok(count) = stderr.read(&mut piece).await {
        if count == 0 {
            break;
        }
        tail.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(&piece[..count]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_shows_whole_lines_without_secrets() {
        let mut secrets = Secrets::default();
        secrets.add("TOKEN", "hunter22");
        let mut tail = Tail::default();
        tail.push(b"one\r\n\n\xb4\xff two hunter22\n");
        assert_eq!(
            tail.last_lines(&secrets).as_deref(),
            Some("one | \u{fffd}\u{fffd} two ${TOKEN}")
        );
        tail.push(&[b'x'; Tail::SIZE - 3]);
        tail.push(b"\nz\n");
        assert_eq!(tail.last_lines(&secrets).as_deref(), Some("z"));
        assert_eq!(tail.bytes.len(), Tail::SIZE);
        assert_eq!(Tail::default().last_lines(&secrets), None);
    }
}
