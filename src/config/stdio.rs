//! Servers that are child processes: their words, variables and folder.

use super::entry::Stdio;
use super::expand::{Findings, REDACTED, Scope, Template, Values};
use super::launch::{keep_secret, keep_userinfo};
use super::looks;
use super::spans::{self, Span};
use super::{command, dotenv, file};
use crate::fingerprint::Digest;
use crate::model::{Endpoint, Launch, Problem, Warning, loading};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A word of the command line and the field that it comes from.
type Word = (String, Template);

/// The command and its arguments; a command that is no file and holds blanks is split.
fn words(
    command: Template,
    may_be_joined: bool,
    args: Vec<Template>,
    cwd: Option<&Template>,
    scope: &Scope<'_>,
    findings: &mut Findings,
) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let has_blanks = command.masked().contains(char::is_whitespace);
    if command.masked().trim().is_empty() {
        findings.problem("`command` is empty".to_owned());
    }
    if may_be_joined && has_blanks && !is_program(&command, cwd, scope) {
        let split = command::split(&command, scope.env.windows).filter(|words| !words.is_empty());
        if let Some(split) = split {
            findings.warnings.push(split_warning(&split));
            words.extend(split.into_iter().map(|word| ("command".to_owned(), word)));
        } else {
            findings.problem(
                "`command` is no file and cannot be split into words: a quote is not closed"
                    .to_owned(),
            );
        }
    }
    if words.is_empty() {
        words.push(("command".to_owned(), command));
    }
    let args = args.into_iter().enumerate();
    words.extend(args.map(|(i, arg)| (format!("args[{i}]"), arg)));
    words
}

fn is_program(command: &Template, cwd: Option<&Template>, scope: &Scope<'_>) -> bool {
    // What is missing is found, and said, when the words are expanded.
    let mut ignored = Findings::default();
    let mut expand = |template: &Template| {
        let values = template.values("command", scope, &mut ignored);
        command::with_home(template.masked(), template.filled(&values), scope.env)
    };
    let cwd = cwd.and_then(&mut expand);
    expand(command).is_some_and(|command| scope.env.is_program(&command, cwd.as_deref()))
}

fn split_warning(words: &[Template]) -> Warning {
    let spans = spans_of(words.iter());
    let written: Vec<String> = words
        .iter()
        .zip(&spans)
        .map(|(word, spans)| format!("`{}`", word.written(spans)))
        .collect();
    Warning::new(
        "command-split",
        format!(
            "`command` is no file and holds blanks: it was read as {}",
            written.join(" ")
        ),
    )
}

fn spans_of<'a>(words: impl Iterator<Item = &'a Template>) -> Vec<Vec<Span>> {
    let masked: Vec<&str> = words.map(Template::masked).collect();
    spans::in_command(&masked)
}

