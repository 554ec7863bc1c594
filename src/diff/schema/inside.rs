//! What stands under keywords that hold schemas: properties, shared schemas, dependents, branches.

use super::super::keyword::{Shape, shape};
use super::super::{What, branches, moved};
use super::{Comparison, EMPTY, Here, merged};
use crate::diff::reference::View;
use crate::json::{Object, Value};
use crate::model::Pointer;
use crate::text::{self, folded};
use std::collections::{BTreeMap, BTreeSet};

impl<'a> Comparison<'a> {
    /// What stands under a keyword that holds schemas.
    pub(super) fn schemas(
        &mut self,
        here: &Here<'a>,
        name: &'a str,
        path: Pointer,
        (before, after): (Option<&'a Value>, Option<&'a Value>),
        views: (&View<'a>, &View<'a>),
    ) {
        let object = |side: Option<&'a Value>| side.map_or(Some(&*EMPTY), Value::as_object);
        match (shape(name), before, after) {
            (Shape::Inputs | Shape::Definitions | Shape::Dependents, _, _) => {
                let Some((old, new)) = object(before).zip(object(after)) else {
                    self.push(here, path, What::Opaque("no schemas"), before, after);
                    return;
                };
                let known = self.facts.len();
                match shape(name) {
                    Shape::Inputs => self.inputs(here, name, &path, (old, new), views),
                    Shape::Definitions => self.definitions(here, name, &path, old, new),
                    _ => self.dependents(here, name, &path, old, new),
                }
                if self.facts.len() == known && before.is_some() != after.is_some() {
                    // It came or went empty.
                    self.push(here, path, What::Keyword(name), before, after);
                }
            }
            (Shape::Branches, Some(Value::Array(old)), Some(Value::Array(new))) => {
                self.branches(here, name, &path, old, new);
                if !self.order(here, &path, before, after) && old.len() != new.len() {
                    self.recounted(here, &path, before, after);
                }
            }
            (
                Shape::SchemaOrList | Shape::Positions,
                Some(Value::Array(old)),
                Some(Value::Array(new)),
            ) => {
                for at in 0..old.len().max(new.len()) {
                    self.element(here, name, path.index(at), old.get(at), new.get(at));
                }
            }
            (_, Some(_), None) | (_, None, Some(_)) => {
                let what = What::Subschema { keyword: name };
                self.push(here, path, what, before, after);
            }
            (Shape::Schema | Shape::SchemaOrList, Some(old), Some(new))
                if old.as_array().is_none() && new.as_array().is_none() =>
            {
                let inside = here.inside(path, name);
                self.schema(&inside, old, new);
            }
            _ => self.push(here, path, What::Opaque("no such schemas"), before, after),
        }
    }

    pub(super) fn inputs(
        &mut self,
        here: &Here<'a>,
        keyword: &'a str,
        path: &Pointer,
        (old, new): (&'a Object, &'a Object),
        (view_before, view_after): (&View<'a>, &View<'a>),
    ) {
        let renamed = renamed_inputs(old, new);
        let required = |view: &View<'a>| -> BTreeSet<&'a str> {
            let list = view.get("required").and_then(Value::as_array);
            let names = list.unwrap_or_default().iter();
            names.filter_map(Value::as_str).collect()
        };
        let (required_before, required_after) = (required(view_before), required(view_after));
        for (name, before, after) in merged(old, new) {
            let inside = here.inside_named(path.join(name), keyword, name);
            if let (Some(before), Some(after)) = (before, after) {
                self.schema(&inside, before, after);
            } else {
                let required = if after.is_some() {
                    &required_after
                } else {
                    &required_before
                };
                let counterpart = renamed.iter().find_map(|(from, to)| {
                    let (own, other) = if after.is_some() {
                        (to, from)
                    } else {
                        (from, to)
                    };
                    (*own == name).then_some(*other)
                });
                let what = What::Input {
                    name,
                    required: required.contains(name),
                    counterpart,
                };
                let path = inside.path.clone();
                self.push(&inside, path, what, before, after);
            }
        }
    }

    pub(super) fn definitions(
        &mut self,
        here: &Here<'a>,
        keyword: &'a str,
        path: &Pointer,
        old: &'a Object,
        new: &'a Object,
    ) {
        for (name, before, after) in merged(old, new) {
            let inside = here.inside_named(path.join(name), keyword, name);
            if let (Some(before), Some(after)) = (before, after) {
                self.schema(&inside, before, after);
            } else {
                let what = What::Definition {
                    name,
                    followed: false,
                };
                let path = inside.path.clone();
                self.push(&inside, path, what, before, after);
            }
        }
    }

