//! The talk between a client and a server, message by message: what passes, what is written anew, what is answered
//! here, what waits. Pure: time comes in as a duration since the start, held calls are looked up through [`Desk`].
//!
//! What is not judged passes byte for byte, in order. A use is judged by a listing that was asked for after it came,
//! so it waits, and nothing else does.

use super::account::Account;
use super::answers::{self, Modern};
use super::envelope::{self, Envelope, Frame, Id};
use super::hello::{self, Greeting};
use super::listing;
use super::verdict::Use;
use crate::canonical;
use crate::capture::Answer;
use crate::catalogue::Item;
use crate::json::{self, Object, Value};
use crate::model::{ItemKey, Kind, Problem};
use crate::store::{HeldCall, Passage};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::time::Duration;

/// What the ids of a guard's own requests begin with.
const OWN: &str = "countersign-guard-";
/// What a legacy server answers to a method that it does not have.
const METHOD_NOT_FOUND: &str = "-32601";

/// A request whose answer comes at the end of the talk, if ever (2026-07-28, "Subscriptions").
const LISTEN: &str = "subscriptions/listen";

/// What is to be done, in this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Send to the server.
    ToServer(Vec<u8>),
    /// Send to the client.
    ToClient(Vec<u8>),
    /// Say on standard error. Outside text inside.
    Say(String),
}

/// Where held calls are kept.
pub struct Desk<'a> {
    /// Lets a call through if it is approved, which uses the approval up; holds it otherwise.
    pub pass: &'a dyn Fn(&HeldCall) -> Result<Passage, Problem>,
    /// Takes note of what the server lists now of a kind: what is held under another definition is void.
    pub seen: &'a dyn Fn(Kind, &BTreeMap<ItemKey, Item>) -> Result<(), Problem>,
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
    Other,
}

/// What an approval was used up for: item, definition, arguments.
type Approved = (ItemKey, crate::fingerprint::Digest, String);

