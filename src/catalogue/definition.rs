//! What one item says: its canonical text, and the value of it only where somebody asks, or its raw bytes.
//!
//! Of thousands of items few differ, and only those are looked into: a text is a fifth of the size of its value.

use crate::canonical;
use crate::json::{self, Limits, Value};
use std::borrow::Cow;
use std::sync::OnceLock;

/// What one item says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Definition {
    /// In canonical order and spelling, every member kept.
    Canonical(Canonical),
    /// It has no canonical form: clients will read it differently.
    Raw {
        /// As sent.
        bytes: Vec<u8>,
        /// What this reader makes of it, duplicates side by side; an array where several definitions bear
        /// one name. For showing and comparing only.
        value: Value,
        /// Why there is no canonical form, a clause each. Outside text inside.
        flaws: Vec<String>,
    },
}

impl Definition {
    /// The value, for showing and comparing. It is kept from then on.
    pub fn value(&self) -> &Value {
        match self {
            Self::Canonical(canonical) => canonical.value(),
            Self::Raw { value, .. } => value,
        }
    }

    /// The value for one look at each of many definitions: what is read for it is not kept.
    pub fn glance(&self) -> Cow<'_, Value> {
        match self {
            Self::Canonical(canonical) => canonical.glance(),
            Self::Raw { value, .. } => Cow::Borrowed(value),
        }
    }
}

/// A definition in canonical form: its text, and its value once somebody asked for that.
#[derive(Debug, Clone)]
pub struct Canonical {
    text: Box<str>,
    value: OnceLock<Value>,
}

/// Different values never share a canonical text.
impl PartialEq for Canonical {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Canonical {}

impl Canonical {
    /// Of a value in canonical order and spelling. It is kept until [`Canonical::forget_value`].
    pub(super) fn of(value: Value) -> Self {
        Self {
            text: canonical::to_text(&value).into(),
            value: value.into(),
        }
    }

    /// The canonical text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The value. It is kept from then on.
    pub fn value(&self) -> &Value {
        self.value.get_or_init(|| self.read())
    }

    fn glance(&self) -> Cow<'_, Value> {
        let known = self.value.get().map(Cow::Borrowed);
        known.unwrap_or_else(|| Cow::Owned(self.read()))
    }

    pub(super) fn forget_value(&mut self) {
        self.value.take();
    }

    fn read(&self) -> Value {
        let limits = Limits {
            depth: Limits::MAX_DEPTH,
            string: usize::MAX,
        };
        // It was written from a value, and reads as that again.
        json::read(self.text.as_bytes(), limits).map_or(Value::Null, |document| document.value)
    }
}
