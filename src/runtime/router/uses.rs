//! Uses of items: judged by what the server lists now, let through, held or refused.

use super::words::{held, named, refusal, withheld, withheld_because};
use super::{Action, Approved, Awaited, Desk, Parked, Router};
use crate::canonical;
use crate::json::{self, Object, Value};
use crate::model::{ItemKey, Kind};
use crate::runtime::account::Account;
use crate::runtime::verdict::Use;
use crate::store::{HeldCall, Passage};
use std::rc::Rc;
use std::time::Duration;

impl Router {
    pub(super) fn use_of(
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

    /// Judges a use by what is known now.
    pub(super) fn judge(
        &mut self,
        kind: Kind,
        parked: Parked,
        desk: &Desk<'_>,
        actions: &mut Vec<Action>,
    ) {
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
                let why = format!("{}: it is not in the server's list", named(&parked.key));
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

    pub(super) fn let_pass(&mut self, parked: Parked, awaited: Awaited, actions: &mut Vec<Action>) {
        self.awaited.insert(parked.id, awaited);
        actions.push(Action::ToServer(parked.text));
    }

    /// Whether a use goes on with one that was let through and asked for more; once.
    pub(super) fn is_continuation(&mut self, approved: &Approved, params: &Object) -> bool {
        let state = params.text("requestState");
        if state.is_none() && params.get("inputResponses").is_none() {
            return false;
        }
        let mut known = self.continued.iter();
        let at = known.position(|(of, wanted)| of == approved && wanted.as_deref() == state);
        at.map(|at| self.continued.remove(at)).is_some()
    }

    pub(super) fn note_continuation(&mut self, result: &[u8], approved: Approved) {
        let Ok(document) = json::read(result, json::Limits::default()) else {
            return;
        };
        let result = document.value;
        if result.get("resultType").and_then(Value::as_str) == Some("input_required") {
            let state = result.get("requestState").and_then(Value::as_str);
            self.continued.push((approved, state.map(str::to_owned)));
        }
    }
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
