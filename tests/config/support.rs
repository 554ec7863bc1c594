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
        ("NOTES_TOKEN", "s3cr3t-variable"),
        ("COUNTERSIGN_INPUT_NOTES_KEY", "s3cr3t-input"),
        ("MULTI_LINE", "s3cr3t-a\ns3cr3t-b"),
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

pub(crate) fn fixture(name: &str) -> Vec<ServerSpec> {
    let path = Path::new(FIXTURES).join(name);
    load(&path, true, &environment()).unwrap_or_else(|problem| panic!("{name}: {problem:?}"))
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
    server("x", load(&path, true, env).expect("a configuration"))
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
