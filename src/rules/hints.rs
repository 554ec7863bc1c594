//! What a tool claims about itself: clients may stop asking because of it, and nobody checks it.

use super::Rule;
use crate::diff::Place;
use crate::model::Level;

pub(super) static HINT_CHANGED: Rule = Rule {
    id: "hint-changed",
    level: Level::Material,
    title: "the effective value of a hint differs",
    why: "hints are claims that nobody checks; what was reviewed was the other claim, and some clients stop asking because of it",
    says: |fact, _| match fact.place {
        Place::Hint { idle: true, .. } => None,
        Place::Hint {
            name,
            effective: Some((before, after)),
            ..
        } => (before != after).then(|| claim(name, after).to_owned()),
        Place::Hint {
            name,
            effective: None,
            ..
        } => Some(if name == "annotations" {
            "`annotations` is or was no object: which hints hold cannot be decided".to_owned()
        } else {
            format!("`{name}` is or was no truth value: what clients make of it cannot be decided")
        }),
        _ => None,
    },
    last: false,
};

/// What a hint says now.
fn claim(name: &str, now: bool) -> &'static str {
    match (name, now) {
        ("readOnlyHint", true) => "it now claims to be read-only; some clients stop asking",
        ("readOnlyHint", false) => {
            "it no longer claims to be read-only; it was reviewed under the claim that it changes nothing"
        }
        ("destructiveHint", true) => {
            "it now says that it may destroy something; it was reviewed under the claim that it does not"
        }
        ("destructiveHint", false) => "it now claims to destroy nothing; some clients ask less",
        ("idempotentHint", true) => {
            "it now claims that calling it twice does no more than once; some clients repeat calls"
        }
        ("idempotentHint", false) => {
            "it no longer claims that calling it twice does no more than once"
        }
        ("openWorldHint", true) => {
            "it now says that it reaches beyond its own world, such as the web"
        }
        _ => "it now claims to stay in its own closed world; some clients ask less",
    }
}

pub(super) static HINT_SPELLED_OUT: Rule = Rule {
    id: "hint-spelled-out",
    level: Level::Minor,
    title: "hints are written or left out, and say what held before",
    why: "their effective values are the same, or mean nothing for a tool that claims to be read-only",
    says: |fact, _| match fact.place {
        Place::Hint {
            name, idle: true, ..
        } => Some(format!(
            "`{name}` means nothing for a tool that claims to be read-only; some clients look anyway"
        )),
        Place::Hint {
            name,
            effective: Some((before, after)),
            ..
        } if before == after => Some(if name == "annotations" {
            "empty annotations came or went".to_owned()
        } else {
            let now = if fact.after.is_some() {
                "only spelled out now"
            } else {
                "only no longer spelled out"
            };
            format!("`{name}` is {after} as before, {now}")
        }),
        _ => None,
    },
    last: false,
};
