//! Where servers are named: configuration files of clients, and the command line.
//!
//! Text comes in, [`ServerSpec`]s come out. Configurations are only ever read. Their order of precedence is
//! the order in which they are handed to [`merge`]; [`SOURCES`] holds the one of a project's own files.

mod assignments;
mod clients;
mod command;
mod command_line;
mod environment;
mod expand;
mod file;
mod floating;
mod http;
mod jsonc;
mod launch;
mod looks;
mod members;
mod spans;
mod stdio;
mod variable;

pub use command_line::{CommandLine, add_to, from_command_line};
pub use environment::Environment;
pub use expand::Syntax;
pub use floating::floating;

use crate::json::Value;
use crate::model::{Problem, ServerSpec, SpecState, Warning};
use expand::Scope;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A configuration file that a client looks for.
pub struct Source {
    /// Where it stands in a project.
    pub path: &'static str,
    /// Whose it is.
    pub client: &'static str,
    /// What the client expands.
    pub syntax: Syntax,
    /// How its text is read into one value. The message of an error begins with the line.
    read: fn(&[u8]) -> Result<Value, String>,
}

/// The files of a project that name servers, in the order of precedence.
pub static SOURCES: [Source; 3] = [
    Source {
        path: ".mcp.json",
        client: "Claude Code",
        syntax: Syntax::Dollar,
        read: jsonc::read,
    },
    Source {
        path: ".vscode/mcp.json",
        client: "VS Code",
        syntax: Syntax::Dollar,
        read: jsonc::read,
    },
    Source {
        path: ".cursor/mcp.json",
        client: "Cursor",
        syntax: Syntax::Dollar,
        read: jsonc::read,
    },
];

/// How a file that no client looks for is read.
static ANY: Source = Source {
    path: "",
    client: "any",
    syntax: Syntax::Dollar,
    read: jsonc::read,
};

/// The configurations of a project that exist, in the order of precedence.
pub fn discover(root: &Path) -> Vec<PathBuf> {
    let paths = SOURCES.iter().map(|source| root.join(source.path));
    paths.filter(|path| path.is_file()).collect()
}

/// Reads one configuration: its servers, sorted by name. `explicit` says that the user named the file.
///
/// # Errors
/// `config`: a file that cannot be read, holds more than 16 MiB or is no JSON; a member that stands twice; no
/// member that lists servers, unless the file was merely found. What is wrong with one server is in its state.
pub fn load(path: &Path, explicit: bool, env: &Environment) -> Result<Vec<ServerSpec>, Problem> {
    let source = file::read(path)?;
    let shown = path.to_string_lossy();
    let problem = |message: String| Problem::new("config", message);
    let (about, workspace) = place(path, env);
    let specs = parse(&source, path, explicit, about, &workspace, env);
    match specs.map_err(|message| problem(format!("`{shown}`: {message}")))? {
        Some(specs) => Ok(specs),
        None if explicit => Err(problem(format!(
            "`{shown}` lists no servers: none of {} is there",
            clients::SECTIONS
        ))),
        None => Ok(Vec::new()),
    }
}

/// Whose file it is, and the folder that `${workspaceFolder}` means in it.
fn place(path: &Path, env: &Environment) -> (&'static Source, PathBuf) {
    let path = env.current_dir.join(path);
    let source = SOURCES.iter().find(|source| path.ends_with(source.path));
    let root = source.and_then(|source| {
        let depth = Path::new(source.path).components().count();
        path.ancestors().nth(depth)
    });
    // A client's file in the home directory is about every project, so about the current one.
    let workspace = root
        .filter(|root| env.home.as_deref() != Some(root))
        .unwrap_or(&env.current_dir);
    (source.unwrap_or(&ANY), workspace.to_owned())
}

/// The servers of one configuration's text; `None` if no member of it lists any.
fn parse(
    text: &[u8],
    path: &Path,
    explicit: bool,
    source: &Source,
    workspace: &Path,
    env: &Environment,
) -> Result<Option<Vec<ServerSpec>>, String> {
    let value = (source.read)(text)?;
    let Some(document) = clients::read(&value, source.syntax)? else {
        return Ok(None);
    };
    let scope = Scope {
        env,
        workspace,
        inputs: &document.inputs,
    };
    let resolve = |entry| launch::resolve(entry, Some(path), explicit, &scope);
    Ok(Some(document.entries.into_iter().map(resolve).collect()))
}

/// One list out of several, the first of them first in precedence; sorted by name.
///
/// Of two servers of one name the first that is not disabled stands. If they are not launched the same way, a
/// warning names both configurations.
pub fn merge(lists: Vec<Vec<ServerSpec>>) -> (Vec<ServerSpec>, Vec<Warning>) {
    let mut merged: BTreeMap<_, ServerSpec> = BTreeMap::new();
    let mut warnings = Vec::new();
    for spec in lists.into_iter().flatten() {
        let Some(first) = merged.get_mut(&spec.name) else {
            merged.insert(spec.name.clone(), spec);
            continue;
        };
        let is_disabled = |spec: &ServerSpec| matches!(spec.state, SpecState::Disabled);
        let later_holds = is_disabled(first) && !is_disabled(&spec);
        if first.launch.is_none() || first.launch != spec.launch {
            let word = |spec: &ServerSpec| match &spec.origin {
                Some(path) => format!("`{}`", path.to_string_lossy()),
                None => "the command line".to_owned(),
            };
            let (former, latter) = (word(first), word(&spec));
            let holds = if later_holds { &latter } else { &former };
            let name = spec.name.as_str();
            let message = format!(
                "{former} and {latter} launch `{name}` in different ways: that of {holds} is taken"
            );
            warnings.push(Warning::new("same-name", message).at(name));
        }
        if later_holds {
            *first = spec;
        }
    }
    (merged.into_values().collect(), warnings)
}
