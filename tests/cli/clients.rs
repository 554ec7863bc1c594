//! The configurations of every client, used by the real program: servers that repeat everything they were told must
//! not get a secret into any file or onto the screen.

use crate::support::{HttpServer, Output, Sandbox, repository, text};
use std::fs;
use std::path::{Path, PathBuf};

/// What all secrets of the fixtures begin with.
const MARK: &str = "s3cr3t";

/// Each fixture, and where the client looks for it: in the project, or below the home directory.
const PLACES: [(&str, &str); 18] = [
    ("claude-code/.mcp.json", "project/.mcp.json"),
    ("claude-code/.claude.json", "home/.claude.json"),
    (
        "claude-desktop/claude_desktop_config.json",
        "home/config/Claude/claude_desktop_config.json",
    ),
    ("vscode/.vscode/mcp.json", "project/.vscode/mcp.json"),
    (
        "vscode-settings/.vscode/settings.json",
        "project/.vscode/settings.json",
    ),
    ("copilot/mcp-config.json", "home/.copilot/mcp-config.json"),
    ("cursor/.cursor/mcp.json", "project/.cursor/mcp.json"),
    (
        "windsurf/mcp_config.json",
        "home/.codeium/windsurf/mcp_config.json",
    ),
    ("codex/.codex/config.toml", "home/.codex/config.toml"),
    (
        "gemini/.gemini/settings.json",
        "project/.gemini/settings.json",
    ),
    ("zed/.zed/settings.json", "home/config/zed/settings.json"),
    (
        "continue/.continue/mcpServers/notes.yaml",
        "project/.continue/mcpServers/notes.yaml",
    ),
    (
        "cline/cline_mcp_settings.json",
        "home/.cline/data/settings/cline_mcp_settings.json",
    ),
    ("roo/.roo/mcp.json", "project/.roo/mcp.json"),
    ("goose/goose/config.yaml", "home/config/goose/config.yaml"),
    ("lm-studio/.lmstudio/mcp.json", "home/.lmstudio/mcp.json"),
    (
        "kiro/.kiro/settings/mcp.json",
        "project/.kiro/settings/mcp.json",
    ),
    ("opencode/opencode.json", "project/opencode.json"),
];

/// A sandbox in which every program that the fixtures name repeats what it was told.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let programs = sandbox.root().join("programs");
    fs::create_dir_all(&programs).expect("a folder");
    let echo = repository("fixtures/hostile/echo.py");
    for program in ["npx", "uvx", "docker", "notes"] {
        fs::copy(&echo, programs.join(program)).expect("a program");
    }
    // What these fixtures name by a path.
    for path in ["home/bin/notes", "project/tools/notes"] {
        let path = sandbox.root().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::copy(&echo, path).expect("a program");
    }
    sandbox.prepend_path(&programs);
    sandbox.set("NOTES_TOKEN", "s3cr3t-value-variable");
    sandbox.set("COUNTERSIGN_INPUT_NOTES_KEY", "s3cr3t-value-input");
    sandbox
}

/// Puts a fixture where its client looks for it, with the files beside it, and its servers on this machine.
fn place(sandbox: &Sandbox, fixture: &str, at: &str, host: &str) -> PathBuf {
    let from = repository("fixtures/configs").join(fixture);
    let to = sandbox.root().join(at);
    fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
    let project = text(&sandbox.path(""));
    let written = fs::read_to_string(&from)
        .expect("a fixture")
        .replace("https://", "http://")
        .replace("h.invalid", host)
        .replace("/home/ada/project", project.trim_end_matches('/'));
    fs::write(&to, written).expect("a configuration");
    for (file, beside) in [
        ("token.txt", to.parent()),
        ("variables.env", to.ancestors().nth(2)),
    ] {
        let folder = fixture.split('/').next().expect("a folder");
        let file_from = repository("fixtures/configs").join(folder).join(file);
        if file_from.is_file() {
            fs::copy(file_from, beside.expect("a folder").join(file)).expect("a file");
        }
    }
    to
}

/// Every file that the program may have written.
fn written(sandbox: &Sandbox) -> Vec<(PathBuf, Vec<u8>)> {
    let mut out = Vec::new();
    let mut left = vec![
        sandbox.root().join("data"),
        sandbox.path("countersign.lock.json"),
        sandbox.path("full"),
    ];
    while let Some(path) = left.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(path).expect("a folder");
            left.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if path.is_file() {
            let bytes = fs::read(&path).expect("a file");
            out.push((path, bytes));
        }
    }
    out
}

#[track_caller]
fn holds_no_secret(sandbox: &Sandbox, what: &str, output: &Output) {
    for (stream, said) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        if let Some(line) = said.lines().find(|line| line.contains(MARK)) {
            panic!("{what}: {stream}: {line}");
        }
    }
    for (path, bytes) in written(sandbox) {
        let said = String::from_utf8_lossy(&bytes);
        if let Some(at) = said.find(MARK) {
            let from = said.floor_char_boundary(at.saturating_sub(200));
            let to = said.ceil_char_boundary(at + 60);
            panic!("{what}: `{}`: …{}", path.display(), &said[from..to]);
        }
    }
}

