//! JSON-RPC messages: what a received text holds, and the texts that are sent.
//!
//! What comes in is read by the strict reader and kept as sent; only what goes out is built with `serde_json`.

use crate::capture::Answer;
use crate::json::{self, Limits, Object, Value};
use serde_json::json;

/// One message from the server.
#[derive(Debug)]
pub(super) enum Message {
    /// It answers a request of ours: `id`, and `result` or `error`.
    Response(Answer),
    /// It asks something: the id as JSON text, and the method. Outside text.
    Request { id: String, method: String },
    /// It tells something: the method, and the id of the request that `notifications/cancelled` is about. Outside text.
    Notification {
        method: String,
        cancelled: Option<Value>,
    },
}

/// What a frame holds.
#[derive(Debug)]
pub(super) enum Frame {
    /// Messages; more than one only in a batch (2025-03-26, "Batching").
    Messages(Vec<Message>),
    /// Nothing of JSON-RPC: a banner, a log line. The bytes, for a warning.
    Stray(Vec<u8>),
    /// It means to be a JSON-RPC message and is no JSON, or is beyond the bounds.
    Broken(json::Error),
}

/// Reads a frame.
pub(super) fn read(source: Vec<u8>, limits: Limits) -> Frame {
    let document = match json::read(&source, limits) {
        Ok(document) => document,
        Err(error) if means_json_rpc(&source) => return Frame::Broken(error),
        Err(_) => return Frame::Stray(source),
    };
    let messages: Vec<Message> = match &document.value {
        Value::Array(elements) => elements
            .iter()
            .filter_map(|element| part(&source, element.as_object()?, limits))
            .collect(),
        // The common case: nothing is copied.
        Value::Object(object) if is_response(object) => {
            return Frame::Messages(vec![Message::Response(Answer { source, document })]);
        }
        Value::Object(object) => call(object).into_iter().collect(),
        _ => Vec::new(),
    };
    if messages.is_empty() {
        Frame::Stray(source)
    } else {
        Frame::Messages(messages)
    }
}

/// Log lines may be JSON too; what carries these words at its beginning is meant for us.
fn means_json_rpc(source: &[u8]) -> bool {
    let text = source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source);
    let text = text.trim_ascii_start();
    let head = &text[..text.len().min(200)];
    head.starts_with(b"{") && head.windows(9).any(|window| window == b"\"jsonrpc\"")
}

/// An element of a batch. An answer gets the bytes of its own, whose offsets count from its beginning.
fn part(source: &[u8], element: &Object, limits: Limits) -> Option<Message> {
    if is_response(element) {
        let own = source[element.span()].to_vec();
        Answer::read(own, limits).ok().map(Message::Response)
    } else {
        call(element)
    }
}

/// What the server asks or tells.
fn call(object: &Object) -> Option<Message> {
    let method = object.text("method")?.to_owned();
    Some(match object.get("id").and_then(id_text) {
        Some(id) => Message::Request { id, method },
        None => Message::Notification {
            cancelled: object
                .get("params")
                .filter(|_| method == "notifications/cancelled")
                .and_then(|params| params.get("requestId").cloned()),
            method,
        },
    })
}

fn is_response(object: &Object) -> bool {
    object.get("method").is_none()
        && object.get("id").is_some()
        && (object.get("result").is_some() || object.get("error").is_some())
}

fn id_text(id: &Value) -> Option<String> {
    match id {
        Value::Number(text) => Some(text.to_string()),
        Value::String(text) => Some(json!(text).to_string()),
        _ => None,
    }
}

/// Whether a response's id is that of our request. Servers send `3` back as `"3"` and `3.0`.
pub(super) fn is_id(id: &Value, ours: u64) -> bool {
    let text = match id {
        Value::Number(text) => text,
        Value::String(text) => text.as_str(),
        _ => return false,
    };
    let whole = match text.split_once('.') {
        Some((whole, zeros)) if zeros.bytes().all(|b| b == b'0') => whole,
        _ => text,
    };
    whole.parse() == Ok(ours)
}

/// Whether an error answers a request without saying which: its id is `null`, or one that we never sent.
pub(super) fn names_no_request(id: Option<&Value>) -> bool {
    match id {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.parse::<f64>().is_err(),
        _ => false,
    }
}

/// An `error` member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RpcError {
    /// The code; 0 where it is no integer.
    pub(super) code: i64,
    /// The message. Outside text.
    pub(super) message: String,
    /// `data.supported`, for [`RpcError::UNSUPPORTED_VERSION`].
    pub(super) supported: Vec<String>,
    /// The HTTP status beside it, if it was no success.
    pub(super) status: Option<u16>,
}

