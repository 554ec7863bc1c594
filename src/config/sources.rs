//! The clients whose configurations are read: one entry each, with where they stand, what is expanded in them
//! and what else is said in a way of their own.

use super::places::{Place, Reach, project, user};
use super::syntax::Syntax;
use crate::json::{Object, Value};
use std::time::Duration;

/// A client, and how it writes down its servers.
pub struct Source {
    /// Whose it is.
    pub client: &'static str,
    /// Where it keeps them.
    pub places: &'static [Place],
    /// What it expands.
    pub syntax: Syntax,
    /// Its time limits: the member of an entry, what it counts in, and what it bounds.
    pub(super) limits: &'static [(&'static str, Duration, Bound)],
    /// The member whose URL is one of HTTP+SSE where no `type` says otherwise.
    pub(super) sse_member: Option<&'static str>,
    /// Whether it reads variables from the file that `envFile` names.
    pub(super) env_file: bool,
    /// Whether the value of a file that nobody knows by its path can be nobody else's.
    pub(super) is_its_own: fn(&Object) -> bool,
}

/// What a time limit is for.
#[derive(Clone, Copy)]
pub(super) enum Bound {
    /// The start of a server.
    Start,
    /// One request.
    Request,
}

const SECOND: Duration = Duration::from_secs(1);
const MILLISECOND: Duration = Duration::from_millis(1);

/// What most clients have in common.
const PLAIN: Source = Source {
    client: "",
    places: &[],
    syntax: Syntax::SHARED,
    limits: &[],
    sse_member: None,
    env_file: false,
    is_its_own: |_| false,
};

/// A file that no client looks for, and whose shape several use.
pub(super) static ANY: Source = Source {
    env_file: true,
    ..PLAIN
};

