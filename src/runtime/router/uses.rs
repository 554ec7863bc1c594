//! Uses of items: judged by what the server lists now, let through, held or refused.

use super::counting::bytes;
use super::reads::{self, Read};
use super::words::{held, named, refusal, withheld, withheld_because};
use super::{Action, Approved, Awaited, Desk, Parked, Router};
use crate::canonical;
use crate::fingerprint::Digest;
use crate::json::{self, Object, Value};
use crate::model::{ItemKey, Kind};
use crate::runtime::account::Account;
use crate::runtime::mirrored;
use crate::runtime::verdict::{Use, Verdict};
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
            self.judge(kind, parked, now, desk, actions);
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
        mut parked: Parked,
        now: Duration,
        desk: &Desk<'_>,
        actions: &mut Vec<Action>,
    ) {
        let account = match &self.account {
            Ok(account) => Rc::clone(account),
            Err(problem) => {
                let why = withheld(problem);
                return self.refuse(&parked, &why, actions);
            }
        };
        let asked = parked.key.clone();
        if kind == Kind::Template {
            match self.read_by_template(&account, &asked) {
                Read::Pass => self.let_pass(parked, Awaited::Other, actions),
                Read::Refused(why) => {
                    let why = format!("{}: {why}", named(&asked));
                    self.refuse(&parked, &withheld_because(&why), actions);
                }
                Read::Held(template, definition, verdict) => {
                    let call = (template, definition, reads::arguments(&asked));
                    self.hold(&account, call, &verdict, parked, desk, actions);
                }
            }
            return;
        }
        let items = self.known.get(&kind).and_then(|known| known.items.as_ref());
        let Some(item) = items.and_then(|(_, items)| items.get(&asked)).cloned() else {
            if kind != Kind::Resource {
                let why = format!("{}: it is not in the server's list", named(&asked));
                self.refuse(&parked, &withheld_because(&why), actions);
            } else if let Some(why) = self.other_spelling(&account, &asked, Use::Pass) {
                let why = format!("{}: {why}", named(&asked));
                self.refuse(&parked, &withheld_because(&why), actions);
            } else {
                // Links in results and what templates stand for are in no list.
                self.use_of(Kind::Template, parked, now, desk, actions);
            }
            return;
        };
        let verdict = account.verdict(&asked, &item);
        if kind == Kind::Tool {
            parked.headers = mirrored::headers(&item.definition, &parked.params);
        }
        // What a person accepted under its own name is judged by it; a new name is not a way around an old one.
        if kind == Kind::Resource
            && account.accepted(&asked).is_none()
            && let Some(why) = self.other_spelling(&account, &asked, verdict.usage)
        {
            let why = format!("{}: {why}", named(&asked));
            self.refuse(&parked, &withheld_because(&why), actions);
            return;
        }
        match verdict.usage {
            Use::Pass => self.let_pass(parked, Awaited::Other, actions),
            Use::Refuse => {
                let why = format!("{}: {}", named(&asked), verdict.why);
                self.refuse(&parked, &withheld_because(&why), actions);
            }
            Use::Hold => {
                let arguments = match parked.params.get("arguments") {
                    None => Value::Object(Object::default()),
                    Some(arguments) => canonical::canonical(arguments),
                };
                let call = (asked, item.digest, arguments);
                self.hold(&account, call, &verdict, parked, desk, actions);
            }
        }
    }

    /// Lets a use through if it is approved, and holds it otherwise.
    fn hold(
        &mut self,
        account: &Account,
        (item, definition, arguments): (ItemKey, Digest, Value),
        verdict: &Verdict,
        parked: Parked,
        desk: &Desk<'_>,
        actions: &mut Vec<Action>,
    ) {
        let arguments = canonical::to_text(&arguments);
        let approved = (item.clone(), definition, arguments.clone());
        if self.is_continuation(&approved, &parked.params) {
            self.let_pass(parked, Awaited::LetThrough(approved), actions);
            return;
        }
        let call = HeldCall {
            server: account.name().clone(),
            item,
            definition,
            shown_arguments: account.secrets.redact(&arguments),
            arguments,
            asked_by: account.secrets.excerpt(&self.client, 200),
            why: verdict.why.clone(),
        };
        match (desk.pass)(&call) {
            Ok(Passage::Through) => self.let_pass(parked, Awaited::LetThrough(approved), actions),
            Ok(Passage::Held(id)) => {
                let command = (desk.command)(&id);
                let why = held(&call.item, &verdict.why, &command);
                if let Some(parked) = self.ask(parked, &verdict.why, &why, &command, actions) {
                    self.answer_held(&parked, &why, actions);
                }
            }
            Err(problem) => self.refuse(&parked, &withheld(&problem), actions),
        }
    }

    /// Says that a use is held.
    pub(super) fn answer_held(&mut self, parked: &Parked, why: &str, actions: &mut Vec<Action>) {
        self.count(parked, |counts| {
            counts.calls += 1;
            counts.held += 1;
        });
        actions.push(answer(parked, why));
    }

    /// Says no.
    pub(super) fn refuse(&mut self, parked: &Parked, why: &str, actions: &mut Vec<Action>) {
        self.count(parked, |counts| {
            counts.calls += 1;
            counts.refused += 1;
        });
        actions.push(answer(parked, why));
    }

    pub(super) fn let_pass(&mut self, parked: Parked, awaited: Awaited, actions: &mut Vec<Action>) {
        self.count(&parked, |counts| {
            counts.calls += 1;
            counts.bytes += bytes(&parked);
        });
        self.awaited.insert(parked.id, awaited);
        actions.push(if parked.headers.is_empty() {
            Action::ToServer(parked.text)
        } else {
            Action::Mirrored(parked.text, parked.headers)
        });
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

fn answer(parked: &Parked, why: &str) -> Action {
    let kind = parked.key.kind;
    Action::ToClient(refusal(&parked.id_text, kind, &parked.params, why))
}
