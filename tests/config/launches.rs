//! What a server's identity is, what it is started with, and what is said when it cannot be.

use crate::support::{
    FIXTURES, broken, endpoint, entry, entry_in, environment, fixture, launch_text, rules, server,
    texts,
};
use countersign::model::Endpoint;
use std::path::Path;

#[test]
fn a_launch_is_the_unexpanded_text_without_literal_secrets() {
    for (file, name, expected) in [
        (
            "claude-code/.mcp.json",
            "notes",
            r#"{"args":["-y","@example/notes-mcp@1.4.2","--api-key","${redacted}","--mode=fast"],"command":"npx","env":["NOTES_TOKEN","NOTES_URL"]}"#,
        ),
        (
            "claude-code/.mcp.json",
            "database",
            r#"{"args":["db-mcp==2.0.1","postgres://${redacted}:${redacted}@db.invalid:5432/x","--password=${redacted}","DB_PASSWORD=${redacted}","https://h.invalid/mcp?a=1&access_token=${redacted}","{\"apiKey\": \"${redacted}\"}","${DATABASE:-${redacted}}"],"command":"uvx"}"#,
        ),
        (
            "claude-code/.mcp.json",
            "remote",
            r#"{"auth":"bearer","headers":["authorization","x-any"],"url":"https://h.invalid/mcp?apiKey=${redacted}&team=${TEAM:-red}"}"#,
        ),
        (
            "claude-code/.mcp.json",
            "unset",
            r#"{"auth":"header","headers":["x-any"],"url":"https://h.invalid/${UNSET}"}"#,
        ),
        (
            "vscode/.vscode/mcp.json",
            "notes",
            r#"{"args":["--key=${input:notes-key}","--home","${userHome}","--from","${NOTES_TOKEN}"],"command":"${workspaceFolder}/tools/notes","cwd":"${workspaceFolder}","env":["ANY"]}"#,
        ),
        (
            "cursor/.cursor/mcp.json",
            "notes",
            r#"{"args":["run","-i","--rm","-e","ANY=${redacted}","example/notes:1.4.2","--token","${redacted}"],"command":"docker","env":["FILE_MODE","FILE_TOKEN"]}"#,
        ),
        (
            "cursor/.cursor/mcp.json",
            "home",
            r#"{"args":["~/notes","${NOTES_TOKEN}","x${pathSeparator}y"],"command":"~/bin/notes"}"#,
        ),
        (
            "claude-desktop/claude_desktop_config.json",
            "notes",
            r#"{"args":["-y","@example/notes-mcp@1.4.2","--client-secret","${redacted}"],"command":"npx","env":["NOTES_TOKEN","PORT"]}"#,
        ),
        (
            "windsurf/mcp_config.json",
            "off",
            r#"{"command":"notes","env":["KEY"]}"#,
        ),
        (
            "opencode/opencode.json",
            "notes",
            r#"{"args":["-y","@example/notes-mcp@1.4.2","--api-key","${NOTES_TOKEN}"],"command":"npx","env":["FILE","JSON","KEY"]}"#,
        ),
        (
            "opencode/opencode.json",
            "remote",
            r#"{"auth":"bearer","headers":["authorization"],"url":"https://h.invalid/mcp"}"#,
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
fn an_endpoint_is_the_expanded_text() {
    let expected = Endpoint::Stdio {
        command: "/home/ada/bin/notes".into(),
        args: vec![
            "/home/ada/notes".into(),
            "s3cr3t-value-variable".into(),
            "x/y".into(),
        ],
        cwd: None,
        env: [].into(),
    };
    assert!(*endpoint(&server("home", fixture("cursor/.cursor/mcp.json"))) == expected);
    let workspace = Path::new(FIXTURES).join("vscode");
    let expected = Endpoint::Stdio {
        command: format!("{}/tools/notes", workspace.display()),
        args: [
            "--key=s3cr3t-value-input",
            "--home",
            "/home/ada",
            "--from",
            "s3cr3t-value-variable",
        ]
        .map(str::to_owned)
        .into(),
        cwd: Some(workspace),
        env: [("ANY".to_owned(), "s3cr3t-value-env".to_owned())].into(),
    };
    assert!(*endpoint(&server("notes", fixture("vscode/.vscode/mcp.json"))) == expected);
    let expected = Endpoint::Http {
        url: "https://app:s3cr3t-value-url@h.invalid/mcp?apiKey=s3cr3t-value-query&team=red".into(),
        headers: vec![
            (
                "Authorization".into(),
                "Bearer s3cr3t-value-variable".into(),
            ),
            ("X-Any".into(), "s3cr3t-value-header".into()),
        ],
    };
    assert!(*endpoint(&server("remote", fixture("claude-code/.mcp.json"))) == expected);
    // A `$` without a name, and a folder to start in, stay as they are.
    let Endpoint::Stdio { args, cwd, .. } =
        &endpoint(&server("notes", fixture("gemini/.gemini/settings.json"))).clone()
    else {
        panic!("a child process");
    };
    assert_eq!(
        (args[1].as_str(), cwd.as_deref()),
        ("$5 $ x", Some(Path::new(".")))
    );
}

#[test]
fn what_is_missing_is_said_all_at_once_with_a_way_out() {
    let spec = server("unset", fixture("claude-code/.mcp.json"));
    let problem = broken(&spec);
    assert_eq!(
        problem.message,
        "`url` needs the variable `UNSET`, which is not set; `headers.X-Any` needs the variable `ALSO_UNSET`, which is not set"
    );
    assert_eq!(
        problem.hint.as_deref(),
        Some("export UNSET=…\nexport ALSO_UNSET=…")
    );
    let spec = server("missing", fixture("vscode/.vscode/mcp.json"));
    let problem = broken(&spec);
    assert_eq!(
        problem.message,
        "`env.KEY` needs the input `not given` (Key that nobody gives): `COUNTERSIGN_INPUT_NOT_GIVEN` is not set"
    );
    assert_eq!(
        problem.hint.as_deref(),
        Some("export COUNTERSIGN_INPUT_NOT_GIVEN=…")
    );
    assert!(
        broken(&server("socket", fixture("claude-code/.mcp.json")))
            .message
            .contains("WebSocket")
    );
}

#[test]
fn what_is_no_secret_changes_the_launch() {
    let launches = [
        r#"{ "command": "node", "args": ["server.js"] }"#,
        r#"{ "command": "node", "args": ["other.js"] }"#,
        r#"{ "command": "node", "args": ["--no-auth", "server.js"] }"#,
        r#"{ "command": "node", "args": ["--no-auth", "other.js"] }"#,
        r#"{ "command": "node", "args": ["pg://u:p@one.invalid/d"] }"#,
        r#"{ "command": "node", "args": ["pg://u:p@two.invalid/d"] }"#,
        r#"{ "command": "sh", "args": ["-c", "TOKEN=x node server.js"] }"#,
        r#"{ "command": "sh", "args": ["-c", "TOKEN=x node other.js"] }"#,
        r#"{ "command": "node", "args": ["server.js"], "env": { "NODE_OPTIONS": "" } }"#,
        // Of what loads code the value counts too.
        r#"{ "command": "node", "args": ["server.js"], "env": { "NODE_OPTIONS": "-r ./other.js" } }"#,
        r#"{ "command": "node", "args": ["server.js"], "env": { "NODE_OPTIONS": "${OTHER}" } }"#,
        r#"{ "command": "node", "args": ["server.js"], "cwd": "sub" }"#,
        r#"{ "url": "https://one.invalid/" }"#,
        r#"{ "url": "https://two.invalid/" }"#,
        r#"{ "url": "https://two.invalid/", "headers": { "X-Any": "1" } }"#,
        r#"{ "url": "https://two.invalid/", "headers": { "Authorization": "x" } }"#,
        r#"{ "url": "https://two.invalid/", "headers": { "Authorization": "Bearer x" } }"#,
    ]
    .map(|json| entry(json).launch);
    for (i, launch) in launches.iter().enumerate() {
        assert!(
            launch.is_some() && !launches[..i].contains(launch),
            "{launch:?}"
        );
    }
}

#[test]
fn two_spellings_of_one_launch_are_equal() {
    for (one, other) in [
        (
            r#"{ "command": "npx", "args": ["-y", "x"] }"#,
            r#"{ "command": "cmd.exe", "args": ["/C", "npx", "-y", "x"] }"#,
        ),
        (
            r#"{ "command": "npx", "args": ["-y", "x"] }"#,
            r#"{ "command": "npx -y", "args": ["x"] }"#,
        ),
        (
            r#"{ "command": "npx", "args": ["-y", "x"] }"#,
            r#"{ "command": ["npx", "-y", "x"], "args": null }"#,
        ),
        (
            r#"{ "command": "x", "args": ["${A:-b}"] }"#,
            r#"{ "type": "stdio", "command": "x", "args": ["${env:A:-b}"], "env": {} }"#,
        ),
        (
            r#"{ "url": "https://h.invalid" }"#,
            r#"{ "type": "http", "url": "HTTPS://H.invalid:443/", "headers": {} }"#,
        ),
        (
            r#"{ "url": "https://h.invalid?a=b" }"#,
            r#"{ "type": "sse", "serverUrl": "https://h.invalid/?a=b" }"#,
        ),
    ] {
        assert_eq!(entry(one).launch, entry(other).launch, "{other}");
    }
}

#[test]
fn behind_cmd_the_same_program_is_started_elsewhere_than_on_windows() {
    let json = r#"{ "command": "cmd", "args": ["/c", "npx", "x"] }"#;
    assert_eq!(texts(endpoint(&entry(json))), ["npx", "x"]);
    let mut env = environment();
    env.windows = true;
    assert_eq!(
        texts(endpoint(&entry_in(json, &env))),
        ["cmd", "/c", "npx", "x"]
    );
}

#[test]
fn a_joined_command_is_split_and_that_is_said() {
    let spec =
        entry(r#"{ "command": "python3 server.py --mode 'two words' --token s3cr3t-value-x" }"#);
    assert_eq!(
        texts(endpoint(&spec)),
        [
            "python3",
            "server.py",
            "--mode",
            "two words",
            "--token",
            "s3cr3t-value-x"
        ]
    );
    let warning = &spec.warnings[0];
    assert_eq!(warning.rule, "command-split");
    assert!(
        warning
            .message
            .ends_with("`python3` `server.py` `--mode` `two words` `--token` `${redacted}`")
    );
    let spec = entry(r#"{ "command": "python3 'server.py" }"#);
    assert!(broken(&spec).message.contains("a quote is not closed"));
    assert!(
        broken(&entry(r#"{ "command": " " }"#))
            .message
            .contains("`command` is empty")
    );
}

#[test]
fn a_real_path_with_blanks_stays_whole() {
    let mut env = environment();
    env.is_executable = |path| {
        path == Path::new("/home/ada/my tools/notes")
            || path == Path::new("/home/ada/project/../my tools/notes")
    };
    for command in [
        "/home/ada/my tools/notes",
        "~/my tools/notes",
        "../my tools/notes",
    ] {
        let spec = entry_in(
            &format!(r#"{{ "command": "{command}", "args": ["a b"] }}"#),
            &env,
        );
        assert!(spec.warnings.is_empty(), "{command}");
        assert_eq!(texts(endpoint(&spec)).len(), 2, "{command}");
    }
}

#[test]
fn an_empty_variable_and_a_floating_version_are_warnings() {
    let spec = entry(r#"{ "command": "npx", "args": ["-y", "notes", "a${EMPTY}"] }"#);
    assert_eq!(
        rules(&spec.warnings),
        ["empty-variable", "floating-version"]
    );
    let spec = entry(r#"{ "url": "https://h.invalid/s/0123456789abcdef0123456789abcdef/mcp" }"#);
    assert_eq!(rules(&spec.warnings), ["secret-in-path"]);
    assert_eq!(
        rules(&server("notes", fixture("cursor/.cursor/mcp.json")).warnings),
        ["command-split"]
    );
}
