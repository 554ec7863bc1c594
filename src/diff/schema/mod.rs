//! Two schemas compared keyword by keyword, by position, with local references followed where they differ.
//!
//! Bounded in depth and in what it follows; what lies beyond is one fact whose meaning is left open.

mod inside;
mod lists;
mod spot;
mod union;

pub(crate) use inside::renamed_inputs;

use super::keyword::{Shape, shape, stays_in_place, turns_direction};
use super::reference::View;
use super::survey::{Named, Survey};
use super::{DEPTH, Fact, Side, What};
use crate::json::{Object, Value};
use crate::model::Pointer;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// How many keywords are compared inside followed references, per schema.
const FOLLOWED: usize = 100_000;

/// One comparison of two schemas.
pub(super) struct Comparison<'a> {
    side: Side,
    roots: (Option<&'a Value>, Option<&'a Value>),
    /// The name of the tool before and now: root titles are made of it.
    tools: (&'a str, &'a str),
    surveys: OnceCell<(Survey<'a>, Survey<'a>)>,
    /// Pairs of schemas with references that were followed, by address: each pair once, so circles end.
    seen: BTreeSet<(*const Value, *const Value)>,
    /// The schemas that were reached by following, by address.
    followed: BTreeSet<*const Value>,
    /// What is left of [`FOLLOWED`], while something is being followed.
    budget: usize,
    depth_followed: usize,
    facts: Vec<Fact<'a>>,
}

/// Where a comparison stands.
#[derive(Clone)]
struct Here<'a> {
    path: Pointer,
    level: usize,
    /// The keyword that the schema stands under.
    keyword: &'a str,
    input: Option<&'a str>,
    /// Whether that is the name of a shared schema.
    shared: bool,
    named: (Named<'a>, Named<'a>),
    decided: bool,
    /// The outermost schema now that speaks of the same value as the one here.
    about: Option<&'a Value>,
}

impl<'a> Here<'a> {
    /// One schema further in.
    fn inside(&self, path: Pointer, keyword: &'a str) -> Self {
        Self {
            path,
            level: self.level + 1,
            keyword,
            input: self.input,
            shared: self.shared,
            named: (Named::Not, Named::Not),
            decided: self.decided && !turns_direction(keyword),
            about: self.about.filter(|_| stays_in_place(keyword)),
        }
    }

    fn inside_named(&self, path: Pointer, keyword: &'a str, name: &'a str) -> Self {
        Self {
            input: Some(name),
            shared: shape(keyword) == Shape::Definitions,
            named: (Named::As(name), Named::As(name)),
            ..self.inside(path, keyword)
        }
    }
}

/// The facts of two schemas of a tool, of which one may be missing.
pub(super) fn compare<'a>(
    side: Side,
    path: Pointer,
    tools: (&'a str, &'a str),
    before: Option<&'a Value>,
    after: Option<&'a Value>,
) -> Vec<Fact<'a>> {
    let mut comparison = Comparison {
        side,
        roots: (before, after),
        tools,
        surveys: OnceCell::new(),
        seen: BTreeSet::new(),
        followed: BTreeSet::new(),
        budget: FOLLOWED,
        depth_followed: 0,
        facts: Vec::new(),
    };
    let here = Here {
        path,
        level: 0,
        keyword: "",
        input: None,
        shared: false,
        named: (Named::Root(tools.0), Named::Root(tools.1)),
        decided: true,
        about: None,
    };
    match (before, after) {
        (Some(before), Some(after)) => comparison.schema(&here, before, after),
        _ => comparison.push(&here, here.path.clone(), What::Root, before, after),
    }
    comparison.settle_definitions();
    comparison.facts
}

impl<'a> Comparison<'a> {
    fn schema(&mut self, here: &Here<'a>, before: &'a Value, after: &'a Value) {
        if before == after {
            return;
        }
        let here = &Here {
            about: here.about.or(Some(after)),
            ..here.clone()
        };
        let path = || here.path.clone();
        let both = (Some(before), Some(after));
        if here.level >= DEPTH {
            self.push(here, path(), What::Opaque("too deep"), both.0, both.1);
            return;
        }
        match (before, after) {
            (Value::Object(old), Value::Object(new)) => {
                self.objects(here, (before, old), (after, new));
            }
            (Value::Object(_) | Value::Bool(_), Value::Object(_) | Value::Bool(_)) => {
                let what = What::Subschema {
                    keyword: here.keyword,
                };
                self.push(here, path(), what, both.0, both.1);
            }
            _ => self.push(here, path(), What::Opaque("no schema"), both.0, both.1),
        }
    }

    fn objects(
        &mut self,
        here: &Here<'a>,
        (before, old): (&'a Value, &'a Object),
        (after, new): (&'a Value, &'a Object),
    ) {
        self.views(here, (before, View::of(old)), (after, View::of(new)));
    }

