//! The server itself: how it is started or reached, what it tells the model, what it says it is.

use super::meta::{icons, said};
use super::surface::only_blanks;
use super::{Rule, words};
use crate::diff::{Fact, Place};
use crate::json::Value;
use crate::model::Level;
use crate::model::loading::{loads_code, variable_of};
use crate::text::strings;
use std::collections::BTreeSet;

pub(super) static INSTRUCTIONS_CHANGED: Rule = Rule {
    id: "instructions-changed",
    level: Level::Material,
    title: "the words of the server's instructions differ",
    why: "they go into the system prompt and outrank every description",
    says: |fact, _| {
        (matches!(fact.place, Place::Instructions) && !only_blanks(fact)).then(|| {
            format!(
                "the server's instructions {}{}: they go into the system prompt",
                words::happened(fact),
                words::note(fact.before, fact.after)
            )
        })
    },
    last: false,
};

/// Whether a place is text about the server: its title and description, and prose anywhere else in its info.
fn is_server_text(fact: &Fact<'_>) -> bool {
    let Place::Info { member, name } = fact.place else {
        return false;
    };
    !only_blanks(fact)
        && (matches!(member, "title" | "description") || !said(fact, name).is_empty())
}

pub(super) static SERVER_TEXT_CHANGED: Rule = Rule {
    id: "server-text-changed",
    level: Level::Material,
    title: "the words of the server's title or description differ",
    why: "people trust a server by them, and some clients hand them to the model",
    says: |fact, _| match fact.place {
        Place::Info { member, .. } if is_server_text(fact) => Some(format!(
            "{} of the server {}{}: people trust it by these words",
            words::quote(member),
            words::happened(fact),
            words::note(fact.before, fact.after)
        )),
        _ => None,
    },
    last: false,
};

pub(super) static SERVER_INFO_CHANGED: Rule = Rule {
    id: "server-info-changed",
    level: Level::Minor,
    title: "the server gives another name or version of itself, or another link or icon",
    why: "it says who changed: they, by a release, or we, by an update",
    says: |fact, _| match fact.place {
        Place::Info { member, .. }
            if !is_server_text(fact) && !only_blanks(fact) && major(fact).is_none() =>
        {
            Some(match member {
                "icons" => format!("the server's {}", icons(fact)),
                "" => format!("the info of the server {}", words::happened(fact)),
                _ => words::differs(&format!("{} of the server", words::way(fact)), fact),
            })
        }
        _ => None,
    },
    last: false,
};

/// The first numbers of two versions that differ in them.
fn major(fact: &Fact<'_>) -> Option<(u64, u64)> {
    let number = |side: Option<&Value>| -> Option<u64> {
        let text = side?.as_str()?;
        let text = text.strip_prefix(['v', 'V']).unwrap_or(text);
        text.split(['.', '-', '+']).next()?.parse().ok()
    };
    match fact.place {
        Place::Info {
            member: "version", ..
        } => {
            let (before, after) = (number(fact.before)?, number(fact.after)?);
            (before != after).then_some((before, after))
        }
        _ => None,
    }
}

/// The server calls itself another major version: that asks for a review of the whole.
pub static MAJOR_VERSION: Rule = Rule {
    id: "major-version",
    level: Level::Minor,
    title: "the server gives another major version of itself",
    why: "a release that breaks with the one before deserves a review of the whole server",
    says: |fact, _| {
        let (before, after) = major(fact)?;
        let side = |value: Option<&Value>| value.map_or_else(String::new, super::shown);
        let back = if after < before { ", an older one" } else { "" };
        Some(format!(
            "the version of the server is {}, was {}: another major version{back}",
            side(fact.after),
            side(fact.before)
        ))
    },
    last: false,
};

pub(super) static CAPABILITIES_CHANGED: Rule = Rule {
    id: "capabilities-changed",
    level: Level::Minor,
    title: "the server says it can do other things",
    why: "what it offers by them is compared on its own",
    says: |fact, _| match fact.place {
        Place::Capabilities { name } if said(fact, name).is_empty() && !only_blanks(fact) => {
            Some(match fact.path.as_str() {
                "" => format!("the capabilities of the server {}", words::happened(fact)),
                _ => words::differs(&format!("capability {}", words::way(fact)), fact),
            })
        }
        _ => None,
    },
    last: false,
};

