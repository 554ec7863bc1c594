//! Listing: all pages of a list or an error, and a list that holds still.
//!
//! A partial list is never called whole: what is missing from it would count as removed.

use super::message::RpcError;
use super::session::{Reply, Session};
use super::trouble::Trouble;
use crate::capture::{Answer, Era};
use crate::fingerprint::Digest;
use crate::json::{Object, Value};
use crate::model::{Kind, Warning};
use crate::secret::Secrets;
use crate::transport::Failure;
use serde_json::{Map, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long the server may go on changing a list that it has called changed.
const SETTLE: Duration = Duration::from_millis(300);
/// The pause before asking again.
const PAUSE: Duration = Duration::from_millis(250);
/// How often a list is begun anew because it changed, because it failed, because it looks incomplete.
const ROUNDS: usize = 6;
const ATTEMPTS: usize = 3;
const ASKINGS: usize = 5;
/// How many request timeouts all pages of one list may take together.
const LISTING_TIMEOUTS: u32 = 10;

/// All pages of one list; no page where the server does not have that list.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub(super) pages: Vec<Answer>,
    /// Whether the server has the list at all.
    pub(super) is_offered: bool,
}

impl Listing {
    fn elements(&self, kind: Kind) -> impl Iterator<Item = &Value> {
        self.pages
            .iter()
            .filter_map(move |page| page.result().get(kind.list_member())?.as_array())
            .flatten()
    }

    /// Whether it may be taken at the first asking: there is something in it, and nothing that was accepted
    /// before is missing.
    fn looks_complete(&self, kind: Kind, expected: &BTreeSet<String>) -> bool {
        let names: BTreeSet<&str> = self
            .elements(kind)
            .filter_map(|item| item.get(kind.name_member())?.as_str())
            .collect();
        let is_empty = self.elements(kind).next().is_none();
        !is_empty && expected.iter().all(|name| names.contains(name.as_str()))
    }

    /// What two askings have to agree on: the items as sent, in any order and on any pages.
    fn items_as_sent(&self, kind: Kind) -> Vec<&[u8]> {
        let mut items: Vec<&[u8]> = self
            .pages
            .iter()
            .flat_map(|page| {
                let list = page.result().get(kind.list_member());
                list.and_then(Value::as_array)
                    .unwrap_or_default()
                    .iter()
                    .map(|item| {
                        let span = item.as_object().map_or(0..0, Object::span);
                        &page.source[span]
                    })
            })
            .collect();
        items.sort_unstable();
        items
    }

    /// Whether its pages name different cache scopes: they must not (2026-07-28, "Caching").
    pub(super) fn mixes_cache_scopes(&self) -> bool {
        let scopes: BTreeSet<Option<&str>> = self
            .pages
            .iter()
            .map(|page| page.result().get("cacheScope").and_then(Value::as_str))
            .collect();
        scopes.len() > 1
    }

    /// `ttlMs` and `cacheScope` of the last page (2026-07-28, "Caching").
    pub(super) fn cache(&self) -> (Option<String>, Option<String>) {
        let Some(result) = self.pages.last().map(Answer::result) else {
            return (None, None);
        };
        let ttl = match result.get("ttlMs") {
            Some(Value::Number(text)) => Some(text.to_string()),
            _ => None,
        };
        let scope = result.get("cacheScope").and_then(Value::as_str);
        (ttl, scope.map(str::to_owned))
    }
}

