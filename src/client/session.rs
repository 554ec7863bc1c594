//! One talk with one server: requests out, the answers to them in, everything else in between dealt with.
//!
//! One request is under way at a time, so an error that does not say what it answers can only answer that one.

use super::listen::Subscription;
use super::message::{self, Frame, Message, RpcError};
use super::options::Options;
use super::trouble::Trouble;
use crate::capture::{Answer, Era};
use crate::model::{Endpoint, Kind, Problem, Warning};
use crate::secret::Secrets;
use crate::transport::{Failure, Outgoing, Remains, Tap, Transport, Ways};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

/// How much of what is no message is passed over.
const STRAY_BYTES: usize = 1 << 20;
/// How many characters of the first stray line, and of an error's message, are kept.
const STRAY_CHARACTERS: usize = 200;
/// How long what stands in the pipe already is taken in, at most.
const TAKE_IN: Duration = Duration::from_millis(5);
const MESSAGE_CHARACTERS: usize = 500;

/// Some turns of the event loop, each with a look at what has arrived: the reader's task needs one, its own reader one.
async fn turns() {
    for _ in 0..4 {
        tokio::task::yield_now().await;
    }
}

/// What came of a request.
#[derive(Debug)]
pub(super) enum Reply {
    /// A result.
    Result(Answer),
    /// An error.
    Error(RpcError),
}

/// What becomes of a message that is sent.
enum Passing {
    /// It is answered, and then is the next one's turn.
    Request,
    /// It is answered bit by bit, while others are sent and answered.
    Standing,
    /// It is not answered.
    Notice,
}

/// What is no message.
#[derive(Debug, Default)]
struct Stray {
    count: usize,
    bytes: usize,
    first: String,
}

/// A talk.
pub(super) struct Session<'a> {
    endpoint: &'a Endpoint,
    pub(super) options: &'a Options,
    tap: Tap,
    /// `None` before it is opened, and while it is opened anew.
    pub(super) transport: Option<Transport>,
    /// The era and revision in force; the revision of a legacy server is unknown before it has answered.
    pub(super) era: Era,
    pub(super) revision: Option<String>,
    last_id: u64,
    /// Whether the server says that it has tools: then an error is no way of saying that it has none.
    pub(super) announces_tools: bool,
    /// Whether this talk goes on after it has listed, so that what is announced now may be looked into later.
    pub(super) stays: bool,
    /// The kinds whose lists the server has called changed.
    pub(super) changed: BTreeSet<Kind>,
    /// Since when each of them is called so, for whoever stays connected.
    pub(super) announced: BTreeMap<Kind, Instant>,
    /// The request that stays open for such announcements.
    pub(super) subscription: Subscription,
    pub(super) warnings: Vec<Warning>,
    stray: Stray,
}

impl<'a> Session<'a> {
    /// Nothing is started yet.
    pub(super) fn new(endpoint: &'a Endpoint, secrets: &Secrets, options: &'a Options) -> Self {
        Self {
            endpoint,
            options,
            tap: Tap::new(endpoint, secrets, options.trace.clone()),
            transport: None,
            era: Era::Legacy,
            revision: None,
            last_id: 0,
            announces_tools: false,
            stays: false,
            changed: BTreeSet::new(),
            announced: BTreeMap::new(),
            subscription: Subscription::None,
            warnings: Vec::new(),
            stray: Stray::default(),
        }
    }

    /// Starts the server, after ending the one that runs.
    pub(super) async fn open(&mut self) -> Result<(), Trouble> {
        self.open_by(Transport::open).await
    }

    /// Reaches the server the way of 2024-11-05 from now on.
    pub(super) async fn open_sse(&mut self) -> Result<(), Trouble> {
        self.open_by(Transport::open_sse).await
    }

