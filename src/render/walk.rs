//! A report entry by entry, for somebody who decides about each: what stands before the first one, each entry with its
//! place among them, and its definitions whole.
//!
//! The entries are those of a printed report. Every line is escaped, and none is begun by outside text.

use super::definition;
use super::entries::{self, Entry};
use super::escape::line;
use super::paint::Ink;
use super::text::{paint_of, room};
use super::{Style, heading, shared};
use crate::catalogue::Definition;
use crate::model::Level;
use crate::report::{Change, Report, ServerReport, Side};
use std::collections::BTreeSet;

/// One thing to be decided.
pub struct Waiting<'a> {
    /// The server that it is about, by its index in the report.
    pub server: usize,
    report: &'a ServerReport,
    entry: Entry<'a>,
}

/// Everything that nobody acknowledged, by server, the highest level first. The groups of the servers must be there.
pub fn waiting(report: &Report) -> Vec<Waiting<'_>> {
    let servers = report.servers.iter().enumerate();
    let of = |(server, report)| {
        let entries = entries::open(report).into_iter();
        entries.map(move |entry| Waiting {
            server,
            report,
            entry,
        })
    };
    servers.flat_map(of).collect()
}

impl Waiting<'_> {
    /// The changes that it touches, by their index in the server's report.
    pub fn changes(&self) -> BTreeSet<usize> {
        match &self.entry {
            Entry::Group(group) => shared::items(group),
            Entry::Change(change, _) => {
                let mut changes = self.report.changes.iter();
                let at = changes.position(|other| std::ptr::eq(other, *change));
                at.into_iter().collect()
            }
        }
    }

    /// The entry as a printed report has it, behind its place such as `[2/5]`.
    pub fn show(&self, place: &str, style: &Style) -> String {
        let paint = paint_of(style);
        let level = self.entry.level();
        let ink = match level {
            Level::Material => Ink::Warning,
            Level::Minor => Ink::Faint,
        };
        let head = paint.of(Ink::Head, &self.entry.head(self.report));
        let mut out = format!("{place} {}  {head}\n", paint.of(ink, &level.to_string()));
        for line in self.entry.body(self.report, room(style, 2), paint) {
            out.extend(["  ", &line, "\n"]);
        }
        out
    }

    /// Both sides of each of its changes, with nothing left out.
    pub fn whole(&self) -> String {
        let mut out = String::new();
        for change in self.changes() {
            out += &whole(self.report, &self.report.changes[change]);
        }
        out
    }
}

fn whole(server: &ServerReport, change: &Change) -> String {
    let mut out = heading::of_change(server, change) + "\n";
    for (word, side) in [("before", &change.before), ("after", &change.after)] {
        let Some(side) = side else {
            out.extend(["  ", word, ": nothing\n"]);
            continue;
        };
        out.extend(["  ", word, " ", &side.digest.to_string(), "\n"]);
        for line in definition_lines(side) {
            out.extend(["    ", &line, "\n"]);
        }
    }
    out
}

fn definition_lines(side: &Side) -> Vec<String> {
    match &*side.definition {
        Definition::Canonical(value) => {
            let lines = definition::lines(value, None).into_iter();
            lines.map(|line| line.text).collect()
        }
        // What has no canonical form is shown as it was sent.
        Definition::Raw { bytes, .. } => {
            let text = String::from_utf8_lossy(bytes);
            text.split('\n')
                .map(|part| format!("| {}", line(part)))
                .collect()
        }
    }
}

/// A question of ours in bold, where colours may be used.
pub fn question(text: &str, style: &Style) -> String {
    paint_of(style).of(Ink::Head, text)
}
