//! What the client says: what passes at once, what is expected to come back, what is a use and waits.

use super::asking;
use super::looks::is_own;
use super::methods::{self, greeting, is_plain, listed_kind, read_params, used_kind};
use super::words::{refusal, unpaired, withheld};
use super::{Action, Awaited, Desk, Parked, Router};
use crate::json::{Object, Value};
use crate::model::{ItemKey, Kind};
use crate::runtime::answers;
use crate::runtime::envelope::{self, Envelope, Frame, Id};
use crate::runtime::mirrored::Headers;
use std::collections::BTreeSet;
use std::time::Duration;

impl Router {
    /// Takes a frame of the client.
    pub fn from_client(&mut self, frame: Vec<u8>, now: Duration, desk: &Desk<'_>) -> Vec<Action> {
        let mut actions = Vec::new();
        let read = envelope::read(&frame);
        if let Frame::Batch(all) = &read
            && self.passes_whole(&frame, all)
        {
            for one in all {
                self.expect(&frame, one);
            }
            actions.push(Action::ToServer(frame));
            return actions;
        }
        let messages = read.apart(frame);
        if messages.is_empty() {
            let text = "a message of the client that is no JSON-RPC, or has a member twice, was not passed on";
            actions.push(Action::Say(text.to_owned()));
        }
        for (text, one) in messages {
            self.client_message(text, &one, now, desk, &mut actions);
        }
        actions
    }

    pub(super) fn client_message(
        &mut self,
        text: Vec<u8>,
        one: &Envelope,
        now: Duration,
        desk: &Desk<'_>,
        actions: &mut Vec<Action>,
    ) {
        let Some(method) = one.method.as_deref() else {
            if is_own_answer(&text, one) {
                self.told(&text, one, now, desk, actions);
            } else {
                actions.push(Action::ToServer(text));
            }
            return;
        };
        if method == "notifications/initialized" {
            self.is_initialized = true;
        }
        if method == "notifications/cancelled" {
            if !self.cancel(&text, one, actions) {
                actions.push(Action::ToServer(text));
            }
            return;
        }
        let (id, id_text) = match self.pairable(&text, one) {
            Ok(Some((id, id_text))) => (id, id_text.to_vec()),
            Ok(None) => {
                // A use without an id has no answer that could say no.
                if used_kind(method).is_none() {
                    actions.push(Action::ToServer(text));
                }
                return;
            }
            Err((id_text, why)) => {
                actions.push(Action::ToClient(answers::error(id_text, &unpaired(why))));
                return;
            }
        };
        if let Some(kind) = used_kind(method) {
            match self.park(text, one, id, id_text.clone(), kind) {
                Ok(parked) => self.use_of(kind, parked, now, desk, actions),
                Err(answer) => actions.push(Action::ToClient(answer)),
            }
            return;
        }
        if let Some(greeting) = greeting(method) {
            self.introduce(&text, one);
            self.note_capabilities(&text, one);
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
        } else if method == methods::LISTEN {
            self.awaited.insert(id, Awaited::Listening);
        } else {
            self.awaited.insert(id, Awaited::Other);
        }
        actions.push(Action::ToServer(text));
    }

    /// Whether a batch holds nothing that is judged, and every answer to it can be told from the others.
    fn passes_whole(&self, frame: &[u8], all: &[Envelope]) -> bool {
        let mut ids = BTreeSet::new();
        all.iter().all(|one| {
            let Some(method) = one.method.as_deref() else {
                return !is_own_answer(frame, one);
            };
            let is_apart = match self.pairable(frame, one) {
                Ok(Some((id, _))) => ids.insert(id),
                Ok(None) => true,
                Err(_) => false,
            };
            is_plain(method) && is_apart
        })
    }

    /// Notes that a message of a batch that passes whole is a request.
    pub(super) fn expect(&mut self, frame: &[u8], one: &Envelope) {
        if one.method.as_deref() == Some("notifications/initialized") {
            self.is_initialized = true;
        }
        if let Some(id) = one.id(frame).filter(|_| one.is_request()) {
            self.awaited.insert(id, Awaited::Other);
        }
    }

    /// Whether the request that a client gives up was not sent yet; then it never is.
    fn cancel(&mut self, text: &[u8], one: &Envelope, actions: &mut Vec<Action>) -> bool {
        let Some(Ok(params)) = one.params.clone().map(|params| read_params(&text[params])) else {
            return false;
        };
        let id = match params.get("requestId") {
            Some(Value::Number(number)) => Id::read(number.as_bytes()),
            Some(Value::String(text)) => Some(Id::of_text(text)),
            _ => None,
        };
        let Some(id) = id else { return false };
        if self.cancel_asking(&id, actions) {
            return true;
        }
        for known in self.known.values_mut() {
            for queue in [&mut known.parked, &mut known.late] {
                if let Some(at) = queue.iter().position(|parked| parked.id == id) {
                    queue.remove(at);
                    return true;
                }
            }
        }
        // An answer may come all the same: what it would answer is still judged.
        if matches!(
            self.awaited.get(&id),
            Some(Awaited::Other | Awaited::Listening)
        ) {
            self.awaited.remove(&id);
        }
        false
    }

    /// Keeps what the client calls itself.
    pub(super) fn introduce(&mut self, text: &[u8], one: &Envelope) {
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
            let told = format!("{name} {}", version.unwrap_or_default());
            told.trim_end().clone_into(&mut self.client);
        }
    }

    /// Makes a use ready to be judged, or the answer that refuses it.
    pub(super) fn park(
        &mut self,
        mut text: Vec<u8>,
        one: &Envelope,
        id: Id,
        id_text: Vec<u8>,
        kind: Kind,
    ) -> Result<Parked, Vec<u8>> {
        let refuse = |why: &str, params: &Object| refusal(&id_text, kind, params, why);
        let mut params = match one.params.clone().map(|params| read_params(&text[params])) {
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
        let was_asked = asking::take_own_state(&mut params);
        if was_asked {
            let method = one.method.as_deref().unwrap_or_default();
            text = asking::with_params(&id_text, method, &params);
        }
        Ok(Parked {
            was_asked,
            headers: Headers::new(),
            text,
            id,
            id_text,
            key: ItemKey::new(kind, name),
            params,
        })
    }
}

/// Whether the client answers a question of the guard's own.
fn is_own_answer(text: &[u8], one: &Envelope) -> bool {
    one.id.clone().is_some_and(|id| is_own(&text[id]))
}
