//! The report for people: per server what waits first, each with its reasons and both sides, then one sentence
//! about the whole and the commands that lead on.

use super::entries;
use super::escape::{name, short};
use super::paint::{Ink, Paint};
use super::said::{self, Room};
use super::{Style, What, closing, heading, hints};
use crate::model::{Level, Problem, Warning};
use crate::parallel;
use crate::report::{Change, Report, ServerReport};

/// Columns where the terminal does not say.
const WIDTH: usize = 80;

/// The whole report, in text.
pub(super) fn report(report: &Report, style: &Style) -> String {
    let mut page = Page::new(style);
    for server in &report.servers {
        if style.quiet {
            page.waiting(server);
        } else {
            page.server(server);
        }
    }
    page.warnings(0, &report.warnings);
    if let Some(error) = &report.error {
        page.problem(0, error);
    }
    if style.quiet {
        return page.out;
    }
    page.gap();
    page.closing(report);
    page.out
}

/// What is known beside what waits: per server its heading, what kept it from being checked, its warnings, and what was
/// acknowledged where that is asked for.
pub(super) fn preface(report: &Report, style: &Style) -> String {
    let mut page = Page::new(style);
    for server in &report.servers {
        page.server_head(server);
        let (first, rest) = server.warnings_by_place();
        page.warnings(2, first);
        page.in_history = false;
        for change in &server.changes {
            if change.acknowledged.is_some() {
                page.acknowledged(server, change);
            }
        }
        page.warnings(2, rest);
    }
    page.warnings(0, &report.warnings);
    page.out
}

/// The sentence about the whole and the commands that lead on.
pub(super) fn end(report: &Report, style: &Style) -> String {
    let mut page = Page::new(style);
    page.closing(report);
    page.out
}

/// By what a style shows what a text is.
pub(super) fn paint_of(style: &Style) -> Paint {
    if style.color {
        Paint::Terminal
    } else {
        Paint::Plain
    }
}

/// How wide what is indented so far may be.
pub(super) fn room(style: &Style, indent: usize) -> Room {
    Room {
        columns: style.width.unwrap_or(WIDTH).saturating_sub(indent),
        breaks: style.width.is_some(),
    }
}

/// One problem with its way out, in text.
pub(super) fn problem(problem: &Problem) -> String {
    let style = Style::default();
    let mut page = Page::new(&style);
    page.problem(0, problem);
    page.out
}

/// What was odd on the way to the servers, a line each.
pub(super) fn notes(report: &Report) -> String {
    let of = |server: &ServerReport| {
        let server_name = name(server.name.as_str());
        let line = move |note: &Warning| {
            format!(
                "warning: {server_name}: {}  {}\n",
                note.rule,
                short(&note.message)
            )
        };
        server.notes.iter().map(line).collect::<Vec<_>>()
    };
    report.servers.iter().flat_map(of).collect()
}

struct Page<'a> {
    style: &'a Style,
    paint: Paint,
    out: String,
    /// Whether the lines before are acknowledged changes of the same server.
    in_history: bool,
}

impl<'a> Page<'a> {
    fn new(style: &'a Style) -> Self {
        Self {
            style,
            paint: paint_of(style),
            out: String::new(),
            in_history: false,
        }
    }

