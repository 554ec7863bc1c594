//! Telling a person of a held call in the client's own window, where the client lets servers ask (elicitation).
//!
//! What a client answers approves nothing: a program or a model may answer for the person. It only says when to look
//! again whether the call was approved with `approve`.

use super::looks::OWN;
use super::methods::{is_modern, read_params};
use super::words::to_approve;
use super::{Action, Desk, Parked, Router};
use crate::json::{Object, Value};
use crate::runtime::answers;
use crate::runtime::envelope::{Envelope, Id};
use crate::{canonical, json};
use std::time::Duration;

/// What the state of an answer of the guard's own begins with (2026-07-28, "Multi Round-Trip Requests").
const STATE: &str = "countersign-held-";
/// How many calls may wait for a person at once; more are answered at once.
const ASKING: usize = 16;

/// A call that waits until the client answers.
#[derive(Debug)]
pub(super) struct Asking {
    id_text: String,
    pub(super) parked: Parked,
    /// What the call is answered with unless it is let through.
    why: String,
}

impl Router {
    /// Asks the client about a held call; gives the call back where the client cannot be asked, or was.
    pub(super) fn ask(
        &mut self,
        parked: Parked,
        why: &str,
        held: &str,
        command: &str,
        actions: &mut Vec<Action>,
    ) -> Option<Parked> {
        if parked.was_asked {
            return Some(parked);
        }
        let message = to_approve(&parked.key, why, command);
        if is_modern(&parked.params).0 {
            if !elicits(capabilities_of_request(&parked.params)) {
                return Some(parked);
            }
            let state = format!("{STATE}{}", self.next_own());
            let answer = answers::input_required(&parked.id_text, &message, &state);
            actions.push(Action::ToClient(answer));
            return None;
        }
        if !self.elicits || self.asking.len() >= ASKING {
            return Some(parked);
        }
        let id_text = format!("{OWN}{}", self.next_own());
        actions.push(Action::ToClient(answers::elicitation(&id_text, &message)));
        let why = held.to_owned();
        let asking = Asking {
            id_text,
            parked,
            why,
        };
        self.asking.insert(Id::of_text(&asking.id_text), asking);
        None
    }

    /// Takes an answer of the client to the guard's own question.
    pub(super) fn told(
        &mut self,
        text: &[u8],
        one: &Envelope,
        now: Duration,
        desk: &Desk<'_>,
        actions: &mut Vec<Action>,
    ) {
        let Some(asking) = one.id(text).and_then(|id| self.asking.remove(&id)) else {
            return;
        };
        let result = one.result.clone().map(|result| read_params(&text[result]));
        let is_accepted = result.is_some_and(|result| {
            result.is_ok_and(|result| result.text("action") == Some("accept"))
        });
        if is_accepted {
            let mut parked = asking.parked;
            parked.was_asked = true;
            self.use_of(parked.key.kind, parked, now, desk, actions);
        } else {
            self.answer_held(&asking.parked, &asking.why, actions);
        }
    }

    /// Answers the calls that wait for a client that says no more.
    pub fn give_up_asking(&mut self) -> Vec<Action> {
        let mut actions = Vec::new();
        for asking in std::mem::take(&mut self.asking).into_values() {
            self.answer_held(&asking.parked, &asking.why, &mut actions);
        }
        actions
    }

    /// Takes a call back that the client gave up; whether it waited for a person.
    pub(super) fn cancel_asking(&mut self, id: &Id, actions: &mut Vec<Action>) -> bool {
        let mut waiting = self.asking.iter();
        let Some(own) = waiting.find(|(_, asking)| asking.parked.id == *id) else {
            return false;
        };
        let own = own.0.clone();
        if let Some(asking) = self.asking.remove(&own) {
            actions.push(Action::ToClient(answers::cancelled(&asking.id_text)));
        }
        true
    }

    /// Keeps whether the client of a legacy talk lets servers ask.
    pub(super) fn note_capabilities(&mut self, text: &[u8], one: &Envelope) {
        let params = one.params.clone().map(|params| read_params(&text[params]));
        self.elicits = matches!(params, Some(Ok(params)) if elicits(params.get("capabilities")));
    }
}

/// Takes the guard's own state, and what goes with it, out of a request: the server knows nothing of it. Whether it was
/// there.
pub(super) fn take_own_state(params: &mut Object) -> bool {
    let is_own = params
        .text("requestState")
        .is_some_and(|state| state.starts_with(STATE));
    if is_own {
        params.remove("requestState");
        params.remove("inputResponses");
    }
    is_own
}

/// A request with other parameters.
pub(super) fn with_params(id: &[u8], method: &str, params: &Object) -> Vec<u8> {
    let method = canonical::to_text(&Value::from(method));
    let params = canonical::to_text(&Value::Object(params.clone()));
    [
        br#"{"jsonrpc":"2.0","id":"#,
        id,
        br#","method":"#,
        method.as_bytes(),
        br#","params":"#,
        params.as_bytes(),
        b"}",
    ]
    .concat()
}

fn capabilities_of_request(params: &Object) -> Option<&Value> {
    params
        .get("_meta")?
        .get("io.modelcontextprotocol/clientCapabilities")
}

/// Whether a client with these capabilities shows forms: one that says nothing else does (2025-11-25, "Elicitation").
fn elicits(capabilities: Option<&json::Value>) -> bool {
    let elicitation = capabilities.and_then(|all| all.get("elicitation")?.as_object());
    elicitation.is_some_and(|how| how.is_empty() || how.get("form").is_some())
}
