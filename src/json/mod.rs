//! The strict, lossless JSON reader.
//!
//! Reads RFC 8259 and keeps what an auditor must not lose: member order, duplicate members, the text of
//! numbers, and the byte range of every object. It is iterative, so that nesting is bounded by
//! [`Limits::depth`] and never by the stack. What JSON permits but no two readers agree on (duplicate
//! members, lone surrogates, exponents beyond all bounds) is reported as a [`Flaw`], not as an error, so
//! that one bad item does not hide its neighbours. It never repairs anything.

mod document;
mod exponent;
mod reader;

pub use document::{Document, Element, Error, ErrorKind, Flaw, FlawKind, Limits};
pub use reader::{line_of, read, read_lists};

use std::ops::Range;

/// A JSON value with everything that its text said.
///
/// Equality is of what is kept: numbers by their text, objects member by member in order. Two values that
/// went through [`crate::canonical::canonicalize`] are equal exactly if they mean the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as its text.
    Number(Box<str>),
    /// A string, unescaped. A lone surrogate reads as U+FFFD and is reported as a [`Flaw`].
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object.
    Object(Object),
}

/// The members of a JSON object, in the order they stood, duplicates included.
#[derive(Debug, Clone, Default)]
pub struct Object {
    members: Vec<(String, Value)>,
    span: (usize, usize),
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.members == other.members
    }
}

impl Eq for Object {}

impl Object {
    /// The first member of that name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.members.iter().find(|(n, _)| n == name).map(|(_, v)| v)
    }

    /// The first member of that name, if it is a string.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(Value::as_str)
    }

    /// The members in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> {
        self.members.iter().map(|(n, v)| (n.as_str(), v))
    }

    /// The members in order, to be changed in place.
    pub fn members_mut(&mut self) -> &mut Vec<(String, Value)> {
        &mut self.members
    }

    /// Appends a member, or replaces the first of that name.
    pub fn set(&mut self, name: impl Into<String>, value: Value) {
        let name = name.into();
        match self.members.iter_mut().find(|(n, _)| *n == name) {
            Some((_, old)) => *old = value,
            None => self.members.push((name, value)),
        }
    }

    /// Removes the first member of that name.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let at = self.members.iter().position(|(n, _)| n == name)?;
        Some(self.members.remove(at).1)
    }

    /// How many members there are, duplicates counted.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The bytes of the source that the object was read from; empty if it was built.
    pub fn span(&self) -> Range<usize> {
        self.span.0..self.span.1
    }
}

impl FromIterator<(String, Value)> for Object {
    fn from_iter<T: IntoIterator<Item = (String, Value)>>(members: T) -> Self {
        Self {
            members: members.into_iter().collect(),
            span: (0, 0),
        }
    }
}

impl Value {
    /// The text, if it is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The members, if it is an object.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The elements, if it is an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Self::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The member of that name, if it is an object that has one.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.as_object().and_then(|object| object.get(name))
    }

    /// The member or the element that a token of a JSON Pointer names.
    pub fn child(&self, token: &str) -> Option<&Self> {
        match self {
            Self::Object(object) => object.get(token),
            Self::Array(elements) => elements.get(token.parse::<usize>().ok()?),
            _ => None,
        }
    }

    /// The member of that name, to be changed in place, if it is an object that has one.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        let Self::Object(object) = self else {
            return None;
        };
        let found = object.members.iter_mut().find(|(n, _)| n == name);
        found.map(|(_, value)| value)
    }

    /// The JSON type's name.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}
