//! Which credential goes to which server, beside what its configuration holds.

use super::world::World;
use crate::auth::{
    self, Credential, CredentialFile, Key, Machine, MachineSecret, MachineSignIn, StoredSignIn,
    Token, TokenCommand,
};
use crate::capture::{Capture, Taking};
use crate::cli::Connect;
use crate::client::{self, CaCerts, Options, Profile};
use crate::model::{Endpoint, Launch, Problem, ServerSpec};
use crate::secret::Secrets;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::rc::Rc;

/// The credentials of a run.
pub(super) struct Credentials {
    /// What the command line asks for.
    asked: Asked,
    /// What was signed in for earlier; `None` where this system says no home directory.
    stored: Option<CredentialFile>,
    /// Whom to trust beside the authorities of the system.
    ca_certs: CaCerts,
}

enum Asked {
    Nothing,
    Command(Rc<Credential>),
    Machine(Rc<Machine>),
}

impl Credentials {
    pub(super) fn of(
        world: &World,
        connect: &Connect,
        ca_certs: &CaCerts,
    ) -> Result<Self, Problem> {
        let asked = if let Some(line) = &connect.token_command {
            let command = TokenCommand::parse(line, world.cwd.clone())?;
            Asked::Command(Rc::new(Credential::Command(command)))
        } else if let Some(id) = &connect.client_id {
            Asked::Machine(Rc::new(Machine {
                client_id: id.clone(),
                secret: machine_secret(world, connect)?,
                scope: connect.scope.clone(),
                ca_certs: ca_certs.clone(),
            }))
        } else {
            Asked::Nothing
        };
        Ok(Self {
            asked,
            stored: world.credential_file(),
            ca_certs: ca_certs.clone(),
        })
    }

    /// The one for a server. Servers that were merely found do not get to see what the command line adds; a stored
    /// sign-in is for one URL and goes there only, unless the configuration says who asks.
    fn of_server(
        &self,
        spec: &ServerSpec,
        endpoint: &Endpoint,
    ) -> Result<Option<Rc<Credential>>, Problem> {
        let Endpoint::Http { url, headers, .. } = endpoint else {
            return Ok(None);
        };
        let asked = Some(&self.asked).filter(|_| spec.explicit);
        match (asked, &self.stored) {
            (Some(Asked::Command(command)), _) => Ok(Some(Rc::clone(command))),
            (Some(Asked::Machine(machine)), _) => Ok(Some(Rc::new(Credential::Machine(
                MachineSignIn::new(Rc::clone(machine), url),
            )))),
            (_, Some(file)) if !says_who_asks(url, headers) => {
                let stored = StoredSignIn::find(file, url, &self.ca_certs)?;
                Ok(stored.map(|stored| Rc::new(Credential::Stored(stored))))
            }
            _ => Ok(None),
        }
    }
}

fn machine_secret(world: &World, connect: &Connect) -> Result<MachineSecret, Problem> {
    let usage = |message: String| Problem::new("usage", message);
    if let Some(name) = &connect.client_secret_env {
        return secret_of(world, name).map(MachineSecret::Text);
    }
    let Some(path) = &connect.client_key else {
        return Err(usage(
            "`--client-id` needs `--client-secret-env NAME` or `--client-key FILE`".to_owned(),
        ));
    };
    let text = fs::read_to_string(world.cwd.join(Path::new(path)))
        .map_err(|error| usage(format!("cannot read `{}`: {error}", path.display())))?;
    Ok(MachineSecret::Key(Rc::new(Key::from_pem(&text)?)))
}

/// The value of the variable that `--client-secret-env` names.
pub(super) fn secret_of(world: &World, name: &str) -> Result<String, Problem> {
    match world.environment.var(name).map(str::trim) {
        Some(value) if !value.is_empty() => Ok(value.to_owned()),
        _ => Err(Problem::new(
            "usage",
            format!("the variable `{name}` of `--client-secret-env` is not set"),
        )
        .with_hint(format!("export {name}=…"))),
    }
}

/// Whether a configured endpoint brings a credential of its own.
fn says_who_asks(url: &str, headers: &[(String, String)]) -> bool {
    headers
        .iter()
        .any(|(name, _)| name.eq_ignore_ascii_case("authorization"))
        || url::Url::parse(url)
            .is_ok_and(|url| !url.username().is_empty() || url.password().is_some())
}

