//! Signed statements of who we are: `private_key_jwt` (RFC 7523), from a key in a PEM file.
//!
//! Signed with ring, so that no second crypto library comes in.

use super::random;
use crate::model::Problem;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD as BASE64, URL_SAFE_NO_PAD};
use jiff::Timestamp;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair,
    RSA_PKCS1_SHA256, RsaKeyPair,
};

/// Seconds for which a statement is good: long enough for clocks that differ, short for whoever finds one.
const LASTS: i64 = 120;

/// A private key. It has no `Debug` on purpose.
pub struct Key(Pair);

enum Pair {
    Es256(EcdsaKeyPair),
    Es384(EcdsaKeyPair),
    Rs256(RsaKeyPair),
    EdDsa(Ed25519KeyPair),
}

impl Key {
    /// Reads a PEM text: PKCS #8 (EC P-256 and P-384, RSA, Ed25519), or PKCS #1 for RSA.
    ///
    /// # Errors
    /// `usage`: it holds no such key. Nothing of it is in the message.
    pub fn from_pem(text: &str) -> Result<Self, Problem> {
        let refuse = |why: &str| Problem::new("usage", format!("the key of `--client-key` {why}"));
        let (label, der) = pem(text).ok_or_else(|| refuse("is in no PEM text"))?;
        let random = SystemRandom::new();
        let pair = match label {
            "PRIVATE KEY" => {
                let ec = |algorithm| EcdsaKeyPair::from_pkcs8(algorithm, &der, &random);
                ec(&ECDSA_P256_SHA256_FIXED_SIGNING)
                    .map(Pair::Es256)
                    .or_else(|_| ec(&ECDSA_P384_SHA384_FIXED_SIGNING).map(Pair::Es384))
                    .or_else(|_| RsaKeyPair::from_pkcs8(&der).map(Pair::Rs256))
                    .or_else(|_| Ed25519KeyPair::from_pkcs8_maybe_unchecked(&der).map(Pair::EdDsa))
                    .map_err(|_| {
                        refuse(
                            "is neither EC (P-256, P-384) nor RSA (2048 bits and more) nor Ed25519",
                        )
                    })?
            }
            "RSA PRIVATE KEY" => RsaKeyPair::from_der(&der)
                .map(Pair::Rs256)
                .map_err(|_| refuse("is no RSA key of 2048 bits and more"))?,
            "EC PRIVATE KEY" => {
                return Err(refuse("is in the old form of EC keys")
                    .with_hint("openssl pkcs8 -topk8 -nocrypt -in OLD.pem -out NEW.pem"));
            }
            "ENCRYPTED PRIVATE KEY" => return Err(refuse("is encrypted")),
            _ => return Err(refuse("is no private key")),
        };
        Ok(Self(pair))
    }

    /// The statement that a client is who it says, for that issuer only, for two minutes and one use.
    pub(super) fn statement(&self, client: &str, issuer: &str) -> Result<String, Problem> {
        let now = Timestamp::now().as_second();
        let head = serde_json::json!({ "alg": self.algorithm(), "typ": "JWT" });
        let claims = serde_json::json!({
            "iss": client, "sub": client, "aud": issuer,
            "iat": now, "exp": now + LASTS, "jti": random::text()?,
        });
        let encode = |value: serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let message = format!("{}.{}", encode(head), encode(claims));
        let signature = self.sign(message.as_bytes())?;
        Ok(format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }

    const fn algorithm(&self) -> &'static str {
        match &self.0 {
            Pair::Es256(_) => "ES256",
            Pair::Es384(_) => "ES384",
            Pair::Rs256(_) => "RS256",
            Pair::EdDsa(_) => "EdDSA",
        }
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Problem> {
        let random = SystemRandom::new();
        let failed = |_| Problem::new("internal", "the key of `--client-key` cannot sign");
        match &self.0 {
            Pair::Es256(pair) | Pair::Es384(pair) => {
                let signature = pair.sign(&random, message).map_err(failed)?;
                Ok(signature.as_ref().to_vec())
            }
            Pair::Rs256(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature)
                    .map_err(failed)?;
                Ok(signature)
            }
            Pair::EdDsa(pair) => Ok(pair.sign(message).as_ref().to_vec()),
        }
    }
}

/// The label and the bytes of the first block of a PEM text that may be a key.
fn pem(text: &str) -> Option<(&str, Vec<u8>)> {
    let mut rest = text;
    loop {
        let (_, after) = rest.split_once("-----BEGIN ")?;
        let (label, after) = after.split_once("-----")?;
        let (body, after) = after.split_once(&format!("-----END {label}-----"))?;
        // `openssl ecparam -genkey` writes the parameters first.
        if label == "EC PARAMETERS" {
            rest = after;
            continue;
        }
        let body: String = body.split_ascii_whitespace().collect();
        return Some((label, BASE64.decode(body).ok()?));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ring::signature::{ECDSA_P256_SHA256_FIXED, KeyPair as _, UnparsedPublicKey};

    fn wrap(label: &str, der: &[u8]) -> String {
        let body = BASE64.encode(der);
        format!("-----BEGIN {label}-----\n{body}\n-----END {label}-----\n")
    }

    #[test]
    fn a_statement_is_signed_and_says_who_for_whom_and_how_long() {
        let random = SystemRandom::new();
        let document =
            EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).expect("a key");
        let text = wrap("PRIVATE KEY", document.as_ref());
        let key = Key::from_pem(&text).unwrap_or_else(|problem| panic!("{problem:?}"));
        let statement = key
            .statement("me", "https://as.example")
            .expect("a statement");
        let (message, signature) = statement.rsplit_once('.').expect("three parts");
        let Pair::Es256(pair) = &key.0 else {
            panic!("{}", key.algorithm());
        };
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, pair.public_key().as_ref())
            .verify(
                message.as_bytes(),
                &URL_SAFE_NO_PAD.decode(signature).expect("base64"),
            )
            .expect("the signature fits");
        let (_, claims) = message.split_once('.').expect("two parts");
        let claims = URL_SAFE_NO_PAD.decode(claims).expect("base64");
        let claims: serde_json::Value = serde_json::from_slice(&claims).expect("JSON");
        assert_eq!(
            (&claims["iss"], &claims["sub"]),
            (&"me".into(), &"me".into())
        );
        assert_eq!(claims["aud"], "https://as.example");
        let lasts = claims["exp"].as_i64().zip(claims["iat"].as_i64());
        assert_eq!(lasts.map(|(end, start)| end - start), Some(120));
    }

    #[test]
    fn ed25519_keys_are_read_and_other_texts_refused_without_showing_them() {
        let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("a key");
        let key = Key::from_pem(&wrap("PRIVATE KEY", document.as_ref()));
        assert!(matches!(key, Ok(Key(Pair::EdDsa(_)))));
        for (text, wanted) in [
            ("s3cret".to_owned(), "in no PEM text"),
            (wrap("PRIVATE KEY", b"s3cret"), "neither EC"),
            (wrap("RSA PRIVATE KEY", b"s3cret"), "no RSA key"),
            (wrap("EC PRIVATE KEY", b"s3cret"), "old form"),
            (wrap("ENCRYPTED PRIVATE KEY", b"s3cret"), "encrypted"),
            (wrap("CERTIFICATE", b"s3cret"), "no private key"),
        ] {
            let problem = Key::from_pem(&text).err().expect("no key");
            assert!(problem.message.contains(wanted), "{problem:?}");
            assert!(!problem.message.contains("s3cret"), "{problem:?}");
        }
    }
}
