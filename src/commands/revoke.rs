//! `ack --revoke`: takes acknowledgements back; the baseline goes to where it stood before. It never contacts a
//! server: the older definition comes from the stored snapshots.

use super::kept::Stored;
use super::select::{self, Candidates, Selection};
use super::world::World;
use super::{Output, judge};
use crate::cli;
use crate::lockfile::Lockfile;
use crate::model::{ItemKey, Problem, ServerName};
use crate::render::{self, Format};
use crate::report::Change;

/// What was taken back.
struct Done {
    server: ServerName,
    id: String,
    items: Vec<ItemKey>,
}

pub(super) fn run(world: &World, args: &cli::Ack) -> Result<Output, Problem> {
    let store = world.store()?;
    let _guard = store.lock_lockfile(&world.lock)?;
    let mut lockfile = world.need_lockfile()?;
    let mut done = Vec::new();
    for (server, id) in choose(&lockfile, &args.selectors)? {
        let stored = Stored::of(world, &store, &server, &lockfile)?;
        let Some(locked) = lockfile.servers.get_mut(&server) else {
            continue;
        };
        let items = locked
            .revoke(&id, |key, digest| stored.find(key, digest))
            .map_err(|error| Problem::new("lockfile", error.to_string()))?;
        done.push(Done { server, id, items });
    }
    world.write_lockfile(&lockfile)?;
    let stdout = match world.common.format {
        Format::Json => document(&done),
        _ => done.iter().map(words).collect::<Vec<_>>().concat(),
    };
    Ok(Output {
        stdout,
        stderr: String::new(),
        status: 0,
    })
}

/// The recorded changes that the words mean: of an item its newest.
fn choose(lockfile: &Lockfile, words: &[String]) -> Result<Vec<(ServerName, String)>, Problem> {
    let recorded: Vec<(&ServerName, Vec<Change>)> = lockfile
        .servers
        .iter()
        .map(|(name, locked)| (name, judge::acknowledged(name, locked, &[])))
        .collect();
    let candidates: Vec<Candidates<'_>> = recorded
        .iter()
        .map(|(name, changes)| Candidates {
            server: name,
            items: lockfile.servers[*name].entries.keys().collect(),
            changes,
        })
        .collect();
    let mut chosen = Vec::new();
    for word in words {
        let selection = select::find(word, &candidates)?;
        let newest = recorded
            .iter()
            .filter(|(name, _)| *name == selection.server())
            .flat_map(|(_, changes)| changes)
            .rfind(|change| selection.covers(selection.server(), change));
        match (&selection, newest) {
            (Selection::Server(name), _) => {
                return Err(Problem::new(
                    "usage",
                    format!(
                        "`{}` is a whole server: name the item or change to take back",
                        name.as_str()
                    ),
                )
                .with_hint(format!("countersign review --all {}", name.as_str())));
            }
            (_, None) => {
                return Err(
                    Problem::new("usage", format!("nothing was acknowledged of `{word}`"))
                        .with_hint("countersign review --all"),
                );
            }
            (_, Some(change)) => chosen.push((selection.server().clone(), change.id.clone())),
        }
    }
    chosen.dedup();
    Ok(chosen)
}

fn words(Done { server, id, items }: &Done) -> String {
    let item = |key: &ItemKey| {
        let (server, item) = (
            render::escape::name(server.as_str()),
            render::escape::name(key.name.as_str()),
        );
        format!("taken back  {} {server}/{item}  [{id}]\n", key.kind.word())
    };
    items.iter().map(item).collect::<Vec<_>>().concat()
}

fn document(done: &[Done]) -> String {
    let entries: Vec<serde_json::Value> = done
        .iter()
        .flat_map(|Done { server, id, items }| {
            items.iter().map(move |key| {
                serde_json::json!({
                    "server": server.as_str(), "id": id, "kind": key.kind.word(), "name": key.name.as_str(),
                })
            })
        })
        .collect();
    render::document(&serde_json::json!({ "ack": 1, "revoked": entries }))
}
