//! What a server's report shows one by one: edits that several items share, and the changes that have more to say.
//!
//! As lines, each escaped and none of them begun by outside text.

use super::count::number;
use super::escape::{name, short};
use super::heading;
use super::paint::{Ink, Paint};
use super::said::{Room, said};
use super::shared::{self, Shared, Untold};
use super::sides::Sides;
use crate::model::Level;
use crate::report::{Change, Group, ServerReport};
use crate::rules::Reason;
use std::cmp::Reverse;

/// Lists of names are not broken narrower.
const NARROWEST: usize = 20;

/// How many held calls of one item are shown.
const HELD: usize = 5;

/// One thing that nobody acknowledged yet.
pub(super) enum Entry<'a> {
    /// A change, with all of its reasons, or with those that no group tells of.
    Change(&'a Change, Option<Untold<'a>>),
    /// One edit of several items.
    Group(&'a Group),
}

/// What nobody acknowledged, the highest level first.
pub(super) fn open(server: &ServerReport) -> Vec<Entry<'_>> {
    let mut shared = Shared::of(server);
    let mut entries: Vec<(Reverse<Level>, usize, Entry<'_>)> = Vec::new();
    for group in &shared.groups {
        let first = shared::items(group).first().copied().unwrap_or(0);
        entries.push((Reverse(group.level), first, Entry::Group(group)));
    }
    for (c, change) in server.changes.iter().enumerate() {
        if change.acknowledged.is_none() && !shared.covered.contains(&c) {
            let untold = shared.untold.remove(&c);
            entries.push((Reverse(change.level()), c, Entry::Change(change, untold)));
        }
    }
    entries.sort_by_key(|(level, first, _)| (*level, *first));
    entries.into_iter().map(|(.., entry)| entry).collect()
}

impl Entry<'_> {
    /// Its highest level.
    pub(super) fn level(&self) -> Level {
        match self {
            Self::Change(change, _) => change.level(),
            Self::Group(group) => group.level,
        }
    }

    /// Its first line, after the level.
    pub(super) fn head(&self, server: &ServerReport) -> String {
        match self {
            Self::Change(change, _) => heading::of_change(server, change),
            Self::Group(group) => shared::head(group, server),
        }
    }

    /// The lines beneath: why it matters, and what differs.
    pub(super) fn body(&self, server: &ServerReport, room: Room, paint: Paint) -> Vec<String> {
        match self {
            Self::Change(change, untold) => self::body(change, untold.as_ref(), room, paint),
            Self::Group(group) => {
                let rules = format!("{}  {}", group.level, group.rules.join(", "));
                let mut lines = said(&rules, &group.message, room);
                let columns = room.columns.max(NARROWEST);
                lines.extend(shared::show(group, server, columns, paint));
                for item in shared::items(group) {
                    let change = &server.changes[item];
                    lines.extend(held(change, Some(name(change.key.name.as_str())), paint));
                }
                lines
            }
        }
    }
}

/// The calls of a changed item that a guard holds, with the commands that let them through.
pub(super) fn held(change: &Change, item: Option<String>, paint: Paint) -> Vec<String> {
    let of = item.map(|item| format!(" of {item}")).unwrap_or_default();
    let mut lines = Vec::new();
    for call in change.held.iter().take(HELD) {
        let text = format!(
            "held call{of}, last asked for by {} on {}: {}",
            short(&call.asked_by),
            short(&call.last),
            short(&call.arguments)
        );
        lines.push(paint.of(Ink::Warning, &text));
        lines.push(format!("| countersign approve {}", short(&call.id)));
    }
    let more = change.held.len().saturating_sub(HELD);
    if more > 0 {
        let more = number(more);
        lines.push(format!(
            "held calls{of}: {more} more, listed by countersign approve"
        ));
    }
    lines
}

/// The reasons of a change and both of its sides, or what is left of them.
pub(super) fn body(
    change: &Change,
    untold: Option<&Untold<'_>>,
    room: Room,
    paint: Paint,
) -> Vec<String> {
    let said = reasons(change, untold).into_iter().flat_map(|reason| {
        let path = match reason.path.as_str() {
            "" => String::new(),
            path => format!("  {}", short(path)),
        };
        let head = format!("{}  {}{path}", reason.level, reason.rule);
        said(&head, &reason.message, room)
    });
    let mut lines: Vec<String> = said.collect();
    lines.extend(told(change, untold).map(|told| format!("| {told}")));
    lines.extend(sides(change, untold, paint).text(paint));
    lines.extend(held(change, None, paint));
    lines
}

/// The reasons of a change that no group tells of, the highest level first.
pub(super) fn reasons<'a>(change: &'a Change, untold: Option<&Untold<'_>>) -> Vec<&'a Reason> {
    let left = change.reasons.iter().enumerate();
    let left = left.filter(|(r, _)| untold.is_none_or(|untold| untold.reasons.contains(r)));
    let mut reasons: Vec<&Reason> = left.map(|(_, reason)| reason).collect();
    reasons.sort_by_key(|reason| Reverse(reason.level));
    reasons
}

/// What groups tell of a change, a line each.
pub(super) fn told(change: &Change, untold: Option<&Untold<'_>>) -> impl Iterator<Item = String> {
    let groups = untold.into_iter().flat_map(|untold| &untold.told);
    groups.map(|group| shared::told(group, change))
}

/// Both sides of a change, or what is left of them.
pub(super) fn sides(change: &Change, untold: Option<&Untold<'_>>, paint: Paint) -> Sides {
    let left = untold.map(|untold| [&untold.before, &untold.after]);
    Sides::of(change, left, paint)
}
