//! The XML of `JUnit`, which nearly every CI system reads: a suite for each server, a test that it could be checked, and a
//! failed test for each item that waits.
//!
//! A server that could not be checked is an error: neither passed nor failed.

use super::What;
use super::escape::{name, short};
use super::markup;
use super::paint::Paint;
use super::said::{self, Room};
use super::{entries, heading};
use crate::model::{Level, Problem};
use crate::report::{Change, Outcome, Report, ServerReport};

/// Sentences stand whole, as in a log.
const ROOM: Room = Room {
    columns: 100,
    breaks: false,
};

/// The whole report, in XML.
pub(super) fn report(report: &Report, what: What) -> String {
    let mut suites: Vec<Suite> = Vec::new();
    if report.error.is_some() || !report.warnings.is_empty() {
        suites.push(of_run(report));
    }
    suites.extend(report.servers.iter().map(|server| of_server(server, what)));
    let mut total = Counts::default();
    for suite in &suites {
        total.add(&suite.counts);
    }
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out += &tag("testsuites", "countersign", &total);
    for Suite {
        name,
        counts,
        cases,
    } in &suites
    {
        out.extend([
            "  ",
            &tag("testsuite", name, counts),
            cases,
            "  </testsuite>\n",
        ]);
    }
    out + "</testsuites>\n"
}

#[derive(Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.tests += other.tests;
        self.failures += other.failures;
        self.errors += other.errors;
        self.skipped += other.skipped;
    }
}

struct Suite {
    /// Escaped.
    name: String,
    counts: Counts,
    /// XML.
    cases: String,
}

impl Suite {
    fn new(name: String) -> Self {
        Self {
            name,
            counts: Counts::default(),
            cases: String::new(),
        }
    }

    /// Adds a test with what it holds; `name` is escaped, `inside` is XML.
    fn case(&mut self, name: &str, inside: &str) {
        self.counts.tests += 1;
        let (class, name) = (markup::text(&self.name), markup::text(name));
        let head = format!("    <testcase classname=\"{class}\" name=\"{name}\"");
        if inside.is_empty() {
            self.cases.extend([&head, "/>\n"]);
        } else {
            self.cases
                .extend([&head, ">\n", inside, "    </testcase>\n"]);
        }
    }
}

fn of_run(report: &Report) -> Suite {
    let mut suite = Suite::new("countersign".to_owned());
    let mut inside = String::new();
    if let Some(error) = &report.error {
        suite.counts.errors += 1;
        inside += &unknown(error);
    }
    let warnings = report.warnings.iter().flat_map(|w| said::warning(w, ROOM));
    inside += &printed(&warnings.collect::<Vec<_>>());
    suite.case("everything is checked", &inside);
    suite
}

fn of_server(server: &ServerReport, what: What) -> Suite {
    let mut suite = Suite::new(name(server.name.as_str()));
    let mut inside = String::new();
    if let Some(error) = &server.error {
        suite.counts.errors += 1;
        inside += &unknown(error);
    } else if server.outcome() == Outcome::Disabled {
        suite.counts.skipped += 1;
        inside += "      <skipped message=\"its configuration disables it\"/>\n";
    }
    let mut lines = vec![heading::of_server(server, what)];
    let (first, rest) = server.warnings_by_place();
    lines.extend(first.into_iter().flat_map(|w| said::warning(w, ROOM)));
    let minor = |change: &&Change| change.acknowledged.is_none() && change.level() == Level::Minor;
    for change in server.changes.iter().filter(minor) {
        lines.push(format!("minor  {}", heading::of_change(server, change)));
    }
    for warning in rest.into_iter().chain(&server.notes) {
        lines.extend(said::warning(warning, ROOM));
    }
    lines.extend(heading::untold(server));
    let due = server.due.iter().map(|due| heading::of_due(server, due));
    let due: Vec<String> = due.collect();
    if !server.due_fails {
        lines.extend(due.iter().cloned());
    }
    inside += &printed(&lines);
    suite.case("it is checked", &inside);
    if server.review_waits() {
        suite.counts.failures += 1;
        let way_out = heading::way_out(server);
        let inside = element("failure", "due", &way_out, &due);
        suite.case("a review of the whole", &inside);
    }
    for change in server.changes.iter().filter(|change| change.waits()) {
        suite.counts.failures += 1;
        let item = format!(
            "{} {}",
            change.key.kind.word(),
            name(change.key.name.as_str())
        );
        suite.case(&item, &failure(server, change));
    }
    suite
}

fn unknown(problem: &Problem) -> String {
    let lines = said::problem(problem);
    element("error", problem.kind, &short(&problem.message), &lines)
}

fn failure(server: &ServerReport, change: &Change) -> String {
    let material = change
        .reasons
        .iter()
        .find(|reason| reason.level == Level::Material);
    let rule = material.map_or("", |reason| reason.rule);
    let lines = entries::body(change, None, ROOM, Paint::Plain);
    element("failure", rule, &heading::of_change(server, change), &lines)
}

/// An element with a message, and with lines as its text.
fn element(element: &str, kind: &str, message: &str, lines: &[String]) -> String {
    let (kind, message) = (markup::text(kind), markup::text(message));
    let lines = markup::text(&lines.join("\n"));
    format!("      <{element} type=\"{kind}\" message=\"{message}\">{lines}</{element}>\n")
}

fn printed(lines: &[String]) -> String {
    if lines.is_empty() {
        String::new()
    } else {
        let lines = markup::text(&lines.join("\n"));
        format!("      <system-out>{lines}</system-out>\n")
    }
}

fn tag(element: &str, name: &str, counts: &Counts) -> String {
    let Counts {
        tests,
        failures,
        errors,
        skipped,
    } = counts;
    let name = markup::text(name);
    format!(
        "<{element} name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\">\n"
    )
}
