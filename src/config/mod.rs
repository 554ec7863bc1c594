//! Where servers are named: configuration files of clients, and the command line.
//!
//! Text comes in, [`ServerSpec`]s come out. Configurations are only ever read. Their order of precedence is
//! the order in which they are handed to [`merge`], which is that of [`discover`].

mod assignments;
mod command;
mod command_line;
mod dotenv;
mod entry;
mod environment;
mod expand;
mod file;
mod floating;
mod http;
mod jsonc;
mod launch;
mod looks;
mod members;
mod places;
mod sections;
mod sources;
mod spans;
mod stdio;
mod syntax;
mod toml;
mod variable;
mod yaml;

pub use command_line::{CommandLine, add_to, from_command_line};
pub use environment::Environment;
pub use floating::{Version, floating, version};
pub use places::{Place, Reach};
pub use sources::{SOURCES, Source};
pub use syntax::Syntax;

use crate::json::Value;
use crate::model::{Problem, ServerSpec, SpecState, Warning};
use expand::Scope;
use sources::ANY;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A configuration that a client looks for, and that is there.
#[derive(Clone)]
pub struct Found {
    /// The file.
    pub path: PathBuf,
    /// Who it belongs to.
    pub reach: Reach,
    source: &'static Source,
    /// The project that it is read for.
    root: PathBuf,
}

/// The configurations of a project that exist, in the order of precedence. With `user`, those in the home
/// directory as well, a person's own ones about this project first.
pub fn discover(root: &Path, user: bool, env: &Environment) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for source in &SOURCES {
        for place in source.places {
            if place.reach != Reach::Project && !user {
                continue;
            }
            let files = place.pattern(root, env).map(|path| file::matching(&path));
            for path in files.into_iter().flatten() {
                found.push(Found {
                    path,
                    reach: place.reach,
                    source,
                    root: root.to_owned(),
                });
            }
        }
    }
    found.sort_by_key(|found| found.reach);
    // In the home directory a client's own file is that of a project too.
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|found| {
        let is_local = found.reach == Reach::Local;
        seen.insert((found.path.clone(), is_local))
    });
    found
}

impl Found {
    /// Reads it: its servers, sorted by name; none if no member of it lists servers.
    ///
    /// # Errors
    /// As those of [`load`].
    pub fn load(&self, env: &Environment) -> Result<Vec<ServerSpec>, Problem> {
        let owner = Owner {
            source: Some(self.source),
            reach: Some(self.reach),
            workspace: self.root.clone(),
        };
        let specs = read(&self.path, false, &owner, env)?;
        Ok(specs.unwrap_or_default())
    }
}

/// Reads one configuration that the user named: its servers, sorted by name. Whose it is, its path tells, or else
/// its name, or else its shape.
///
/// # Errors
/// `config`: a file that cannot be read, holds more than 16 MiB or is not what its ending says; a member that
/// stands twice; no member that lists servers. What is wrong with one server is in its state.
pub fn load(path: &Path, env: &Environment) -> Result<Vec<ServerSpec>, Problem> {
    let specs = read(path, true, &owner(path, env), env)?;
    specs.ok_or_else(|| {
        let shown = path.to_string_lossy();
        let sections = sections::SECTIONS;
        Problem::new(
            "config",
            format!("`{shown}` lists no servers: none of {sections} is there"),
        )
    })
}

/// What [`load`] makes of a text that stands at this path.
#[cfg(any(test, fuzzing))]
pub(crate) fn parse_as(
    text: &[u8],
    path: &Path,
    env: &Environment,
) -> Result<Vec<ServerSpec>, String> {
    parse(text, path, true, &owner(path, env), env).map(Option::unwrap_or_default)
}

/// Whose a file is.
struct Owner {
    /// `None` where only its shape can tell.
    source: Option<&'static Source>,
    /// The part of it that is meant; `None` for all of it.
    reach: Option<Reach>,
    /// The folder that `${workspaceFolder}` means in it.
    workspace: PathBuf,
}

fn owner(path: &Path, env: &Environment) -> Owner {
    let path = env.current_dir.join(path);
    let places = || {
        SOURCES
            .iter()
            .flat_map(|source| source.places.iter().map(move |place| (source, place)))
    };
    let by_path = places().find_map(|(source, place)| {
        let is_at = place.reach != Reach::Project
            && place.pattern(Path::new(""), env).as_deref() == Some(&path);
        let depth = place.depth_in(&path);
        let root = depth.filter(|_| place.reach == Reach::Project);
        (is_at || depth.is_some()).then_some((source, root))
    });
    let name = path.file_name().and_then(|name| name.to_str());
    let by_name = || {
        let mut owners = SOURCES.iter().filter(|source| {
            let mut names = source.places.iter().map(Place::file_name);
            name.is_some() && names.any(|other| other == name)
        });
        // A name that two clients use says nothing.
        owners.next().filter(|_| owners.next().is_none())
    };
    let root = by_path
        .and_then(|(_, depth)| path.ancestors().nth(depth?))
        // A client's file in the home directory is about every project, so about the current one.
        .filter(|root| env.home.as_deref() != Some(root));
    Owner {
        source: by_path.map(|(source, _)| source).or_else(by_name),
        reach: None,
        workspace: root.unwrap_or(&env.current_dir).to_owned(),
    }
}

/// The servers of a configuration; `None` if no member of it lists any.
fn read(
    path: &Path,
    explicit: bool,
    owner: &Owner,
    env: &Environment,
) -> Result<Option<Vec<ServerSpec>>, Problem> {
    let text = file::read(path)?;
    parse(&text, path, explicit, owner, env).map_err(|message| {
        let shown = path.to_string_lossy();
        Problem::new("config", format!("`{shown}`: {message}"))
    })
}

fn parse(
    text: &[u8],
    path: &Path,
    explicit: bool,
    owner: &Owner,
    env: &Environment,
) -> Result<Option<Vec<ServerSpec>>, String> {
    let value = value(text, path)?;
    let by_shape = || {
        let root = value.as_object()?;
        SOURCES.iter().find(|source| (source.is_its_own)(root))
    };
    let source = owner.source.or_else(by_shape).unwrap_or(&ANY);
    let Some(document) = sections::read(&value, source, owner.reach, &env.current_dir)? else {
        return Ok(None);
    };
    let path = env.current_dir.join(path);
    let scope = Scope {
        env,
        workspace: &owner.workspace,
        folder: path.parent().unwrap_or(&env.current_dir),
        inputs: &document.inputs,
    };
    let resolve = |entry| launch::resolve(entry, Some(&path), explicit, source, &scope);
    Ok(Some(document.entries.into_iter().map(resolve).collect()))
}

/// A file's text as one value, by the ending of its name.
fn value(text: &[u8], path: &Path) -> Result<Value, String> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    match ending.map(str::to_ascii_lowercase).as_deref() {
        Some("toml") => toml::read(text),
        Some("yaml" | "yml") => yaml::read(text),
        _ => jsonc::read(text),
    }
}

/// A file's bytes as text, without a byte order mark before it. A message begins with the line.
fn text_of(source: &[u8]) -> Result<&str, String> {
    let source = source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source);
    std::str::from_utf8(source).map_err(|error| {
        let line = crate::json::line_of(source, error.valid_up_to());
        format!("line {line}: bytes that are not UTF-8")
    })
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
