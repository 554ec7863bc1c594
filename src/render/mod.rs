//! Words: one report in, one format out.
//!
//! Pure. Whether to colour and how wide a line is are arguments. Outside text reaches the result only through
//! [`escape`], and never at the start of a line.

pub mod cap;
mod closing;
mod count;
mod definition;
mod edits;
pub mod escape;
#[cfg(test)]
mod fabricate;
mod github;
pub mod group;
mod heading;
mod hints;
mod hunks;
mod json;
mod marks;
mod paint;
mod place;
mod rest;
mod rows;
mod sentence;
mod shared;
mod sides;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod words;

pub use table::table;

use crate::model::Problem;
use crate::report::Report;

/// A format of reports: one variant, one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// For people at a terminal or in a log.
    Text,
    /// For programs (SPEC, section 10).
    Json,
    /// For GitHub Actions: annotations.
    Github,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::Text, Self::Json, Self::Github];

    /// The word for `--format`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Github => "github",
        }
    }
}

/// What a report is for: it decides the summary and the commands at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum What {
    /// Servers were compared with the lockfile.
    #[default]
    Diff,
    /// Two files were compared: nothing to acknowledge.
    Files,
    /// Snapshots were stored.
    Snapshot,
    /// What waits, offline.
    Review {
        /// With the acknowledged changes in full.
        all: bool,
    },
}

/// How a report is to look.
#[derive(Debug, Clone, Default)]
pub struct Style {
    /// Whether colours may be used.
    pub color: bool,
    /// How many columns a line has, where that is known.
    pub width: Option<usize>,
    /// Only what waits, a line each, and the summary.
    pub quiet: bool,
    /// 1 or more: acknowledged changes in full too.
    pub verbose: u8,
    /// What the report is for.
    pub what: What,
    /// The lockfile, for the commands at the end, where it is not the default one.
    pub lock: Option<String>,
    /// The lockfile as a reader finds it from here.
    pub lockfile: String,
    /// The configurations that were named, for the commands at the end.
    pub configs: Vec<String>,
    /// Whether flags of the command line named the one server.
    pub by_flags: bool,
}

/// A problem and its way out, for stderr.
pub fn problem(problem: &Problem) -> String {
    text::problem(problem)
}

/// What was odd on the way to the servers, a line each, for stderr.
pub fn notes(report: &Report) -> String {
    text::notes(report)
}

/// A JSON document of another kind than a report, as safe to look at as that one.
pub fn document(value: &serde_json::Value) -> String {
    json::document(value)
}

/// The report in a format, with a line feed at its end.
pub fn report(report: &Report, format: Format, style: &Style) -> String {
    match format {
        Format::Text => text::report(report, style),
        Format::Json => json::report(report),
        Format::Github => github::report(report, style.what),
    }
}