/// A use that waits to be judged.
#[derive(Debug, Clone)]
struct Parked {
    text: Vec<u8>,
    id: Id,
    id_text: Vec<u8>,
    key: ItemKey,
    params: Object,
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
    items: Option<(Duration, BTreeMap<ItemKey, Item>)>,
    /// The last whole listing, as sent: the same bytes need no second reading.
    last: Option<(Vec<u8>, BTreeMap<ItemKey, Item>)>,
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
        !self.awaited.is_empty() || self.has_parked()
    }

    /// Whether a use still waits to be judged.
    pub fn has_parked(&self) -> bool {
        let mut known = self.known.values();
        known.any(|known| !known.parked.is_empty() || !known.late.is_empty())
    }

    /// Takes a frame of the client.
    pub fn from_client(&mut self, frame: Vec<u8>, now: Duration, desk: &Desk<'_>) -> Vec<Action> {
        let mut actions = Vec::new();
        match envelope::read(&frame) {
            Frame::One(one) => self.client_message(frame, &one, now, desk, &mut actions),
            Frame::Batch(all)
                if all
                    .iter()
                    .all(|one| one.method.as_deref().is_none_or(is_plain)) =>
            {
                for one in &all {
                    self.expect(&frame, one);
                }
                actions.push(Action::ToServer(frame));
            }
            Frame::Batch(all) => {
                for one in all {
                    let text = frame[one.span.clone()].to_vec();
                    if let Frame::One(one) = envelope::read(&text) {
                        self.client_message(text, &one, now, desk, &mut actions);
                    }
                }
            }
            Frame::Nothing => {
                let text = "a message of the client that is no JSON-RPC, or has a member twice, was not passed on";
                actions.push(Action::Say(text.to_owned()));
            }
        }
        actions
    }

    fn client_message(
        &mut self,
        text: Vec<u8>,
        one: &Envelope,
        now: Duration,
        desk: &Desk<'_>,
        actions: &mut Vec<Action>,
    ) {
        let Some(method) = one.method.as_deref() else {
            actions.push(Action::ToServer(text));
            return;
        };
        if method == "notifications/initialized" {
            self.is_initialized = true;
        }
        if method == "notifications/cancelled" {
            if !self.cancel(&text, one) {
                actions.push(Action::ToServer(text));
            }
            return;
        }
        let (Some(id), Some(id_text)) = (one.id(&text), one.id.clone()) else {
            // A use without an id has no answer that could say no.
            if used_kind(method).is_none() {
                actions.push(Action::ToServer(text));
            }
            return;
        };
        let id_text = text[id_text].to_vec();
        if let Some(kind) = used_kind(method) {
            match self.park(text, one, id, id_text.clone(), kind) {
                Ok(parked) => self.use_of(kind, parked, now, desk, actions),
                Err(answer) => actions.push(Action::ToClient(answer)),
            }
            return;
        }
        if let Some(greeting) = greeting(method) {
            self.introduce(&text, one);
            self.awaited.insert(id, Awaited::Greeting(greeting));
        } else if let Some(kind) = listed_kind(method) {
            if let Err(problem) = &self.account {
                actions.push(Action::ToClient(answers::error(
                    &id_text,
                    &withheld(problem),
                )));
                return;
            }
            self.introduce(&text, one);
            self.awaited.insert(id, Awaited::List(kind));
        } else if method != LISTEN {
            self.awaited.insert(id, Awaited::Other);
        }
        actions.push(Action::ToServer(text));
    }

    /// Notes that a message of a batch that passes whole is a request.
    fn expect(&mut self, frame: &[u8], one: &Envelope) {
        if one.method.as_deref() == Some("notifications/initialized") {
            self.is_initialized = true;
        }
        if let Some(id) = one.id(frame).filter(|_| one.is_request()) {
            self.awaited.insert(id, Awaited::Other);
        }
    }

    /// Whether the request that a client gives up was not sent yet; then it never is.
    fn cancel(&mut self, text: &[u8], one: &Envelope) -> bool {
        let Some(Ok(params)) = one.params.clone().map(|params| read_params(&text[params])) else {
            return false;
        };
        let id = match params.get("requestId") {
            Some(Value::Number(number)) => Id::read(number.as_bytes()),
            Some(Value::String(text)) => Some(Id::of_text(text)),
            _ => None,
        };
        let Some(id) = id else { return false };
        for known in self.known.values_mut() {
            for queue in [&mut known.parked, &mut known.late] {
                if let Some(at) = queue.iter().position(|parked| parked.id == id) {
                    queue.remove(at);
                    return true;
                }
            }
        }
        // An answer may come all the same: what it would answer is still judged.
        if self.awaited.get(&id) == Some(&Awaited::Other) {
            self.awaited.remove(&id);
        }
        false
    }

    /// Keeps what the client calls itself.
    fn introduce(&mut self, text: &[u8], one: &Envelope) {
        let Some(Ok(params)) = one.params.clone().map(|params| read_params(&text[params])) else {
            return;
        };
        let info = params.get("clientInfo").or_else(|| {
            params
                .get("_meta")?
                .get("io.modelcontextprotocol/clientInfo")
        });
        if let Some(name) = info.and_then(|info| info.get("name")?.as_str()) {
            let version = info.and_then(|info| info.get("version")?.as_str());
            self.client = format!("{name} {}", version.unwrap_or_default())
                .trim_end()
                .to_owned();
        }
    }

    /// Makes a use ready to be judged, or the answer that refuses it.
    fn park(
        &mut self,
        text: Vec<u8>,
        one: &Envelope,
        id: Id,
        id_text: Vec<u8>,
        kind: Kind,
    ) -> Result<Parked, Vec<u8>> {
        let refuse = |why: &str, params: &Object| refusal(&id_text, kind, params, why);
        let params = match one.params.clone().map(|params| read_params(&text[params])) {
            Some(Ok(params)) => params,
            Some(Err(why)) => return Err(refuse(&why, &Object::default())),
            None => Object::default(),
        };
        if let Err(problem) = &self.account {
            return Err(refuse(&withheld(problem), &params));
        }
        let Some(name) = params.text(kind.name_member()).map(str::to_owned) else {
            return Err(refuse("the request names nothing", &params));
        };
        self.introduce(&text, one);
        Ok(Parked {
            text,
            id,
            id_text,
            key: ItemKey::new(kind, name),
            params,
        })
    }

    fn use_of(
        &mut self,
        kind: Kind,
        parked: Parked,
        now: Duration,
        desk: &Desk<'_>,
        actions: &mut Vec<Action>,
    ) {
        let recheck = self.bounds.recheck;
        let known = self.known.entry(kind).or_default();
        let age = known
            .items
            .as_ref()
            .map(|(asked, _)| now.saturating_sub(*asked));
        if age.is_some_and(|age| age < recheck) {
            self.judge(kind, parked, desk, actions);
        } else if known.look.is_some() {
            // The listing under way was asked for before.
            known.late.push_back(parked);
        } else {
            known.parked.push_back(parked);
            self.look(kind, now, actions);
        }
    }

    /// Asks for a list.
    fn look(&mut self, kind: Kind, now: Duration, actions: &mut Vec<Action>) {
        let known = self.known.entry(kind).or_default();
        let meta = known
            .parked
            .front()
            .and_then(|parked| own_meta(&parked.params));
        self.last_own += 1;
        let text = format!("{OWN}{}", self.last_own);
        known.look = Some(Look {
            id: Id::of_text(&text),
            begun: now,
            pages: Vec::new(),
            bytes: 0,
            meta: meta.clone(),
        });
        let method = kind.list_method().unwrap_or_default();
        let request = answers::list_request(&text, method, None, meta.as_ref());
        actions.push(Action::ToServer(request));
    }

    /// Takes a frame of the server.
    pub fn from_server(&mut self, frame: Vec<u8>, now: Duration, desk: &Desk<'_>) -> Vec<Action> {
        let mut actions = Vec::new();
        match envelope::read(&frame) {
            Frame::One(one) => self.server_message(frame, &one, now, desk, &mut actions),
            Frame::Batch(all) => {
                for one in all {
                    let text = frame[one.span.clone()].to_vec();
                    if let Frame::One(one) = envelope::read(&text) {
                        self.server_message(text, &one, now, desk, &mut actions);
                    }
                }
            }
            Frame::Nothing => {
                let text = "a message of the server that is no JSON-RPC, or has a member twice, was not passed on";
                actions.push(Action::Say(text.to_owned()));
            }
        }
        actions
    }

    fn server_message(
        &mut self,
        text: Vec<u8>,
        one: &Envelope,
        now: Duration,
        desk: &Desk<'_>,
        actions: &mut Vec<Action>,
    ) {
        if let Some(method) = &one.method {
            for kind in changed_kinds(method) {
                self.known.entry(*kind).or_default().items = None;
            }
            actions.push(Action::ToClient(text));
            return;
        }
        let Some(id) = one.id(&text) else {
            actions.push(Action::ToClient(text));
            return;
        };
        let looking = self.known.iter().find_map(|(kind, known)| {
            known
                .look
                .as_ref()
                .filter(|look| look.id == id)
                .map(|_| *kind)
        });
        if let Some(kind) = looking {
            self.listed(kind, &text, one, now, desk, actions);
            return;
        }
        if one.id.clone().is_some_and(|id| is_own(&text[id])) {
            // A late answer to a listing that was given up.
            return;
        }
        let awaited = self.awaited.remove(&id);
        let id_text = one
            .id
            .clone()
            .map(|id| text[id].to_vec())
            .unwrap_or_default();
        let result = one.result.clone().map(|result| &text[result]);
        let rewritten = match (&awaited, result) {
            // Both: which one a client takes is its own affair.
            (Some(Awaited::Greeting(_) | Awaited::List(_)), Some(_)) if one.has_error => {
                Err("it is both a result and an error".to_owned())
            }
            (Some(Awaited::Greeting(greeting)), Some(result)) => match &self.account {
                Ok(account) => hello::rewrite(*greeting, result, account),
                Err(problem) => Err(problem.message.clone()),
            },
            (Some(Awaited::List(kind)), Some(result)) => match &self.account {
                Ok(account) => listing::rewrite(*kind, result, account),
                Err(problem) => Err(problem.message.clone()),
            },
            (Some(Awaited::LetThrough(approved)), Some(result)) => {
                let approved = approved.clone();
                self.note_continuation(result, approved);
                Ok(None)
            }
            _ => Ok(None),
        };
        actions.push(Action::ToClient(match rewritten {
            Ok(None) => text,
            Ok(Some(result)) => answers::answer(&id_text, &result),
            Err(why) => answers::error(&id_text, &cannot_check(&why)),
        }));
    }

    /// Takes a page of the guard's own listing.
    fn listed(
        &mut self,
        kind: Kind,
        text: &[u8],
        one: &Envelope,
        now: Duration,
        desk: &Desk<'_>,
        actions: &mut Vec<Action>,
    ) {
        let Some(known) = self.known.get_mut(&kind) else {
            return;
        };
        let Some(mut look) = known.look.take() else {
            return;
        };
        let account = match &self.account {
            Ok(account) => account,
            Err(problem) => {
                let why = problem.message.clone();
                return self.conclude(kind, Err(why), now, desk, actions);
            }
        };
        let Some(result) = one.result.clone().filter(|_| !one.has_error) else {
            // A server that does not have the list has none of its items.
            let outcome = if is_not_found(text) && look.pages.is_empty() {
                Ok((look.begun, BTreeMap::new()))
            } else {
                Err("the server answered the listing with an error".to_owned())
            };
            return self.conclude(kind, outcome, now, desk, actions);
        };
        let result = &text[result];
        let is_first = look.pages.is_empty();
        if is_first
            && let Some((last, items)) = &known.last
            && last == result
        {
            let items = items.clone();
            return self.conclude(kind, Ok((look.begun, items)), now, desk, actions);
        }
        look.bytes += result.len();
        let page = listing::read_result(result, account.limits);
        let next = page.and_then(|page| {
            let next = next_cursor(&page)?;
            look.pages.push(page);
            if look.bytes > self.bounds.bytes || look.pages.len() > self.bounds.pages {
                return Err("the listing is longer than its bounds".to_owned());
            }
            Ok(next)
        });
        match next {
            Ok(Some(cursor)) => {
                self.last_own += 1;
                let text = format!("{OWN}{}", self.last_own);
                let method = kind.list_method().unwrap_or_default();
                let request =
                    answers::list_request(&text, method, Some(&cursor), look.meta.as_ref());
                look.id = Id::of_text(&text);
                known.look = Some(look);
                actions.push(Action::ToServer(request));
            }
            Ok(None) => {
                let (begun, secrets) = (look.begun, &account.secrets);
                let outcome = listing::items(kind, look.pages, secrets);
                if let Ok(items) = &outcome
                    && is_first
                {
                    known.last = Some((result.to_vec(), items.clone()));
                }
                let outcome = match outcome {
                    Ok(items) => (desk.seen)(kind, &items)
                        .map(|()| (begun, items))
                        .map_err(|problem| problem.message),
                    Err(why) => Err(why),
                };
                self.conclude(kind, outcome, now, desk, actions);
            }
            Err(why) => self.conclude(kind, Err(why), now, desk, actions),
        }
    }

    /// Judges what waited for a listing, and asks again for what came meanwhile.
    fn conclude(
        &mut self,
        kind: Kind,
        outcome: Result<(Duration, BTreeMap<ItemKey, Item>), String>,
        now: Duration,
        desk: &Desk<'_>,
        actions: &mut Vec<Action>,
    ) {
        let known = self.known.entry(kind).or_default();
        known.look = None;
        let parked = std::mem::take(&mut known.parked);
        match outcome {
            Ok(listed) => {
                known.items = Some(listed);
                for parked in parked {
                    self.judge(kind, parked, desk, actions);
                }
            }
            Err(why) => {
                known.items = None;
                for parked in parked {
                    let why = cannot_check(&why);
                    let answer = refusal(&parked.id_text, kind, &parked.params, &why);
                    actions.push(Action::ToClient(answer));
                }
            }
        }
        let known = self.known.entry(kind).or_default();
        if !known.late.is_empty() {
            known.parked = std::mem::take(&mut known.late);
            self.look(kind, now, actions);
        }
    }

    /// Judges a use by what is known now.
    fn judge(&mut self, kind: Kind, parked: Parked, desk: &Desk<'_>, actions: &mut Vec<Action>) {
        let refuse = |parked: &Parked, why: &str| {
            Action::ToClient(refusal(&parked.id_text, kind, &parked.params, why))
        };
        let account = match &self.account {
            Ok(account) => Rc::clone(account),
            Err(problem) => {
                actions.push(refuse(&parked, &withheld(problem)));
                return;
            }
        };
        let items = self.known.get(&kind).and_then(|known| known.items.as_ref());
        let Some(item) = items.and_then(|(_, items)| items.get(&parked.key)) else {
            if kind == Kind::Resource && !is_blocked_template(&account, &parked.key) {
                // Links in results and what templates stand for are in no list.
                self.let_pass(parked, Awaited::Other, actions);
            } else {
                let why = format!("{} is not what the server lists", named(&parked.key));
                actions.push(refuse(&parked, &withheld_because(&why)));
            }
            return;
        };
        let verdict = account.verdict(&parked.key, item);
        match verdict.usage {
            Use::Pass => self.let_pass(parked, Awaited::Other, actions),
            Use::Refuse => {
                let why = format!("{}: {}", named(&parked.key), verdict.why);
                actions.push(refuse(&parked, &withheld_because(&why)));
            }
            Use::Hold => {
                let arguments = match parked.params.get("arguments") {
                    None => Value::Object(Object::default()),
                    Some(arguments) => canonical::canonical(arguments),
                };
                let (arguments, definition) = (canonical::to_text(&arguments), item.digest);
                let approved = (parked.key.clone(), definition, arguments.clone());
                if self.is_continuation(&approved, &parked.params) {
                    self.let_pass(parked, Awaited::LetThrough(approved), actions);
                    return;
                }
                let call = HeldCall {
                    server: account.name().clone(),
                    item: parked.key.clone(),
                    definition,
                    shown_arguments: account.secrets.redact(&arguments),
                    arguments,
                    asked_by: account.secrets.excerpt(&self.client, 200),
                    why: verdict.why.clone(),
                };
                match (desk.pass)(&call) {
                    Ok(Passage::Through) => {
                        self.let_pass(parked, Awaited::LetThrough(approved), actions);
                    }
                    Ok(Passage::Held(id)) => {
                        let why = held(&parked.key, &verdict.why, &(desk.command)(&id));
                        actions.push(refuse(&parked, &why));
                    }
                    Err(problem) => actions.push(refuse(&parked, &withheld(&problem))),
                }
            }
        }
    }

    fn let_pass(&mut self, parked: Parked, awaited: Awaited, actions: &mut Vec<Action>) {
        self.awaited.insert(parked.id, awaited);
        actions.push(Action::ToServer(parked.text));
    }

    /// Whether a use goes on with one that was let through and asked for more; once.
    fn is_continuation(&mut self, approved: &Approved, params: &Object) -> bool {
        let state = params.text("requestState");
        if state.is_none() && params.get("inputResponses").is_none() {
            return false;
        }
        let mut known = self.continued.iter();
        let at = known.position(|(of, wanted)| of == approved && wanted.as_deref() == state);
        at.map(|at| self.continued.remove(at)).is_some()
    }

    fn note_continuation(&mut self, result: &[u8], approved: Approved) {
        let Ok(document) = json::read(result, json::Limits::default()) else {
            return;
        };
        let result = document.value;
        if result.get("resultType").and_then(Value::as_str) == Some("input_required") {
            let state = result.get("requestState").and_then(Value::as_str);
            self.continued.push((approved, state.map(str::to_owned)));
        }
    }

    /// Gives up listings that take too long: what waits for them is refused.
    pub fn expire(&mut self, now: Duration, desk: &Desk<'_>) -> Vec<Action> {
        let mut actions = Vec::new();
        let timeout = self.bounds.timeout;
        let kinds: Vec<Kind> = self.known.keys().copied().collect();
        for kind in kinds {
            let look = self.known.get(&kind).and_then(|known| known.look.as_ref());
            if look.is_some_and(|look| now.saturating_sub(look.begun) > timeout) {
                let why = "the server does not answer the listing".to_owned();
                self.conclude(kind, Err(why), now, desk, &mut actions);
            }
        }
        actions
    }
}

