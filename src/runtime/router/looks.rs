//! Listings of the guard's own, by which uses are judged.

use super::words::cannot_check;
use super::{Action, Desk, Items, Look, Router};
use crate::canonical;
use crate::capture::Answer;
use crate::json::{self, Object, Value};
use crate::model::Kind;
use crate::runtime::envelope::{Envelope, Id};
use crate::runtime::{answers, listing};
use std::rc::Rc;
use std::time::Duration;

/// What the ids of a guard's own requests begin with.
pub(super) const OWN: &str = "countersign-guard-";
/// What a legacy server answers to a method that it does not have.
const METHOD_NOT_FOUND: &str = "-32601";

/// What a listing came to: when it was asked for, and the items.
type Listed = Result<(Duration, Rc<Items>), String>;

impl Router {
    /// What tells one of the guard's own requests from the others.
    pub(super) fn next_own(&mut self) -> u64 {
        self.last_own += 1;
        self.last_own
    }

    /// Asks for a list.
    pub(super) fn look(&mut self, kind: Kind, now: Duration, actions: &mut Vec<Action>) {
        let own = self.next_own();
        let known = self.known.entry(kind).or_default();
        let meta = known
            .parked
            .front()
            .and_then(|parked| own_meta(&parked.params));
        let text = format!("{OWN}{own}");
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

    /// Takes a page of the guard's own listing.
    pub(super) fn listed(
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
                Ok((look.begun, Rc::default()))
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
            let items = Rc::clone(items);
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
                let outcome = listing::items(kind, look.pages, secrets).map(Rc::new);
                if let Ok(items) = &outcome
                    && is_first
                {
                    known.last = Some((result.to_vec(), Rc::clone(items)));
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
    pub(super) fn conclude(
        &mut self,
        kind: Kind,
        outcome: Listed,
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
                    self.judge(kind, parked, now, desk, actions);
                }
            }
            Err(why) => {
                known.items = None;
                for parked in parked {
                    self.refuse(&parked, &cannot_check(&why), actions);
                }
            }
        }
        let known = self.known.entry(kind).or_default();
        if !known.late.is_empty() {
            known.parked = std::mem::take(&mut known.late);
            self.look(kind, now, actions);
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

pub(super) fn is_own(id: &[u8]) -> bool {
    let text = json::read(id, json::Limits::default());
    text.is_ok_and(|text| {
        text.value
            .as_str()
            .is_some_and(|text| text.starts_with(OWN))
    })
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