    pub(super) fn dependents(
        &mut self,
        here: &Here<'a>,
        keyword: &'a str,
        path: &Pointer,
        old: &'a Object,
        new: &'a Object,
    ) {
        for (name, before, after) in merged(old, new) {
            let path = path.join(name);
            let is_list = |side: Option<&Value>| matches!(side, None | Some(Value::Array(_)));
            if is_list(before) && is_list(after) {
                self.required(here, path, before, after);
            } else {
                self.element(here, keyword, path, before, after);
            }
            if before.is_none() && text::is_prose(name) {
                self.say(name);
            }
        }
    }

    pub(super) fn branches(
        &mut self,
        here: &Here<'a>,
        keyword: &'a str,
        path: &Pointer,
        old: &'a [Value],
        new: &'a [Value],
    ) {
        let alignment = branches::align(old, new);
        let within = self.within(here, keyword, old);
        for (before, after) in alignment.changed {
            let known = self.facts.len();
            let inside = within.inside(path.index(after), keyword);
            self.schema(&inside, &old[before], &new[after]);
            moved(&mut self.facts[known..], &inside.path, &before.to_string());
        }
        for at in alignment.removed {
            self.element(&within, keyword, path.index(at), old.get(at), None);
        }
        for at in alignment.added {
            self.element(here, keyword, path.index(at), None, new.get(at));
        }
    }

    /// A schema that may have come or gone.
    pub(super) fn element(
        &mut self,
        here: &Here<'a>,
        keyword: &'a str,
        path: Pointer,
        before: Option<&'a Value>,
        after: Option<&'a Value>,
    ) {
        if let (Some(before), Some(after)) = (before, after) {
            let inside = here.inside(path, keyword);
            self.schema(&inside, before, after);
        } else {
            self.push(here, path, What::Branch { keyword }, before, after);
        }
    }
}

/// Properties that went and came and are the same under another name: those whose names differ in spelling only
/// (`noteId`, `note_id`), those that are the same but for their titles, and the only two at all if they are of
/// one type. The old name first.
pub(crate) fn renamed_inputs<'a>(old: &'a Object, new: &'a Object) -> Vec<(&'a str, &'a str)> {
    let only = |of: &'a Object, in_other: &Object| -> Vec<(&'a str, &'a Value)> {
        let other: BTreeSet<&str> = in_other.iter().map(|(name, _)| name).collect();
        of.iter()
            .filter(|(name, _)| !other.contains(name))
            .collect()
    };
    let (mut gone, mut came) = (only(old, new), only(new, old));
    let only_two = gone.len() == 1 && came.len() == 1;
    let mut found = Vec::new();
    for sign in [
        |name: &str, _: &Value| folded(name),
        |_: &str, schema: &Value| untitled(schema),
    ] {
        if gone.is_empty() || came.is_empty() {
            return found;
        }
        let mut alike: BTreeMap<String, (Vec<&'a str>, Vec<&'a str>)> = BTreeMap::new();
        for (name, schema) in &gone {
            alike.entry(sign(name, schema)).or_default().0.push(name);
        }
        for (name, schema) in &came {
            alike.entry(sign(name, schema)).or_default().1.push(name);
        }
        // Among several alike nobody can tell which is which.
        let alone = |pair: (Vec<&'a str>, Vec<&'a str>)| match (&pair.0[..], &pair.1[..]) {
            ([from], [to]) => Some((*from, *to)),
            _ => None,
        };
        let pairs: Vec<_> = alike.into_values().filter_map(alone).collect();
        gone.retain(|(name, _)| pairs.iter().all(|(from, _)| from != name));
        came.retain(|(name, _)| pairs.iter().all(|(_, to)| to != name));
        found.extend(pairs);
    }
    if let ([(from, before)], [(to, after)]) = (&gone[..], &came[..])
        && only_two
        && before.get("type").is_some()
        && before.get("type") == after.get("type")
    {
        found.push((from, to));
    }
    found
}

fn untitled(schema: &Value) -> String {
    let mut copy = schema.clone();
    if let Value::Object(object) = &mut copy {
        object.remove("title");
    }
    crate::canonical::to_text(&copy)
}
