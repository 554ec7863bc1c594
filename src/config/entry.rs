//! One server as a client writes it down, with all the names that clients have for the same member.
//!
//! A member of the wrong type makes its server unusable, never its neighbours. Nothing is expanded here.

use super::expand::Template;
use super::members::{config, flag, is_there, members, seconds, text, texts, variables, wrong};
use super::sources::{Bound, Source};
use crate::json::{Object, Value};
use crate::model::{Carrier, Problem, Timeouts, Warning};
use std::collections::{BTreeMap, BTreeSet};

/// One server as it is written.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) disabled: bool,
    pub(super) transport: Result<Transport, Problem>,
    pub(super) timeouts: Timeouts,
    pub(super) warnings: Vec<Warning>,
}

/// How a server is started or reached, unexpanded.
pub(super) enum Transport {
    Stdio(Stdio),
    Http {
        carrier: Carrier,
        /// What the configuration calls it.
        field: String,
        url: Template,
        headers: Vec<(String, Template)>,
    },
}

/// How a server is started, unexpanded.
pub(super) struct Stdio {
    pub(super) command: Template,
    /// Whether the command may hold arguments too; not where it is written as a list.
    pub(super) may_be_joined: bool,
    pub(super) args: Vec<Template>,
    /// In the order of their names.
    pub(super) env: BTreeMap<String, Template>,
    /// Variables that are passed on if they are set.
    pub(super) passed_on: BTreeSet<String>,
    /// A file of more variables.
    pub(super) env_file: Option<Template>,
    pub(super) cwd: Option<Template>,
}

/// Members of an entry that change how a client starts or reaches the server, and are not followed here.
const NOT_FOLLOWED: [(&str, &str); 1] =
    [("headersHelper", "give the header with `-H 'Name: value'`")];

/// Entries that no program or URL stands behind: what a client brings along, or an extension of it installs.
const BUILT_IN: [&str; 5] = [
    "builtin",
    "platform",
    "frontend",
    "inline_python",
    "extension",
];

const COMMANDS: [&str; 2] = ["command", "cmd"];
const URLS: [&str; 4] = ["url", "httpUrl", "serverUrl", "uri"];
const ENVS: [&str; 3] = ["env", "environment", "envs"];
const HEADERS: [&str; 2] = ["headers", "http_headers"];

impl Entry {
    /// `None` for what is no server of its own.
    pub(super) fn read(name: &str, value: &Value, source: &Source) -> Option<Self> {
        let mut out = Self {
            name: name.to_owned(),
            disabled: false,
            transport: Err(wrong("the entry", value, "an object")),
            timeouts: Timeouts::default(),
            warnings: Vec::new(),
        };
        let Some(object) = value.as_object() else {
            return Some(out);
        };
        if is_built_in(object) {
            return None;
        }
        let flags = flag(object, "disabled").and_then(|disabled| {
            Ok(disabled == Some(true) || flag(object, "enabled")? == Some(false))
        });
        out.transport = match (flags, timeouts(object, source)) {
            (Ok(disabled), Ok(timeouts)) => {
                out.disabled = disabled;
                out.timeouts = timeouts;
                Transport::read(object, source)
            }
            (Err(problem), _) | (_, Err(problem)) => Err(problem),
        };
        let env_file = [("envFile", "give its variables with `--env NAME`")];
        let not_followed = NOT_FOLLOWED
            .iter()
            .chain(env_file.iter().filter(|_| !source.env_file));
        for (member, instead) in not_followed {
            if is_there(object, member) {
                out.warnings.push(
                    Warning::new(
                        "member-not-followed",
                        format!("`{member}` is not followed: {instead}"),
                    )
                    .at(*member),
                );
            }
        }
        Some(out)
    }
}

fn is_built_in(object: &Object) -> bool {
    let is_launched = COMMANDS
        .iter()
        .chain(&URLS)
        .any(|name| is_there(object, name));
    let word = object.text("type").or_else(|| object.text("source"));
    !is_launched
        && (word.is_some_and(|word| BUILT_IN.contains(&word)) || is_there(object, "settings"))
}

fn timeouts(object: &Object, source: &Source) -> Result<Timeouts, Problem> {
    let mut out = Timeouts::default();
    for (member, unit, bound) in source.limits {
        let Some(time) = seconds(object, member, *unit)? else {
            continue;
        };
        match bound {
            Bound::Start => out.start = Some(time),
            Bound::Request => out.request = Some(time),
        }
    }
    Ok(out)
}

