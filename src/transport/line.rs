//! A way to one server on which both sides speak whenever they like: for whoever stands between two and knows not
//! what is an answer to what before it has passed.
//!
//! [`super::Transport`] is for a talk with one request at a time; this is for many. It frames and bounds, and leaves
//! nothing behind, as that one does.

use super::http::Http;
use super::legacy_sse::LegacySse;
use super::pipe;
use super::process::Process;
use super::stdio::Stdio;
use super::{Direction, Failure, Outgoing, Remains, Tap, Transport, Ways};
use crate::json::{self, Limits, Value};
use crate::model::Endpoint;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinHandle, JoinSet};

/// How many messages wait on their way, each way.
const WAITING: usize = 8;
/// How long the end of a session may take.
const CLOSE_WAIT: Duration = Duration::from_secs(2);
/// What an HTTP+SSE server answers to a POST (2025-11-25, "Backwards Compatibility").
const OLDER: [u16; 3] = [400, 404, 405];

/// What a server answers that wants another credential (RFC 9110, section 15.5.2).
const DENIED: u16 = 401;

/// Whether a message answers a request.
pub(crate) type Answers = Arc<dyn Fn(&[u8]) -> bool + Send + Sync>;

/// A message for the server.
pub(crate) struct Spoken {
    /// JSON on one line.
    pub(crate) text: Vec<u8>,
    /// Of a request, its id's JSON text and what tells its answer.
    pub(crate) request: Option<(Vec<u8>, Answers)>,
    /// The method; empty for an answer to the server.
    pub(crate) method: String,
    /// The name or URI that a request is about.
    pub(crate) name: Option<String>,
    /// The revision that a modern message says itself.
    pub(crate) revision: Option<String>,
    /// The id's JSON text of the request that this message cancels.
    pub(crate) cancels: Option<Vec<u8>>,
    /// Inputs of a call that HTTP has to say beside it: the end of each header's name, and the value.
    pub(crate) params: Vec<(String, String)>,
    /// The header that says who asks from this message on, where it is another one.
    pub(crate) renewed: Option<(String, String)>,
    /// If it may be said again where the server refuses who asks: with the how manieth credential it is said.
    pub(crate) generation: Option<u64>,
}

/// What comes from the server.
pub(crate) enum Heard {
    /// A message, as sent.
    Message(Vec<u8>),
    /// There is no answer to this request.
    Failed(Vec<u8>, Failure),
    /// The server refuses who asks; the message may be said again.
    Denied(Box<Spoken>, Failure),
    /// Nothing more will come.
    Ended(Option<Failure>),
}

/// A task that ends with its owner.
struct Task(JoinHandle<()>);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Both directions, and what keeps them going.
pub(crate) struct Line {
    /// To the server; dropping it says that nothing more will come.
    pub(crate) speak: mpsc::Sender<Spoken>,
    /// From the server.
    pub(crate) hear: mpsc::Receiver<Heard>,
    /// What is to be closed in the end.
    pub(crate) ends: Ends,
}

/// What keeps a line going.
pub(crate) struct Ends {
    tasks: Vec<Task>,
    process: Option<Process>,
}

impl Line {
    /// Starts the process, or makes ready to send requests.
    pub(crate) fn open(endpoint: &Endpoint, ways: &Ways<'_>, tap: Tap) -> Result<Self, Failure> {
        let (speak, spoken) = mpsc::channel(WAITING);
        let (heard, hear) = mpsc::channel(WAITING);
        let ends = match Transport::open(endpoint, ways, tap.clone())? {
            Transport::Stdio(stdio) => over_stdio(*stdio, spoken, heard),
            Transport::Http(http) => {
                let hub = Hub {
                    sse: LegacySse::new_at(endpoint, ways, tap)?,
                    http: *http,
                    heard,
                    revision: None,
                    running: JoinSet::new(),
                    handles: BTreeMap::new(),
                };
                Ends {
                    tasks: vec![Task(tokio::spawn(hub.run(spoken)))],
                    process: None,
                }
            }
            Transport::Sse(_) => return Err(Failure::NoStream),
        };
        Ok(Self { speak, hear, ends })
    }
}

