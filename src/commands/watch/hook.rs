//! The command of `--exec`: run for each change, one after another, without a shell and within a time.

use super::super::world::World;
use super::say;
use crate::cli;
use crate::model::Problem;
use crate::transport;
use std::io;
use std::path::PathBuf;
use std::time::Duration;
use tokio::process::Command;
use tokio::sync::mpsc;

/// How many changes wait while the command runs. More wait where they are found.
const WAITING: usize = 16;

/// What one run of the command is told.
struct Job {
    variables: Vec<(&'static str, String)>,
    text: String,
}

/// Where changes are put.
pub(super) struct Queue(mpsc::Sender<Job>);

/// The command.
pub(super) struct Hook {
    words: Vec<String>,
    directory: PathBuf,
    patience: Duration,
    queue: mpsc::Sender<Job>,
    jobs: mpsc::Receiver<Job>,
}

impl Hook {
    /// The command that the command line names; `None` if it names none.
    ///
    /// # Errors
    /// `usage`: it is empty, or a quote is not closed.
    pub(super) fn begin(world: &World, args: &cli::Watch) -> Result<Option<Self>, Problem> {
        let Some(line) = &args.exec else {
            return Ok(None);
        };
        let words = shlex::split(line)
            .ok_or_else(|| Problem::new("usage", "a quote in `--exec` is not closed"))?;
        if words.is_empty() {
            return Err(Problem::new("usage", "`--exec` names no command"));
        }
        let (queue, jobs) = mpsc::channel(WAITING);
        Ok(Some(Self {
            words,
            directory: world.cwd.clone(),
            patience: args.exec_timeout,
            queue,
            jobs,
        }))
    }

    /// Where changes are put for it.
    pub(super) fn queue(&self) -> Queue {
        Queue(self.queue.clone())
    }

    /// Runs it for each change that is put there, for ever.
    pub(super) async fn work(hook: Option<Self>) {
        let Some(mut hook) = hook else {
            return std::future::pending().await;
        };
        while let Some(job) = hook.jobs.recv().await {
            if let Err(cause) = hook.run(job).await {
                // Its arguments are not told: one of them may be a secret.
                say(&format!(
                    "the command of --exec, `{}`, {cause}",
                    hook.words[0]
                ));
            }
        }
    }

    async fn run(&self, job: Job) -> Result<(), String> {
        let mut command = Command::new(&self.words[0]);
        command
            .args(&self.words[1..])
            .current_dir(&self.directory)
            .envs(job.variables)
            // Standard output is ours: what is read there is one document a line.
            .stdout(io::stderr())
            .stderr(io::stderr());
        transport::tell(command, job.text.as_bytes(), self.patience).await
    }
}

impl Queue {
    /// Puts a change there, once there is room.
    pub(super) async fn put(&self, variables: Vec<(&'static str, String)>, text: String) {
        // The command outlives whoever puts something there.
        let _ = self.0.send(Job { variables, text }).await;
    }
}
