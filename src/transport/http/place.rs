//! What a configured URL means: where to connect, what to ask for there, and who asks.

use super::super::Failure;
use super::reach;
use crate::secret::Secrets;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use std::path::{Path, PathBuf};
use url::Url;

/// A URL, taken apart.
pub(super) struct Place {
    /// The URL without userinfo and fragment.
    pub(super) url: Url,
    /// The socket that is connected to in place of the URL's host.
    pub(super) socket: Option<PathBuf>,
    /// The userinfo, as the base64 of RFC 7617.
    pub(super) basic: Option<String>,
}

impl Place {
    pub(super) fn read(text: &str) -> Result<Self, Failure> {
        let mut url = Url::parse(text).map_err(|error| Failure::Url(error.to_string()))?;
        let mut socket = None;
        if url.scheme() == "unix" {
            let (path, inside) = on_socket(&url)?;
            (socket, url) = (Some(path), inside);
        }
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Failure::Url(format!(
                "its scheme is `{}`, not `http`, `https` or `unix`",
                url.scheme()
            )));
        }
        url.set_fragment(None);
        let basic = take_userinfo(&mut url);
        Ok(Self { url, socket, basic })
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
    reach::add_secrets(secrets);
    if let Ok(mut url) = Url::parse(url) {
        if let Some(password) = url.password() {
            secrets.add("PASSWORD", password);
        }
        if let Some(basic) = take_userinfo(&mut url) {
            secrets.add("Authorization", basic);
        }
    }
}

/// Takes `user:password` out of a URL, as the base64 of RFC 7617.
fn take_userinfo(url: &mut Url) -> Option<String> {
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let pair = format!(
        "{}:{}",
        percent_decoded(url.username()),
        percent_decoded(url.password().unwrap_or_default())
    );
    // Both fail only for URLs without a host, which were refused before.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    Some(BASE64.encode(pair))
}

fn percent_decoded(text: &str) -> String {
    let escaped = text.replace('+', "%2B").replace('&', "%26");
    url::form_urlencoded::parse(format!("x={escaped}").as_bytes())
        .next()
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

/// Host and port, which is all that may be shown of the URL; or the socket.
pub(super) fn address(url: &Url, socket: Option<&Path>) -> String {
    if let Some(socket) = socket {
        return format!("unix:{}", socket.display());
    }
    let host = url.host_str().unwrap_or_default();
    match url.port_or_known_default() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// What a URL of a socket means (`unix:///path/of.sock#/mcp`): the socket, and the URL of what listens there.
fn on_socket(url: &Url) -> Result<(PathBuf, Url), Failure> {
    let bad = |cause: &str| Failure::Url(cause.to_owned());
    if url.host().is_some() || url.path().len() < 2 {
        return Err(bad("a socket is written `unix:///path/of.sock#/path`"));
    }
    let path = percent_decoded(url.path());
    let inside = url.fragment().unwrap_or_default();
    let inside = Url::parse("http://localhost/")
        .and_then(|base| base.join(&format!("/{}", inside.trim_start_matches('/'))))
        .map_err(|error| Failure::Url(error.to_string()))?;
    Ok((PathBuf::from(path), inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_and_what_listens_there_are_told_apart() {
        let read = |text: &str| on_socket(&Url::parse(text).expect("a URL")).ok();
        let url = |text: &str| Url::parse(text).expect("a URL");
        assert_eq!(
            read("unix:///tmp/a%20b+c.sock#/mcp?x=1"),
            Some(("/tmp/a b+c.sock".into(), url("http://localhost/mcp?x=1")))
        );
        assert_eq!(
            read("unix:///s"),
            Some(("/s".into(), url("http://localhost/")))
        );
        // What stands after `#` never names another host.
        assert_eq!(
            read("unix:///s#//evil.example/x"),
            Some(("/s".into(), url("http://localhost/evil.example/x")))
        );
        assert_eq!(read("unix://host/s#/mcp"), None);
        assert_eq!(read("unix:///#/mcp"), None);
    }

    #[test]
    fn userinfo_becomes_a_credential_and_leaves_the_url() {
        let mut url = Url::parse("http://us%40er:p+w%3A@localhost/mcp").expect("a URL");
        let basic = take_userinfo(&mut url).expect("userinfo");
        assert_eq!(basic, "dXNAZXI6cCt3Og==");
        assert_eq!(url.as_str(), "http://localhost/mcp");
        assert_eq!(take_userinfo(&mut url), None);
    }
}
