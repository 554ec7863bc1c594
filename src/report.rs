//! The one value that every format renders: per server what changed, why it matters, and what waits.
//!
//! Pure data. It never words anything beyond the sentences that rules give, and knows no time but the dates
//! that records carry, so that two runs on an unchanged world are equal.

mod moment;

pub use moment::{Happening, Moment, Step};

use crate::catalogue::{Definition, Item};
use crate::fingerprint::Digest;
use crate::model::{ItemKey, Level, Problem, ServerName, Warning};
use crate::pair::{Event, Pair};
use crate::rules::Reason;
use std::sync::Arc;

/// The warning that tools are gone which were listed to another credential.
pub const WHO_ASKED: &str = "credential-changed";

/// What a run found, over all servers.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// One entry a server, sorted by name.
    pub servers: Vec<ServerReport>,
    /// What is worth knowing about the run as a whole and never blocks.
    pub warnings: Vec<Warning>,
    /// What kept the run as a whole from checking.
    pub error: Option<Problem>,
    /// The file that the findings are about, by its path from the root of the repository with `/` between its parts:
    /// the lockfile, or the later of two files. Outside text.
    pub file: Option<String>,
    /// The lockfile that decided, where it is not the project's own.
    pub base: Option<Base>,
}

/// The lockfile that a branch is judged by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    /// The ref or the file, as it was named. Outside text.
    pub name: String,
    /// The commit at which it was read; `None` for a file.
    pub commit: Option<String>,
    /// Whether the lockfile alone was judged, and no server looked at.
    pub lockfile_only: bool,
}

/// What a snapshot left in the lockfile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// The whole server: everything that it offers is the baseline now.
    Baseline,
    /// New items of a known server, as its policy says, or what a baseline made from a file could not tell.
    Completed,
}

/// The answer of a run or of a server that was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Nothing material waits.
    Clean,
    /// The configuration disables the server; nothing was asked.
    Disabled,
    /// It could not be checked: never clean, and nothing of it is "removed".
    Unknown,
    /// Something material waits for acknowledgement.
    Drift,
}

/// What was found of one server.
#[derive(Debug, Clone)]
pub struct ServerReport {
    /// Its name.
    pub name: ServerName,
    /// Why it could not be checked.
    pub error: Option<Problem>,
    /// The line of [`Report::file`] where it starts, from 1; `None` where the file does not hold it.
    pub line: Option<usize>,
    /// Whether the configuration disables it.
    pub disabled: bool,
    /// How many items are as the baseline holds them.
    pub unchanged: usize,
    /// What was written to the lockfile of it.
    pub recorded: Option<Recorded>,
    /// What differs, sorted by kind and name.
    pub changes: Vec<Change>,
    /// The reasons of the changes, as a person would count edits.
    pub groups: Vec<Group>,
    /// What is worth knowing about what the server offers, and never blocks.
    pub warnings: Vec<Warning>,
    /// What is known of its past, oldest first; empty where nobody asked for it.
    pub timeline: Vec<Moment>,
    /// What was odd on the way to it: about the configuration and the talk, not about the offer.
    pub notes: Vec<Warning>,
    /// Why the server as a whole is due for a review.
    pub due: Vec<Due>,
    /// Whether that keeps a run from passing.
    pub due_fails: bool,
    /// The records that the base does not hold, where a branch is judged.
    pub records: Vec<Record>,
}

/// A signal that a server as a whole asks for another review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// `review-every`, `flagged`, `launch-changed` or `major-version`.
    pub signal: &'static str,
    /// Since which day, `YYYY-MM-DD`; `None` for what nobody acknowledged yet.
    pub on: Option<String>,
    /// One sentence. Outside text inside.
    pub message: String,
}

/// A record that is new in a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The item; `None` where the server as a whole was reviewed.
    pub key: Option<ItemKey>,
    /// The id of the change.
    pub change: Option<String>,
    /// The change's level when it was reviewed.
    pub level: Option<Level>,
    /// Who, when and why.
    pub by: Acknowledged,
    /// Why it does not count; `None` if it does.
    pub void: Option<String>,
}

impl ServerReport {
    /// A server about which nothing is known yet.
    pub fn new(name: ServerName) -> Self {
        Self {
            name,
            error: None,
            line: None,
            disabled: false,
            unchanged: 0,
            recorded: None,
            changes: Vec::new(),
            groups: Vec::new(),
            warnings: Vec::new(),
            timeline: Vec::new(),
            notes: Vec::new(),
            due: Vec::new(),
            due_fails: false,
            records: Vec::new(),
        }
    }

    /// The warnings to be read before the changes, since they may explain them, and the others.
    pub fn warnings_by_place(&self) -> (Vec<&Warning>, Vec<&Warning>) {
        let leads = |warning: &&Warning| warning.rule == WHO_ASKED;
        self.warnings.iter().partition(leads)
    }

    /// Keeps only the changes that fit.
    pub fn keep(&mut self, fits: impl Fn(&ServerName, &Change) -> bool) {
        let name = self.name.clone();
        self.changes.retain(|change| fits(&name, change));
    }

    /// Whether a review of the whole is due, and the policy makes that fail.
    pub fn review_waits(&self) -> bool {
        self.due_fails && !self.due.is_empty()
    }

