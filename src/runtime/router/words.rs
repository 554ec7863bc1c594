//! What a client is told of what does not pass.

use super::methods::is_modern;
use crate::json::Object;
use crate::model::{ItemKey, Kind, Problem};
use crate::runtime::answers;

/// An answer that says no in the way that the kind of request has for it.
pub(super) fn refusal(id: &[u8], kind: Kind, params: &Object, why: &str) -> Vec<u8> {
    if kind == Kind::Tool {
        answers::tool_error(id, is_modern(params), why)
    } else {
        answers::error(id, why)
    }
}

pub(super) fn named(key: &ItemKey) -> String {
    format!("{} `{}`", key.kind.word(), key.name.as_str())
}

pub(super) fn withheld_because(why: &str) -> String {
    format!("countersign withholds {why}")
}

pub(super) fn withheld(problem: &Problem) -> String {
    let hint = problem
        .hint
        .as_ref()
        .map_or_else(String::new, |hint| format!("; to mend it: {hint}"));
    cannot_check(&format!("{}{hint}", problem.message))
}

pub(super) fn cannot_check(why: &str) -> String {
    format!("countersign withholds this, because it cannot be checked: {why}")
}

pub(super) fn held(key: &ItemKey, why: &str, command: &str) -> String {
    format!(
        "countersign holds this call of {}: {why}. Nothing was sent to the server. A person can let exactly this call through, once, with `{command}` in a terminal; ask for that, and call again after it",
        named(key)
    )
}

pub(super) fn unpaired(why: &str) -> String {
    format!(
        "countersign does not pass this on, because no answer to it could be told from another: {why}"
    )
}

pub(super) fn to_approve(key: &ItemKey, why: &str, command: &str) -> String {
    format!(
        "countersign holds a call of {}: {why}. To let exactly this call through, once, run `{command}` in a terminal, \
         then accept here. Accepting alone approves nothing",
        named(key)
    )
}
