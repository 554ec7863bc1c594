//! SHA-256 over canonical text or raw bytes, as one small type that says which.

use sha2::{Digest as _, Sha256};
use std::fmt;
use std::str::FromStr;

/// A SHA-256 with the scheme that it was computed by.
///
/// Written `v1:` and 64 hexadecimal digits; `raw:v1:…` where a definition has no canonical form and its bytes
/// were hashed as sent. The number is that of the hash scheme: a later countersign that hashes otherwise
/// computes the new digest from the stored definition, so that an upgrade is never drift.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest {
    raw: bool,
    hash: [u8; 32],
}

const SCHEME: &str = "v1:";
const RAW: &str = "raw:";

impl Digest {
    /// Of a canonical text.
    pub fn of(text: &str) -> Self {
        Self {
            raw: false,
            hash: Sha256::digest(text.as_bytes()).into(),
        }
    }

    /// Of bytes that have no canonical form.
    pub fn of_raw(bytes: &[u8]) -> Self {
        Self {
            raw: true,
            hash: Sha256::digest(bytes).into(),
        }
    }

    /// Whether raw bytes were hashed.
    pub fn is_raw(&self) -> bool {
        self.raw
    }

    /// The 64 hexadecimal digits alone: for file names.
    pub fn hex(&self) -> String {
        let digits = self.hash.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        digits
            .map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)]))
            .collect()
    }

    /// The first twelve hexadecimal digits: for people.
    pub fn short(&self) -> String {
        self.hex()[..12].to_owned()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let raw = if self.raw { RAW } else { "" };
        write!(f, "{raw}{SCHEME}{}", self.hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no [`Digest`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a digest: expected `v1:` and 64 hexadecimal digits")]
pub struct ParseDigestError;

impl FromStr for Digest {
    type Err = ParseDigestError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (raw, rest) = match text.strip_prefix(RAW) {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let hex = rest.strip_prefix(SCHEME).ok_or(ParseDigestError)?;
        if hex.len() != 64 || !hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(ParseDigestError);
        }
        let mut hash = [0; 32];
        for (i, byte) in hash.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).map_err(|_| ParseDigestError)?;
        }
        Ok(Self { raw, hash })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_reads_back_from_its_text() {
        for digest in [Digest::of("{}"), Digest::of_raw(b"\xff")] {
            assert_eq!(digest.to_string().parse(), Ok(digest));
        }
        assert_eq!(
            Digest::of("").to_string(),
            "v1:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
    }

    #[test]
    fn other_texts_are_no_digest() {
        for text in [
            "",
            "v1:",
            "v2:e3b0",
            "sha256:00",
            &format!("v1:{}", "G".repeat(64)),
            &format!("v1:{}", "A".repeat(64)),
        ] {
            assert_eq!(text.parse::<Digest>(), Err(ParseDigestError), "{text}");
        }
    }
}
