//! Certificates of authorities that are trusted beside those of the system.

use super::Failure;
use reqwest::Certificate;
use std::path::Path;

/// Certificates in PEM form, read.
#[derive(Debug, Clone, Default)]
pub struct CaCerts(pub(super) Vec<Certificate>);

impl CaCerts {
    /// The variable that names a file of certificates, as for OpenSSL.
    const VARIABLE: &str = "SSL_CERT_FILE";

    /// Reads all certificates of a PEM file's content.
    ///
    /// # Errors
    /// What is wrong with it, for a sentence: no certificate, or one that cannot be read.
    pub fn read(pem: &[u8]) -> Result<Self, String> {
        let certs = Certificate::from_pem_bundle(pem)
            .map_err(|_| "it holds what is no certificate in PEM form".to_owned())?;
        if certs.is_empty() {
            return Err("it holds no certificate in PEM form".to_owned());
        }
        Ok(Self(certs))
    }

    /// Those that `SSL_CERT_FILE` names; none if it is not set.
    pub(super) fn of_environment() -> Result<Self, Failure> {
        let Some(file) = std::env::var_os(Self::VARIABLE).filter(|file| !file.is_empty()) else {
            return Ok(Self::default());
        };
        std::fs::read(&file)
            .map_err(|error| error.to_string())
            .and_then(|pem| Self::read(&pem))
            .map_err(|cause| {
                let file = Path::new(&file).display();
                Failure::Tls(format!("`{}` names `{file}`: {cause}", Self::VARIABLE))
            })
    }

    /// These and the others.
    pub(super) fn and(mut self, others: &Self) -> Self {
        self.0.extend(others.0.iter().cloned());
        self
    }
}