/// The identity and the endpoint of a child process.
pub(super) fn resolve(
    child: Stdio,
    scope: &Scope<'_>,
    findings: &mut Findings,
) -> (Launch, Endpoint) {
    let cwd = child.cwd.as_ref();
    let words = words(
        child.command,
        child.may_be_joined,
        child.args,
        cwd,
        scope,
        findings,
    );
    let spans = spans_of(words.iter().map(|(_, word)| word));
    let mut written = Vec::with_capacity(words.len());
    let mut expanded = Vec::with_capacity(words.len());
    for ((field, word), spans) in words.iter().zip(&spans) {
        let values = word.values(field, scope, findings);
        keep_secret(word, &values, spans, findings);
        keep_userinfo(&word.filled(&values), findings);
        written.push(word.written(spans));
        expanded.push(home(field, word, &values, scope, findings));
    }
    let mut names = BTreeMap::new();
    let mut variables = passed_on(&child.passed_on, scope, findings);
    for name in &child.passed_on {
        // What is passed on is written as `${NAME}` elsewhere.
        let value = Template::variable(name);
        names.insert(name.clone(), variable(name, &value));
    }
    if let Some(path) = &child.env_file {
        for (name, value) in of_file(path, scope, findings) {
            names.insert(name.clone(), variable(&name, &Template::literal(&value)));
            variables.insert(name, value);
        }
    }
    for (name, template) in &child.env {
        let values = template.values(&format!("env.{name}"), scope, findings);
        let value = template.filled(&values);
        keep_variable(name, &value, findings);
        names.insert(name.clone(), variable(name, template));
        variables.insert(name.clone(), value);
    }
    let directory = cwd.map(|cwd| {
        let values = cwd.values("cwd", scope, findings);
        home("cwd", cwd, &values, scope, findings)
    });

    let launch = Launch::Stdio {
        command: first(command::without_cmd(&written)),
        args: rest(command::without_cmd(&written)),
        cwd: cwd.map(|cwd| cwd.written(&spans::in_url(cwd.masked()))),
        env: names.into_values().collect(),
    };
    // A configuration written on Windows is checked elsewhere too; there, `cmd` is left to do its part.
    let started = if scope.env.windows {
        &expanded[..]
    } else {
        command::without_cmd(&expanded)
    };
    let endpoint = Endpoint::Stdio {
        command: first(started),
        args: rest(started),
        cwd: directory.map(PathBuf::from),
        env: variables,
    };
    (launch, endpoint)
}

/// The variables that are passed on, of those that are set.
fn passed_on(
    names: &BTreeSet<String>,
    scope: &Scope<'_>,
    findings: &mut Findings,
) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    for name in names {
        if let Some(value) = scope.env.var(name) {
            keep_variable(name, value, findings);
            out.insert(name.clone(), value.to_owned());
        }
    }
    out
}

/// The variables of the file that `envFile` names.
fn of_file(
    path: &Template,
    scope: &Scope<'_>,
    findings: &mut Findings,
) -> BTreeMap<String, String> {
    let values = path.values("envFile", scope, findings);
    let found = home("envFile", path, &values, scope, findings);
    let variables = file::read_text(&scope.workspace.join(&found))
        .map_err(|cause| format!("cannot be read: {cause}"))
        .and_then(|text| dotenv::read(&text));
    match variables {
        Ok(variables) => {
            for (name, value) in &variables {
                keep_variable(name, value, findings);
            }
            variables
        }
        Err(cause) => {
            let message = format!("`{found}`, which `envFile` names, {cause}");
            let hint = format!("write the variables into `{found}`, a line `NAME=value` each");
            findings
                .problems
                .push(Problem::new("config", message).with_hint(hint));
            BTreeMap::new()
        }
    }
}

/// The value of a variable is a secret, and so are the parts of a URL in it.
fn keep_variable(name: &str, value: &str, findings: &mut Findings) {
    if value.contains('\0') {
        findings.problem(format!("`env.{name}` holds a NUL character"));
    }
    findings.secret(name, value);
    keep_userinfo(value, findings);
}

/// How a variable stands in the identity. What of its value is a secret is left out before the digest is made.
fn variable(name: &str, value: &Template) -> String {
    let digest = || {
        let written = if looks::secret_name(name) {
            REDACTED.to_owned()
        } else {
            value.written(&spans::in_url(value.masked()))
        };
        Digest::of(&written).short()
    };
    loading::entry(name, digest).into_owned()
}

fn first(words: &[String]) -> String {
    words.first().cloned().unwrap_or_default()
}

fn rest(words: &[String]) -> Vec<String> {
    words.iter().skip(1).cloned().collect()
}

fn home(
    field: &str,
    word: &Template,
    values: &Values,
    scope: &Scope<'_>,
    findings: &mut Findings,
) -> String {
    command::with_home(word.masked(), word.filled(values), scope.env).unwrap_or_else(|| {
        findings.problems.push(
            Problem::new(
                "config",
                format!("`{field}` begins with `~`, and the home directory is not known"),
            )
            .with_hint("export HOME=…"),
        );
        String::new()
    })
}