/// What the history says of a credential that the configuration holds: its kind, and the variables that it comes from.
fn configured(spec: &ServerSpec, taking: &mut Taking) {
    match &spec.launch {
        Some(Launch::Http { auth, .. }) if auth != "none" => {
            auth.clone_into(&mut taking.credential);
        }
        _ => return,
    }
    let variables: BTreeSet<String> = spec
        .credential
        .values()
        .flatten()
        .map(|variable| format!("`{variable}`"))
        .collect();
    taking.label = variables.into_iter().collect::<Vec<_>>().join(", ");
}

/// Asks a server for everything that it offers, with its credential: once more with another token if it refuses the
/// first. Answers with what no output may hold as well.
///
/// Only what is reached by a URL is shown one: anything else needs no `credentials`.
pub(super) async fn capture(
    spec: &ServerSpec,
    endpoint: &Endpoint,
    expected: &BTreeSet<String>,
    options: &Options,
    credentials: Option<&Credentials>,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<(Capture, Secrets), Problem> {
    let who = Presenter::of(credentials, spec, endpoint)?;
    let options = who.options(options);
    let ask = async |shown: Endpoint| {
        client::capture(&shown, &who.secrets(), expected, &options, progress).await
    };
    let captured = match ask(who.present().await?).await {
        Err(refusal) if refusal.kind == "auth" => ask(who.present_another(refusal).await?).await,
        other => other,
    };
    let mut capture = captured.map_err(|problem| who.way_out(problem))?;
    who.sign(&mut capture);
    Ok((capture, who.secrets()))
}

/// Who presents itself to one server, and what it was shown of that.
pub(super) struct Presenter<'a> {
    spec: &'a ServerSpec,
    endpoint: &'a Endpoint,
    credential: Option<Rc<Credential>>,
    /// The token that was shown last.
    shown: RefCell<Option<Token>>,
    /// What no output may hold: what the configuration says, and every token that was shown.
    secrets: RefCell<Secrets>,
}

impl<'a> Presenter<'a> {
    /// For one look of a run, in which a command that prints tokens is asked for as few as will do for all servers.
    pub(super) fn of(
        credentials: Option<&Credentials>,
        spec: &'a ServerSpec,
        endpoint: &'a Endpoint,
    ) -> Result<Self, Problem> {
        Ok(Self {
            spec,
            endpoint,
            credential: match credentials {
                Some(credentials) => credentials.of_server(spec, endpoint)?,
                None => None,
            },
            shown: RefCell::default(),
            secrets: RefCell::new(spec.secrets.clone()),
        })
    }

    /// For a talk that may go on for longer than a token holds: a command that prints tokens is run anew.
    pub(super) fn lasting(
        credentials: &Credentials,
        spec: &'a ServerSpec,
        endpoint: &'a Endpoint,
    ) -> Result<Self, Problem> {
        let mut who = Self::of(Some(credentials), spec, endpoint)?;
        who.credential = who.credential.map(anew);
        Ok(who)
    }

    /// What goes with who asks, of how to talk.
    pub(super) fn options(&self, options: &Options) -> Options {
        match &self.credential {
            Some(credential) => declaring(credential, options),
            None => options.clone(),
        }
    }

    /// Whether there is a credential, of which another token may do where one was refused.
    pub(super) fn has_credential(&self) -> bool {
        self.credential.is_some()
    }

    /// What no output may hold by now.
    pub(super) fn secrets(&self) -> Secrets {
        self.secrets.borrow().clone()
    }

    /// The endpoint with what its server is shown at first.
    ///
    /// # Errors
    /// There is no token.
    pub(super) async fn present(&self) -> Result<Endpoint, Problem> {
        let Some(credential) = &self.credential else {
            return Ok(self.endpoint.clone());
        };
        let token = self.show(credential).await?;
        let token = token.ok_or_else(|| Problem::new("auth", "there is no token any more"))?;
        Ok(presenting(&token, self.endpoint))
    }

