//! What a whole schema holds, wherever it stands inside: inputs, text, references that leave it, headers.
//!
//! For schemas that came or went in one piece. It walks by position, without recursion, and follows nothing.

use super::keyword::{HEADER, Shape, shape};
use super::reference::{counts_elements, is_external};
use crate::json::{Object, Value};
use crate::text::{self, is_generated, is_generated_root, is_prose};
use std::collections::{BTreeSet, VecDeque};

/// What a generated title on a schema would be made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named<'a> {
    /// The name of the tool whose root schema it is.
    Root(&'a str),
    /// The name of the property or definition.
    As(&'a str),
    /// Nothing.
    Not,
}

impl Named<'_> {
    /// Whether a title is made of the name.
    pub fn generates(self, title: &str) -> bool {
        match self {
            Self::Root(tool) => is_generated_root(title, tool),
            Self::As(name) => is_generated(title, name),
            Self::Not => false,
        }
    }
}

/// What a schema holds.
#[derive(Debug, Clone, Default)]
pub struct Survey<'a> {
    /// The properties that it declares, the outer ones first.
    pub inputs: Vec<&'a str>,
    /// What a model reads in it as text, generated titles left out; prose anywhere else too.
    pub texts: Vec<&'a str>,
    /// References that leave the document.
    pub external: Vec<&'a str>,
    /// References to other parts of it, and out of it.
    pub references: Vec<&'a str>,
    /// Whether one of them counts the elements of an array on its way.
    pub counts_elements: bool,
    /// Whether a schema inside has an identifier: references in it start from there.
    pub embeds: bool,
    /// The properties that must be there, declared or not.
    pub required: Vec<&'a str>,
    /// What inputs are sent as headers, by the header's name.
    pub headers: Vec<&'a Value>,
    /// Keywords that mean something else in other dialects.
    pub sensitive: Vec<&'a str>,
}

/// What came and went between two schemas, of what a reader would look for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct News<'a> {
    /// Properties that are declared now.
    pub inputs: Vec<&'a str>,
    /// Names that must be given now although no property declares them.
    pub undeclared: Vec<&'a str>,
    /// Properties that no longer are.
    pub gone: Vec<&'a str>,
    /// Text that is said now.
    pub said: Vec<&'a str>,
    /// Text that no longer is.
    pub unsaid: Vec<&'a str>,
    /// References that are there now.
    pub references: Vec<&'a str>,
    /// Those of them that leave the document.
    pub external: Vec<&'a str>,
    /// Whether other inputs are sent as headers.
    pub headers: bool,
}

impl<'a> News<'a> {
    /// Between two schemas; none is an empty one.
    pub fn between(before: &Survey<'a>, after: &Survey<'a>) -> Self {
        Self {
            inputs: new(&before.inputs, &after.inputs),
            undeclared: new(&before.required, &after.required),
            gone: new(&after.inputs, &before.inputs),
            said: new(&before.texts, &after.texts),
            unsaid: new(&after.texts, &before.texts),
            references: new(&before.references, &after.references),
            external: new(&before.external, &after.external),
            headers: before.headers != after.headers,
        }
    }
}

