//! A server that the command line names, and what it adds to servers of a configuration.
//!
//! Words behind `--` were read by the user's shell: nothing in them is expanded but a leading `~`, which not
//! every shell does. `--url` and `-H` may hold `${VAR}`, so that no secret has to be typed.

use super::entry::{Entry, Stdio, Transport};
use super::environment::Environment;
use super::expand::{Findings, Scope, Template};
use super::http::{header_value, is_header_name, stronger_auth};
use super::launch;
use super::sources::ANY;
use super::syntax::Syntax;
use crate::model::{
    Carrier, Endpoint, Launch, Problem, ServerName, ServerSpec, SpecState, Timeouts, Warning,
    loading,
};
use crate::secret::Secrets;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The words of the command line that name a server. They may hold secrets; there is no `Debug` on purpose.
#[derive(Clone, Default)]
pub struct CommandLine {
    /// `--name NAME`
    pub name: Option<String>,
    /// `--url URL`
    pub url: Option<String>,
    /// `-H 'Name: value'`
    pub headers: Vec<String>,
    /// `--bearer-env NAME`
    pub bearer_env: Option<String>,
    /// Whether there is a `--token-command`: who connects runs it.
    pub token_command: bool,
    /// `--env NAME` or `--env NAME=VALUE`
    pub env: Vec<String>,
    /// `-- COMMAND ARG…`
    pub command: Vec<String>,
    /// `--from FILE`
    pub from: Option<PathBuf>,
}

/// The server that the words name.
///
/// # Errors
/// `usage`: none or more than one of `--url`, `--from` and a command; no name; a word that does not fit.
pub fn from_command_line(words: &CommandLine, env: &Environment) -> Result<ServerSpec, Problem> {
    let given = [
        words.url.is_some(),
        words.from.is_some(),
        !words.command.is_empty(),
    ];
    if given.iter().filter(|given| **given).count() != 1 {
        return Err(usage(
            "one of `--url URL`, `--from FILE` and `-- COMMAND ARG…` names the server",
        ));
    }
    let Some(name) = words.name.as_ref().filter(|name| !name.is_empty()) else {
        return Err(usage(
            "`--name NAME` is missing: the lockfile keeps the server under it",
        ));
    };
    let has_header = !words.headers.is_empty() || words.bearer_env.is_some() || words.token_command;
    if words.url.is_none() && has_header {
        return Err(usage(
            "`-H`, `--bearer-env` and `--token-command` fit a server with `--url` only",
        ));
    }
    if words.command.is_empty() && !words.env.is_empty() {
        return Err(usage("`--env` fits a server with `-- COMMAND` only"));
    }
    let transport = if let Some(url) = &words.url {
        Transport::Http {
            carrier: Carrier::Http,
            field: "--url".to_owned(),
            url: Template::parse(url, Syntax::SHARED),
            headers: Vec::new(),
        }
    } else if let Some(file) = &words.from {
        return Ok(from_file(name, file));
    } else {
        let mut parts = words.command.iter().map(|word| Template::literal(word));
        Transport::Stdio(Stdio {
            command: parts.next().unwrap_or_else(|| Template::literal("")),
            may_be_joined: false,
            args: parts.collect(),
            env: BTreeMap::new(),
            passed_on: BTreeSet::new(),
            env_file: None,
            cwd: None,
        })
    };
    let entry = Entry {
        name: name.clone(),
        disabled: false,
        transport: Ok(transport),
        timeouts: Timeouts::default(),
        warnings: Vec::new(),
    };
    let inputs = BTreeMap::new();
    let mut spec = launch::resolve(entry, None, true, &ANY, &scope(env, &inputs));
    if let SpecState::Broken(problem) = spec.state {
        return Err(Problem {
            kind: "usage",
            ..problem
        });
    }
    Additions::read(words, env)?.apply(&mut spec);
    Ok(spec)
}

/// Adds `-H`, `--bearer-env` and `--env` to every server that they fit: headers to those over HTTP, variables
/// to child processes. A header or variable of that name in the configuration gives way.
///
/// Hand it only the servers that the user asked for: each of them is going to see what is added.
///
/// # Errors
/// `usage`: a word that cannot be read, or a variable that is not set.
pub fn add_to(
    specs: &mut [ServerSpec],
    words: &CommandLine,
    env: &Environment,
) -> Result<(), Problem> {
    let additions = Additions::read(words, env)?;
    for spec in specs {
        additions.apply(spec);
    }
    Ok(())
}

fn from_file(name: &str, file: &Path) -> ServerSpec {
    ServerSpec {
        name: ServerName::new(name),
        origin: None,
        client: None,
        explicit: true,
        launch: None,
        state: SpecState::Ready(Endpoint::File(file.to_owned())),
        credential: BTreeMap::new(),
        carrier: Some(Carrier::File),
        timeouts: Timeouts::default(),
        secrets: Secrets::default(),
        warnings: Vec::new(),
    }
}

fn usage(message: &str) -> Problem {
    Problem::new("usage", message)
}

fn scope<'a>(env: &'a Environment, inputs: &'a BTreeMap<String, String>) -> Scope<'a> {
    Scope {
        env,
        workspace: &env.current_dir,
        folder: &env.current_dir,
        inputs,
    }
}

