//! Where requests go and what says who asks: the URL, its userinfo, the configured headers.

use super::super::Failure;
use super::body::words;
use crate::secret::Secrets;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use reqwest::Client;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use std::time::Duration;
use url::Url;

/// How long one attempt to connect may take.
const CONNECT_WAIT: Duration = Duration::from_secs(10);

/// A URL without its userinfo, and what goes with every request to it.
pub(super) struct Origin {
    pub(super) client: Client,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    /// Whether anything of it says who asks.
    pub(super) with_credential: bool,
}

impl Origin {
    /// Userinfo of the URL becomes a Basic credential, unless a header says otherwise.
    pub(super) fn new(url: &str, headers: &[(String, String)]) -> Result<Self, Failure> {
        let mut url = Url::parse(url).map_err(|error| Failure::Url(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Failure::Url(format!(
                "its scheme is `{}`, not `http` or `https`",
                url.scheme()
            )));
        }
        url.set_fragment(None);
        let mut all = HeaderMap::new();
        for (name, value) in headers {
            let parsed = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| Failure::Header(name.clone()))?;
            all.append(parsed, secret_value(name, value)?);
        }
        if let Some(basic) = take_userinfo(&mut url)
            && !all.contains_key(AUTHORIZATION)
        {
            let value = secret_value("Authorization", &format!("Basic {basic}"))?;
            all.insert(AUTHORIZATION, value);
        }
        Ok(Self {
            client: client(url.scheme() == "https")?,
            with_credential: all.keys().any(|name| is_credential(name.as_str()))
                || url.query_pairs().any(|(name, _)| is_credential(&name)),
            url,
            headers: all,
        })
    }

    /// Host and port, which is all that may be shown of the URL.
    pub(super) fn address(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        match self.url.port_or_known_default() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }
}

/// Adds what a server may echo of the credentials: whole header values, what follows their first word, and
/// userinfo as it was sent.
pub(in super::super) fn add_secrets(
    url: &str,
    headers: &[(String, String)],
    secrets: &mut Secrets,
) {
    for (name, value) in headers {
        if let Some((_, credential)) = value.split_once(' ') {
            secrets.add(name.clone(), credential.trim());
        }
        secrets.add(name.clone(), value.clone());
    }
    if let Ok(mut url) = Url::parse(url) {
        if let Some(password) = url.password() {
            secrets.add("PASSWORD", password);
        }
        if let Some(basic) = take_userinfo(&mut url) {
            secrets.add("Authorization", basic);
        }
    }
}

/// Whether a header or query parameter of that name says who asks.
fn is_credential(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["auth", "cookie", "key", "password", "secret", "token"]
        .iter()
        .any(|part| name.contains(part))
}

fn secret_value(name: &str, value: &str) -> Result<HeaderValue, Failure> {
    let mut value = HeaderValue::from_str(value).map_err(|_| Failure::Header(name.to_owned()))?;
    value.set_sensitive(true);
    Ok(value)
}

/// Takes `user:password` out of a URL, as the base64 of RFC 7617.
fn take_userinfo(url: &mut Url) -> Option<String> {
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let decode = |text: &str| {
        url::form_urlencoded::parse(format!("x={}", text.replace('+', "%2B")).as_bytes())
            .next()
            .map(|(_, value)| value.into_owned())
            .unwrap_or_default()
    };
    let pair = format!(
        "{}:{}",
        decode(url.username()),
        decode(url.password().unwrap_or_default())
    );
    // Both fail only for URLs without a host, which were refused before.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    Some(BASE64.encode(pair))
}

/// A client. Redirects are ours to judge, and proxies are not asked.
pub(crate) fn client(with_tls: bool) -> Result<Client, Failure> {
    // Whoever installed a provider first is as good: it is the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .user_agent(concat!("countersign/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_WAIT)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy();
    if !with_tls {
        // The system's certificates are looked for only where they are needed: a container may have none.
        builder = builder.tls_certs_only([]);
    }
    builder.build().map_err(|error| Failure::Tls(words(&error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn userinfo_becomes_a_credential_and_leaves_the_url() {
        let mut url = Url::parse("http://us%40er:p+w%3A@localhost/mcp").expect("a URL");
        let basic = take_userinfo(&mut url).expect("userinfo");
        assert_eq!(basic, "dXNAZXI6cCt3Og==");
        assert_eq!(url.as_str(), "http://localhost/mcp");
        assert_eq!(take_userinfo(&mut url), None);
    }
}
