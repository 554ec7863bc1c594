//! Where the local references of a definition's schemas stand.

use super::SCHEMAS;
use crate::json::Value;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// So many places that refer to one schema are kept.
const KEPT: usize = 8;

/// The local references of one definition.
#[derive(Default)]
pub(super) struct References<'a> {
    /// The last token of the way to each value, and which value it stands in: ways share their beginnings.
    tokens: Vec<(Option<usize>, Cow<'a, str>)>,
    /// Schema and pointer that are referred to, and the values that do so.
    referrers: BTreeMap<(&'static str, &'a str), Vec<usize>>,
}

impl<'a> References<'a> {
    /// Of a definition.
    pub(super) fn of(definition: Option<&'a Value>) -> Self {
        let mut found = Self::default();
        for schema in SCHEMAS {
            if let Some(root) = definition.and_then(|tool| tool.get(schema)) {
                found.walk(schema, root);
            }
        }
        found
    }

    fn walk(&mut self, schema: &'static str, root: &'a Value) {
        let mut open = vec![(root, None, Cow::Borrowed(schema))];
        while let Some((value, parent, token)) = open.pop() {
            let at = self.tokens.len();
            self.tokens.push((parent, token));
            match value {
                Value::Object(object) => {
                    let pointer = object.text("$ref").and_then(|to| to.strip_prefix('#'));
                    if let Some(pointer) = pointer {
                        let known = self.referrers.entry((schema, pointer)).or_default();
                        if known.len() < KEPT {
                            known.push(at);
                        }
                    }
                    // The last one is looked at first: inputs, by name, before what is shared among them.
                    let is_shared = |name| matches!(name, "$defs" | "definitions");
                    let mut members: Vec<_> = object.iter().collect();
                    members.sort_by_key(|(name, _)| (!is_shared(*name), Reverse(*name)));
                    open.extend(
                        members
                            .into_iter()
                            .map(|(name, value)| (value, Some(at), Cow::Borrowed(name))),
                    );
                }
                Value::Array(elements) => {
                    let inside = elements.iter().enumerate().rev();
                    open.extend(
                        inside.map(|(i, value)| (value, Some(at), Cow::Owned(i.to_string()))),
                    );
                }
                _ => {}
            }
        }
    }

    /// The ways to what refers to a pointer within a schema.
    pub(super) fn to<'s>(&'s self, schema: &str, pointer: &str) -> Vec<Vec<&'s str>> {
        let schema = SCHEMAS.into_iter().find(|known| *known == schema);
        let found = schema.and_then(|schema| self.referrers.get(&(schema, pointer)));
        let way = |at: &usize| {
            let mut way = Vec::new();
            let mut next = Some(*at);
            while let Some((parent, token)) = next.map(|at| &self.tokens[at]) {
                way.push(token.as_ref());
                next = *parent;
            }
            way.reverse();
            way
        };
        found.into_iter().flatten().map(way).collect()
    }
}
