//! The readers of client configurations.

use crate::config::{Environment, parse_as};
use crate::model::{ServerSpec, SpecState};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What stands in a variable that configurations may name, and in no message.
const SECRET: &str = "a-secret-of-the-environment";

/// Names by which a file says whose it is, and in which syntax.
const NAMES: [&str; 10] = [
    "servers.json",
    "servers.toml",
    "servers.yaml",
    "project/.mcp.json",
    "project/.vscode/mcp.json",
    "project/.cursor/mcp.json",
    "project/opencode.json",
    ".codex/config.toml",
    ".config/goose/config.yaml",
    ".gemini/settings.json",
];

/// Reads the bytes as a configuration; the first byte chooses the name of its file. No error, warning or launch says
/// what a variable holds.
///
/// # Panics
/// Where one does.
pub fn config(data: &[u8]) {
    let Some((name, text)) = data.split_first() else {
        return;
    };
    // A fuzzer sees what it is compared with, and writes it into the file itself.
    if text
        .windows(SECRET.len())
        .any(|part| part == SECRET.as_bytes())
    {
        return;
    }
    let home = PathBuf::from("/home/ada");
    let env = Environment {
        vars: BTreeMap::from([("TOKEN".to_owned(), SECRET.to_owned())]),
        home: Some(home.clone()),
        current_dir: home.join("project"),
        windows: false,
        is_executable: |_| false,
    };
    let path = home.join(NAMES[usize::from(*name) % NAMES.len()]);
    let said = match parse_as(text, &path, &env) {
        Ok(specs) => specs.iter().map(shown).collect::<Vec<_>>().join("\n"),
        Err(message) => message,
    };
    assert!(!said.contains(SECRET), "{said}");
}

/// What is shown of an entry. What starts it holds what the variable says, and is not.
fn shown(spec: &ServerSpec) -> String {
    let state = match &spec.state {
        SpecState::Broken(problem) => format!("{problem:?}"),
        _ => String::new(),
    };
    format!(
        "{state} {:?} {:?} {:?}",
        spec.name, spec.launch, spec.warnings
    )
}