    async fn open_by(
        &mut self,
        open: fn(&Endpoint, &Ways<'_>, Tap) -> Result<Transport, Failure>,
    ) -> Result<(), Trouble> {
        if let Some(old) = self.transport.take() {
            old.close().await;
        }
        self.transport = Some(open(self.endpoint, &self.ways(), self.tap.clone())?);
        Ok(())
    }

    /// Forgets what was odd about a talk that led nowhere and is begun anew.
    pub(super) fn forget_oddities(&mut self) {
        self.warnings.clear();
        self.stray = Stray::default();
    }

    fn ways(&self) -> Ways<'a> {
        Ways {
            bounds: &self.options.bounds,
            patience: self.options.timeout,
            ca_certs: &self.options.ca_certs,
        }
    }

    pub(super) fn transport(&mut self) -> Result<&mut Transport, Failure> {
        self.transport.as_mut().ok_or(Failure::Ended)
    }

    /// The values that nothing which is shown or kept may hold.
    pub(super) fn secrets(&self) -> &Secrets {
        &self.tap.secrets
    }

    /// Speaks the modern revision from now on.
    pub(super) fn speak_modern(&mut self, revision: &str) {
        self.era = Era::Modern;
        self.revision = Some(revision.to_owned());
    }

    /// Speaks to a legacy server from now on, with no revision agreed yet.
    pub(super) fn speak_legacy(&mut self) {
        self.era = Era::Legacy;
        self.revision = None;
    }

    /// Sends a request; its id.
    pub(super) async fn send(
        &mut self,
        method: &str,
        mut params: Map<String, Value>,
    ) -> Result<u64, Trouble> {
        self.last_id += 1;
        let id = self.last_id;
        if self.era == Era::Modern {
            params.insert("_meta".to_owned(), self.meta());
        }
        let name = subject(method, &params);
        let text = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.pass(&text.to_string(), method, name.as_deref(), Passing::Request)
            .await?;
        Ok(id)
    }

    /// The id of the last request.
    pub(super) fn last_id(&self) -> u64 {
        self.last_id
    }

    /// Sends a notification.
    pub(super) async fn notify(
        &mut self,
        method: &str,
        params: Option<Value>,
    ) -> Result<(), Trouble> {
        let mut text = json!({ "jsonrpc": "2.0", "method": method });
        if let Some(params) = params {
            text["params"] = params;
        }
        self.pass(&text.to_string(), method, None, Passing::Notice)
            .await
    }

    /// Sends a request that stays open; its id.
    pub(super) async fn send_standing(
        &mut self,
        method: &str,
        mut params: Map<String, Value>,
    ) -> Result<u64, Trouble> {
        self.last_id += 1;
        let id = self.last_id;
        params.insert("_meta".to_owned(), self.meta());
        let text = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.pass(&text.to_string(), method, None, Passing::Standing)
            .await?;
        Ok(id)
    }

    async fn pass(
        &mut self,
        text: &str,
        method: &str,
        name: Option<&str>,
        passing: Passing,
    ) -> Result<(), Trouble> {
        let revision = self.revision.clone();
        let message = Outgoing {
            text,
            method: (self.era == Era::Modern).then_some(method),
            name: name.filter(|_| self.era == Era::Modern),
            // Only calls have them, and nothing is called here.
            params: &[],
            revision: revision.as_deref(),
        };
        let transport = self.transport()?;
        match passing {
            Passing::Request => transport.request(message).await?,
            Passing::Standing => transport.subscribe(message).await?,
            Passing::Notice => transport.notify(message).await?,
        }
        Ok(())
    }

    /// What every modern request carries (2026-07-28, "Per-request protocol fields").
    fn meta(&self) -> Value {
        json!({
            "io.modelcontextprotocol/protocolVersion": self.revision,
            "io.modelcontextprotocol/clientInfo": self.client_info(),
            "io.modelcontextprotocol/clientCapabilities": self.options.profile.capabilities(),
        })
    }

    /// Name and version, as the protocol wants them.
    pub(super) fn client_info(&self) -> Value {
        let (name, version) = &self.options.client_info;
        json!({ "name": name, "version": version })
    }

