//! The shapes in which clients write down their servers, read into one.
//!
//! Every JSON configuration is read the same way, whoever's it is: people rename and merge these files. A
//! member of the wrong type makes its server unusable, never its neighbours. Nothing is expanded here.

use super::expand::{Syntax, Template};
use super::members::{article, config, flag, members, text, texts, variables, wrong};
use crate::json::{Object, Value};
use crate::model::{Problem, Warning};
use std::collections::BTreeMap;

/// What one configuration says.
pub(super) struct Document {
    pub(super) entries: Vec<Entry>,
    /// The inputs it declares: id and description.
    pub(super) inputs: BTreeMap<String, String>,
}

/// One server as it is written.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) disabled: bool,
    pub(super) transport: Result<Transport, Problem>,
    pub(super) warnings: Vec<Warning>,
}

/// How a server is started or reached, unexpanded.
pub(super) enum Transport {
    Stdio {
        command: Template,
        /// Whether the command may hold arguments too; not where it is written as a list.
        may_be_joined: bool,
        args: Vec<Template>,
        /// In the order of their names.
        env: BTreeMap<String, Template>,
        cwd: Option<Template>,
    },
    Http {
        /// What the configuration calls it.
        field: String,
        url: Template,
        headers: Vec<(String, Template)>,
    },
}

/// Members of an entry that change how a client starts or reaches the server, and are not followed here.
const NOT_FOLLOWED: [(&str, &str); 2] = [
    ("envFile", "give its variables with `--env NAME`"),
    ("headersHelper", "give the header with `-H 'Name: value'`"),
];

/// The names under which servers are listed, for a message.
pub(super) const SECTIONS: &str = "`mcpServers`, `servers`, `mcp.servers`, `context_servers`";

/// Reads a configuration. `None` if no member of it lists servers.
///
/// # Errors
/// A section that is no object, or a name that two sections hold.
pub(super) fn read(root: &Value, syntax: Syntax) -> Result<Option<Document>, String> {
    let Some(root) = root.as_object() else {
        return Err(format!("the file holds {}, not an object", article(root)));
    };
    let nested = root.get("mcp").and_then(Value::as_object);
    let sections = [
        ("mcpServers", root.get("mcpServers")),
        ("servers", root.get("servers")),
        ("mcp.servers", root.get("mcp.servers")),
        ("mcp.servers", nested.and_then(|mcp| mcp.get("servers"))),
        ("context_servers", root.get("context_servers")),
    ];
    let mut found = false;
    let mut entries = BTreeMap::new();
    let mut add = |section: &str, name: &str, value: &Value| {
        let entry = Entry::read(name, value, syntax);
        match entries.insert(name.to_owned(), (section.to_owned(), entry)) {
            None => Ok(()),
            Some((first, _)) => Err(format!(
                "both `{first}` and `{section}` hold the server `{name}`"
            )),
        }
    };
    for (section, value) in sections {
        match value {
            None | Some(Value::Null) => continue,
            Some(Value::Object(servers)) => {
                for (name, value) in servers.iter() {
                    add(section, name, value)?;
                }
            }
            Some(other) => {
                return Err(format!("`{section}` is {}, not an object", article(other)));
            }
        }
        found = true;
    }
    // One client lists its servers in `mcp` itself, beside settings of other kinds.
    for (name, value) in nested.iter().flat_map(|mcp| mcp.iter()) {
        if matches!(
            value.get("type").and_then(Value::as_str),
            Some("local" | "remote")
        ) {
            add("mcp", name, value)?;
            found = true;
        }
    }
    let inputs = [Some(root), nested]
        .into_iter()
        .flatten()
        .filter_map(|object| object.get("inputs")?.as_array())
        .flatten()
        .filter_map(|input| {
            let description = input.get("description").and_then(Value::as_str);
            let id = input.get("id")?.as_str()?;
            Some((id.to_owned(), description.unwrap_or_default().to_owned()))
        })
        .collect();
    let entries = entries.into_values().map(|(_, entry)| entry).collect();
    Ok(found.then_some(Document { entries, inputs }))
}

