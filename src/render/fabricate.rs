//! Reports made by hand for tests: what rules will say is stood in for by sentences of the tests.

use crate::catalogue::Item;
use crate::json::{Limits, Value, read};
use crate::model::{ItemKey, Kind, Level, Pointer, ServerName};
use crate::pair::{Event, Pair};
use crate::report::{Change, ServerReport};
use crate::rules::Reason;

/// The item of a kind that a JSON text defines.
pub(super) fn item(kind: Kind, text: &str) -> Item {
    let value = read(text.as_bytes(), Limits::default())
        .expect("legal JSON")
        .value;
    Item::new(kind, value)
}

/// A reason at the place that the pointer's text names.
pub(super) fn reason(rule: &'static str, level: Level, path: &str, message: &str) -> Reason {
    let path = path
        .split('/')
        .skip(1)
        .fold(Pointer::root(), |pointer, token| pointer.join(token));
    Reason {
        rule,
        level,
        path,
        was: None,
        message: message.to_owned(),
        happened: crate::diff::Happened::Changed,
    }
}

/// A change of a tool of the server `notes`.
pub(super) fn tool(
    name: &str,
    event: Event,
    before: Option<&str>,
    after: Option<&str>,
    reasons: Vec<Reason>,
) -> Change {
    change(
        ItemKey::new(Kind::Tool, name),
        event,
        before,
        after,
        reasons,
    )
}

/// A change of any item of the server `notes`.
pub(super) fn change(
    key: ItemKey,
    event: Event,
    before: Option<&str>,
    after: Option<&str>,
    reasons: Vec<Reason>,
) -> Change {
    let before = before.map(|text| item(key.kind, text));
    let after = after.map(|text| item(key.kind, text));
    let pair = Pair {
        key,
        former: None,
        event,
        before: before.as_ref(),
        after: after.as_ref(),
    };
    Change::new(&ServerName::new("notes"), &pair, reasons)
}

/// What was found of a server, with its groups.
pub(super) fn server(name: &str, unchanged: usize, changes: Vec<Change>) -> ServerReport {
    let mut server = ServerReport::new(ServerName::new(name));
    server.unchanged = unchanged;
    server.groups = super::group::groups(&changes);
    server.changes = changes;
    server
}

/// A JSON text of a string.
pub(super) fn string(text: &str) -> String {
    crate::canonical::to_text(&Value::from(text))
}
