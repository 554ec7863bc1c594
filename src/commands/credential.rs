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

/// How many tokens one server is shown: one, and another if it refuses that.
const TOKENS: usize = 2;

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

/// The same problem with a hint that names the server's URL, as the lockfile shows it: the wire knows only the one
/// with its secrets.
fn way_out(spec: &ServerSpec, mut problem: Problem) -> Problem {
    if let (Some(Launch::Http { url, .. }), Some(hint)) = (&spec.launch, &mut problem.hint)
        && let Ok(url) = shlex::try_quote(url)
    {
        *hint = hint.replace("login URL", &format!("login {url}"));
    }
    problem
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
    let found = match credentials {
        Some(credentials) => credentials.of_server(spec, endpoint)?,
        None => None,
    };
    let captured = match found {
        None => with_none(spec, endpoint, expected, options, progress).await,
        Some(credential) => {
            let options = declaring(&credential, options);
            let look = Look {
                spec,
                endpoint,
                expected,
                options: &options,
                progress,
            };
            look.with(&credential).await
        }
    };
    captured.map_err(|problem| way_out(spec, problem))
}

async fn with_none(
    spec: &ServerSpec,
    endpoint: &Endpoint,
    expected: &BTreeSet<String>,
    options: &Options,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<(Capture, Secrets), Problem> {
    let secrets = spec.secrets.clone();
    let mut capture = client::capture(endpoint, &secrets, expected, options, progress).await?;
    configured(spec, &mut capture.taking);
    Ok((capture, secrets))
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

/// A sign-in for the scope that is lacking should not lose those that were granted before.
fn widening(mut refusal: Problem, refused: &Token) -> Problem {
    let before = refused.scopes.iter().flatten().map(String::as_str);
    let before = before.collect::<Vec<_>>().join(" ");
    let is_harmless = |c: char| c.is_ascii_alphanumeric() || " :/._-".contains(c);
    if let Some(hint) = &mut refusal.hint
        && !before.is_empty()
        && before.chars().all(is_harmless)
    {
        *hint = hint.replace("--scope '", &format!("--scope '{before} "));
    }
    refusal
}

struct Look<'a> {
    spec: &'a ServerSpec,
    endpoint: &'a Endpoint,
    expected: &'a BTreeSet<String>,
    options: &'a Options,
    progress: &'a (dyn Fn(&str) + Sync),
}

impl Look<'_> {
    async fn with(&self, credential: &Credential) -> Result<(Capture, Secrets), Problem> {
        let mut secrets = self.spec.secrets.clone();
        let (mut refused, mut refusal) = (None, None);
        for _ in 0..TOKENS {
            let Some(token) = credential.token(refused.as_ref()).await? else {
                break;
            };
            token.add_to(&mut secrets);
            let endpoint = presenting(&token, self.endpoint);
            let asked = client::capture(
                &endpoint,
                &secrets,
                self.expected,
                self.options,
                self.progress,
            );
            match asked.await {
                Err(problem) if problem.kind == "auth" => {
                    refusal = Some(match credential {
                        Credential::Stored(_) => widening(problem, &token),
                        _ => problem,
                    });
                    refused = Some(token);
                }
                other => {
                    let mut capture = other?;
                    credential.word().clone_into(&mut capture.taking.credential);
                    capture.taking.label = secrets.redact(&credential.label());
                    capture.taking.scopes = token.scopes;
                    return Ok((capture, secrets));
                }
            }
        }
        Err(refusal.unwrap_or_else(|| Problem::new("auth", "there is no token any more")))
    }
}

/// Who presents itself to one server, connection after connection.
pub(super) struct Presenter<'a> {
    spec: &'a ServerSpec,
    endpoint: &'a Endpoint,
    credential: Option<Rc<Credential>>,
    refused: Option<Token>,
    tokens: usize,
}

/// What a server is shown for as long as a connection stands, and what no output may hold then.
pub(super) struct Presented {
    pub(super) endpoint: Endpoint,
    pub(super) secrets: Secrets,
    token: Option<Token>,
}

