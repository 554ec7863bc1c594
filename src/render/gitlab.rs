//! A Code Quality report for GitLab: a flat list, shown in the widget of a merge request and beside the lines of the
//! lockfile.

use super::escape::line;
use super::finding::{Finding, Weight, file, findings};
use super::json::document;
use crate::report::Report;
use serde_json::{Value, json};

/// The whole list, in JSON.
pub(super) fn report(report: &Report) -> String {
    let path = line(file(report));
    let entries = findings(report)
        .into_iter()
        .map(|finding| entry(&finding, &path));
    document(&Value::Array(entries.collect()))
}

fn entry(finding: &Finding, path: &str) -> Value {
    let severity = match finding.weight {
        Weight::Unknown => "critical",
        Weight::Material => "major",
        Weight::Warning => "minor",
        Weight::Minor => "info",
    };
    json!({
        "description": finding.text,
        "check_name": finding.rule,
        "fingerprint": finding.fingerprint,
        "severity": severity,
        // A line is asked for; what the file does not hold belongs to its beginning.
        "location": { "path": path, "lines": { "begin": finding.line.unwrap_or(1) } },
    })
}
