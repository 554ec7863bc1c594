//! `servers`: what configurations and lockfile name, side by side. It starts nothing.

use super::world::World;
use super::{Output, record, sources};
use crate::cli::{self, Format};
use crate::config;
use crate::model::{Launch, Problem, ServerSpec, SpecState, Warning};
use crate::render;
use std::collections::BTreeSet;

/// One server, as far as it is known without starting it.
struct Row {
    name: String,
    /// The configuration that names it.
    origin: Option<String>,
    /// The client whose configuration that is.
    client: Option<&'static str>,
    transport: &'static str,
    /// Command and arguments, or URL; unexpanded, without secrets.
    launch: String,
    /// Why its version floats.
    floating: Option<String>,
    state: &'static str,
    problem: Option<String>,
    locked: bool,
    /// When it was last looked at under this lockfile, RFC 3339.
    checked: Option<String>,
}

pub(super) fn run(world: &World, args: &cli::Servers) -> Result<Output, Problem> {
    let lockfile = world.read_lockfile()?;
    let found = sources::from_configs(world, &args.config, args.user)?;
    let checked = record::times(world)?;
    let locked = |name: &str| {
        lockfile
            .as_ref()
            .is_some_and(|lock| lock.servers.keys().any(|known| known.as_str() == name))
    };
    let mut rows: Vec<Row> = found.specs.iter().map(|spec| row(world, spec)).collect();
    let configured: BTreeSet<String> = rows.iter().map(|row| row.name.clone()).collect();
    let orphans = lockfile
        .iter()
        .flat_map(|lock| &lock.servers)
        .filter(|(name, _)| !configured.contains(name.as_str()));
    rows.extend(orphans.map(|(name, server)| {
        of_launch(
            name.as_str(),
            server.launch().as_ref(),
            "in no configuration",
        )
    }));
    for row in &mut rows {
        row.locked = locked(&row.name);
        row.checked = checked.get(row.name.as_str()).cloned();
    }
    rows.sort_by(|a, b| a.name.cmp(&b.name));
    let stdout = match world.common.format {
        Format::Text => words(&rows),
        Format::Json => document(&rows),
    };
    let warning = |w: &Warning| format!("warning: {}\n", render::escape::line(&w.message));
    let mut stderr: String = found
        .warnings
        .iter()
        .map(warning)
        .collect::<Vec<_>>()
        .concat();
    // Nothing at all to look at is no answer; a broken entry is said in its row and by `diff`.
    let status = if rows.is_empty() { super::UNKNOWN } else { 0 };
    if rows.is_empty() && world.common.format == Format::Text {
        stderr += &render::problem(&sources::nothing());
    }
    Ok(Output {
        stdout,
        stderr,
        status,
    })
}

fn row(world: &World, spec: &ServerSpec) -> Row {
    let (state, problem) = match &spec.state {
        SpecState::Ready(_) => ("ready", None),
        SpecState::Disabled => ("disabled", None),
        SpecState::Broken(problem) => ("broken", Some(problem.message.clone())),
    };
    let origin = spec.origin.as_ref().map(|path| {
        path.strip_prefix(&world.cwd)
            .unwrap_or(path)
            .display()
            .to_string()
    });
    Row {
        origin,
        client: spec.client,
        problem,
        ..of_launch(spec.name.as_str(), spec.launch.as_ref(), state)
    }
}

fn of_launch(name: &str, launch: Option<&Launch>, state: &'static str) -> Row {
    let (transport, words) = match launch {
        Some(Launch::Stdio { command, args, .. }) => (
            "stdio",
            std::iter::once(command)
                .chain(args)
                .cloned()
                .collect::<Vec<_>>()
                .join(" "),
        ),
        Some(Launch::Http { url, .. }) => ("http", url.clone()),
        None => ("file", String::new()),
    };
    Row {
        name: name.to_owned(),
        origin: None,
        client: None,
        transport,
        launch: words,
        floating: launch.and_then(config::floating),
        state,
        problem: None,
        locked: false,
        checked: None,
    }
}

fn words(rows: &[Row]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let cells = rows.iter().map(|row| {
        let state = match &row.problem {
            Some(problem) => format!("{}: {problem}", row.state),
            None => row.state.to_owned(),
        };
        vec![
            row.name.clone(),
            row.origin.clone().unwrap_or_default(),
            row.transport.to_owned(),
            row.launch.clone(),
            row.floating.as_ref().map_or_else(
                || "pinned or local".to_owned(),
                |why| format!("floats: {why}"),
            ),
            state,
            if row.locked { "yes" } else { "no" }.to_owned(),
            row.checked.clone().unwrap_or_else(|| "never".to_owned()),
        ]
    });
    render::table(
        &[
            "server",
            "named in",
            "transport",
            "launch",
            "version",
            "state",
            "in lockfile",
            "last shown",
        ],
        &cells.collect::<Vec<_>>(),
    )
}

fn document(rows: &[Row]) -> String {
    let servers: Vec<serde_json::Value> = rows
        .iter()
        .map(|row| {
            serde_json::json!({
                "name": row.name, "origin": row.origin, "client": row.client, "transport": row.transport, "launch": row.launch, "floating": row.floating,
                "state": row.state, "problem": row.problem, "locked": row.locked, "checked": row.checked,
            })
        })
        .collect();
    render::document(&serde_json::json!({ "serversReport": 1, "servers": servers }))
}
