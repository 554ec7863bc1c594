//! `Retry-After` (RFC 9110, section 10.2.3): how long a server that is busy wants to be left alone.

use jiff::Timestamp;
use jiff::fmt::rfc2822;
use reqwest::header::RETRY_AFTER;
use reqwest::{Response, StatusCode};
use std::time::Duration;

/// The pause that an answer asks for before the same request is sent again.
pub(super) fn asked_by(response: &Response) -> Option<Duration> {
    let is_busy = matches!(
        response.status(),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
    );
    let text = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    is_busy.then(|| read(text, Timestamp::now()))?
}

/// Seconds, or a date.
fn read(text: &str, now: Timestamp) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let date = rfc2822::parse(text).ok()?.timestamp();
    Some(Duration::try_from(date.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_read() {
        let now: Timestamp = "2026-07-28T10:00:00Z".parse().expect("a time");
        for (text, seconds) in [
            ("0", Some(0)),
            (" 120 ", Some(120)),
            ("99999999999999999999999", Some(u64::MAX)),
            ("Tue, 28 Jul 2026 10:00:30 GMT", Some(30)),
            ("Tue, 28 Jul 2026 09:00:00 GMT", Some(0)),
            ("", None),
            ("-1", None),
            ("soon", None),
        ] {
            assert_eq!(read(text, now), seconds.map(Duration::from_secs), "{text}");
        }
    }
}
