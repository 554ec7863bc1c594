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
    }
}

/// A few lines a server, which fit a narrow terminal as far as the launch does.
fn words(rows: &[Row]) -> String {
    rows.iter().map(row_words).collect::<Vec<_>>().concat()
}

fn row_words(row: &Row) -> String {
    use render::escape::{name, short};
    let locked = if row.locked {
        "in the lockfile"
    } else {
        "not in the lockfile"
    };
    let checked = match &row.checked {
        Some(time) => format!("last shown {}", short(time)),
        None => "never shown".to_owned(),
    };
    let mut lines = vec![format!(
        "server {}: {}, {locked}, {checked}",
        name(&row.name),
        row.state
    )];
    lines.push(match row.launch.as_str() {
        "" => format!("  {}", row.transport),
        launch => format!("  {}  {}", row.transport, short(launch)),
    });
    let named = row.origin.iter().map(|origin| ("named in ", origin));
    let floats = row.floating.iter().map(|why| ("floating version: ", why));
    let broken = row.problem.iter().map(|problem| ("error: ", problem));
    for (what, text) in named.chain(floats).chain(broken) {
        lines.push(format!("  {what}{}", short(text)));
    }
    lines.join("\n") + "\n"
}

fn document(rows: &[Row]) -> String {
    let servers: Vec<serde_json::Value> = rows
        .iter()
        .map(|row| {
            serde_json::json!({
                "name": row.name, "origin": row.origin, "transport": row.transport, "launch": row.launch, "floating": row.floating,
                "state": row.state, "problem": row.problem, "locked": row.locked, "checked": row.checked,
            })
        })
        .collect();
    render::document(&serde_json::json!({ "serversReport": 1, "servers": servers }))
}
