//! Reading what an HTTP response holds, no further than its bound.

use reqwest::Response;
use reqwest::header::{CONTENT_TYPE, LOCATION};

/// Why a body is not whole.
pub(super) enum BodyError {
    /// Longer than the bound.
    TooLong,
    /// The connection broke.
    Broken(String),
}

/// Reads the body on to its end, if it is at most that long. Safe to be cancelled: what was read stays in `body`.
pub(super) async fn bounded(
    response: &mut Response,
    body: &mut Vec<u8>,
    bound: usize,
) -> Result<(), BodyError> {
    while let Some(piece) = response
        .chunk()
        .await
        .map_err(|error| BodyError::Broken(words(&error)))?
    {
        if body.len() + piece.len() > bound {
            body.extend_from_slice(&piece[..bound - body.len()]);
            return Err(BodyError::TooLong);
        }
        body.extend_from_slice(&piece);
    }
    Ok(())
}

/// Whether it is an event stream.
pub(in super::super) fn is_stream(response: &Response) -> bool {
    response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| {
            let essence = value.split(';').next().unwrap_or_default().trim();
            essence.eq_ignore_ascii_case("text/event-stream")
        })
}

/// Where it redirects to; empty if it does not.
pub(super) fn location(response: &Response) -> String {
    response
        .headers()
        .get(LOCATION)
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
        .unwrap_or_default()
}

/// The innermost cause: the outer ones repeat that a request was sent, and name its URL.
pub(crate) fn words(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    match cause.downcast_ref::<reqwest::Error>() {
        Some(outermost) if outermost.is_timeout() => "it took too long".to_owned(),
        Some(_) => "the request failed".to_owned(),
        None => cause.to_string(),
    }
}
