//! Which servers a run is about: what SOURCE names, narrowed to the SERVER words.

use super::world::{World, within_repository};
use crate::cli::{Connect, Source};
use crate::config::{self, CommandLine, Environment, Reach};
use crate::model::{Endpoint, Problem, ServerSpec, SpecState, Warning};
use std::path::{Path, PathBuf};

/// How many of the places that were looked at an error names.
const LOOKED: usize = 4;

/// The servers of a run, sorted by name, and what is odd about their sources.
pub(super) struct Found {
    /// The servers.
    pub(super) specs: Vec<ServerSpec>,
    /// Names that two sources use differently, and the like.
    pub(super) warnings: Vec<Warning>,
    /// What could not be read in the home directory.
    pub(super) error: Option<Problem>,
}

/// The servers of each configuration, in the order of precedence.
pub(super) struct Lists {
    pub(super) lists: Vec<Vec<ServerSpec>>,
    /// What could not be read in the home directory. A client's broken file there hides no other servers.
    pub(super) error: Option<Problem>,
}

/// The servers that SOURCE names, narrowed to `names` if there are any, with the flags for connecting applied.
///
/// # Errors
/// A configuration that cannot be read, a name that no configuration has, and no server at all.
pub(super) fn find(
    world: &World,
    source: &Source,
    connect: &Connect,
    names: &[String],
) -> Result<Found, Problem> {
    if source.name.is_some() {
        let words = CommandLine {
            name: source.name.clone(),
            url: source.url.clone(),
            headers: connect.header.clone(),
            bearer_env: connect.bearer_env.clone(),
            token_command: connect.token_command.is_some(),
            env: connect.env.clone(),
            command: source.command.clone(),
            from: source.from.as_ref().map(|path| world.cwd.join(path)),
        };
        let spec = config::from_command_line(&words, &world.environment)?;
        return Ok(Found {
            specs: only(vec![spec], names)?,
            warnings: Vec::new(),
            error: None,
        });
    }
    let mut found = from_configs(world, &source.config, source.user)?;
    let words = CommandLine {
        headers: connect.header.clone(),
        bearer_env: connect.bearer_env.clone(),
        token_command: connect.token_command.is_some(),
        env: connect.env.clone(),
        ..CommandLine::default()
    };
    found.specs = only(found.specs, names)?;
    if found.specs.is_empty() {
        return Err(found.error.unwrap_or_else(|| nothing(&source.config)));
    }
    // What is added may be a secret: servers that were merely found do not get to see it.
    let adds = !words.headers.is_empty()
        || words.bearer_env.is_some()
        || words.token_command
        || connect.client_id.is_some()
        || !words.env.is_empty();
    if adds && found.specs.iter().all(|spec| !spec.explicit) {
        return Err(Problem::new(
            "usage",
            "`--env`, `-H`, `--bearer-env`, `--token-command` and `--client-id` reach only servers that you name, or whose configuration you name",
        )
        .with_hint("countersign diff SERVER --env NAME, or with --config FILE"));
    }
    let (mut asked, rest): (Vec<_>, Vec<_>) =
        found.specs.into_iter().partition(|spec| spec.explicit);
    config::add_to(&mut asked, &words, &world.environment)?;
    asked.extend(rest);
    asked.sort_by(|a, b| a.name.cmp(&b.name));
    found.specs = asked;
    Ok(found)
}

/// The servers of the named configurations, or of those that the project has; with `user`, of those in the home
/// directory as well. Of those of one name the first is taken.
pub(super) fn from_configs(world: &World, named: &[PathBuf], user: bool) -> Result<Found, Problem> {
    let Lists { lists, error } = all(world, named, user)?;
    let (specs, warnings) = config::merge(lists);
    Ok(Found {
        specs,
        warnings,
        error,
    })
}

