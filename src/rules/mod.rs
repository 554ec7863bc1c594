//! What a difference means: rules judge facts and give reasons.
//!
//! Every rule that fits a fact is reported, whatever else fits it; two last ones catch what no other names, so
//! that nothing changes unreported because nobody thought of it. A level never depends on recognising an attack.

mod across;
mod examples;
mod hints;
mod inputs;
mod items;
mod meta;
mod names;
mod output;
mod schema;
mod server;
mod sight;
mod surface;
mod values;
mod wording;
mod words;

pub use across::{ToolNames, across};
pub use examples::{Example, example};
pub use items::collapsed;
pub use server::{LAUNCH_CHANGED, MAJOR_VERSION, SERVER_ADDED};
pub use sight::{first_sight, warnings};

use crate::canonical;
use crate::diff::{self, Fact, Happened, Place};
use crate::fingerprint::Digest;
use crate::json::Value;
use crate::model::{ItemKey, ItemName, Level, Pointer};
use crate::pair::{Event, Pair};
use names::Names;
use std::fmt;

/// One thing that can be said about a difference.
pub struct Rule {
    /// Kebab-case, subject and what happened. Stable for ever.
    pub id: &'static str,
    /// How much it matters, unless a policy says otherwise.
    pub level: Level,
    /// A fact about the server.
    pub title: &'static str,
    /// What it may do.
    pub why: &'static str,
    /// The sentence for a fact that the rule fits.
    says: fn(&Fact<'_>, &Context<'_>) -> Option<String>,
    /// Whether it is asked only where no other rule fits.
    last: bool,
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rule").field(&self.id).finish()
    }
}

/// Every rule, in the order in which they are explained.
pub static RULES: &[&Rule] = &[
    &items::ITEM_ADDED,
    &items::ITEM_RETURNED,
    &items::LIST_COLLAPSED,
    &surface::TITLE_CHANGED,
    &surface::DESCRIPTION_CHANGED,
    &inputs::INPUT_ADDED,
    &wording::WORDING_CHANGED,
    &values::VALUE_ADDED,
    &values::TEXT_WIDENED,
    &inputs::HEADER_EXPOSED,
    &schema::EXTERNAL_REFERENCE,
    &schema::DIALECT_UNKNOWN,
    &hints::HINT_CHANGED,
    &output::OUTPUT_WORDING_CHANGED,
    &meta::META_WORDING_CHANGED,
    &server::INSTRUCTIONS_CHANGED,
    &server::SERVER_TEXT_CHANGED,
    &server::LAUNCH_CHANGED,
    &server::SERVER_ADDED,
    &items::AMBIGUOUS_NAME,
    &items::DUPLICATE_MEMBER,
    &items::MALFORMED_ITEM,
    &wording::HIDDEN_TEXT,
    &surface::PROMPT_CHANGED,
    &surface::RESOURCE_CHANGED,
    &meta::UNCLASSIFIED,
    &inputs::INPUT_REMOVED,
    &items::ITEM_REMOVED,
    &values::TYPE_TIGHTENED,
    &values::TYPE_CHANGED,
    &values::ENUM_TIGHTENED,
    &values::CONSTRAINT_CHANGED,
    &inputs::ADDITIONAL_PROPERTIES_CHANGED,
    &inputs::REQUIRED_CHANGED,
    &schema::ORDER_CHANGED,
    &wording::BLANK_CHANGED,
    &wording::TITLE_GENERATED,
    &schema::REFERENCES_INLINED,
    &schema::DIALECT_CHANGED,
    &hints::HINT_SPELLED_OUT,
    &server::ENVIRONMENT_CHANGED,
    &meta::ICONS_CHANGED,
    &meta::EXECUTION_CHANGED,
    &output::OUTPUT_SCHEMA_CHANGED,
    &meta::META_CHANGED,
    &server::SERVER_INFO_CHANGED,
    &server::MAJOR_VERSION,
    &server::CAPABILITIES_CHANGED,
    &schema::SCHEMA_EDITED,
];

/// The rule with an id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.id == id)
}

/// The id that shares the most with a word, if it shares much.
pub fn nearest(word: &str) -> Option<&'static str> {
    let ratio = |id: &str| similar::TextDiff::from_chars(word, id).ratio();
    RULES
        .iter()
        .map(|rule| (ratio(rule.id), rule.id))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|(ratio, _)| *ratio > 0.6)
        .map(|(_, id)| id)
}

/// One rule that a change hit, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The rule's id.
    pub rule: &'static str,
    /// How much it matters.
    pub level: Level,
    /// Where in the definition.
    pub path: Pointer,
    /// Where it stood before, if that is another place.
    pub was: Option<Pointer>,
    /// One sentence about what happened and what it may do. It may hold outside text.
    pub message: String,
    /// What happened there.
    pub happened: Happened,
}

/// Whether two texts at a place of an item differ only in what its policy lets move.
pub type Moves<'a> = dyn Fn(&ItemKey, &Pointer, &str, &str) -> bool + Sync + 'a;

