//! What the tests of configurations share: surroundings, servers of a fixture or of a few words, their texts.

use countersign::canonical;
use countersign::config::{Environment, load};
use countersign::model::{Endpoint, Problem, ServerSpec, SpecState, Warning};
use std::path::{Path, PathBuf};

pub(crate) const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/configs");

/// What all secrets of the fixtures begin with.
pub(crate) const MARK: &str = "s3cr3t";

pub(crate) fn environment() -> Environment {
    let vars = [
        ("NOTES_TOKEN", "s3cr3t-value-variable"),
        ("COUNTERSIGN_INPUT_NOTES_KEY", "s3cr3t-value-input"),
        ("MULTI_LINE", "s3cr3t-value-a\ns3cr3t-value-b"),
        ("EMPTY", ""),
        ("PATH", "/usr/bin"),
    ];
    Environment {
        vars: vars
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        home: Some(PathBuf::from("/home/ada")),
        current_dir: PathBuf::from("/home/ada/project"),
        windows: false,
        is_executable: |_| false,
    }
}

/// Every configuration of the fixtures, as a path within them: each stands where its client looks for it.
pub(crate) fn fixtures() -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(FIXTURES)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of fixtures") {
            let path = entry.expect("a fixture").path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|ending| ["json", "toml", "yaml"].iter().any(|e| ending == *e))
            {
                let within = path.strip_prefix(FIXTURES).expect("a fixture");
                found.push(within.to_str().expect("a name").to_owned());
            }
        }
    }
    found.sort();
    found
}

pub(crate) fn fixture(name: &str) -> Vec<ServerSpec> {
    let path = Path::new(FIXTURES).join(name);
    load(&path, &environment()).unwrap_or_else(|problem| panic!("{name}: {problem:?}"))
}

pub(crate) fn server(name: &str, specs: Vec<ServerSpec>) -> ServerSpec {
    let mut specs = specs.into_iter();
    specs
        .find(|spec| spec.name.as_str() == name)
        .unwrap_or_else(|| panic!("{name} is there"))
}

/// One server of a configuration that is written for the occasion.
pub(crate) fn entry(json: &str) -> ServerSpec {
    entry_in(json, &environment())
}

pub(crate) fn entry_in(json: &str, env: &Environment) -> ServerSpec {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("config.json");
    std::fs::write(&path, format!(r#"{{ "mcpServers": {{ "x": {json} }} }}"#)).expect("written");
    server("x", load(&path, env).expect("a configuration"))
}

pub(crate) fn launch_text(spec: &ServerSpec) -> String {
    spec.launch.as_ref().map_or_else(String::new, |launch| {
        canonical::to_text(&canonical::canonical(&launch.to_value()))
    })
}

pub(crate) fn broken(spec: &ServerSpec) -> &Problem {
    match &spec.state {
        SpecState::Broken(problem) => problem,
        _ => panic!("{} is usable", spec.name.as_str()),
    }
}

pub(crate) fn endpoint(spec: &ServerSpec) -> &Endpoint {
    match &spec.state {
        SpecState::Ready(endpoint) => endpoint,
        SpecState::Disabled => panic!("{} is disabled", spec.name.as_str()),
        SpecState::Broken(problem) => panic!("{}: {problem:?}", spec.name.as_str()),
    }
}

/// Every text that the endpoint holds.
pub(crate) fn texts(endpoint: &Endpoint) -> Vec<String> {
    match endpoint {
        Endpoint::Stdio {
            command,
            args,
            cwd,
            env,
        } => [command.clone()]
            .into_iter()
            .chain(args.iter().cloned())
            .chain(cwd.iter().map(|cwd| cwd.to_string_lossy().into_owned()))
            .chain(env.iter().map(|(name, value)| format!("{name}={value}")))
            .collect(),
        Endpoint::Http { url, headers } => std::iter::once(url.clone())
            .chain(
                headers
                    .iter()
                    .map(|(name, value)| format!("{name}: {value}")),
            )
            .collect(),
        Endpoint::File(path) => vec![path.to_string_lossy().into_owned()],
    }
}

pub(crate) fn rules(warnings: &[Warning]) -> Vec<&str> {
    warnings.iter().map(|warning| warning.rule).collect()
}
