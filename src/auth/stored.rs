//! A token that somebody signed in for earlier, refreshed where it has expired. Nobody is asked anything.

use super::client::redeem;
use super::store::{CredentialFile, Kept};
use super::web::Web;
use super::{Token, server_url};
use crate::model::Problem;
use crate::transport::CaCerts;
use url::Url;

/// A sign-in that is kept in the credential file.
pub struct StoredSignIn {
    file: CredentialFile,
    server: Url,
    since: Option<String>,
    ca_certs: CaCerts,
}

impl StoredSignIn {
    /// The one for the server at that URL, if there is one; it trusts `ca_certs` beside the authorities of the system.
    ///
    /// # Errors
    /// `auth`: the file cannot be read.
    pub fn find(
        file: &CredentialFile,
        server: &str,
        ca_certs: &CaCerts,
    ) -> Result<Option<Self>, Problem> {
        // A URL that is none is somebody else's to tell.
        let Ok(server) = server_url(server) else {
            return Ok(None);
        };
        let found = file.of(&server)?.map(|kept| Self {
            since: kept.since,
            file: file.clone(),
            server,
            ca_certs: ca_certs.clone(),
        });
        Ok(found)
    }

    /// When somebody signed in, as RFC 3339.
    pub(super) fn since(&self) -> Option<&str> {
        self.since.as_deref()
    }

    /// The token that is kept, or one for which it was exchanged; after `refused`, another one.
    pub(super) async fn token(&self, refused: Option<&Token>) -> Result<Option<Token>, Problem> {
        let is_good = |kept: &Kept| !kept.is_expired() && Some(&kept.token) != refused;
        match self.file.of(&self.server)? {
            Some(kept) if is_good(&kept) => return Ok(Some(kept.token)),
            Some(_) => {}
            None => return Ok(None),
        }
        // Another run may have refreshed it while this one waited.
        let guard = self.file.lock().await?;
        let Some(mut kept) = self.file.of(&self.server)? else {
            return Ok(None);
        };
        if is_good(&kept) {
            return Ok(Some(kept.token));
        }
        let Some(refresh) = kept.refresh.clone() else {
            // What was refused is told by the server; what has only expired is told here.
            return if refused.is_some() {
                Ok(None)
            } else {
                Err(ended("has expired"))
            };
        };
        let web = Web::new(&self.server, &self.ca_certs)?;
        let endpoint = web.url("the token endpoint", &kept.endpoint)?;
        let parameters = [
            ("grant_type", "refresh_token"),
            ("refresh_token", &refresh),
            ("resource", &kept.resource),
        ];
        match redeem(&web, &endpoint, &kept.client, &parameters, &kept.scopes()).await {
            Ok(granted) => kept.renew(granted),
            Err(refused) if refused.is_final => return Err(ended("is no longer accepted")),
            Err(refused) => return Err(refused.problem),
        }
        let token = kept.token.clone();
        self.file.put(&guard, kept)?;
        Ok(Some(token))
    }
}

fn ended(how: &str) -> Problem {
    Problem::new(
        "auth",
        format!("sign-in needed (OAuth): the stored one {how}"),
    )
    .with_hint("countersign login URL")
}
