//! How often tools are called: counted here, added up by whoever keeps it.

use super::{Desk, Parked, Router};
use crate::json::Value;
use crate::model::Kind;
use crate::store::{Counts, counted_under};

impl Router {
    /// Counts a call of a tool; other uses are not counted.
    pub(super) fn count(&mut self, parked: &Parked, add: impl FnOnce(&mut Counts)) {
        if parked.key.kind != Kind::Tool {
            return;
        }
        let mut more = Counts::default();
        add(&mut more);
        let tool = parked.key.name.as_str();
        if let Some(counts) = counted_under(&mut self.counted, tool, &more, |counts| counts) {
            counts.add(&more);
        }
    }

    /// Hands over what was counted since the last time.
    pub fn hand_over_counts(&mut self, desk: &Desk<'_>, is_end: bool) {
        if !self.counted.is_empty() && (desk.count)(&self.counted, is_end) {
            self.counted.clear();
        }
    }
}

/// How many bytes the arguments of a call have, as they were sent.
pub(super) fn bytes(parked: &Parked) -> u64 {
    match parked.params.get("arguments") {
        Some(Value::Object(arguments)) => arguments.span().len() as u64,
        _ => 0,
    }
}
