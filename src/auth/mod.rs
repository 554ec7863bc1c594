//! Who asks: bearer tokens for servers that are reached by URL.
//!
//! A token goes to the server that it is for and nowhere else: no file but the credential store, no report and no
//! log gets to see it. Nothing here asks a person; what does is the command `login`.

mod assertion;
mod client;
mod command;
mod loopback;
mod machine;
mod metadata;
mod random;
mod sign_in;
mod store;
mod stored;
mod web;

pub use assertion::Key;
pub use command::TokenCommand;
pub use loopback::Loopback;
pub use machine::{EXTENSION, Machine, MachineSecret, MachineSignIn};
pub use sign_in::{SignIn, Wishes, server_url};
pub use store::{CredentialFile, Kept};
pub use stored::StoredSignIn;

use crate::model::Problem;
use crate::secret::Secrets;
use std::collections::BTreeSet;

/// The name that stands for a token where a text held it.
const NAME: &str = "Authorization";

/// A bearer token. It has no `Debug` on purpose.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    value: String,
    /// The scopes that were granted with it, where its issuer said so. Outside text.
    pub scopes: Option<BTreeSet<String>>,
}

impl Token {
    /// A token of visible ASCII characters; `None` if it is something else, which no header can carry.
    pub fn new(value: &str) -> Option<Self> {
        let fits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self {
            value: value.to_owned(),
            scopes: None,
        })
    }

    /// The header that presents it.
    pub fn header(&self) -> (String, String) {
        (NAME.to_owned(), format!("Bearer {}", self.value))
    }

    /// Adds it to what no output may hold.
    pub fn add_to(&self, secrets: &mut Secrets) {
        secrets.add(NAME, self.value.clone());
    }
}

/// Where the token of a run comes from.
pub enum Credential {
    /// A command prints it.
    Command(TokenCommand),
    /// The program lets itself in.
    Machine(MachineSignIn),
    /// Somebody signed in earlier.
    Stored(StoredSignIn),
}

impl Credential {
    /// The word for the history.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Command(_) => "token-command",
            Self::Machine(_) => "client-credentials",
            Self::Stored(_) => "oauth",
        }
    }

    /// Which one of its kind it is, in words: the program of the command, the client's id, when somebody signed in.
    pub fn label(&self) -> String {
        match self {
            Self::Command(command) => format!("`{}`", command.program()),
            Self::Machine(machine) => format!("`{}`", machine.client_id()),
            Self::Stored(stored) => match stored.since() {
                Some(since) => format!("signed in at {since}"),
                None => String::new(),
            },
        }
    }

    /// A token; after `refused`, another one. `None` if there is no other.
    ///
    /// # Errors
    /// `auth`: why there is none. No token is in the message.
    pub async fn token(&self, refused: Option<&Token>) -> Result<Option<Token>, Problem> {
        match self {
            Self::Command(command) => command.token(refused).await,
            Self::Machine(machine) => machine.token().await.map(Some),
            Self::Stored(stored) => stored.token(refused).await,
        }
    }
}
