//! What each client says in a way of its own.

use crate::support::{
    broken, endpoint, entry, environment, fixture, launch_text, rules, server, texts,
};
use countersign::config::load;
use countersign::model::{ServerSpec, SpecState, Timeouts};
use std::time::Duration;

fn disabled(file: &str) -> Vec<String> {
    let specs = fixture(file).into_iter();
    specs
        .filter(|spec| matches!(spec.state, SpecState::Disabled))
        .map(|spec| spec.name.as_str().to_owned())
        .collect()
}

fn names(specs: &[ServerSpec]) -> Vec<&str> {
    specs.iter().map(|spec| spec.name.as_str()).collect()
}

#[test]
fn every_client_s_launch_is_read() {
    let notes = r#"{"args":["--token","${NOTES_TOKEN}"],"command":"notes","env":["KEY"]}"#;
    let npx = r#"{"args":["-y","@example/notes-mcp@1.4.2","--api-key","${redacted}"],"command":"npx","env":["KEY"]}"#;
    for (file, name, expected) in [
        ("copilot/mcp-config.json", "notes", notes),
        ("roo/.roo/mcp.json", "notes", notes),
        ("lm-studio/.lmstudio/mcp.json", "notes", notes),
        ("kiro/.kiro/settings/mcp.json", "notes", notes),
        ("claude-code/.claude.json", "mine", notes),
        (
            "codex/.codex/config.toml",
            "notes",
            &npx.replace("[\"KEY\"]", r#"["KEY","NOTES_TOKEN","NOT_SET_HERE"]"#),
        ),
        (
            "codex/.codex/config.toml",
            "remote",
            r#"{"auth":"bearer","headers":["authorization","x-any","x-input"],"url":"https://h.invalid/mcp"}"#,
        ),
        (
            "gemini/.gemini/settings.json",
            "notes",
            r#"{"args":["--token=${NOTES_TOKEN}","$5 $ x"],"command":"notes","cwd":".","env":["KEY"]}"#,
        ),
        (
            "gemini/.gemini/settings.json",
            "older",
            r#"{"url":"https://h.invalid/sse?token=${NOTES_TOKEN}"}"#,
        ),
        (
            "continue/.continue/mcpServers/notes.yaml",
            "notes",
            r#"{"args":["-y","@example/notes-mcp@1.4.2","--api-key=${NOTES_TOKEN}"],"command":"npx","env":["KEY"]}"#,
        ),
        (
            "continue/.continue/mcpServers/notes.yaml",
            "remote",
            r#"{"auth":"bearer","headers":["authorization","x-any"],"url":"https://h.invalid/mcp?sig=${redacted}"}"#,
        ),
        (
            "goose/goose/config.yaml",
            "notes",
            &npx.replace("[\"KEY\"]", r#"["KEY","NOTES_TOKEN"]"#),
        ),
        (
            "goose/goose/config.yaml",
            "remote",
            r#"{"headers":["x-any"],"url":"https://h.invalid/mcp?token=${redacted}"}"#,
        ),
        (
            "windsurf/mcp_config.json",
            "file",
            r#"{"args":["--token","${file:token.txt}"],"command":"notes","env":["KEY"]}"#,
        ),
    ] {
        assert_eq!(
            launch_text(&server(name, fixture(file))),
            expected,
            "{file} {name}"
        );
    }
}

#[test]
fn variables_reach_the_server_however_the_client_names_them() {
    for (file, name, expected) in [
        (
            "codex/.codex/config.toml",
            "notes",
            "NOTES_TOKEN=s3cr3t-value-variable",
        ),
        (
            "codex/.codex/config.toml",
            "remote",
            "Authorization: Bearer s3cr3t-value-variable",
        ),
        (
            "codex/.codex/config.toml",
            "remote",
            "X-Input: s3cr3t-value-input",
        ),
        (
            "gemini/.gemini/settings.json",
            "notes",
            "--token=s3cr3t-value-variable",
        ),
        (
            "continue/.continue/mcpServers/notes.yaml",
            "notes",
            "--api-key=s3cr3t-value-variable",
        ),
        (
            "continue/.continue/mcpServers/notes.yaml",
            "remote",
            "Authorization: Bearer s3cr3t-value-variable",
        ),
        (
            "goose/goose/config.yaml",
            "notes",
            "NOTES_TOKEN=s3cr3t-value-variable",
        ),
        ("windsurf/mcp_config.json", "file", "s3cr3t-value-in-a-file"),
        (
            "opencode/opencode.json",
            "notes",
            "FILE=s3cr3t-value-in-a-file",
        ),
        ("opencode/opencode.json", "notes", "JSON={\"a\": 1}"),
        (
            "cursor/.cursor/mcp.json",
            "notes",
            "FILE_TOKEN=s3cr3t-value-in-env-file",
        ),
    ] {
        let texts = texts(endpoint(&server(name, fixture(file))));
        assert!(texts.iter().any(|text| text == expected), "{file} {name}");
    }
    // Passed on only if it is set.
    let spec = server("notes", fixture("codex/.codex/config.toml"));
    assert!(
        !texts(endpoint(&spec))
            .iter()
            .any(|text| text.starts_with("NOT_SET_HERE"))
    );
}

#[test]
fn what_is_unset_breaks_the_server_wherever_it_is_named() {
    for (file, name, expected) in [
        (
            "codex/.codex/config.toml",
            "unset",
            "`headers.Authorization` needs the variable `UNSET`, which is not set",
        ),
        (
            "continue/.continue/mcpServers/notes.yaml",
            "unset",
            "`args[0]` needs the variable `UNSET`, which is not set",
        ),
        (
            "goose/goose/config.yaml",
            "unset",
            "`env.UNSET` needs the variable `UNSET`, which is not set",
        ),
    ] {
        let spec = server(name, fixture(file));
        assert_eq!(broken(&spec).message, expected, "{file}");
        assert_eq!(broken(&spec).hint.as_deref(), Some("export UNSET=…"));
    }
    let gone = server("gone", fixture("windsurf/mcp_config.json"));
    let message = &broken(&gone).message;
    assert!(
        message.starts_with("`args[2]` needs the file `/gone/token.txt`: "),
        "{message}"
    );
}

#[test]
fn servers_are_switched_off_in_every_way_that_clients_have() {
    for (file, expected) in [
        ("codex/.codex/config.toml", &["off"][..]),
        ("gemini/.gemini/settings.json", &["off", "unlisted"]),
        ("goose/goose/config.yaml", &["off"]),
        ("kiro/.kiro/settings/mcp.json", &["off"]),
        ("zed/.zed/settings.json", &["off"]),
        ("windsurf/mcp_config.json", &["off"]),
    ] {
        assert_eq!(disabled(file), expected, "{file}");
    }
}

#[test]
fn what_a_client_brings_along_itself_is_no_server_of_the_configuration() {
    assert_eq!(
        names(&fixture("goose/goose/config.yaml")),
        ["notes", "off", "older", "remote", "unset"]
    );
    assert_eq!(
        names(&fixture("zed/.zed/settings.json")),
        ["new", "off", "old", "remote"]
    );
}

#[test]
fn a_person_s_servers_for_one_project_come_before_those_for_all() {
    let specs = fixture("claude-code/.claude.json");
    assert_eq!(names(&specs), ["both", "local", "mine"]);
    let both = server("both", specs);
    assert!(launch_text(&both).contains("https://h.invalid/here"));
    let mut env = environment();
    env.current_dir = "/home/ada/project/deep/down".into();
    let path = std::path::Path::new(crate::support::FIXTURES).join("claude-code/.claude.json");
    assert_eq!(
        names(&load(&path, &env).expect("read")),
        ["both", "local", "mine"]
    );
    env.current_dir = "/elsewhere".into();
    assert_eq!(names(&load(&path, &env).expect("read")), ["both", "mine"]);
}

#[test]
fn time_limits_are_read_in_the_unit_of_the_client() {
    for (file, start, request) in [
        ("codex/.codex/config.toml", Some(20.0), Some(45.5)),
        ("gemini/.gemini/settings.json", None, None),
        ("goose/goose/config.yaml", None, Some(25.0)),
        ("roo/.roo/mcp.json", None, Some(30.0)),
        ("kiro/.kiro/settings/mcp.json", None, Some(60.0)),
        ("opencode/opencode.json", None, Some(7.5)),
        ("continue/.continue/mcpServers/notes.yaml", Some(15.0), None),
        ("lm-studio/.lmstudio/mcp.json", None, None),
    ] {
        let expected = Timeouts {
            start: start.map(Duration::from_secs_f64),
            request: request.map(Duration::from_secs_f64),
        };
        assert_eq!(server("notes", fixture(file)).timeouts, expected, "{file}");
    }
    let gemini = server("remote", fixture("gemini/.gemini/settings.json"));
    assert_eq!(gemini.timeouts.request, Some(Duration::from_secs(5)));
}

#[test]
fn a_time_that_is_none_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("config.toml");
    for (value, expected) in [
        (
            "-1",
            "`tool_timeout_sec` is -1, which is no time of at most a day",
        ),
        (
            "100000",
            "`tool_timeout_sec` is 100000, which is no time of at most a day",
        ),
        ("\"5\"", "`tool_timeout_sec` is a string, not a number"),
    ] {
        let text = format!("[mcp_servers.x]\ncommand = 'x'\ntool_timeout_sec = {value}\n");
        std::fs::write(&path, text).expect("written");
        let spec = server("x", load(&path, &environment()).expect("read"));
        assert_eq!(broken(&spec).message, expected);
    }
}

#[test]
fn variables_of_an_env_file_are_there_and_those_of_the_entry_come_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let variables = folder.path().join("my.env");
    let written = |text: &str| std::fs::write(&variables, text).expect("written");
    let path = variables.display().to_string().replace('\\', "\\\\");
    let spec = || {
        entry(&format!(
            r#"{{ "command": "x", "env": {{ "A": "from-entry" }}, "envFile": "{path}" }}"#
        ))
    };
    written("A=from-file\nB='s3cr3t-value-b'\n");
    let found = spec();
    assert_eq!(
        texts(endpoint(&found)),
        ["x", "A=from-entry", "B=s3cr3t-value-b"]
    );
    assert_eq!(found.secrets.redact("s3cr3t-value-b"), "${B}");
    assert_eq!(launch_text(&found), r#"{"command":"x","env":["A","B"]}"#);
    assert_eq!(rules(&found.warnings), Vec::<&str>::new());

    written("s3cr3t-value-b\n");
    let found = spec();
    let problem = broken(&found);
    assert!(
        problem.message.ends_with("line 1 is not `NAME=value`"),
        "{problem:?}"
    );
    assert!(!format!("{problem:?}").contains("s3cr3t"));

    std::fs::remove_file(&variables).expect("removed");
    // What is no file is not waited for.
    std::fs::create_dir(&variables).expect("a folder");
    assert!(
        broken(&spec())
            .message
            .ends_with("cannot be read: it is no file")
    );
    std::fs::remove_dir(&variables).expect("removed");
    let found = spec();
    let problem = broken(&found);
    assert!(
        problem
            .message
            .contains("my.env`, which `envFile` names, cannot be read: "),
        "{problem:?}"
    );
    assert!(
        problem
            .hint
            .as_deref()
            .is_some_and(|hint| hint.contains("NAME=value"))
    );
}

#[test]
fn an_env_file_is_followed_only_where_the_client_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("claude_desktop_config.json");
    let text = r#"{ "mcpServers": { "x": { "command": "x", "envFile": "/gone" } } }"#;
    std::fs::write(&path, text).expect("written");
    let spec = server("x", load(&path, &environment()).expect("read"));
    assert_eq!(rules(&spec.warnings), ["member-not-followed"]);
    assert_eq!(texts(endpoint(&spec)), ["x"]);
}
