//! A job object: it ends as a whole, whatever its processes have started.

use process_wrap::tokio::{ChildWrapper, CommandWrap, JobObject, KillOnDrop};
use std::io;
use std::time::Duration;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

/// How long a server may take to notice that its input is closed.
const CLOSED_WAIT: Duration = Duration::from_millis(100);
/// How long the system may take to end a job.
const KILL_WAIT: Duration = Duration::from_secs(1);

/// A child process and its job.
#[derive(Debug)]
pub(super) struct Group {
    child: Box<dyn ChildWrapper>,
}

impl Group {
    pub(super) fn spawn(command: Command) -> io::Result<Self> {
        let mut wrapped = CommandWrap::from(command);
        wrapped.wrap(KillOnDrop).wrap(JobObject);
        Ok(Self {
            child: wrapped.spawn()?,
        })
    }

    pub(super) fn pipes(
        &mut self,
    ) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        (
            self.child.stdin().take(),
            self.child.stdout().take(),
            self.child.stderr().take(),
        )
    }

    /// How the process ended, if it does so by itself in time.
    pub(super) async fn exit(&mut self, within: Duration) -> Option<String> {
        let status = timeout(within, self.child.inner_mut().wait())
            .await
            .ok()?
            .ok()?;
        Some(format!("exit status {}", status.code()?))
    }

    /// Ends everything.
    pub(super) async fn end(&mut self) {
        let _ = timeout(CLOSED_WAIT, self.child.wait()).await;
        let _ = self.child.start_kill();
        let _ = timeout(KILL_WAIT, self.child.wait()).await;
    }
}
