//! The plumbing of a guard: bytes of the client and of the server to [`super::router`], and what it decides to where
//! it belongs. It judges nothing.
//!
//! The client's streams are read and written by threads of their own, because they block; everything between is one
//! loop, which waits for whoever is slow without losing sight of the others.

use super::account::Account;
use super::answers;
use super::envelope::{self, Envelope, Frame, Id};
use super::lines::Lines;
use super::mirrored::Headers;
use super::router::{Action, Bounds, Desk, Router};
use crate::json::{self, Limits, Value};
use crate::model::{Endpoint, Problem};
use crate::transport::{Failure, Heard, Line, Spoken, Tap, Trace, Ways};
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{self, Receiver, Sender, error::TrySendError};

/// How many messages may wait on their way to one side before the other is no longer listened to.
const WAITING: usize = 8;
/// How often is looked at what no message brings: an edited lockfile, a listing that takes too long.
const TICK: Duration = Duration::from_millis(250);
/// How often counts are handed over.
const COUNTING: Duration = Duration::from_secs(10);
/// How long a server may still answer after the client has said its last.
const LAST_ANSWERS: Duration = Duration::from_secs(10);
/// How long the client may take to read what is left for it.
const LAST_WRITES: Duration = Duration::from_secs(2);

/// The client's side, and what is said to whoever started the guard.
pub struct ClientSide<'a> {
    /// What the client says.
    pub input: Box<dyn Read + Send>,
    /// What the client hears.
    pub output: Box<dyn Write + Send>,
    /// Says something that is for neither side. Outside text inside.
    pub say: &'a dyn Fn(&str),
}

/// The server's side.
pub struct ServerSide<'a> {
    /// Where it is.
    pub endpoint: &'a Endpoint,
    /// How it is reached, and within which bounds.
    pub options: &'a crate::client::Options,
    /// What no text may hold.
    pub secrets: &'a crate::secret::Secrets,
    /// Gets the header of another credential where the server refuses the one before; none where there is no other.
    pub renew: Option<&'a Renew<'a>>,
}

/// Gets the header of another credential.
pub type Renew<'a> = dyn Fn() -> Renewing<'a> + 'a;
/// Getting it.
pub type Renewing<'a> = Pin<Box<dyn Future<Output = Option<(String, String)>> + 'a>>;

/// A message on its way to the server.
#[derive(Default)]
struct Queued {
    text: Vec<u8>,
    params: Headers,
    /// The credential from this message on, where it is another.
    renewed: Option<(String, String)>,
    /// Whether the server refused it before.
    is_again: bool,
}

/// Stands between until one of the two leaves.
///
/// # Errors
/// A server that cannot be started or reached, or that left first; a client that says more than the bounds allow.
pub async fn run(
    client: ClientSide<'_>,
    server: ServerSide<'_>,
    account: Result<Account, Problem>,
    accounts: &mut dyn FnMut() -> Option<Result<Account, Problem>>,
    desk: &Desk<'_>,
    recheck: Duration,
) -> Result<(), Problem> {
    let options = server.options;
    let ways = Ways {
        bounds: &options.bounds,
        patience: options.timeout,
        ca_certs: &options.ca_certs,
    };
    let trace: Option<Trace> = options.trace.clone();
    let tap = Tap::new(server.endpoint, server.secrets, trace);
    let problem = |failure: &Failure| {
        Problem::new(failure.kind(), server.secrets.redact(&failure.to_string()))
    };
    let line = Line::open(server.endpoint, &ways, tap).map_err(|failure| problem(&failure))?;
    let Line { speak, hear, ends } = line;
    let bounds = Bounds {
        timeout: options.timeout,
        recheck,
        pages: options.bounds.pages,
        bytes: options.bounds.listing_bytes,
    };
    let said = read_beside(client.input, options.bounds.frame_bytes);
    let (out, written) = write_beside(client.output);
    let mut between = Between {
        router: Router::new(account, bounds),
        started: Instant::now(),
        say: client.say,
        desk,
        accounts,
        is_http: matches!(server.endpoint, Endpoint::Http { .. }),
        to_server: VecDeque::new(),
        renew: server.renew,
        generation: 0,
        to_client: VecDeque::new(),
    };
    let end = between.talk(said, out.clone(), speak, hear).await;
    between.flush(out, written).await;
    let has_ended = matches!(end, End::ServerLeft(_));
    let remains = ends.close(has_ended).await;
    match end {
        End::ClientLeft => Ok(()),
        End::ClientBroke(error) => Err(Problem::new("protocol", error.to_string())),
        End::ServerLeft(failure) => {
            let mut found = problem(&failure.unwrap_or(Failure::Ended));
            if let Some(exit) = &remains.exit {
                found.message = format!("{} ({exit})", found.message);
            }
            if let Some(stderr) = &remains.stderr {
                found.message = format!("{}; stderr ends with `{stderr}`", found.message);
            }
            Err(found)
        }
    }
}

