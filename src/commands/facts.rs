//! What some formats show beside what was found: where the lockfile holds it, and what is known of a server's past.

use super::outputs;
use super::timeline;
use super::world::{self, World};
use crate::model::{Problem, Warning};
use crate::render::{Format, What};
use crate::report::Report;
use crate::store;
use std::path::{Component, Path};

/// Adds to a report what its formats show.
pub(super) fn add(world: &World, report: &mut Report, what: What) {
    if what == What::Files {
        return;
    }
    let formats = outputs::formats(world.common.format, &world.common.output);
    let by_line = [Format::Github, Format::Sarif, Format::Gitlab];
    if by_line.iter().any(|format| formats.contains(format)) {
        places(world, report);
    }
    // What was found stands without its past too.
    if formats.contains(&Format::Html)
        && let Err(problem) = timelines(world, report)
    {
        report
            .warnings
            .push(Warning::new("no-history", problem.message));
    }
}

/// What is known of the past of each server.
fn timelines(world: &World, report: &mut Report) -> Result<(), Problem> {
    let (store, lockfile) = (world.store()?, world.read_lockfile()?);
    for server in &mut report.servers {
        server.timeline = timeline::of(world, &store, lockfile.as_ref(), &server.name)?;
    }
    Ok(())
}

/// Where the lockfile, as it is now, holds the servers and items.
fn places(world: &World, report: &mut Report) {
    report.file = Some(from_root(&world.cwd, &world.lock));
    let lines = store::lines(&world.lock);
    for server in &mut report.servers {
        server.line = lines.server(&server.name);
        for change in &mut server.changes {
            let mut keys = change.former.iter().chain([&change.key]);
            let found = keys.find_map(|key| lines.item(&server.name, key));
            change.line = found.or(server.line);
        }
    }
}

/// A file's path from the root of the repository; of one outside its name alone: where it stands is nobody's business.
pub(super) fn from_root(cwd: &Path, path: &Path) -> String {
    let within = world::within_repository(cwd);
    let root = parts(within.last().copied().unwrap_or(cwd));
    let path = parts(path);
    match path.strip_prefix(&root[..]) {
        Some(inside) => inside.join("/"),
        None => path.last().cloned().unwrap_or_default(),
    }
}

/// The names on the way to a file, by the words of its path alone.
fn parts(path: &Path) -> Vec<String> {
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            Component::ParentDir => drop(parts.pop()),
            _ => {}
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_by_its_words() {
        assert_eq!(
            parts(Path::new("/a/b/./../c d/x.json")),
            ["a", "c d", "x.json"]
        );
    }
}
