//! What methods are about, and what their parameters say.

use crate::json::{self, Object, Value};
use crate::model::Kind;
use crate::runtime::answers::Modern;
use crate::runtime::envelope::poses;
use crate::runtime::hello::Greeting;

/// A request whose answer comes at the end of the talk, if ever (2026-07-28, "Subscriptions").
pub(super) const LISTEN: &str = "subscriptions/listen";

/// The kind of item that a method uses.
pub(super) fn used_kind(method: &str) -> Option<Kind> {
    match method {
        "tools/call" => Some(Kind::Tool),
        "prompts/get" => Some(Kind::Prompt),
        "resources/read" => Some(Kind::Resource),
        _ => None,
    }
}

pub(super) fn listed_kind(method: &str) -> Option<Kind> {
    let mut kinds = Kind::LISTED.into_iter();
    kinds.find(|kind| kind.list_method() == Some(method))
}

pub(super) fn greeting(method: &str) -> Option<Greeting> {
    match method {
        "initialize" => Some(Greeting::Initialize),
        "server/discover" => Some(Greeting::Discover),
        _ => None,
    }
}

/// Whether a method is none that is judged, and none that says anything about others.
pub(super) fn is_plain(method: &str) -> bool {
    used_kind(method).is_none()
        && listed_kind(method).is_none()
        && greeting(method).is_none()
        && method != "notifications/cancelled"
}

pub(super) fn changed_kinds(method: &str) -> &'static [Kind] {
    match method {
        "notifications/tools/list_changed" => &[Kind::Tool],
        "notifications/prompts/list_changed" => &[Kind::Prompt],
        "notifications/resources/list_changed" => &[Kind::Resource, Kind::Template],
        _ => &[],
    }
}

/// What a use is judged by.
const JUDGED: [&str; 3] = ["name", "uri", "arguments"];

/// The parameters of a judged request, read strictly: what clients and servers read differently is refused.
pub(super) fn read_params(text: &[u8]) -> Result<Object, String> {
    let document = json::read(text, json::Limits::default()).map_err(|error| error.to_string())?;
    match document.value {
        Value::Object(params) if params.iter().any(|(name, _)| poses(&JUDGED, name)) => {
            Err("its parameters have a member in another case".to_owned())
        }
        Value::Object(params) if document.flaws.is_empty() => Ok(params),
        Value::Object(_) => Err(
            "its parameters have a member twice, or are read differently by different readers"
                .to_owned(),
        ),
        _ => Err("its parameters are no object".to_owned()),
    }
}

pub(super) fn is_modern(params: &Object) -> Modern {
    let meta = params.get("_meta");
    Modern(meta.is_some_and(|meta| {
        meta.get("io.modelcontextprotocol/protocolVersion")
            .is_some()
    }))
}
