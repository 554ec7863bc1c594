//! `diff BEFORE AFTER`: two files, each a snapshot or a list result, as two states of one server.

use super::world::World;
use super::{facts, full, judge, reported};
use crate::catalogue::Catalogue;
use crate::cli::{self, Connect};
use crate::commands::Output;
use crate::json::Limits;
use crate::model::{Problem, ServerName, Warning};
use crate::parallel;
use crate::render::What;
use crate::report::{Report, ServerReport};
use crate::secret::Secrets;
use std::io::Read as _;
use std::path::Path;

/// Standard input, as a file name.
const STDIN: &str = "-";

/// The two files that the words of `diff` name; `None` if they name servers.
///
/// # Errors
/// A word that looks like a file, and is none, or is not one of two.
pub(super) fn named<'a>(
    world: &World,
    names: &'a [String],
) -> Result<Option<(&'a str, &'a str)>, Problem> {
    let is_there = |name: &str| name == STDIN || world.cwd.join(name).exists();
    if let [before, after] = names
        && is_there(before)
        && is_there(after)
    {
        return Ok(Some((before, after)));
    }
    let files = || names.iter().filter(|name| looks_like_a_file(name));
    let cause = match files().find(|name| !is_there(name)) {
        Some(missing) => format!("cannot read `{missing}`: there is no such file"),
        None if files().next().is_some() => {
            "files are compared two at a time: name BEFORE and AFTER".to_owned()
        }
        None => return Ok(None),
    };
    Err(Problem::new("file", cause))
}

fn looks_like_a_file(name: &str) -> bool {
    name == STDIN
        || name.contains(['/', '\\'])
        || Path::new(name)
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// Compares them.
pub(super) fn run(
    world: &World,
    before: &str,
    after: &str,
    args: &cli::Diff,
) -> Result<Output, Problem> {
    if before == STDIN && after == STDIN {
        return Err(Problem::new(
            "usage",
            "only one of the two files can be standard input",
        ));
    }
    let (baseline, current) = parallel::both(
        || read(world, before, &args.connect),
        || read(world, after, &args.connect),
    );
    let ((baseline, _), (current, notes)) = (baseline?, current?);
    let name = if after == STDIN { before } else { after };
    let stem = Path::new(name).file_stem().map_or_else(
        || name.to_owned(),
        |stem| stem.to_string_lossy().into_owned(),
    );
    let server = ServerReport {
        notes,
        ..judge::compare_files(ServerName::new(stem), &baseline, current)
    };
    let report = Report {
        servers: vec![server],
        file: (after != STDIN).then(|| facts::from_root(&world.cwd, &world.cwd.join(after))),
        ..Report::default()
    };
    full::write(world, args.full.as_deref(), &report)?;
    Ok(reported(world, report, What::Files))
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
        std::fs::File::open(world.cwd.join(name)).and_then(|file| {
            let length = file.metadata().map_or(0, |data| data.len()).min(bound);
            bytes.reserve(usize::try_from(length).map_or(0, |length| length + 1));
            file.take(bound + 1).read_to_end(&mut bytes)
        })
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
    Catalogue::from_file(bytes, limits, &Secrets::default())
        .map_err(|error| cannot(error.to_string()))
}
