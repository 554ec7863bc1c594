//! Everything else an item holds: icons, execution, `_meta`, members that no revision knows.

use super::surface::{is_empty, only_blanks};
use super::{Rule, words};
use crate::diff::{Fact, Place};
use crate::json::Value;
use crate::model::{Kind, Level};
use crate::text::{is_prose, new_prose};
use std::collections::BTreeSet;

/// The member of the item and the name in it, where the place is an ordinary one.
fn member<'f>(fact: &Fact<'f>) -> Option<(&'f str, &'f str)> {
    match fact.place {
        Place::Member { member, name } => Some((member, name)),
        Place::Capabilities { name } => Some(("capabilities", name)),
        _ => None,
    }
}

/// The prose that a place newly holds, in its value or as its name.
pub(super) fn said<'f>(fact: &Fact<'f>, name: &'f str) -> Vec<&'f str> {
    let mut said = new_prose(fact.before, fact.after);
    if fact.before.is_none() && is_prose(name) {
        said.insert(0, name);
    }
    said
}

pub(super) static META_WORDING_CHANGED: Rule = Rule {
    id: "meta-wording-changed",
    level: Level::Material,
    title: "prose stands where no client shows it: in `_meta`, annotations, icons or an unknown member",
    why: "some clients hand whole definitions to the model, which reads it all",
    says: |fact, _| {
        let (member, name) = member(fact)?;
        let said = said(fact, name);
        (!said.is_empty() && !only_blanks(fact)).then(|| {
            format!(
                "{} newly holds the words {}{}: some clients hand them to the model",
                words::quote(member),
                words::list(said),
                words::note(fact.before, fact.after)
            )
        })
    },
    last: false,
};

/// Whether a place is in one of these members and holds no new prose.
fn plain(fact: &Fact<'_>, members: &[&str]) -> bool {
    matches!(fact.place, Place::Member { member, name }
        if members.contains(&member) && said(fact, name).is_empty() && !only_blanks(fact))
}

pub(super) static ICONS_CHANGED: Rule = Rule {
    id: "icons-changed",
    level: Level::Minor,
    title: "other icons",
    why: "models do not read them; a client that shows one may fetch it from where it says",
    says: |fact, _| {
        if !plain(fact, &["icons"]) {
            return None;
        }
        Some(icons(fact))
    },
    last: false,
};

/// What is said of icons that differ.
pub(super) fn icons(fact: &Fact<'_>) -> String {
    let (before, after) = (origins(fact.before), origins(fact.after));
    let new: Vec<&str> = after.difference(&before).copied().collect();
    let happened = words::happened(fact);
    if new.is_empty() {
        format!("icons {happened}")
    } else {
        format!("icons {happened}; they come from {} now", words::list(new))
    }
}

/// Where icons are fetched from: scheme and host, or `data:`.
fn origins(icons: Option<&Value>) -> BTreeSet<&str> {
    let list = icons.and_then(Value::as_array).unwrap_or_default();
    list.iter()
        .filter_map(|icon| icon.get("src")?.as_str())
        .map(|src| match src.find("://") {
            Some(at) => {
                let host = &src[at + 3..];
                &src[..at + 3 + host.find(['/', '?', '#']).unwrap_or(host.len())]
            }
            None => &src[..src.find(':').map_or(src.len(), |at| at + 1)],
        })
        .collect()
}

pub(super) static EXECUTION_CHANGED: Rule = Rule {
    id: "execution-changed",
    level: Level::Minor,
    title: "how a tool may be run differs",
    why: "whether a call may or must be a task decides how a client waits for it, not what it sends",
    says: |fact, _| {
        let (member, name) = member(fact)?;
        plain(fact, &["execution"]).then(|| words::differs(&words::inside(member, name), fact))
    },
    last: false,
};

pub(super) static META_CHANGED: Rule = Rule {
    id: "meta-changed",
    level: Level::Minor,
    title: "metadata differs that holds no prose",
    why: "labels, sizes and versions for programs",
    says: |fact, _| {
        let named = match fact.kind {
            Kind::Resource | Kind::Template => {
                plain(fact, &["_meta", "annotations", "mimeType", "size"])
            }
            Kind::Prompt => {
                plain(fact, &["_meta", "annotations"])
                    || (plain(fact, &["arguments"]) && is_empty(fact))
            }
            _ => plain(fact, &["_meta", "annotations"]),
        };
        let (member, name) = member(fact)?;
        named.then(|| words::differs(&words::inside(member, name), fact))
    },
    last: false,
};

pub(super) static UNCLASSIFIED: Rule = Rule {
    id: "unclassified",
    level: Level::Material,
    title: "something differs that no other rule names",
    why: "what it means is not known, so a person must look",
    says: |fact, _| {
        if matches!(fact.place, Place::Schema(_)) {
            return None;
        }
        Some(match fact.place {
            Place::Member { member, name } => format!(
                "{}: it belongs to no revision of the protocol, and what it means is not known",
                words::differs(&words::inside(member, name), fact)
            ),
            _ => format!(
                "the definition {}: what it means is not known",
                words::happened(fact)
            ),
        })
    },
    last: true,
};
