//! Standing rules of the lockfile, as far as they decide what the gate and `ack` do.
//!
//! A setting of an item beats that of its server, which beats that of the file (SPEC, section 8).

use crate::json::{Object, Value};
use crate::lockfile::Lockfile;
use crate::model::{ItemKey, ServerName};
use std::collections::BTreeSet;

/// What holds for one item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// How many different names must acknowledge a change before the baseline moves.
    pub reviewers: usize,
    /// Whether an acknowledgement must say why.
    pub require_note: bool,
    /// Whether `snapshot` takes it into the lockfile where it is new.
    pub new_items_become_baseline: bool,
}

/// The settings of one item of a server.
pub fn of(lockfile: &Lockfile, server: &ServerName, key: &ItemKey) -> Settings {
    let own = lockfile.servers.get(server).map(|server| &server.policy);
    let item = own.and_then(|policy| of_item(policy, key));
    let setting = |name: &str| {
        [item, own, Some(&lockfile.policy)]
            .into_iter()
            .flatten()
            .find_map(|policy| policy.get(name))
    };
    Settings {
        // What is no such number is refused when the file is read.
        reviewers: match setting("reviewers") {
            Some(Value::Number(text)) => text.parse().unwrap_or(usize::MAX),
            _ => 1,
        },
        require_note: setting("requireNote")
            .and_then(Value::as_bool)
            .unwrap_or(false),
        new_items_become_baseline: setting("newItems").and_then(Value::as_str) == Some("baseline"),
    }
}

/// The policy of an item, under `kind:name` or its name alone.
fn of_item<'a>(policy: &'a Object, key: &ItemKey) -> Option<&'a Object> {
    let items = policy.get(ITEMS)?.as_object()?;
    let named = items.get(&format!("{}:{}", key.kind.word(), key.name.as_str()));
    named.or_else(|| items.get(key.name.as_str()))?.as_object()
}

const ITEMS: &str = "items";

/// Settings that this countersign keeps and does not follow yet, with the value that goes without saying.
const NOT_FOLLOWED: [(&str, &str); 6] = [
    ("allowChanges", "off"),
    ("due", "warn"),
    ("levels", ""),
    ("reviewEvery", "180d"),
    ("rule", "allow"),
    ("volatile", ""),
];

/// The settings of a lockfile that say something and are not followed yet: nobody must rely on them.
pub fn not_followed(lockfile: &Lockfile) -> BTreeSet<&'static str> {
    let servers = lockfile.servers.values().map(|server| &server.policy);
    let items = servers
        .clone()
        .filter_map(|policy| policy.get(ITEMS)?.as_object())
        .flat_map(Object::iter)
        .filter_map(|(_, policy)| policy.as_object());
    let policies: Vec<&Object> = std::iter::once(&lockfile.policy)
        .chain(servers)
        .chain(items)
        .collect();
    let says = |policy: &Object, name: &str, default: &str| match policy.get(name) {
        None => false,
        Some(Value::Object(members)) => !members.is_empty(),
        Some(value) => value.as_str() != Some(default),
    };
    let said = NOT_FOLLOWED
        .into_iter()
        .filter(|(name, default)| policies.iter().any(|policy| says(policy, name, default)));
    said.map(|(name, _)| name).collect()
}
