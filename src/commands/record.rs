//! What is remembered of a look at a server: its snapshot and history in the data directory, and what was shown
//! under this lockfile, which is what `ack` acknowledges.

use super::check::{Observation, Offer, Seen};
use super::judge;
use super::world::World;
use crate::catalogue::{Catalogue, Item};
use crate::fingerprint::Digest;
use crate::lockfile::{self, Lockfile};
use crate::model::{ItemKey, Kind, Launch, Problem, ServerName, part};
use crate::pair::Event as Happened;
use crate::policy;
use crate::report::{Change, ServerReport};
use crate::store::{Event, Key, Observed, ServerStore, ShownServer, Store, Taken, What, Writer};
use std::collections::BTreeMap;

/// The key under which a server is kept: its launch, or for a file the lockfile and the name.
fn key(world: &World, name: &ServerName, launch: Option<&Launch>) -> Key {
    match launch {
        Some(launch) => Key::of_launch(launch, world.folder()),
        None => Key::of_file(&world.lock, name),
    }
}

/// Remembers an observation: the snapshot, what the history learns from it, and that it was shown.
///
/// Answers with words about a history that a crash had left torn.
pub(super) fn observed(
    world: &World,
    store: &Store,
    observation: &Observation,
) -> Result<(), Problem> {
    let spec = &observation.spec;
    let key = key(world, &spec.name, spec.launch.as_ref());
    let kept = store.server(&key);
    match &observation.seen {
        Ok(Seen::Offered(offer)) => {
            let snapshot = kept.write_snapshot(&offer.catalogue)?;
            let mut writer = kept.lock()?;
            append(world, &mut writer, What::Enabled)?;
            append(world, &mut writer, What::Reachable)?;
            let step = step(&kept, &writer, &spec.name, offer, snapshot)?;
            append(world, &mut writer, step)?;
            drop(writer);
            mark_shown(
                world,
                store,
                &spec.name,
                &shown_now(world, &key, Some(snapshot), spec.launch.clone()),
            )
        }
        // The launch is what was shown; of the items nothing new is known.
        Ok(Seen::NotStarted) => mark_shown(
            world,
            store,
            &spec.name,
            &shown_now(world, &key, None, spec.launch.clone()),
        ),
        Ok(Seen::Disabled) => append(world, &mut kept.lock()?, What::Disabled),
        Err(problem) if spec.launch.is_some() && problem.kind != "config" => {
            let what = What::Unreachable {
                kind: problem.kind.to_owned(),
                message: problem.message.clone(),
            };
            append(world, &mut kept.lock()?, what)
        }
        Err(_) => Ok(()),
    }
}

fn shown_now(
    world: &World,
    key: &Key,
    snapshot: Option<Digest>,
    launch: Option<Launch>,
) -> ShownServer {
    ShownServer {
        folder: key.folder_name(),
        snapshot,
        launch,
        at: world.now(),
    }
}

fn append(world: &World, writer: &mut Writer, what: What) -> Result<(), Problem> {
    writer.append(Event {
        at: world.now(),
        what,
    })?;
    Ok(())
}

/// What the history learns: a first sight, or the step from the newest snapshot to this one.
fn step(
    kept: &ServerStore,
    writer: &Writer,
    name: &ServerName,
    offer: &Offer,
    snapshot: Digest,
) -> Result<What, Problem> {
    let taken = Taken {
        snapshot,
        taking: offer.taking.to_value(),
    };
    let Some(latest) = writer.history().latest() else {
        let items = offer
            .catalogue
            .items
            .keys()
            .filter(|key| key.kind != Kind::Server)
            .cloned()
            .collect();
        return Ok(What::FirstSight { taken, items });
    };
    if latest.taken.snapshot == snapshot {
        return Ok(What::Change {
            taken,
            changes: Vec::new(),
            items: Vec::new(),
            announced: None,
        });
    }
    let earlier = kept.read_snapshot(latest.taken.snapshot)?;
    let changes = judge::changes(name, &earlier, &offer.catalogue, &BTreeMap::new());
    let (new, steps): (Vec<Change>, Vec<Change>) = changes
        .into_iter()
        .partition(|change| change.event == Happened::Added);
    Ok(What::Change {
        taken,
        changes: steps.iter().map(Observed::from).collect(),
        items: new.into_iter().map(|change| change.key).collect(),
        announced: None,
    })
}

/// Says that a snapshot was shown under this lockfile: from now on it is what `ack` acknowledges.
pub(super) fn mark_shown(
    world: &World,
    store: &Store,
    name: &ServerName,
    shown: &ShownServer,
) -> Result<(), Problem> {
    store.record_shown(&world.lock, [(name.clone(), shown.clone())].into())?;
    Ok(())
}

