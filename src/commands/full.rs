//! `--full DIR`: both sides of each change, whole, as files to look at with other programs.

use super::world::World;
use crate::canonical::to_pretty;
use crate::catalogue::Definition;
use crate::model::Problem;
use crate::report::{Change, Report, Side};
use crate::store::atomic;
use std::path::Path;

/// The longest part of a file name that stems from outside, in characters.
const NAME: usize = 40;

/// Writes `ITEM-ID.before.json` and `ITEM-ID.after.json` for every change of a report.
pub(super) fn write(
    world: &World,
    directory: Option<&Path>,
    report: &Report,
) -> Result<(), Problem> {
    let Some(directory) = directory else {
        return Ok(());
    };
    let directory = world.cwd.join(directory);
    atomic::create_folder(&directory)?;
    for change in report.servers.iter().flat_map(|server| &server.changes) {
        for (side, word) in [(&change.before, "before"), (&change.after, "after")] {
            if let Some(side) = side {
                atomic::write(&directory.join(file_name(change, word)), &text(side))?;
            }
        }
    }
    Ok(())
}

/// Letters and digits of the item's name, so that no server chooses where a file goes; the id keeps two apart.
fn file_name(change: &Change, side: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' {
            c
        } else {
            '-'
        }
    };
    let name: String = change
        .key
        .name
        .as_str()
        .chars()
        .take(NAME)
        .map(plain)
        .collect();
    format!("{name}-{}.{side}.json", change.id)
}

fn text(side: &Side) -> Vec<u8> {
    match &*side.definition {
        Definition::Canonical(canonical) => (to_pretty(canonical.value()) + "\n").into_bytes(),
        Definition::Raw { bytes, .. } => bytes.clone(),
    }
}
