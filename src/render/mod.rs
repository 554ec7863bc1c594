//! Words: one report in, one format out.
//!
//! Pure. Whether to colour and how wide a line is are arguments. Outside text reaches the result only through
//! [`escape`], and never at the start of a line.

pub mod cap;
mod closing;
mod count;
mod definition;
mod edits;
mod entries;
pub mod escape;
#[cfg(test)]
mod fabricate;
mod finding;
mod github;
mod gitlab;
pub mod group;
mod heading;
pub mod heard;
mod hints;
mod html;
mod hunks;
mod json;
mod junit;
mod markdown;
mod marks;
mod markup;
mod paint;
mod place;
mod rest;
mod rows;
mod said;
mod sarif;
mod sentence;
mod shared;
mod sides;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod walk;
mod words;

pub use heading::still_due;
pub use table::table;
pub use walk::{Waiting, accepted, question, waiting};

use crate::model::Problem;
use crate::report::Report;

/// A format of reports: one variant, one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// For people at a terminal or in a log.
    Text,
    /// For programs (SPEC, section 10).
    Json,
    /// For a comment on a pull request, or the summary of a job.
    Markdown,
    /// For a browser: one page that needs nothing else.
    Html,
    /// For code scanning: SARIF 2.1.0.
    Sarif,
    /// For GitHub Actions: annotations.
    Github,
    /// For GitLab: a Code Quality report.
    Gitlab,
    /// For whatever shows test results: the XML of `JUnit`.
    Junit,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 8] = [
        Self::Text,
        Self::Json,
        Self::Markdown,
        Self::Html,
        Self::Sarif,
        Self::Github,
        Self::Gitlab,
        Self::Junit,
    ];

    /// The word for `--format`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::Sarif => "sarif",
            Self::Gitlab => "gitlab",
            Self::Junit => "junit",
            Self::Github => "github",
        }
    }

    /// What it is for, in a few words.
    pub const fn purpose(self) -> &'static str {
        match self {
            Self::Text => "For people",
            Self::Json => "One JSON document for programs",
            Self::Markdown => "For a comment on a pull request, or the summary of a job",
            Self::Html => "One page for a browser, with the history of each server",
            Self::Sarif => "SARIF 2.1.0, for code scanning",
            Self::Github => "Annotations for GitHub Actions",
            Self::Gitlab => "A Code Quality report for GitLab",
            Self::Junit => "JUnit's XML, for whatever shows test results",
        }
    }

    /// The format that a [`Format::word`] names.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.word() == word)
    }

    /// Whether it is kept as a file or sent on, so that nobody reads it where the program runs.
    pub const fn is_kept(self) -> bool {
        !matches!(self, Self::Text | Self::Json | Self::Github)
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

/// One sentence about the whole run, which agrees with its exit status.
pub fn summary(report: &Report, what: What) -> String {
    closing::summary(report, what)
}

/// What a report says beside what waits, in text: for what comes before [`waiting`].
pub fn preface(report: &Report, style: &Style) -> String {
    text::preface(report, style)
}

/// The end of a text report: the sentence about the whole and the commands that lead on.
pub fn closing(report: &Report, style: &Style) -> String {
    text::end(report, style)
}

/// A JSON document of another kind than a report, as safe to look at as that one.
pub fn document(value: &serde_json::Value) -> String {
    json::document(value)
}

/// The same on one line, for one of many documents.
pub fn document_line(value: &serde_json::Value) -> String {
    json::line(value)
}

/// The JSON report as a part of another document.
pub fn report_value(report: &Report) -> serde_json::Value {
    json::value(report)
}

/// A problem as a part of a JSON document.
pub fn problem_value(problem: &Problem) -> serde_json::Value {
    json::problem(problem)
}

/// The report in a format, with a line feed at its end.
pub fn report(report: &Report, format: Format, style: &Style) -> String {
    match format {
        Format::Text => text::report(report, style),
        Format::Json => json::report(report),
        Format::Markdown => markdown::report(report, style),
        Format::Html => html::report(report, style),
        Format::Sarif => sarif::report(report),
        Format::Github => github::report(report, style.what),
        Format::Gitlab => gitlab::report(report),
        Format::Junit => junit::report(report, style.what),
    }
}
