//! Keywords that list values or names, and those that say how a schema is to be read.

use super::{Comparison, Here};
use crate::diff::keyword::{Shape, shape, stays_in_place};
use crate::diff::reference::{View, resolve};
use crate::diff::survey::Survey;
use crate::diff::values::{constants, listed};
use crate::diff::{Fact, Place, Spoken, What, branches, keyword};
use crate::json::Value;
use crate::model::{Kind, Pointer};
use std::collections::BTreeSet;

impl<'a> Comparison<'a> {
    /// Whether a keyword only says which values are accepted, given that both sides list them.
    pub(super) fn lists_values(name: &str, (old, new): (&View<'a>, &View<'a>)) -> bool {
        let sides = || [old.get(name), new.get(name)].into_iter().flatten();
        match name {
            "enum" | "const" => true,
            "type" => listed(old).and(listed(new)).is_some(),
            "anyOf" | "oneOf" => {
                listed(old).and(listed(new)).is_some() && sides().all(|u| constants(u).is_some())
            }
            _ => false,
        }
    }

    /// `enum`, `const`, and what else lists the accepted values: each tells of all of them.
    pub(super) fn values(
        &mut self,
        here: &Here<'a>,
        name: &'a str,
        (before, after): (Option<&'a Value>, Option<&'a Value>),
        (old, new): (&View<'a>, &View<'a>),
    ) {
        let path = here.path.join(name);
        if name == "const" || !self.order(here, &path, before, after) {
            let what = What::Values {
                before: listed(old),
                after: listed(new),
            };
            self.push(here, path, what, before, after);
        }
    }

    pub(super) fn required(
        &mut self,
        here: &Here<'a>,
        path: Pointer,
        before: Option<&'a Value>,
        after: Option<&'a Value>,
    ) {
        if self.order(here, &path, before, after) {
            return;
        }
        let names = |list: Option<&'a Value>| -> Vec<&'a str> {
            let list = list.and_then(Value::as_array).unwrap_or_default();
            list.iter().filter_map(Value::as_str).collect()
        };
        let old: BTreeSet<&str> = names(before).into_iter().collect();
        let mut undeclared = names(after);
        let declared = self.declared(here);
        undeclared.retain(|name| !old.contains(name) && !declared.contains(name));
        self.push(here, path, What::Required { undeclared }, before, after);
        if let Some(Place::Schema(spot)) = self.facts.last_mut().map(|fact| &mut fact.place) {
            // The name of a property is told where the property is.
            spot.news.said.retain(|name| !declared.contains(name));
        }
    }

    /// The properties that are declared for the value that a schema speaks of, by it and by all that speak of the
    /// same value. Where a reference cannot be followed, those that are declared anywhere.
    pub(super) fn declared(&self, here: &Here<'a>) -> BTreeSet<&'a str> {
        let mut names = BTreeSet::new();
        let mut seen: BTreeSet<*const Value> = BTreeSet::new();
        let mut open: Vec<&'a Value> = here.about.or(self.roots.1).into_iter().collect();
        while let Some(schema) = open.pop() {
            let Some(object) = schema.as_object().filter(|_| seen.insert(schema)) else {
                continue;
            };
            for (keyword, value) in object.iter() {
                match (shape(keyword), value) {
                    (Shape::Inputs, Value::Object(inputs)) => {
                        names.extend(inputs.iter().map(|(name, _)| name));
                    }
                    (Shape::Reference, _) => {
                        let found = value.as_str().zip(self.roots.1);
                        match found.and_then(|(reference, root)| resolve(root, reference)) {
                            Some(schema) => open.push(schema),
                            None => return self.surveys().1.inputs.iter().copied().collect(),
                        }
                    }
                    (_, Value::Array(schemas)) if stays_in_place(keyword) => open.extend(schemas),
                    (Shape::Dependents, Value::Object(schemas)) => {
                        open.extend(schemas.iter().map(|(_, schema)| schema));
                    }
                    (_, schema) if stays_in_place(keyword) => open.push(schema),
                    _ => {}
                }
            }
        }
        names
    }

    pub(super) fn dialect(&self, before: Option<&'a Value>, after: Option<&'a Value>) -> What<'a> {
        let spoken = |value: Option<&Value>| match value {
            None => Spoken::Silent,
            Some(value) => value
                .as_str()
                .and_then(keyword::Dialect::named)
                .map_or(Spoken::Unknown, Spoken::Known),
        };
        let (old, new) = self.surveys();
        let sensitive = old.sensitive.iter().chain(&new.sensitive).next();
        What::Dialect {
            before: spoken(before),
            after: spoken(after),
            sensitive: sensitive.copied(),
        }
    }

    /// Whether a keyword can make references mean something else: an identifier is the base of those that leave
    /// the document, and inside a schema of the local ones too; an anchor is where some lead.
    pub(super) fn moves_references(&self, here: &Here<'a>, name: &str) -> bool {
        let moved = |survey: &Survey<'a>| {
            !survey.external.is_empty() || (here.level > 0 && !survey.references.is_empty())
        };
        let (old, new) = self.surveys();
        let refers = !(old.references.is_empty() && new.references.is_empty());
        match name {
            "$id" | "id" => moved(old) || moved(new),
            "$anchor" | "$dynamicAnchor" | "$recursiveAnchor" => refers,
            _ => false,
        }
    }

    /// Tells that elements of an array came, went or moved that a reference counts.
    pub(super) fn recounted(
        &mut self,
        here: &Here<'a>,
        path: &Pointer,
        before: Option<&'a Value>,
        after: Option<&'a Value>,
    ) {
        let (old, new) = self.surveys();
        if old.counts_elements || new.counts_elements {
            let what = What::Opaque("where its references lead");
            self.push(here, path.clone(), what, before, after);
        }
    }

    /// Tells that the order of an array differs, of what both sides have in common. True if nothing else does.
    pub(super) fn order(
        &mut self,
        here: &Here<'a>,
        path: &Pointer,
        before: Option<&'a Value>,
        after: Option<&'a Value>,
    ) -> bool {
        let (Some(Value::Array(old)), Some(Value::Array(new))) = (before, after) else {
            return false;
        };
        let (same, reordered) = branches::compare_sets(old, new);
        if reordered {
            self.facts.push(Fact {
                kind: Kind::Tool,
                path: path.clone(),
                was: None,
                place: Place::Order,
                before,
                after,
            });
            self.recounted(here, path, before, after);
        }
        same
    }
}
