//! A program that lets itself in: client credentials (RFC 6749, section 4.4; the MCP extension
//! `io.modelcontextprotocol/oauth-client-credentials`). What it gets stays in memory.

use super::assertion::Key;
use super::client::{Client, Proof, redeem};
use super::metadata::{discover, words};
use super::sign_in::join;
use super::web::Web;
use super::{Token, server_url};
use crate::model::Problem;
use crate::transport::CaCerts;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The name of the extension, as a client declares it.
pub const EXTENSION: &str = "io.modelcontextprotocol/oauth-client-credentials";

/// Who the program is. It holds a secret; there is no `Debug` on purpose.
pub struct Machine {
    /// As the authorization server knows it.
    pub client_id: String,
    /// How it proves that.
    pub secret: MachineSecret,
    /// The scopes to ask for, separated by spaces; without, those that the server asks for.
    pub scope: Option<String>,
    /// Authorities that are trusted beside those of the system.
    pub ca_certs: CaCerts,
}

/// How a program proves who it is.
pub enum MachineSecret {
    /// A shared secret.
    Text(String),
    /// A private key, whose public half the authorization server knows.
    Key(Rc<Key>),
}

/// A program at the door of one server.
pub struct MachineSignIn {
    machine: Rc<Machine>,
    server: String,
}

impl MachineSignIn {
    /// For the server at that URL.
    pub fn new(machine: Rc<Machine>, server: &str) -> Self {
        Self {
            machine,
            server: server.to_owned(),
        }
    }

    /// Who the program says it is.
    pub(super) fn client_id(&self) -> &str {
        &self.machine.client_id
    }

    /// A token, a new one each time.
    pub(super) async fn token(&self) -> Result<Token, Problem> {
        let server = server_url(&self.server)?;
        let web = Web::new(&server, &self.machine.ca_certs)?;
        let found = discover(&web, &server).await?;
        let client = match &self.machine.secret {
            MachineSecret::Text(secret) => {
                Client::known(&self.machine.client_id, Some(secret), &found.provider)
            }
            MachineSecret::Key(key) => Client {
                id: self.machine.client_id.clone(),
                proof: Proof::Signed {
                    key: Rc::clone(key),
                    issuer: found.provider.issuer.clone(),
                },
            },
        };
        let scopes: BTreeSet<String> = match &self.machine.scope {
            Some(scope) => words(scope),
            None => found.scopes,
        }
        .into_iter()
        .collect();
        let scope = join(&scopes);
        let mut parameters = vec![
            ("grant_type", "client_credentials"),
            ("resource", found.resource.as_str()),
        ];
        if !scope.is_empty() {
            parameters.push(("scope", &scope));
        }
        let granted = redeem(&web, &found.provider.token, &client, &parameters, &scopes).await;
        Ok(granted.map_err(|refused| refused.problem)?.token)
    }
}
