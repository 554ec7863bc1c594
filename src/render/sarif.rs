//! SARIF 2.1.0, for code scanning: one run, one result for each finding, every rule with what it means.
//!
//! What is acknowledged is left out rather than suppressed: not every reader heeds suppressions, and it would stand
//! there as open.

use super::escape::short;
use super::finding::{Finding, NOT_CHECKED, Weight, file, findings};
use super::json::document;
use crate::model::Level;
use crate::report::Report;
use crate::rules::{self, RULES, Rule};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";

/// How many results there may be: GitHub refuses a run with more.
const MOST: usize = 25_000;

/// The whole log, in JSON.
pub(super) fn report(report: &Report) -> String {
    let findings = findings(report);
    let rules = descriptors(&findings);
    let left_out = findings.len().saturating_sub(MOST);
    let results = findings
        .iter()
        .take(MOST)
        .map(|finding| result(finding, report, &rules));
    let results: Vec<Value> = results.collect();
    let rules: Vec<&Value> = rules.iter().map(|(_, rule)| rule).collect();
    document(&json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "countersign",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "invocations": [{
                "executionSuccessful": is_whole(report),
                "exitCode": report.status(),
                "toolExecutionNotifications": notifications(report, left_out),
            }],
            "results": results,
        }],
    }))
}

/// Whether everything could be checked.
fn is_whole(report: &Report) -> bool {
    report.error.is_none() && report.servers.iter().all(|server| server.error.is_none())
}

/// What was met on the way: errors, and what was odd about configurations and talks.
fn notifications(report: &Report, left_out: usize) -> Vec<Value> {
    let notification = |level: &str, text: &str| json!({"level": level, "message": message(text)});
    let mut out = Vec::new();
    if left_out > 0 {
        let text = format!("{left_out} results were left out: a run holds {MOST}");
        out.push(notification("error", &text));
    }
    out.extend(
        report
            .error
            .iter()
            .map(|e| notification("error", &short(&e.message))),
    );
    for server in &report.servers {
        let errors = server.error.iter();
        out.extend(errors.map(|error| notification("error", &short(&error.message))));
        let notes = server.notes.iter();
        out.extend(notes.map(|note| notification("note", &short(&note.message))));
    }
    out
}

fn result(finding: &Finding, report: &Report, rules: &[(&str, Value)]) -> Value {
    let mut location = json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(file(report)), "uriBaseId": "%SRCROOT%" },
        // Code scanning asks for a line; what the file does not hold belongs to its beginning.
        "region": { "startLine": finding.line.unwrap_or(1) },
    } });
    if !finding.subject.is_empty() {
        location["logicalLocations"] = json!([{ "fullyQualifiedName": finding.subject }]);
    }
    let mut properties = json!({});
    if let Some(change) = &finding.change {
        properties["change"] = json!(change);
    }
    if !finding.pointer.is_empty() {
        properties["pointer"] = json!(finding.pointer);
    }
    json!({
        "ruleId": finding.rule,
        "ruleIndex": rules.iter().position(|(id, _)| *id == finding.rule),
        "level": level(finding.weight),
        "message": message(&finding.text),
        "locations": [location],
        // The second is the one that GitHub goes by. It computes it from the line where it is missing, and then what
        // was dismissed for one change of a tool would cover the next.
        "partialFingerprints": {
            "countersign/v1": finding.fingerprint,
            "primaryLocationLineHash": format!("{}:1", finding.fingerprint),
        },
        "properties": properties,
    })
}

fn level(weight: Weight) -> &'static str {
    match weight {
        Weight::Unknown | Weight::Material => "error",
        Weight::Warning => "warning",
        Weight::Minor => "note",
    }
}

/// Every rule of ours, what could not be checked, and the warnings that there are.
fn descriptors(findings: &[Finding]) -> Vec<(&'static str, Value)> {
    let mut out: Vec<(&str, Value)> = RULES
        .iter()
        .map(|rule| (rule.id, described(rule)))
        .collect();
    let others: BTreeSet<&str> = findings
        .iter()
        .filter(|finding| finding.weight == Weight::Warning)
        .map(|finding| finding.rule)
        .filter(|id| rules::rule(id).is_none())
        .collect();
    out.push((
        NOT_CHECKED,
        descriptor(NOT_CHECKED, Weight::Unknown, UNKNOWN),
    ));
    out.extend(others.into_iter().map(|id| {
        let text = format!(
            "{} This is a warning: it never blocks.",
            sentence(&id.replace('-', " "))
        );
        (id, descriptor(id, Weight::Warning, &text))
    }));
    out
}

const UNKNOWN: &str =
    "Something could not be checked. What changed there is unknown: it is neither clean nor gone.";

/// A rule about which there is one text.
fn descriptor(id: &str, weight: Weight, text: &str) -> Value {
    json!({
        "id": id,
        "shortDescription": { "text": text },
        "fullDescription": { "text": text },
        "help": { "text": text, "markdown": text },
        "defaultConfiguration": { "level": level(weight) },
        "properties": { "tags": ["mcp", "security"] },
    })
}

fn described(rule: &Rule) -> Value {
    let (title, why) = (sentence(rule.title), sentence(rule.why));
    let mut text = format!("{title} {why}");
    let mut markdown = text.clone();
    if let Some(example) = rules::example(rule.id) {
        let (says, diff) = (sentence(example.says), example.diff.trim_end());
        text.extend(["\n\nFor example: ", &says, "\n\n", diff]);
        markdown.extend(["\n\nFor example: ", &says, "\n\n```diff\n", diff, "\n```"]);
    }
    json!({
        "id": rule.id,
        "shortDescription": { "text": title },
        "fullDescription": { "text": format!("{title} {why}") },
        "help": { "text": text, "markdown": markdown },
        "defaultConfiguration": { "level": match rule.level {
            Level::Material => level(Weight::Material),
            Level::Minor => level(Weight::Minor),
        } },
        "properties": { "tags": ["mcp", "security"] },
    })
}

/// Words of ours as a sentence.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let mut out: String = first.chain(letters).collect();
    out.push('.');
    out
}

/// A message that is no link, and asks for no argument: `[words](where)` and `{0}` would, and a brace that is meant
/// stands twice (sections 3.11.5 and 3.11.6).
fn message(text: &str) -> Value {
    let text = text.replace("](", r"]\u{28}");
    json!({ "text": text.replace('{', "{{").replace('}', "}}") })
}

/// A relative path as a reference: what is not plain is encoded.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}
