//! A process group: asked to end, then made to, before its leader is reaped, so that its number cannot have
//! become somebody else's.

#[cfg(target_os = "linux")]
use super::strays;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid,
};
use std::io;
use std::time::Duration;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::signal::unix::{Signal as Signals, SignalKind, signal};
use tokio::time::{Instant, sleep};

/// How long a server may take to notice that its input is closed. Many never do.
const CLOSED_WAIT: Duration = Duration::from_millis(100);
/// How long it may take to obey SIGTERM, and the kernel to obey SIGKILL.
const SIGNAL_WAIT: Duration = Duration::from_secs(1);
/// How often it is looked at meanwhile, beside whenever a child ends.
const LOOK: Duration = Duration::from_millis(5);

/// Wakes whenever a child of ours has ended, and now and then. Made before the first look, it misses no end.
struct Ends(Option<Signals>);

impl Ends {
    fn new() -> Self {
        Self(signal(SignalKind::child()).ok())
    }

    async fn next(&mut self) {
        let Some(signals) = &mut self.0 else {
            return sleep(LOOK).await;
        };
        tokio::select! {
            _ = signals.recv() => {}
            () = sleep(LOOK) => {}
        }
    }
}

/// A child process and the group that it leads.
#[derive(Debug)]
pub(super) struct Group {
    child: Child,
    pid: Pid,
    is_over: bool,
}

impl Group {
    pub(super) fn spawn(mut command: Command) -> io::Result<Self> {
        command.process_group(0).kill_on_drop(true);
        #[cfg(target_os = "linux")]
        let registered = strays::Registration::new();
        let child = command.spawn()?;
        let pid = child
            .id()
            .and_then(|id| i32::try_from(id).ok())
            .and_then(Pid::from_raw)
            .ok_or_else(|| io::Error::other("it has no process id"))?;
        #[cfg(target_os = "linux")]
        registered.complete(pid);
        Ok(Self {
            child,
            pid,
            is_over: false,
        })
    }

    pub(super) fn pipes(
        &mut self,
    ) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        (
            self.child.stdin.take(),
            self.child.stdout.take(),
            self.child.stderr.take(),
        )
    }

    /// How the leader ended, if it does so by itself in time. It is not reaped.
    pub(super) async fn exit(&mut self, within: Duration) -> Option<String> {
        let (deadline, mut ends) = (Instant::now() + within, Ends::new());
        loop {
            if let Some(status) = self.status() {
                return match (status.exit_status(), status.terminating_signal()) {
                    (Some(code), _) => Some(format!("exit status {code}")),
                    (_, Some(signal)) => Some(format!("signal {signal}")),
                    _ => None,
                };
            }
            if Instant::now() >= deadline {
                return None;
            }
            ends.next().await;
        }
    }

    /// Ends everything: nothing is done yet, TERM, KILL, each with its time.
    pub(super) async fn end(&mut self) {
        let mut is_gone = self.is_gone_within(CLOSED_WAIT).await;
        for signal in [Signal::TERM, Signal::KILL] {
            if !is_gone {
                self.signal(signal);
                is_gone = self.is_gone_within(SIGNAL_WAIT).await;
            }
        }
        self.finish(is_gone);
        let _ = tokio::time::timeout(SIGNAL_WAIT, self.child.wait()).await;
    }

    /// The last signal, for what could not be seen, and the end of the record of this group.
    fn finish(&mut self, is_gone: bool) {
        if std::mem::replace(&mut self.is_over, true) {
            return;
        }
        if is_gone || self.is_gone() {
            let _ = kill_process_group(self.pid, Signal::KILL);
        } else {
            self.signal(Signal::KILL);
        }
        #[cfg(target_os = "linux")]
        strays::forget(self.pid);
    }

    fn status(&self) -> Option<WaitIdStatus> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(self.pid), options).ok().flatten()
    }

    async fn is_gone_within(&self, within: Duration) -> bool {
        let (deadline, mut ends) = (Instant::now() + within, Ends::new());
        loop {
            if self.is_gone() {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            ends.next().await;
        }
    }

    #[cfg(target_os = "linux")]
    fn is_gone(&self) -> bool {
        self.status().is_some() && (strays::has_none() || strays::left_of(self.pid).is_empty())
    }

    /// An unreaped leader keeps its group's number in use, so nobody can say whether others are in it: they get
    /// their time, and then the signals.
    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "the same call as on Linux")]
    fn is_gone(&self) -> bool {
        false
    }

    fn signal(&self, signal: Signal) {
        // What left the group first: its parents tell where it came from only while they live.
        #[cfg(target_os = "linux")]
        for pid in strays::left_of(self.pid) {
            let _ = rustix::process::kill_process(pid, signal);
        }
        let _ = kill_process_group(self.pid, signal);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.finish(false);
    }
}
