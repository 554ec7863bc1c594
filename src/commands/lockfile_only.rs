//! `diff --base REF|FILE --lockfile-only`: judges what a branch did to the lockfile. It reads no configuration, starts
//! nothing and writes nothing, so that it is safe on what strangers send.

use super::base::Found;
use super::branch::Branch;
use super::world::World;
use super::{Output, full, judge, reported};
use crate::cli;
use crate::lockfile::Lockfile;
use crate::model::{Problem, ServerName};
use crate::policy;
use crate::render::What;
use crate::report::{Base, Report, ServerReport};

pub(super) fn run(
    world: &World,
    args: &cli::Diff,
    found: Found,
    own: &Lockfile,
) -> Result<Output, Problem> {
    let branch = Branch {
        base: &found.lockfile,
        own,
    };
    let everything = judge::tool_names(&[], Some(own));
    let servers = chosen(own, &args.names)?
        .into_iter()
        .map(|name| branch.lockfile_alone(name, &everything));
    let servers: Vec<ServerReport> = servers.collect();
    let mut warnings = branch.warnings();
    warnings.extend(policy::lowered(&found.lockfile));
    warnings.extend(found.warning);
    let report = Report {
        servers,
        warnings,
        base: Some(Base {
            lockfile_only: true,
            ..found.base
        }),
        ..Report::default()
    };
    full::write(world, args.full.as_deref(), &report)?;
    Ok(reported(world, report, What::Diff))
}

fn chosen<'a>(own: &'a Lockfile, names: &[String]) -> Result<Vec<&'a ServerName>, Problem> {
    if own.servers.is_empty() {
        return Err(Problem::new("usage", "the lockfile holds no server yet")
            .with_hint("countersign snapshot"));
    }
    if names.is_empty() {
        return Ok(own.servers.keys().collect());
    }
    let held = |name: &String| {
        let found = own.servers.get_key_value(&ServerName::new(name.as_str()));
        found.map(|(name, _)| name).ok_or_else(|| {
            Problem::new("usage", format!("the lockfile holds no server `{name}`"))
                .with_hint("countersign diff --base REF --lockfile-only")
        })
    };
    names.iter().map(held).collect()
}
