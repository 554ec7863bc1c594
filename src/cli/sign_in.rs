//! `login` and `logout`.

use clap::Args;
use clap::builder::FalseyValueParser;
use std::path::PathBuf;

/// `login`.
#[derive(Debug, Args)]
pub struct Login {
    /// The server's URL; ${VAR} in it is filled in
    #[arg(value_name = "URL")]
    pub url: String,
    /// Only print the address to open
    #[arg(long, env = "COUNTERSIGN_NO_BROWSER", value_parser = FalseyValueParser::new())]
    pub no_browser: bool,
    /// A client that the authorization server knows, or the URL of its metadata document
    #[arg(long, value_name = "ID", env = "COUNTERSIGN_CLIENT_ID")]
    pub client_id: Option<String>,
    /// The variable with the secret of that client
    #[arg(
        long,
        value_name = "NAME",
        env = "COUNTERSIGN_CLIENT_SECRET_ENV",
        requires = "client_id"
    )]
    pub client_secret_env: Option<String>,
    /// The scopes to ask for, separated by spaces [default: those that the server asks for]
    #[arg(long, value_name = "SCOPE", env = "COUNTERSIGN_SCOPE")]
    pub scope: Option<String>,
    /// Trust the authorities of this PEM file as well, beside those of the system and of `SSL_CERT_FILE`
    #[arg(long, value_name = "FILE", env = "COUNTERSIGN_CA_CERT")]
    pub ca_cert: Option<PathBuf>,
}

/// `logout`.
#[derive(Debug, Args)]
pub struct Logout {
    /// The server's URL
    #[arg(value_name = "URL")]
    pub url: String,
}
