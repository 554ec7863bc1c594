//! A schema that became one of several, or was one and is alone now: compared with the branch that it is.

use super::{Comparison, Here};
use crate::canonical::to_text;
use crate::diff::branches::similarity_of;
use crate::diff::reference::{View, is_remark, resolve};
use crate::diff::values::{listed, types};
use crate::diff::{DEPTH, What, refuses_all};
use crate::json::Value;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

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
        let branch = &branches[at];
        let here = &self.within(here, keyword, if came { &[] } else { branches });
        let inside = here.inside(path.index(at), keyword);
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
        let exclusive = self.are_exclusive(branches_before);
        let what = What::Union { now, exclusive };
        self.push(here, path.clone(), what, Some(before), Some(after));
        self.branches(here, now, &path, branches_before, branches_after);
    }
}

impl<'a> Comparison<'a> {
    /// Where the branches of a union stand. What fitted two branches of `oneOf` was refused: once one of them is gone
    /// or accepts less, it is not, so that nothing is decided by one of them alone.
    pub(super) fn within(
        &self,
        here: &Here<'a>,
        keyword: &str,
        branches_before: &'a [Value],
    ) -> Here<'a> {
        Here {
            decided: here.decided && (keyword != "oneOf" || self.are_exclusive(branches_before)),
            ..here.clone()
        }
    }

    /// Whether no value fits two of some schemas before.
    fn are_exclusive(&self, branches: &'a [Value]) -> bool {
        if branches.len() > MOST {
            return false;
        }
        let told: Vec<Told<'_>> = branches
            .iter()
            .map(|branch| Told::of(self.before(branch)))
            .collect();
        told.iter().enumerate().all(|(at, one)| {
            let mut others = told[at + 1..].iter();
            others.all(|other| one.is_apart(other))
        })
    }

    /// The schema that a branch before stands for.
    fn before(&self, branch: &'a Value) -> &'a Value {
        let reference = branch.get("$ref").and_then(Value::as_str);
        let found = reference.zip(self.roots.0);
        found
            .and_then(|(reference, root)| resolve(root, reference))
            .unwrap_or(branch)
    }
}

/// Of more branches, names and values nobody asks whether a value fits two: all are held against all.
const MOST: usize = 64;

/// By what the values that fit a schema can be told from others.
struct Told<'a> {
    /// The types that it names.
    types: Option<BTreeSet<&'a str>>,
    /// If it is one of objects, the values of each property that must be there and has few.
    values: BTreeMap<&'a str, BTreeSet<String>>,
}

impl<'a> Told<'a> {
    fn of(schema: &'a Value) -> Self {
        let kind = schema.get("type");
        let required = schema.get("required").and_then(Value::as_array);
        let names = required.unwrap_or_default().iter().take(MOST);
        let values = names.filter_map(|name| {
            let name = name.as_str()?;
            let property = schema.get("properties")?.get(name)?;
            let values = match (property.get("const"), property.get("enum")) {
                (Some(value), _) => std::slice::from_ref(value),
                (None, values) => values?.as_array()?,
            };
            let few = values.len() <= MOST;
            few.then(|| (name, values.iter().map(to_text).collect()))
        });
        Self {
            types: kind.and_then(|kind| types(Some(kind))),
            values: match kind.and_then(Value::as_str) {
                Some("object") => values.collect(),
                _ => BTreeMap::new(),
            },
        }
    }

    /// Whether no value fits both.
    fn is_apart(&self, other: &Self) -> bool {
        let types = self.types.as_ref().zip(other.types.as_ref());
        types.is_some_and(|(one, other)| one.is_disjoint(other))
            || self.values.iter().any(|(name, values)| {
                let others = other.values.get(name);
                others.is_some_and(|others| values.is_disjoint(others))
            })
    }
}

/// Keywords that say how a document is read, whatever stands beside them.
fn is_of_the_root(keyword: &str) -> bool {
    matches!(
        keyword,
        "$schema" | "$id" | "id" | "$defs" | "definitions" | "$anchor" | "$vocabulary"
    )
}