/// The newest that is known of a server here, beside what the lockfile holds of it.
pub(super) struct Newest {
    /// What waits.
    pub(super) report: ServerReport,
    /// What the report was made from; `None` if there is no snapshot here.
    pub(super) shown: Option<ShownServer>,
}

/// What waits of a server by its newest stored snapshot.
pub(super) fn newest(
    world: &World,
    store: &Store,
    lockfile: &Lockfile,
    name: &ServerName,
    locked: &lockfile::Server,
) -> Result<Newest, Problem> {
    let shown = store.shown(&world.lock)?.servers.remove(name);
    let folder = match &shown {
        Some(shown) => shown.folder.clone(),
        None => key(world, name, locked.launch().as_ref()).folder_name(),
    };
    let kept = store.server_in(&folder).ok_or_else(|| unseen(name))?;
    let history = kept.history()?;
    let snapshot = match history.latest() {
        Some(latest) => Some(latest.taken.snapshot),
        None => shown.as_ref().and_then(|shown| shown.snapshot),
    };
    if snapshot.is_none() && shown.is_none() {
        let report = ServerReport {
            error: Some(unseen(name)),
            ..ServerReport::new(name.clone())
        };
        return Ok(Newest {
            report,
            shown: None,
        });
    }
    let launch = shown
        .as_ref()
        .map_or_else(|| locked.launch(), |shown| shown.launch.clone());
    let now = ShownServer {
        folder,
        snapshot,
        launch,
        at: world.now(),
    };
    Ok(Newest {
        report: compare(&kept, lockfile, name, locked, &now)?,
        shown: Some(now),
    })
}

fn unseen(name: &ServerName) -> Problem {
    Problem::new(
        "no-snapshot",
        format!("there is no snapshot of `{}` here yet", name.as_str()),
    )
    .with_hint(format!("countersign diff {}", name.as_str()))
}

fn compare(
    kept: &ServerStore,
    lockfile: &Lockfile,
    name: &ServerName,
    locked: &lockfile::Server,
    shown: &ShownServer,
) -> Result<ServerReport, Problem> {
    let mut current = match shown.snapshot {
        Some(snapshot) => kept.read_snapshot(snapshot)?,
        None => Catalogue::default(),
    };
    if let Some(launch) = &shown.launch {
        current.items.insert(
            ItemKey::part(part::LAUNCH),
            Item::new(Kind::Server, launch.to_value()),
        );
    }
    Ok(judge::compare(
        name,
        locked,
        &current,
        &judge::tool_names(&[], Some(lockfile)),
        &policy::of(lockfile, name).judging,
    ))
}

/// What was last shown of a server under this lockfile.
pub(super) struct LastShown {
    /// What waited.
    pub(super) report: ServerReport,
    /// Why it cannot be acknowledged without another look.
    pub(super) stale: Option<Problem>,
}

/// What was last shown of each server of the lockfile.
pub(super) fn shown(
    world: &World,
    store: &Store,
    lockfile: &Lockfile,
) -> Result<Vec<LastShown>, Problem> {
    let records = store.shown(&world.lock)?;
    let mut all = Vec::new();
    for (name, locked) in &lockfile.servers {
        let last = match records.servers.get(name) {
            None => LastShown {
                report: ServerReport::new(name.clone()),
                stale: Some(
                    Problem::new(
                        "not-shown",
                        format!(
                            "nothing of `{}` was shown under this lockfile yet: look first",
                            name.as_str()
                        ),
                    )
                    .with_hint(format!("countersign review {}", name.as_str())),
                ),
            },
            Some(shown) => last_shown(store, lockfile, name, locked, shown)?,
        };
        all.push(last);
    }
    Ok(all)
}

fn last_shown(
    store: &Store,
    lockfile: &Lockfile,
    name: &ServerName,
    locked: &lockfile::Server,
    shown: &ShownServer,
) -> Result<LastShown, Problem> {
    let kept = store.server_in(&shown.folder).ok_or_else(|| unseen(name))?;
    let history = kept.history()?;
    let stale = history
        .latest()
        .filter(|latest| Some(latest.taken.snapshot) != shown.snapshot)
        .map(|_| {
            Problem::new(
                "newer-snapshot",
                format!(
                    "a newer snapshot of `{}` was stored since it was last shown: look first",
                    name.as_str()
                ),
            )
            .with_hint(format!("countersign review {}", name.as_str()))
        });
    Ok(LastShown {
        report: compare(&kept, lockfile, name, locked, shown)?,
        stale,
    })
}

/// When each server was last shown under this lockfile, RFC 3339.
pub(super) fn times(world: &World) -> Result<BTreeMap<String, String>, Problem> {
    let shown = world.store()?.shown(&world.lock)?;
    Ok(shown
        .servers
        .into_iter()
        .map(|(name, server)| (name.as_str().to_owned(), server.at))
        .collect())
}
