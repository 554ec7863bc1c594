//! `servers`: what configurations and lockfile name, side by side. It starts nothing.

use super::due::Due;
use super::world::World;
use super::{Output, record, sources};
use crate::cli::{self, Format};
use crate::config;
use crate::lockfile::Lockfile;
use crate::model::{Launch, Problem, ServerSpec, SpecState, Warning};
use crate::render;
use crate::report::ServerReport;
use std::collections::BTreeSet;

/// One server, as far as it is known without starting it.
struct Row {
    name: String,
    /// The configuration that names it.
    origin: Option<String>,
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
    /// Why it is due for a review.
    due: Vec<String>,
}

pub(super) fn run(world: &World, args: &cli::Servers) -> Result<Output, Problem> {
    let lockfile = world.read_lockfile()?;
    let found = sources::from_configs(world, &args.config)?;
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
    if let Some(lockfile) = &lockfile {
        add_due(world, lockfile, &found.specs, &mut rows)?;
    }
    rows.sort_by(|a, b| a.name.cmp(&b.name));
    // Nothing at all to look at is no answer; a broken entry is said in its row and by `diff`.
    if rows.is_empty() {
        return Err(sources::nothing());
    }
    let stdout = match world.common.format {
        Format::Text | Format::Github => words(&rows),
        Format::Json => document(&rows),
    };
    let warning = |w: &Warning| format!("warning: {}\n", render::escape::line(&w.message));
    let stderr: String = found
        .warnings
        .iter()
        .map(warning)
        .collect::<Vec<_>>()
        .concat();
    Ok(Output {
        stdout,
        stderr,
        status: 0,
    })
}

fn add_due(
    world: &World,
    lockfile: &Lockfile,
    specs: &[ServerSpec],
    rows: &mut [Row],
) -> Result<(), Problem> {
    let (store, twins) = (world.store()?, record::Twins::of(Some(lockfile), &[]));
    let due = Due {
        world,
        store: &store,
        twins: &twins,
        deciding: lockfile,
        own: lockfile,
    };
    for row in rows {
        let spec = specs.iter().find(|spec| spec.name.as_str() == row.name);
        let mut report = ServerReport::new(row.name.as_str().into());
        report.disabled = spec.is_some_and(|spec| matches!(spec.state, SpecState::Disabled));
        due.add(&mut report, spec.and_then(|spec| spec.launch.as_ref()))?;
        row.due = report.due.into_iter().map(|due| due.message).collect();
    }
    Ok(())
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
        transport,
        launch: words,
        floating: launch.and_then(config::floating),
        state,
        problem: None,
        locked: false,
        checked: None,
        due: Vec::new(),
    }
}

fn words(rows: &[Row]) -> String {
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
            version(row),
            state,
            if row.locked { "yes" } else { "no" }.to_owned(),
            row.checked.clone().unwrap_or_else(|| "never".to_owned()),
            row.due.join("; "),
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
            "due",
        ],
        &cells.collect::<Vec<_>>(),
    )
}

/// What is known of the version that runs; a URL says nothing of it.
fn version(row: &Row) -> String {
    match (&row.floating, row.transport) {
        (Some(why), _) => format!("floats: {why}"),
        (None, "stdio") => "pinned or local".to_owned(),
        (None, _) => String::new(),
    }
}

fn document(rows: &[Row]) -> String {
    let servers: Vec<serde_json::Value> = rows
        .iter()
        .map(|row| {
            serde_json::json!({
                "name": row.name, "origin": row.origin, "transport": row.transport, "launch": row.launch, "floating": row.floating,
                "state": row.state, "problem": row.problem, "locked": row.locked, "checked": row.checked, "due": row.due,
            })
        })
        .collect();
    let error = servers.is_empty().then(|| {
        let problem = sources::nothing();
        serde_json::json!({ "kind": problem.kind, "message": problem.message })
    });
    render::document(&serde_json::json!({ "servers": servers, "error": error }))
}
