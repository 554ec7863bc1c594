//! A command that prints a token, such as `gcloud auth print-access-token`.
//!
//! It is run without a shell, once a run, and once more if a server refuses what it printed. What it prints is a
//! secret; time and output are bounded.

use super::Token;
use crate::model::Problem;
use crate::secret::Secrets;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;
use tokio::sync::Mutex;

/// How long it may take: it may have to ask a server of its own.
const PATIENCE: Duration = Duration::from_mins(1);
/// Bytes that a token may have, and that are read of what the command says to stderr.
const LONGEST: usize = 64 << 10;
/// How many characters of the last line on stderr are shown.
const EXCERPT: usize = 200;
/// How often it is run: at first, and once more.
const RUNS: u8 = 2;

/// A command, and what it printed last.
pub struct TokenCommand {
    words: Vec<String>,
    directory: PathBuf,
    patience: Duration,
    last: Mutex<Last>,
}

#[derive(Default)]
struct Last {
    runs: u8,
    token: Option<Token>,
}

impl TokenCommand {
    /// Takes a command line apart as a shell would; it is run in that directory.
    ///
    /// # Errors
    /// `usage`: it is empty, or a quote is not closed.
    pub fn parse(line: &str, directory: PathBuf) -> Result<Self, Problem> {
        let words = shlex::split(line)
            .ok_or_else(|| Problem::new("usage", "a quote in `--token-command` is not closed"))?;
        if words.is_empty() {
            return Err(Problem::new("usage", "`--token-command` names no command"));
        }
        Ok(Self {
            words,
            directory,
            patience: PATIENCE,
            last: Mutex::default(),
        })
    }

    /// The same command, not run yet: for another sign-in of a run that goes on for longer than a token holds.
    #[must_use]
    pub fn anew(&self) -> Self {
        Self {
            words: self.words.clone(),
            directory: self.directory.clone(),
            patience: self.patience,
            last: Mutex::default(),
        }
    }

    /// What is run. Its arguments are not told: one of them may be a secret.
    pub(super) fn program(&self) -> &str {
        &self.words[0]
    }

    /// What it prints. Servers that ask side by side get the same token; who names the one that was refused gets a
    /// newer one, and none after the second run.
    pub(super) async fn token(&self, refused: Option<&Token>) -> Result<Option<Token>, Problem> {
        let mut last = self.last.lock().await;
        if last.token.is_some() && last.token.as_ref() != refused {
            return Ok(last.token.clone());
        }
        if last.runs == RUNS {
            return Ok(None);
        }
        last.runs += 1;
        last.token = Some(self.run().await?);
        Ok(last.token.clone())
    }

    async fn run(&self) -> Result<Token, Problem> {
        let program = self.program();
        let failed = |how: String| {
            // Its arguments are not shown: one of them may be a secret.
            Problem::new("auth", format!("the token command `{program}` {how}"))
        };
        let mut child = Command::new(program)
            .args(&self.words[1..])
            .current_dir(&self.directory)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| failed(format!("cannot be started: {error}")))?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let work = async {
            let (stdout, stderr, status) = tokio::join!(read(stdout), read(stderr), child.wait());
            (stdout, stderr, status)
        };
        let Ok((stdout, stderr, status)) = tokio::time::timeout(self.patience, work).await else {
            let within = self.patience.as_secs_f64();
            return Err(failed(format!("did not end within {within} s")));
        };
        let status = status.map_err(|error| failed(format!("was lost: {error}")))?;
        let token = stdout.trim();
        if !status.success() {
            let mut secrets = Secrets::default();
            secrets.add("token", token);
            let last = stderr.trim().lines().last().unwrap_or_default();
            let said: String = secrets.redact(last).chars().take(EXCERPT).collect();
            return Err(failed(if said.is_empty() {
                format!("ended with {status}")
            } else {
                format!("ended with {status}: `{said}`")
            }));
        }
        match Token::new(token) {
            Some(token) => Ok(token),
            None if token.is_empty() => Err(failed("printed nothing".to_owned())),
            None if stdout.len() > LONGEST => {
                Err(failed(format!("printed more than {LONGEST} bytes")))
            }
            None => Err(failed(
                "printed something other than a token in one line".to_owned(),
            )),
        }
    }
}

/// What is written there, as far as a token may reach and one byte more; the rest is read and let go of, so that
/// nobody waits on a full pipe.
async fn read(pipe: Option<impl AsyncRead + Unpin>) -> String {
    let mut kept = Vec::new();
    if let Some(mut pipe) = pipe {
        // A pipe that breaks has given what it had.
        let _ = (&mut pipe)
            .take(LONGEST as u64 + 1)
            .read_to_end(&mut kept)
            .await;
        let _ = tokio::io::copy(&mut pipe, &mut tokio::io::sink()).await;
    }
    String::from_utf8_lossy(&kept).into_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn run(line: &str, patience: Duration) -> Result<Token, String> {
        let mut command = TokenCommand::parse(line, std::env::temp_dir()).expect("a command");
        command.patience = patience;
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime")
            .block_on(command.run())
            .map_err(|problem| problem.message)
    }

    #[test]
    fn it_is_run_without_a_shell_and_its_output_is_trimmed() {
        let token = run("printf '%s\\n' 'a b>c'", PATIENCE);
        assert_eq!(
            token.err().as_deref(),
            Some("the token command `printf` printed something other than a token in one line")
        );
        let token = run("echo '$HOME;x'", PATIENCE).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(token.header().1, "Bearer $HOME;x");
    }

    #[test]
    fn what_is_no_token_is_told_without_it() {
        let patience = Duration::from_secs(20);
        for (line, wanted) in [
            ("true", "printed nothing"),
            ("printf 'one\\ntwo'", "something other than a token"),
            ("no-such-program-here", "cannot be started"),
            ("head -c 70000 /dev/zero", "more than 65536 bytes"),
            (
                "sh -c 'echo t0ken-value; echo gone t0ken-value >&2; exit 3'",
                "3: `gone ${token}`",
            ),
        ] {
            let error = run(line, patience).err().expect("no token");
            assert!(error.contains(wanted), "{error}");
        }
        let error = run("sleep 30", Duration::from_millis(200))
            .err()
            .expect("no token");
        assert!(error.contains("did not end within 0.2 s"), "{error}");
    }

    #[test]
    fn a_command_line_that_cannot_be_taken_apart_is_a_usage_error() {
        for line in ["", "  ", "echo 'x"] {
            let problem = TokenCommand::parse(line, PathBuf::new())
                .err()
                .expect("no command");
            assert_eq!(problem.kind, "usage");
        }
    }
}
