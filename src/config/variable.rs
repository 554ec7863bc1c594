//! One `${…}`: what it names, how it stands in an identity, and where its value comes from.

use super::expand::{Findings, REDACTED, Scope};
use super::syntax::{Form, Syntax};
use super::{command, file, looks};
use crate::model::{Problem, Warning};
use std::path::Path;

#[derive(Clone)]
pub(super) struct Variable {
    source: Source,
    default: Option<String>,
}

#[derive(Clone)]
enum Source {
    Environment(String),
    Input(String),
    WorkspaceFolder,
    WorkspaceFolderBasename,
    UserHome,
    PathSeparator,
    /// What a file holds.
    File(String),
    /// The part of the text that cannot be a secret, and what would have been known.
    Unknown(String, Syntax),
}

impl Variable {
    /// A variable of this environment.
    pub(super) fn named(name: &str) -> Self {
        Self {
            source: Source::Environment(name.to_owned()),
            default: None,
        }
    }

    /// `body` is what stands between the brackets, `closed` whether the second one is there.
    pub(super) fn parse(body: &str, forms: &[Form], closed: bool, syntax: Syntax) -> Self {
        let (name, default) = match body.split_once(":-") {
            Some((name, default)) if forms.contains(&Form::Default) => {
                (name, Some(default.to_owned()))
            }
            _ => (body, None),
        };
        let source = if closed && !body.contains("${") {
            forms.iter().find_map(|form| source(*form, name))
        } else {
            None
        };
        match source {
            Some(source) => Self { source, default },
            None => Self {
                source: Source::Unknown(harmless_start(body), syntax),
                default: None,
            },
        }
    }

    /// One spelling for all that mean the same, so that two clients' files give one identity.
    pub(super) fn written(&self, secret: bool) -> String {
        let name = match &self.source {
            Source::Environment(name) => name,
            Source::Input(id) => &format!("input:{id}"),
            Source::WorkspaceFolder => "workspaceFolder",
            Source::WorkspaceFolderBasename => "workspaceFolderBasename",
            Source::UserHome => "userHome",
            Source::PathSeparator => "pathSeparator",
            Source::File(path) => &format!("file:{path}"),
            Source::Unknown(start, _) => &format!("{start}…"),
        };
        match &self.default {
            None => format!("${{{name}}}"),
            Some(default) if looks::is_switch(default) => format!("${{{name}:-{default}}}"),
            Some(default) if secret || looks::secret_value(default) => {
                format!("${{{name}:-{REDACTED}}}")
            }
            Some(default) => format!("${{{name}:-{default}}}"),
        }
    }

    pub(super) fn value(&self, field: &str, scope: &Scope<'_>, findings: &mut Findings) -> String {
        let path_text = |path: &Path| path.to_string_lossy().into_owned();
        let found = match &self.source {
            Source::Environment(name) => scope.env.var(name).map(str::to_owned),
            Source::Input(id) => scope.env.var(&input_variable(id)).map(str::to_owned),
            Source::WorkspaceFolder => return path_text(scope.workspace),
            Source::WorkspaceFolderBasename => {
                return scope
                    .workspace
                    .file_name()
                    .map(|name| path_text(Path::new(name)))
                    .unwrap_or_default();
            }
            Source::PathSeparator => return if scope.env.windows { "\\" } else { "/" }.to_owned(),
            Source::UserHome => match &scope.env.home {
                Some(home) => return path_text(home),
                None => None,
            },
            Source::File(path) => return contents(path, field, scope, findings),
            Source::Unknown(..) => None,
        };
        let (variable, secret_name) = match &self.source {
            Source::Input(id) => (input_variable(id), format!("input:{id}")),
            Source::Environment(name) => (name.clone(), name.clone()),
            _ => (String::new(), String::new()),
        };
        match (found, &self.default) {
            (Some(value), default) if value.is_empty() => {
                let then = default.as_ref().map_or("", |_| ": the default is used");
                findings.warnings.push(Warning::new(
                    "empty-variable",
                    format!(
                        "`{field}` needs the variable `{variable}`, which is set but empty{then}"
                    ),
                ));
                default.clone().unwrap_or_default()
            }
            (Some(value), _) => {
                findings.secret(&secret_name, &value);
                value
            }
            (None, Some(default)) => {
                if looks::secret_value(default) {
                    findings.secret(&secret_name, default);
                }
                default.clone()
            }
            (None, None) => {
                findings
                    .problems
                    .push(self.missing(field, &variable, scope));
                String::new()
            }
        }
    }

