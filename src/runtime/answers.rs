//! The words of a guard to a client: JSON-RPC answers of its own. Pure.

use crate::canonical;
use crate::json::Value;
use crate::render::escape;
use serde_json::json;

/// The code of an answer that withholds something: a server's own range, in which no revision gives any a meaning.
const WITHHELD: i32 = -32000;

/// Whether the request is of 2026-07-28 or later: its results say their type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Modern(pub bool);

/// An error answer to a request; `id` is its id's JSON text.
pub fn error(id: &[u8], message: &str) -> Vec<u8> {
    let error = json!({ "code": WITHHELD, "message": escape::line(message) });
    let id = String::from_utf8_lossy(id);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#).into_bytes()
}

/// The result of a tool call that did not take place.
pub fn tool_error(id: &[u8], modern: Modern, message: &str) -> Vec<u8> {
    let mut result = json!({
        "content": [{ "type": "text", "text": escape::line(message) }],
        "isError": true,
    });
    if modern.0 {
        result["resultType"] = json!("complete");
    }
    answer(id, result.to_string().as_bytes())
}

/// The parameters of a question with nothing to fill in (2025-06-18, "Elicitation").
fn question(message: &str) -> serde_json::Value {
    json!({
        "message": escape::line(message),
        "requestedSchema": { "type": "object", "properties": {} },
    })
}

/// A request that shows a message to the person at the client.
pub fn elicitation(id: &str, message: &str) -> Vec<u8> {
    let params = question(message);
    json!({ "jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": params })
        .to_string()
        .into_bytes()
}

/// The same as an answer that asks for more (2026-07-28, "Multi Round-Trip Requests").
pub fn input_required(id: &[u8], message: &str, state: &str) -> Vec<u8> {
    let mut params = question(message);
    params["mode"] = json!("form");
    let result = json!({
        "resultType": "input_required",
        "inputRequests": { "countersign": { "method": "elicitation/create", "params": params } },
        "requestState": state,
    });
    answer(id, result.to_string().as_bytes())
}

/// Takes a request of the guard's own back.
pub fn cancelled(id: &str) -> Vec<u8> {
    let params = json!({ "requestId": id });
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })
        .to_string()
        .into_bytes()
}

/// An answer with this result, as JSON text.
pub fn answer(id: &[u8], result: &[u8]) -> Vec<u8> {
    [
        br#"{"jsonrpc":"2.0","id":"#,
        id,
        br#","result":"#,
        result,
        b"}",
    ]
    .concat()
}

/// A notification without parameters.
pub fn notification(method: &str) -> Vec<u8> {
    json!({ "jsonrpc": "2.0", "method": method })
        .to_string()
        .into_bytes()
}

/// A request for a page of a list. `meta` is what a modern request carries.
pub fn list_request(id: &str, method: &str, cursor: Option<&str>, meta: Option<&Value>) -> Vec<u8> {
    let mut params = Vec::new();
    let text = |value: &Value| canonical::to_text(value);
    if let Some(cursor) = cursor {
        params.push(format!(r#""cursor":{}"#, text(&Value::from(cursor))));
    }
    if let Some(meta) = meta {
        params.push(format!(r#""_meta":{}"#, text(meta)));
    }
    let (id, method) = (json!(id), json!(method));
    let params = params.join(",");
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{method},"params":{{{params}}}}}"#).into_bytes()
}
