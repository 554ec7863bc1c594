//! What is remembered of a look at a server: its snapshot and history in the data directory, and what was shown
//! under this lockfile, which is what `ack` acknowledges.

mod step;

pub(super) use step::step_since;

use super::check::{Observation, Seen};
use super::world::World;
use super::{judge, who_asked};
use crate::canonical;
use crate::catalogue::{Catalogue, Item};
use crate::lockfile::{self, Lockfile};
use crate::model::{ItemKey, Kind, Launch, Problem, ServerName, ServerSpec, Warning, part};
use crate::policy;
use crate::report::ServerReport;
use crate::runtime::watch::Heard;
use crate::store::{Event, History, Key, ServerStore, Shown, ShownServer, Store, What, Writer};
use std::collections::{BTreeMap, BTreeSet};
use step::step;

/// The servers of a run and its lockfile that are launched as another of them is.
pub(super) struct Twins(BTreeSet<ServerName>);

impl Twins {
    /// Of the servers that were looked at, and those that the lockfile holds.
    pub(super) fn of(lockfile: Option<&Lockfile>, observations: &[Observation]) -> Self {
        Self::of_specs(lockfile, observations.iter().map(|o| &o.spec))
    }

    /// Of servers that are to be looked at, and those that the lockfile holds.
    pub(super) fn of_specs<'a>(
        lockfile: Option<&Lockfile>,
        specs: impl IntoIterator<Item = &'a ServerSpec>,
    ) -> Self {
        let seen = specs
            .into_iter()
            .filter_map(|spec| Some((&spec.name, spec.launch.clone()?)));
        let locked = lockfile.iter().flat_map(|lockfile| &lockfile.servers);
        let locked = locked.filter_map(|(name, server)| Some((name, server.launch()?)));
        let mut names: BTreeMap<String, BTreeSet<&ServerName>> = BTreeMap::new();
        for (name, launch) in seen.chain(locked) {
            let launch = canonical::to_text(&launch.to_value());
            names.entry(launch).or_default().insert(name);
        }
        let several = names.into_values().filter(|names| names.len() > 1);
        Self(several.flatten().cloned().collect())
    }

    /// The key under which a server is kept: its launch, or for a file the lockfile and the name.
    pub(super) fn key(&self, world: &World, name: &ServerName, launch: Option<&Launch>) -> Key {
        match launch {
            Some(launch) if self.0.contains(name) => {
                Key::of_launch(launch, world.folder()).of_twin(name)
            }
            Some(launch) => Key::of_launch(launch, world.folder()),
            None => Key::of_file(&world.lock, name),
        }
    }
}

/// The ids of what a report shows.
fn ids(report: &ServerReport) -> BTreeSet<String> {
    let ids = report.changes.iter().map(|change| change.id.clone());
    ids.collect()
}

/// Says first where tools may be gone because somebody else asked. Whether the observation is remembered already
/// makes no difference.
pub(super) fn tell_who_asked(
    world: &World,
    store: &Store,
    twins: &Twins,
    observation: &Observation,
    report: &mut ServerReport,
) -> Result<(), Problem> {
    let Ok(Seen::Offered(offer)) = &observation.seen else {
        return Ok(());
    };
    let spec = &observation.spec;
    let kept = store.server(&twins.key(world, &spec.name, spec.launch.as_ref()));
    let warning = who_asked::warning(&kept, &offer.taking.to_value(), report)?;
    report.warnings.splice(0..0, warning);
    Ok(())
}

/// Remembers an observation: the snapshot, and what the history learns from it. Answers with what is to be marked as
/// shown once it is, if there is something to show.
///
/// `locked` is what the lockfile holds of the server.
pub(super) fn observed(
    world: &World,
    store: &Store,
    twins: &Twins,
    observation: &Observation,
    locked: Option<&lockfile::Server>,
) -> Result<Option<ShownServer>, Problem> {
    let learned = observed_as_heard(
        world,
        store,
        twins,
        observation,
        locked,
        Heard::Unheard(None),
    );
    Ok(learned?.shown)
}

/// What became of remembering an observation.
pub(super) struct Learned {
    /// What is to be marked as shown once it is.
    pub(super) shown: Option<ShownServer>,
    /// What the history did not say already.
    pub(super) news: Vec<What>,
}