    /// Waits for the answer to one of these requests; which it answers.
    pub(super) async fn await_reply(&mut self, pending: &[u64]) -> Result<(u64, Reply), Trouble> {
        loop {
            let frame = match self.transport()?.receive().await {
                Ok(frame) => frame,
                Err(failure) => {
                    let first = pending.first().copied().unwrap_or_default();
                    return Ok((first, Reply::Error(self.refused(failure)?)));
                }
            };
            // A batch may hold requests after the answer: all of it is dealt with.
            let mut found = None;
            for message in self.messages(frame)? {
                match message {
                    Message::Response(answer) if !self.subscription.is_ended_by(&answer) => {
                        found = found.or_else(|| self.matching(answer, pending));
                    }
                    other => self.attend(other).await?,
                }
            }
            if let Some(found) = found {
                return Ok(found);
            }
        }
    }

    /// An HTTP refusal may hold a JSON-RPC error, which says more than the status; otherwise it is a failure.
    fn refused(&self, failure: Failure) -> Result<RpcError, Failure> {
        let Failure::Status(refusal) = &failure else {
            return Err(failure);
        };
        let error = match message::read(refusal.body.clone(), self.options.bounds.limits()) {
            Frame::Messages(messages) => messages.iter().find_map(|message| match message {
                Message::Response(answer) => RpcError::of(answer),
                _ => None,
            }),
            _ => None,
        };
        let has_session = self.transport.as_ref().is_some_and(Transport::has_session);
        match error {
            _ if refusal.says_nothing_about_eras() => Err(failure),
            Some(error) if error.code == RpcError::METHOD_NOT_FOUND => {
                Ok(self.shown(error, Some(refusal.status)))
            }
            _ if refusal.status == 404 && has_session => Err(Failure::SessionLost),
            Some(error) => Ok(self.shown(error, Some(refusal.status))),
            None => Err(failure),
        }
    }

    fn matching(&self, answer: Answer, pending: &[u64]) -> Option<(u64, Reply)> {
        let id = answer.document.value.get("id");
        let ours = pending
            .iter()
            .copied()
            .find(|ours| id.is_some_and(|id| message::is_id(id, *ours)));
        match (ours, RpcError::of(&answer)) {
            (Some(ours), Some(error)) => Some((ours, Reply::Error(self.shown(error, None)))),
            (Some(ours), None) => Some((ours, Reply::Result(answer))),
            (None, Some(error)) if message::names_no_request(id) => Some((
                pending.first().copied()?,
                Reply::Error(self.shown(error, None)),
            )),
            // A late answer to a request that was given up.
            (None, _) => None,
        }
    }

    fn shown(&self, mut error: RpcError, status: Option<u16>) -> RpcError {
        error.message = self.secrets().excerpt(&error.message, MESSAGE_CHARACTERS);
        error.status = status;
        error
    }

    /// The messages of a frame; none if it is stray.
    pub(super) fn messages(&mut self, frame: Vec<u8>) -> Result<Vec<Message>, Trouble> {
        match message::read(frame, self.options.bounds.limits()) {
            Frame::Messages(messages) => Ok(messages),
            Frame::Broken(error) => Err(Failure::Json(error).into()),
            Frame::Stray(bytes) => {
                self.stray.count += 1;
                self.stray.bytes += bytes.len();
                if self.stray.count == 1 {
                    let text = String::from_utf8_lossy(&bytes);
                    self.stray.first = self.secrets().excerpt(text.trim(), STRAY_CHARACTERS);
                }
                if self.stray.bytes > STRAY_BYTES {
                    return Err(Failure::Stray(STRAY_BYTES).into());
                }
                Ok(Vec::new())
            }
        }
    }

    /// Answers what the server asks and notes what it tells.
    pub(super) async fn attend(&mut self, message: Message) -> Result<(), Trouble> {
        match message {
            Message::Request { id, method } => {
                let text = message::reply(&id, &method);
                self.pass(&text, &method, None, Passing::Notice).await?;
            }
            Message::Notification { method, cancelled } => match method.as_str() {
                "notifications/tools/list_changed" => self.is_called_changed(&[Kind::Tool]),
                "notifications/prompts/list_changed" => self.is_called_changed(&[Kind::Prompt]),
                "notifications/resources/list_changed" => {
                    self.is_called_changed(&[Kind::Resource, Kind::Template]);
                }
                "notifications/subscriptions/acknowledged" => self.subscription.acknowledge(),
                "notifications/cancelled" => self.subscription.cancel(cancelled.as_ref()),
                _ => {}
            },
            Message::Response(answer) => {
                self.subscription.is_ended_by(&answer);
            }
        }
        Ok(())
    }

