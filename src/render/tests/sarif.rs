//! SARIF: what comes first, what is left out, and what two findings never share.

use super::super::fabricate::server;
use super::super::{Format, Style, report as rendered};
use super::{described, drift, report_of};
use crate::model::Warning;
use crate::report::Report;
use serde_json::Value;
use std::collections::BTreeSet;

fn run(report: &Report) -> Value {
    let log = rendered(report, Format::Sarif, &Style::default());
    let mut log: Value = serde_json::from_str(&log).expect("JSON");
    log["runs"][0].take()
}

fn members<'a>(run: &'a Value, pointer: &str) -> Vec<&'a str> {
    let results = run["results"].as_array().expect("results").iter();
    let texts = results.map(|result| result.pointer(pointer).and_then(Value::as_str));
    texts.map(|text| text.expect("a text")).collect()
}

#[test]
fn what_matters_comes_first_and_what_is_acknowledged_is_none() {
    let run = run(&drift());
    let rules = [
        "not-checked",
        "launch-changed",
        "description-changed",
        "description-changed",
        "floating-version",
        "schema-edited",
    ];
    assert_eq!(members(&run, "/ruleId"), rules);
    let levels = ["error", "error", "error", "error", "warning", "note"];
    assert_eq!(members(&run, "/level"), levels);
}

#[test]
fn a_run_holds_as_many_results_as_code_scanning_takes_and_says_what_is_left_out() {
    let mut notes = server("notes", 0, vec![described("find", "One.", "Two.")]);
    notes.warnings = vec![Warning::new("stray", "the same words"); 25_009];
    let run = run(&report_of(vec![notes]));
    let prints = members(&run, "/partialFingerprints/countersign~1v1");
    assert_eq!(prints.len(), 25_000);
    assert_eq!(prints.iter().collect::<BTreeSet<_>>().len(), 25_000);
    assert_eq!(members(&run, "/ruleId")[0], "description-changed");
    let told = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert_eq!(told, "10 results were left out: a run holds 25000");
}
