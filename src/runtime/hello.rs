//! The answer to `initialize` or `server/discover`: instructions and identity of the server as the client may see
//! them. Pure.

use super::account::Account;
use super::envelope::poses;
use super::listing::{self, read_result, with_members};
use super::verdict::Listing;
use crate::canonical;
use crate::capture::Hello;
use crate::json::{Object, Value};
use crate::model::{ItemKey, part};
use std::collections::BTreeMap;

/// Where `server/discover` answers with the server's identity (2026-07-28, "Per-request protocol fields").
const DISCOVERED_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// What is judged of an answer.
const SAID: [&str; 3] = ["instructions", "serverInfo", "_meta"];

/// Which request is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Greeting {
    /// `initialize`
    Initialize,
    /// `server/discover`
    Discover,
}

/// The result as the client may see it; `None` where that is how the server sent it.
///
/// # Errors
/// A result that is no object, or that clients would read differently.
pub fn rewrite(
    greeting: Greeting,
    result: &[u8],
    account: &Account,
) -> Result<Option<Vec<u8>>, String> {
    let answer = read_result(result, account.limits)?;
    let hello = match greeting {
        Greeting::Initialize => Hello::Initialize(answer.clone()),
        Greeting::Discover => Hello::Discover(answer.clone()),
    };
    let found = listing::catalogue(hello, BTreeMap::new(), &account.secrets)?;
    let Some(sent) = answer.result().as_object() else {
        return Err("the result is no object".to_owned());
    };
    if sent.iter().any(|(name, _)| poses(&SAID, name)) {
        return Err("it holds what the server says of itself in another case as well".to_owned());
    }
    let verdict = |name: &str| {
        let key = ItemKey::part(name);
        let item = found.items.get(&key)?;
        Some((account.verdict_on_part(&key, item), key))
    };
    let accepted = |key: &ItemKey| account.accepted(key).map(|item| item.definition.value());
    let mut result = sent.clone();
    let mut meta = match sent.get("_meta") {
        Some(Value::Object(meta)) => meta.clone(),
        _ => Object::default(),
    };
    let mut is_as_sent = true;
    let mut is_marked = false;
    if let Some((verdict, key)) = verdict(part::INSTRUCTIONS) {
        is_as_sent &= verdict.listing == Listing::AsSent;
        match (verdict.listing, accepted(&key)) {
            (Listing::AsSent, _) => {}
            (Listing::Marked, _) => is_marked = true,
            (Listing::AsAccepted, Some(text)) => result.set("instructions", text.clone()),
            (Listing::AsAccepted | Listing::Withheld, _) => {
                result.remove("instructions");
            }
        }
    }
    if let Some((verdict, key)) = verdict(part::INFO) {
        is_as_sent &= verdict.listing == Listing::AsSent;
        let holder = match greeting {
            Greeting::Initialize => &mut result,
            Greeting::Discover => &mut meta,
        };
        let member = match greeting {
            Greeting::Initialize => "serverInfo",
            Greeting::Discover => DISCOVERED_INFO,
        };
        match (verdict.listing, accepted(&key)) {
            (Listing::AsSent, _) => {}
            (Listing::Marked, _) => is_marked = true,
            (Listing::AsAccepted, Some(info)) => holder.set(member, info.clone()),
            // A client cannot do without a name and a version; the rest is text that nobody reviewed.
            (Listing::AsAccepted | Listing::Withheld, _) => {
                let info = holder.get(member).and_then(Value::as_object).cloned();
                let named = info.unwrap_or_default();
                let kept = named
                    .iter()
                    .filter(|(name, _)| matches!(*name, "name" | "version"));
                let kept = kept.map(|(name, value)| (name.to_owned(), value.clone()));
                holder.set(member, Value::Object(kept.collect()));
            }
        }
    }
    if is_as_sent {
        return Ok(None);
    }
    if is_marked {
        meta.set(listing::MARK, Value::Bool(true));
    }
    if sent.get("_meta").is_some() || !meta.is_empty() {
        result.set("_meta", Value::Object(meta));
    }
    let members = result
        .iter()
        .filter(|(name, value)| sent.get(name) != Some(*value));
    let text = |value: &Value| canonical::to_text(value).into_bytes();
    let changed = members
        .map(|(name, value)| (name.to_owned(), text(value)))
        .collect();
    let kept: Object = sent
        .iter()
        .filter(|(name, _)| result.get(name).is_some())
        .map(|(name, value)| (name.to_owned(), value.clone()))
        .collect();
    Ok(Some(with_members(&answer, &kept, changed)))
}