/// The kind of item that a method uses.
fn used_kind(method: &str) -> Option<Kind> {
    match method {
        "tools/call" => Some(Kind::Tool),
        "prompts/get" => Some(Kind::Prompt),
        "resources/read" => Some(Kind::Resource),
        _ => None,
    }
}

fn listed_kind(method: &str) -> Option<Kind> {
    let mut kinds = Kind::LISTED.into_iter();
    kinds.find(|kind| kind.list_method() == Some(method))
}

fn greeting(method: &str) -> Option<Greeting> {
    match method {
        "initialize" => Some(Greeting::Initialize),
        "server/discover" => Some(Greeting::Discover),
        _ => None,
    }
}

/// Whether a method is none that is judged, and none that says anything about others.
fn is_plain(method: &str) -> bool {
    used_kind(method).is_none()
        && listed_kind(method).is_none()
        && greeting(method).is_none()
        && method != "notifications/cancelled"
}

fn changed_kinds(method: &str) -> &'static [Kind] {
    match method {
        "notifications/tools/list_changed" => &[Kind::Tool],
        "notifications/prompts/list_changed" => &[Kind::Prompt],
        "notifications/resources/list_changed" => &[Kind::Resource, Kind::Template],
        _ => &[],
    }
}

fn is_own(id: &[u8]) -> bool {
    let text = json::read(id, json::Limits::default());
    text.is_ok_and(|text| {
        text.value
            .as_str()
            .is_some_and(|text| text.starts_with(OWN))
    })
}

