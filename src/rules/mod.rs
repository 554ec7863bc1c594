//! What a difference means: rules judge facts and give reasons.

use crate::json::Value;
use crate::model::{Level, Pointer};

/// One rule that a change hit, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The rule's id.
    pub rule: &'static str,
    /// How much it matters.
    pub level: Level,
    /// Where in the definition.
    pub path: Pointer,
    /// One sentence about what happened and what it may do. It may hold outside text.
    pub message: String,
    /// What stood there, if anything.
    pub before: Option<Value>,
    /// What stands there now, if anything.
    pub after: Option<Value>,
}
