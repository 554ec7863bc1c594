//! `--output FORMAT=FILE`: the same report in further formats, one file each, so that one check serves a log, a summary
//! and a code scanner.

use crate::cli::Kept;
use crate::model::Problem;
use crate::render::{self, Format, Style};
use crate::report::Report;
use crate::store::atomic;
use std::collections::BTreeSet;
use std::path::Path;

/// Every format that a run asks for.
pub(super) fn formats(first: Format, outputs: &[Kept]) -> BTreeSet<Format> {
    outputs
        .iter()
        .map(|kept| kept.format)
        .chain([first])
        .collect()
}

/// Writes each file whole, or not at all. All are tried; the first that could not be written is the answer.
pub(super) fn write(
    cwd: &Path,
    outputs: &[Kept],
    report: &Report,
    style: &Style,
) -> Result<(), Problem> {
    // What a terminal is told about the screen says nothing about a file.
    let style = Style {
        color: false,
        width: None,
        quiet: false,
        ..style.clone()
    };
    let written = outputs.iter().map(|kept| {
        let text = render::report(report, kept.format, &style);
        atomic::write(&cwd.join(&kept.file), text.as_bytes())
    });
    // Collected first: one that fails keeps no other from being written.
    let written: Vec<_> = written.collect();
    written.into_iter().collect::<Result<Vec<()>, _>>()?;
    Ok(())
}
