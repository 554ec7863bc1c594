//! How to talk: time limits, the revision, and what countersign says about itself.

use crate::capture::Era;
pub use crate::transport::{Bounds, CaCerts, Direction, Trace};
use serde_json::{Value, json};
use std::fmt;
use std::time::Duration;

/// The settings of one capture.
#[derive(Clone)]
pub struct Options {
    /// For the answer to one request.
    pub timeout: Duration,
    /// For starting the server, finding its era and shaking hands, together.
    pub start_timeout: Duration,
    /// How long a server may think about `server/discover` before `initialize` is tried as well.
    pub probe_timeout: Duration,
    /// The revision to speak, without asking which era the server is of.
    pub protocol: Option<String>,
    /// The era that the server was last found to be of: it is asked in that first.
    pub known_era: Option<Era>,
    /// The capabilities to declare.
    pub profile: Profile,
    /// Name and version to introduce countersign by.
    pub client_info: (String, String),
    /// How much the server may make us read.
    pub bounds: Bounds,
    /// What is trusted beside the system's certificates.
    pub ca_certs: CaCerts,
    /// Gets each message as it passes.
    pub trace: Option<Trace>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            timeout: Duration::from_mins(1),
            start_timeout: Duration::from_mins(1),
            probe_timeout: Duration::from_secs(10),
            protocol: None,
            known_era: None,
            profile: Profile::Host,
            client_info: (
                "countersign".to_owned(),
                env!("CARGO_PKG_VERSION").to_owned(),
            ),
            bounds: Bounds::default(),
            ca_certs: CaCerts::default(),
            trace: None,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("timeout", &self.timeout)
            .field("start_timeout", &self.start_timeout)
            .field("probe_timeout", &self.probe_timeout)
            .field("protocol", &self.protocol)
            .field("known_era", &self.known_era)
            .field("profile", &self.profile)
            .field("client_info", &self.client_info)
            .field("bounds", &self.bounds)
            .finish_non_exhaustive()
    }
}

/// Which capabilities are declared: servers of the legacy era show other tools to clients that can do more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Profile {
    /// What programs that host a model declare: roots, sampling, elicitation by form and by URL. All of it is
    /// declined when it is asked for.
    Host,
    /// Nothing.
    None,
    /// As given.
    Custom {
        /// What the history calls it.
        name: String,
        /// The `capabilities` object.
        capabilities: Value,
    },
}

impl Profile {
    /// What the history calls it.
    pub fn name(&self) -> &str {
        match self {
            Self::Host => "host",
            Self::None => "none",
            Self::Custom { name, .. } => name,
        }
    }

    /// The `capabilities` object.
    pub fn capabilities(&self) -> Value {
        match self {
            Self::Host => json!({
                "roots": {},
                "sampling": {},
                "elicitation": { "form": {}, "url": {} },
            }),
            Self::None => json!({}),
            Self::Custom { capabilities, .. } => capabilities.clone(),
        }
    }
}
