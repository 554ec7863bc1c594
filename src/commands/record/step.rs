//! What the history learns of a look: a first sight, or the step from an earlier snapshot.

use super::super::check::{Observation, Offer, Seen};
use super::super::judge;
use super::super::world::World;
use super::{Twins, unseen};
use crate::fingerprint::Digest;
use crate::model::{Kind, Problem, ServerName};
use crate::pair::Event as Happened;
use crate::report::Change;
use crate::runtime::watch::Heard;
use crate::store::{Observed, ServerStore, Store, Taken, What, Writer};
use std::collections::BTreeMap;

/// The step from a snapshot that was taken before to an observation.
pub(in super::super) fn step_since(
    world: &World,
    store: &Store,
    twins: &Twins,
    observation: &Observation,
    earlier: Digest,
    heard: Heard,
) -> Result<What, Problem> {
    let spec = &observation.spec;
    let Ok(Seen::Offered(offer)) = &observation.seen else {
        return Err(unseen(&spec.name));
    };
    let kept = store.server(&twins.key(world, &spec.name, spec.launch.as_ref()));
    let taken = Taken {
        snapshot: kept.write_snapshot(&offer.catalogue)?,
        taking: offer.taking.to_value(),
    };
    step_from(&kept, earlier, &spec.name, offer, taken, heard)
}

/// What the history learns: a first sight, or the step from the newest snapshot to this one.
pub(super) fn step(
    kept: &ServerStore,
    writer: &Writer,
    name: &ServerName,
    offer: &Offer,
    snapshot: Digest,
    heard: Heard,
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
            delay: None,
        });
    }
    let earlier = latest.taken.snapshot;
    step_from(kept, earlier, name, offer, taken, heard)
}

fn step_from(
    kept: &ServerStore,
    earlier: Digest,
    name: &ServerName,
    offer: &Offer,
    taken: Taken,
    heard: Heard,
) -> Result<What, Problem> {
    let earlier = kept.read_snapshot(earlier)?;
    let delay = heard.delay();
    let changes = judge::changes(name, &earlier, &offer.catalogue, &BTreeMap::new());
    let (new, steps): (Vec<Change>, Vec<Change>) = changes
        .into_iter()
        .partition(|change| change.event == Happened::Added);
    Ok(What::Change {
        taken,
        changes: steps.iter().map(Observed::from).collect(),
        items: new.into_iter().map(|change| change.key).collect(),
        announced: heard.announced(),
        delay: delay.map(|delay| u64::try_from(delay.as_millis()).unwrap_or(u64::MAX)),
    })
}
