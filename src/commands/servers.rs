//! `servers`: what configurations and lockfile name, side by side. It starts nothing.

use super::due::Due;
use super::world::World;
use super::{Output, record, sources};
use crate::cli;
use crate::config::{self, Version};
use crate::lockfile::Lockfile;
use crate::model::{Carrier, Launch, Problem, ServerName, ServerSpec, SpecState, Warning};
use crate::render::Format;
use crate::report::ServerReport;
use crate::store::{ByTool, Used};
use crate::{render, term};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// One server of one configuration, as far as it is known without starting it.
struct Row {
    name: String,
    /// The configuration that names it.
    origin: Option<String>,
    /// The client whose configuration that is.
    client: Option<&'static str>,
    carrier: Option<Carrier>,
    /// Command and arguments, or URL; unexpanded, without secrets.
    launch: String,
    version: Version,
    state: &'static str,
    problem: Option<String>,
    /// Where else the same is launched.
    same: Vec<String>,
    locked: bool,
    /// When it was last looked at under this lockfile, RFC 3339.
    checked: Option<String>,
    /// Why it is due for a review.
    due: Vec<String>,
    /// How many material changes of it wait, by the newest that is known here.
    waiting: usize,
    /// How its tools were used through guards.
    used: ByTool<Used>,
}

