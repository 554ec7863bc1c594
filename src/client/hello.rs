//! The beginning of a talk: which era the server is of, and the handshake of that era.
//!
//! `server/discover` is asked first (2026-07-28, "Backward Compatibility" of stdio and Streamable HTTP): every
//! modern server answers it, and a legacy one refuses it, ends, or says nothing.

use super::message::{RpcError, texts};
use super::session::{Reply, Session};
use super::trouble::Trouble;
use crate::capture::{Answer, Era, Hello};
use crate::json::Value;
use crate::model::Warning;
use crate::secret::Secrets;
use crate::transport::Failure;
use serde_json::{Map, json};
use tokio::time::timeout;

/// The revisions with an `initialize` handshake, oldest first.
pub(super) const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
/// The revisions without one that countersign speaks, oldest first.
pub(super) const MODERN: [&str; 1] = ["2026-07-28"];

/// Every revision that countersign speaks, oldest first.
pub fn revisions() -> Vec<&'static str> {
    [&LEGACY[..], &MODERN].concat()
}

/// What an HTTP+SSE server answers to a POST (2025-11-25, "Backwards Compatibility").
const OLDER: [u16; 3] = [400, 404, 405];

/// What an answer to `server/discover` says.
enum Verdict {
    /// A modern server and what it says of itself.
    Modern(Answer),
    /// A modern server that wants another revision, or that revision once more.
    Again(&'static str),
    /// A modern server without `server/discover`.
    Undiscovered,
    /// A legacy server; ask it for this revision.
    Legacy(&'static str),
    /// Nothing that a server of either era answers.
    Unusable(Trouble),
}

fn latest(known: &[&'static str], offered: &[String]) -> Option<&'static str> {
    let offers = |revision: &&&str| offered.iter().any(|text| text == **revision);
    known.iter().rev().find(offers).copied()
}

/// The newest of some revisions that are in order.
pub(super) fn newest(known: &[&'static str]) -> &'static str {
    known.last().copied().unwrap_or_default()
}

fn judge(reply: Reply, secrets: &Secrets) -> Verdict {
    match reply {
        Reply::Result(answer) => match answer.result().get("supportedVersions") {
            Some(list @ Value::Array(_)) => {
                let offered = texts(list);
                if latest(&MODERN, &offered).is_some() {
                    Verdict::Modern(answer)
                } else if let Some(revision) = latest(&LEGACY, &offered) {
                    Verdict::Legacy(revision)
                } else {
                    Verdict::Unusable(no_common(&offered, secrets))
                }
            }
            _ => Verdict::Unusable(Trouble::Protocol(
                "the answer to `server/discover` has no list `supportedVersions`".to_owned(),
            )),
        },
        Reply::Error(error) if error.is_modern() => {
            if let Some(revision) = latest(&MODERN, &error.supported) {
                Verdict::Again(revision)
            } else if let Some(revision) = latest(&LEGACY, &error.supported) {
                Verdict::Legacy(revision)
            } else if error.supported.is_empty() {
                Verdict::Again(newest(&MODERN))
            } else {
                Verdict::Unusable(no_common(&error.supported, secrets))
            }
        }
        // What a Streamable HTTP server of 2026-07-28 answers to a method that it does not have.
        Reply::Error(error)
            if error.code == RpcError::METHOD_NOT_FOUND && error.status == Some(404) =>
        {
            Verdict::Undiscovered
        }
        Reply::Error(_) => Verdict::Legacy(newest(&LEGACY)),
    }
}

fn no_common(offered: &[String], secrets: &Secrets) -> Trouble {
    let offered = secrets.excerpt(&offered.join("`, `"), 200);
    Trouble::Protocol(format!(
        "the server speaks only `{offered}`, countersign `{}` to `{}`",
        LEGACY[0],
        newest(&MODERN)
    ))
}

impl Session<'_> {
    /// Starts the server and shakes hands, within the start timeout.
    pub(super) async fn greet(&mut self) -> Result<Hello, Trouble> {
        let within = self.options.start_timeout;
        let protocol = self.options.protocol.as_deref();
        let (what, outcome) = match protocol {
            None => (
                "`server/discover` or `initialize`",
                timeout(within, async {
                    match self.options.known_era {
                        Some(Era::Legacy) => self.recall().await,
                        Some(Era::Modern) | None => self.probe().await,
                    }
                })
                .await,
            ),
            Some(revision) if MODERN.contains(&revision) => (
                "`server/discover`",
                timeout(within, self.greet_modern()).await,
            ),
            Some(revision) => {
                let Some(revision) = LEGACY.into_iter().find(|known| *known == revision) else {
                    let known = revisions().join("`, `");
                    return Err(Trouble::Usage(format!(
                        "no revision `{revision}`; known are `{known}`"
                    )));
                };
                (
                    "`initialize`",
                    timeout(within, self.greet_legacy(revision)).await,
                )
            }
        };
        outcome.unwrap_or(Err(Trouble::Start { what, within }))
    }

    /// The handshake of a server that answered before, whose session is gone.
    pub(super) async fn greet_again(&mut self) -> Result<Hello, Trouble> {
        let within = self.options.start_timeout;
        let ask = LEGACY
            .into_iter()
            .find(|known| Some(*known) == self.revision.as_deref())
            .unwrap_or(newest(&LEGACY));
        timeout(within, self.initialize(ask))
            .await
            .unwrap_or(Err(Trouble::Start {
                what: "`initialize`",
                within,
            }))
    }

    /// Asks a modern server again what it says of itself; a legacy one says that once.
    pub(super) async fn greet_still(&mut self, hello: &mut Hello) -> Result<(), Trouble> {
        if self.era == Era::Legacy {
            return Ok(());
        }
        let within = self.options.timeout;
        let verdict = timeout(within, self.discover())
            .await
            .unwrap_or(Err(Failure::Timeout(within).into()))?;
        match verdict {
            Verdict::Modern(answer) => *hello = Hello::Discover(answer),
            Verdict::Undiscovered => *hello = Hello::None,
            Verdict::Unusable(trouble) => return Err(trouble),
            Verdict::Again(_) | Verdict::Legacy(_) => {
                return Err(Trouble::Protocol(format!(
                    "the server does not speak `{}` any more",
                    newest(&MODERN)
                )));
            }
        }
        Ok(())
    }

    async fn greet_modern(&mut self) -> Result<Hello, Trouble> {
        self.open().await?;
        match self.discover().await? {
            Verdict::Modern(answer) => Ok(Hello::Discover(answer)),
            Verdict::Undiscovered => Ok(Hello::None),
            Verdict::Unusable(trouble) => Err(trouble),
            Verdict::Again(_) | Verdict::Legacy(_) => Err(Trouble::Protocol(format!(
                "the server does not speak `{}`",
                newest(&MODERN)
            ))),
        }
    }

    async fn greet_legacy(&mut self, ask: &'static str) -> Result<Hello, Trouble> {
        self.open().await?;
        self.initialize(ask).await
    }

    /// Finds the era out.
    pub(super) async fn probe(&mut self) -> Result<Hello, Trouble> {
        self.open().await?;
        let patience = self.options.probe_timeout;
        match timeout(patience, self.discover()).await {
            Ok(Ok(verdict)) => self.follow(verdict).await,
            Ok(Err(trouble)) => self.after_failed_probe(trouble).await,
            Err(_) if self.transport()?.is_process() => self.after_silence().await,
            Err(_) => {
                let silence = Trouble::Wire(Failure::Timeout(patience));
                match self.initialize(newest(&LEGACY)).await {
                    // It was slow, not old.
                    Err(Trouble::At { cause, .. }) if matches!(&*cause, Trouble::Rpc(error) if error.is_modern()) => {
                        self.greet_modern().await
                    }
                    other => other.map_err(|trouble| both(silence, trouble)),
                }
            }
        }
    }

    /// Asks `server/discover`, once more if the server wants another revision.
    async fn discover(&mut self) -> Result<Verdict, Trouble> {
        self.speak_modern(newest(&MODERN));
        let first = self.send("server/discover", Map::new()).await?;
        let reply = self.await_reply(&[first]).await?.1;
        let verdict = judge(reply, self.secrets());
        let Verdict::Again(revision) = verdict else {
            return Ok(verdict);
        };
        self.discover_as(revision).await
    }

    async fn discover_as(&mut self, revision: &str) -> Result<Verdict, Trouble> {
        self.speak_modern(revision);
        let second = self.send("server/discover", Map::new()).await?;
        let reply = self.await_reply(&[second]).await?.1;
        if let Reply::Error(error) = &reply
            && error.is_modern()
        {
            return Err(Trouble::Rpc(error.clone()).at("`server/discover` failed"));
        }
        Ok(judge(reply, self.secrets()))
    }

    /// Goes on as the answer to the probe says, in the same process.
    async fn follow(&mut self, verdict: Verdict) -> Result<Hello, Trouble> {
        match verdict {
            Verdict::Modern(answer) => Ok(Hello::Discover(answer)),
            Verdict::Undiscovered => Ok(Hello::None),
            Verdict::Legacy(ask) => self.initialize(ask).await,
            Verdict::Again(revision) => {
                let verdict = self.discover_as(revision).await?;
                Box::pin(self.follow(verdict)).await
            }
            Verdict::Unusable(trouble) => self.after_failed_probe(trouble).await,
        }
    }

    /// A legacy server may end, break or answer nonsense when it is asked what it does not know: it gets a
    /// fresh start. What says nothing about an era is no reason for one.
    async fn after_failed_probe(&mut self, probe: Trouble) -> Result<Hello, Trouble> {
        if !may_be_about_the_era(&probe) {
            return Err(probe);
        }
        if self.transport()?.is_process() {
            self.open().await?;
            // The second start fails as the first one did: one account of it is enough.
            return self.initialize(newest(&LEGACY)).await;
        }
        self.initialize(newest(&LEGACY))
            .await
            .map_err(|trouble| both(probe, trouble))
    }

    /// The server has said nothing. It may be an old one that passes over what it does not know, so it is sent
    /// `initialize` too; or it is still starting (a download, a container), so it is not ended for that.
    async fn after_silence(&mut self) -> Result<Hello, Trouble> {
        let probe = self.last_id();
        let ask = newest(&LEGACY);
        self.speak_legacy();
        let handshake = self.send("initialize", self.handshake(ask)).await?;
        self.first_of(probe, handshake, ask).await
    }

    /// Goes on as the first answer to either question says, in the same process.
    pub(super) async fn first_of(
        &mut self,
        probe: u64,
        handshake: u64,
        ask: &str,
    ) -> Result<Hello, Trouble> {
        match self.await_reply(&[probe, handshake]).await {
            Ok((id, reply)) if id == probe => match judge(reply, self.secrets()) {
                Verdict::Legacy(_) => {
                    let (_, reply) = self.await_reply(&[handshake]).await?;
                    self.shake(reply, ask).await
                }
                verdict => {
                    self.speak_modern(newest(&MODERN));
                    self.follow(verdict).await
                }
            },
            Ok((_, Reply::Error(_))) => self.greet_modern().await,
            Ok((_, reply)) => self.shake(reply, ask).await,
            Err(trouble) => self.after_failed_probe(trouble).await,
        }
    }

    fn handshake(&self, ask: &str) -> Map<String, serde_json::Value> {
        let params = json!({
            "protocolVersion": ask,
            "capabilities": self.options.profile.capabilities(),
            "clientInfo": self.client_info(),
        });
        match params {
            serde_json::Value::Object(members) => members,
            _ => Map::new(),
        }
    }

    /// Shakes hands, the way of 2024-11-05 where the server refuses the one since.
    pub(super) async fn initialize(&mut self, ask: &str) -> Result<Hello, Trouble> {
        let handshake = match self.ask_initialize(ask).await {
            Err(trouble) if trouble.has_status(&OLDER) && self.transport()?.is_streamable() => {
                trouble
            }
            other => return other,
        };
        self.open_sse().await?;
        match self.ask_initialize(ask).await {
            // There is no such stream: what was refused before is the matter.
            Err(Trouble::At { cause, .. })
                if is_no_stream(&cause) && !self.transport()?.listens() =>
            {
                Err(Trouble::NoStream {
                    handshake: Box::new(handshake),
                    stream: cause,
                })
            }
            other => other,
        }
    }

    async fn ask_initialize(&mut self, ask: &str) -> Result<Hello, Trouble> {
        let failed = |trouble: Trouble| trouble.at("`initialize` failed");
        self.speak_legacy();
        let params = self.handshake(ask);
        let id = self.send("initialize", params).await.map_err(failed)?;
        let (_, reply) = self.await_reply(&[id]).await.map_err(failed)?;
        self.shake(reply, ask).await
    }

    /// Takes the answer to `initialize` and confirms it.
    async fn shake(&mut self, reply: Reply, ask: &str) -> Result<Hello, Trouble> {
        let answer = match reply {
            Reply::Result(answer) => answer,
            Reply::Error(error) => return Err(Trouble::Rpc(error).at("`initialize` failed")),
        };
        let Some(result) = answer.result().as_object() else {
            return Err(Trouble::Protocol(format!(
                "the answer to `initialize` is {}, not an object",
                answer.result().type_name()
            )));
        };
        let revision = result.text("protocolVersion").map(str::to_owned);
        match &revision {
            Some(revision) if LEGACY.contains(&revision.as_str()) => {}
            Some(revision) => self.warnings.push(Warning::new(
                "unknown-revision",
                format!(
                    "the server speaks revision `{}`, which countersign does not know; it was asked for `{ask}`",
                    self.secrets().excerpt(revision, 50)
                ),
            )),
            None => self.warnings.push(Warning::new(
                "unknown-revision",
                "the server does not say which revision it speaks",
            )),
        }
        self.era = Era::Legacy;
        self.revision = revision;
        self.transport()?.keep_session();
        self.notify("notifications/initialized", None).await?;
        self.transport()?.listen();
        Ok(Hello::Initialize(answer))
    }
}

/// Whether a failure of the probe may come from asking a legacy server what it does not know.
fn may_be_about_the_era(trouble: &Trouble) -> bool {
    match trouble.root() {
        Trouble::Wire(failure) => match failure {
            Failure::Ended
            | Failure::Json(_)
            | Failure::Cut
            | Failure::Broken { .. }
            | Failure::NoAnswer { .. } => true,
            Failure::Status(refusal) => !refusal.says_nothing_about_eras(),
            _ => false,
        },
        Trouble::Protocol(_) => true,
        _ => false,
    }
}

/// Whether a URL that was asked for an event stream has none, and not merely one that cannot be used.
fn is_no_stream(trouble: &Trouble) -> bool {
    match trouble {
        Trouble::Wire(Failure::Status(refusal)) => !refusal.says_nothing_about_eras(),
        Trouble::Wire(Failure::NoStream | Failure::Redirect { .. }) => true,
        _ => false,
    }
}

fn both(probe: Trouble, handshake: Trouble) -> Trouble {
    match handshake {
        Trouble::At { cause, .. } => Trouble::Both {
            probe: Box::new(probe),
            handshake: cause,
        },
        Trouble::NoStream { handshake, stream } => Trouble::NoStream {
            handshake: Box::new(both(probe, *handshake)),
            stream,
        },
        other => other,
    }
}