/// The parameters of a judged request, read strictly: what clients and servers read differently is refused.
fn read_params(text: &[u8]) -> Result<Object, String> {
    let document = json::read(text, json::Limits::default()).map_err(|error| error.to_string())?;
    match document.value {
        Value::Object(params) if document.flaws.is_empty() => Ok(params),
        Value::Object(_) => Err(
            "its parameters have a member twice, or are read differently by different readers"
                .to_owned(),
        ),
        _ => Err("its parameters are no object".to_owned()),
    }
}

/// What a modern request of the guard's own carries: as the request that it is for.
fn own_meta(params: &Object) -> Option<Value> {
    let meta = params.get("_meta")?.as_object()?;
    let kept = meta
        .iter()
        .filter(|(name, _)| name.starts_with("io.modelcontextprotocol/"));
    let kept: Object = kept
        .map(|(name, value)| (name.to_owned(), value.clone()))
        .collect();
    (!kept.is_empty()).then_some(Value::Object(kept))
}

fn is_modern(params: &Object) -> Modern {
    let meta = params.get("_meta");
    Modern(meta.is_some_and(|meta| {
        meta.get("io.modelcontextprotocol/protocolVersion")
            .is_some()
    }))
}

/// An answer that says no in the way that the kind of request has for it.
fn refusal(id: &[u8], kind: Kind, params: &Object, why: &str) -> Vec<u8> {
    if kind == Kind::Tool {
        answers::tool_error(id, is_modern(params), why)
    } else {
        answers::error(id, why)
    }
}