    fn is_called_changed(&mut self, kinds: &[Kind]) {
        for kind in kinds {
            self.changed.insert(*kind);
            self.announced.entry(*kind).or_insert_with(Instant::now);
        }
    }

    /// Sends a request and waits for its answer, no longer than that.
    pub(super) async fn call(
        &mut self,
        method: &str,
        params: Map<String, Value>,
        within: Duration,
    ) -> Result<Reply, Trouble> {
        let talk = async {
            let id = self.send(method, params).await?;
            Ok(self.await_reply(&[id]).await?.1)
        };
        if let Ok(reply) = timeout(within, talk).await {
            return reply;
        }
        self.cancel().await;
        Err(Failure::Timeout(within).into())
    }

    /// Tells the server that the last request is given up. Where nothing but answers comes, dropping the answer
    /// says so.
    async fn cancel(&mut self) {
        if !self.transport.as_ref().is_some_and(Transport::listens) {
            return;
        }
        let params = json!({ "requestId": self.last_id, "reason": "timeout" });
        // It may not read any more.
        let notice = self.notify("notifications/cancelled", Some(params));
        let _ = timeout(Duration::from_millis(100), notice).await;
    }

    /// Deals with what comes by itself during that time.
    pub(super) async fn settle(&mut self, window: Duration) -> Result<(), Trouble> {
        let deadline = Instant::now() + window;
        loop {
            let frame = match timeout_at(deadline, self.transport()?.overhear()).await {
                // An end is met again by whoever asks next.
                Err(_) | Ok(Err(Failure::Ended | Failure::HungUp)) => return Ok(()),
                Ok(frame) => frame?,
            };
            for message in self.messages(frame)? {
                self.attend(message).await?;
            }
        }
    }

    /// Takes in what stands in the pipe or stream already, and waits for nothing.
    pub(super) async fn take_in(&mut self) -> Result<(), Trouble> {
        // Whoever never stops talking is not listened to for ever.
        let deadline = Instant::now() + TAKE_IN;
        while Instant::now() < deadline {
            let frame = tokio::select! {
                biased;
                frame = self.transport()?.overhear() => match frame {
                    // An end is met again by whoever asks next.
                    Err(Failure::Ended | Failure::HungUp) => return Ok(()),
                    frame => frame?,
                },
                () = turns() => return Ok(()),
            };
            for message in self.messages(frame)? {
                self.attend(message).await?;
            }
        }
        Ok(())
    }

    /// The warning about stray output, if there was any.
    fn stray_words(&self) -> Option<String> {
        let (one, place) = self.transport.as_ref()?.channel();
        (self.stray.count > 0).then(|| {
            let plural = if self.stray.count == 1 { "" } else { "s" };
            format!(
                "{} stray {one}{plural} {place}, the first: `{}`",
                self.stray.count, self.stray.first
            )
        })
    }

    /// Ends the talk; the warnings it gave rise to.
    pub(super) async fn close(mut self) -> Vec<Warning> {
        let stray = self.stray_words();
        if let Some(transport) = self.transport.take() {
            transport.close().await;
        }
        let stray = stray.map(|words| Warning::new("stray-output", words));
        stray.into_iter().chain(self.warnings).collect()
    }

    /// Ends the talk and says why it failed.
    pub(super) async fn fail(mut self, trouble: Trouble) -> Problem {
        let stray = self.stray_words();
        let remains = match self.transport.take() {
            Some(transport) => transport.close().await,
            None => Remains::default(),
        };
        let mut problem = trouble.into_problem(&remains, stray.as_deref());
        problem.message = self.tap.secrets.redact(&problem.message);
        problem
    }
}

/// The one item that a request is about, if it is about one.
fn subject(method: &str, params: &Map<String, Value>) -> Option<String> {
    let member = match method {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return None,
    };
    params.get(member)?.as_str().map(str::to_owned)
}