impl Drop for Between<'_, '_, '_> {
    /// A signal ends the talk in the middle of it.
    fn drop(&mut self) {
        self.router.hand_over_counts(self.desk, true);
    }
}

enum End {
    ClientLeft,
    ClientBroke(io::Error),
    ServerLeft(Option<Failure>),
}

struct Between<'a, 'd, 'r> {
    router: Router,
    started: Instant,
    say: &'a dyn Fn(&str),
    desk: &'a Desk<'d>,
    accounts: &'a mut dyn FnMut() -> Option<Result<Account, Problem>>,
    is_http: bool,
    to_server: VecDeque<Queued>,
    renew: Option<&'r Renew<'r>>,
    /// How often the credential was renewed.
    generation: u64,
    to_client: VecDeque<Vec<u8>>,
}

impl Between<'_, '_, '_> {
    async fn talk(
        &mut self,
        mut said: Receiver<io::Result<Vec<u8>>>,
        out: Sender<Vec<u8>>,
        speak: Sender<Spoken>,
        mut hear: Receiver<Heard>,
    ) -> End {
        let mut speak = Some(speak);
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut counting = tokio::time::interval(COUNTING);
        counting.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        // When the client has said its last.
        let mut last: Option<Instant> = None;
        loop {
            self.pass_on(&out, speak.as_ref());
            if let Some(last) = last {
                let is_over = !self.router.is_waiting() || last.elapsed() > LAST_ANSWERS;
                if self.to_server.is_empty() && !self.router.has_parked() {
                    speak = None;
                }
                if is_over && self.to_client.is_empty() {
                    return End::ClientLeft;
                }
            }
            tokio::select! {
                permit = out.reserve(), if !self.to_client.is_empty() => match permit {
                    Ok(permit) => if let Some(text) = self.to_client.pop_front() {
                        permit.send(text);
                    },
                    // Nobody reads any more.
                    Err(_) => return End::ClientLeft,
                },
                permit = reserve(speak.as_ref()), if !self.to_server.is_empty() => match permit {
                    Some(permit) => if let Some(text) = self.to_server.pop_front() {
                        permit.send(self.spoken(text));
                    },
                    // A server that hears no more says the rest.
                    None => self.to_server.clear(),
                },
                frame = said.recv(), if last.is_none() && self.to_server.len() < WAITING => match frame {
                    Some(Ok(frame)) => {
                        self.look_again();
                        let now = self.started.elapsed();
                        let actions = self.router.from_client(frame, now, self.desk);
                        self.take(actions);
                    }
                    Some(Err(error)) => return End::ClientBroke(error),
                    None => {
                        last = Some(Instant::now());
                        let actions = self.router.give_up_asking();
                        self.take(actions);
                    }
                },
                heard = hear.recv(), if self.to_client.len() < WAITING => match heard {
                    Some(Heard::Message(frame)) => {
                        self.look_again();
                        let now = self.started.elapsed();
                        let actions = self.router.from_server(frame, now, self.desk);
                        self.take(actions);
                    }
                    Some(Heard::Failed(id, failure)) => self.fail(&id, &failure),
                    Some(Heard::Denied(said, failure)) => self.denied(*said, &failure).await,
                    Some(Heard::Ended(failure)) => return self.server_left(last.is_some(), failure),
                    None => return self.server_left(last.is_some(), None),
                },
                _ = tick.tick() => {
                    self.look_again();
                    let actions = self.router.expire(self.started.elapsed(), self.desk);
                    self.take(actions);
                }
                _ = counting.tick() => self.router.hand_over_counts(self.desk, false),
                () = out.closed() => return End::ClientLeft,
            }
        }
    }

    /// Answers a request that has no answer.
    fn fail(&mut self, id: &[u8], failure: &Failure) {
        let answer = failed(id, failure);
        let now = self.started.elapsed();
        let actions = self.router.from_server(answer, now, self.desk);
        self.take(actions);
    }

    /// Says a message again, once, with another credential.
    async fn denied(&mut self, said: Spoken, failure: &Failure) {
        // Another message that was refused may have brought it.
        let is_old = said
            .generation
            .is_some_and(|generation| generation < self.generation);
        let renewed = match self.renew {
            Some(renew) if !is_old => renew().await,
            _ => None,
        };
        if renewed.is_none() && !is_old {
            let id = said.request.map(|(id, _)| id).unwrap_or_default();
            return self.fail(&id, failure);
        }
        self.generation += u64::from(renewed.is_some());
        self.to_server.push_front(Queued {
            text: said.text,
            params: said.params,
            renewed,
            is_again: true,
        });
    }

    fn spoken(&self, queued: Queued) -> Spoken {
        let may_come_back = self.renew.is_some() && !queued.is_again;
        let generation = may_come_back.then_some(self.generation);
        let Queued {
            text,
            params,
            renewed,
            ..
        } = queued;
        Spoken {
            params,
            renewed,
            generation,
            ..spoken(text, self.is_http)
        }
    }

    #[expect(clippy::unused_self, reason = "it is what the talk ends with")]
    fn server_left(&self, client_left: bool, failure: Option<Failure>) -> End {
        if client_left {
            End::ClientLeft
        } else {
            End::ServerLeft(failure)
        }
    }

    /// An edit of the lockfile holds for the next message.
    fn look_again(&mut self) {
        if let Some(account) = (self.accounts)() {
            let actions = self.router.go_by(account);
            self.take(actions);
        }
    }

    fn take(&mut self, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::ToServer(text) => self.to_server.push_back(Queued {
                    text,
                    ..Queued::default()
                }),
                Action::Mirrored(text, params) => self.to_server.push_back(Queued {
                    text,
                    params,
                    ..Queued::default()
                }),
                Action::ToClient(text) => self.to_client.push_back(text),
                Action::Say(text) => (self.say)(&text),
            }
        }
    }

    /// Sends what can be sent without waiting.
    fn pass_on(&mut self, out: &Sender<Vec<u8>>, speak: Option<&Sender<Spoken>>) {
        while let Some(text) = self.to_client.pop_front() {
            if let Err(TrySendError::Full(text) | TrySendError::Closed(text)) = out.try_send(text) {
                self.to_client.push_front(text);
                break;
            }
        }
        let Some(speak) = speak else {
            self.to_server.clear();
            return;
        };
        while !self.to_server.is_empty() {
            let Ok(permit) = speak.try_reserve() else {
                break;
            };
            if let Some(text) = self.to_server.pop_front() {
                permit.send(self.spoken(text));
            }
        }
    }

    /// Gives the client what is left for it, if it takes it in time.
    async fn flush(&mut self, out: Sender<Vec<u8>>, written: tokio::sync::oneshot::Receiver<()>) {
        let left = std::mem::take(&mut self.to_client);
        let rest = async {
            for text in left {
                if out.send(text).await.is_err() {
                    break;
                }
            }
            drop(out);
            let _ = written.await;
        };
        let _ = tokio::time::timeout(LAST_WRITES, rest).await;
    }
}

