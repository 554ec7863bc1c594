//! What is known of a server's past: what was observed of it, and who accepted what.

use crate::model::{ItemKey, Level};
use crate::pair::Event;
use std::time::Duration;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// When: RFC 3339, or a date alone.
    pub at: String,
    /// What.
    pub what: Happening,
}

/// What happened. Texts in it are from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happening {
    /// The lockfile took the server in.
    Accepted,
    /// It was seen for the first time on this machine, with so many items.
    FirstSight(usize),
    /// What it offers changed.
    Changed {
        /// The step that each item took.
        steps: Vec<Step>,
        /// The items that were seen for the first time.
        new: Vec<ItemKey>,
        /// Whether the server announced it; `None` where nobody listened.
        announced: Option<bool>,
        /// For how long it was announced when it was found; of one that was not, the most that it may have been there.
        delay: Option<Duration>,
    },
    /// It could not be asked.
    Unreachable(String),
    /// It answered again.
    Reachable,
    /// Its configuration no longer disables it.
    Enabled,
    /// Its configuration disables it.
    Disabled,
    /// Somebody asked for a full review.
    Flagged {
        /// Why, in one word.
        reason: String,
        /// What they said; may be empty.
        note: String,
    },
    /// Somebody acknowledged a change.
    Acknowledged {
        /// The change.
        step: Step,
        /// A name, and usually an address.
        by: String,
        /// What they said; may be empty.
        note: String,
    },
    /// Somebody reviewed the server as a whole.
    Reviewed {
        /// A name, and usually an address.
        by: String,
        /// What they said; may be empty.
        note: String,
    },
}

/// A change, as a history tells it: its definitions are elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The id of the change.
    pub id: String,
    /// The item; after a renaming, its new name.
    pub key: ItemKey,
    /// What happened to it.
    pub event: Event,
    /// The highest level of its reasons.
    pub level: Level,
    /// The rules that it hit, as the countersign of that time named them.
    pub rules: Vec<String>,
}
