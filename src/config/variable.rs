//! One `${…}`: what it names, how it stands in an identity, and where its value comes from.

use super::expand::{Findings, REDACTED, Scope};
use super::looks;
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
    /// The part of the text that cannot be a secret.
    Unknown(String),
}

impl Variable {
    /// `body` is what stands between the braces, `closed` whether the second brace is there.
    pub(super) fn parse(body: &str, closed: bool) -> Self {
        let (name, default) = match body.split_once(":-") {
            Some((name, default)) => (name, Some(default.to_owned())),
            None => (body, None),
        };
        let source = if !closed || body.contains("${") {
            None
        } else if let Some(name) = name.strip_prefix("env:") {
            let plain = !name.is_empty() && !name.contains([':', '=', '\0']);
            plain.then(|| Source::Environment(name.to_owned()))
        } else if let Some(id) = name.strip_prefix("input:") {
            (!id.is_empty()).then(|| Source::Input(id.to_owned()))
        } else {
            match name {
                "workspaceFolder" => Some(Source::WorkspaceFolder),
                "workspaceFolderBasename" => Some(Source::WorkspaceFolderBasename),
                "userHome" => Some(Source::UserHome),
                "pathSeparator" | "/" => Some(Source::PathSeparator),
                _ => is_variable_name(name).then(|| Source::Environment(name.to_owned())),
            }
        };
        match source {
            Some(source) => Self { source, default },
            None => Self {
                source: Source::Unknown(harmless_start(body)),
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
            Source::Unknown(start) => &format!("{start}…"),
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
            Source::Unknown(_) => None,
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
            Source::Unknown(_) => {
                let written = self.written(false);
                return Problem::new("config", format!("`{field}` holds `{written}`, a form of variable that is not known"))
                    .with_hint("known are ${VAR}, ${VAR:-default}, ${env:VAR}, ${input:id}, ${workspaceFolder}, ${workspaceFolderBasename}, ${userHome}, ${pathSeparator}");
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
    !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// What an unknown form begins with: enough to find it, too little to hold a value (`${VAR:=value}`).
fn harmless_start(body: &str) -> String {
    body.chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ':'))
        .take(40)
        .collect()
}