fn run(sandbox: &Sandbox, path: &Path, home: bool) {
    let path = text(path);
    let source: Vec<&str> = if home {
        vec!["--user"]
    } else {
        vec!["--config", &path]
    };
    for words in [
        &["snapshot", "-vv"][..],
        &["diff", "-vv", "--full", "full", "--start-changed"],
        &["diff", "--format", "json"],
        &["servers", "--format", "json"],
    ] {
        let args: Vec<&str> = words.iter().chain(&source).copied().collect();
        let output = sandbox.run(&args);
        holds_no_secret(sandbox, &format!("{path}: {}", words.join(" ")), &output);
    }
    let output = sandbox.run(&["review", "--all"]);
    holds_no_secret(sandbox, &format!("{path}: review"), &output);
}

#[test]
fn no_client_s_secret_gets_out_when_servers_answer() {
    let http = HttpServer::echo();
    let mut reached = 0;
    for (fixture, at) in PLACES {
        let sandbox = sandbox();
        let path = place(&sandbox, fixture, at, &http.host());
        run(&sandbox, &path, false);
        // The servers did answer, and what they were told was seen.
        let lock = sandbox.read("countersign.lock.json");
        reached += lock.matches("\"echo\": {").count();
        assert!(lock.contains("${"), "{fixture}: {lock}");
    }
    assert!(reached >= 30, "{reached} servers answered");
}

#[test]
fn no_client_s_secret_gets_out_when_servers_fail() {
    let http = HttpServer::echo();
    for (fixture, at) in PLACES {
        let sandbox = sandbox();
        for folder in ["programs", "home/bin", "project/tools"] {
            fs::write(sandbox.root().join(folder).join("fail"), "").expect("a file");
        }
        let path = place(&sandbox, fixture, at, &format!("{}/fail", http.host()));
        run(&sandbox, &path, false);
    }
}

#[test]
fn every_client_s_files_are_found_where_it_keeps_them() {
    let http = HttpServer::echo();
    let sandbox = sandbox();
    for (fixture, at) in PLACES {
        place(&sandbox, fixture, at, &http.host());
    }
    let clients = |args: &[&str]| -> Vec<String> {
        let output = sandbox.run(args).expect(0);
        let report: serde_json::Value = serde_json::from_str(&output.stdout).expect("JSON");
        let servers = report["servers"].as_array().expect("servers");
        let mut clients: Vec<String> = servers
            .iter()
            .filter_map(|server| server["client"].as_str().map(str::to_owned))
            .collect();
        clients.sort();
        clients.dedup();
        clients
    };
    let project = clients(&["servers", "--format", "json"]);
    assert_eq!(
        project,
        [
            "Claude Code, Copilot",
            "Continue",
            "Cursor",
            "Gemini CLI",
            "Kiro, Amazon Q",
            "Roo Code, Kilo Code",
            "VS Code",
            "opencode"
        ]
    );
    let all = clients(&["servers", "--user", "--format", "json"]);
    assert_eq!(
        all,
        [
            "Claude Code",
            "Claude Code, Copilot",
            "Claude Desktop",
            "Cline",
            "Codex",
            "Continue",
            "Copilot CLI",
            "Cursor",
            "Gemini CLI",
            "Goose",
            "Kiro, Amazon Q",
            "LM Studio",
            "Roo Code, Kilo Code",
            "VS Code",
            "Windsurf",
            "Zed",
            "opencode"
        ]
    );
    run(&sandbox, &sandbox.path(".mcp.json"), true);
}

#[test]
fn a_configuration_bounds_the_time_unless_the_command_line_does() {
    let sandbox = sandbox();
    let codex = sandbox.root().join("home/.codex");
    fs::create_dir_all(&codex).expect("a folder");
    let config = codex.join("config.toml");
    // It reads, and never answers.
    fs::write(
        &config,
        "[mcp_servers.mute]\ncommand = \"sleep\"\nargs = [\"60\"]\nstartup_timeout_sec = 1\n",
    )
    .expect("a configuration");
    let config = text(&config);
    let said = |args: &[&str]| {
        let args: Vec<&str> = ["snapshot", "--config", &config]
            .iter()
            .chain(args)
            .copied()
            .collect();
        let output = sandbox.run(&args).expect(2);
        output.stdout + &output.stderr
    };
    let configured = said(&[]);
    assert!(
        configured.contains("within 1 s") || configured.contains("1 second"),
        "{configured}"
    );
    let told = said(&["--start-timeout", "2"]);
    assert!(
        told.contains("within 2 s") || told.contains("2 seconds"),
        "{told}"
    );
}