async fn reserve(speak: Option<&Sender<Spoken>>) -> Option<mpsc::Permit<'_, Spoken>> {
    speak?.reserve().await.ok()
}

/// Reads the client in a thread that ends with the process: no one can take a blocked read back.
fn read_beside(input: Box<dyn Read + Send>, bound: usize) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = mpsc::channel(WAITING);
    std::thread::spawn(move || {
        let mut lines = Lines::new(input, bound);
        loop {
            let line = match lines.line() {
                Ok(Some(line)) => Ok(line),
                Ok(None) => break,
                Err(error) => Err(error),
            };
            let is_end = line.is_err();
            if sender.blocking_send(line).is_err() || is_end {
                break;
            }
        }
    });
    receiver
}

/// Writes to the client in a thread, and says when all is written.
fn write_beside(
    mut output: Box<dyn Write + Send>,
) -> (Sender<Vec<u8>>, tokio::sync::oneshot::Receiver<()>) {
    let (sender, mut receiver) = mpsc::channel::<Vec<u8>>(WAITING);
    let (done, written) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        while let Some(mut text) = receiver.blocking_recv() {
            text.push(b'\n');
            if output
                .write_all(&text)
                .and_then(|()| output.flush())
                .is_err()
            {
                break;
            }
        }
        let _ = done.send(());
    });
    (sender, written)
}