    /// The same with another token than the one that was refused.
    ///
    /// # Errors
    /// The refusal, where there is no other token; why there is none.
    pub(super) async fn present_another(&self, refusal: Problem) -> Result<Endpoint, Problem> {
        let token = match &self.credential {
            Some(credential) => self.show(credential).await?,
            None => None,
        };
        match token {
            Some(token) => Ok(presenting(&token, self.endpoint)),
            None => Err(self.way_out(refusal)),
        }
    }

    /// The header of another token than the one that was refused, within a talk that goes on; `None` where there is
    /// no other. A talk outlives any number of tokens.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) async fn renew(&self) -> Result<Option<(String, String)>, Problem> {
        let Some(credential) = self.credential.clone().map(anew) else {
            return Ok(None);
        };
        let token = self.show(&credential).await?;
        Ok(token.map(|token| token.header()))
    }

    /// A token, another one than the last; from now on it is what is shown, and in no output.
    async fn show(&self, credential: &Credential) -> Result<Option<Token>, Problem> {
        let last = self.shown.borrow().clone();
        let token = credential.token(last.as_ref()).await;
        let token = token.map_err(|problem| self.way_out(problem))?;
        if let Some(token) = &token {
            token.add_to(&mut self.secrets.borrow_mut());
            self.shown.replace(Some(token.clone()));
        }
        Ok(token)
    }

    /// Says in a capture who asked.
    pub(super) fn sign(&self, capture: &mut Capture) {
        match (&self.credential, &*self.shown.borrow()) {
            (Some(credential), Some(token)) => {
                credential.word().clone_into(&mut capture.taking.credential);
                capture.taking.label = self.secrets.borrow().redact(&credential.label());
                capture.taking.scopes.clone_from(&token.scopes);
            }
            _ => configured(self.spec, &mut capture.taking),
        }
    }

    /// A problem with a hint that names the server's URL, as the lockfile shows it: the wire knows only the one with
    /// its secrets. A sign-in for a scope that is lacking keeps those that were granted before.
    pub(super) fn way_out(&self, mut problem: Problem) -> Problem {
        let Some(hint) = &mut problem.hint else {
            return problem;
        };
        if let (Some(Credential::Stored(_)), Some(token)) =
            (self.credential.as_deref(), &*self.shown.borrow())
        {
            *hint = widening(hint, token);
        }
        if let Some(Launch::Http { url, .. }) = &self.spec.launch
            && let Ok(url) = shlex::try_quote(url)
        {
            *hint = hint.replace("login URL", &format!("login {url}"));
        }
        problem
    }
}

/// The same credential, for which a command that prints tokens has not been run.
fn anew(credential: Rc<Credential>) -> Rc<Credential> {
    match &*credential {
        Credential::Command(command) => Rc::new(Credential::Command(command.anew())),
        _ => credential,
    }
}

/// A hint to sign in for a scope, with the scopes that the refused token has.
fn widening(hint: &str, refused: &Token) -> String {
    let before = refused.scopes.iter().flatten().map(String::as_str);
    let before = before.collect::<Vec<_>>().join(" ");
    let is_harmless = |c: char| c.is_ascii_alphanumeric() || " :/._-".contains(c);
    if before.is_empty() || !before.chars().all(is_harmless) {
        return hint.to_owned();
    }
    hint.replace("--scope '", &format!("--scope '{before} "))
}

/// A program that lets itself in declares that it does; the profile keeps its name.
fn declaring(credential: &Credential, options: &Options) -> Options {
    let mut options = options.clone();
    if matches!(credential, Credential::Machine(_)) {
        let mut capabilities = options.profile.capabilities();
        capabilities["extensions"][auth::EXTENSION] = serde_json::json!({});
        options.profile = Profile::Custom {
            name: options.profile.name().to_owned(),
            capabilities,
        };
    }
    options
}

/// The endpoint with a token, in place of what its configuration says of who asks.
fn presenting(token: &Token, endpoint: &Endpoint) -> Endpoint {
    let mut endpoint = endpoint.clone();
    if let Endpoint::Http { headers, .. } = &mut endpoint {
        let header = token.header();
        headers.retain(|(name, _)| !name.eq_ignore_ascii_case(&header.0));
        headers.push(header);
    }
    endpoint
}