/// The members of a list of synonyms that are there.
fn there(object: &Object, names: &[&'static str]) -> Vec<&'static str> {
    let names = names.iter().copied();
    names.filter(|name| is_there(object, name)).collect()
}

/// The one member of a list of synonyms that is there.
fn one(object: &Object, names: &[&'static str]) -> Result<Option<&'static str>, Problem> {
    match there(object, names)[..] {
        [] => Ok(None),
        [name] => Ok(Some(name)),
        [first, second, ..] => Err(config(format!("`{first}` and `{second}` are both there"))),
    }
}

impl Transport {
    pub(super) const fn carrier(&self) -> Carrier {
        match self {
            Self::Stdio(_) => Carrier::Stdio,
            Self::Http { carrier, .. } => *carrier,
        }
    }

    fn read(object: &Object, source: &Source) -> Result<Self, Problem> {
        let command = one(object, &COMMANDS)?;
        let urls = there(object, &URLS);
        let carrier = match text(object, "type")? {
            Some(word) => carrier(word)?,
            None => match (command, &urls[..]) {
                (Some(_), []) => Carrier::Stdio,
                (None, [url, ..]) if source.sse_member == Some(url) => Carrier::Sse,
                (None, [_, ..]) => Carrier::Http,
                (Some(command), [url, ..]) => {
                    return Err(config(format!(
                        "`{command}` and `{url}` are both there, and no `type` says which holds"
                    )));
                }
                (None, []) => return Err(config("neither `command` nor `url` is there")),
            },
        };
        match (carrier, command) {
            (Carrier::Stdio, None) => Err(config("`command` is missing")),
            (Carrier::Stdio, Some(command)) => {
                Ok(Self::Stdio(Stdio::read(object, command, source)?))
            }
            (_, _) => match one(object, &URLS)? {
                Some(field) => Self::http(object, field, carrier, source),
                None => Err(config("`url` is missing")),
            },
        }
    }

    fn http(
        object: &Object,
        field: &str,
        carrier: Carrier,
        source: &Source,
    ) -> Result<Self, Problem> {
        let syntax = source.syntax;
        let url = text(object, field)?.unwrap_or_default();
        let mut headers = Vec::new();
        let mut add = |of: &Object, member: &str| -> Result<(), Problem> {
            for (name, value) in members(of, member)? {
                let value = value
                    .as_str()
                    .ok_or_else(|| wrong(&format!("`{member}.{name}`"), value, "a string"))?;
                headers.push((name.to_owned(), Template::parse(value, syntax)));
            }
            Ok(())
        };
        for member in HEADERS {
            add(object, member)?;
        }
        if let Some(options) = object.get("requestOptions").and_then(Value::as_object) {
            add(options, "headers")?;
        }
        for (name, variable) in members(object, "env_http_headers")? {
            let variable = named(&format!("`env_http_headers.{name}`"), variable)?;
            headers.push((name.to_owned(), Template::variable(variable)));
        }
        if let Some(variable) = object.get("bearer_token_env_var") {
            let variable = named("`bearer_token_env_var`", variable)?;
            let token = Template::variable(variable);
            let bearer = token.with_masked(format!("Bearer {}", token.masked()));
            headers.push(("Authorization".to_owned(), bearer));
        }
        Ok(Self::Http {
            carrier,
            field: field.to_owned(),
            url: Template::parse(url, syntax),
            headers,
        })
    }
}

impl Stdio {
    fn read(object: &Object, field: &str, source: &Source) -> Result<Self, Problem> {
        let syntax = source.syntax;
        let mut may_be_joined = true;
        let mut args = Vec::new();
        let mut env = BTreeMap::new();
        let command = match object.get(field) {
            Some(Value::Array(_)) => {
                may_be_joined = false;
                let mut words = texts(object, field, syntax)?.into_iter();
                let command = words
                    .next()
                    .ok_or_else(|| config(format!("`{field}` is an empty list")))?;
                args.extend(words);
                command
            }
            Some(Value::Object(inner)) => {
                may_be_joined = false;
                let path = text(inner, "path")?
                    .ok_or_else(|| config(format!("`{field}.path` is missing")))?;
                args.extend(texts(inner, "args", syntax)?);
                env.extend(variables(inner, "env", syntax)?);
                Template::parse(path, syntax)
            }
            _ => Template::parse(text(object, field)?.unwrap_or_default(), syntax),
        };
        args.extend(texts(object, "args", syntax)?);
        for member in ENVS {
            env.extend(variables(object, member, syntax)?);
        }
        for variable in names(object, "env_keys")? {
            let value = Template::variable(&variable);
            env.entry(variable).or_insert(value);
        }
        let path = |member: &str| -> Result<Option<Template>, Problem> {
            Ok(text(object, member)?.map(|path| Template::parse(path, syntax)))
        };
        Ok(Self {
            command,
            may_be_joined,
            args,
            env,
            passed_on: names(object, "env_vars")?.into_iter().collect(),
            env_file: if source.env_file {
                path("envFile")?
            } else {
                None
            },
            cwd: path("cwd")?,
        })
    }
}

/// A list of names of variables; one may stand in an object with more about it.
fn names(object: &Object, member: &str) -> Result<Vec<String>, Problem> {
    let elements = match object.get(member) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(elements)) => elements,
        Some(other) => return Err(wrong(&format!("`{member}`"), other, "a list of names")),
    };
    let names = elements.iter().enumerate().map(|(i, element)| {
        let name = element.get("name").unwrap_or(element);
        named(&format!("`{member}[{i}]`"), name).map(str::to_owned)
    });
    names.collect()
}

/// The name of a variable.
fn named<'a>(field: &str, value: &'a Value) -> Result<&'a str, Problem> {
    let name = value
        .as_str()
        .ok_or_else(|| wrong(field, value, "the name of a variable"))?;
    if name.is_empty() || name.contains(['=', '\0']) {
        return Err(config(format!("{field} cannot name a variable")));
    }
    Ok(name)
}

