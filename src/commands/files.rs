//! `diff BEFORE AFTER`: two files, each a snapshot or a list result, as two states of one server.

use super::world::World;
use super::{judge, reported};
use crate::capture::Capture;
use crate::catalogue::Catalogue;
use crate::cli::Connect;
use crate::commands::Output;
use crate::json::Limits;
use crate::model::{Problem, ServerName, Warning};
use crate::render::What;
use crate::report::{Report, ServerReport};
use crate::secret::Secrets;
use std::io::Read as _;
use std::path::Path;

/// Standard input, as a file name.
const STDIN: &str = "-";

/// Whether two words are two files rather than two servers.
pub(super) fn are_files(world: &World, names: &[String]) -> bool {
    matches!(names, [before, after] if [before, after].iter().all(|name| name.as_str() == STDIN || world.cwd.join(name).exists()))
}

/// Whether a word looks like a file that is not there.
pub(super) fn looks_like_a_file(name: &str) -> bool {
    name.contains(['/', '\\'])
        || Path::new(name)
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// Compares them.
pub(super) fn run(
    world: &World,
    before: &str,
    after: &str,
    connect: &Connect,
) -> Result<Output, Problem> {
    if before == STDIN && after == STDIN {
        return Err(Problem::new(
            "usage",
            "only one of the two files can be standard input",
        ));
    }
    let (baseline, _) = read(world, before, connect)?;
    let (current, notes) = read(world, after, connect)?;
    let name = if after == STDIN { before } else { after };
    let stem = Path::new(name).file_stem().map_or_else(
        || name.to_owned(),
        |stem| stem.to_string_lossy().into_owned(),
    );
    let server = ServerReport {
        notes,
        ..judge::compare_files(ServerName::new(stem), &baseline, current)
    };
    Ok(reported(
        world,
        Report {
            servers: vec![server],
            ..Report::default()
        },
        What::Files,
    ))
}

fn read(
    world: &World,
    name: &str,
    connect: &Connect,
) -> Result<(Catalogue, Vec<Warning>), Problem> {
    let cannot = |cause: String| Problem::new("file", format!("cannot read `{name}`: {cause}"));
    let bound = connect.max_listing as u64;
    let mut bytes = Vec::new();
    let taken = if name == STDIN {
        std::io::stdin()
            .lock()
            .take(bound + 1)
            .read_to_end(&mut bytes)
    } else {
        std::fs::File::open(world.cwd.join(name))
            .and_then(|file| file.take(bound + 1).read_to_end(&mut bytes))
    };
    taken.map_err(|error| cannot(error.to_string()))?;
    if bytes.len() as u64 > bound {
        return Err(cannot(format!(
            "it is larger than {bound} bytes (--max-listing)"
        )));
    }
    let limits = Limits {
        depth: connect.max_depth,
        string: connect.max_string,
    };
    let capture = Capture::from_file(bytes, limits).map_err(|error| cannot(error.to_string()))?;
    Catalogue::from_capture(&capture, &Secrets::default())
        .map_err(|error| cannot(error.to_string()))
}
