//! A server as a child process: one message a line on its standard input and output.

use super::frames::Frames;
use super::process::Process;
use super::{Bounds, Direction, Failure, Remains, Tap};
use std::collections::BTreeMap;
use std::path::Path;
use tokio::io::AsyncWriteExt as _;
use tokio::process::{ChildStdin, ChildStdout};

/// A running server.
pub(crate) struct Stdio {
    // The streams come before the process: they are dropped first, and a server may end by itself on that.
    input: ChildStdin,
    output: Frames<ChildStdout>,
    process: Process,
    tap: Tap,
    has_ended: bool,
}

impl Stdio {
    pub(super) fn spawn(
        command: &str,
        args: &[String],
        cwd: Option<&Path>,
        env: &BTreeMap<String, String>,
        bounds: &Bounds,
        tap: Tap,
    ) -> Result<Self, Failure> {
        let (process, input, output) =
            Process::spawn(command, args, cwd, env, tap.secrets.clone())?;
        Ok(Self {
            input,
            output: Frames::new(output, bounds.frame_bytes),
            process,
            tap,
            has_ended: false,
        })
    }

    /// Writes a message. A server that has closed its input is left to the reading side: what it said before
    /// may still stand in the pipe.
    pub(super) async fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.tap.show(Direction::Sent, text.as_bytes());
        let line = format!("{text}\n");
        if self.input.write_all(line.as_bytes()).await.is_ok() {
            let _ = self.input.flush().await;
        }
        Ok(())
    }

    pub(super) async fn read(&mut self) -> Result<Vec<u8>, Failure> {
        loop {
            match self.output.next().await? {
                // Blank lines say nothing.
                Some(frame) if frame.iter().all(u8::is_ascii_whitespace) => {}
                Some(frame) => {
                    self.tap.show(Direction::Received, &frame);
                    return Ok(frame);
                }
                None => {
                    self.has_ended = true;
                    return Err(Failure::Ended);
                }
            }
        }
    }

    /// Both streams by themselves, and what keeps the process.
    pub(super) fn into_parts(self) -> (ChildStdin, Frames<ChildStdout>, Process, Tap) {
        (self.input, self.output, self.process, self.tap)
    }

    pub(super) async fn close(self) -> Remains {
        let Self {
            input,
            output,
            process,
            has_ended,
            ..
        } = self;
        // A last message that was cut off says less than the end that cut it off.
        let has_ended = has_ended || output.has_ended();
        drop((input, output));
        process.end(has_ended).await
    }
}
