//! The configurations of every client, used by the real program: servers that repeat everything they were told must
//! not get a secret into any file or onto the screen.

use crate::support::{HttpServer, Output, Sandbox, repository, text};
use base64::Engine as _;
use std::collections::BTreeSet;
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

/// Every file below the sandbox's root.
fn files(sandbox: &Sandbox) -> BTreeSet<PathBuf> {
    let mut out = BTreeSet::new();
    let mut left = vec![sandbox.root().to_owned()];
    while let Some(path) = left.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(path).expect("a folder");
            left.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else {
            out.insert(path);
        }
    }
    out
}

/// What all secrets begin with, as it stands and as it stands in base64, at each place in a group of three.
fn marks() -> Vec<String> {
    let encoded = (0..3).map(|before| {
        let text = format!("{}{MARK}{}", "x".repeat(before), "x".repeat(3));
        let whole = base64::engine::general_purpose::STANDARD.encode(text);
        // The characters that nothing but the secret decides.
        whole[(before * 4).div_ceil(3)..(before + MARK.len()) * 4 / 3].to_owned()
    });
    std::iter::once(MARK.to_owned()).chain(encoded).collect()
}

/// Looks at every byte that was printed, and at every file that was not there before.
#[track_caller]
fn holds_no_secret(sandbox: &Sandbox, before: &BTreeSet<PathBuf>, what: &str, output: &Output) {
    let mut told = vec![
        ("stdout".to_owned(), output.stdout.clone()),
        ("stderr".to_owned(), output.stderr.clone()),
    ];
    for path in files(sandbox).difference(before) {
        let bytes = fs::read(path).expect("a file");
        let content = String::from_utf8_lossy(&bytes).into_owned();
        told.push((text(path), content));
    }
    for (place, said) in told {
        for mark in marks() {
            if let Some(at) = said.find(&mark) {
                let from = said.floor_char_boundary(at.saturating_sub(200));
                let to = said.ceil_char_boundary(at + 60);
                panic!("{what}: {place}: …{}", &said[from..to]);
            }
        }
    }
}

/// Everything that writes or prints, as loudly as it can.
fn run(sandbox: &Sandbox, path: &Path, home: bool) {
    let before = files(sandbox);
    let path = text(path);
    let source: Vec<&str> = if home {
        vec!["--user"]
    } else {
        vec!["--config", &path]
    };
    for words in [
        &["snapshot", "-vv", "--transcript", "said.jsonl"][..],
        &[
            "diff",
            "-vv",
            "--full",
            "full",
            "--start-changed",
            "--format",
            "json",
        ],
        &["servers", "-vv"],
        &["servers", "--format", "json"],
    ] {
        let args: Vec<&str> = words.iter().chain(&source).copied().collect();
        let output = sandbox.run(&args);
        let what = format!("{path}: {}", words.join(" "));
        holds_no_secret(sandbox, &before, &what, &output);
    }
    let output = sandbox.run(&["review", "--all", "-vv"]);
    holds_no_secret(sandbox, &before, &format!("{path}: review"), &output);
    assert!(sandbox.path("said.jsonl").is_file());
}

#[test]
fn what_is_looked_for_is_found_where_it_stands() {
    let [plain, encoded @ ..] = &marks()[..] else {
        panic!("marks");
    };
    assert_eq!(plain, MARK);
    for user in ["", "a", "ab", "app:"] {
        let pair = format!("{user}{MARK}-value");
        let header = base64::engine::general_purpose::STANDARD.encode(pair);
        assert!(encoded.iter().any(|mark| header.contains(mark)), "{user}");
    }
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
    assert!(reached >= 50, "{reached} servers answered");
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
