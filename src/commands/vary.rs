//! `snapshot --vary`: looks at each server again under other circumstances, and says what it answers otherwise.
//!
//! Nothing of these looks is stored or acknowledged. What a server changes from start to start is told apart from
//! what a circumstance changes: it is started once more before the others, and once more after them.

mod circumstances;
mod moved;

use super::check::{self, Look, Observation, Offer, Seen};
use super::judge;
use super::talk::Talk;
use super::world::World;
use crate::model::{ItemKey, Kind, Problem, ServerName, ServerSpec, Warning};
use crate::pair::Event;
use circumstances::Circumstance;
use std::collections::{BTreeMap, BTreeSet};

/// What a difference is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum About {
    Item(ItemKey),
    Order(Kind),
}

/// What varies of each server, sorted by what it is about.
pub(super) async fn run(
    world: &World,
    baseline: &[Observation],
    talk: &Talk,
) -> Result<BTreeMap<ServerName, Vec<Warning>>, Problem> {
    let surroundings = circumstances::Surroundings::look(baseline)?;
    let mut out = BTreeMap::new();
    for observation in baseline {
        // A file answers the same whoever asks.
        let Ok(Seen::Offered(offer)) = &observation.seen else {
            continue;
        };
        if offer.taking.era.is_none() {
            continue;
        }
        let spec = &observation.spec;
        let warnings = server(world, talk, spec, offer, &surroundings).await;
        out.insert(spec.name.clone(), warnings);
    }
    Ok(out)
}

async fn server(
    world: &World,
    talk: &Talk,
    spec: &ServerSpec,
    offer: &Offer,
    surroundings: &circumstances::Surroundings,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut by_start: BTreeMap<About, String> = BTreeMap::new();
    let mut by_circumstance: Vec<(String, BTreeMap<About, String>)> = Vec::new();
    let options = talk.options(spec);
    let others = surroundings.circumstances(spec, &options, &offer.taking);
    let again = || Circumstance::again(spec, &options);
    let all = std::iter::once(again()).chain(others).chain([again()]);
    for circumstance in all {
        let what = circumstance.what;
        let look = Look {
            spec: circumstance.spec,
            options: circumstance.options,
            expected: BTreeSet::new(),
            start: true,
        };
        // One after the other: a server may not stand two of itself.
        let seen = check::all(world, talk, vec![look]).await.pop();
        let current = match seen.map(|observation| observation.seen) {
            Some(Ok(Seen::Offered(current))) => current,
            Some(Err(problem)) => {
                let message = format!(
                    "what varies by {what} is not known: {}",
                    spec.secrets.redact(&problem.message)
                );
                warnings.push(Warning::new("not-varied", message));
                continue;
            }
            _ => continue,
        };
        let found = differences(&spec.name, offer, &current);
        if circumstance.is_plain {
            by_start.extend(found);
        } else {
            by_circumstance.push((what, found));
        }
    }
    warnings.extend(alike(&by_start, &by_circumstance));
    let mut told: BTreeMap<(About, String), Vec<String>> = BTreeMap::new();
    for (about, text) in &by_start {
        let from_start_to_start = vec!["nothing but being started or reached again".to_owned()];
        told.insert((about.clone(), text.clone()), from_start_to_start);
    }
    for (what, found) in by_circumstance {
        for (about, text) in found {
            if !by_start.contains_key(&about) {
                told.entry((about, text)).or_default().push(what.clone());
            }
        }
    }
    warnings.extend(told.into_iter().map(|((about, text), by)| {
        let by = by.join(", by ");
        match about {
            About::Item(key) => Warning::new("varies", format!("varies by {by}: {text}"))
                .at(format!("{}:{}", key.kind.word(), key.name.as_str())),
            About::Order(kind) => {
                Warning::new("unstable-order", format!("varies by {by}: {text}")).at(kind.plural())
            }
        }
    }));
    warnings.extend(surroundings.notes(spec));
    warnings
}

/// What was tried and made no difference: that nothing varies is worth what was tried.
fn alike(
    by_start: &BTreeMap<About, String>,
    by_circumstance: &[(String, BTreeMap<About, String>)],
) -> Option<Warning> {
    let same = by_circumstance.iter().filter(|(_, found)| {
        let mut abouts = found.keys();
        abouts.all(|about| by_start.contains_key(about))
    });
    let same: Vec<&str> = same.map(|(what, _)| what.as_str()).collect();
    (!same.is_empty()).then(|| {
        let message = format!("it answers the same whatever {}", same.join(", "));
        Warning::new("varied", message)
    })
}

/// How one look differs from another, a sentence for each item and each list.
fn differences(server: &ServerName, former: &Offer, current: &Offer) -> BTreeMap<About, String> {
    let changes = judge::changes(
        server,
        &former.catalogue,
        &current.catalogue,
        &BTreeMap::new(),
    );
    let mut out = BTreeMap::new();
    for change in &changes {
        let text = match (change.event, &change.former) {
            (Event::Added, _) => "only there it is offered".to_owned(),
            (Event::Removed, _) => "there it is not offered".to_owned(),
            (Event::Renamed, Some(old)) => {
                format!("there it stands for `{}`", old.name.as_str())
            }
            _ => moved::words(change),
        };
        out.insert(About::Item(change.key.clone()), text);
    }
    for (kind, names) in &former.order {
        if let Some(text) = current
            .order
            .get(kind)
            .and_then(|other| moved::order(names, other))
        {
            out.insert(About::Order(*kind), text);
        }
    }
    out
}