    /// Drift beats unknown: what was seen before a failure still waits.
    pub fn outcome(&self) -> Outcome {
        if self.changes.iter().any(Change::waits) || self.review_waits() {
            Outcome::Drift
        } else if self.error.is_some() {
            Outcome::Unknown
        } else if self.disabled {
            Outcome::Disabled
        } else {
            Outcome::Clean
        }
    }
}

impl Report {
    /// A report of a run that failed before it could look at any server.
    pub fn failed(error: Problem) -> Self {
        Self {
            error: Some(error),
            ..Self::default()
        }
    }

    /// The exit status: 1 if anything material waits, else 2 if anything could not be checked, else 0.
    pub fn status(&self) -> u8 {
        let outcomes = || self.servers.iter().map(ServerReport::outcome);
        if outcomes().any(|outcome| outcome == Outcome::Drift) {
            1
        } else if self.error.is_some() || outcomes().any(|outcome| outcome == Outcome::Unknown) {
            2
        } else {
            0
        }
    }
}

/// One item that differs from its baseline, or has none.
#[derive(Debug, Clone)]
pub struct Change {
    /// Made from server name, kind, item and both digests: 12 hexadecimal digits.
    pub id: String,
    /// Which item; after a renaming, the new name.
    pub key: ItemKey,
    /// The old name of a renamed item.
    pub former: Option<ItemKey>,
    /// What happened to it.
    pub event: Event,
    /// Why it matters; never empty.
    pub reasons: Vec<Reason>,
    /// The line of [`Report::file`] where the accepted item starts, from 1; `None` where the file does not hold it.
    pub line: Option<usize>,
    /// The records that acknowledge exactly this change.
    pub acknowledged: Option<Vec<Acknowledged>>,
    /// Whether the policy lets it pass unreviewed, marked.
    pub marked: bool,
    /// The calls of the item that a guard holds, the newest first; empty where nobody asked for them.
    pub held: Vec<Held>,
    /// The accepted side.
    pub before: Option<Side>,
    /// The side that the server shows now.
    pub after: Option<Side>,
}

/// A call that a guard holds until somebody approves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// What `approve` names it by: hexadecimal digits.
    pub id: String,
    /// Its arguments, canonical, without secrets; a long text is cut. Outside text.
    pub arguments: String,
    /// Which client asked. Outside text.
    pub asked_by: String,
    /// When it was last asked for, RFC 3339.
    pub last: String,
}

/// Who acknowledged a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acknowledged {
    /// Name, and usually an address. Outside text.
    pub by: String,
    /// RFC 3339.
    pub at: String,
    /// What they said about it; may be empty. Outside text.
    pub note: String,
}

/// One side of a change.
#[derive(Debug, Clone)]
pub struct Side {
    /// Of the whole definition.
    pub digest: Digest,
    /// The definition.
    pub definition: Arc<Definition>,
}

impl From<&Item> for Side {
    fn from(item: &Item) -> Self {
        Self {
            digest: item.digest,
            definition: Arc::clone(&item.definition),
        }
    }
}

impl Change {
    /// The change that a pair shows. `reasons` must not be empty.
    pub fn new(server: &ServerName, pair: &Pair<'_>, reasons: Vec<Reason>) -> Self {
        let before = pair.before.map(Side::from);
        let after = pair.after.map(Side::from);
        Self {
            id: id(server, &pair.key, before.as_ref(), after.as_ref()),
            key: pair.key.clone(),
            former: pair.former.clone(),
            event: pair.event,
            reasons,
            line: None,
            acknowledged: None,
            marked: false,
            held: Vec::new(),
            before,
            after,
        }
    }

    /// The highest level of its reasons.
    pub fn level(&self) -> Level {
        self.reasons
            .iter()
            .map(|reason| reason.level)
            .max()
            .unwrap_or(Level::Material)
    }

    /// Whether it keeps a run from passing.
    pub fn waits(&self) -> bool {
        self.level() == Level::Material && self.acknowledged.is_none() && !self.marked
    }
}

/// The id of a change: the first 12 hexadecimal digits of a SHA-256 over what it is about.
pub fn id(
    server: &ServerName,
    key: &ItemKey,
    before: Option<&Side>,
    after: Option<&Side>,
) -> String {
    let digest =
        |side: Option<&Side>| side.map_or_else(|| "none".to_owned(), |s| s.digest.to_string());
    let parts = [
        server.as_str(),
        key.kind.word(),
        key.name.as_str(),
        &digest(before),
        &digest(after),
    ];
    // Lengths keep parts apart whatever they hold.
    let text = parts
        .map(|part| format!("{}:{part}\n", part.len()))
        .concat();
    Digest::of(&text).short()
}

/// What a person would count as one edit: reasons of one or many changes.
#[derive(Debug, Clone)]
pub struct Group {
    /// Where it happened, such as `annotations` or `inputSchema/properties/*/description`.
    pub place: String,
    /// `added`, `removed`, `changed`, …
    pub event: &'static str,
    /// The highest level in it.
    pub level: Level,
    /// The ids of its rules, sorted.
    pub rules: Vec<&'static str>,
    /// One sentence.
    pub message: String,
    /// The reasons in it: index of the change, index of the reason within it.
    pub members: Vec<(usize, usize)>,
}
