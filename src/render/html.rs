//! The report as one page for a browser: both sides of each edit beside each other, filters, the past of each server.
//!
//! It asks for nothing else and runs nothing: there is no script in it, filters are style alone, and the policy at its
//! head forbids whatever could be smuggled in. It is written so that a reader of XML takes it too. No time of making is
//! in it, so that two pages of an unchanged world are the same.

mod diff;
mod server;
mod timeline;

use super::count::number;
use super::escape::name;
use super::markup::text;
use super::{Style, closing, entries, hints};
use crate::model::Level;
use crate::report::{Report, ServerReport};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

const STYLE: &str = include_str!("html/page.css");

/// Where there are more edits, none is unfolded.
const OPEN: usize = 40;

/// The whole page.
pub(super) fn report(report: &Report, style: &Style) -> String {
    let summary = closing::summary(report, style.what);
    let sheet = sheet(report.servers.len());
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{}'; \
         base-uri 'none'; form-action 'none'\" />\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n\
         <meta name=\"referrer\" content=\"no-referrer\" />\n\
         <title>countersign: {summary}</title>\n<style>{sheet}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#servers\">To the servers</a>\n\
         <header>\n<h1>countersign</h1>\n<p class=\"summary\">{summary}</p>\n</header>\n",
        BASE64.encode(Sha256::digest(&sheet))
    );
    out += &filters(report);
    out.push_str("<main id=\"servers\">\n");
    out += &of_run(report);
    let count: usize = report.servers.iter().map(|s| entries::open(s).len()).sum();
    for (i, server) in report.servers.iter().enumerate() {
        out += &server::section(i, server, style, count <= OPEN);
    }
    out += &way_on(report, style);
    out + "</main>\n</body>\n</html>\n"
}

/// The style, with a rule for each server that its filter hides.
fn sheet(servers: usize) -> String {
    let mut out = format!("\n{STYLE}");
    for i in 0..servers {
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "body:has(#f{i}:not(:checked)) #s{i} {{ display: none; }}"
        );
    }
    out
}

/// What concerns no server alone.
fn of_run(report: &Report) -> String {
    let error = report.error.iter().map(server::problem).collect::<String>();
    let inside = error + &server::warnings(&report.warnings, false);
    if inside.is_empty() {
        return inside;
    }
    format!("<section class=\"run\">\n<h2>The run as a whole</h2>\n{inside}</section>\n")
}

fn filters(report: &Report) -> String {
    let servers = || report.servers.iter();
    let open = || servers().flat_map(entries::open);
    let of = |level| open().filter(|entry| entry.level() == level).count();
    let changes = || servers().flat_map(|server| &server.changes);
    let acknowledged = changes().filter(|c| c.acknowledged.is_some()).count();
    let warnings = servers().filter(|s| !s.warnings.is_empty() || !s.notes.is_empty());
    let warnings = warnings.count() + usize::from(!report.warnings.is_empty());
    let choices: Vec<String> = [
        ("material", "material edits", of(Level::Material)),
        ("minor", "minor edits", of(Level::Minor)),
        ("acknowledged", "acknowledged changes", acknowledged),
        ("warnings", "lists of warnings", warnings),
        (
            "history",
            "histories",
            servers().filter(|s| !s.timeline.is_empty()).count(),
        ),
        (
            "quiet",
            "servers without a change",
            servers().filter(|s| server::is_quiet(s)).count(),
        ),
    ]
    .into_iter()
    .filter(|(.., count)| *count > 0)
    .map(|(id, words, count)| {
        choice(
            &format!("show-{id}"),
            &format!("{words} ({})", number(count)),
        )
    })
    .collect();
    let mut out = String::new();
    if !choices.is_empty() {
        out += &group("Show", &choices);
    }
    if report.servers.len() > 1 {
        let server = |(i, server): (usize, &ServerReport)| {
            let name = format!("<bdi>{}</bdi>", text(&name(server.name.as_str())));
            choice(&format!("f{i}"), &name)
        };
        let choices: Vec<String> = servers().enumerate().map(server).collect();
        out += &group("Servers", &choices);
    }
    if out.is_empty() {
        return out;
    }
    format!("<div class=\"filters\">\n{out}</div>\n")
}

fn group(legend: &str, choices: &[String]) -> String {
    format!(
        "<fieldset><legend>{legend}</legend><div class=\"choices\">\n{}</div></fieldset>\n",
        choices.concat()
    )
}

/// `words` are markup.
fn choice(id: &str, words: &str) -> String {
    format!(
        "<label><input type=\"checkbox\" id=\"{id}\" checked=\"checked\" /> <span>{words}</span></label>\n"
    )
}

/// The commands that lead on.
fn way_on(report: &Report, style: &Style) -> String {
    let hints = hints::hints(report, style);
    if hints.is_empty() {
        return String::new();
    }
    format!(
        "<section class=\"next\">\n<h2>To go on</h2>\n<pre>{}</pre>\n</section>\n",
        text(&hints.join("\n"))
    )
}