/// What `after` has and `before` lacks, each once, in order.
fn new<'a>(before: &[&'a str], after: &[&'a str]) -> Vec<&'a str> {
    let mut known: BTreeSet<&str> = before.iter().copied().collect();
    after
        .iter()
        .copied()
        .filter(|text| known.insert(text))
        .collect()
}

impl<'a> Survey<'a> {
    /// Of a schema.
    pub fn of(schema: &'a Value, named: Named<'a>) -> Self {
        Self::of_all([(schema, named)])
    }

    /// Of what stands under a keyword that holds schemas.
    pub fn under(keyword: &'a str, value: &'a Value) -> Self {
        let mut found = Self::default();
        let mut open = VecDeque::new();
        found.member(keyword, value, Named::Not, &mut open);
        found.rest(open);
        found
    }

    fn of_all(schemas: impl IntoIterator<Item = (&'a Value, Named<'a>)>) -> Self {
        let mut found = Self::default();
        found.rest(schemas.into_iter().collect());
        found
    }

    fn rest(&mut self, mut open: VecDeque<(&'a Value, Named<'a>)>) {
        let mut is_root = true;
        while let Some((schema, named)) = open.pop_front() {
            match schema {
                Value::Object(object) => {
                    let identifier = object.text("$id").or_else(|| object.text("id"));
                    self.embeds |= !is_root && identifier.is_some();
                    is_root = false;
                    for (keyword, value) in object.iter() {
                        self.member(keyword, value, named, &mut open);
                    }
                }
                other => self.prose(other),
            }
        }
    }

    fn member(
        &mut self,
        keyword: &'a str,
        value: &'a Value,
        named: Named<'a>,
        open: &mut VecDeque<(&'a Value, Named<'a>)>,
    ) {
        self.note_dialect(keyword, value);
        match (shape(keyword), value) {
            (Shape::Schema | Shape::SchemaOrList, Value::Object(_) | Value::Bool(_)) => {
                open.push_back((value, Named::Not));
            }
            (Shape::SchemaOrList | Shape::Branches | Shape::Positions, Value::Array(list)) => {
                open.extend(list.iter().map(|schema| (schema, Named::Not)));
            }
            (Shape::Inputs, Value::Object(inputs)) => {
                self.inputs.extend(inputs.iter().map(|(name, _)| name));
                self.named(inputs, open);
            }
            (Shape::Definitions, Value::Object(schemas)) => self.named(schemas, open),
            (Shape::Dependents, Value::Object(dependents)) => {
                for (name, dependent) in dependents.iter() {
                    self.prose_text(name);
                    match dependent {
                        Value::Object(_) => open.push_back((dependent, Named::Not)),
                        other => self.required(other),
                    }
                }
            }
            (Shape::Required, list) => self.required(list),
            (Shape::Title, Value::String(title)) if named.generates(title) => {}
            (Shape::Title | Shape::Text, _) => self.text(keyword, value),
            (Shape::Unknown, value) if keyword == HEADER => {
                self.headers.push(value);
                self.prose(value);
            }
            (Shape::Unknown, _) => {
                self.texts.push(keyword);
                self.texts.extend(text::strings(value));
            }
            (Shape::Reference, Value::String(reference)) => {
                self.references.push(reference);
                self.counts_elements |= counts_elements(reference);
                if is_external(reference) {
                    self.external.push(reference);
                }
                self.prose_text(reference);
            }
            (_, other) => self.prose(other),
        }
    }

    fn required(&mut self, list: &'a Value) {
        let names = list.as_array().unwrap_or_default();
        self.required.extend(names.iter().filter_map(Value::as_str));
        self.prose(list);
    }

    fn named(&mut self, schemas: &'a Object, open: &mut VecDeque<(&'a Value, Named<'a>)>) {
        for (name, schema) in schemas.iter() {
            self.prose_text(name);
            open.push_back((schema, Named::As(name)));
        }
    }

    /// A text keyword says something even where it holds no string.
    fn text(&mut self, keyword: &'a str, value: &'a Value) {
        let strings = text::strings(value);
        if strings.is_empty() {
            self.texts.push(keyword);
        }
        self.texts.extend(strings);
    }

    fn prose(&mut self, value: &'a Value) {
        self.texts.extend(text::new_prose(None, Some(value)));
    }

    fn prose_text(&mut self, text: &'a str) {
        if is_prose(text) {
            self.texts.push(text);
        }
    }

    fn note_dialect(&mut self, keyword: &'a str, value: &Value) {
        let sensitive = match keyword {
            "definitions"
            | "dependencies"
            | "additionalItems"
            | "prefixItems"
            | "dependentRequired"
            | "dependentSchemas"
            | "unevaluatedProperties"
            | "unevaluatedItems"
            | "$dynamicRef"
            | "$recursiveRef" => true,
            "items" => matches!(value, Value::Array(_)),
            "exclusiveMinimum" | "exclusiveMaximum" => matches!(value, Value::Bool(_)),
            _ => false,
        };
        if sensitive {
            self.sensitive.push(keyword);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Limits, read};

    #[test]
    fn a_survey_goes_by_position() {
        let schema = read(
            br##"{"title":"tArguments","properties":{"title":{"type":"string","title":"Title"},
                "$ref":{"$ref":"http://a.invalid/x","default":{"properties":{"data":1},"$ref":"http://b.invalid"}},
                "n":{"items":[{"properties":{"deep":{"description":"d"}}}],"x-mcp-header":"H","x-y":3}},
                "definitions":{"D":{"$ref":"#/properties/n"}}}"##,
            Limits::default(),
        )
        .expect("legal JSON")
        .value;
        let survey = Survey::of(&schema, Named::Root("t"));
        assert_eq!(survey.inputs, ["title", "$ref", "n", "deep"]);
        assert_eq!(survey.texts, ["x-y", "d"]);
        assert_eq!(survey.external, ["http://a.invalid/x"]);
        assert_eq!(survey.headers.len(), 1);
        assert_eq!(survey.sensitive, ["definitions", "items"]);
    }
}
