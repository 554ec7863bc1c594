//! The beginning of a talk with a server whose era was found out before.
//!
//! A modern server is asked what it is asked anyhow. A legacy one is spared a question that some end at and others
//! pass over: it is greeted at once, and asked after all when it does not answer as it did.

use super::hello::{LEGACY, MODERN, newest};
use super::session::Session;
use super::trouble::Trouble;
use crate::capture::Hello;
use crate::transport::Failure;
use serde_json::Map;
use tokio::time::timeout;

impl Session<'_> {
    /// Greets a server that was found to be a legacy one; probes it as one that nothing is known of if that fails.
    pub(super) async fn recall(&mut self) -> Result<Hello, Trouble> {
        self.open().await?;
        let is_process = self.transport()?.is_process();
        // Ending a process that is slow to start would make it start again: it gets time. A URL has started.
        let patience = if is_process {
            self.options.start_timeout / 2
        } else {
            self.options.probe_timeout
        };
        match timeout(patience, self.initialize(newest(&LEGACY))).await {
            Ok(Ok(hello)) if self.speaks_legacy() => Ok(hello),
            Ok(Err(trouble)) if would_come_again(&trouble) => Err(trouble.into_root()),
            Err(_) if is_process => self.after_silent_handshake().await,
            Ok(_) | Err(_) => {
                self.forget_oddities();
                self.probe().await
            }
        }
    }

    /// Whether the revision in force is a legacy one that countersign knows.
    fn speaks_legacy(&self) -> bool {
        let revision = self.revision.as_deref();
        revision.is_some_and(|revision| LEGACY.contains(&revision))
    }

    /// The process has said nothing. It may be starting still, or have become a modern server that passes over what
    /// it does not know: it is asked that too.
    async fn after_silent_handshake(&mut self) -> Result<Hello, Trouble> {
        let handshake = self.last_id();
        self.speak_modern(newest(&MODERN));
        let probe = self.send("server/discover", Map::new()).await?;
        self.first_of(probe, handshake, newest(&LEGACY)).await
    }
}

/// Whether a failure has nothing to do with what was asked, so that asking in another way is a burden and no help.
fn would_come_again(trouble: &Trouble) -> bool {
    match trouble.root() {
        Trouble::Wire(Failure::Connect { .. } | Failure::Tls(_)) => true,
        Trouble::Wire(Failure::Status(refusal)) => refusal.says_nothing_about_eras(),
        _ => false,
    }
}