fn next_cursor(page: &Answer) -> Result<Option<String>, String> {
    match page.result().get("nextCursor") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(cursor)) => Ok(Some(cursor.clone())),
        Some(_) => Err("a page has a cursor that is no string".to_owned()),
    }
}

fn is_not_found(text: &[u8]) -> bool {
    let document = json::read(text, json::Limits::default());
    let code =
        document
            .ok()
            .and_then(|document| match document.value.get("error")?.get("code")? {
                Value::Number(code) => Some(canonical::number(code)),
                _ => None,
            });
    code.as_deref() == Some(METHOD_NOT_FOUND)
}

/// Whether a template that the policy blocks may stand for a URI: it begins as the template does.
fn is_blocked_template(account: &Account, key: &ItemKey) -> bool {
    account.blocks(key)
        || account.blocked(Kind::Template).any(|template| {
            let template = template.name.as_str();
            let literal = template.split('{').next().unwrap_or_default();
            key.name.as_str().starts_with(literal)
        })
}

fn named(key: &ItemKey) -> String {
    format!("{} `{}`", key.kind.word(), key.name.as_str())
}

fn withheld_because(why: &str) -> String {
    format!("countersign withholds {why}")
}

fn withheld(problem: &Problem) -> String {
    let hint = problem
        .hint
        .as_ref()
        .map_or_else(String::new, |hint| format!("; to mend it: {hint}"));
    cannot_check(&format!("{}{hint}", problem.message))
}

fn cannot_check(why: &str) -> String {
    format!("countersign withholds this, because it cannot be checked: {why}")
}

fn held(key: &ItemKey, why: &str, command: &str) -> String {
    format!(
        "countersign holds this call of {}: {why}. Nothing was sent to the server. A person can let exactly this call through, once, with `{command}` in a terminal; ask for that, and call again after it",
        named(key)
    )
}
