//! References inside one document, and schemas as what they come to: layers of members.
//!
//! Only what starts with `#` is ever looked up. Chains and cycles are bounded.

use super::keyword::{Shape, shape};
use crate::json::{Object, Value};
use crate::text::is_generated;
use std::collections::BTreeMap;

/// How many references in a row are followed.
const CHAIN: usize = 32;

/// Whether a reference leaves the document.
pub(super) fn is_external(reference: &str) -> bool {
    !reference.is_empty() && !reference.starts_with('#')
}

/// Whether a reference leads through an array: it means another element once one before it comes, goes or moves.
pub(super) fn counts_elements(reference: &str) -> bool {
    let mut tokens = reference.split('/').skip(1);
    reference.starts_with('#') && tokens.any(|token| token.parse::<usize>().is_ok())
}

/// The members that a schema comes to, borrowed from wherever they stand.
#[derive(Debug, Clone, Default)]
pub(super) struct View<'a> {
    pub(super) members: Vec<(&'a str, &'a Value)>,
    /// A keyword that restricts, and that two layers give differently.
    pub(super) conflict: bool,
}

impl<'a> View<'a> {
    pub(super) fn of(object: &'a Object) -> Self {
        Self {
            members: object.iter().collect(),
            conflict: false,
        }
    }

    pub(super) fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.members
            .iter()
            .find(|(name, _)| *name == keyword)
            .map(|(_, value)| *value)
    }

    pub(super) fn reference(&self) -> Option<&'a str> {
        self.get("$ref").and_then(Value::as_str)
    }

    pub(super) fn leave_out(&mut self, keyword: &str) {
        self.members.retain(|(name, _)| *name != keyword);
    }

    fn without(mut self, keyword: &str) -> Self {
        self.leave_out(keyword);
        self
    }

    /// Lays this view over another object. The outer one counts for texts and other remarks; a restriction on
    /// both is a conflict unless it is the same.
    /// A title that is made of the other one's name says nothing of what it is laid over.
    fn over(mut self, below: &'a Object, named: &str) -> Self {
        let own: BTreeMap<&str, &Value> = self.members.iter().copied().collect();
        for (name, value) in below.iter() {
            if name == "title"
                && value
                    .as_str()
                    .is_some_and(|title| is_generated(title, named))
            {
                continue;
            }
            match own.get(name) {
                None => self.members.push((name, value)),
                Some(own) if *own == value || is_remark(name) => {}
                Some(_) => self.conflict = true,
            }
        }
        self
    }

    /// The view with its local references followed, beside the schemas that were reached. `None` if one leads
    /// nowhere, out of the document, in a circle, or to something without members.
    pub(super) fn followed(mut self, root: &'a Value) -> Option<(Self, Vec<&'a Value>)> {
        let mut reached: Vec<&'a Value> = Vec::new();
        while let Some(reference) = self.reference() {
            let found = resolve(root, reference)?;
            let below = found.as_object()?;
            if reached.len() == CHAIN || reached.iter().any(|known| std::ptr::eq(*known, found)) {
                return None;
            }
            reached.push(found);
            let name = reference.rsplit('/').next().unwrap_or_default();
            self = self.without("$ref").over(below, name);
        }
        Some((self, reached))
    }

    /// What a union of one schema and `null` comes to without the `null`; `None` if it is no such union.
    pub(super) fn without_null(&self) -> Option<Self> {
        let (keyword, [one, other]) = self.union()? else {
            return None;
        };
        let rest = match (is_null(one), is_null(other)) {
            (false, true) => one,
            (true, false) => other,
            _ => return None,
        };
        let below = rest.as_object()?;
        let outer = self.clone().without(keyword);
        let differs = |(name, value)| outer.get(name).is_some_and(|own| own != value);
        (!below.iter().any(differs)).then(|| outer.over(below, ""))
    }

    /// The keyword and the branches of a union, if there is one.
    pub(super) fn union(&self) -> Option<(&'static str, &'a [Value])> {
        let mut unions = ["anyOf", "oneOf"]
            .into_iter()
            .filter_map(|keyword| Some((keyword, self.get(keyword)?.as_array()?)));
        unions.next().filter(|_| unions.next().is_none())
    }

    /// The members that fit, as a view of their own, and the rest.
    pub(super) fn split(self, fits: impl Fn(&str, &Value) -> bool) -> (Self, Self) {
        let (taken, rest) = (self.members.into_iter()).partition(|(name, value)| fits(name, value));
        let view = |members| Self {
            members,
            conflict: self.conflict,
        };
        (view(taken), view(rest))
    }

    pub(super) fn is_union(&self) -> bool {
        self.get("anyOf").is_some() || self.get("oneOf").is_some()
    }
}

