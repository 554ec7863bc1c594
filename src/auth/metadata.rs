//! Who lets in to a server: the metadata of the resource (RFC 9728) and of its authorization server (RFC 8414, or
//! the discovery of `OpenID` Connect), in the order of the MCP specification 2026-07-28, "Authorization".

use super::web::{Web, shown};
use crate::model::Problem;
use crate::transport::{Challenge, cut};
use reqwest::StatusCode;
use reqwest::header::WWW_AUTHENTICATE;
use serde_json::Value;
use url::Url;

/// What a server says of who lets in.
pub(super) struct Discovered {
    /// The identifier of the resource that a token is for (RFC 8707).
    pub(super) resource: String,
    /// The scopes to ask for: those of the challenge, else all that the resource names; empty for none.
    pub(super) scopes: Vec<String>,
    pub(super) provider: Provider,
}

/// An authorization server.
#[derive(Debug)]
pub(super) struct Provider {
    pub(super) issuer: String,
    /// Where people are sent; a server for machines only has none.
    pub(super) authorization: Option<Url>,
    /// Whether it says that it checks PKCE (RFC 7636) with SHA-256.
    pub(super) checks_pkce: bool,
    pub(super) token: Url,
    pub(super) registration: Option<Url>,
    /// How clients say who they are; empty where it does not say.
    pub(super) methods: Vec<String>,
    pub(super) scopes: Vec<String>,
    /// Whether it promises to name itself in its answers (RFC 9207).
    pub(super) names_itself: bool,
}

fn refuse(message: impl Into<String>) -> Problem {
    Problem::new("auth", message)
}

/// Asks the server who lets in, and that one for its endpoints.
pub(super) async fn discover(web: &Web, server: &Url) -> Result<Discovered, Problem> {
    let response = web.probe(server).await?;
    let status = response.status();
    let values = response.headers().get_all(WWW_AUTHENTICATE).iter();
    let challenge =
        Challenge::read(values.filter_map(|value| value.to_str().ok())).unwrap_or_default();
    let Some(resource) = resource(web, server, &challenge).await? else {
        return legacy(web, server, &challenge, status).await;
    };
    let identifier = resource["resource"].as_str().unwrap_or_default();
    if !covers(identifier, server) {
        return Err(refuse(format!(
            "the metadata of the server is about `{}`, not about `{}`",
            cut(identifier, 200),
            shown(server)
        )));
    }
    let issuers = texts(&resource["authorization_servers"]);
    let issuer = issuers
        .first()
        .ok_or_else(|| refuse("the metadata of the server names no authorization server"))?;
    Ok(Discovered {
        resource: identifier.to_owned(),
        scopes: match &challenge.scope {
            Some(scope) => words(scope),
            None => texts(&resource["scopes_supported"]),
        },
        provider: provider(web, issuer).await?,
    })
}

/// The metadata of the resource, where it says it is or where it has to be.
async fn resource(
    web: &Web,
    server: &Url,
    challenge: &Challenge,
) -> Result<Option<Value>, Problem> {
    if let Some(named) = &challenge.resource_metadata {
        let url = web.url("the metadata address", named)?;
        return match web.get(&url).await? {
            Some(found) => Ok(Some(found)),
            None => Err(refuse(format!("there is no metadata at `{}`", shown(&url)))),
        };
    }
    let path = server.path().trim_end_matches('/');
    for path in [path, ""] {
        let url = well_known(server, &format!("oauth-protected-resource{path}"));
        if let Some(found) = web.get(&url).await? {
            return Ok(Some(found));
        }
        if path.is_empty() {
            break;
        }
    }
    Ok(None)
}

fn well_known(base: &Url, rest: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("/.well-known/{rest}"));
    url.set_query(None);
    url.set_fragment(None);
    url
}