/// What the command line adds to a server, expanded.
#[derive(Default)]
struct Additions {
    headers: Vec<Header>,
    /// Whether whoever connects obtains a bearer token first.
    obtains_bearer: bool,
    env: BTreeMap<String, String>,
    /// Those of the headers, and those of the variables: each server only keeps what it is given.
    header_secrets: Secrets,
    env_secrets: Secrets,
    header_warnings: Vec<Warning>,
}

struct Header {
    name: String,
    /// As it was typed, for the scheme that it begins with.
    written: String,
    variables: Vec<String>,
    value: String,
}

impl Additions {
    fn read(words: &CommandLine, env: &Environment) -> Result<Self, Problem> {
        let mut out = Self::default();
        let mut findings = Findings::default();
        for word in &words.headers {
            // The word itself is in no message: it holds a credential more often than not.
            let (name, value) = word
                .split_once(':')
                .map(|(name, value)| (name.trim(), value.trim()))
                .filter(|(name, _)| is_header_name(name))
                .ok_or_else(|| usage("`-H` wants `Name: value`"))?;
            let value = Template::parse(value, Syntax::SHARED);
            let field = format!("-H {name}");
            out.add_header(&field, name, &value, env, &mut findings)?;
        }
        if let Some(name) = &words.bearer_env {
            let value = Template::parse(&format!("Bearer ${{env:{name}}}"), Syntax::SHARED);
            out.add_header("--bearer-env", "Authorization", &value, env, &mut findings)?;
            if env.var(name).is_some_and(|value| value.trim().is_empty()) {
                return Err(usage(&format!(
                    "the variable `{name}` of `--bearer-env` is empty"
                )));
            }
        }
        if words.token_command {
            out.refuse_twice("Authorization")?;
            out.obtains_bearer = true;
        }
        if let Some(problem) = findings.problems.into_iter().next() {
            return Err(Problem {
                kind: "usage",
                message: findings.secrets.redact(&problem.message),
                ..problem
            });
        }
        out.header_secrets = findings.secrets;
        out.header_warnings = findings.warnings;
        let mut variables = Findings::default();
        for word in &words.env {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name, value.to_owned()),
                None => match env.var(word) {
                    Some(value) => (word.as_str(), value.to_owned()),
                    None => {
                        return Err(
                            usage(&format!("the variable `{word}` of `--env` is not set"))
                                .with_hint(format!("export {word}=…")),
                        );
                    }
                },
            };
            if name.is_empty() {
                return Err(usage("`--env` wants `NAME` or `NAME=VALUE`"));
            }
            variables.secret(name, &value);
            out.env.insert(name.to_owned(), value);
        }
        out.env_secrets = variables.secrets;
        Ok(out)
    }

    fn add_header(
        &mut self,
        field: &str,
        name: &str,
        value: &Template,
        env: &Environment,
        findings: &mut Findings,
    ) -> Result<(), Problem> {
        self.refuse_twice(name)?;
        let inputs = BTreeMap::new();
        let values = value.values(field, &scope(env, &inputs), findings);
        self.headers.push(Header {
            name: name.to_owned(),
            written: value.masked().to_owned(),
            variables: value.variables(),
            value: header_value(field, name, &value.filled(&values), findings),
        });
        Ok(())
    }

    fn refuse_twice(&self, name: &str) -> Result<(), Problem> {
        let mut headers = self.headers.iter();
        if headers.any(|header| header.name.eq_ignore_ascii_case(name)) {
            return Err(usage(&format!("the header `{name}` is given twice")));
        }
        Ok(())
    }

    fn apply(&self, spec: &mut ServerSpec) {
        match &mut spec.launch {
            Some(Launch::Http { headers, auth, .. })
                if !self.headers.is_empty() || self.obtains_bearer =>
            {
                if self.obtains_bearer {
                    headers.insert("authorization".to_owned());
                    "bearer".clone_into(auth);
                }
                for header in &self.headers {
                    let name = header.name.to_ascii_lowercase();
                    spec.credential
                        .insert(name.clone(), header.variables.clone());
                    headers.insert(name);
                    *auth = stronger_auth(auth, &header.name, &header.written).to_owned();
                }
                spec.secrets.extend(&self.header_secrets);
                spec.warnings.extend(self.header_warnings.iter().cloned());
            }
            Some(Launch::Stdio { env, .. }) if !self.env.is_empty() => {
                env.retain(|entry| !self.env.contains_key(loading::variable_of(entry)));
                env.extend(self.env.keys().cloned());
                spec.secrets.extend(&self.env_secrets);
            }
            _ => return,
        }
        match &mut spec.state {
            SpecState::Ready(Endpoint::Http { headers, .. }) => {
                for header in &self.headers {
                    headers.retain(|(name, _)| !name.eq_ignore_ascii_case(&header.name));
                    headers.push((header.name.clone(), header.value.clone()));
                }
            }
            SpecState::Ready(Endpoint::Stdio { env, .. }) => {
                env.extend(self.env.iter().map(|(n, v)| (n.clone(), v.clone())));
            }
            _ => {}
        }
    }
}
