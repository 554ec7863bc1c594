//! Whom we say we are to an authorization server, and how that is proved when a token is asked for.

use super::assertion::Key;
use super::metadata::Provider;
use super::web::{Web, shown};
use super::{Token, metadata};
use crate::model::Problem;
use crate::secret::Secrets;
use crate::transport::cut;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::rc::Rc;
use url::{Url, form_urlencoded};

/// How a client proves who it is (RFC 7591, `token_endpoint_auth_method`).
pub(super) enum Proof {
    /// Not at all: a program on somebody's machine keeps no secret.
    None,
    /// A secret in the `Authorization` header.
    Basic(String),
    /// A secret in the body.
    Post(String),
    /// A signed statement (RFC 7523) for that issuer.
    Signed { key: Rc<Key>, issuer: String },
}

/// A client of an authorization server.
pub(super) struct Client {
    pub(super) id: String,
    pub(super) proof: Proof,
}

impl Client {
    /// A client that is known to the authorization server already.
    pub(super) fn known(id: &str, secret: Option<&str>, provider: &Provider) -> Self {
        let proof = match secret {
            None => Proof::None,
            Some(secret) => secret_proof(secret, &provider.methods),
        };
        Self {
            id: id.to_owned(),
            proof,
        }
    }

    /// The proof by the name of its method, where it is one that is kept.
    pub(super) fn restored(id: String, method: &str, secret: Option<String>) -> Self {
        let proof = match (method, secret) {
            ("client_secret_basic", Some(secret)) => Proof::Basic(secret),
            ("client_secret_post", Some(secret)) => Proof::Post(secret),
            _ => Proof::None,
        };
        Self { id, proof }
    }

    /// The name of its method, and the secret.
    pub(super) fn kept(&self) -> (&'static str, Option<&str>) {
        match &self.proof {
            Proof::None => ("none", None),
            Proof::Basic(secret) => ("client_secret_basic", Some(secret)),
            Proof::Post(secret) => ("client_secret_post", Some(secret)),
            Proof::Signed { .. } => ("private_key_jwt", None),
        }
    }
}

fn secret_proof(secret: &str, methods: &[String]) -> Proof {
    let has = |name: &str| methods.iter().any(|method| method == name);
    if has("client_secret_post") && !has("client_secret_basic") {
        Proof::Post(secret.to_owned())
    } else {
        Proof::Basic(secret.to_owned())
    }
}

/// Makes us known to an authorization server (RFC 7591) as a program that sends people back to that address.
pub(super) async fn register(
    web: &Web,
    provider: &Provider,
    redirect: &str,
    scope: &str,
) -> Result<Client, Problem> {
    let Some(endpoint) = &provider.registration else {
        return Err(Problem::new(
            "auth",
            format!("`{}` lets no client register itself", cut(&provider.issuer, 200)),
        )
        .with_hint("register one there, with a redirect to http://127.0.0.1 on any port, and name it with --client-id ID"));
    };
    // A program on somebody's machine keeps no secret; some servers insist on giving it one.
    let method = ["none", "client_secret_basic", "client_secret_post"]
        .into_iter()
        .find(|method| provider.methods.iter().any(|known| known == method))
        .unwrap_or("none");
    let mut asked = serde_json::json!({
        "client_name": "countersign",
        "redirect_uris": [redirect],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": method,
        "application_type": "native",
    });
    if !scope.is_empty() {
        asked["scope"] = scope.into();
    }
    let request = web
        .post(endpoint)
        .header("content-type", "application/json")
        .body(asked.to_string());
    let reply = web.call(request, endpoint).await?;
    let id = reply
        .text("client_id")
        .filter(|_| reply.status.is_success());
    let Some(id) = id else {
        let secrets = Secrets::default();
        return Err(refusal(
            "the registration failed",
            endpoint,
            &reply,
            &secrets,
        ));
    };
    let given = reply.text("token_endpoint_auth_method");
    let proof = match (given, reply.text("client_secret")) {
        (Some("none"), _) | (_, None) => Proof::None,
        (Some("client_secret_post"), Some(secret)) => Proof::Post(secret.to_owned()),
        (Some("client_secret_basic"), Some(secret)) => Proof::Basic(secret.to_owned()),
        (_, Some(secret)) => secret_proof(secret, &provider.methods),
    };
    Ok(Client {
        id: id.to_owned(),
        proof,
    })
}