impl Ends {
    /// Ends everything; the sender was dropped. `ended` says that the server ended by itself.
    pub(crate) async fn close(mut self, ended: bool) -> Remains {
        let Some(process) = self.process.take() else {
            for task in &mut self.tasks {
                let _ = tokio::time::timeout(CLOSE_WAIT, &mut task.0).await;
            }
            return Remains::default();
        };
        self.tasks.clear();
        // The tasks let go of the pipes when they are dropped by the runtime.
        tokio::task::yield_now().await;
        process.end(ended).await
    }
}

fn over_stdio(
    stdio: Stdio,
    mut spoken: mpsc::Receiver<Spoken>,
    heard: mpsc::Sender<Heard>,
) -> Ends {
    let (mut input, mut output, process, tap) = stdio.into_parts();
    pipe::widen(output.source());
    let out_tap = tap.clone();
    let writing = tokio::spawn(async move {
        while let Some(Spoken { mut text, .. }) = spoken.recv().await {
            out_tap.show(Direction::Sent, &text);
            text.push(b'\n');
            // A server that has closed its input says the rest on its output, or ends.
            if input.write_all(&text).await.is_err() || input.flush().await.is_err() {
                break;
            }
        }
    });
    let reading = tokio::spawn(async move {
        loop {
            let message = match output.next().await {
                // What was cut off by the end of the process is no message.
                Ok(Some(_)) if output.has_ended() && !output.was_whole() => continue,
                Ok(Some(frame)) if frame.iter().all(u8::is_ascii_whitespace) => continue,
                Ok(Some(frame)) => {
                    tap.show(Direction::Received, &frame);
                    Heard::Message(frame)
                }
                Ok(None) => Heard::Ended(None),
                Err(failure) => Heard::Ended(Some(failure)),
            };
            let is_end = matches!(message, Heard::Ended(_));
            if heard.send(message).await.is_err() || is_end {
                break;
            }
        }
    });
    Ends {
        tasks: vec![Task(writing), Task(reading)],
        process: Some(process),
    }
}

/// Many requests at once over HTTP: each has a task of its own that reads its answer.
struct Hub {
    http: Http,
    /// For a server of 2024-11-05.
    sse: LegacySse,
    heard: mpsc::Sender<Heard>,
    /// The revision that a handshake agreed on.
    revision: Option<String>,
    running: JoinSet<()>,
    handles: BTreeMap<Vec<u8>, AbortHandle>,
}

impl Hub {
    async fn run(mut self, mut spoken: mpsc::Receiver<Spoken>) {
        loop {
            tokio::select! {
                said = spoken.recv() => match said {
                    Some(said) => if self.say(said).await {
                        return over_sse(self.sse, spoken, self.heard).await;
                    },
                    None => break,
                },
                message = self.http.overhear() => {
                    if self.heard.send(Heard::Message(message)).await.is_err() {
                        return;
                    }
                }
                Some(_) = self.running.join_next() => {
                    self.handles.retain(|_, handle| !handle.is_finished());
                }
            }
        }
        while self.running.join_next().await.is_some() {}
        self.http.close().await;
        let _ = self.heard.send(Heard::Ended(None)).await;
    }

    /// Passes a message on. True if the server turns out to be one of 2024-11-05.
    async fn say(&mut self, mut said: Spoken) -> bool {
        if let Some(header) = said.renewed.take() {
            self.http.present(&header);
        }
        if let Some(id) = said.cancels.as_ref().filter(|_| said.revision.is_some()) {
            // Hanging up says it (2026-07-28, "Cancellation").
            if let Some(handle) = self.handles.remove(id) {
                handle.abort();
            }
            return false;
        }
        let text = String::from_utf8_lossy(&said.text).into_owned();
        let is_modern = said.revision.is_some();
        let agreed = self.revision.clone();
        let outgoing = Outgoing {
            text: &text,
            method: is_modern.then_some(said.method.as_str()),
            name: said.name.as_deref().filter(|_| is_modern),
            params: if is_modern { &said.params } else { &[] },
            revision: said.revision.as_deref().or(agreed.as_deref()),
        };
        let Some((id, answers)) = said.request.clone() else {
            let _ = self.http.notify(outgoing).await;
            if said.method == "notifications/initialized" {
                self.http.listen();
            }
            return false;
        };
        if said.method == "initialize" {
            self.http.forget_session();
            self.http.request(Outgoing {
                revision: None,
                ..outgoing
            });
            return self.shake(&text, id, &answers).await;
        }
        let mut one = self.http.beside();
        one.request(outgoing);
        let heard = self.heard.clone();
        let key = id.clone();
        let handle = self.running.spawn(async move {
            read_answer(&mut one, id, &answers, said, &heard).await;
        });
        self.handles.insert(key, handle);
        false
    }

