//! Which credential goes to which server, beside what its configuration holds.

use super::world::World;
use crate::auth::{Credential, TokenCommand};
use crate::capture::Capture;
use crate::cli::Connect;
use crate::client::{self, Options};
use crate::model::{Endpoint, Launch, Problem, ServerSpec};
use crate::secret::Secrets;
use std::collections::BTreeSet;

/// The credentials of a run.
pub(super) struct Credentials {
    /// What the command line asks for.
    asked: Option<Credential>,
}

impl Credentials {
    pub(super) fn of(world: &World, connect: &Connect) -> Result<Self, Problem> {
        let asked = match &connect.token_command {
            Some(line) => Some(Credential::Command(TokenCommand::parse(
                line,
                world.cwd.clone(),
            )?)),
            None => None,
        };
        Ok(Self { asked })
    }

    /// The one for a server. Servers that were merely found do not get to see what the command line adds.
    fn of_server(&self, spec: &ServerSpec, endpoint: &Endpoint) -> Option<&Credential> {
        let Endpoint::Http { .. } = endpoint else {
            return None;
        };
        self.asked.as_ref().filter(|_| spec.explicit)
    }
}

/// The word for the history where the configuration holds the credential: what kind it is.
fn configured(spec: &ServerSpec) -> &str {
    match &spec.launch {
        Some(Launch::Http { auth, .. }) if auth != "none" => auth,
        _ => "",
    }
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
pub(super) async fn capture(
    spec: &ServerSpec,
    endpoint: &Endpoint,
    expected: &BTreeSet<String>,
    options: &Options,
    credentials: &Credentials,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<(Capture, Secrets), Problem> {
    let mut secrets = spec.secrets.clone();
    let way_out = |problem| way_out(spec, problem);
    let Some(credential) = credentials.of_server(spec, endpoint) else {
        let mut capture = client::capture(endpoint, &secrets, expected, options, progress)
            .await
            .map_err(way_out)?;
        configured(spec).clone_into(&mut capture.taking.credential);
        return Ok((capture, secrets));
    };
    let mut token = credential.token(None).await?;
    loop {
        let mut endpoint = endpoint.clone();
        if let (Some(token), Endpoint::Http { headers, .. }) = (&token, &mut endpoint) {
            let header = token.header();
            headers.retain(|(name, _)| !name.eq_ignore_ascii_case(&header.0));
            headers.push(header);
            token.add_to(&mut secrets);
        }
        let refusal = match client::capture(&endpoint, &secrets, expected, options, progress).await
        {
            Err(problem) if problem.kind == "auth" => problem,
            other => {
                let mut capture = other?;
                credential.word().clone_into(&mut capture.taking.credential);
                capture.taking.scopes = token.and_then(|token| token.scopes);
                return Ok((capture, secrets));
            }
        };
        let refused = token.take();
        token = credential.token(refused.as_ref()).await?;
        if token.is_none() {
            return Err(way_out(refusal));
        }
    }
}
