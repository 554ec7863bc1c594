//! The HTTP client of one origin: which certificates are trusted, and what stands between.
//!
//! A proxy is taken from `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` (lower case too), and never asked
//! for a server on loopback. Redirects are not followed here.

use super::super::{CaCerts, Failure};
use super::body::words;
use crate::secret::Secrets;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use reqwest::{Client, ClientBuilder};
use std::path::Path;
use std::time::Duration;
use url::{Host, Url};

/// How long one attempt to connect may take.
const CONNECT_WAIT: Duration = Duration::from_secs(10);

/// The variables that name a proxy for any scheme, beside those of the scheme.
const ANY_PROXY: [&str; 2] = ["ALL_PROXY", "all_proxy"];
const HTTP_PROXY: [&str; 2] = ["HTTP_PROXY", "http_proxy"];
const HTTPS_PROXY: [&str; 2] = ["HTTPS_PROXY", "https_proxy"];

/// A client for one origin, or for what listens on a socket.
pub(crate) fn client(
    url: &Url,
    socket: Option<&Path>,
    ca_certs: &CaCerts,
) -> Result<Client, Failure> {
    // Whoever installed a provider first is as good: it is the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let plain = || {
        let builder = Client::builder()
            .user_agent(concat!("countersign/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_WAIT)
            .redirect(reqwest::redirect::Policy::none());
        if is_loopback(url) {
            builder.no_proxy()
        } else {
            builder
        }
    };
    let built = if let Some(socket) = socket {
        on_socket(plain().no_proxy().tls_certs_only([]), socket)?.build()
    } else if url.scheme() == "http" && proxy_variable(url).is_none() {
        // The system's certificates are looked for only where they are needed: a container may have none.
        plain().tls_certs_only([]).build()
    } else {
        let named = CaCerts::of_environment()?.and(ca_certs);
        match plain().tls_certs_merge(named.0.clone()).build() {
            // No certificates of the system: those that were named will do, and plain HTTP needs none.
            Err(_) if !named.0.is_empty() || url.scheme() == "http" => {
                plain().tls_certs_only(named.0).build()
            }
            built => built,
        }
    };
    built.map_err(|error| Failure::Tls(words(&error)))
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "the same call as elsewhere")]
fn on_socket(builder: ClientBuilder, socket: &Path) -> Result<ClientBuilder, Failure> {
    Ok(builder.unix_socket(socket))
}

#[cfg(not(unix))]
fn on_socket(_: ClientBuilder, _: &Path) -> Result<ClientBuilder, Failure> {
    Err(Failure::Url(
        "its scheme is `unix`, and this system has no such sockets that countersign can reach"
            .to_owned(),
    ))
}

/// The variable that names a proxy for a URL. Whether `NO_PROXY` excepts it is not looked at.
pub(super) fn proxy_variable(url: &Url) -> Option<&'static str> {
    if is_loopback(url) {
        return None;
    }
    let of_scheme = if url.scheme() == "https" {
        HTTPS_PROXY
    } else {
        HTTP_PROXY
    };
    of_scheme
        .into_iter()
        .chain(ANY_PROXY)
        .find(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// Adds what a proxy may echo of the credentials in its URL.
pub(super) fn add_secrets(secrets: &mut Secrets) {
    for name in [HTTP_PROXY, HTTPS_PROXY, ANY_PROXY].concat() {
        let Some(url) = std::env::var(name)
            .ok()
            .and_then(|text| Url::parse(&text).ok())
        else {
            continue;
        };
        if let Some(password) = url.password() {
            secrets.add(name, password);
            secrets.add(
                name,
                BASE64.encode(format!("{}:{password}", url.username())),
            );
        }
    }
}

/// Whether a URL is of this machine itself, where no proxy has anything to say.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            name == "localhost" || name.ends_with(".localhost")
        }
        Some(Host::Ipv4(address)) => address.is_loopback() || address.is_unspecified(),
        Some(Host::Ipv6(address)) => {
            address.is_loopback()
                || address.is_unspecified()
                || address.to_ipv4_mapped().is_some_and(|v4| v4.is_loopback())
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_known_in_every_spelling() {
        for (host, expected) in [
            ("localhost", true),
            ("LOCALHOST.", true),
            ("a.localhost", true),
            ("127.1", true),
            ("127.255.0.3", true),
            ("0.0.0.0", true),
            ("[::1]", true),
            ("[::]", true),
            ("[::ffff:127.0.0.1]", true),
            ("localhost.example", false),
            ("notlocalhost", false),
            ("128.0.0.1", false),
            ("[::2]", false),
        ] {
            let url = Url::parse(&format!("http://{host}/mcp")).expect("a URL");
            assert_eq!(is_loopback(&url), expected, "{host}");
        }
    }
}
