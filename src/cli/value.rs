//! Values of flags: times, sizes, a format with its file.

use crate::render::Format;
use std::path::PathBuf;

/// A report that goes to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Its format.
    pub format: Format,
    /// Where it goes; what is there is replaced.
    pub file: PathBuf,
}

pub(super) fn kept(text: &str) -> Result<Kept, String> {
    let known = || Format::ALL.map(Format::word).join(", ");
    match text.split_once('=') {
        Some((word, "-")) => Err(format!(
            "`-` is no file; `--format {word}` writes to standard output"
        )),
        Some((word, file)) if !file.is_empty() => Ok(Kept {
            format: Format::from_word(word)
                .ok_or_else(|| format!("no format `{word}`; there are {}", known()))?,
            file: file.into(),
        }),
        _ => Err(format!("expected FORMAT=FILE with one of {}", known())),
    }
}

pub(super) fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "expected a number of seconds".to_owned())?;
    if !(0.001..=86_400.0).contains(&seconds) {
        return Err("expected 0.001 to 86400 seconds".to_owned());
    }
    Ok(std::time::Duration::from_secs_f64(seconds))
}

/// A time as people write it: `30`, `30s`, `5m`, `1.5h`.
pub(super) fn time(text: &str) -> Result<std::time::Duration, String> {
    let (number, unit) = match text.find(|c: char| c.is_ascii_alphabetic()) {
        Some(at) => text.split_at(at),
        None => (text, "s"),
    };
    let factor = match unit {
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3_600.0,
        _ => return Err("expected a number of seconds, or a number with s, m or h".to_owned()),
    };
    let number: f64 = number
        .parse()
        .map_err(|_| "expected a number of seconds, or a number with s, m or h".to_owned())?;
    let seconds = number * factor;
    if !(0.1..=86_400.0).contains(&seconds) {
        return Err("expected 0.1 s to 24 h".to_owned());
    }
    Ok(std::time::Duration::from_secs_f64(seconds))
}

pub(super) fn at_least_a_kibibyte(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(bytes) if bytes >= 1024 => Ok(bytes),
        _ => Err("expected a number of bytes, at least 1024".to_owned()),
    }
}

pub(super) fn depth(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(levels) if (1..=crate::json::Limits::MAX_DEPTH).contains(&levels) => Ok(levels),
        _ => Err(format!("expected 1 to {}", crate::json::Limits::MAX_DEPTH)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_may_have_a_unit() {
        let seconds = |text| time(text).map(|time| time.as_secs_f64());
        for (text, wanted) in [
            ("30", 30.0),
            ("0.5s", 0.5),
            ("5m", 300.0),
            ("1.5h", 5_400.0),
        ] {
            assert_eq!(seconds(text), Ok(wanted), "{text}");
        }
        for text in ["", "m", "5 m", "5d", "0", "-1", "NaN", "inf", "25h"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
