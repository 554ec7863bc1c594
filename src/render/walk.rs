//! A report entry by entry, for somebody who decides about each: what stands before the first one, each entry with its
//! place among them, and its definitions whole.
//!
//! The entries are those of a printed report. Every line is escaped, and none is begun by outside text.

use super::definition;
use super::entries::{self, Entry};
use super::escape::{line, name, short};
use super::paint::Ink;
use super::said::said;
use super::text::{paint_of, room};
use super::{Style, heading, shared};
use crate::catalogue::{Catalogue, Definition};
use crate::model::Level;
use crate::report::{Change, Report, ServerReport};
use std::collections::BTreeSet;

/// One thing to be decided.
pub struct Waiting<'a> {
    /// The server that it is about, by its index in the report.
    pub server: usize,
    report: &'a ServerReport,
    /// `None` where the server as a whole is due for a review.
    entry: Option<Entry<'a>>,
}

/// Everything that nobody acknowledged, by server, the highest level first, and last that a server as a whole is due for
/// a review. The groups of the servers must be there.
pub fn waiting(report: &Report) -> Vec<Waiting<'_>> {
    let servers = report.servers.iter().enumerate();
    let of = |(server, report)| {
        let entries = entries::open(report).into_iter().map(Some);
        let review = (!report.due.is_empty()).then_some(None);
        entries.chain(review).map(move |entry| Waiting {
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
            None => BTreeSet::new(),
            Some(Entry::Group(group)) => shared::items(group),
            Some(Entry::Change(change, _)) => {
                let mut changes = self.report.changes.iter();
                let at = changes.position(|other| std::ptr::eq(other, *change));
                at.into_iter().collect()
            }
        }
    }

    /// Whether it is the server as a whole that is due for a review.
    pub fn is_review(&self) -> bool {
        self.entry.is_none()
    }

    /// The entry as a printed report has it, behind its place such as `[2/5]`.
    pub fn show(&self, place: &str, style: &Style) -> String {
        let paint = paint_of(style);
        let Some(entry) = &self.entry else {
            return self.show_review(place, style);
        };
        let level = entry.level();
        let ink = match level {
            Level::Material => Ink::Warning,
            Level::Minor => Ink::Faint,
        };
        let head = paint.of(Ink::Head, &entry.head(self.report));
        let mut out = format!("{place} {}  {head}\n", paint.of(ink, &level.to_string()));
        for line in entry.body(self.report, room(style, 2), paint) {
            out.extend(["  ", &line, "\n"]);
        }
        out
    }

    fn show_review(&self, place: &str, style: &Style) -> String {
        let paint = paint_of(style);
        let server = format!("server {}", name(self.report.name.as_str()));
        let mut out = format!(
            "{place} {}  {}\n",
            paint.of(Ink::Warning, "due"),
            paint.of(Ink::Head, &server)
        );
        for due in &self.report.due {
            for line in said(due.signal, &due.message, room(style, 2)) {
                out.extend(["  ", &line, "\n"]);
            }
        }
        out + "  | to acknowledge it says that the whole was reviewed; w shows all of it as it is accepted\n"
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
        for line in definition_lines(&side.definition) {
            out.extend(["    ", &line, "\n"]);
        }
    }
    out
}

/// Everything that a lockfile holds of a server, for whoever reviews the whole.
pub fn accepted(server: &str, catalogue: &Catalogue) -> String {
    let mut out = String::new();
    for (key, item) in &catalogue.items {
        let (server, item_name) = (name(server), name(key.name.as_str()));
        let (kind, digest) = (key.kind.word(), short(&item.digest.to_string()));
        out.extend([kind, " ", &server, "/", &item_name, "\n"]);
        out.extend(["  accepted ", &digest, "\n"]);
        for line in definition_lines(&item.definition) {
            out.extend(["    ", &line, "\n"]);
        }
    }
    out
}

fn definition_lines(definition: &Definition) -> Vec<String> {
    match definition {
        Definition::Canonical(_) => {
            let value = definition.glance();
            let lines = definition::lines(&value, None).into_iter();
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
