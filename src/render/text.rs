//! The report for people: per server what waits first, each with its reasons and both sides, then one sentence
//! about the whole and the commands that lead on.

use super::count::counted;
use super::escape::{block, name, short};
use super::paint::{Ink, Paint};
use super::shared::{self, Shared, Untold};
use super::{Style, What};
use super::{cap, closing, heading, hints, sentence, sides};
use crate::model::{Level, Problem, Warning};
use crate::parallel;
use crate::report::{Change, Group, Report, ServerReport};
use std::cmp::Reverse;

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
        page.problem("", error);
    }
    if style.quiet {
        return page.out;
    }
    page.gap();
    let summary = closing::summary(report, style.what);
    page.line(0, &page.paint.of(Ink::Head, &summary));
    for hint in hints::hints(report, style) {
        page.line(0, &format!("hint: {hint}"));
    }
    page.out
}

/// One problem with its way out, in text.
pub(super) fn problem(problem: &Problem) -> String {
    let style = Style::default();
    let mut page = Page::new(&style);
    page.problem("", problem);
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
            paint: Paint { color: style.color },
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

    /// What waits of a server and what kept it from being checked, and nothing else.
    fn waiting(&mut self, server: &ServerReport) {
        if let Some(error) = &server.error {
            self.line(0, &heading::of_server(server, self.style.what));
            self.problem("  ", error);
        }
        for change in server.changes.iter().filter(|change| change.waits()) {
            self.head(change.level(), &heading::of_change(server, change));
        }
    }

    fn server(&mut self, server: &ServerReport) {
        let heading = heading::of_server(server, self.style.what);
        self.line(0, &self.paint.of(Ink::Head, &heading));
        if let Some(error) = &server.error {
            self.problem("  ", error);
        }
        let before = self.out.len();
        self.changes(server);
        let has_changes = self.out.len() > before;
        if has_changes && !server.warnings.is_empty() {
            self.gap();
        }
        self.warnings(2, &server.warnings);
        if has_changes {
            self.gap();
        }
    }

    fn warnings(&mut self, indent: usize, warnings: &[Warning]) {
        if self.style.quiet {
            return;
        }
        for warning in warnings {
            // Where it is named beside it, once is enough.
            let path = match warning.path.as_str() {
                path if path.is_empty() || path == warning.rule => String::new(),
                path if warning.message.contains(&format!("`{path}`")) => String::new(),
                path => format!("  {}", short(path)),
            };
            let head = format!("warning: {}{path}", warning.rule);
            for line in self.said(indent, &head, &warning.message) {
                self.line(indent, &self.paint.of(Ink::Warning, &line));
            }
            if let Some(text) = &warning.text {
                let (head, out, tail) = cap::ends(text, cap::BYTES);
                let mut lines = block(head);
                if out > 0 {
                    lines.push(format!("[{} left out]", counted(out, "character")));
                    lines.extend(block(tail));
                }
                for line in lines {
                    self.line(indent, format!("| {line}").trim_end());
                }
            }
        }
    }

    /// A sentence behind its head, as lines.
    fn said(&self, indent: usize, head: &str, message: &str) -> Vec<String> {
        let room = self.style.width.unwrap_or(WIDTH).saturating_sub(indent);
        sentence::lines(head, &short(message), room, self.style.width.is_some())
    }

    /// What nobody acknowledged, the highest level first; then what somebody did.
    fn changes(&mut self, server: &ServerReport) {
        self.in_history = false;
        let shared = Shared::of(server);
        let mut entries: Vec<(Reverse<Level>, usize, Entry<'_>)> = Vec::new();
        for group in &shared.groups {
            let first = shared::items(group).first().copied().unwrap_or(0);
            entries.push((Reverse(group.level), first, Entry::Group(group)));
        }
        for (c, change) in server.changes.iter().enumerate() {
            if change.acknowledged.is_none() && !shared.covered.contains(&c) {
                entries.push((Reverse(change.level()), c, Entry::Change(c, change)));
            }
        }
        entries.sort_by_key(|(level, first, _)| (*level, *first));
        let entries = parallel::map(&entries, |(Reverse(level), _, entry)| {
            let mut page = Page::new(self.style);
            match entry {
                Entry::Change(c, change) => page.change(server, change, shared.untold.get(c)),
                Entry::Group(group) => page.group(server, *level, group),
            }
            page.out
        });
        for entry in entries {
            self.gap();
            self.out.push_str(&entry);
        }
        for change in server
            .changes
            .iter()
            .filter(|change| change.acknowledged.is_some())
        {
            self.acknowledged(server, change);
        }
    }

    fn group(&mut self, server: &ServerReport, level: Level, group: &Group) {
        self.head(level, &shared::head(group, server));
        let width = self.style.width.unwrap_or(WIDTH).saturating_sub(2).max(20);
        let rules = format!("{level}  {}", group.rules.join(", "));
        for line in self.said(2, &rules, &group.message) {
            self.line(2, &line);
        }
        for line in shared::show(group, server, width, self.paint) {
            self.line(2, &line);
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

    fn change(&mut self, server: &ServerReport, change: &Change, untold: Option<&Untold<'_>>) {
        self.head(change.level(), &heading::of_change(server, change));
        self.body(change, untold);
    }

    /// The reasons and both sides of a change, or what is left of them.
    fn body(&mut self, change: &Change, untold: Option<&Untold<'_>>) {
        let mut reasons: Vec<_> = (change.reasons.iter().enumerate())
            .filter(|(r, _)| untold.is_none_or(|untold| untold.reasons.contains(r)))
            .collect();
        reasons.sort_by_key(|(_, reason)| Reverse(reason.level));
        for (_, reason) in reasons {
            let path = match reason.path.as_str() {
                "" => String::new(),
                path => format!("  {}", short(path)),
            };
            let head = format!("{}  {}{path}", reason.level, reason.rule);
            for line in self.said(2, &head, &reason.message) {
                self.line(2, &line);
            }
        }
        for group in untold.into_iter().flat_map(|untold| &untold.told) {
            self.line(2, &shared::told(group, change));
        }
        let left = untold.map(|untold| [&untold.before, &untold.after]);
        for line in sides::show(change, left, self.paint) {
            self.line(2, &line);
        }
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
        for record in change.acknowledged.iter().flatten() {
            let note = match record.note.as_str() {
                "" => String::new(),
                note => format!("  {}", short(note)),
            };
            self.line(
                2,
                &format!("by {}  {}{note}", short(&record.by), short(&record.at)),
            );
        }
        if full {
            self.body(change, None);
        }
    }

    fn problem(&mut self, indent: &str, problem: &Problem) {
        let mut lines = block(&problem.message).into_iter();
        let first = format!("error: {}", lines.next().unwrap_or_default());
        self.line(indent.len(), &self.paint.of(Ink::Error, &first));
        for line in lines {
            self.line(indent.len(), format!("| {line}").trim_end());
        }
        for hint in problem.hint.iter().flat_map(|hint| block(hint)) {
            self.line(indent.len(), &format!("hint: {hint}"));
        }
    }
}

enum Entry<'a> {
    Change(usize, &'a Change),
    Group(&'a Group),
}
