//! Whether tools may be missing because somebody else asked: a server lists by the credential that it is shown.

use crate::json::Value;
use crate::model::{ItemKey, Kind, Problem, Warning};
use crate::pair::Event;
use crate::report::{ServerReport, WHO_ASKED};
use crate::store::ServerStore;
use std::collections::BTreeSet;

/// The warning that stands first where tools are gone and were listed, when they last were, to another kind of
/// credential or under other scopes than in `taking`. The answer is the same however often one looks.
pub(super) fn warning(
    kept: &ServerStore,
    taking: &Value,
    report: &ServerReport,
) -> Result<Option<Warning>, Problem> {
    let gone = report.changes.iter().filter(|change| {
        change.event == Event::Removed
            && change.key.kind == Kind::Tool
            && change.acknowledged.is_none()
    });
    let gone: BTreeSet<&ItemKey> = gone.map(|change| &change.key).collect();
    if gone.is_empty() {
        return Ok(None);
    }
    let history = kept.history()?;
    for taken in history
        .events
        .iter()
        .rev()
        .filter_map(|event| event.what.taken())
    {
        let before = kept.read_snapshot(taken.snapshot)?;
        if !gone.iter().any(|key| before.items.contains_key(key)) {
            continue;
        }
        let (then, now) = (who(&taken.taking), who(taking));
        return Ok((then != now).then(|| {
            Warning::new(
                WHO_ASKED,
                format!(
                    "tools are gone that were listed to another credential: then {then}, now {now}. A server may list by who asks: look with the same credential before you acknowledge that they went"
                ),
            )
        }));
    }
    Ok(None)
}

/// Who asked, in words: the kind of credential, which one of that kind, and the scopes that came with it.
fn who(taking: &Value) -> String {
    let text = |name: &str| taking.get(name).and_then(Value::as_str);
    let kind = text("credential").map(|kind| match text("label") {
        Some(label) => format!("`{kind}` ({label})"),
        None => format!("`{kind}`"),
    });
    let scopes = taking.get("scopes").and_then(Value::as_array);
    let Some(kind) = kind else {
        return "none".to_owned();
    };
    let scopes = scopes.map(|scopes| {
        let scopes: Vec<&str> = scopes.iter().filter_map(Value::as_str).collect();
        scopes.join(" ")
    });
    match scopes {
        None => kind,
        Some(none) if none.is_empty() => format!("{kind} without scopes"),
        Some(scopes) => format!("{kind} with the scopes `{scopes}`"),
    }
}