impl<'a> Presenter<'a> {
    /// For one connection: a command that prints tokens is run anew, since earlier ones may hold no longer.
    pub(super) fn of(
        credentials: &Credentials,
        spec: &'a ServerSpec,
        endpoint: &'a Endpoint,
    ) -> Result<Self, Problem> {
        let credential = credentials.of_server(spec, endpoint)?;
        let credential = credential.map(|credential| match &*credential {
            Credential::Command(command) => Rc::new(Credential::Command(command.anew())),
            _ => credential,
        });
        Ok(Self {
            spec,
            endpoint,
            credential,
            refused: None,
            tokens: 0,
        })
    }

    /// What goes with who asks, of how to talk.
    pub(super) fn options(&self, options: &Options) -> Options {
        match &self.credential {
            Some(credential) => declaring(credential, options),
            None => options.clone(),
        }
    }

    /// What the server is shown; after a refusal with another token.
    ///
    /// # Errors
    /// There is no token.
    pub(super) async fn present(&mut self) -> Result<Presented, Problem> {
        let mut secrets = self.spec.secrets.clone();
        let Some(credential) = &self.credential else {
            return Ok(Presented {
                endpoint: self.endpoint.clone(),
                secrets,
                token: None,
            });
        };
        self.tokens += 1;
        let token = credential.token(self.refused.as_ref()).await;
        let token = token.map_err(|problem| way_out(self.spec, problem))?;
        let token = token.ok_or_else(|| Problem::new("auth", "there is no token any more"))?;
        token.add_to(&mut secrets);
        Ok(Presented {
            endpoint: presenting(&token, self.endpoint),
            secrets,
            token: Some(token),
        })
    }

    /// Whether another token may do where this one was refused.
    pub(super) fn may_present_another(&mut self, presented: Presented, problem: &Problem) -> bool {
        let may = problem.kind == "auth" && presented.token.is_some() && self.tokens < TOKENS;
        if may {
            self.refused = presented.token;
        }
        may
    }

    /// Says in a capture who asked.
    pub(super) fn sign(&self, presented: &Presented, capture: &mut Capture) {
        match (&self.credential, &presented.token) {
            (Some(credential), Some(token)) => {
                credential.word().clone_into(&mut capture.taking.credential);
                capture.taking.label = presented.secrets.redact(&credential.label());
                capture.taking.scopes.clone_from(&token.scopes);
            }
            _ => configured(self.spec, &mut capture.taking),
        }
    }

    /// A problem with a hint that names the server as the lockfile shows it.
    pub(super) fn way_out(&self, problem: Problem) -> Problem {
        way_out(self.spec, problem)
    }
}

/// An endpoint with what its server is shown of who asks, for a connection in which another token can follow.
pub(super) struct Renewable {
    pub(super) endpoint: Endpoint,
    /// What no output may hold.
    pub(super) secrets: Secrets,
    /// Where another token comes from once the server refuses this one.
    pub(super) renewal: Option<Renewal>,
}

/// A credential and the token of it that was shown last.
pub(super) struct Renewal {
    credential: Rc<Credential>,
    last: RefCell<Token>,
}

impl Renewal {
    /// The header of another token; `None` where there is none.
    pub(super) async fn header(&self) -> Result<Option<(String, String)>, Problem> {
        let refused = self.last.borrow().clone();
        let token = self.credential.token(Some(&refused)).await?;
        Ok(token.map(|token| {
            let header = token.header();
            self.last.replace(token);
            header
        }))
    }
}

/// The endpoint with the token of now.
pub(super) async fn presented(
    spec: &ServerSpec,
    endpoint: &Endpoint,
    credentials: &Credentials,
) -> Result<Renewable, Problem> {
    let mut secrets = spec.secrets.clone();
    let Some(credential) = credentials.of_server(spec, endpoint)? else {
        return Ok(Renewable {
            endpoint: endpoint.clone(),
            secrets,
            renewal: None,
        });
    };
    let token = credential.token(None).await;
    let Some(token) = token.map_err(|problem| way_out(spec, problem))? else {
        return Err(Problem::new("auth", "there is no token any more"));
    };
    token.add_to(&mut secrets);
    Ok(Renewable {
        endpoint: presenting(&token, endpoint),
        secrets,
        renewal: Some(Renewal {
            credential,
            last: RefCell::new(token),
        }),
    })
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
