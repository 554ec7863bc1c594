//! `policy`: shows the standing rules and what they come to now, or sets them. It never contacts a server.

mod table;

use super::Output;
use super::select::{self, Candidates, Selection};
use super::world::World;
use crate::canonical;
use crate::cli;
use crate::json::Value;
use crate::lockfile::volatile::Template;
use crate::lockfile::{Edit, Lockfile, Owner, Setting};
use crate::model::{ItemKey, Kind, Pointer, Problem};
use crate::render::{self, Format};
use serde_json::json;

pub(super) fn run(world: &World, args: &cli::Policy) -> Result<Output, Problem> {
    let (selector, settings) = match args.words.split_first() {
        Some((first, rest)) if !Setting::is_meant_by(first) => (Some(first.as_str()), rest),
        _ => (None, args.words.as_slice()),
    };
    if settings.is_empty() && args.unset.is_empty() {
        table::show(world, selector)
    } else {
        set(world, selector, settings, &args.unset)
    }
}

fn usage(message: String) -> Problem {
    Problem::new("usage", message)
}

fn set(
    world: &World,
    selector: Option<&str>,
    settings: &[String],
    unset: &[String],
) -> Result<Output, Problem> {
    let mut edits = Vec::new();
    for path in unset {
        let setting = Setting::parse(path).map_err(usage)?;
        edits.push(Edit {
            setting,
            value: None,
        });
    }
    for word in settings {
        edits.push(Edit::parse(word).map_err(usage)?);
    }
    let store = world.store()?;
    let _guard = store.lock_lockfile(&world.lock)?;
    let before = world.need_lockfile()?;
    let owner = match selector {
        Some(selector) => owner(&before, selector)?,
        None => Owner::Lockfile,
    };
    let mut lockfile = before.clone();
    lockfile.set_policy(&owner, &edits).map_err(usage)?;
    world.write_lockfile(&lockfile)?;
    let own = lockfile.own_policy(&owner);
    let was = before.own_policy(&owner);
    let changed = lockfile != before;
    let unfit = unfit(&lockfile, &owner, &own, &edits);
    let is_json = world.common.format == Format::Json;
    let stdout = if is_json {
        render::document(&json!({
            "policy": 1, "of": named(&owner), "changed": changed, "settings": settings_value(&own),
            "before": settings_value(&was), "warnings": unfit,
        }))
    } else {
        let of = render::escape::line(&named(&owner));
        // What is as it was is no answer to what was asked for.
        let only = |these: &[(Setting, Value)], those: &[(Setting, Value)]| -> Vec<_> {
            let other = |setting: &&(Setting, Value)| !those.contains(setting);
            these.iter().filter(other).cloned().collect()
        };
        let (set, mut gone) = (only(&own, &was), only(&was, &own));
        gone.retain(|(setting, _)| own.iter().all(|(other, _)| other != setting));
        let mut lines = own_lines("unset", &owner, &gone) + &own_lines("set", &owner, &set);
        if !changed {
            lines = format!("nothing to change in the policy of {of}\n");
        } else if own.is_empty() {
            lines.extend(["nothing is set any more in the policy of ", &of, "\n"]);
        }
        lines
    };
    let warning = |message: &String| format!("warning: {}\n", render::escape::line(message));
    let told = unfit.iter().filter(|_| !is_json);
    Ok(Output {
        stdout,
        stderr: told.map(warning).collect(),
        status: 0,
    })
}

/// Templates that were set just now and that fit nothing in the text that is accepted: they let nothing move.
fn unfit(
    lockfile: &Lockfile,
    owner: &Owner,
    own: &[(Setting, Value)],
    edits: &[Edit],
) -> Vec<String> {
    let Owner::Item(name, key) = owner else {
        return Vec::new();
    };
    let entry = lockfile
        .servers
        .get(name)
        .and_then(|server| server.entries.get(key));
    // Of an item that is not there yet nobody knows.
    let Some(entry) = entry else {
        return Vec::new();
    };
    let is_set = |setting: &Setting| edits.iter().any(|edit| edit.setting == *setting);
    let volatile = own
        .iter()
        .filter(|(setting, _)| setting.name == "volatile" && is_set(setting));
    let unfit = volatile.flat_map(|(setting, value)| {
        let pointer = setting.inner.as_deref().and_then(Pointer::parse);
        let text = pointer.and_then(|pointer| {
            let found = pointer.find(entry.item.definition.value())?;
            found.as_str().map(str::to_owned)
        });
        let templates = match value {
            Value::Array(several) => several.as_slice(),
            one => std::slice::from_ref(one),
        };
        let unfit = templates.iter().filter_map(Value::as_str).filter(|words| {
            let template = Template::parse(words).ok();
            let text = text.as_deref();
            !template.is_some_and(|template| text.is_some_and(|text| template.fits(text)))
        });
        let message = |words: &str| {
            let (path, of) = (setting.path(), named(owner));
            let why = match &text {
                Some(_) => "it fits nothing in the accepted text",
                None => "there is no such text in the accepted definition",
            };
            format!("`{path}={words}` of {of} lets nothing move: {why}")
        };
        unfit.map(message).collect::<Vec<_>>()
    });
    unfit.collect()
}