/// The servers of each configuration, in the order of precedence.
pub(super) fn all(world: &World, named: &[PathBuf], user: bool) -> Result<Lists, Problem> {
    let mut lists = Vec::new();
    let mut error: Option<Problem> = None;
    if !named.is_empty() {
        for path in named {
            lists.push(config::load(&world.cwd.join(path), &world.environment)?);
        }
        return Ok(Lists { lists, error });
    }
    let root = project(&world.cwd, &world.environment)?;
    for found in config::discover(root, user, &world.environment) {
        let mut specs = match found.load(&world.environment) {
            Ok(specs) => specs,
            Err(problem) if found.reach != Reach::Project => {
                match &mut error {
                    Some(first) => {
                        first.message = format!("{}; {}", first.message, problem.message);
                    }
                    None => error = Some(problem),
                }
                continue;
            }
            Err(problem) => return Err(problem),
        };
        if found.reach == Reach::Project && root != world.cwd {
            for spec in &mut specs {
                start_in(spec, root);
            }
        }
        lists.push(specs);
    }
    Ok(Lists { lists, error })
}

/// The nearest directory whose configurations name a server, up to the repository's root; here where there is none.
/// Editors' settings that name none, as subprojects have them, do not hide the repository's servers.
fn project<'a>(cwd: &'a Path, environment: &Environment) -> Result<&'a Path, Problem> {
    for directory in within_repository(cwd) {
        for found in config::discover(directory, false, environment) {
            if !found.load(environment)?.is_empty() {
                return Ok(directory);
            }
        }
    }
    Ok(cwd)
}

/// A server of a project is started in the project's directory, as its clients do.
fn start_in(spec: &mut ServerSpec, directory: &Path) {
    if let SpecState::Ready(Endpoint::Stdio { cwd, .. }) = &mut spec.state {
        *cwd = Some(
            cwd.as_ref()
                .map_or_else(|| directory.to_owned(), |own| directory.join(own)),
        );
    }
}

/// Nothing to check is no clean answer. `named` are the configurations that the user named.
pub(super) fn nothing(named: &[PathBuf]) -> Problem {
    let paths = |paths: &[String]| format!("`{}`", paths.join("`, `"));
    let looked = if named.is_empty() {
        let places = config::SOURCES.iter().flat_map(|source| source.places);
        let looked: Vec<String> = places
            .filter(|place| place.reach == Reach::Project)
            .map(|place| place.path.to_owned())
            .collect();
        let (first, more) = looked.split_at(LOOKED.min(looked.len()));
        format!(
            "no configuration here names a server (looked for {} and {} more)",
            paths(first),
            more.len()
        )
    } else {
        let named = named.iter().map(|path| path.display().to_string());
        let verb = if named.len() == 1 { "names" } else { "name" };
        format!("{} {verb} no server", paths(&named.collect::<Vec<_>>()))
    };
    Problem::new("usage", format!("nothing to check: {looked}")).with_hint(
        "countersign snapshot --config FILE, or --user for the clients' files in the home directory, or --name NAME with --url URL or -- COMMAND",
    )
}

/// Keeps only the servers that were named, and counts them as named by the user.
fn only(mut specs: Vec<ServerSpec>, names: &[String]) -> Result<Vec<ServerSpec>, Problem> {
    if names.is_empty() {
        return Ok(specs);
    }
    if let Some(unknown) = names
        .iter()
        .find(|name| specs.iter().all(|spec| spec.name.as_str() != name.as_str()))
    {
        let known: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
        let known = if known.is_empty() {
            "there is none".to_owned()
        } else {
            format!("there is `{}`", known.join("`, `"))
        };
        return Err(Problem::new(
            "usage",
            format!("no configuration names a server `{unknown}`; {known}"),
        )
        .with_hint("countersign servers"));
    }
    specs.retain(|spec| names.iter().any(|name| name == spec.name.as_str()));
    for spec in &mut specs {
        spec.explicit = true;
    }
    Ok(specs)
}