impl Session<'_> {
    /// Lists these kinds until none of them changes meanwhile. Who stays connected to a server that calls its lists
    /// changed without end goes by two answers that agree.
    pub(super) async fn list_all(
        &mut self,
        kinds: &[Kind],
        expected: &BTreeSet<String>,
        progress: &(dyn Fn(&str) + Sync),
    ) -> Result<BTreeMap<Kind, Listing>, Trouble> {
        let mut lists: BTreeMap<Kind, Listing> = BTreeMap::new();
        let mut agreed = BTreeSet::new();
        let mut open: Vec<Kind> = kinds.to_vec();
        for _ in 0..ROUNDS {
            for kind in &open {
                progress(&format!("listing {}", kind.plural()));
                self.changed.remove(kind);
                if let Some(listing) = self.list_agreed(*kind, expected).await? {
                    let before = lists.get(kind);
                    let is_same = before.is_some_and(|before| {
                        before.items_as_sent(*kind) == listing.items_as_sent(*kind)
                    });
                    if is_same && self.stays {
                        agreed.insert(*kind);
                    }
                    lists.insert(*kind, listing);
                }
            }
            // What stands in the pipe or stream by now was said before the listing was complete.
            if self.transport()?.listens() {
                self.take_in().await?;
            }
            open.retain(|kind| !lists.contains_key(kind));
            let may_differ = |kind: &&Kind| self.changed.contains(kind) && !agreed.contains(kind);
            open.extend(kinds.iter().filter(may_differ));
            open.sort_unstable();
            open.dedup();
            if open.is_empty() {
                return Ok(lists);
            }
            self.settle(SETTLE).await?;
        }
        let names = open.iter().map(|kind| kind.plural()).collect::<Vec<_>>();
        Err(Trouble::Unstable(format!(
            "the list of {} is not stable: it was called changed during each of {ROUNDS} listings",
            names.join(" and ")
        )))
    }

    /// A list that is complete by all appearances: tools that are missing are asked for until two answers agree.
    /// `None` if the list was called changed meanwhile.
    async fn list_agreed(
        &mut self,
        kind: Kind,
        expected: &BTreeSet<String>,
    ) -> Result<Option<Listing>, Trouble> {
        let mut before: Option<Listing> = None;
        for _ in 0..ASKINGS {
            let Some(listing) = self.list_whole(kind).await? else {
                return Ok(None);
            };
            let agrees = before
                .as_ref()
                .map(|before: &Listing| before.items_as_sent(kind) == listing.items_as_sent(kind));
            if agrees == Some(false) {
                self.tell_that_it_varies(kind);
            }
            // Nothing was expected of a list that the server does not have.
            let needs_no_second = !listing.is_offered && expected.is_empty();
            if kind != Kind::Tool || needs_no_second || listing.looks_complete(kind, expected) {
                return Ok(Some(listing));
            }
            if agrees == Some(true) {
                return Ok(Some(listing));
            }
            before = Some(listing);
            sleep(PAUSE).await;
        }
        Err(Trouble::Unstable(format!(
            "the list of {} is not stable: accepted ones are missing, and no two of {ASKINGS} answers in a row agree",
            kind.plural()
        )))
    }

    fn tell_that_it_varies(&mut self, kind: Kind) {
        let message = format!(
            "the list of {} was another one when it was asked for again, and nothing announced that",
            kind.plural()
        );
        let warning = Warning::new("list-varies", message).at(kind.plural());
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// All pages, begun anew a few times if one fails. `None` if the list was called changed meanwhile.
    async fn list_whole(&mut self, kind: Kind) -> Result<Option<Listing>, Trouble> {
        let mut attempt = 1;
        loop {
            match self.list_once(kind).await {
                Ok(listing) => return Ok(Some(listing)),
                Err(trouble) if trouble.is_passing() && self.changed.contains(&kind) => {
                    return Ok(None);
                }
                Err(trouble) if trouble.is_passing() && attempt < ATTEMPTS => attempt += 1,
                Err(trouble) => return Err(trouble),
            }
            sleep(PAUSE).await;
        }
    }

    async fn list_once(&mut self, kind: Kind) -> Result<Listing, Trouble> {
        let may_lack_it = kind != Kind::Tool || !self.announces_tools;
        let method = kind.list_method().unwrap_or_default();
        let begun = Instant::now();
        let together = self.options.timeout.saturating_mul(LISTING_TIMEOUTS);
        let mut listing = Listing {
            pages: Vec::new(),
            is_offered: true,
        };
        let mut cursor: Option<String> = None;
        let mut seen = BTreeSet::new();
        let (mut bytes, mut items) = (0, 0);
        loop {
            let number = listing.pages.len() + 1;
            let place = format!("page {number} of `{method}`");
            let left = together.saturating_sub(begun.elapsed());
            let within = self.options.timeout.min(left);
            if within.is_zero() {
                return Err(Trouble::Wire(Failure::Timeout(together)).at(format!(
                    "{place} failed, where all pages may take {LISTING_TIMEOUTS} times the timeout together"
                )));
            }
            let page = match self.call_page(method, cursor.as_deref(), within).await {
                Ok(Reply::Result(page)) => page,
                Ok(Reply::Error(error))
                    if number == 1 && error.code == RpcError::METHOD_NOT_FOUND && may_lack_it =>
                {
                    return Ok(Listing::default());
                }
                Ok(Reply::Error(error)) => {
                    return Err(Trouble::Rpc(error).at(format!("{place} failed")));
                }
                Err(trouble) => return Err(trouble.at(format!("{place} failed"))),
            };
            items += self.check(&page, kind, &place)?;
            bytes += page.source.len();
            self.check_bounds(method, bytes, items)?;
            let next = next_cursor(&page, &place)?;
            if let Some(next) = &next {
                let span = page.result().as_object().map_or(0..0, Object::span);
                let content = Digest::of_raw(&page.source[span]);
                // A cursor may come again with another page; asking for it and getting the same page may not.
                let is_new = seen.insert((cursor.take(), content.to_string()));
                if !is_new || number >= self.options.bounds.pages {
                    return Err(endless(method, number, next, is_new, self.secrets()));
                }
            }
            listing.pages.push(page);
            if next.is_none() {
                return Ok(listing);
            }
            cursor = next;
        }
    }

    /// Asks for one page. A modern server may want another revision of a request, once.
    async fn call_page(
        &mut self,
        method: &str,
        cursor: Option<&str>,
        within: Duration,
    ) -> Result<Reply, Trouble> {
        let params = || match cursor {
            Some(cursor) => Map::from_iter([("cursor".to_owned(), json!(cursor))]),
            None => Map::new(),
        };
        let reply = self.call(method, params(), within).await?;
        match &reply {
            Reply::Error(error)
                if self.era == Era::Modern && error.code == RpcError::UNSUPPORTED_VERSION =>
            {
                self.call(method, params(), within).await
            }
            _ => Ok(reply),
        }
    }

    /// How many items the page holds; an error if it is none of a list.
    fn check(&self, page: &Answer, kind: Kind, place: &str) -> Result<usize, Trouble> {
        let result = page.result();
        if self.era == Era::Modern
            && let Some(kind) = result.get("resultType")
            && kind.as_str() != Some("complete")
        {
            let found = kind.as_str().unwrap_or(kind.type_name());
            return Err(Trouble::Protocol(format!(
                "{place} has the `resultType` `{}`: a list is `complete` or it is none",
                self.secrets().excerpt(found, 50)
            )));
        }
        let member = kind.list_member();
        match result.get(member) {
            Some(Value::Array(items)) => Ok(items.len()),
            other => Err(Trouble::Protocol(format!(
                "{place} holds no list: `{member}` is {}",
                other.map_or("absent", Value::type_name)
            ))),
        }
    }

    fn check_bounds(&self, method: &str, bytes: usize, items: usize) -> Result<(), Trouble> {
        let bounds = &self.options.bounds;
        if bytes > bounds.listing_bytes {
            return Err(Trouble::Limit(format!(
                "`{method}` answers with more than {} bytes (--max-listing)",
                bounds.listing_bytes
            )));
        }
        if items > bounds.items {
            return Err(Trouble::Limit(format!(
                "`{method}` answers with more than {} items (--max-items)",
                bounds.items
            )));
        }
        Ok(())
    }
}

/// The cursor of the next page: any string, the empty one too. Absent and `null` end the list.
fn next_cursor(page: &Answer, place: &str) -> Result<Option<String>, Trouble> {
    match page.result().get("nextCursor") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(cursor)) => Ok(Some(cursor.clone())),
        Some(other) => Err(Trouble::Protocol(format!(
            "{place} has a cursor that is {}, not a string",
            other.type_name()
        ))),
    }
}

fn endless(method: &str, pages: usize, cursor: &str, is_new: bool, secrets: &Secrets) -> Trouble {
    if is_new {
        Trouble::Limit(format!(
            "`{method}` does not end: after {pages} pages (--max-pages) there is still a cursor, it does not advance to an end"
        ))
    } else {
        Trouble::Protocol(format!(
            "`{method}` does not end: the cursor `{}` came with the same page before, it does not advance",
            secrets.excerpt(cursor, 100)
        ))
    }
}
