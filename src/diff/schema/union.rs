//! A schema that became one of several, or was one and is alone now: compared with the branch that it is.

use super::{Comparison, Here};
use crate::diff::branches::similarity_of;
use crate::diff::reference::{View, is_remark};
use crate::diff::values::{listed, types};
use crate::diff::{DEPTH, What, refuses_all};
use crate::json::Value;
use std::cmp::Reverse;
use std::collections::BTreeSet;

impl<'a> Comparison<'a> {
    /// Takes a `null` beside the rest away if only one side has it, so that the rest is compared with the rest.
    pub(super) fn unwrap_null(
        &mut self,
        here: &Here<'a>,
        (before, old): (&'a Value, &mut View<'a>),
        (after, new): (&'a Value, &mut View<'a>),
    ) {
        if !here.decided || old.is_union() == new.is_union() {
            return;
        }
        let (accepted, view, other) = if new.is_union() {
            (true, new, old)
        } else {
            (false, old, new)
        };
        let Some(rest) = view.without_null() else {
            return;
        };
        *view = rest;
        let other_type = types(other.get("type")).unwrap_or_default();
        let has_null = other.get("type").is_some() && other_type.contains("null");
        if has_null {
            let mut own_type = types(view.get("type")).unwrap_or_default();
            own_type.insert("null");
            if own_type == other_type {
                view.leave_out("type");
                other.leave_out("type");
            }
        }
        let what = What::Nullable {
            accepted: (!has_null).then_some(accepted),
        };
        self.push(here, here.path.clone(), what, Some(before), Some(after));
    }

    /// Compares a schema without branches with the most similar branch of the other side, and takes both out of
    /// what is compared beside: otherwise everything in it would seem gone, and come anew inside.
    pub(super) fn unwrap_union(
        &mut self,
        here: &Here<'a>,
        (before, old): (&'a Value, &mut View<'a>),
        (after, new): (&'a Value, &mut View<'a>),
    ) {
        let lists = || listed(old).and(listed(new)).is_some();
        if !here.decided || here.level >= DEPTH || lists() {
            return;
        }
        if old.is_union() == new.is_union() {
            self.other_union(here, (before, old), (after, new));
            return;
        }
        let came = new.is_union();
        let (plain, union) = if came { (old, new) } else { (new, old) };
        let Some((keyword, branches)) = union.union() else {
            return;
        };
        let (alone, rest) = plain.clone().split(|name, value| {
            let said_inside = || {
                branches
                    .iter()
                    .any(|branch| branch.get(name) == Some(value))
            };
            union.get(name).is_none()
                && !is_of_the_root(name)
                && (!is_remark(name) || said_inside())
        });
        let is_alone = ["type", "$ref"]
            .iter()
            .any(|name| alone.get(name).is_some());
        let own = branches.iter().enumerate().filter_map(|(at, branch)| {
            // What a branch repeats from beside the union holds for it anyway.
            let repeats = |name: &str, value: &Value| union.get(name) == Some(value);
            let (_, own) = View::of(branch.as_object()?).split(repeats);
            Some((at, own))
        });
        let likeness = |(at, own): &(usize, View<'a>)| {
            let shared = similarity_of(&alone.members, &own.members);
            let possible = !refuses_all(&branches[*at]);
            (possible, shared, Reverse(own.members.len()), Reverse(*at))
        };
        // One that adds nothing to what stands beside the union refuses nothing.
        let fitting = own.filter(|(_, own)| is_alone || own.members.is_empty());
        let Some((at, own)) = fitting.max_by_key(likeness) else {
            return;
        };
        *plain = rest;
        union.leave_out(keyword);
        let path = here.path.join(keyword);
        let what = What::Wrapped { came };
        self.push(here, path.clone(), what, Some(before), Some(after));
        let inside = here.inside(path.index(at), keyword);
        let branch = &branches[at];
        if came {
            self.views(&inside, (before, alone), (branch, own));
        } else {
            self.views(&inside, (branch, own), (after, alone));
        }
        for (other, branch) in (branches.iter().enumerate()).filter(|(other, _)| *other != at) {
            let (before, after) = if came {
                (None, Some(branch))
            } else {
                (Some(branch), None)
            };
            self.element(here, keyword, path.index(other), before, after);
        }
    }
}

impl<'a> Comparison<'a> {
    /// Compares the branches of `oneOf` with those of an `anyOf` in its place, or the other way round.
    fn other_union(
        &mut self,
        here: &Here<'a>,
        (before, old): (&'a Value, &mut View<'a>),
        (after, new): (&'a Value, &mut View<'a>),
    ) {
        let (Some((was, branches_before)), Some((now, branches_after))) =
            (old.union(), new.union())
        else {
            return;
        };
        if was == now {
            return;
        }
        old.leave_out(was);
        new.leave_out(now);
        let path = here.path.join(now);
        let exclusive = are_exclusive(branches_before);
        let what = What::Union { now, exclusive };
        self.push(here, path.clone(), what, Some(before), Some(after));
        self.branches(here, now, &path, branches_before, branches_after);
    }
}

/// Whether no value fits two of some schemas, by their types.
fn are_exclusive(branches: &[Value]) -> bool {
    let mut known = BTreeSet::new();
    branches.iter().all(|branch| {
        let kinds = branch.get("type").and_then(|kind| types(Some(kind)));
        kinds.is_some_and(|kinds| kinds.into_iter().all(|kind| known.insert(kind)))
    })
}

/// Keywords that say how a document is read, whatever stands beside them.
fn is_of_the_root(keyword: &str) -> bool {
    matches!(
        keyword,
        "$schema" | "$id" | "id" | "$defs" | "definitions" | "$anchor" | "$vocabulary"
    )
}
