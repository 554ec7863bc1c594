//! The talk between a client and a server, message by message: what passes, what is written anew, what is answered
//! here, what waits. Pure: time comes in as a duration since the start, held calls are looked up through [`Desk`].
//!
//! What is not judged passes byte for byte, in order. A use is judged by a listing that was asked for after it came,
//! so it waits, and nothing else does.

mod asking;
mod client;
mod counting;
mod looks;
mod methods;
mod pairing;
mod reads;

mod server;
#[cfg(test)]
mod tests;
mod uses;
mod words;

use asking::Asking;

use super::account::Account;
use super::answers;
use super::envelope::Id;
use super::hello::Greeting;
use super::mirrored::Headers;
use crate::capture::Answer;
use crate::catalogue::Item;
use crate::fingerprint::Digest;
use crate::json::{Object, Value};
use crate::model::{ItemKey, Kind, Problem};
use crate::store::{ByTool, Counts, HeldCall, Passage};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::time::Duration;

/// What is to be done, in this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Send to the server.
    ToServer(Vec<u8>),
    /// The same, with inputs that HTTP has to say beside it.
    Mirrored(Vec<u8>, Headers),
    /// Send to the client.
    ToClient(Vec<u8>),
    /// Say on standard error. Outside text inside.
    Say(String),
}

/// Takes note of the items of a kind.
pub type Seen<'a> = dyn Fn(Kind, &Items) -> Result<(), Problem> + 'a;

/// Adds up counts; the second says whether it is the end of the talk.
pub type Counting<'a> = dyn Fn(&ByTool<Counts>, bool) -> bool + 'a;
/// The items of a list.
pub type Items = BTreeMap<ItemKey, Item>;

/// Where held calls are kept.
pub struct Desk<'a> {
    /// Lets a call through if it is approved, which uses the approval up; holds it otherwise.
    pub pass: &'a dyn Fn(&HeldCall) -> Result<Passage, Problem>,
    /// Takes note of what the server lists now of a kind: what is held under another definition is void.
    pub seen: &'a Seen<'a>,
    /// Adds what was counted to what is kept; whether that was done. Waits for others only at the end of the talk.
    pub count: &'a Counting<'a>,
    /// The command that approves a held call, by its id.
    pub command: &'a dyn Fn(&str) -> String,
}

/// How much a listing of the guard's own may take.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// For one page.
    pub timeout: Duration,
    /// How old a listing may be to judge a use by; at zero each use has a listing made after it came.
    pub recheck: Duration,
    /// Pages of one list.
    pub pages: usize,
    /// Bytes of all of them.
    pub bytes: usize,
}

/// What an answer of the server answers.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Awaited {
    Greeting(Greeting),
    List(Kind),
    /// A use that an approval let through, by what an approval must match.
    LetThrough(Approved),
    /// A subscription, which may stay open as long as the talk.
    Listening,
    Other,
}

/// What an approval was used up for: item, definition, arguments.
type Approved = (ItemKey, Digest, String);

/// A use that waits to be judged.
#[derive(Debug, Clone)]
struct Parked {
    text: Vec<u8>,
    id: Id,
    id_text: Vec<u8>,
    key: ItemKey,
    params: Object,
    /// Whether the client was asked about it already.
    was_asked: bool,
    /// Inputs that HTTP has to say beside the call.
    headers: Headers,
}

/// A listing of the guard's own.
#[derive(Debug)]
struct Look {
    id: Id,
    begun: Duration,
    pages: Vec<Answer>,
    bytes: usize,
    meta: Option<Value>,
}

/// What is known of one list.
#[derive(Debug, Default)]
struct Known {
    /// The items, and when the listing was asked for; none before the first, or since the list was called changed.
    items: Option<(Duration, Rc<Items>)>,
    /// The last whole listing, as sent: the same bytes need no second reading.
    last: Option<(Vec<u8>, Rc<Items>)>,
    look: Option<Look>,
    /// Uses that the listing under way is for, and those that came after it was asked for.
    parked: VecDeque<Parked>,
    late: VecDeque<Parked>,
}

/// The state of a talk.
pub struct Router {
    account: Result<Rc<Account>, Problem>,
    bounds: Bounds,
    awaited: BTreeMap<Id, Awaited>,
    known: BTreeMap<Kind, Known>,
    /// Answers to approved uses that asked for more (2026-07-28, "Multi Round-Trip Requests"): their continuation
    /// passes once.
    continued: Vec<(Approved, Option<String>)>,
    client: String,
    is_initialized: bool,
    last_own: u64,
    counted: ByTool<Counts>,
    /// Whether the client lets servers ask, and what it was asked about.
    elicits: bool,
    asking: BTreeMap<Id, Asking>,
}
impl Router {
    /// Before the first message.
    pub fn new(account: Result<Account, Problem>, bounds: Bounds) -> Self {
        Self {
            account: account.map(Rc::new),
            bounds,
            awaited: BTreeMap::new(),
            known: BTreeMap::new(),
            continued: Vec::new(),
            client: "unknown client".to_owned(),
            is_initialized: false,
            last_own: 0,
            counted: ByTool::new(),
            elicits: false,
            asking: BTreeMap::new(),
        }
    }

    /// Goes by another account from now on. A client that keeps a list is told to ask again.
    pub fn go_by(&mut self, account: Result<Account, Problem>) -> Vec<Action> {
        let is_same = match (&self.account, &account) {
            (Ok(before), Ok(now)) => before.says_the_same(now),
            (Err(before), Err(now)) => before == now,
            _ => false,
        };
        self.account = account.map(Rc::new);
        if is_same {
            return Vec::new();
        }
        let mut actions = Vec::new();
        if let Err(problem) = &self.account {
            actions.push(Action::Say(format!(
                "everything is withheld: {}",
                problem.message
            )));
        }
        if self.is_initialized {
            let told = answers::notification("notifications/tools/list_changed");
            actions.push(Action::ToClient(told));
        }
        actions
    }

    /// Whether somebody still waits for an answer of the server.
    pub fn is_waiting(&self) -> bool {
        let mut awaited = self.awaited.values();
        awaited.any(|awaited| *awaited != Awaited::Listening) || self.has_parked()
    }

    /// Whether a use still waits to be judged.
    pub fn has_parked(&self) -> bool {
        let mut known = self.known.values();
        known.any(|known| !known.parked.is_empty() || !known.late.is_empty())
    }
}
