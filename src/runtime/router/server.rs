//! What the server says: answers that are judged are written anew, what the guard asked for is kept.

use super::looks::{OWN, is_own};
use super::methods::{changed_kinds, read_params};
use super::words::{cannot_check, unpaired};
use super::{Action, Awaited, Desk, Router};
use crate::runtime::envelope::{self, Envelope};
use crate::runtime::{answers, hello, listing};
use std::time::Duration;

impl Router {
    /// Takes a frame of the server.
    pub fn from_server(
        &mut self,
        mut frame: Vec<u8>,
        now: Duration,
        desk: &Desk<'_>,
    ) -> Vec<Action> {
        let mut actions = Vec::new();
        one_line(&mut frame);
        let messages = envelope::read(&frame).apart(frame);
        if messages.is_empty() {
            let text = "a message of the server that is no JSON-RPC, or has a member twice, was not passed on";
            actions.push(Action::Say(text.to_owned()));
        }
        for (text, one) in messages {
            self.server_message(text, &one, now, desk, &mut actions);
        }
        actions
    }

    pub(super) fn server_message(
        &mut self,
        text: Vec<u8>,
        one: &Envelope,
        now: Duration,
        desk: &Desk<'_>,
        actions: &mut Vec<Action>,
    ) {
        if let Some(method) = &one.method {
            if one.id.clone().is_some_and(|id| is_own(&text[id])) {
                let id_text = one.id.clone().map(|id| text[id].to_vec());
                let why = "ids that begin like its own are the guard's";
                let answer = answers::error(&id_text.unwrap_or_default(), &unpaired(why));
                actions.push(Action::ToServer(answer));
                return;
            }
            if method == "notifications/cancelled" && cancels_own(&text, one) {
                return;
            }
            for kind in changed_kinds(method) {
                self.known.entry(*kind).or_default().items = None;
            }
            actions.push(Action::ToClient(text));
            return;
        }
        let Some(id) = one.id(&text) else {
            // An error that names no request may go on (JSON-RPC 2.0, section 5.1); a result answers somebody.
            actions.push(
                if one.has_error && one.result.is_none() && one.id.is_none() {
                    Action::ToClient(text)
                } else {
                    let text = "an answer of the server that names no request was not passed on";
                    Action::Say(text.to_owned())
                },
            );
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
        // A server that answers before it is asked could meet a request that is just on its way.
        let Some(awaited) = self.awaited.remove(&id) else {
            let text = "an answer of the server to what nobody asked was not passed on";
            actions.push(Action::Say(text.to_owned()));
            return;
        };
        let id_text = one
            .id
            .clone()
            .map(|id| text[id].to_vec())
            .unwrap_or_default();
        let result = one.result.clone().map(|result| &text[result]);
        let rewritten = match (&awaited, result) {
            // Both: which one a client takes is its own affair.
            (Awaited::Greeting(_) | Awaited::List(_), Some(_)) if one.has_error => {
                Err("it is both a result and an error".to_owned())
            }
            (Awaited::Greeting(greeting), Some(result)) => match &self.account {
                Ok(account) => hello::rewrite(*greeting, result, account),
                Err(problem) => Err(problem.message.clone()),
            },
            (Awaited::List(kind), Some(result)) => match &self.account {
                Ok(account) => listing::rewrite(*kind, result, account),
                Err(problem) => Err(problem.message.clone()),
            },
            (Awaited::LetThrough(approved), Some(result)) => {
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
}

/// Whether a server takes back what the guard asked the client, or may do so for some readers.
fn cancels_own(text: &[u8], one: &Envelope) -> bool {
    let params = one.params.clone().map(|params| read_params(&text[params]));
    let id = params.map(|params| params.map(|params| params.text("requestId").map(str::to_owned)));
    match id {
        Some(Ok(Some(id))) => id.starts_with(OWN),
        Some(Err(_)) => true,
        _ => false,
    }
}

/// A message that came over HTTP may have line ends between its tokens: over stdio each line is a message.
fn one_line(frame: &mut [u8]) {
    if !frame.contains(&b'\n') {
        return;
    }
    for byte in frame {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
}
