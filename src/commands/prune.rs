//! `prune`: drops lockfile entries that guard nothing any more.

use super::world::World;
use super::{Output, sources};
use crate::cli;
use crate::lockfile::Lockfile;
use crate::model::{Problem, ServerName};
use crate::render::{self, Format};
use std::collections::BTreeSet;

/// One entry that is dropped: a server, or one item of it as `kind:name`.
struct Stale {
    server: ServerName,
    item: Option<String>,
}

pub(super) fn run(world: &World, args: &cli::Prune) -> Result<Output, Problem> {
    let store = world.store()?;
    let _guard = store
        .lock_lockfile(&world.lock)
        .map_err(|error| Problem::new("store", error.to_string()))?;
    let mut lockfile = world.need_lockfile()?;
    if let Some(unknown) = args.servers.iter().find(|name| {
        !lockfile
            .servers
            .contains_key(&ServerName::new(name.as_str()))
    }) {
        return Err(
            Problem::new("usage", format!("the lockfile holds no server `{unknown}`"))
                .with_hint("countersign servers"),
        );
    }
    let configured: BTreeSet<ServerName> = sources::from_configs(world, &args.config, false)?
        .specs
        .into_iter()
        .map(|spec| spec.name)
        .collect();
    let stale = drop_stale(&mut lockfile, &args.servers, &configured);
    if !args.check {
        let dropped = |name: &ServerName| {
            let mut whole = stale.iter().filter(|entry| entry.item.is_none());
            whole.any(|entry| entry.server == *name)
        };
        // First what only has to be looked at again: after a stop in between, the next run does the rest. The other way
        // round it would find nothing to drop, and what was shown would stay for ever.
        store.forget_shown(&world.lock, dropped)?;
        world.write_lockfile(&lockfile)?;
    }
    let stdout = match world.common.format {
        Format::Json => document(&stale, args.check),
        _ => words(&stale, args.check) + &unused(&lockfile, &configured),
    };
    let status = u8::from(args.check && !stale.is_empty());
    Ok(Output {
        stdout,
        stderr: String::new(),
        status,
    })
}

/// Drops what is stale: items acknowledged as removed, and servers that were named and that no configuration has.
fn drop_stale(
    lockfile: &mut Lockfile,
    named: &[String],
    configured: &BTreeSet<ServerName>,
) -> Vec<Stale> {
    let mut stale = Vec::new();
    let locked: Vec<ServerName> = lockfile.servers.keys().cloned().collect();
    for name in locked {
        if !named.is_empty() && !named.iter().any(|word| word == name.as_str()) {
            continue;
        }
        if !named.is_empty() && !configured.contains(&name) {
            lockfile.servers.remove(&name);
            stale.push(Stale {
                server: name,
                item: None,
            });
        } else if let Some(server) = lockfile.servers.get_mut(&name) {
            let items = server.prune();
            stale.extend(items.into_iter().map(|key| Stale {
                server: name.clone(),
                item: Some(format!("{}:{}", key.kind.word(), key.name.as_str())),
            }));
        }
    }
    stale
}

/// Servers that no configuration names: they may be in use elsewhere, so they are dropped by name only.
fn unused(lockfile: &Lockfile, configured: &BTreeSet<ServerName>) -> String {
    let names = lockfile
        .servers
        .keys()
        .filter(|name| !configured.contains(name));
    names
        .map(|name| {
            let shown = render::escape::name(name.as_str());
            format!("no configuration here names {shown}; to drop it: countersign prune {shown}\n")
        })
        .collect::<Vec<_>>()
        .concat()
}

fn words(stale: &[Stale], check: bool) -> String {
    if stale.is_empty() {
        return "nothing to drop\n".to_owned();
    }
    let verb = if check { "stale" } else { "dropped" };
    stale
        .iter()
        .map(|entry| match &entry.item {
            None => format!(
                "{verb}  server {}\n",
                render::escape::name(entry.server.as_str())
            ),
            Some(item) => format!(
                "{verb}  {}/{}\n",
                render::escape::name(entry.server.as_str()),
                render::escape::line(item)
            ),
        })
        .collect::<Vec<_>>()
        .concat()
}

fn document(stale: &[Stale], check: bool) -> String {
    let entries: Vec<serde_json::Value> = stale
        .iter()
        .map(|entry| serde_json::json!({"server": entry.server.as_str(), "item": entry.item}))
        .collect();
    render::document(
        &serde_json::json!({ "prune": 1, "written": !check && !stale.is_empty(), "stale": entries }),
    )
}