/// A message and what the transport has to know of it: HTTP says much of it beside the message.
fn spoken(text: Vec<u8>, is_http: bool) -> Spoken {
    if !is_http {
        return Spoken {
            text,
            request: None,
            method: String::new(),
            name: None,
            revision: None,
            cancels: None,
            params: Headers::new(),
            renewed: None,
            generation: None,
        };
    }
    let one = match envelope::read(&text) {
        Frame::One(one) => Some(one),
        _ => None,
    };
    let read = one
        .as_ref()
        .and_then(|one| one.params.clone())
        .filter(|params| params.len() < 8 << 20)
        .and_then(|params| json::read(&text[params], Limits::default()).ok())
        .map(|document| document.value);
    let member = |name: &str| read.as_ref().and_then(|params| params.get(name));
    let method = one
        .as_ref()
        .and_then(|one| one.method.clone())
        .unwrap_or_default();
    let subject = match method.as_str() {
        "tools/call" | "prompts/get" => member("name"),
        "resources/read" => member("uri"),
        _ => None,
    };
    let revision = member("_meta")
        .and_then(|meta| meta.get("io.modelcontextprotocol/protocolVersion"))
        .and_then(Value::as_str);
    let cancels = match member("requestId").filter(|_| method == "notifications/cancelled") {
        Some(Value::Number(number)) => Some(number.as_bytes().to_vec()),
        Some(text @ Value::String(_)) => Some(crate::canonical::to_text(text).into_bytes()),
        _ => None,
    };
    Spoken {
        request: one.as_ref().and_then(|one| request(&text, one)),
        name: subject.and_then(Value::as_str).map(str::to_owned),
        revision: revision.map(str::to_owned),
        cancels,
        params: Headers::new(),
        renewed: None,
        generation: None,
        method,
        text,
    }
}

fn request(text: &[u8], one: &Envelope) -> Option<(Vec<u8>, crate::transport::Answers)> {
    if !one.is_request() {
        return None;
    }
    let wanted = one.id(text)?;
    let answers = move |frame: &[u8]| {
        let is_it =
            |one: &Envelope, id: &Id| one.is_response() && one.id(frame).as_ref() == Some(id);
        let messages = envelope::read(frame).messages();
        messages.iter().any(|one| is_it(one, &wanted))
    };
    Some((text[one.id.clone()?].to_vec(), Arc::new(answers)))
}

/// An error answer for a request that has none: what an HTTP refusal holds, if it holds one.
fn failed(id: &[u8], failure: &Failure) -> Vec<u8> {
    if let Failure::Status(refusal) = failure
        && let Ok(document) = json::read(&refusal.body, Limits::default())
        && let Some(Value::Object(error)) = document.value.get("error")
    {
        let error: String = String::from_utf8_lossy(&refusal.body[error.span()])
            .chars()
            .map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c })
            .collect();
        let id = String::from_utf8_lossy(id);
        return format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#).into_bytes();
    }
    answers::error(id, &failure.to_string())
}