/// Whether a resource's identifier covers a URL: the same origin, and its path or one above it.
fn covers(identifier: &str, server: &Url) -> bool {
    let Ok(identifier) = Url::parse(identifier) else {
        return false;
    };
    let above = identifier.path().trim_end_matches('/');
    let rest = server.path().strip_prefix(above);
    identifier.origin() == server.origin()
        && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The metadata of an authorization server, which must be of exactly that issuer.
async fn provider(web: &Web, issuer: &str) -> Result<Provider, Problem> {
    let url = web.url("the authorization server", issuer)?;
    let path = url.path().trim_end_matches('/');
    let mut places = vec![
        well_known(&url, &format!("oauth-authorization-server{path}")),
        well_known(&url, &format!("openid-configuration{path}")),
    ];
    if !path.is_empty() {
        let mut inside = url.clone();
        inside.set_path(&format!("{path}/.well-known/openid-configuration"));
        places.push(inside);
    }
    for place in places {
        let Some(found) = web.get(&place).await? else {
            continue;
        };
        let named = found["issuer"].as_str().unwrap_or_default();
        if named != issuer {
            return Err(refuse(format!(
                "`{}` is about the issuer `{}`, not about `{}`",
                shown(&place),
                cut(named, 200),
                cut(issuer, 200)
            )));
        }
        return read(web, issuer, &found);
    }
    Err(refuse(format!(
        "the authorization server `{}` has no metadata",
        shown(&url)
    )))
}

fn read(web: &Web, issuer: &str, found: &Value) -> Result<Provider, Problem> {
    let endpoint = |name: &str| match found[name].as_str() {
        Some(text) => web.url(&format!("the `{name}`"), text).map(Some),
        None => Ok(None),
    };
    let token = endpoint("token_endpoint")?
        .ok_or_else(|| refuse("the authorization server names no `token_endpoint`"))?;
    Ok(Provider {
        issuer: issuer.to_owned(),
        authorization: endpoint("authorization_endpoint")?,
        checks_pkce: texts(&found["code_challenge_methods_supported"])
            .iter()
            .any(|method| method == "S256"),
        token,
        registration: endpoint("registration_endpoint")?,
        methods: texts(&found["token_endpoint_auth_methods_supported"]),
        scopes: texts(&found["scopes_supported"]),
        names_itself: found["authorization_response_iss_parameter_supported"] == true,
    })
}

/// A server of 2025-03-26, which is its own authorization server, with endpoints where that revision puts them
/// unless its metadata says otherwise. `status` is what it answered to somebody without a credential.
async fn legacy(
    web: &Web,
    server: &Url,
    challenge: &Challenge,
    status: StatusCode,
) -> Result<Discovered, Problem> {
    let issuer = server.origin().ascii_serialization();
    let place = well_known(server, "oauth-authorization-server");
    let provider = if let Some(found) = web.get(&place).await? {
        let named = found["issuer"].as_str().unwrap_or_default();
        if named.trim_end_matches('/') != issuer {
            return Err(refuse(format!(
                "`{}` is about the issuer `{}`, not about `{issuer}`",
                shown(&place),
                cut(named, 200)
            )));
        }
        read(web, named, &found)?
    } else if status != StatusCode::UNAUTHORIZED {
        return Err(refuse(format!(
            "`{}` asks nobody to sign in: it answered {status}, and names no authorization server",
            shown(server)
        )));
    } else {
        let endpoint = |path: &str| web.url("the server", &format!("{issuer}{path}"));
        Provider {
            authorization: Some(endpoint("/authorize")?),
            checks_pkce: true,
            token: endpoint("/token")?,
            registration: Some(endpoint("/register")?),
            methods: Vec::new(),
            scopes: Vec::new(),
            names_itself: false,
            issuer,
        }
    };
    Ok(Discovered {
        resource: shown(server),
        scopes: challenge.scope.as_deref().map(words).unwrap_or_default(),
        provider,
    })
}

/// The texts of an array; none if it is something else.
fn texts(value: &Value) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    items
        .filter_map(|item| item.as_str().map(str::to_owned))
        .collect()
}

/// Scopes, one by one.
pub(super) fn words(scope: &str) -> Vec<String> {
    scope.split_ascii_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resource_covers_its_own_path_and_those_below_it() {
        let server = Url::parse("https://h.example/a/mcp").expect("a URL");
        for (identifier, wanted) in [
            ("https://h.example/a/mcp", true),
            ("https://h.example/a/mcp/", true),
            ("https://h.example/a", true),
            ("https://h.example", true),
            ("https://h.example:443/", true),
            ("https://h.example/a/m", false),
            ("https://h.example/a/mcp/x", false),
            ("http://h.example/a/mcp", false),
            ("https://other.example/a/mcp", false),
            ("", false),
        ] {
            assert_eq!(covers(identifier, &server), wanted, "{identifier}");
        }
    }
}
