//! Files: which are found, how one is read, and what two of them make together.

use crate::support::{FIXTURES, endpoint, entry, environment, fixture, server, texts};
use countersign::config::{Environment, discover, load, merge};
use countersign::model::SpecState;
use std::path::{Path, PathBuf};

#[test]
fn a_project_s_files_are_found_in_their_order() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let env = environment();
    let found = |user: bool, env: &Environment| -> Vec<PathBuf> {
        let found = discover(folder.path(), user, env);
        found.into_iter().map(|found| found.path).collect()
    };
    assert_eq!(found(false, &env), Vec::<PathBuf>::new());
    let write = |path: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        std::fs::write(path, "{}").expect("written");
    };
    let project = [
        ".mcp.json",
        ".vscode/mcp.json",
        ".cursor/mcp.json",
        ".codex/config.toml",
        ".continue/mcpServers/a.yaml",
        ".continue/mcpServers/b.yaml",
        "opencode.jsonc",
    ];
    project.iter().rev().for_each(|path| write(path));
    let expected: Vec<PathBuf> = project
        .iter()
        .map(|path| folder.path().join(path))
        .collect();
    assert_eq!(found(false, &env), expected);

    // In the home directory: only if they are asked for, and what is about this project comes first.
    write("home/.claude.json");
    write("home/.config/Code - Insiders/User/mcp.json");
    write("codex/config.toml");
    let mut env = env;
    env.home = Some(folder.path().join("home"));
    let codex = folder.path().join("codex").to_string_lossy().into_owned();
    env.vars.insert("CODEX_HOME".to_owned(), codex);
    assert_eq!(found(false, &env), expected);
    let all = found(true, &env);
    assert_eq!(all[0], folder.path().join("home/.claude.json"));
    assert_eq!(all[1..=expected.len()], expected);
    let rest: Vec<PathBuf> = [
        "home/.claude.json",
        "home/.config/Code - Insiders/User/mcp.json",
        "codex/config.toml",
    ]
    .iter()
    .map(|path| folder.path().join(path))
    .collect();
    assert_eq!(all[1 + expected.len()..], rest);
}

#[test]
fn a_file_is_known_by_its_path_or_its_name_or_its_shape() {
    for (file, client) in [
        ("claude-code/.mcp.json", Some("Claude Code, Copilot")),
        ("claude-code/.claude.json", Some("Claude Code")),
        (
            "claude-desktop/claude_desktop_config.json",
            Some("Claude Desktop"),
        ),
        ("vscode/.vscode/mcp.json", Some("VS Code")),
        ("vscode-settings/.vscode/settings.json", Some("VS Code")),
        ("copilot/mcp-config.json", Some("Copilot CLI")),
        ("cursor/.cursor/mcp.json", Some("Cursor")),
        ("windsurf/mcp_config.json", Some("Windsurf")),
        ("codex/.codex/config.toml", Some("Codex")),
        ("gemini/.gemini/settings.json", Some("Gemini CLI")),
        ("zed/.zed/settings.json", Some("Zed")),
        ("continue/.continue/mcpServers/notes.yaml", Some("Continue")),
        ("cline/cline_mcp_settings.json", Some("Cline")),
        ("roo/.roo/mcp.json", Some("Roo Code, Kilo Code")),
        ("goose/goose/config.yaml", Some("Goose")),
        ("lm-studio/.lmstudio/mcp.json", Some("LM Studio")),
        ("kiro/.kiro/settings/mcp.json", Some("Kiro, Amazon Q")),
        ("opencode/opencode.json", Some("opencode")),
    ] {
        for spec in fixture(file) {
            assert_eq!(spec.client, client, "{file}");
        }
    }
    // Under another name, some shapes are still one client's own.
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (file, client) in [
        ("claude-code/.mcp.json", None),
        ("claude-code/.claude.json", Some("Claude Code")),
        ("vscode/.vscode/mcp.json", Some("VS Code")),
        ("windsurf/mcp_config.json", Some("Windsurf")),
        ("codex/.codex/config.toml", Some("Codex")),
        ("gemini/.gemini/settings.json", Some("Gemini CLI")),
        ("zed/.zed/settings.json", Some("Zed")),
        ("continue/.continue/mcpServers/notes.yaml", Some("Continue")),
        ("goose/goose/config.yaml", Some("Goose")),
        ("opencode/opencode.json", Some("opencode")),
        ("cline/cline_mcp_settings.json", None),
    ] {
        let ending = file.rsplit_once('.').expect("an ending").1;
        let path = folder.path().join(format!("servers.{ending}"));
        std::fs::copy(Path::new(FIXTURES).join(file), &path).expect("copied");
        for spec in load(&path, &environment()).expect(file) {
            assert_eq!(spec.client, client, "{file}");
        }
    }
}

