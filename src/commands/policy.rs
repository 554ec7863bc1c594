//! `policy`: shows the standing rules and what they come to now, or sets them. It never contacts a server.

mod table;

use super::Output;
use super::select::{self, Candidates, Selection};
use super::world::World;
use crate::canonical;
use crate::cli;
use crate::json::Value;
use crate::lockfile::{Edit, Lockfile, Owner, Setting};
use crate::model::{ItemKey, Kind, Problem};
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
    let changed = lockfile != before;
    let stdout = if world.common.format == Format::Json {
        render::document(&json!({
            "policy": 1, "of": named(&owner), "changed": changed, "settings": settings_value(&own),
        }))
    } else {
        let of = render::escape::line(&named(&owner));
        let head = match (changed, own.is_empty()) {
            (false, _) => format!("nothing to change in the policy of {of}\n"),
            (true, true) => format!("nothing is set any more in the policy of {of}\n"),
            (true, false) => String::new(),
        };
        head + &own_lines(&owner, &own)
    };
    Ok(Output {
        stdout,
        stderr: String::new(),
        status: 0,
    })
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
        Err(problem) => foreseen().ok_or(problem),
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

/// What is set, in the words that set it.
fn own_lines(owner: &Owner, own: &[(Setting, Value)]) -> String {
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
        .map(|line| format!("set  {of}  {}\n", render::escape::line(&line)))
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