/// The clients, in the order of precedence within each [`Reach`].
pub static SOURCES: [Source; 17] = [
    Source {
        client: "Claude Code",
        places: &[
            Place {
                reach: Reach::Local,
                path: "${CLAUDE_CONFIG_DIR:-~}/.claude.json",
            },
            user("${CLAUDE_CONFIG_DIR:-~}/.claude.json"),
            user("/etc/claude-code/managed-mcp.json"),
            user("/Library/Application Support/ClaudeCode/managed-mcp.json"),
            user("${ProgramFiles}/ClaudeCode/managed-mcp.json"),
        ],
        syntax: Syntax::CLAUDE,
        is_its_own: |root| {
            let projects = root.get("projects").and_then(Value::as_object);
            projects.is_some_and(|all| all.iter().any(|(_, own)| own.get("mcpServers").is_some()))
        },
        ..PLAIN
    },
    Source {
        // Several clients read this file: each one's spellings of variables count in it.
        client: "Claude Code, Copilot",
        places: &[project(".mcp.json")],
        ..PLAIN
    },
    Source {
        client: "VS Code",
        places: &[
            project(".vscode/mcp.json"),
            project(".vscode/settings.json"),
            user("${XDG_CONFIG_HOME:-~/.config}/Code*/User/mcp.json"),
            user("${XDG_CONFIG_HOME:-~/.config}/Code*/User/profiles/*/mcp.json"),
            user("${XDG_CONFIG_HOME:-~/.config}/Code*/User/settings.json"),
            user("~/Library/Application Support/Code*/User/mcp.json"),
            user("~/Library/Application Support/Code*/User/profiles/*/mcp.json"),
            user("~/Library/Application Support/Code*/User/settings.json"),
            user("${APPDATA}/Code*/User/mcp.json"),
            user("${APPDATA}/Code*/User/profiles/*/mcp.json"),
            user("${APPDATA}/Code*/User/settings.json"),
        ],
        syntax: Syntax::VS_CODE,
        env_file: true,
        is_its_own: |root| root.get("inputs").is_some() && root.get("servers").is_some(),
        ..PLAIN
    },
    Source {
        client: "Cursor",
        places: &[project(".cursor/mcp.json"), user("~/.cursor/mcp.json")],
        syntax: Syntax::CURSOR,
        env_file: true,
        ..PLAIN
    },
    Source {
        client: "Copilot CLI",
        places: &[user("${COPILOT_HOME:-~/.copilot}/mcp-config.json")],
        ..PLAIN
    },
    Source {
        client: "Claude Desktop",
        places: &[
            user("${XDG_CONFIG_HOME:-~/.config}/Claude/claude_desktop_config.json"),
            user("~/Library/Application Support/Claude/claude_desktop_config.json"),
            user("${APPDATA}/Claude/claude_desktop_config.json"),
            user(
                "${LOCALAPPDATA}/Packages/*Claude*/LocalCache/Roaming/Claude/claude_desktop_config.json",
            ),
        ],
        syntax: Syntax::NONE,
        ..PLAIN
    },
    Source {
        client: "Windsurf",
        places: &[
            user("~/.codeium/windsurf/mcp_config.json"),
            user("${XDG_CONFIG_HOME:-~/.config}/devin/mcp_config.json"),
        ],
        syntax: Syntax::WINDSURF,
        is_its_own: |root| any_entry(root, "mcpServers", |entry| entry.get("serverUrl").is_some()),
        ..PLAIN
    },
    Source {
        client: "Codex",
        places: &[
            project(".codex/config.toml"),
            user("${CODEX_HOME:-~/.codex}/config.toml"),
            user("${CODEX_HOME:-~/.codex}/*.config.toml"),
        ],
        // It names variables in members of their own.
        syntax: Syntax::NONE,
        limits: &[
            ("startup_timeout_sec", SECOND, Bound::Start),
            ("startup_timeout_ms", MILLISECOND, Bound::Start),
            ("tool_timeout_sec", SECOND, Bound::Request),
        ],
        is_its_own: |root| root.get("mcp_servers").is_some(),
        ..PLAIN
    },
    Source {
        client: "Gemini CLI",
        places: &[
            project(".gemini/settings.json"),
            user("~/.gemini/settings.json"),
            user("/etc/gemini-cli/settings.json"),
            user("/Library/Application Support/GeminiCli/settings.json"),
            user("${ProgramData}/gemini-cli/settings.json"),
        ],
        syntax: Syntax::GEMINI,
        sse_member: Some("url"),
        limits: &[("timeout", MILLISECOND, Bound::Request)],
        is_its_own: |root| {
            let mcp = root.get("mcp").and_then(Value::as_object);
            mcp.is_some_and(|mcp| mcp.get("allowed").is_some() || mcp.get("excluded").is_some())
                || any_entry(root, "mcpServers", |entry| entry.get("httpUrl").is_some())
        },
        ..PLAIN
    },
    Source {
        client: "Zed",
        places: &[
            project(".zed/settings.json"),
            user("${XDG_CONFIG_HOME:-~/.config}/zed/settings.json"),
            user("${APPDATA}/Zed/settings.json"),
        ],
        syntax: Syntax::NONE,
        is_its_own: |root| root.get("context_servers").is_some(),
        ..PLAIN
    },
    Source {
        client: "Continue",
        places: &[
            project(".continue/mcpServers/*.yaml"),
            project(".continue/mcpServers/*.yml"),
            project(".continue/mcpServers/*.json"),
            user("~/.continue/config.yaml"),
            user("~/.continue/mcpServers/*.yaml"),
            user("~/.continue/mcpServers/*.yml"),
            user("~/.continue/mcpServers/*.json"),
        ],
        syntax: Syntax::CONTINUE,
        limits: &[("connectionTimeout", MILLISECOND, Bound::Start)],
        is_its_own: |root| {
            let servers = root.get("mcpServers").and_then(Value::as_array);
            servers.is_some_and(|servers| !servers.is_empty())
        },
        ..PLAIN
    },
    Source {
        client: "Cline",
        places: &[
            user("${CLINE_MCP_SETTINGS_PATH:-~/.cline/data/settings/cline_mcp_settings.json}"),
            user(
                "${XDG_CONFIG_HOME:-~/.config}/Code*/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
            ),
            user(
                "~/Library/Application Support/Code*/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
            ),
            user(
                "${APPDATA}/Code*/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
            ),
        ],
        limits: &[("timeout", SECOND, Bound::Request)],
        ..PLAIN
    },
    Source {
        client: "Roo Code, Kilo Code",
        places: &[
            project(".roo/mcp.json"),
            project(".kilocode/mcp.json"),
            user(
                "${XDG_CONFIG_HOME:-~/.config}/Code*/User/globalStorage/*/settings/mcp_settings.json",
            ),
            user(
                "~/Library/Application Support/Code*/User/globalStorage/*/settings/mcp_settings.json",
            ),
            user("${APPDATA}/Code*/User/globalStorage/*/settings/mcp_settings.json"),
        ],
        limits: &[("timeout", SECOND, Bound::Request)],
        ..PLAIN
    },
    Source {
        client: "Goose",
        places: &[
            user("${XDG_CONFIG_HOME:-~/.config}/goose/config.yaml"),
            user("${APPDATA}/Block/goose/config/config.yaml"),
        ],
        syntax: Syntax::NONE,
        limits: &[("timeout", SECOND, Bound::Request)],
        is_its_own: |root| {
            any_entry(root, "extensions", |entry| {
                ["cmd", "uri"].iter().any(|name| entry.get(name).is_some())
            })
        },
        ..PLAIN
    },
    Source {
        client: "LM Studio",
        places: &[
            user("~/.lmstudio/mcp.json"),
            user("~/.cache/lm-studio/mcp.json"),
        ],
        syntax: Syntax::CURSOR,
        ..PLAIN
    },
    Source {
        client: "Kiro, Amazon Q",
        places: &[
            project(".kiro/settings/mcp.json"),
            project(".amazonq/mcp.json"),
            user("~/.kiro/settings/mcp.json"),
            user("~/.aws/amazonq/mcp.json"),
        ],
        syntax: Syntax::KIRO,
        limits: &[("timeout", MILLISECOND, Bound::Request)],
        ..PLAIN
    },
    Source {
        client: "opencode",
        places: &[
            project("opencode.json"),
            project("opencode.jsonc"),
            project(".opencode/opencode.json"),
            project(".opencode/opencode.jsonc"),
            user("${XDG_CONFIG_HOME:-~/.config}/opencode/opencode.json"),
            user("${XDG_CONFIG_HOME:-~/.config}/opencode/opencode.jsonc"),
        ],
        syntax: Syntax::OPENCODE,
        limits: &[("timeout", MILLISECOND, Bound::Request)],
        is_its_own: |root| {
            let is_own = |entry: &Object| matches!(entry.text("type"), Some("local" | "remote"));
            let nested = root.get("mcp").and_then(Value::as_object);
            any_entry(root, "mcp", is_own)
                || nested.is_some_and(|mcp| any_entry(mcp, "servers", is_own))
        },
        ..PLAIN
    },
];

/// Whether an entry of a section is of a kind.
fn any_entry(root: &Object, section: &str, is: impl Fn(&Object) -> bool) -> bool {
    let entries = root.get(section).and_then(Value::as_object);
    entries.is_some_and(|entries| {
        let mut entries = entries.iter().filter_map(|(_, entry)| entry.as_object());
        entries.any(is)
    })
}
