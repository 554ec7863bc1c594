//! What follows from another edit: an entry of `required` from its input, a shared schema from what refers to it,
//! the end of an old name from the new one.

use super::references::References;
use super::{Place, Places, child, joined};
use crate::diff::renamed_inputs;
use crate::json::{Object, Value};
use std::collections::BTreeSet;

impl<'a> Places<'a> {
    /// The way to the edit that one at this way follows from.
    pub(super) fn follows(&self, way: &[String]) -> Option<Vec<String>> {
        let way: Vec<&str> = way.iter().map(String::as_str).collect();
        let next = (self.input_of_required(&way))
            .or_else(|| self.new_name(&way))
            .or_else(|| self.referrer(&way));
        Some(next?.iter().map(|token| (*token).to_owned()).collect())
    }

    fn sides(&self) -> [Option<&'a Value>; 2] {
        [self.before, self.after]
    }

    /// What stands on both sides at a way.
    fn down(&self, way: &[&str]) -> [Option<&'a Value>; 2] {
        self.sides()
            .map(|side| way.iter().fold(side, |value, token| child(value, token)))
    }

    /// Inputs that came into a list of required ones, and those that went out of it; `None` if it is no such list.
    fn moved_in_required(&self, way: &[&str]) -> Option<(usize, Vec<&'a str>)> {
        let at = match way {
            [.., "required"] => way.len() - 1,
            [.., "required", index] if index.parse::<usize>().is_ok() => way.len() - 2,
            _ => return None,
        };
        let names = self.down(&way[..=at]).map(|list| {
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
    fn input_of_required<'w>(&self, way: &[&'w str]) -> Option<Vec<&'w str>>
    where
        'a: 'w,
    {
        let (at, moved) = self.moved_in_required(way)?;
        let inputs = [&way[..at], &["properties"]].concat();
        let declared = self.down(&inputs);
        let stands = |side: Option<&Value>, name| child(side, name).is_some();
        moved
            .iter()
            .all(|name| stands(declared[0], name) != stands(declared[1], name))
            .then(|| moved.first())
            .flatten()
            .map(|name| [&inputs[..], &[*name]].concat())
    }

    /// The ways to the inputs whose entries in `required` differ, where those were and are declared.
    pub(super) fn inputs_of_required(&self, way: &[&str]) -> Option<Vec<String>> {
        let (at, moved) = self.moved_in_required(way)?;
        let inputs = [&way[..at], &["properties"]].concat();
        let ways: BTreeSet<String> = moved
            .iter()
            .map(|name| joined(&[&inputs[..], &[*name]].concat()))
            .collect();
        (!ways.is_empty()).then(|| ways.into_iter().collect())
    }

    /// The inputs of both sides at a way that ends at one of them.
    fn inputs(&self, way: &[&str]) -> Option<[&'a Object; 2]> {
        let [.., "properties" | "patternProperties", _] = way else {
            return None;
        };
        if way.first() != Some(&"inputSchema") {
            return None;
        }
        let [old, new] = self.down(&way[..way.len() - 1]);
        Some([old?.as_object()?, new?.as_object()?])
    }

    /// The way to the new name of an input that goes by another one now.
    fn new_name<'w>(&self, way: &[&'w str]) -> Option<Vec<&'w str>>
    where
        'a: 'w,
    {
        let [old, new] = self.inputs(way)?;
        let name = way.last()?;
        if new.get(name).is_some() || old.get(name).is_none() {
            return None;
        }
        let renamed = renamed_inputs(old, new);
        let (_, now) = renamed.iter().find(|(former, _)| former == name)?;
        Some([&way[..way.len() - 1], &[*now]].concat())
    }

    /// The old name of an input that came.
    pub(super) fn renamed_from(&self, place: &Place<'_>) -> Option<String> {
        let way: Vec<&str> = place.way.iter().map(String::as_str).collect();
        if place.event != "added" {
            return None;
        }
        let [old, new] = self.inputs(&way)?;
        let renamed = renamed_inputs(old, new);
        let (former, _) = renamed.iter().find(|(_, now)| Some(now) == way.last())?;
        Some((*former).to_owned())
    }

    /// The way to what refers to a shared schema that came or went, and did not on the other side.
    fn referrer<'w>(&'w self, way: &[&'w str]) -> Option<Vec<&'w str>> {
        let [schema, maps @ ("$defs" | "definitions"), name, ..] = way else {
            return None;
        };
        let definition = &[*schema, *maps, *name][..];
        let side = match self.down(definition) {
            [None, Some(_)] => 1,
            [Some(_), None] => 0,
            _ => return None,
        };
        let all = self
            .references
            .get_or_init(|| self.sides().map(References::of));
        let pointer = joined(&definition[1..]);
        let ways = all[side].to(schema, &pointer);
        ways.into_iter().find(|way| {
            let [old, new] = self
                .down(way)
                .map(|value| value.and_then(|v| v.get("$ref")));
            old != new && !way.starts_with(definition)
        })
    }
}