#[test]
fn the_workspace_is_the_project_that_the_file_belongs_to() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let json = r#"{ "servers": { "x": { "command": "${workspaceFolder}" } } }"#;
    let command = |path: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        std::fs::write(&path, json).expect("written");
        let spec = server("x", load(&path, &environment()).expect("a configuration"));
        texts(endpoint(&spec)).remove(0)
    };
    let project = folder.path().to_string_lossy().into_owned();
    assert_eq!(command(".vscode/mcp.json"), project);
    assert_eq!(command(".mcp.json"), project);
    assert_eq!(command("ci/servers.json"), "/home/ada/project");
}

#[test]
fn a_broken_file_is_named_with_the_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let message = |text: &str| {
        let path = folder.path().join("config.json");
        std::fs::write(&path, text).expect("written");
        let problem = load(&path, &environment()).err()?;
        assert_eq!(problem.kind, "config");
        assert!(problem.message.contains("config.json`"), "{problem:?}");
        Some(problem.message)
    };
    let ends = |message: Option<String>, end: &str| message.is_some_and(|text| text.ends_with(end));
    assert!(ends(
        message("{\n \"servers\": {},\n \"servers\": {} }"),
        "line 3: the member `servers` stands twice in one object (first on line 2)"
    ));
    assert!(message("{\n x }").is_some_and(|text| text.contains("line 2, column 2: ")));
    assert!(ends(
        message("[]"),
        "the file holds an array, not an object"
    ));
    assert!(message("{}").is_some_and(|text| text.contains("`mcpServers`, `servers`")));
    assert_eq!(message(r#"{ "servers": {} }"#), None);
    let missing = load(&folder.path().join("gone.json"), &environment());
    assert!(
        missing
            .err()
            .is_some_and(|problem| problem.message.contains("gone.json` cannot be read"))
    );
}

#[test]
fn one_bad_server_leaves_its_neighbours_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("config.json");
    let text = r#"{ "servers": { "b": 1, "a": { "command": "x" }, "c": { "command": "x", "args": {} } } }"#;
    std::fs::write(&path, text).expect("written");
    let specs = load(&path, &environment()).expect("a configuration");
    let states: Vec<_> = specs
        .iter()
        .map(|spec| {
            (
                spec.name.as_str(),
                matches!(spec.state, SpecState::Ready(_)),
                spec.explicit,
            )
        })
        .collect();
    assert_eq!(
        states,
        [("a", true, true), ("b", false, true), ("c", false, true)]
    );
    assert_eq!(specs[0].origin.as_deref(), Some(path.as_path()));
}

#[test]
fn of_two_servers_of_one_name_the_first_that_is_enabled_stands() {
    let list = |file: &str, json: &str| {
        let mut spec = entry(json);
        spec.origin = Some(PathBuf::from(file));
        vec![spec]
    };
    let same = r#"{ "command": "x" }"#;
    let other = r#"{ "command": "y" }"#;
    let disabled = r#"{ "command": "x", "disabled": true }"#;

    let (specs, warnings) = merge(vec![list("one", same), list("two", same)]);
    assert_eq!((specs.len(), warnings.len()), (1, 0));

    let (specs, warnings) = merge(vec![list("one", same), list("two", other)]);
    assert_eq!(specs[0].origin.as_deref(), Some(Path::new("one")));
    assert_eq!(warnings[0].rule, "same-name");
    assert_eq!(
        warnings[0].message,
        "`one` and `two` launch `x` in different ways: that of `one` is taken"
    );

    let (specs, warnings) = merge(vec![list("one", disabled), list("two", other)]);
    assert_eq!(specs[0].origin.as_deref(), Some(Path::new("two")));
    assert_eq!(warnings.len(), 1);

    let (specs, warnings) = merge(vec![list("one", disabled), list("two", same)]);
    assert!(matches!(specs[0].state, SpecState::Ready(_)));
    assert!(warnings.is_empty());
}
