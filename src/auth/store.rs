//! The file with what sign-ins gave: `credentials.json` in the configuration directory, readable by its owner only.
//!
//! It is the one place where tokens are kept. They are never shown: nothing here has a `Debug`.

use super::Token;
use super::client::{Client, Grant};
use super::metadata::Provider;
use crate::model::Problem;
use crate::store::atomic;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use url::Url;

const FILE: &str = "credentials.json";
const VERSION: u64 = 1;
/// How long another run may hold the file: it may be refreshing a token.
const PATIENCE: Duration = Duration::from_secs(40);
/// A token that is good for fewer seconds than this counts as expired: it has to last for a whole listing.
const MARGIN: i64 = 30;

/// What a sign-in to one server gave.
pub struct Kept {
    /// The server's URL, see [`super::server_url`].
    pub server: String,
    /// The resource that the token is for.
    pub(super) resource: String,
    /// Who gave it. Outside text.
    pub issuer: String,
    pub(super) endpoint: String,
    pub(super) client: Client,
    pub(super) token: Token,
    pub(super) refresh: Option<String>,
    /// When somebody signed in, as RFC 3339: another sign-in may be another person's.
    pub(super) since: Option<String>,
    /// When it expires, in seconds of Unix time, where its issuer said so.
    pub(super) expires: Option<i64>,
}

impl Kept {
    pub(super) fn new(
        server: &Url,
        resource: String,
        provider: &Provider,
        client: &Client,
        granted: Grant,
    ) -> Self {
        let (method, secret) = client.kept();
        let mut kept = Self {
            server: server.to_string(),
            resource,
            issuer: provider.issuer.clone(),
            endpoint: provider.token.to_string(),
            client: Client::restored(client.id.clone(), method, secret.map(str::to_owned)),
            token: granted.token.clone(),
            refresh: None,
            since: Some(Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()),
            expires: None,
        };
        kept.renew(granted);
        kept
    }

    /// Takes a newer token. A refresh token that is not replaced goes on (RFC 6749, section 6).
    pub(super) fn renew(&mut self, granted: Grant) {
        self.token = granted.token;
        self.refresh = granted.refresh.or(self.refresh.take());
        let now = Timestamp::now().as_second();
        self.expires = granted.lasts.map(|lasts| now.saturating_add(lasts));
    }

    pub(super) fn is_expired(&self) -> bool {
        let soon = Timestamp::now().as_second() + MARGIN;
        self.expires.is_some_and(|expires| expires <= soon)
    }

    /// The scopes that were granted. Outside text.
    pub fn scopes(&self) -> BTreeSet<String> {
        self.token.scopes.clone().unwrap_or_default()
    }

    /// The token.
    pub fn token(&self) -> Token {
        self.token.clone()
    }

    fn to_value(&self) -> Value {
        let (method, secret) = self.client.kept();
        json!({
            "server": self.server, "resource": self.resource, "issuer": self.issuer, "tokenEndpoint": self.endpoint,
            "clientId": self.client.id, "clientMethod": method, "clientSecret": secret,
            "accessToken": self.token.value, "refreshToken": self.refresh, "since": self.since, "expires": self.expires,
            "scopes": self.scopes(),
        })
    }

    fn from_value(value: &Value) -> Option<Self> {
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let scopes = value["scopes"].as_array()?.iter();
        let mut token = Token::new(value["accessToken"].as_str()?)?;
        token.scopes = Some(
            scopes
                .filter_map(|scope| scope.as_str().map(str::to_owned))
                .collect(),
        );
        Some(Self {
            server: text("server")?,
            resource: text("resource")?,
            issuer: text("issuer")?,
            endpoint: text("tokenEndpoint")?,
            client: Client::restored(
                text("clientId")?,
                &text("clientMethod")?,
                text("clientSecret"),
            ),
            token,
            refresh: text("refreshToken"),
            since: text("since"),
            expires: value["expires"].as_i64(),
        })
    }
}

/// The file, which need not exist.
#[derive(Clone)]
pub struct CredentialFile {
    folder: PathBuf,
}