    fn line(&mut self, indent: usize, text: &str) {
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// An empty line between parts, never two and never the first.
    fn gap(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// What waits of a server, what was recorded of it and what kept it from being checked, and nothing else.
    fn waiting(&mut self, server: &ServerReport) {
        let is_quiet = server.error.is_none()
            && server.recorded.is_none()
            && server.due.is_empty()
            && !server.changes.iter().any(Change::waits);
        if is_quiet {
            return;
        }
        self.line(0, &heading::of_server(server, self.style.what));
        if let Some(error) = &server.error {
            self.problem(2, error);
        }
        for due in &server.due {
            self.line(0, &heading::of_due(server, due));
        }
        for change in server.changes.iter().filter(|change| change.waits()) {
            self.head(change.level(), &heading::of_change(server, change));
        }
    }

    fn server_head(&mut self, server: &ServerReport) {
        let heading = heading::of_server(server, self.style.what);
        self.line(0, &self.paint.of(Ink::Head, &heading));
        if let Some(error) = &server.error {
            self.problem(2, error);
        }
    }

    fn server(&mut self, server: &ServerReport) {
        self.server_head(server);
        let (first, rest) = server.warnings_by_place();
        self.warnings(2, first);
        let before = self.out.len();
        self.changes(server);
        self.records(server);
        let has_changes = self.out.len() > before;
        if has_changes && !(rest.is_empty() && server.due.is_empty()) {
            self.gap();
        }
        self.due(server);
        self.warnings(2, rest);
        if has_changes {
            self.gap();
        }
    }

    fn warnings<'w>(&mut self, indent: usize, warnings: impl IntoIterator<Item = &'w Warning>) {
        if self.style.quiet {
            return;
        }
        for warning in warnings {
            for line in said::warning(warning, self.room(indent)) {
                self.line(indent, &self.paint.of(Ink::Warning, &line));
            }
            for line in said::quoted(warning) {
                self.line(indent, &line);
            }
        }
    }

    fn room(&self, indent: usize) -> Room {
        room(self.style, indent)
    }

    fn closing(&mut self, report: &Report) {
        let summary = closing::summary(report, self.style.what);
        self.line(0, &self.paint.of(Ink::Head, &summary));
        if let Some(base) = &report.base {
            self.line(0, &closing::judged_by(base));
        }
        for hint in hints::hints(report, self.style) {
            self.line(0, &format!("hint: {hint}"));
        }
    }

    /// What nobody acknowledged, the highest level first; then what somebody did.
    fn changes(&mut self, server: &ServerReport) {
        self.in_history = false;
        let (room, paint) = (self.room(2), self.paint);
        let entries = entries::open(server);
        let bodies = parallel::map(&entries, |entry| entry.body(server, room, paint));
        for (entry, body) in entries.iter().zip(bodies) {
            self.head(entry.level(), &entry.head(server));
            for line in body {
                self.line(2, &line);
            }
        }
        for change in server
            .changes
            .iter()
            .filter(|change| change.acknowledged.is_some())
        {
            self.acknowledged(server, change);
        }
    }

    fn head(&mut self, level: Level, text: &str) {
        if !self.style.quiet {
            self.gap();
        }
        let ink = if level == Level::Material {
            Ink::Warning
        } else {
            Ink::Faint
        };
        let level = self.paint.of(ink, &format!("{level:8}"));
        self.line(0, &format!("{level}  {}", self.paint.of(Ink::Head, text)));
    }

    /// History: a line each, in full where that was asked for.
    fn acknowledged(&mut self, server: &ServerReport, change: &Change) {
        let full = self.style.verbose > 0 || self.style.what == (What::Review { all: true });
        if !full && matches!(self.style.what, What::Review { .. }) {
            return;
        }
        if full || !self.in_history {
            self.gap();
        }
        self.in_history = true;
        self.line(
            0,
            &format!("acknowledged  {}", heading::of_change(server, change)),
        );
        for line in said::records(change) {
            self.line(2, &line);
        }
        if full {
            for line in entries::body(change, None, self.room(2), self.paint) {
                self.line(2, &line);
            }
        }
    }

    /// Why a review of the whole is due, a line each.
    fn due(&mut self, server: &ServerReport) {
        let head = if server.due_fails {
            "due: review"
        } else {
            "warning: review-due"
        };
        for due in &server.due {
            let message = format!("{}; {}", due.message, heading::way_out(server));
            for line in said::said(head, &message, self.room(2)) {
                self.line(2, &self.paint.of(Ink::Warning, &line));
            }
        }
    }

    /// The records of a branch that no acknowledged change shows, a line each.
    fn records(&mut self, server: &ServerReport) {
        let untold = heading::untold(server);
        if !untold.is_empty() {
            self.gap();
        }
        for line in untold {
            self.line(0, &line);
        }
    }

    fn problem(&mut self, indent: usize, problem: &Problem) {
        for (i, line) in said::problem(problem).iter().enumerate() {
            if i == 0 {
                self.line(indent, &self.paint.of(Ink::Error, line));
            } else {
                self.line(indent, line);
            }
        }
    }
}