    async fn shake(&mut self, text: &str, id: Vec<u8>, answers: &Answers) -> bool {
        loop {
            match self.http.read().await {
                Ok(message) => {
                    let is_answer = answers(&message);
                    if is_answer {
                        self.revision = agreed(&message);
                        if self.revision.is_some() {
                            self.http.keep_session();
                        }
                    }
                    if self.heard.send(Heard::Message(message)).await.is_err() || is_answer {
                        return false;
                    }
                }
                Err(Failure::Status(refusal)) if OLDER.contains(&refusal.status) => {
                    let outgoing = Outgoing {
                        text,
                        method: None,
                        name: None,
                        params: &[],
                        revision: None,
                    };
                    if self.sse.request(outgoing).await.is_ok() && self.sse.is_open() {
                        return true;
                    }
                    let failure = Failure::Status(refusal);
                    let _ = self.heard.send(Heard::Failed(id, failure)).await;
                    return false;
                }
                Err(failure) => {
                    let _ = self.heard.send(Heard::Failed(id, failure)).await;
                    return false;
                }
            }
        }
    }
}

/// Reads what comes of one request, up to its answer.
async fn read_answer(
    http: &mut Http,
    id: Vec<u8>,
    answers: &Answers,
    said: Spoken,
    heard: &mpsc::Sender<Heard>,
) {
    loop {
        match http.read().await {
            Ok(message) => {
                let is_answer = answers(&message);
                if heard.send(Heard::Message(message)).await.is_err() || is_answer {
                    return;
                }
            }
            Err(failure) => {
                let is_denied =
                    matches!(&failure, Failure::Status(refusal) if refusal.status == DENIED);
                let told = if is_denied && said.generation.is_some() {
                    Heard::Denied(Box::new(said), failure)
                } else {
                    Heard::Failed(id, failure)
                };
                let _ = heard.send(told).await;
                return;
            }
        }
    }
}

/// The talk with a server of 2024-11-05, whose handshake is under way.
async fn over_sse(
    mut sse: LegacySse,
    mut spoken: mpsc::Receiver<Spoken>,
    heard: mpsc::Sender<Heard>,
) {
    let mut last = Vec::new();
    let mut is_open = true;
    loop {
        tokio::select! {
            message = sse.read() => {
                let message = match message {
                    Ok(message) => Heard::Message(message),
                    Err(failure @ Failure::Status(_)) => Heard::Failed(std::mem::take(&mut last), failure),
                    Err(failure) => Heard::Ended(Some(failure)),
                };
                let is_end = matches!(message, Heard::Ended(_));
                if heard.send(message).await.is_err() || is_end {
                    return;
                }
            }
            said = spoken.recv(), if is_open => {
                let Some(said) = said else {
                    is_open = false;
                    continue;
                };
                let text = String::from_utf8_lossy(&said.text).into_owned();
                let outgoing = Outgoing { text: &text, method: None, name: None, params: &[], revision: None };
                let sent = match said.request {
                    Some((id, _)) => {
                        last = id;
                        sse.request(outgoing).await
                    }
                    None => sse.notify(outgoing).await,
                };
                if let Err(failure) = sent {
                    let _ = heard.send(Heard::Failed(std::mem::take(&mut last), failure)).await;
                }
            }
        }
    }
}

/// The revision that an answer to `initialize` names.
fn agreed(message: &[u8]) -> Option<String> {
    let answer = json::read(message, Limits::default()).ok()?.value;
    match answer.get("result")?.get("protocolVersion")? {
        Value::String(revision) => Some(revision.clone()),
        _ => None,
    }
}