/// The level that a policy gives a rule for an item, if another than the rule's own.
pub type Levels<'a> = dyn Fn(&ItemKey, &str) -> Option<Level> + Sync + 'a;

/// When a definition was accepted before: an item and the digest of a definition to a date.
pub type Accepted<'a> = dyn Fn(&ItemKey, &Digest) -> Option<String> + Sync + 'a;

/// What rules know beside the pair itself. Without any of it they still judge.
#[derive(Default)]
pub struct Context<'a> {
    names: Names<'a>,
    accepted: Option<&'a Accepted<'a>>,
    moves: Option<&'a Moves<'a>>,
    levels: Option<&'a Levels<'a>>,
    collapsed: bool,
}

impl<'a> Context<'a> {
    /// Adds names of tools, of this server and of others, that a new name must not look like.
    #[must_use]
    pub fn with_names(mut self, names: impl IntoIterator<Item = &'a ItemName>) -> Self {
        self.names.add(names);
        self
    }

    /// Says how to find out when a definition was accepted before.
    #[must_use]
    pub fn with_accepted(mut self, accepted: &'a Accepted<'a>) -> Self {
        self.accepted = Some(accepted);
        self
    }

    /// Says what a policy lets move, and which levels it gives.
    #[must_use]
    pub fn with_policy(mut self, moves: &'a Moves<'a>, levels: &'a Levels<'a>) -> Self {
        (self.moves, self.levels) = (Some(moves), Some(levels));
        self
    }

    /// Says whether most tools of the baseline are gone ([`collapsed`]).
    #[must_use]
    pub fn with_collapsed(mut self, collapsed: bool) -> Self {
        self.collapsed = collapsed;
        self
    }
}

/// What a pair comes to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judgement {
    /// Why it matters. Empty only where everything that differs may move.
    pub reasons: Vec<Reason>,
    /// The places where only what a policy lets move differs.
    pub moved: Vec<Pointer>,
}

/// The reasons of a pair. Never empty where its two sides differ and no policy lets that move.
pub fn judge(pair: &Pair<'_>, context: &Context<'_>) -> Vec<Reason> {
    judgement(pair, context).reasons
}

/// Judges a pair.
pub fn judgement(pair: &Pair<'_>, context: &Context<'_>) -> Judgement {
    let mut reasons = Vec::new();
    let mut moved = Vec::new();
    for fact in diff::facts(pair) {
        if moves(pair, &fact, context) {
            moved.push(fact.path);
            continue;
        }
        let known = reasons.len();
        for last in [false, true] {
            if reasons.len() == known {
                let rules = RULES.iter().filter(|rule| rule.last == last);
                reasons.extend(rules.filter_map(|rule| reason(rule, &fact, context)));
            }
        }
    }
    let differ = pair.before.map(|item| item.digest) != pair.after.map(|item| item.digest);
    // Two definitions without canonical form can differ in their bytes alone, whatever else may move.
    let raw = [pair.before, pair.after]
        .into_iter()
        .flatten()
        .any(|item| item.digest.is_raw());
    if reasons.is_empty() && differ && (moved.is_empty() || raw) {
        reasons.push(Reason {
            rule: meta::UNCLASSIFIED.id,
            level: meta::UNCLASSIFIED.level,
            path: Pointer::root(),
            was: None,
            message: "the bytes of the definition differ, their reading does not".to_owned(),
            happened: Happened::Changed,
        });
    }
    if let Some(date) = accepted_before(pair, context)
        && let Some(first) = reasons.first_mut()
    {
        first.message = format!("{} (same definition as accepted on {date})", first.message);
    }
    for reason in &mut reasons {
        let level = context
            .levels
            .and_then(|level| level(&pair.key, reason.rule));
        reason.level = level.unwrap_or(reason.level);
    }
    Judgement { reasons, moved }
}

fn moves(pair: &Pair<'_>, fact: &Fact<'_>, context: &Context<'_>) -> bool {
    match (context.moves, fact.before, fact.after) {
        (Some(moves), Some(Value::String(before)), Some(Value::String(after))) => {
            moves(&pair.key, &fact.path, before, after)
        }
        _ => false,
    }
}

fn reason(rule: &'static Rule, fact: &Fact<'_>, context: &Context<'_>) -> Option<Reason> {
    Some(Reason {
        rule: rule.id,
        level: rule.level,
        path: fact.path.clone(),
        was: fact.was.clone(),
        message: (rule.says)(fact, context)?,
        happened: fact.happened(),
    })
}

fn accepted_before(pair: &Pair<'_>, context: &Context<'_>) -> Option<String> {
    context.accepted?(&pair.key, &pair.after?.digest)
}

/// Whether the fact is that an item came, under this name or another.
fn arrived<'f>(fact: &Fact<'f>) -> Option<&'f str> {
    match fact.place {
        Place::Item { name, event, .. } if event != Event::Removed => Some(name),
        _ => None,
    }
}

/// Small numbers, flags and names as a text for a message.
fn shown(value: &Value) -> String {
    words::quote(&match value {
        Value::String(text) => text.clone(),
        other => canonical::to_text(other),
    })
}