/// A configured server that the lockfile does not know: its launch has no other side.
pub static SERVER_ADDED: Rule = Rule {
    id: "server-added",
    level: Level::Material,
    title: "a configuration names a server that the lockfile does not know",
    why: "starting it runs a command, or sends credentials to a host, that nobody has reviewed",
    says: |fact, _| match fact.place {
        Place::Launch(None) if fact.before.is_none() => {
            let how = fact.after.map(launched).unwrap_or_default();
            Some(format!(
                "the lockfile does not know this server{how}: nobody has reviewed what starting it does"
            ))
        }
        _ => None,
    },
    last: false,
};

/// The command line or the URL of a launch.
fn launched(launch: &Value) -> String {
    let text = |name: &str| launch.get(name).and_then(Value::as_str);
    match (text("command"), text("url")) {
        (Some(command), _) => {
            let args = launch
                .get("args")
                .and_then(Value::as_array)
                .unwrap_or_default();
            let line: Vec<&str> = std::iter::once(command)
                .chain(args.iter().filter_map(Value::as_str))
                .collect();
            format!(" ({})", words::quote(&line.join(" ")))
        }
        (None, Some(url)) => format!(" ({})", words::quote(url)),
        (None, None) => String::new(),
    }
}

/// The names of variables or headers that came, went or have another value; those that load code apart from the
/// others.
fn names<'f>(fact: &Fact<'f>) -> (BTreeSet<&'f str>, BTreeSet<&'f str>) {
    let of = |side: Option<&'f Value>| -> BTreeSet<&'f str> {
        side.map(strings).unwrap_or_default().into_iter().collect()
    };
    let (before, after) = (of(fact.before), of(fact.after));
    let is_env = matches!(fact.place, Place::Launch(Some("env")));
    before
        .symmetric_difference(&after)
        .map(|name| if is_env { variable_of(name) } else { name })
        .partition(|name| is_env && loads_code(name))
}

/// The server is started or reached in another way.
pub static LAUNCH_CHANGED: Rule = Rule {
    id: "launch-changed",
    level: Level::Material,
    title: "the server is started or reached in another way",
    why: "another program or host may answer under the name that was reviewed",
    says: |fact, _| match fact.place {
        Place::Launch(Some("env" | "headers")) => {
            let (loading, _) = names(fact);
            (!loading.is_empty()).then(|| {
                format!(
                    "launch: variables {} differ; they can load code or move where packages come from",
                    words::list(loading)
                )
            })
        }
        Place::Launch(Some(member)) => {
            let side =
                |value: Option<&Value>| value.map_or_else(|| "none".to_owned(), super::shown);
            Some(format!(
                "launch: {} is {}, was {}; another program may answer under this name",
                words::quote(member),
                side(fact.after),
                side(fact.before)
            ))
        }
        Place::Launch(None) if fact.before.is_some() => {
            Some("the server is started or reached in another way".to_owned())
        }
        _ => None,
    },
    last: false,
};

pub(super) static ENVIRONMENT_CHANGED: Rule = Rule {
    id: "environment-changed",
    level: Level::Minor,
    title: "the names of variables or headers that the server gets differ",
    why: "another credential or setting can make it list other tools",
    says: |fact, _| match fact.place {
        Place::Launch(Some(member @ ("env" | "headers"))) => {
            let (loading, others) = names(fact);
            let what = if member == "env" {
                "variables"
            } else {
                "headers"
            };
            if others.is_empty() {
                // Names that are the same in another spelling of the list.
                return loading
                    .is_empty()
                    .then(|| format!("the list of {what} is spelled differently"));
            }
            Some(format!(
                "launch: {what} {} differ; another credential or setting can list other tools",
                words::list(others)
            ))
        }
        _ => None,
    },
    last: false,
};
