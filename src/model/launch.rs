//! How a server is started or reached, as its configuration says it.

use crate::json::Value;
use std::collections::BTreeSet;

/// How a server is started or reached, as its configuration says it: variables unexpanded, no secret inside.
///
/// This is the server's identity in the lockfile; rotating a credential does not change it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Launch {
    /// A child process that speaks on its standard input and output.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// The directory it is started in, where the configuration names one.
        cwd: Option<String>,
        /// The names of the variables that the configuration sets, as [`super::loading::entry`] writes them.
        env: BTreeSet<String>,
    },
    /// An HTTP endpoint.
    Http {
        /// Its URL without userinfo, secret query values replaced.
        url: String,
        /// The names of the headers that the configuration sets, in lower case.
        headers: BTreeSet<String>,
        /// The kind of authentication: `none`, `header`, `bearer`, `oauth`.
        auth: String,
    },
}

impl Launch {
    /// As it stands in the lockfile. Empty lists and absent members are left out.
    pub fn to_value(&self) -> Value {
        let texts = |items: &mut dyn Iterator<Item = &String>| {
            Value::Array(items.map(|item| Value::String(item.clone())).collect())
        };
        let mut members = Vec::new();
        match self {
            Self::Stdio {
                command,
                args,
                cwd,
                env,
            } => {
                if !args.is_empty() {
                    members.push(("args".to_owned(), texts(&mut args.iter())));
                }
                members.push(("command".to_owned(), Value::String(command.clone())));
                if let Some(cwd) = cwd {
                    members.push(("cwd".to_owned(), Value::String(cwd.clone())));
                }
                if !env.is_empty() {
                    members.push(("env".to_owned(), texts(&mut env.iter())));
                }
            }
            Self::Http { url, headers, auth } => {
                if auth != "none" {
                    members.push(("auth".to_owned(), Value::String(auth.clone())));
                }
                if !headers.is_empty() {
                    members.push(("headers".to_owned(), texts(&mut headers.iter())));
                }
                members.push(("url".to_owned(), Value::String(url.clone())));
            }
        }
        Value::Object(members.into_iter().collect())
    }

    /// Reads what [`Launch::to_value`] wrote; `None` if it is something else.
    pub fn from_value(value: &Value) -> Option<Self> {
        let object = value.as_object()?;
        let texts = |name: &str| -> Option<Vec<String>> {
            match object.get(name) {
                None => Some(Vec::new()),
                Some(list) => list
                    .as_array()?
                    .iter()
                    .map(|text| text.as_str().map(str::to_owned))
                    .collect(),
            }
        };
        if let Some(command) = object.text("command") {
            Some(Self::Stdio {
                command: command.to_owned(),
                args: texts("args")?,
                cwd: object.text("cwd").map(str::to_owned),
                env: texts("env")?.into_iter().collect(),
            })
        } else {
            Some(Self::Http {
                url: object.text("url")?.to_owned(),
                headers: texts("headers")?.into_iter().collect(),
                auth: object.text("auth").unwrap_or("none").to_owned(),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launch_reads_back() {
        for launch in [
            Launch::Stdio {
                command: "npx".into(),
                args: vec!["-y".into(), "pkg".into()],
                cwd: Some("sub".into()),
                env: ["A".to_owned()].into(),
            },
            Launch::Stdio {
                command: "x".into(),
                args: vec![],
                cwd: None,
                env: BTreeSet::new(),
            },
            Launch::Http {
                url: "https://h.invalid/mcp".into(),
                headers: ["x-key".to_owned()].into(),
                auth: "bearer".into(),
            },
        ] {
            assert_eq!(Launch::from_value(&launch.to_value()), Some(launch));
        }
        assert_eq!(Launch::from_value(&Value::Null), None);
    }
}