    fn missing(&self, field: &str, variable: &str, scope: &Scope<'_>) -> Problem {
        let message = match &self.source {
            Source::Input(id) => {
                let description = scope
                    .inputs
                    .get(id)
                    .filter(|text| !text.is_empty())
                    .map(|text| format!(" ({text})"))
                    .unwrap_or_default();
                format!("`{field}` needs the input `{id}`{description}: `{variable}` is not set")
            }
            Source::Unknown(_, syntax) => {
                let written = self.written(false);
                return Problem::new(
                    "config",
                    format!("`{field}` holds `{written}`, a form of variable that is not known"),
                )
                .with_hint(syntax.known());
            }
            Source::UserHome => {
                return Problem::new(
                    "config",
                    format!("`{field}` needs the home directory, which is not known"),
                )
                .with_hint("export HOME=…");
            }
            _ => format!("`{field}` needs the variable `{variable}`, which is not set"),
        };
        Problem::new("config", message).with_hint(format!("export {variable}=…"))
    }
}

/// What a form reads a text as; `None` if the text is not of that form.
fn source(form: Form, text: &str) -> Option<Source> {
    match form {
        Form::Default => None,
        Form::Plain => is_variable_name(text).then(|| Source::Environment(text.to_owned())),
        Form::Env => {
            let name = text.strip_prefix("env:")?;
            let plain = !name.is_empty() && !name.contains([':', '=', '\0']);
            plain.then(|| Source::Environment(name.to_owned()))
        }
        Form::Secret => {
            let name = text.trim().strip_prefix("secrets.")?;
            is_variable_name(name).then(|| Source::Environment(name.to_owned()))
        }
        Form::Input => {
            let id = text.strip_prefix("input:")?;
            (!id.is_empty()).then(|| Source::Input(id.to_owned()))
        }
        Form::File => source(Form::Path, text.strip_prefix("file:")?),
        Form::Path => {
            let plain = !text.is_empty() && !text.contains('\0');
            plain.then(|| Source::File(text.to_owned()))
        }
        Form::Editor => match text {
            "workspaceFolder" => Some(Source::WorkspaceFolder),
            "workspaceFolderBasename" => Some(Source::WorkspaceFolderBasename),
            "userHome" => Some(Source::UserHome),
            "pathSeparator" | "/" => Some(Source::PathSeparator),
            _ => None,
        },
    }
}

/// What a file that a configuration names holds, without the blanks around it.
fn contents(path: &str, field: &str, scope: &Scope<'_>, findings: &mut Findings) -> String {
    let text = command::with_home(path, path.to_owned(), scope.env)
        .ok_or_else(|| "the home directory is not known".to_owned())
        .and_then(|path| file::read_text(&scope.folder.join(path)));
    match text {
        Ok(text) => {
            let text = text.trim();
            findings.secret(&format!("file:{path}"), text);
            text.to_owned()
        }
        Err(cause) => {
            findings.problem(format!("`{field}` needs the file `{path}`: {cause}"));
            String::new()
        }
    }
}

/// The variable that holds the value of `${input:ID}`.
fn input_variable(id: &str) -> String {
    let id: String = id
        .chars()
        .map(|c| match c.to_ascii_uppercase() {
            upper if upper.is_ascii_uppercase() || upper.is_ascii_digit() => upper,
            _ => '_',
        })
        .collect();
    format!("COUNTERSIGN_INPUT_{id}")
}

fn is_variable_name(name: &str) -> bool {
    !name.is_empty() && name_length(name) == name.len()
}

/// How many bytes at the beginning of a text name a variable.
pub(super) fn name_length(text: &str) -> usize {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(text.len())
}

/// What an unknown form begins with: enough to find it, too little to hold a value (`${VAR:=value}`).
fn harmless_start(body: &str) -> String {
    body.chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ':'))
        .take(40)
        .collect()
}
