//! Where servers are named, and how they are connected to: what every command takes that asks servers.

use super::value::{at_least_a_kibibyte, depth, seconds};
use clap::Args;
use clap::builder::FalseyValueParser;
use std::path::PathBuf;

/// Where servers are named.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Source")]
pub struct Source {
    /// An MCP client configuration; repeatable [default: those that the project has]
    #[arg(
        long,
        value_name = "FILE",
        env = "COUNTERSIGN_CONFIG",
        conflicts_with = "name"
    )]
    pub config: Vec<PathBuf>,
    /// The configurations in the home directory as well
    #[arg(long, env = "COUNTERSIGN_USER", conflicts_with = "config")]
    pub user: bool,
    /// The name of one server, given with --url, --from or -- COMMAND
    #[arg(long, value_name = "NAME", env = "COUNTERSIGN_NAME")]
    pub name: Option<String>,
    /// The URL of that server (Streamable HTTP, or HTTP+SSE)
    #[arg(
        long,
        value_name = "URL",
        env = "COUNTERSIGN_URL",
        requires = "name",
        conflicts_with = "from",
        hide_env_values = true
    )]
    pub url: Option<String>,
    /// Read this snapshot or tools/list result as if that server had answered with it
    #[arg(long, value_name = "FILE", env = "COUNTERSIGN_FROM", requires = "name")]
    pub from: Option<PathBuf>,
    /// Start that server with this command
    #[arg(last = true, value_name = "COMMAND", requires = "name", conflicts_with_all = ["url", "from"])]
    pub command: Vec<String>,
}

/// How to connect.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Connecting")]
pub struct Connect {
    /// Seconds for one request [default: what the configuration says, or 60]
    #[arg(long, value_name = "SECONDS", env = "COUNTERSIGN_TIMEOUT", allow_negative_numbers = true, value_parser = seconds)]
    pub timeout: Option<std::time::Duration>,
    /// Seconds for start, probe and handshake together [default: what the configuration says, or 60]
    #[arg(long, value_name = "SECONDS", env = "COUNTERSIGN_START_TIMEOUT", allow_negative_numbers = true, value_parser = seconds)]
    pub start_timeout: Option<std::time::Duration>,
    /// A variable for servers that are started, if they are named here or by --config; without a value it is taken from this environment
    #[arg(
        long,
        value_name = "NAME[=VALUE]",
        env = "COUNTERSIGN_ENV",
        hide_env_values = true
    )]
    pub env: Vec<String>,
    /// A header for servers that are reached by URL, if they are named here or by --config
    #[arg(
        short = 'H',
        long,
        value_name = "NAME: VALUE",
        env = "COUNTERSIGN_HEADER",
        hide_env_values = true
    )]
    pub header: Vec<String>,
    /// Send the value of this variable as a bearer token, to the same servers
    #[arg(long, value_name = "NAME", env = "COUNTERSIGN_BEARER_ENV")]
    pub bearer_env: Option<String>,
    /// Run this command and send what it prints as a bearer token
    #[arg(
        long,
        value_name = "COMMAND",
        env = "COUNTERSIGN_TOKEN_COMMAND",
        hide_env_values = true,
        conflicts_with = "bearer_env"
    )]
    pub token_command: Option<String>,
    /// Let ourselves in as this client (OAuth client credentials)
    #[arg(long, value_name = "ID", env = "COUNTERSIGN_CLIENT_ID", conflicts_with_all = ["bearer_env", "token_command"])]
    pub client_id: Option<String>,
    /// The variable with the secret of that client
    #[arg(
        long,
        value_name = "NAME",
        env = "COUNTERSIGN_CLIENT_SECRET_ENV",
        requires = "client_id"
    )]
    pub client_secret_env: Option<String>,
    /// The PEM file with the private key of that client
    #[arg(
        long,
        value_name = "FILE",
        env = "COUNTERSIGN_CLIENT_KEY",
        requires = "client_id",
        conflicts_with = "client_secret_env"
    )]
    pub client_key: Option<PathBuf>,
    /// The scopes to ask for as that client [default: those that the server asks for]
    #[arg(
        long,
        value_name = "SCOPE",
        env = "COUNTERSIGN_SCOPE",
        requires = "client_id"
    )]
    pub scope: Option<String>,
    /// Trust the authorities of this PEM file as well, beside those of the system and of `SSL_CERT_FILE`
    #[arg(long, value_name = "FILE", env = "COUNTERSIGN_CA_CERT")]
    pub ca_cert: Option<PathBuf>,
    /// Speak this revision instead of asking which one the server knows
    #[arg(long, value_name = "REVISION", env = "COUNTERSIGN_PROTOCOL")]
    pub protocol: Option<String>,
    /// What to declare: nothing, what hosts declare, or the capabilities object of a file
    #[arg(
        long,
        value_name = "none|host|FILE",
        env = "COUNTERSIGN_CAPABILITIES",
        default_value = "host"
    )]
    pub capabilities: String,
    /// Under which name and version to introduce ourselves
    #[arg(long, value_name = "NAME/VERSION", env = "COUNTERSIGN_CLIENT_INFO")]
    pub client_info: Option<String>,
    /// Write down what is said both ways, as JSON lines without secrets; the file is replaced
    #[arg(long, value_name = "FILE", env = "COUNTERSIGN_TRANSCRIPT")]
    pub transcript: Option<PathBuf>,
    /// Start a server although its launch differs from that in the lockfile
    #[arg(long, env = "COUNTERSIGN_START_CHANGED", value_parser = FalseyValueParser::new())]
    pub start_changed: bool,
    /// Limit: bytes of one message of a server
    #[arg(long, value_name = "BYTES", env = "COUNTERSIGN_MAX_FRAME", default_value_t = 32 << 20, value_parser = at_least_a_kibibyte)]
    pub max_frame: usize,
    /// Limit: bytes of one list, all pages together
    #[arg(long, value_name = "BYTES", env = "COUNTERSIGN_MAX_LISTING", default_value_t = 32 << 20, value_parser = at_least_a_kibibyte)]
    pub max_listing: usize,
    /// Limit: items of one list
    #[arg(
        long,
        value_name = "N",
        env = "COUNTERSIGN_MAX_ITEMS",
        default_value_t = 100_000
    )]
    pub max_items: usize,
    /// Limit: pages of one list
    #[arg(
        long,
        value_name = "N",
        env = "COUNTERSIGN_MAX_PAGES",
        default_value_t = 10_000
    )]
    pub max_pages: usize,
    /// Limit: bytes of one string
    #[arg(long, value_name = "BYTES", env = "COUNTERSIGN_MAX_STRING", default_value_t = 32 << 20)]
    pub max_string: usize,
    /// Limit: levels of nesting, at most 10000
    #[arg(long, value_name = "N", env = "COUNTERSIGN_MAX_DEPTH", default_value_t = 2_000, value_parser = depth)]
    pub max_depth: usize,
}
