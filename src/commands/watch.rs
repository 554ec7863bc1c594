//! `watch`: stays connected to servers and records each change as it comes, announced or not. It writes the data
//! directory, never the lockfile, and asks nobody anything.
//!
//! Each server has a [`station`] of its own; what they find is taken here, one after another, so that nothing piles up:
//! it is recorded, judged by the lockfile of that moment, told, and given to the command of `--exec`.

mod hook;
mod station;
mod telling;

use super::check::{self, Observation, Seen};
use super::due::Due;
use super::record::{self, Twins};
use super::talk::Talk;
use super::world::World;
use super::{Output, UNKNOWN, diff, judge, sources};
use crate::cli;
use crate::fingerprint::Digest;
use crate::lockfile::Lockfile;
use crate::model::{Problem, ServerName, ServerSpec, SpecState};
use crate::render::{self, Format, escape};
use crate::report::{Report, ServerReport};
use crate::runtime::watch::{Heard, Sight};
use crate::store::{self, Store, What};
use crate::term::{self, Written};
use hook::Hook;
use station::{Desk, News, Station};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher as _, RandomState};
use std::rc::Rc;
use telling::{Event, Telling};
use tokio::sync::mpsc;
use tokio::task::{JoinSet, LocalSet};

pub(super) async fn run(world: &mut World, args: &cli::Watch) -> Result<Output, Problem> {
    let lockfile = world.read_lockfile()?;
    let found = sources::find(world, &args.source, &args.connect, &args.servers)?;
    let lockfile = lockfile.map_or_else(|| world.need_lockfile(), Ok)?;
    let store = world.store()?;
    let talk = Talk::begin(world, &args.connect)?;
    let hook = Hook::begin(world, args)?;
    for warning in &found.warnings {
        say(&warning.message);
    }
    if let Some(problem) = &found.error {
        say(&problem.message);
    }
    let (to, news) = mpsc::channel(1);
    let desk = Rc::new(Desk::new(
        talk.credentials(),
        usize::from(world.common.jobs),
        may_start(world, args),
        to,
    ));
    let local = LocalSet::new();
    let mut running = JoinSet::new();
    let seeds = RandomState::new();
    let (ready, rest): (Vec<ServerSpec>, Vec<ServerSpec>) = found
        .specs
        .iter()
        .cloned()
        .partition(|spec| matches!(spec.state, SpecState::Ready(_)));
    let is_broken = rest
        .iter()
        .any(|spec| matches!(spec.state, SpecState::Broken(_)));
    let is_idle = ready.is_empty();
    for spec in ready {
        let locked = lockfile.servers.get(&spec.name);
        let station = Station::new(
            Rc::clone(&desk),
            talk.options(&spec),
            locked.map(check::tools).unwrap_or_default(),
            args.every,
            seeds.hash_one(spec.name.as_str()),
            spec,
        );
        running.spawn_local_on(station.run(), &local);
    }
    drop(desk);
    let mut office = Office {
        world,
        store,
        specs: found.specs,
        lockfile,
        snapshots: BTreeMap::new(),
        hook: hook.as_ref().map(Hook::queue),
    };
    let work = async {
        for spec in rest {
            let seen = match &spec.state {
                SpecState::Broken(problem) => Err(problem.clone()),
                _ => Ok(Seen::Disabled),
            };
            if office.take(Observation { spec, seen }, None, true).await?.1 == Written::Unread {
                return Ok(());
            }
        }
        office.attend(news).await
    };
    let ended = local.run_until(async {
        tokio::select! {
            ended = work => ended,
            // Stations and hooks end only by a mistake of ours.
            Some(Err(error)) = running.join_next(), if !is_idle => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => Ok(()),
            },
            () = Hook::work(hook) => Ok(()),
        }
    });
    Box::pin(ended).await?;
    talk.finish()?;
    let nothing = "nothing to watch: every server is disabled or broken in its configuration\n";
    Ok(Output {
        stdout: String::new(),
        stderr: if is_idle {
            nothing.to_owned()
        } else {
            String::new()
        },
        status: if is_idle && is_broken { UNKNOWN } else { 0 },
    })
}

/// Whether a server may be started by the lockfile as it is then. One that cannot be read lets nothing start.
fn may_start(world: &World, args: &cli::Watch) -> station::MayStart {
    let (lock, start_changed) = (world.lock.clone(), args.connect.start_changed);
    Box::new(move |spec| {
        let lockfile = store::load(&lock)?;
        Ok(judge::may_start(&lockfile, spec, start_changed))
    })
}

/// Something for whoever looks at standard error.
fn say(text: &str) {
    // Nobody who reads it is no failure.
    let _ = term::err(&format!("countersign: {}\n", escape::line(text)));
}

/// Where everything that is found comes together.
struct Office<'a> {
    world: &'a mut World,
    store: Store,
    specs: Vec<ServerSpec>,
    /// As it was last read: what it holds while it is damaged.
    lockfile: Lockfile,
    /// The snapshot of each server that was last told.
    snapshots: BTreeMap<ServerName, Digest>,
    hook: Option<hook::Queue>,
}