fn carrier(word: &str) -> Result<Carrier, Problem> {
    match word.to_ascii_lowercase().replace(['-', '_'], "").as_str() {
        "stdio" | "local" => Ok(Carrier::Stdio),
        // Which of the two over HTTP it is, the connection finds out all the same.
        "http" | "streamablehttp" | "remote" => Ok(Carrier::Http),
        "sse" => Ok(Carrier::Sse),
        "ws" | "websocket" => Err(config(format!(
            "`type` is `{word}`: no revision of MCP has a WebSocket transport"
        ))),
        _ => Err(config(format!(
            "`type` is `{word}`, which is not known (known: stdio, http, streamable-http, sse)"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sections::{self, Document};
    use super::super::{jsonc, sources};
    use super::*;
    use std::path::Path;

    fn document(source: &str) -> Result<Option<Document>, String> {
        sections::read(
            &jsonc::read(source.as_bytes()).expect("JSONC"),
            &sources::ANY,
            None,
            Path::new("/"),
        )
    }

    fn transport(entry: &str) -> Result<Transport, Problem> {
        let source = format!(r#"{{ "mcpServers": {{ "x": {entry} }} }}"#);
        let mut entries = document(&source).expect("read").expect("a section").entries;
        entries.remove(0).transport
    }

    fn message(entry: &str) -> String {
        transport(entry)
            .err()
            .map(|problem| problem.message)
            .unwrap_or_default()
    }

    #[test]
    fn servers_are_found_under_every_name_that_clients_use() {
        for source in [
            r#"{ "mcpServers": { "x": {} } }"#,
            r#"{ "servers": { "x": {} } }"#,
            r#"{ "mcp.servers": { "x": {} } }"#,
            r#"{ "mcp": { "servers": { "x": {} } } }"#,
            r#"{ "context_servers": { "x": {} } }"#,
            r#"{ "mcp": { "x": { "type": "local" }, "allowed": ["y"] } }"#,
        ] {
            let document = document(source).expect(source).expect(source);
            assert_eq!(document.entries[0].name, "x", "{source}");
            assert_eq!(document.entries.len(), 1, "{source}");
        }
        assert!(document(r#"{ "other": {} }"#).expect("an object").is_none());
        assert!(document("[]").is_err());
        assert!(document(r#"{ "servers": 1 }"#).is_err());
        assert!(document(r#"{ "mcpServers": [{ "name": "x" }, { "name": "x" }] }"#).is_err());
        assert!(document(r#"{ "mcpServers": [{ "command": "x" }] }"#).is_err());
    }

    #[test]
    fn one_name_in_two_sections_is_refused() {
        let error = document(r#"{ "servers": { "x": {} }, "mcpServers": { "x": {} } }"#).err();
        assert_eq!(
            error.as_deref(),
            Some("both `mcpServers` and `servers` hold the server `x`")
        );
    }

    #[test]
    fn the_transport_follows_type_or_else_what_is_there() {
        for entry in [
            r#"{ "command": "a" }"#,
            r#"{ "type": "stdio", "command": "a", "url": "http://h" }"#,
            r#"{ "type": "local", "command": ["a", "b"] }"#,
            r#"{ "command": { "path": "a", "args": ["b"], "env": { "C": "d" } } }"#,
        ] {
            assert!(
                matches!(transport(entry), Ok(Transport::Stdio(_))),
                "{entry}"
            );
        }
        for entry in [
            r#"{ "url": "http://h" }"#,
            r#"{ "serverUrl": "http://h" }"#,
            r#"{ "httpUrl": "http://h" }"#,
            r#"{ "type": "http", "url": "http://h" }"#,
            r#"{ "type": "sse", "url": "http://h" }"#,
            r#"{ "type": "streamable-http", "url": "http://h" }"#,
            r#"{ "type": "streamableHttp", "url": "http://h" }"#,
            r#"{ "type": "remote", "url": "http://h", "command": null }"#,
        ] {
            assert!(
                matches!(transport(entry), Ok(Transport::Http { .. })),
                "{entry}"
            );
        }
    }

    #[test]
    fn an_unusable_entry_says_which_member_and_why() {
        for (entry, expected) in [
            ("1", "the entry is a number, not an object"),
            ("{}", "neither `command` nor `url` is there"),
            (r#"{ "command": 1 }"#, "`command` is a number, not a string"),
            (r#"{ "command": [] }"#, "`command` is an empty list"),
            (r#"{ "command": {} }"#, "`command.path` is missing"),
            (
                r#"{ "command": "a", "args": "b" }"#,
                "`args` is a string, not a list of strings",
            ),
            (
                r#"{ "command": "a", "args": ["b", 1] }"#,
                "`args[1]` is a number, not a string",
            ),
            (
                r#"{ "command": "a", "env": [] }"#,
                "`env` is an array, not an object",
            ),
            (
                r#"{ "command": "a", "env": { "A": {} } }"#,
                "`env.A` is an object, not a string",
            ),
            (
                r#"{ "command": "a", "env": { "A=B": "" } }"#,
                "`env` holds `A=B`, which cannot name a variable",
            ),
            (
                r#"{ "command": "a", "disabled": "no" }"#,
                "`disabled` is a string, not true or false",
            ),
            (
                r#"{ "url": "h", "headers": { "A": 1 } }"#,
                "`headers.A` is a number, not a string",
            ),
            (
                r#"{ "url": "h", "command": "a" }"#,
                "`command` and `url` are both there, and no `type` says which holds",
            ),
            (
                r#"{ "url": "h", "httpUrl": "h" }"#,
                "`url` and `httpUrl` are both there",
            ),
            (r#"{ "type": "http" }"#, "`url` is missing"),
            (r#"{ "type": "stdio", "url": "h" }"#, "`command` is missing"),
            (
                r#"{ "type": "ws", "url": "h" }"#,
                "`type` is `ws`: no revision of MCP has a WebSocket transport",
            ),
            (r#"{ "type": 1 }"#, "`type` is a number, not a string"),
        ] {
            assert_eq!(message(entry), expected, "{entry}");
        }
        assert!(message(r#"{ "type": "carrier-pigeon" }"#).contains("not known"));
    }

    #[test]
    fn numbers_and_truth_values_are_variables_too() {
        let entry = r#"{ "command": "a", "env": { "PORT": 3000, "ON": true, "OFF": null } }"#;
        let Ok(Transport::Stdio(Stdio { env, .. })) = transport(entry) else {
            panic!("it is usable");
        };
        let written: Vec<_> = env
            .iter()
            .map(|(n, v)| format!("{n}={}", v.written(&[])))
            .collect();
        assert_eq!(written, ["ON=true", "PORT=3000"]);
    }

    #[test]
    fn a_disabled_server_is_known_by_either_member() {
        let source = r#"{ "servers": { "a": { "disabled": true }, "b": { "enabled": false, "command": "x" }, "c": { "enabled": true } } }"#;
        let entries = document(source).expect("read").expect("a section").entries;
        let disabled: Vec<bool> = entries.iter().map(|entry| entry.disabled).collect();
        assert_eq!(disabled, [true, true, false]);
    }

    #[test]
    fn a_member_that_is_not_followed_is_said() {
        let source = r#"{ "servers": { "a": { "command": "x", "headersHelper": "x" } } }"#;
        let entries = document(source).expect("read").expect("a section").entries;
        assert_eq!(entries[0].warnings[0].rule, "member-not-followed");
    }
}
