//! Reading the members of one object, with errors that say where and in which line.

use super::parse::{Fault, LockfileError};
use crate::json::{self, Object, Value};

/// An object of the file, and what it is about.
pub(super) struct Members<'a> {
    object: &'a Object,
    /// What it is, for messages; empty for the lockfile as a whole. Outside text inside.
    place: String,
    source: &'a [u8],
}

impl<'a> Members<'a> {
    /// The lockfile as a whole.
    pub(super) fn root(value: &'a Value, source: &'a [u8]) -> Result<Self, LockfileError> {
        match value {
            Value::Object(object) => Ok(Self {
                object,
                place: String::new(),
                source,
            }),
            other => Err(LockfileError {
                line: 1,
                fault: Fault::Shape,
                message: format!("a lockfile is an object, this is {}", a(other.type_name())),
            }),
        }
    }

    /// The object as it was read.
    pub(super) fn raw(&self) -> &'a Object {
        self.object
    }

    /// An error about this object.
    pub(super) fn error(&self, fault: Fault, message: &str) -> LockfileError {
        let message = if self.place.is_empty() {
            message.to_owned()
        } else {
            format!("{}: {message}", self.place)
        };
        LockfileError {
            line: json::line_of(self.source, self.object.span().start),
            fault,
            message,
        }
    }

    /// The error of a member that countersign does not know.
    pub(super) fn unknown(&self, name: &str) -> LockfileError {
        self.error(Fault::Shape, &format!("unknown member `{name}`"))
    }

    /// The error of a member whose value is of another type.
    pub(super) fn wrong_type(&self, name: &str, wanted: &str, found: &Value) -> LockfileError {
        let (found, wanted) = (a(found.type_name()), a(wanted));
        self.error(Fault::Shape, &format!("`{name}` is {found}, not {wanted}"))
    }

    /// Refuses every member that is not named.
    pub(super) fn only(&self, names: &[&str]) -> Result<(), LockfileError> {
        match self.object.iter().find(|(name, _)| !names.contains(name)) {
            Some((name, _)) => Err(self.unknown(name)),
            None => Ok(()),
        }
    }

    /// A member that must be there.
    pub(super) fn required(&self, name: &str) -> Result<&'a Value, LockfileError> {
        self.object
            .get(name)
            .ok_or_else(|| self.error(Fault::Shape, &format!("`{name}` is missing")))
    }

    /// A string that must be there.
    pub(super) fn text(&self, name: &str) -> Result<&'a str, LockfileError> {
        let value = self.required(name)?;
        value
            .as_str()
            .ok_or_else(|| self.wrong_type(name, "string", value))
    }

    /// A string that must be there and mean something.
    pub(super) fn parsed<T>(
        &self,
        name: &str,
        wanted: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, LockfileError> {
        let text = self.text(name)?;
        read(text)
            .ok_or_else(|| self.error(Fault::Shape, &format!("`{name}` is `{text}`, not {wanted}")))
    }

    /// An object, if there is one of that name. `word` says what it is; nothing where its members say it.
    pub(super) fn object(
        &self,
        name: &str,
        word: &str,
    ) -> Result<Option<Members<'a>>, LockfileError> {
        match self.object.get(name) {
            None => Ok(None),
            Some(Value::Object(object)) => Ok(Some(self.inside(object, word))),
            Some(other) => Err(self.wrong_type(name, "object", other)),
        }
    }

    /// The objects of an array; none where there is no array of that name.
    pub(super) fn objects(
        &self,
        name: &str,
        word: &str,
    ) -> Result<Vec<Members<'a>>, LockfileError> {
        self.elements(name)?
            .iter()
            .map(|element| match element {
                Value::Object(object) => Ok(self.inside(object, word)),
                other => {
                    let found = a(other.type_name());
                    let message = format!("`{name}` holds {found}, not only objects");
                    Err(self.error(Fault::Shape, &message))
                }
            })
            .collect()
    }

    /// The strings of an array; none where there is no array of that name.
    pub(super) fn texts(&self, name: &str) -> Result<Vec<String>, LockfileError> {
        self.elements(name)?
            .iter()
            .map(|element| match element {
                Value::String(text) => Ok(text.clone()),
                other => {
                    let found = a(other.type_name());
                    let message = format!("`{name}` holds {found}, not only strings");
                    Err(self.error(Fault::Shape, &message))
                }
            })
            .collect()
    }

    fn elements(&self, name: &str) -> Result<&'a [Value], LockfileError> {
        match self.object.get(name) {
            None => Ok(&[]),
            Some(Value::Array(elements)) => Ok(elements),
            Some(other) => Err(self.wrong_type(name, "array", other)),
        }
    }

    fn inside(&self, object: &'a Object, word: &str) -> Self {
        let parts = [self.place.as_str(), word];
        let place = parts.into_iter().filter(|part| !part.is_empty());
        let place = place.collect::<Vec<_>>().join(", ");
        Self {
            object,
            place,
            source: self.source,
        }
    }
}

/// A JSON type with its article.
fn a(type_name: &str) -> String {
    match type_name {
        "null" => "null".to_owned(),
        "array" | "object" => format!("an {type_name}"),
        other => format!("a {other}"),
    }
}
