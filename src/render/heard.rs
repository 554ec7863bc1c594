//! How a change came to be known, in words.

use std::time::Duration;

/// How a history tells of it; `None` for a run that looked once and knows nothing of it.
pub fn recorded(announced: Option<bool>, delay: Option<Duration>) -> Option<String> {
    let is_known = announced.is_some() || delay.is_some();
    is_known.then(|| words(announced, delay))
}

/// Whether a change was announced, and how long it had been there when it was found, at most.
pub fn words(announced: Option<bool>, delay: Option<Duration>) -> String {
    match (announced, delay.map(span)) {
        (Some(true), Some(delay)) => format!("announced {delay} before"),
        (Some(true), None) => "announced".to_owned(),
        (Some(false), Some(within)) => format!("unannounced, within {within}"),
        (Some(false), None) => "unannounced".to_owned(),
        (None, Some(within)) => format!("while nobody listened, within {within}"),
        (None, None) => "while nobody listened".to_owned(),
    }
}

/// A span of time as a log shows it. What is no whole minute or hour counts as the next.
pub fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        60..3_600 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h", seconds.div_ceil(3_600)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_never_told_as_shorter_than_it_was_by_more_than_a_tenth_of_a_second() {
        let told = |millis| span(Duration::from_millis(millis));
        assert_eq!(told(140), "0.1 s");
        assert_eq!(told(59_900), "59.9 s");
        assert_eq!(told(61_000), "2 min");
        assert_eq!(told(3_600_000), "1 h");
        assert_eq!(told(3_601_000), "2 h");
    }
}
