//! Texts that nobody can guess.

use crate::model::Problem;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::{SecureRandom as _, SystemRandom};

/// 256 random bits in the alphabet of URLs: 43 characters, which is what RFC 7636 asks of a verifier.
pub(super) fn text() -> Result<String, Problem> {
    let mut bytes = [0; 32];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| Problem::new("internal", "the system gives no random numbers"))?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}