/// The same, saying how a change came to be known.
pub(super) fn observed_as_heard(
    world: &World,
    store: &Store,
    twins: &Twins,
    observation: &Observation,
    locked: Option<&lockfile::Server>,
    heard: Heard,
) -> Result<Learned, Problem> {
    let spec = &observation.spec;
    let key = twins.key(world, &spec.name, spec.launch.as_ref());
    let look = |snapshot| ShownServer {
        folder: key.folder_name(),
        snapshot,
        launch: spec.launch.clone(),
        changes: BTreeSet::new(),
        at: world.now(),
    };
    let kept = store.server(&key);
    let mut news = Vec::new();
    let shown = match &observation.seen {
        Ok(Seen::Offered(offer)) => {
            let snapshot = kept.write_snapshot(&offer.catalogue)?;
            let mut writer = kept.lock()?;
            append(world, &mut writer, What::Enabled, &mut news)?;
            append(world, &mut writer, What::Reachable, &mut news)?;
            let step = step(&kept, &writer, &spec.name, offer, snapshot, heard)?;
            append(world, &mut writer, step, &mut news)?;
            drop(writer);
            Some(look(Some(snapshot)))
        }
        // Of the items nothing new is known.
        Ok(Seen::NotStarted) => Some(look(None)),
        Ok(Seen::Disabled) => {
            append(world, &mut kept.lock()?, What::Disabled, &mut news)?;
            judge::waiting_launch(spec, locked).map(|_| look(None))
        }
        Err(problem) if spec.launch.is_some() && problem.kind != "config" => {
            let what = What::Unreachable {
                kind: problem.kind.to_owned(),
                message: problem.message.clone(),
            };
            append(world, &mut kept.lock()?, what, &mut news)?;
            judge::waiting_launch(spec, locked).map(|_| look(None))
        }
        Err(_) => None,
    };
    Ok(Learned { shown, news })
}

fn append(
    world: &World,
    writer: &mut Writer,
    what: What,
    news: &mut Vec<What>,
) -> Result<(), Problem> {
    let is_news = writer.append(Event {
        at: world.now(),
        what: what.clone(),
    })?;
    if is_news {
        news.push(what);
    }
    Ok(())
}

/// Says that these changes of the newest were shown, and maybe not the rest.
pub(super) fn mark_reviewed(
    world: &World,
    store: &Store,
    newest: &ShownServer,
    name: &ServerName,
    changes: BTreeSet<String>,
) -> Result<(), Problem> {
    let before = store.shown(&world.lock)?.servers.remove(name);
    let mut shown = ShownServer {
        changes,
        ..newest.clone()
    };
    let same = |before: &ShownServer| {
        (&before.folder, before.snapshot, &before.launch)
            == (&shown.folder, shown.snapshot, &shown.launch)
    };
    if let Some(before) = before.filter(same) {
        shown.changes.extend(before.changes);
    }
    record_shown(world, store, name, shown)
}

/// Says that what the reports of servers hold was shown under this lockfile, once for all: from now on it is what `ack`
/// acknowledges. Answers with all that was last shown.
pub(super) fn mark_all_shown(
    world: &World,
    store: &Store,
    looks: BTreeMap<ServerName, ShownServer>,
) -> Result<Shown, Problem> {
    Ok(if looks.is_empty() {
        store.shown(&world.lock)?
    } else {
        store.record_shown(&world.lock, looks)?
    })
}

/// What is to be marked of a server whose report is this.
pub(super) fn as_reported(look: ShownServer, report: &ServerReport) -> ShownServer {
    ShownServer {
        changes: ids(report),
        ..look
    }
}

fn record_shown(
    world: &World,
    store: &Store,
    name: &ServerName,
    shown: ShownServer,
) -> Result<(), Problem> {
    store.record_shown(&world.lock, [(name.clone(), shown)].into())?;
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
    twins: &Twins,
    lockfile: &Lockfile,
    name: &ServerName,
    locked: &lockfile::Server,
) -> Result<Newest, Problem> {
    let shown = store.shown(&world.lock)?.servers.remove(name);
    let folder = if let Some(shown) = &shown {
        shown.folder.clone()
    } else {
        let launch = locked.launch();
        twins.key(world, name, launch.as_ref()).folder_name()
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
        changes: BTreeSet::new(),
        // It is not looked at now: the date stays that of the last look.
        at: shown.map_or_else(|| world.now(), |shown| shown.at),
    };
    let mut report = compare(&kept, lockfile, name, locked, &now)?;
    report.error = unreachable(name, &history);
    report.notes.push(Warning::new(
        "snapshot-taken",
        format!("goes by what was last looked at on {}", now.at),
    ));
    if let Some(latest) = history.latest() {
        let warning = who_asked::warning(&kept, &latest.taken.taking, &report)?;
        report.warnings.splice(0..0, warning);
    }
    Ok(Newest {
        report,
        shown: Some(now),
    })
}