/// Exactly `{"type": "null"}`: anything more would be hidden by leaving it out.
fn is_null(schema: &Value) -> bool {
    schema.as_object().is_some_and(|object| {
        object.len() == 1 && object.get("type").and_then(Value::as_str) == Some("null")
    })
}

/// A keyword that says something and refuses nothing.
pub(super) fn is_remark(keyword: &str) -> bool {
    matches!(shape(keyword), Shape::Title | Shape::Text | Shape::Data)
        || matches!(keyword, "deprecated" | "readOnly" | "writeOnly")
}

/// What a local reference refers to: a JSON Pointer in a fragment (RFC 6901, section 6). Anchors are not looked up.
pub(super) fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let fragment = percent_decoded(reference.strip_prefix('#').unwrap_or(reference))?;
    if fragment.is_empty() {
        return Some(root);
    }
    let mut at = root;
    for token in fragment.strip_prefix('/')?.split('/') {
        let name = token.replace("~1", "/").replace("~0", "~");
        at = match at {
            Value::Object(object) => object.get(&name)?,
            Value::Array(elements) => elements.get(name.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(at)
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            let digits = std::str::from_utf8(&digits).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Limits, read};

    fn value(text: &str) -> Value {
        read(text.as_bytes(), Limits::default())
            .expect("legal JSON")
            .value
    }

    #[test]
    fn pointers_are_followed_and_circles_are_not() {
        let root = value(
            r##"{"$defs":{"a/b":{"$ref":"#/$defs/c"},"c":{"type":"string"},"loop":{"$ref":"#/$defs/loop"}}}"##,
        );
        let view = |text: &str| {
            let schema = value(text);
            let object = schema.as_object().expect("an object");
            View::of(object)
                .followed(&root)
                .map(|(view, reached)| (view.members.len(), view.conflict, reached.len()))
        };
        assert_eq!(view(r##"{"$ref":"#/%24defs/a~1b"}"##), Some((1, false, 2)));
        assert_eq!(
            view(r##"{"$ref":"#/$defs/c","type":"object"}"##),
            Some((1, true, 1))
        );
        assert_eq!(view(r##"{"$ref":"#/$defs/loop"}"##), None);
        assert_eq!(view(r##"{"$ref":"#/$defs/none"}"##), None);
        assert_eq!(view(r#"{"$ref":"file:///etc/hostname"}"#), None);
    }

    #[test]
    fn only_a_bare_null_is_left_out_of_a_union() {
        let unwrapped = |text: &str| {
            let schema = value(text);
            let object = schema.as_object().expect("an object");
            View::of(object)
                .without_null()
                .map(|view| view.members.len())
        };
        assert_eq!(
            unwrapped(r#"{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}"#),
            Some(2)
        );
        assert_eq!(
            unwrapped(r#"{"anyOf":[{"type":"string"},{"type":"null","description":"x"}]}"#),
            None
        );
        assert_eq!(
            unwrapped(r#"{"anyOf":[{"description":"a"},{"type":"null"}],"description":"b"}"#),
            None
        );
    }
}
