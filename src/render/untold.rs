//! What is left to say of a change, beside the edits that it shares with others.
//!
//! Nothing goes unseen: what cannot be told apart from the rest is left with it.

use super::place::{Places, Way};
use super::rest::{self, LeftOut};
use super::shared::of_item;
use crate::json::Value;
use crate::report::{Change, Group};
use std::collections::BTreeSet;

/// Whether the places of its reasons hold everything that differs between the sides of a change: nothing may go
/// unseen because it was led back to an edit elsewhere.
pub(super) fn says_all(change: &Change) -> bool {
    let Some([before, after]) = both_sides(change) else {
        return true;
    };
    let places = Places::of(change);
    let ways: Vec<Way> = change
        .reasons
        .iter()
        .flat_map(|reason| [places.place(reason).way, Way::of(reason)])
        .collect();
    rest::is_same(
        (before, &LeftOut::before(&ways)),
        (after, &LeftOut::now(&ways)),
    )
}

fn both_sides(change: &Change) -> Option<[&Value; 2]> {
    let (before, after) = (change.before.as_ref()?, change.after.as_ref()?);
    Some([before, after].map(|side| side.definition.value()))
}

/// What is left to say of a change, beside what groups tell of it.
pub(super) struct Untold<'a> {
    /// The groups that tell of it.
    pub(super) told: Vec<&'a Group>,
    /// The reasons that are left, by index.
    pub(super) reasons: BTreeSet<usize>,
    /// What is left of the definition before.
    pub(super) before: Value,
    /// What is left of the definition now.
    pub(super) after: Value,
}

impl<'a> Untold<'a> {
    /// Both sides.
    pub(super) fn left(&self) -> [&Value; 2] {
        [&self.before, &self.after]
    }

    /// `None` if nothing is told of it, or what is told cannot be taken out of the rest.
    pub(super) fn of(c: usize, change: &Change, groups: &[&'a Group]) -> Option<Self> {
        let mut reasons: BTreeSet<usize> = (0..change.reasons.len()).collect();
        let mut told = Vec::new();
        for group in groups {
            let here = of_item(group, c);
            for (_, r) in here {
                reasons.remove(r);
            }
            if !here.is_empty() {
                told.push(*group);
            }
        }
        let [before, after] = both_sides(change).filter(|_| !told.is_empty())?;
        let places = Places::of(change);
        let (mut ways, mut left) = (Vec::new(), Vec::new());
        for (r, reason) in change.reasons.iter().enumerate() {
            let ways = if reasons.contains(&r) {
                &mut left
            } else {
                &mut ways
            };
            ways.extend([places.place(reason).way, Way::of(reason)]);
        }
        // A list of required inputs goes with the inputs, if all that differ in it are told.
        let is_told = |way: &Way| ways.iter().any(|told| told.now == way.now);
        let is_settled = |way: &&Way| {
            let inputs = places.inputs_of_required(way);
            inputs.is_none_or(|inputs| inputs.iter().all(is_told))
        };
        let settled: Vec<Way> = ways.iter().filter(is_settled).cloned().collect();
        if (left.iter()).any(|left| settled.iter().any(|told| told.meets(left))) {
            return None;
        }
        let before = rest::without(before, &LeftOut::before(&settled));
        let after = rest::without(after, &LeftOut::now(&settled));
        (before != after).then_some(Self {
            told,
            reasons,
            before,
            after,
        })
    }
}
