//! Servers that are child processes: their words, variables and folder.

use super::command;
use super::expand::{Findings, REDACTED, Scope, Template, Values};
use super::launch::{keep_secret, keep_userinfo};
use super::looks;
use super::spans::{self, Span};
use crate::fingerprint::Digest;
use crate::model::{Endpoint, Launch, Problem, Warning, loading};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A word of the command line and the field that it comes from.
pub(super) type Word = (String, Template);

/// The command and its arguments; a command that is no file and holds blanks is split.
pub(super) fn words(
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
    words: &[Word],
    env: &BTreeMap<String, Template>,
    cwd: Option<&Template>,
    scope: &Scope<'_>,
    findings: &mut Findings,
) -> (Launch, Endpoint) {
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
    let mut variables = BTreeMap::new();
    for (name, template) in env {
        let values = template.values(&format!("env.{name}"), scope, findings);
        let value = template.filled(&values);
        if value.contains('\0') {
            findings.problem(format!("`env.{name}` holds a NUL character"));
        }
        findings.secret(name, &value);
        keep_userinfo(&value, findings);
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
        env: env
            .iter()
            .map(|(name, value)| variable(name, value))
            .collect(),
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