impl Office<'_> {
    /// Takes what the stations find, until nobody reads what is told.
    async fn attend(&mut self, mut news: mpsc::Receiver<News>) -> Result<(), Problem> {
        while let Some(News {
            observation,
            sight,
            is_first,
            kept,
        }) = news.recv().await
        {
            let (is_kept, written) = self.take(observation, sight, is_first).await?;
            if written == Written::Unread {
                return Ok(());
            }
            // A station that is gone has no use for it.
            let _ = kept.send(is_kept);
        }
        Ok(())
    }

    /// Records what was found, and tells it. Whether it could be recorded, and whether somebody reads it.
    async fn take(
        &mut self,
        observation: Observation,
        sight: Option<Sight>,
        is_first: bool,
    ) -> Result<(bool, Written), Problem> {
        self.world.look_at_the_clock();
        let damaged = match self.world.need_lockfile() {
            Ok(lockfile) => {
                self.lockfile = lockfile;
                None
            }
            Err(problem) => Some(problem),
        };
        let heard = sight.and_then(|sight| sight.changed);
        let heard = heard.unwrap_or(Heard::Unheard(None));
        let twins = Twins::of_specs(Some(&self.lockfile), &self.specs);
        let mut server = self.judge(&observation, &twins);
        let name = observation.spec.name.clone();
        let locked = self.lockfile.servers.get(&name);
        let (world, store) = (&*self.world, &self.store);
        let recorded = record::observed_as_heard(world, store, &twins, &observation, locked, heard);
        let learned = match recorded {
            Ok(learned) => learned,
            Err(problem) => {
                say(&format!("`{}`: {}", name.as_str(), problem.message));
                return Ok((false, Written::All));
            }
        };
        if let Err(problem) = self.due(&twins, &mut server, &observation.spec) {
            server.error.get_or_insert(problem);
        }
        if let Some(damaged) = damaged {
            say(&damaged.message);
            server.error.get_or_insert(damaged);
        }
        let snapshot = learned.shown.as_ref().and_then(|shown| shown.snapshot);
        let mut news = learned.news;
        let was = self.snapshots.get(&name).copied();
        // Another run may have recorded the same change first, or somebody removed the history: it is news here all the
        // same.
        let mut is_step_lost = false;
        let is_recorded = news.iter().any(|what| matches!(what, What::Change { .. }));
        if !is_recorded
            && let (Some(was), Some(snapshot)) = (was, snapshot)
            && was != snapshot
        {
            match record::step_since(world, store, &twins, &observation, was, heard) {
                Ok(step) => news.push(step),
                Err(_) => is_step_lost = true,
            }
        }
        if let Some(snapshot) = snapshot {
            self.snapshots.insert(name, snapshot);
        }
        server.groups = render::group::groups(&server.changes);
        let report = Report {
            servers: vec![server],
            ..Report::default()
        };
        let telling = Telling {
            at: world.now(),
            observation: &observation,
            report: &report,
            quiet: world.common.quiet,
            is_step_lost,
        };
        let events = telling.events(&news, sight, is_first);
        Ok((true, self.tell(&telling, &events).await?))
    }

    /// What a server comes to beside the lockfile, as `diff` says it.
    fn judge(&self, observation: &Observation, twins: &Twins) -> ServerReport {
        let alone = std::slice::from_ref(observation);
        let everything = judge::tool_names(alone, Some(&self.lockfile));
        let mut server = diff::report_of(&self.lockfile, observation, &everything);
        server.notes = observation.notes();
        let told = record::tell_who_asked(self.world, &self.store, twins, observation, &mut server);
        if let Err(problem) = told {
            server.error.get_or_insert(problem);
        }
        server
    }

    fn due(
        &self,
        twins: &Twins,
        server: &mut ServerReport,
        spec: &ServerSpec,
    ) -> Result<(), Problem> {
        let due = Due {
            world: self.world,
            store: &self.store,
            twins,
            deciding: &self.lockfile,
            own: &self.lockfile,
        };
        due.add(server, spec.launch.as_ref())
    }

    async fn tell(&self, telling: &Telling<'_>, events: &[Event<'_>]) -> Result<Written, Problem> {
        let as_json = self.world.common.format == Format::Json;
        for event in events {
            let text = if as_json {
                telling.document(event)
            } else {
                telling.lines(event)
            };
            let written = term::out(&text).map_err(|error| {
                Problem::new("file", format!("cannot write to standard output: {error}"))
            })?;
            if written == Written::Unread {
                return Ok(Written::Unread);
            }
            if let (Some(hook), Event::Change { .. }) = (&self.hook, event) {
                hook.put(telling.variables(event), telling.document(event))
                    .await;
            }
        }
        Ok(Written::All)
    }
}

/// The tools of what was seen: a listing that lacks one of them later is asked for again.
fn tools_of(seen: &Seen) -> BTreeSet<String> {
    match seen {
        Seen::Offered(offer) => {
            let tools = offer.catalogue.of(crate::model::Kind::Tool);
            tools.map(|(key, _)| key.name.as_str().to_owned()).collect()
        }
        _ => BTreeSet::new(),
    }
}
