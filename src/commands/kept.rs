//! What the data directory keeps of a server: its histories, and the definitions that it ever showed.

use super::record::Twins;
use super::world::World;
use crate::catalogue::{Catalogue, Item};
use crate::fingerprint::Digest;
use crate::lockfile::Lockfile;
use crate::model::{ItemKey, Problem, ServerName};
use crate::store::{History, ServerStore, Shown, Store};

/// What the data directory keeps of a server: under the launch that the lockfile holds, and as it was last shown.
pub(super) fn kept(
    world: &World,
    store: &Store,
    twins: &Twins,
    lockfile: Option<&Lockfile>,
    name: &ServerName,
) -> Result<Vec<ServerStore>, Problem> {
    let shown = store.shown(&world.lock)?;
    Ok(kept_as_shown(world, store, twins, lockfile, name, &shown))
}

/// The same, where what was last shown is known already.
pub(super) fn kept_as_shown(
    world: &World,
    store: &Store,
    twins: &Twins,
    lockfile: Option<&Lockfile>,
    name: &ServerName,
    shown: &Shown,
) -> Vec<ServerStore> {
    let locked = lockfile.and_then(|lockfile| lockfile.servers.get(name));
    let mut folders = Vec::new();
    if let Some(locked) = locked {
        let launch = locked.launch();
        folders.push(twins.key(world, name, launch.as_ref()).folder_name());
    }
    folders.extend(shown.servers.get(name).map(|shown| shown.folder.clone()));
    folders.dedup();
    let kept = folders.iter().filter_map(|folder| store.server_in(folder));
    kept.collect()
}

/// What was observed of a server here.
pub(super) fn histories(
    world: &World,
    store: &Store,
    lockfile: Option<&Lockfile>,
    name: &ServerName,
) -> Result<Vec<History>, Problem> {
    let kept = kept(world, store, &Twins::of(lockfile, &[]), lockfile, name)?;
    let histories = kept.iter().map(|kept| Ok(kept.history()?));
    histories.collect()
}

/// The definitions of a server that the data directory holds.
pub(super) struct Stored {
    snapshots: Vec<Catalogue>,
}

impl Stored {
    /// Every stored snapshot of a server, the newest first.
    pub(super) fn of(
        world: &World,
        store: &Store,
        name: &ServerName,
        lockfile: &Lockfile,
    ) -> Result<Self, Problem> {
        let mut snapshots = Vec::new();
        let twins = Twins::of(Some(lockfile), &[]);
        for kept in kept(world, store, &twins, Some(lockfile), name)? {
            let history = kept.history()?;
            for event in history.events.iter().rev() {
                if let Some(taken) = event.what.taken() {
                    snapshots.push(kept.read_snapshot(taken.snapshot)?);
                }
            }
        }
        Ok(Self { snapshots })
    }

    /// A definition by its item and digest.
    pub(super) fn find(&self, key: &ItemKey, digest: Digest) -> Option<Item> {
        self.snapshots
            .iter()
            .filter_map(|catalogue| catalogue.items.get(key))
            .find(|item| item.digest == digest)
            .cloned()
    }
}