/// Servers that were shown under this lockfile, and that it does not hold.
pub(super) fn strangers(
    world: &World,
    store: &Store,
    lockfile: &Lockfile,
) -> Result<Vec<Newest>, Problem> {
    let shown = store.shown(&world.lock)?.servers.into_iter();
    let unknown = shown.filter(|(name, _)| !lockfile.servers.contains_key(name));
    let newest = unknown.map(|(name, shown)| {
        let launch = shown
            .launch
            .as_ref()
            .map(|launch| Item::new(Kind::Server, launch.to_value()));
        let seen = format!("it was seen on {}", shown.at);
        let mut report = ServerReport::new(name.clone());
        report
            .changes
            .push(judge::server_added(&name, launch.as_ref(), &seen));
        Newest {
            report,
            shown: None,
        }
    });
    Ok(newest.collect())
}

/// Why the last look at a server failed, if it did.
fn unreachable(name: &ServerName, history: &History) -> Option<Problem> {
    let failed = history
        .events
        .iter()
        .rev()
        .find_map(|event| match &event.what {
            What::Unreachable { message, .. } => Some((&event.at, message)),
            _ => None,
        });
    let (at, message) = failed.filter(|_| history.unreachable())?;
    Some(
        Problem::new(
            "unreachable",
            format!("the last look, on {at}, failed: {message}"),
        )
        .with_hint(format!("countersign diff {}", name.as_str())),
    )
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
        &policy::judging(lockfile, name),
    ))
}

/// What was last shown of a server under this lockfile.
pub(super) struct LastShown {
    /// What waited.
    pub(super) report: ServerReport,
    /// Why it cannot be acknowledged without another look.
    pub(super) stale: Option<Problem>,
    /// The ids of the changes that were shown.
    pub(super) ids: BTreeSet<String>,
}

/// What was last shown of each server of the lockfile.
pub(super) fn shown(
    world: &World,
    store: &Store,
    lockfile: &Lockfile,
) -> Result<Vec<LastShown>, Problem> {
    let records = store.shown(&world.lock)?;
    let twins = Twins::of(Some(lockfile), &[]);
    let mut all = Vec::new();
    for (name, locked) in &lockfile.servers {
        let last = match records.servers.get(name) {
            None => {
                let kept = store.server(&twins.key(world, name, locked.launch().as_ref()));
                let is_known = kept.history()?.latest().is_some();
                LastShown {
                    report: ServerReport::new(name.clone()),
                    ids: BTreeSet::new(),
                    stale: Some(never_shown(name, is_known)),
                }
            }
            Some(shown) => last_shown(store, lockfile, name, locked, shown)?,
        };
        all.push(last);
    }
    Ok(all)
}

fn never_shown(name: &ServerName, is_known: bool) -> Problem {
    let name = name.as_str();
    let message = format!("nothing of `{name}` was shown under this lockfile yet: look first");
    let looks = if is_known { "review" } else { "diff" };
    Problem::new("not-shown", message).with_hint(format!("countersign {looks} {name}"))
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
        .map(|_| newer(name));
    Ok(LastShown {
        report: compare(&kept, lockfile, name, locked, shown)?,
        stale,
        ids: shown.changes.clone(),
    })
}

/// Why what a server was shown as is no longer the newest that is known of it; `None` if it is.
pub(super) fn outdated(
    world: &World,
    store: &Store,
    name: &ServerName,
    look: &ShownServer,
) -> Result<Option<Problem>, Problem> {
    let kept = store.server_in(&look.folder).ok_or_else(|| unseen(name))?;
    let history = kept.history()?;
    let latest = history.latest().map(|latest| latest.taken.snapshot);
    let shown = store.shown(&world.lock)?.servers.remove(name);
    let is_other = |shown: ShownServer| {
        (&shown.folder, shown.snapshot, &shown.launch)
            != (&look.folder, look.snapshot, &look.launch)
    };
    let is_outdated = (latest.is_some() && latest != look.snapshot) || shown.is_some_and(is_other);
    Ok(is_outdated.then(|| newer(name)))
}

fn newer(name: &ServerName) -> Problem {
    Problem::new(
        "newer-snapshot",
        format!(
            "a newer snapshot of `{}` was stored since it was last shown: look first",
            name.as_str()
        ),
    )
    .with_hint(format!("countersign review {}", name.as_str()))
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
