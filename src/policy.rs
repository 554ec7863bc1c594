//! Standing rules of the lockfile, as far as they decide what the gate and `ack` do.
//!
//! A setting of an item beats that of its server, which beats that of the file (SPEC, section 8).

use crate::json::Value;
use crate::lockfile::Lockfile;
use crate::model::ServerName;

/// What holds for one server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// How many different names must acknowledge a change before the baseline moves.
    pub reviewers: usize,
    /// Whether an acknowledgement must say why.
    pub require_note: bool,
    /// Whether `snapshot` takes new items of a known server into the lockfile.
    pub new_items_become_baseline: bool,
}

/// The settings of one server.
pub fn of(lockfile: &Lockfile, server: &ServerName) -> Settings {
    let own = lockfile.servers.get(server).map(|server| &server.policy);
    let setting = |name: &str| {
        own.and_then(|policy| policy.get(name))
            .or_else(|| lockfile.policy.get(name))
    };
    Settings {
        reviewers: match setting("reviewers") {
            Some(Value::Number(text)) => text.parse().unwrap_or(1),
            _ => 1,
        },
        require_note: setting("requireNote")
            .and_then(Value::as_bool)
            .unwrap_or(false),
        new_items_become_baseline: setting("newItems").and_then(Value::as_str) == Some("baseline"),
    }
}
