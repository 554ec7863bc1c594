//! Servers that are reached over HTTP: their URL, headers and kind of authentication.

use super::expand::{Findings, Scope, Template};
use super::launch::{keep_secret, keep_userinfo};
use super::{looks, spans};
use crate::model::{Endpoint, Launch, Warning};
use base64::Engine;
use std::collections::BTreeSet;

/// The identity and the endpoint of an HTTP server.
pub(super) fn resolve(
    field: &str,
    url: &Template,
    headers: &[(String, Template)],
    scope: &Scope<'_>,
    findings: &mut Findings,
) -> (Launch, Endpoint) {
    let values = url.values(field, scope, findings);
    let expanded = url.filled(&values);
    let mut spans = spans::in_url(url.masked());
    keep_secret(url, &values, &spans, findings);
    keep_userinfo(&expanded, findings);
    check_url(field, &expanded, findings);

    let mut masked = url.masked().to_owned();
    let userinfo = masked
        .find("://")
        .and_then(|at| spans::userinfo_of(&masked, at));
    let mut auth = "none";
    if let Some(userinfo) = userinfo {
        // It is sent as `Authorization: Basic …`.
        auth = "header";
        let piece = &masked[userinfo.clone()];
        findings.secret("url.user", &basic(&values.fill(piece)));
        let who = url.with_masked(piece.to_owned());
        findings
            .credential
            .insert("authorization".to_owned(), who.variables());
        masked.replace_range(userinfo.start..=userinfo.end, "");
        spans = spans::in_url(&masked);
    }
    let written = url.with_masked(masked).written(&spans);
    if path_segments(&written).any(looks::random) {
        findings.warnings.push(Warning::new(
            "secret-in-path",
            format!("the path of `{field}` looks like it holds a key, and the lockfile will hold the path: write `${{NAME}}` in its place"),
        ));
    }

    let mut names = BTreeSet::new();
    let mut sent = Vec::with_capacity(headers.len());
    for (name, value) in headers {
        auth = stronger_auth(auth, name, value.masked());
        let field = format!("headers.{name}");
        if !is_header_name(name) {
            findings.problem(format!(
                "`headers` holds `{name}`, which cannot name a header"
            ));
        }
        if !names.insert(name.to_ascii_lowercase()) {
            findings.problem(format!("`headers` holds `{name}` twice, in different case"));
        }
        let values = value.values(&field, scope, findings);
        findings
            .credential
            .insert(name.to_ascii_lowercase(), value.variables());
        sent.push((
            name.clone(),
            header_value(&field, name, &value.filled(&values), findings),
        ));
    }
    let launch = Launch::Http {
        url: plain_origin(&written),
        headers: names,
        auth: auth.to_owned(),
    };
    let endpoint = Endpoint::Http {
        url: expanded,
        headers: sent,
    };
    (launch, endpoint)
}

/// Userinfo as it is sent (RFC 7617): without the escapes of the URL, a colon in every case, in base64.
fn basic(userinfo: &str) -> String {
    let (user, password) = userinfo.split_once(':').unwrap_or((userinfo, ""));
    let plain = |text: &str| {
        let pair = format!("v={}", text.replace('+', "%2B").replace('&', "%26"));
        let mut decoded = url::form_urlencoded::parse(pair.as_bytes());
        decoded
            .next()
            .map_or_else(String::new, |(_, value)| value.into_owned())
    };
    let pair = format!("{}:{}", plain(user), plain(password));
    base64::engine::general_purpose::STANDARD.encode(pair)
}

/// The kind of authentication once one more header is sent. `value` is only looked at for its scheme.
pub(super) fn stronger_auth<'a>(auth: &'a str, name: &str, value: &str) -> &'a str {
    let is_bearer = value
        .get(.."bearer ".len())
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("bearer "));
    if name.eq_ignore_ascii_case("authorization") {
        if is_bearer { "bearer" } else { "header" }
    } else if auth == "none" && looks::secret_name(name) {
        "header"
    } else {
        auth
    }
}

/// The value as it is sent. All of it is a secret, and so is what follows the name of a scheme.
pub(super) fn header_value(
    field: &str,
    name: &str,
    value: &str,
    findings: &mut Findings,
) -> String {
    let value = value.trim_matches([' ', '\t']);
    findings.secret(name, value);
    if let Some((_, credential)) = value.split_once(' ') {
        findings.secret(name, credential.trim());
    }
    if value.contains(|c: char| c.is_control() && c != '\t') {
        findings.problem(format!(
            "`{field}` holds a control character, such as a line break"
        ));
    }
    value.to_owned()
}

/// Whether a text can name a header (RFC 9110, section 5.1).
pub(super) fn is_header_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c))
}

/// The text of a URL is in no message: its path may be what nobody else should know.
fn check_url(field: &str, expanded: &str, findings: &mut Findings) {
    // What is missing has been said.
    if !findings.problems.is_empty() {
        return;
    }
    match url::Url::parse(expanded) {
        Ok(url) if !matches!(url.scheme(), "http" | "https" | "unix") => findings.problem(format!(
            "`{field}` begins with `{}:`; only http, https and unix are spoken",
            url.scheme()
        )),
        Ok(_) => {}
        Err(error) => {
            let reason = error.to_string();
            findings.problem(format!("`{field}` is no URL: {reason}"));
        }
    }
}

fn path_segments(url: &str) -> impl Iterator<Item = &str> {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.split("://")
        .skip(1)
        .flat_map(|rest| rest.split('/').skip(1))
}

/// Scheme and host in the one spelling that they have, without the port that goes without saying.
fn plain_origin(written: &str) -> String {
    if written.starts_with("unix:") {
        return written.to_owned();
    }
    let start = written.find("://").map_or(0, |at| at + 3);
    let end = written[start..]
        .find(['/', '?', '#'])
        .map_or(written.len(), |length| start + length);
    if written[..end].contains("${") {
        return written.to_owned();
    }
    let Ok(origin) = url::Url::parse(&written[..end]) else {
        return written.to_owned();
    };
    let rest = &written[end..];
    let origin = origin.as_str().trim_end_matches('/');
    let slash = if rest.starts_with('/') { "" } else { "/" };
    format!("{origin}{slash}{rest}")
}