impl RpcError {
    pub(super) const METHOD_NOT_FOUND: i64 = -32601;
    pub(super) const UNSUPPORTED_VERSION: i64 = -32022;
    /// The codes that only 2026-07-28 and later know ("Error Codes").
    const MODERN: std::ops::RangeInclusive<i64> = -32022..=-32020;

    /// Of a response, if it is an error: `"error": null` beside a result is none.
    pub(super) fn of(answer: &Answer) -> Option<Self> {
        let error = answer.document.value.get("error")?;
        if *error == Value::Null {
            return None;
        }
        let code = match error.get("code") {
            Some(Value::Number(text)) => text.parse().unwrap_or(0),
            _ => 0,
        };
        let supported = error
            .get("data")
            .and_then(|data| data.get("supported"))
            .map(texts)
            .unwrap_or_default();
        Some(Self {
            code,
            message: error
                .get("message")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            supported,
            status: None,
        })
    }

    pub(super) fn is_modern(&self) -> bool {
        Self::MODERN.contains(&self.code)
    }
}

/// The strings of an array.
pub(super) fn texts(value: &Value) -> Vec<String> {
    value
        .as_array()
        .unwrap_or_default()
        .iter()
        .filter_map(|text| text.as_str().map(str::to_owned))
        .collect()
}

/// What we answer to a request of the server, as JSON text. Nothing is ever done for it.
pub(super) fn reply(id: &str, method: &str) -> String {
    let outcome = match method {
        "ping" => r#""result":{}"#,
        "roots/list" => r#""result":{"roots":[]}"#,
        "elicitation/create" => r#""result":{"action":"decline"}"#,
        _ => r#""error":{"code":-32601,"message":"not offered by this client"}"#,
    };
    format!(r#"{{"jsonrpc":"2.0","id":{id},{outcome}}}"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &str) -> Frame {
        read(text.as_bytes().to_vec(), Limits::default())
    }

    #[test]
    fn ids_match_in_every_spelling() {
        for text in ["3", "3.0", "\"3\"", "\"3.0\""] {
            let id = json::read(text.as_bytes(), Limits::default()).expect("JSON");
            assert!(is_id(&id.value, 3), "{text}");
            assert!(!is_id(&id.value, 30), "{text}");
            assert!(!names_no_request(Some(&id.value)), "{text}");
        }
        assert!(!is_id(&Value::from("3.1"), 3));
        assert!(!is_id(&Value::Null, 3));
        assert!(names_no_request(Some(&Value::from("server-error"))));
    }

    #[test]
    fn log_lines_are_stray_and_a_torn_message_is_not() {
        for text in [
            "hello",
            "{\"level\":\"info\"}",
            "[1,2]",
            "\"x\"",
            "{\"id\":1}",
            "{broken",
        ] {
            assert!(matches!(frame(text), Frame::Stray(_)), "{text}");
        }
        assert!(matches!(
            frame("{\"jsonrpc\":\"2.0\",\"id\":1,"),
            Frame::Broken(_)
        ));
    }

    #[test]
    fn an_answer_in_a_batch_is_read_by_itself() {
        let text = r#"[{"method":"x","a":1,"a":2},{"id":1,"result":{"b":1,"b":2}},{"id":"q","method":"ping"}]"#;
        let Frame::Messages(messages) = frame(text) else {
            panic!("messages")
        };
        assert_eq!(messages.len(), 3);
        assert!(matches!(&messages[0], Message::Notification { method, .. } if method == "x"));
        let Message::Response(answer) = &messages[1] else {
            panic!("a response")
        };
        assert_eq!(answer.document.flaws.len(), 1);
        let span = answer.result().as_object().expect("an object").span();
        assert_eq!(&answer.source[span], br#"{"b":1,"b":2}"#);
        assert_eq!(answer.source, br#"{"id":1,"result":{"b":1,"b":2}}"#);
        assert!(matches!(&messages[2], Message::Request { id, .. } if id == "\"q\""));
    }

    #[test]
    fn a_null_error_beside_a_result_is_none() {
        let Frame::Messages(messages) = frame(r#"{"id":1,"result":{},"error":null}"#) else {
            panic!("messages")
        };
        let Message::Response(answer) = &messages[0] else {
            panic!("a response")
        };
        assert_eq!(RpcError::of(answer), None);
    }

    #[test]
    fn an_error_carries_the_revisions_that_the_server_names() {
        let text =
            r#"{"id":null,"error":{"code":-32022,"message":"m","data":{"supported":["a",1,"b"]}}}"#;
        let Frame::Messages(messages) = frame(text) else {
            panic!("messages")
        };
        let Message::Response(answer) = &messages[0] else {
            panic!("a response")
        };
        let error = RpcError::of(answer).expect("an error");
        assert!(error.is_modern());
        assert_eq!(error.supported, ["a", "b"]);
    }
}