/// What an authorization server gave.
pub(super) struct Grant {
    pub(super) token: Token,
    pub(super) refresh: Option<String>,
    /// Seconds for which the token is good.
    pub(super) lasts: Option<i64>,
}

/// Why it gave nothing.
pub(super) struct Refused {
    pub(super) problem: Problem,
    /// Whether what was handed in is good for nothing any more (RFC 6749, section 5.2).
    pub(super) is_final: bool,
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Self {
            problem,
            is_final: false,
        }
    }
}

/// Asks for a token, handing in these parameters. `asked` are the scopes that an answer without any means.
pub(super) async fn redeem(
    web: &Web,
    endpoint: &Url,
    client: &Client,
    parameters: &[(&str, &str)],
    asked: &BTreeSet<String>,
) -> Result<Grant, Refused> {
    let mut secrets = Secrets::default();
    let mut form = form_urlencoded::Serializer::new(String::new());
    for (name, value) in parameters {
        form.append_pair(name, value);
        if ["code", "code_verifier", "refresh_token"].contains(name) {
            secrets.add(*name, *value);
        }
    }
    let mut request = web.post(endpoint);
    match &client.proof {
        Proof::None => {
            form.append_pair("client_id", &client.id);
        }
        Proof::Basic(secret) => {
            secrets.add("client_secret", secret.clone());
            // Each part is form-encoded before it is joined (RFC 6749, section 2.3.1).
            let encode =
                |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
            let pair = BASE64.encode(format!("{}:{}", encode(&client.id), encode(secret)));
            request = request.header("authorization", format!("Basic {pair}"));
        }
        Proof::Post(secret) => {
            secrets.add("client_secret", secret.clone());
            form.append_pair("client_id", &client.id);
            form.append_pair("client_secret", secret);
        }
        Proof::Signed { key, issuer } => {
            let statement = key.statement(&client.id, issuer)?;
            secrets.add("client_assertion", statement.clone());
            form.append_pair("client_id", &client.id);
            form.append_pair(
                "client_assertion_type",
                "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            );
            form.append_pair("client_assertion", &statement);
        }
    }
    let request = request
        .header("content-type", "application/x-www-form-urlencoded")
        .body(form.finish());
    let reply = web.call(request, endpoint).await?;
    let access = reply
        .text("access_token")
        .filter(|_| reply.status.is_success());
    let Some(access) = access else {
        return Err(Refused {
            is_final: reply.text("error") == Some("invalid_grant"),
            problem: refusal("no token was given", endpoint, &reply, &secrets),
        });
    };
    let is_bearer = reply
        .text("token_type")
        .is_none_or(|kind| kind.eq_ignore_ascii_case("bearer"));
    let token = Token::new(access).filter(|_| is_bearer);
    let Some(mut token) = token else {
        let message = format!(
            "`{}` gave something other than a bearer token",
            shown(endpoint)
        );
        return Err(Problem::new("auth", message).into());
    };
    token.scopes = Some(match reply.text("scope") {
        Some(scope) => metadata::words(scope).into_iter().collect(),
        None => asked.clone(),
    });
    let lasts = reply
        .body
        .as_ref()
        .and_then(|body| body["expires_in"].as_i64());
    Ok(Grant {
        token,
        refresh: reply.text("refresh_token").map(str::to_owned),
        lasts,
    })
}

/// What an authorization server said instead, without what it was told.
fn refusal(what: &str, endpoint: &Url, reply: &super::web::Reply, secrets: &Secrets) -> Problem {
    let mut message = format!("{what}: `{}` answered {}", shown(endpoint), reply.status);
    for member in ["error", "error_description"] {
        if let Some(text) = reply.text(member) {
            let text = cut(&secrets.redact(text), 200);
            // Writing to a string does not fail.
            let _ = write!(message, ": `{text}`");
        }
    }
    Problem::new("auth", message)
}
