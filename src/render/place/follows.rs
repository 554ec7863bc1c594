//! What follows from another edit: an entry of `required` from its input, a shared schema from what refers to it,
//! the end of an old name from the new one.

use super::references::References;
use super::way::{child, joined};
use super::{Place, Places, Way};
use crate::diff::renamed_inputs;
use crate::json::{Object, Value};
use std::collections::BTreeSet;

impl<'a> Places<'a> {
    /// The way to the edit that one at this way follows from.
    pub(super) fn follows(&self, way: &Way) -> Option<Way> {
        (self.input_of_required(way))
            .or_else(|| self.new_name(way))
            .or_else(|| self.referrer(way))
    }

    fn sides(&self) -> [Option<&'a Value>; 2] {
        [self.before, self.after]
    }

    /// What stands on both sides at a way.
    pub(super) fn down(&self, way: &Way) -> [Option<&'a Value>; 2] {
        way.steps()
            .fold(self.sides(), |[before, after], (was, now)| {
                [child(before, was), child(after, now)]
            })
    }

    /// Inputs that came into a list of required ones, and those that went out of it; `None` if it is no such list.
    fn moved_in_required(&self, way: &Way) -> Option<(usize, Vec<&'a str>)> {
        let tokens = way.tokens();
        let at = match tokens[..] {
            [.., "required"] => tokens.len() - 1,
            [.., "required", index] if index.parse::<usize>().is_ok() => tokens.len() - 2,
            _ => return None,
        };
        let names = self.down(&way.upto(at + 1, &[])).map(|list| {
            let list = list.and_then(Value::as_array).unwrap_or_default();
            list.iter().filter_map(Value::as_str).collect::<Vec<_>>()
        });
        let [old, new] = &names;
        let [known, now]: [BTreeSet<&str>; 2] =
            [old, new].map(|names| names.iter().copied().collect());
        let came = new.iter().filter(|name| !known.contains(*name));
        let went = old.iter().filter(|name| !now.contains(*name));
        Some((at, came.chain(went).copied().collect()))
    }

    /// The way to the input that came or went with an entry of `required`, if the list differs by nothing else than
    /// inputs that did.
    fn input_of_required(&self, way: &Way) -> Option<Way> {
        let (at, moved) = self.moved_in_required(way)?;
        let declared = self.down(&way.upto(at, &["properties"]));
        let stands = |side: Option<&Value>, name| child(side, name).is_some();
        moved
            .iter()
            .all(|name| stands(declared[0], name) != stands(declared[1], name))
            .then(|| moved.first())
            .flatten()
            .map(|name| way.upto(at, &["properties", name]))
    }

    /// The ways to the inputs whose entries in `required` differ, where those were and are declared.
    pub(in crate::render) fn inputs_of_required(&self, way: &Way) -> Option<Vec<Way>> {
        let (at, moved) = self.moved_in_required(way)?;
        let moved: BTreeSet<&str> = moved.into_iter().collect();
        let ways = moved.iter();
        let ways = ways.map(|name| way.upto(at, &["properties", name]));
        (!moved.is_empty()).then(|| ways.collect())
    }

    /// The inputs of both sides at a way that ends at one of them.
    fn inputs(&self, way: &Way) -> Option<[&'a Object; 2]> {
        let tokens = way.tokens();
        let ["inputSchema", .., "properties" | "patternProperties", _] = tokens[..] else {
            return None;
        };
        let [old, new] = self.down(&way.upto(tokens.len() - 1, &[]));
        Some([old?.as_object()?, new?.as_object()?])
    }

    /// The way to the new name of an input that goes by another one now.
    fn new_name(&self, way: &Way) -> Option<Way> {
        let [old, new] = self.inputs(way)?;
        let name = way.now.last()?;
        if new.get(name).is_some() || old.get(name).is_none() {
            return None;
        }
        let renamed = renamed_inputs(old, new);
        let (_, now) = renamed.iter().find(|(former, _)| former == name)?;
        Some(way.upto(way.now.len() - 1, &[now]))
    }

    /// The old name of an input that came.
    pub(super) fn renamed_from(&self, place: &Place<'_>) -> Option<String> {
        if place.event != "added" {
            return None;
        }
        let [old, new] = self.inputs(&place.way)?;
        let renamed = renamed_inputs(old, new);
        let name = place.way.now.last()?;
        let (former, _) = renamed.iter().find(|(_, now)| now == name)?;
        Some((*former).to_owned())
    }

    /// The way to what refers to a shared schema that came or went, and did not on the other side.
    fn referrer(&self, way: &Way) -> Option<Way> {
        let tokens = way.tokens();
        let [_, "$defs" | "definitions", _, ..] = tokens[..] else {
            return None;
        };
        let definition = &tokens[..3];
        let side = match self.down(&Way::to(definition)) {
            [None, Some(_)] => 1,
            [Some(_), None] => 0,
            _ => return None,
        };
        let all = self
            .references
            .get_or_init(|| self.sides().map(References::of));
        let pointer = joined(&definition[1..]);
        let ways = all[side].to(definition[0], &pointer);
        let mut ways = ways.into_iter().filter(|way| !way.starts_with(definition));
        let referrer = ways.find(|way| {
            let [old, new] = self
                .down(&Way::to(way))
                .map(|value| value.and_then(|v| v.get("$ref")));
            old != new
        })?;
        Some(Way::to(&referrer))
    }
}