impl Entry {
    fn read(name: &str, value: &Value, syntax: Syntax) -> Self {
        let mut out = Self {
            name: name.to_owned(),
            disabled: false,
            transport: Err(wrong("the entry", value, "an object")),
            warnings: Vec::new(),
        };
        let Some(object) = value.as_object() else {
            return out;
        };
        let flags = flag(object, "disabled").and_then(|disabled| {
            Ok(disabled == Some(true) || flag(object, "enabled")? == Some(false))
        });
        out.transport = match flags {
            Ok(disabled) => {
                out.disabled = disabled;
                Transport::read(object, syntax)
            }
            Err(problem) => Err(problem),
        };
        for (member, instead) in NOT_FOLLOWED {
            if !matches!(object.get(member), None | Some(Value::Null)) {
                out.warnings.push(
                    Warning::new(
                        "member-not-followed",
                        format!("`{member}` is not followed: {instead}"),
                    )
                    .at(member),
                );
            }
        }
        out
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Stdio,
    Http,
}

impl Transport {
    fn read(object: &Object, syntax: Syntax) -> Result<Self, Problem> {
        let urls: Vec<&str> = ["url", "httpUrl", "serverUrl"]
            .into_iter()
            .filter(|name| !matches!(object.get(name), None | Some(Value::Null)))
            .collect();
        let has_command = !matches!(object.get("command"), None | Some(Value::Null));
        let kind = match text(object, "type")? {
            Some(word) => kind(word)?,
            None => match (has_command, urls.is_empty()) {
                (true, true) => Kind::Stdio,
                (false, false) => Kind::Http,
                (true, false) => {
                    return Err(config(format!(
                        "`command` and `{}` are both there, and no `type` says which holds",
                        urls[0]
                    )));
                }
                (false, true) => return Err(config("neither `command` nor `url` is there")),
            },
        };
        match kind {
            Kind::Stdio if !has_command => Err(config("`command` is missing")),
            Kind::Stdio => Self::stdio(object, syntax),
            Kind::Http => match urls[..] {
                [field] => Self::http(object, field, syntax),
                [] => Err(config("`url` is missing")),
                [one, other, ..] => Err(config(format!("`{one}` and `{other}` are both there"))),
            },
        }
    }

    fn stdio(object: &Object, mut syntax: Syntax) -> Result<Self, Problem> {
        // The client that writes `local` or a list expands `{env:VAR}`.
        let is_list = matches!(object.get("command"), Some(Value::Array(_)));
        if is_list {
            syntax = Syntax::DollarAndBraces;
        }
        let mut may_be_joined = true;
        let mut args = Vec::new();
        let mut env = BTreeMap::new();
        let command = match object.get("command") {
            Some(Value::Array(_)) => {
                may_be_joined = false;
                let mut words = texts(object, "command", syntax)?.into_iter();
                let command = words
                    .next()
                    .ok_or_else(|| config("`command` is an empty list"))?;
                args.extend(words);
                command
            }
            Some(Value::Object(inner)) => {
                may_be_joined = false;
                let path =
                    text(inner, "path")?.ok_or_else(|| config("`command.path` is missing"))?;
                args.extend(texts(inner, "args", syntax)?);
                env.extend(variables(inner, "env", syntax)?);
                Template::parse(path, syntax)
            }
            _ => Template::parse(text(object, "command")?.unwrap_or_default(), syntax),
        };
        args.extend(texts(object, "args", syntax)?);
        env.extend(variables(object, "env", syntax)?);
        env.extend(variables(object, "environment", syntax)?);
        let cwd = text(object, "cwd")?.map(|cwd| Template::parse(cwd, syntax));
        Ok(Self::Stdio {
            command,
            may_be_joined,
            args,
            env,
            cwd,
        })
    }

    fn http(object: &Object, field: &str, mut syntax: Syntax) -> Result<Self, Problem> {
        if object.text("type") == Some("remote") {
            syntax = Syntax::DollarAndBraces;
        }
        let url = text(object, field)?.unwrap_or_default();
        let mut headers = Vec::new();
        for (name, value) in members(object, "headers")? {
            let value = value
                .as_str()
                .ok_or_else(|| wrong(&format!("`headers.{name}`"), value, "a string"))?;
            headers.push((name.to_owned(), Template::parse(value, syntax)));
        }
        Ok(Self::Http {
            field: field.to_owned(),
            url: Template::parse(url, syntax),
            headers,
        })
    }
}

fn kind(word: &str) -> Result<Kind, Problem> {
    match word.to_ascii_lowercase().replace(['-', '_'], "").as_str() {
        "stdio" | "local" => Ok(Kind::Stdio),
        // Which of the two transports over HTTP it is, the connection finds out.
        "http" | "streamablehttp" | "sse" | "remote" => Ok(Kind::Http),
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
    use super::super::jsonc;
    use super::*;

    fn document(source: &str) -> Result<Option<Document>, String> {
        read(
            &jsonc::read(source.as_bytes()).expect("JSONC"),
            Syntax::Dollar,
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
        assert!(document(r#"{ "servers": [] }"#).is_err());
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
                matches!(transport(entry), Ok(Transport::Stdio { .. })),
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
        let Ok(Transport::Stdio { env, .. }) = transport(entry) else {
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
        let source = r#"{ "servers": { "a": { "command": "x", "envFile": ".env" } } }"#;
        let entries = document(source).expect("read").expect("a section").entries;
        assert_eq!(entries[0].warnings[0].rule, "member-not-followed");
    }
}