/// Whose policy a selector means. An item need not be there yet, if its kind is said.
fn owner(lockfile: &Lockfile, word: &str) -> Result<Owner, Problem> {
    let candidates: Vec<Candidates<'_>> = lockfile
        .servers
        .iter()
        .map(|(name, server)| Candidates {
            server: name,
            items: server.entries.keys().collect(),
            changes: &[],
        })
        .collect();
    let foreseen = || {
        lockfile.servers.keys().find_map(|name| {
            let item = word.strip_prefix(name.as_str())?.strip_prefix('/')?;
            let (kind, item) = item.split_once(':')?;
            let kind = Kind::from_word(kind).filter(|_| !item.is_empty())?;
            Some(Owner::Item(name.clone(), ItemKey::new(kind, item)))
        })
    };
    match select::find(word, &candidates) {
        Ok(Selection::Server(name)) => Ok(Owner::Server(name)),
        Ok(Selection::Item(name, key) | Selection::Change(name, key, _)) => {
            Ok(Owner::Item(name, key))
        }
        Err(problem) => foreseen().ok_or_else(|| not_there(word, problem)),
    }
}

/// Says how an item is named that is not there yet, where a word may mean one.
fn not_there(word: &str, problem: Problem) -> Problem {
    match word.split_once('/') {
        Some((server, item)) if !item.is_empty() && !item.contains(':') => {
            let message = format!(
                "{}; an item that is not there yet is named with its kind: `{server}/tool:{item}`",
                problem.message
            );
            Problem { message, ..problem }
        }
        _ => problem,
    }
}

/// The words that name whose policy it is; empty for that of every server.
pub(super) fn selector(owner: &Owner) -> String {
    match owner {
        Owner::Lockfile => String::new(),
        Owner::Server(name) => name.as_str().to_owned(),
        Owner::Item(name, key) => {
            format!(
                "{}/{}:{}",
                name.as_str(),
                key.kind.word(),
                key.name.as_str()
            )
        }
    }
}

fn named(owner: &Owner) -> String {
    match owner {
        Owner::Lockfile => "every server".to_owned(),
        other => selector(other),
    }
}

/// Settings in the words that set them, each after a verb.
fn own_lines(verb: &str, owner: &Owner, own: &[(Setting, Value)]) -> String {
    let of = render::escape::line(&named(owner));
    let lines = own.iter().flat_map(|(setting, value)| {
        let values = match value {
            Value::Array(several) => several.as_slice(),
            one => std::slice::from_ref(one),
        };
        let path = setting.path();
        let line = values
            .iter()
            .map(move |value| format!("{path}={}", word(value)));
        line.collect::<Vec<_>>()
    });
    lines
        .map(|line| format!("{verb}  {of}  {}\n", render::escape::line(&line)))
        .collect::<Vec<_>>()
        .concat()
}

fn word(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| canonical::to_text(value), str::to_owned)
}

fn settings_value(own: &[(Setting, Value)]) -> serde_json::Value {
    let members = own.iter().map(|(setting, value)| {
        let texts = |several: &[Value]| several.iter().map(word).collect::<Vec<_>>();
        let value = match value {
            Value::Bool(yes) => json!(yes),
            Value::Number(text) => text.parse::<u64>().map_or(json!(text), |n| json!(n)),
            Value::Array(several) => json!(texts(several)),
            other => json!(word(other)),
        };
        (setting.path(), value)
    });
    serde_json::Value::Object(members.collect())
}