pub(super) fn run(world: &World, args: &cli::Servers) -> Result<Output, Problem> {
    let lockfile = world.read_lockfile()?;
    let sources::Lists { lists, error } = sources::all(world, &args.config, args.user)?;
    let (taken, warnings) = config::merge(lists.clone());
    let checked = record::times(world)?;
    let mut rows = Vec::new();
    let mut launches: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for spec in lists.iter().flatten() {
        // Two of one name: the one that is not taken is listed all the same.
        let is_taken = taken.iter().any(|other| {
            other.name == spec.name && other.origin == spec.origin && other.launch == spec.launch
        });
        if let Some(launch) = &spec.launch {
            let same = launches.entry(format!("{launch:?}")).or_default();
            same.push(rows.len());
        }
        rows.push(row(world, spec, is_taken));
    }
    for same in launches.values() {
        for index in same {
            let others = same.iter().filter(|other| *other != index);
            rows[*index].same = others.map(|other| place(&rows[*other])).collect();
        }
    }
    let configured: BTreeSet<String> = rows.iter().map(|row| row.name.clone()).collect();
    let orphans = lockfile
        .iter()
        .flat_map(|lock| &lock.servers)
        .filter(|(name, _)| !configured.contains(name.as_str()));
    rows.extend(orphans.map(|(name, server)| {
        let launch = server.launch();
        of_launch(name.as_str(), launch.as_ref(), "in no configuration")
    }));
    let mut used = world.store()?.used(&world.lock)?;
    for row in &mut rows {
        if row.state != "not taken" {
            row.used = used.remove(&ServerName::new(&row.name)).unwrap_or_default();
        }
        row.locked = lockfile.as_ref().is_some_and(|lock| {
            let mut names = lock.servers.keys();
            names.any(|known| known.as_str() == row.name)
        });
        row.checked = checked.get(row.name.as_str()).cloned();
    }
    if let Some(lockfile) = &lockfile {
        add_due(world, lockfile, &taken, &mut rows)?;
    }
    // Stable: of one name, in the order of precedence.
    rows.sort_by(|a, b| a.name.cmp(&b.name));
    // Nothing at all to look at is no answer; a broken entry is said in its row and by `diff`.
    if rows.is_empty() {
        return Err(sources::nothing(&args.config));
    }
    let stdout = match world.common.format {
        Format::Json => document(&rows, error.as_ref()),
        _ => words(&rows, world.common.verbose > 0),
    };
    let warning = |w: &Warning| format!("warning: {}\n", render::escape::line(&w.message));
    let mut stderr: String = warnings.iter().map(warning).collect();
    let status = if error.is_some() { super::UNKNOWN } else { 0 };
    if let Some(problem) = error.filter(|_| world.common.format != Format::Json) {
        stderr += &render::problem(&problem);
    }
    Ok(Output {
        stdout,
        stderr,
        status,
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
        let name = &report.name;
        if let (Some(locked), "ready") = (lockfile.servers.get(name), row.state) {
            let newest = record::newest(world, &store, &twins, lockfile, name, locked)?;
            let changes = newest.report.changes.iter();
            row.waiting = changes.filter(|change| change.waits()).count();
        }
    }
    Ok(())
}

fn row(world: &World, spec: &ServerSpec, is_taken: bool) -> Row {
    let (state, problem) = match &spec.state {
        SpecState::Disabled => ("disabled", None),
        _ if !is_taken => ("not taken", None),
        SpecState::Ready(_) => ("ready", None),
        SpecState::Broken(problem) => ("broken", Some(problem.message.clone())),
    };
    Row {
        origin: spec.origin.as_deref().map(|path| shown(world, path)),
        client: spec.client,
        carrier: spec.carrier,
        problem,
        ..of_launch(spec.name.as_str(), spec.launch.as_ref(), state)
    }
}

/// A path from here or from the home directory, whichever it is below.
fn shown(world: &World, path: &Path) -> String {
    let at_home = || {
        let below = path.strip_prefix(world.environment.home.as_ref()?).ok()?;
        Some(Path::new("~").join(below))
    };
    let path = match path.strip_prefix(&world.cwd) {
        Ok(below) => below.to_owned(),
        Err(_) => at_home().unwrap_or_else(|| path.to_owned()),
    };
    path.display().to_string()
}

fn of_launch(name: &str, launch: Option<&Launch>, state: &'static str) -> Row {
    let (carrier, words) = match launch {
        Some(Launch::Stdio { command, args, .. }) => (
            Carrier::Stdio,
            std::iter::once(command)
                .chain(args)
                .cloned()
                .collect::<Vec<_>>()
                .join(" "),
        ),
        Some(Launch::Http { url, .. }) => (Carrier::Http, url.clone()),
        None => (Carrier::File, String::new()),
    };
    Row {
        name: name.to_owned(),
        origin: None,
        client: None,
        carrier: Some(carrier),
        launch: words,
        version: launch.map_or(Version::Unsaid, config::version),
        state,
        problem: None,
        same: Vec::new(),
        locked: false,
        checked: None,
        due: Vec::new(),
        waiting: 0,
        used: ByTool::new(),
    }
}

/// A server and where it is named.
fn place(row: &Row) -> String {
    match &row.origin {
        Some(origin) => format!("`{}` in `{origin}`", row.name),
        None => format!("`{}`", row.name),
    }
}

/// A table, and below it what is worth a sentence; how each is launched if that is asked for.
fn words(rows: &[Row], verbose: bool) -> String {
    let cells = rows.iter().map(|row| {
        let version = match row.version {
            Version::Pinned => "pinned",
            Version::Floats(_) => "floats",
            Version::Unsaid => "",
        };
        let state = match row.state {
            "ready" if !row.locked => "new",
            "ready" if row.waiting > 0 => "waits",
            "ready" if !row.due.is_empty() => "due",
            "in no configuration" => "gone",
            state => state,
        };
        vec![
            row.name.clone(),
            row.origin.clone().unwrap_or_default(),
            row.carrier.map_or("", Carrier::word).to_owned(),
            version.to_owned(),
            state.to_owned(),
            row.checked
                .as_ref()
                .map_or_else(|| "never".to_owned(), |time| date(time).to_owned()),
        ]
    });
    let headers = [
        "server",
        "named in",
        "over",
        "version",
        "state",
        "last looked at",
    ];
    let mut out = render::table(&headers, &cells.collect::<Vec<_>>(), term::table_width());
    for row in rows {
        for sentence in sentences(row, verbose) {
            let line = render::escape::line(&format!("{}: {sentence}", place(row)));
            out.extend(["- ", &line, "\n"]);
        }
    }
    if verbose {
        out.push_str(&used_table(rows));
    }
    out
}

/// How the tools of a server were used through guards, a row each.
fn used(row: &Row) -> Vec<serde_json::Value> {
    let tools = row.used.iter();
    let values = tools.map(|(tool, used)| {
        serde_json::json!({
            "tool": tool, "calls": used.counts.calls, "refused": used.counts.refused, "held": used.counts.held,
            "argumentBytes": used.counts.bytes, "since": used.since, "last": used.last,
        })
    });
    values.collect()
}

/// The same as a table; nothing where nothing was counted.
fn used_table(rows: &[Row]) -> String {
    let tools = rows
        .iter()
        .flat_map(|row| row.used.iter().map(move |(tool, used)| (row, tool, used)));
    let cells = tools.map(|(row, tool, used)| {
        let counts = &used.counts;
        vec![
            format!("{}/{tool}", row.name),
            counts.calls.to_string(),
            counts.refused.to_string(),
            counts.held.to_string(),
            counts.bytes.to_string(),
            date(&used.since).to_owned(),
            date(&used.last).to_owned(),
        ]
    });
    let cells: Vec<Vec<String>> = cells.collect();
    if cells.is_empty() {
        return String::new();
    }
    let headers = [
        "called through guard",
        "calls",
        "refused",
        "held",
        "bytes of arguments",
        "since",
        "last",
    ];
    render::table(&headers, &cells, term::table_width())
}

fn date(time: &str) -> &str {
    time.split('T').next().unwrap_or(time)
}

fn sentences(row: &Row, verbose: bool) -> Vec<String> {
    let mut out = Vec::new();
    if verbose && !row.launch.is_empty() {
        out.push(format!("is launched as `{}`", row.launch));
    }
    out.extend(row.problem.clone());
    if row.state == "not taken" {
        out.push("another configuration of that name comes first".to_owned());
    }
    if let Version::Floats(why) = &row.version {
        out.push(why.clone());
    }
    if row.waiting > 0 {
        let changes = match row.waiting {
            1 => "1 material change waits".to_owned(),
            more => format!("{more} material changes wait"),
        };
        let name = render::escape::name(&row.name);
        out.push(format!("{changes}: `countersign review {name}`"));
    }
    out.extend(row.due.iter().map(|due| format!("a review is due: {due}")));
    if !row.same.is_empty() {
        out.push(format!("launches the same as {}", row.same.join(", ")));
    }
    if row.state == "in no configuration" {
        out.push(format!(
            "no configuration that was read names it; `countersign prune {}` drops it from the lockfile",
            render::escape::name(&row.name)
        ));
    }
    out
}

fn document(rows: &[Row], error: Option<&Problem>) -> String {
    let servers: Vec<serde_json::Value> = rows
        .iter()
        .map(|row| {
            let (version, floating) = match &row.version {
                Version::Pinned => (Some("pinned"), None),
                Version::Floats(why) => (Some("floating"), Some(why)),
                Version::Unsaid => (None, None),
            };
            serde_json::json!({
                "name": row.name, "origin": row.origin, "client": row.client, "transport": row.carrier.map(Carrier::word),
                "launch": row.launch, "version": version, "floating": floating, "state": row.state,
                "problem": row.problem, "sameLaunch": row.same, "locked": row.locked, "checked": row.checked, "due": row.due, "waiting": row.waiting, "used": used(row),
            })
        })
        .collect();
    let error =
        error.map(|error| serde_json::json!({ "kind": error.kind, "message": error.message }));
    render::document(&serde_json::json!({ "servers": servers, "error": error }))
}