    /// Two schemas as what they come to; `before` and `after` are those that they stand for.
    fn views(
        &mut self,
        here: &Here<'a>,
        (before, mut old): (&'a Value, View<'a>),
        (after, mut new): (&'a Value, View<'a>),
    ) {
        self.unwrap_null(here, (before, &mut old), (after, &mut new));
        self.unwrap_union(here, (before, &mut old), (after, &mut new));
        if old.reference() == new.reference() || self.budget == 0 {
            self.members(here, &old, &new);
            return;
        }
        let (Some(root_before), Some(root_after)) = self.roots else {
            return;
        };
        let (old_survey, new_survey) = self.surveys();
        if old_survey.embeds || new_survey.embeds {
            // Where a reference leads depends on the identifiers around it, which are not followed.
            self.members(here, &old, &new);
            return;
        }
        let followed = (old.clone().followed(root_before))
            .zip(new.clone().followed(root_after))
            .filter(|((old, _), (new, _))| !old.conflict && !new.conflict);
        let Some(((mut old, reached_before), (mut new, reached_after))) = followed else {
            // The reference itself is a keyword that differs; what it may mean is left open.
            self.members(here, &old, &new);
            return;
        };
        let pair = (std::ptr::from_ref(before), std::ptr::from_ref(after));
        self.push(
            here,
            here.path.clone(),
            What::Reference,
            Some(before),
            Some(after),
        );
        let reached = reached_before.into_iter().chain(reached_after);
        self.followed.extend(reached.map(std::ptr::from_ref));
        // A schema of thousands of keywords may be referred to from thousands of places.
        self.budget = (self.budget).saturating_sub(old.members.len() + new.members.len());
        if self.seen.insert(pair) {
            self.depth_followed += 1;
            self.unwrap_null(here, (before, &mut old), (after, &mut new));
            self.unwrap_union(here, (before, &mut old), (after, &mut new));
            self.members(here, &old, &new);
            self.depth_followed -= 1;
        }
    }

    fn members(&mut self, here: &Here<'a>, old: &View<'a>, new: &View<'a>) {
        let mut named: BTreeMap<&'a str, (Vec<&'a Value>, Vec<&'a Value>)> = BTreeMap::new();
        for (name, value) in &old.members {
            named.entry(name).or_default().0.push(value);
        }
        for (name, value) in &new.members {
            named.entry(name).or_default().1.push(value);
        }
        for (name, (before, after)) in named {
            // More than one only where a definition has duplicate members.
            for at in 0..before.len().max(after.len()) {
                let (before, after) = (before.get(at).copied(), after.get(at).copied());
                if before == after {
                    continue;
                }
                let known = self.facts.len();
                if self.depth_followed > 0 {
                    self.budget = self.budget.saturating_sub(1);
                }
                if self.depth_followed > 0 && self.budget == 0 {
                    let what = What::Opaque("more references than are followed");
                    self.push(here, here.path.join(name), what, before, after);
                } else if Self::lists_values(name, (old, new)) {
                    self.values(here, name, (before, after), (old, new));
                } else {
                    self.keyword(here, name, (before, after), (old, new));
                }
                self.mark_moot(known, &here.path.join(name), name, new);
            }
        }
    }

    fn keyword(
        &mut self,
        here: &Here<'a>,
        name: &'a str,
        (before, after): (Option<&'a Value>, Option<&'a Value>),
        views: (&View<'a>, &View<'a>),
    ) {
        let path = here.path.join(name);
        match (shape(name), before, after) {
            (
                Shape::Schema
                | Shape::SchemaOrList
                | Shape::Branches
                | Shape::Positions
                | Shape::Inputs
                | Shape::Definitions
                | Shape::Dependents,
                _,
                _,
            ) => self.schemas(here, name, path, (before, after), views),
            (Shape::Title, _, _) => {
                let generated = [(before, here.named.0), (after, here.named.1)]
                    .into_iter()
                    .all(|(title, named)| match title {
                        Some(title) => title.as_str().is_some_and(|t| named.generates(t)),
                        None => true,
                    });
                self.push(here, path, What::Title { generated }, before, after);
            }
            (Shape::Required, _, _) => self.required(here, path, before, after),
            (Shape::Dialect, _, _) => {
                let what = self.dialect(before, after);
                self.push(here, path, what, before, after);
            }
            (Shape::Plain, _, _) if self.moves_references(here, name) => {
                let what = What::Opaque("where its references lead");
                self.push(here, path, what, before, after);
            }
            (Shape::Data | Shape::Reference, _, _) => {
                self.push(here, path, What::Keyword(name), before, after);
            }
            _ => {
                if !self.order(here, &path, before, after) {
                    self.push(here, path, What::Keyword(name), before, after);
                }
            }
        }
    }
}

/// The members of two objects by name; duplicates by occurrence.
pub(super) fn merged<'a>(
    old: &'a Object,
    new: &'a Object,
) -> Vec<(&'a str, Option<&'a Value>, Option<&'a Value>)> {
    let mut named: BTreeMap<&'a str, (Vec<&'a Value>, Vec<&'a Value>)> = BTreeMap::new();
    for (name, value) in old.iter() {
        named.entry(name).or_default().0.push(value);
    }
    for (name, value) in new.iter() {
        named.entry(name).or_default().1.push(value);
    }
    let mut all = Vec::with_capacity(named.len());
    for (name, (before, after)) in named {
        for at in 0..before.len().max(after.len()) {
            all.push((name, before.get(at).copied(), after.get(at).copied()));
        }
    }
    all
}

/// A side that is missing has no members.
pub(super) static EMPTY: LazyLock<Object> = LazyLock::new(Object::default);
