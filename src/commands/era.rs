//! What is remembered between runs of which era each server is of.
//!
//! A memory is good for a day. A server that still answers as it did may have begun to offer something else to those
//! who ask in the newer way, as programs that host a model do: that must not stay unseen.

use super::check::Seen;
use super::record::Twins;
use super::world::World;
use crate::capture::Era;
use crate::lockfile::Lockfile;
use crate::model::ServerSpec;
use crate::store::{KnownEra, ServerStore, Store};
use std::time::Duration;

/// How long an era is believed without asking.
const GOOD_FOR: Duration = Duration::from_hours(24);

/// The memory of one run.
pub(super) struct Eras<'a> {
    world: &'a World,
    /// `None` where nothing can be kept.
    store: Option<Store>,
    twins: Twins,
}

impl<'a> Eras<'a> {
    pub(super) fn of(world: &'a World, lockfile: Option<&Lockfile>, specs: &[ServerSpec]) -> Self {
        Self {
            world,
            store: world.store().ok(),
            twins: Twins::of_specs(lockfile, specs),
        }
    }

    /// The era that a server was lately found to be of.
    pub(super) fn known(&self, spec: &ServerSpec) -> Option<Era> {
        let known = self.kept(spec)?.known_era()?;
        let is_good = self
            .world
            .since(&known.at)
            .is_some_and(|age| age < GOOD_FOR);
        is_good.then_some(known.era)
    }

    /// Remembers which era a server was found to be of, if that is news beside what was known before it was asked.
    pub(super) fn learn(&self, spec: &ServerSpec, known: Option<Era>, seen: &Seen) {
        let Seen::Offered(offer) = seen else { return };
        let Some(era) = offer.taking.era else { return };
        if known != Some(era)
            && let Some(kept) = self.kept(spec)
        {
            // What cannot be kept is found out again.
            let _ = kept.record_era(&KnownEra {
                era,
                at: self.world.now(),
            });
        }
    }

    fn kept(&self, spec: &ServerSpec) -> Option<ServerStore> {
        let launch = spec.launch.as_ref()?;
        let key = self.twins.key(self.world, &spec.name, Some(launch));
        Some(self.store.as_ref()?.server(&key))
    }
}
