//! Ways into both sides of a definition at once.

use crate::json::Value;
use crate::model::Pointer;
use crate::rules::Reason;

/// The tokens that lead to a place: as many on the side before as now, others where an element moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::render) struct Way {
    /// On the side before.
    pub(in crate::render) was: Vec<String>,
    /// Now.
    pub(in crate::render) now: Vec<String>,
}

impl Way {
    /// The way to what a reason points to.
    pub(in crate::render) fn of(reason: &Reason) -> Self {
        let now = reason.path.tokens();
        let was = reason
            .was
            .as_ref()
            .map_or_else(|| now.clone(), Pointer::tokens);
        Self { was, now }
    }

    /// The same way on both sides.
    pub(in crate::render) fn to(way: &[&str]) -> Self {
        let now: Vec<String> = way.iter().map(|token| (*token).to_owned()).collect();
        Self {
            was: now.clone(),
            now,
        }
    }

    /// The tokens now, to be matched.
    pub(super) fn tokens(&self) -> Vec<&str> {
        self.now.iter().map(String::as_str).collect()
    }

    /// The first tokens of it, and others behind them.
    pub(super) fn upto(&self, count: usize, then: &[&str]) -> Self {
        let of = |way: &[String]| {
            let start = way.iter().take(count).cloned();
            let end = then.iter().map(|token| (*token).to_owned());
            start.chain(end).collect()
        };
        Self {
            was: of(&self.was),
            now: of(&self.now),
        }
    }

    /// Whether one of two ways leads through the end of the other.
    pub(in crate::render) fn meets(&self, other: &Self) -> bool {
        self.now.starts_with(&other.now) || other.now.starts_with(&self.now)
    }

    /// The tokens of each step: before and now.
    pub(super) fn steps(&self) -> impl Iterator<Item = (&str, &str)> {
        let was = self.was.iter().map(String::as_str);
        was.zip(self.now.iter().map(String::as_str))
    }
}

/// A way as one text, by which ways are told apart.
pub(super) fn joined(way: &[&str]) -> String {
    let pointer = way
        .iter()
        .fold(Pointer::root(), |pointer, token| pointer.join(token));
    pointer.as_str().to_owned()
}

/// What stands under a token.
pub(super) fn child<'a>(value: Option<&'a Value>, token: &str) -> Option<&'a Value> {
    value?.child(token)
}