impl CredentialFile {
    /// The file in that directory.
    pub fn in_folder(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Where it is.
    pub fn path(&self) -> PathBuf {
        self.folder.join(FILE)
    }

    /// What was kept for the server at that URL.
    ///
    /// # Errors
    /// `auth`: the file cannot be read, or is no such file.
    pub fn of(&self, server: &Url) -> Result<Option<Kept>, Problem> {
        let all = self.read()?;
        Ok(all.into_iter().find(|kept| kept.server == server.as_str()))
    }

    /// Whether something can be kept there: to be asked before anybody signs in.
    ///
    /// # Errors
    /// `auth`: as [`CredentialFile::keep`].
    pub async fn prepare(&self) -> Result<(), Problem> {
        let _guard = self.lock().await?;
        self.read().map(drop)
    }

    /// Keeps what a sign-in gave, in place of what was kept for that server before.
    ///
    /// # Errors
    /// `auth`: as [`CredentialFile::of`], or it cannot be written.
    pub async fn keep(&self, kept: Kept) -> Result<(), Problem> {
        let guard = self.lock().await?;
        self.put(&guard, kept)
    }

    /// Forgets what was kept for that server; false if there was nothing.
    ///
    /// # Errors
    /// `auth`: as [`CredentialFile::keep`].
    pub async fn forget(&self, server: &Url) -> Result<bool, Problem> {
        if self.of(server)?.is_none() {
            return Ok(false);
        }
        let _guard = self.lock().await?;
        let mut all = self.read()?;
        all.retain(|kept| kept.server != server.as_str());
        self.write(&all)?;
        Ok(true)
    }

    /// Holds the file against other runs until the guard is dropped: a refresh token is good for one use.
    pub(super) async fn lock(&self) -> Result<File, Problem> {
        let path = self.folder.join("credentials.lock");
        let cannot = |error: io::Error| failed("lock", &path, &error);
        make_private(&self.folder).map_err(cannot)?;
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(cannot)?;
        let wait = async {
            loop {
                match file.try_lock() {
                    Ok(()) => return Ok(()),
                    Err(TryLockError::WouldBlock) => {
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    }
                    Err(TryLockError::Error(error)) => return Err(error),
                }
            }
        };
        match tokio::time::timeout(PATIENCE, wait).await {
            Ok(locked) => locked.map_err(cannot)?,
            Err(_) => {
                return Err(Problem::new(
                    "auth",
                    "another run holds the stored credentials",
                ));
            }
        }
        Ok(file)
    }

    /// As [`CredentialFile::keep`], for whoever holds the lock.
    pub(super) fn put(&self, _guard: &File, kept: Kept) -> Result<(), Problem> {
        let mut all = self.read()?;
        all.retain(|other| other.server != kept.server);
        all.push(kept);
        self.write(&all)
    }

    fn read(&self) -> Result<Vec<Kept>, Problem> {
        let path = self.path();
        // A pipe that nobody writes into would never answer.
        if fs::metadata(&path).is_ok_and(|data| !data.is_file() && !data.is_dir()) {
            let error = io::Error::other("it is no regular file");
            return Err(failed("read", &path, &error));
        }
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if is_nobodys(&path, &error) => return Ok(Vec::new()),
            Err(error) => return Err(failed("read", &path, &error)),
        };
        // No position and no excerpt: what is near it may be a token.
        let damaged = || {
            Problem::new("auth", format!("`{}` is damaged", path.display()))
                .with_hint("remove it and sign in again")
        };
        let value: Value = serde_json::from_slice(&bytes).map_err(|_| damaged())?;
        match value["version"].as_u64() {
            Some(VERSION) => {}
            // Not to be removed: a newer countersign reads it.
            Some(found) => {
                return Err(Problem::new(
                    "auth",
                    format!(
                        "`{}`: version {found}; this countersign reads version {VERSION}",
                        path.display()
                    ),
                )
                .with_hint("update countersign"));
            }
            None => return Err(damaged()),
        }
        let entries = value["credentials"].as_array().ok_or_else(damaged)?;
        entries
            .iter()
            .map(|entry| Kept::from_value(entry).ok_or_else(damaged))
            .collect()
    }

    fn write(&self, all: &[Kept]) -> Result<(), Problem> {
        let path = self.path();
        let entries: Vec<Value> = all.iter().map(Kept::to_value).collect();
        let value = json!({ "version": VERSION, "credentials": entries });
        // For its owner only from the moment that it exists, and what a killed run leaves is swept by a later one.
        atomic::write_private(&path, format!("{value:#}\n").as_bytes())
            .map_err(|error| Problem::new("auth", error.to_string()))
    }
}

/// Whether there is no such file, as far as this user can see: in somebody else's home nothing is kept for them, and
/// servers that want no credential are to be checked there all the same.
fn is_nobodys(path: &Path, error: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
    match error.kind() {
        NotFound | NotADirectory => true,
        PermissionDenied => fs::metadata(path).is_err(),
        _ => false,
    }
}

fn failed(what: &str, path: &Path, error: &io::Error) -> Problem {
    Problem::new(
        "auth",
        format!("cannot {what} `{}`: {error}", path.display()),
    )
}

/// Makes a folder that its owner alone can look into; one that is there stays as it is.
fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(folder)
}
