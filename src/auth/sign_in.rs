//! Signing in to a server in a browser: the authorization code flow with PKCE (OAuth 2.1; MCP specification
//! 2026-07-28, "Authorization"). It says where to go and takes what comes back; going there is somebody else's part.

use super::client::{self, Client};
use super::metadata::{Discovered, Provider, discover, words};
use super::random;
use super::store::Kept;
use super::web::Web;
use crate::model::Problem;
use crate::transport::{CaCerts, cut};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use url::Url;

/// The scope that asks for a refresh token.
const OFFLINE: &str = "offline_access";

/// What a person wants of a sign-in. It may hold a secret; there is no `Debug` on purpose.
#[derive(Clone, Default)]
pub struct Wishes {
    /// A client that the authorization server knows already, or the URL of its metadata document.
    pub client_id: Option<String>,
    /// The secret of that client.
    pub client_secret: Option<String>,
    /// The scopes, separated by spaces; without, those that the server asks for.
    pub scope: Option<String>,
    /// Authorities that are trusted beside those of the system.
    pub ca_certs: CaCerts,
}

/// A sign-in that waits for what the browser brings back.
pub struct SignIn {
    web: Web,
    server: Url,
    resource: String,
    provider: Provider,
    client: Client,
    scopes: BTreeSet<String>,
    redirect: String,
    state: String,
    verifier: String,
    address: Url,
}

impl SignIn {
    /// Finds out who lets in to the server at that URL, and makes ready to be sent back to `redirect`.
    ///
    /// # Errors
    /// `auth`, `connect` or `limit`: why nobody can sign in there.
    pub async fn begin(server: &str, wishes: &Wishes, redirect: &str) -> Result<Self, Problem> {
        let server = server_url(server)?;
        let web = Web::new(&server, &wishes.ca_certs)?;
        let Discovered {
            resource,
            mut scopes,
            provider,
        } = discover(&web, &server).await?;
        let Some(authorization) = provider.authorization.clone() else {
            return Err(Problem::new(
                "auth",
                "the authorization server lets in machines only (it names no `authorization_endpoint`)",
            ));
        };
        if !provider.checks_pkce {
            return Err(Problem::new(
                "auth",
                "the authorization server does not say that it checks PKCE (`code_challenge_methods_supported` with `S256`): whoever sees the code could use it",
            ));
        }
        if let Some(scope) = &wishes.scope {
            scopes = words(scope);
        }
        let mut scopes: BTreeSet<String> = scopes.into_iter().collect();
        if provider.scopes.iter().any(|scope| scope == OFFLINE) {
            scopes.insert(OFFLINE.to_owned());
        }
        let scope = join(&scopes);
        let client = match &wishes.client_id {
            Some(id) => Client::known(id, wishes.client_secret.as_deref(), &provider),
            None => client::register(&web, &provider, redirect, &scope).await?,
        };
        let (state, verifier) = (random::text()?, random::text()?);
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
        let mut address = authorization;
        {
            let mut query = address.query_pairs_mut();
            query
                .append_pair("response_type", "code")
                .append_pair("client_id", &client.id)
                .append_pair("redirect_uri", redirect)
                .append_pair("state", &state)
                .append_pair("code_challenge", &challenge)
                .append_pair("code_challenge_method", "S256")
                .append_pair("resource", &resource);
            if !scope.is_empty() {
                query.append_pair("scope", &scope);
            }
            if scopes.contains(OFFLINE) {
                // OpenID Connect Core, section 11: without it no refresh token need be given.
                query.append_pair("prompt", "consent");
            }
        }
        Ok(Self {
            web,
            server,
            resource,
            provider,
            client,
            scopes,
            redirect: redirect.to_owned(),
            state,
            verifier,
            address,
        })
    }

    /// Where to go. Its host is outside text; it is a URL, so it holds no control characters.
    pub fn address(&self) -> &str {
        self.address.as_str()
    }

    /// Who lets in. Outside text.
    pub fn issuer(&self) -> &str {
        &self.provider.issuer
    }

    /// Whether that is what the browser brings back from this sign-in, and not from another one or from nobody.
    pub fn is_answer(&self, redirect: &str) -> bool {
        parameters(redirect).is_some_and(|found| found.get("state") == Some(&self.state))
    }

    /// Takes what the browser brought back and gets the tokens.
    ///
    /// # Errors
    /// `auth`: it is no answer to this sign-in, or not of who was asked, or a refusal.
    pub async fn finish(self, redirect: &str) -> Result<Kept, Problem> {
        let refuse = |message: String| Problem::new("auth", message);
        if !self.is_answer(redirect) {
            return Err(refuse(
                "that is no answer to this sign-in (`state` differs)".to_owned(),
            ));
        }
        let found = parameters(redirect).unwrap_or_default();
        // Who answers is checked before anything of the answer is believed (RFC 9207), letter by letter.
        match found.get("iss") {
            Some(issuer) if *issuer != self.provider.issuer => {
                return Err(refuse(format!(
                    "the answer names the issuer `{}`, not `{}`",
                    cut(issuer, 200),
                    cut(&self.provider.issuer, 200)
                )));
            }
            None if self.provider.names_itself => {
                return Err(refuse(format!(
                    "the answer does not name its issuer, although `{}` says that it does",
                    cut(&self.provider.issuer, 200)
                )));
            }
            _ => {}
        }
        if let Some(error) = found.get("error") {
            let more = found.get("error_description");
            let more = more.map_or(String::new(), |text| format!(": `{}`", cut(text, 200)));
            return Err(refuse(format!(
                "the sign-in was refused: `{}`{more}",
                cut(error, 200)
            )));
        }
        let code = found
            .get("code")
            .ok_or_else(|| refuse("the answer holds no code".to_owned()))?;
        let parameters = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", &self.redirect),
            ("code_verifier", &self.verifier),
            ("resource", &self.resource),
        ];
        let endpoint = &self.provider.token;
        let granted = client::redeem(&self.web, endpoint, &self.client, &parameters, &self.scopes)
            .await
            .map_err(|refused| refused.problem)?;
        Ok(Kept::new(
            &self.server,
            self.resource,
            &self.provider,
            &self.client,
            granted,
        ))
    }
}

/// The URL of a server as its sign-in is kept under: without userinfo, query and fragment.
///
/// # Errors
/// `usage`: it is no http or https URL.
pub fn server_url(text: &str) -> Result<Url, Problem> {
    let refuse = |why: String| Problem::new("usage", format!("not a URL of a server: {why}"));
    let mut url = Url::parse(text).map_err(|error| refuse(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(refuse(format!("its scheme is `{}`", url.scheme())));
    }
    // Both fail only for URLs without a host, which these schemes do not have.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    Ok(url)
}

/// Scopes as one parameter.
pub(super) fn join(scopes: &BTreeSet<String>) -> String {
    scopes
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(" ")
}

/// The parameters of an address, each once: one that comes twice is nobody's answer (RFC 6749, section 3.1).
fn parameters(address: &str) -> Option<BTreeMap<String, String>> {
    let url = Url::parse(address.trim()).ok()?;
    let mut found = BTreeMap::new();
    for (name, value) in url.query_pairs() {
        if found
            .insert(name.into_owned(), value.into_owned())
            .is_some()
        {
            return None;
        }
    }
    Some(found)
}
