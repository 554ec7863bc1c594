//! What a server's report shows one by one: edits that several items share, and the changes that have more to say.
//!
//! As lines, each escaped and none of them begun by outside text.

use super::escape::short;
use super::heading;
use super::paint::Paint;
use super::said::{Room, said};
use super::shared::{self, Shared};
use super::sides::Sides;
use super::untold::Untold;
use crate::model::Level;
use crate::report::{Change, Group, ServerReport};
use crate::rules::Reason;
use std::cmp::Reverse;

/// Lists of names are not broken narrower.
const NARROWEST: usize = 20;

/// One thing that nobody acknowledged yet.
pub(super) enum Entry<'a> {
    /// A change, and what is left to say of it where others share a part of it.
    Change(&'a Change, Option<Box<Untold<'a>>>),
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
            let untold = shared.untold.remove(&c).map(Box::new);
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
            Self::Change(change, untold) => part(change, untold.as_deref(), room, paint),
            Self::Group(group) => {
                let rules = format!("{}  {}", group.level, group.rules.join(", "));
                let mut lines = said(&rules, &group.message, room);
                let columns = room.columns.max(NARROWEST);
                lines.extend(shared::show(group, server, columns, paint));
                lines
            }
        }
    }
}

/// The reasons of a change, the highest level first, and both of its sides.
pub(super) fn body(change: &Change, room: Room, paint: Paint) -> Vec<String> {
    part(change, None, room, paint)
}

/// The same, or what is left of them.
fn part(change: &Change, untold: Option<&Untold<'_>>, room: Room, paint: Paint) -> Vec<String> {
    let mut lines = sentences(change, untold, room);
    let told = told(change, untold).into_iter();
    lines.extend(told.map(|line| format!("| {line}")));
    let left = untold.map(Untold::left);
    lines.extend(Sides::of(change, left, paint).text(paint));
    lines
}

/// What is told elsewhere of a change, a line each.
pub(super) fn told(change: &Change, untold: Option<&Untold<'_>>) -> Vec<String> {
    let groups = untold.into_iter().flat_map(|untold| &untold.told);
    groups.map(|group| shared::told(group, change)).collect()
}

/// The reasons of a change, or those that are left of them, the highest level first.
pub(super) fn reasons<'a>(change: &'a Change, untold: Option<&Untold<'_>>) -> Vec<&'a Reason> {
    let all = change.reasons.iter().enumerate();
    let left = all.filter(|(r, _)| untold.is_none_or(|untold| untold.reasons.contains(r)));
    let mut reasons: Vec<&Reason> = left.map(|(_, reason)| reason).collect();
    reasons.sort_by_key(|reason| Reverse(reason.level));
    reasons
}

fn sentences(change: &Change, untold: Option<&Untold<'_>>, room: Room) -> Vec<String> {
    let lines = reasons(change, untold).into_iter().flat_map(|reason| {
        let path = match reason.path.as_str() {
            "" => String::new(),
            path => format!("  {}", short(path)),
        };
        let head = format!("{}  {}{path}", reason.level, reason.rule);
        said(&head, &reason.message, room)
    });
    lines.collect()
}
