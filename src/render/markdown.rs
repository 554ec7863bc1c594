//! The report in GitHub's Markdown, for a comment on a pull request and the summary of a job: a sentence, then what
//! waits, each edit to be unfolded.
//!
//! Outside text stands in fences longer than any inside, in code spans, or escaped in `<code>`: nowhere else, so that
//! it makes no link, mention, heading or tag. Bounded by what a comment may hold; what is left out is counted.

mod fit;

use super::count::{counted, ends, number};
use super::escape::name;
use super::paint::Paint;
use super::said::{self, Room};
use super::{Style, closing, entries, heading, hints, markup};
use crate::model::{Level, Problem, Warning};
use crate::report::{Report, ServerReport};
use fit::{Fold, Rank, Section};

/// How many bytes there may be. GitHub takes 65,536 characters in a comment, and 1 MiB in the summary of a job; what is
/// left of that is for what a workflow puts around it.
pub(super) const BYTES: usize = 61_440;

/// A fence does not wrap: sentences are broken for a usual window.
const ROOM: Room = Room {
    columns: 100,
    breaks: true,
};

/// Material edits of at most so many lines are unfolded.
const OPEN: usize = 40;
/// How many servers without anything to show are named.
const NAMED: usize = 20;
/// How much of a name or of an edit's first line stands outside a fence, in bytes.
const SHORT: usize = 200;
/// Longer commands are not offered.
const COMMAND: usize = 1_000;

/// The whole report, in Markdown.
pub(super) fn report(report: &Report, style: &Style) -> String {
    let title = format!(
        "### countersign: {}\n",
        closing::summary(report, style.what)
    );
    let mut sections = vec![of_run(report)];
    sections.extend(report.servers.iter().map(|server| section(server, style)));
    let plain: Vec<&ServerReport> = report
        .servers
        .iter()
        .zip(&sections[1..])
        .filter(|(_, section)| section.folds.is_empty())
        .map(|(server, _)| server)
        .collect();
    let end = unremarkable(&plain, style) + &way_on(report, style);
    let body = fit::within(BYTES - title.len() - end.len(), sections);
    title + &body + &end
}

/// What concerns no server alone.
fn of_run(report: &Report) -> Section {
    let error = report.error.iter();
    let error = error.map(|error| problem("not everything was checked", error));
    Section {
        heading: String::new(),
        folds: error.chain(warnings(&report.warnings)).collect(),
    }
}

fn section(server: &ServerReport, style: &Style) -> Section {
    let mut folds = Vec::new();
    if let Some(error) = &server.error {
        folds.push(problem("could not be checked", error));
    }
    let (first, rest) = server.warnings_by_place();
    folds.extend(warnings(first).map(|fold| Fold {
        rank: Rank::Errors,
        open: true,
        ..fold
    }));
    for entry in entries::open(server) {
        let lines = entry.body(server, ROOM, Paint::Plain);
        let level = entry.level();
        let head = markup::text(&ends(&entry.head(server), SHORT));
        folds.push(Fold {
            rank: match level {
                Level::Material => Rank::Material,
                Level::Minor => Rank::Minor,
            },
            open: level == Level::Material && lines.len() <= OPEN,
            summary: format!("<b>{level}</b> <code>{head}</code>"),
            lines,
        });
    }
    folds.extend(due(server));
    folds.extend(warnings(rest.into_iter().chain(&server.notes)));
    folds.extend(acknowledged(server));
    folds.extend(records(server));
    Section {
        heading: format!("\n#### {}\n", headline(server, style)),
        folds,
    }
}

fn headline(server: &ServerReport, style: &Style) -> String {
    let counts = heading::counts(server, style.what);
    let shown = ends(&name(server.name.as_str()), SHORT);
    format!("server {}: {counts}", code(&shown))
}

fn problem(what: &str, problem: &Problem) -> Fold {
    Fold {
        rank: Rank::Errors,
        open: true,
        summary: format!("<b>error</b> {what}"),
        lines: said::problem(problem),
    }
}

fn warnings<'a>(warnings: impl IntoIterator<Item = &'a Warning>) -> Option<Fold> {
    let warnings: Vec<&Warning> = warnings.into_iter().collect();
    let lines = warnings.iter().flat_map(|warning| {
        let mut lines = said::warning(warning, ROOM);
        lines.extend(said::quoted(warning));
        lines
    });
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| Fold {
        rank: Rank::Warnings,
        open: false,
        summary: counted(warnings.len(), "warning"),
        lines,
    })
}

/// Why a review of the whole is due.
fn due(server: &ServerReport) -> Option<Fold> {
    let lines = server.due.iter().map(|due| heading::of_due(server, due));
    let mut lines: Vec<String> = lines.collect();
    lines.extend((!lines.is_empty()).then(|| heading::way_out(server)));
    (!lines.is_empty()).then(|| Fold {
        rank: if server.due_fails {
            Rank::Material
        } else {
            Rank::Warnings
        },
        open: server.due_fails,
        summary: "a review is due".to_owned(),
        lines,
    })
}

/// The records that are new in a branch.
fn records(server: &ServerReport) -> Option<Fold> {
    let lines = heading::untold(server);
    (!lines.is_empty()).then(|| Fold {
        rank: Rank::Acknowledged,
        open: false,
        summary: format!("{} of this branch", counted(lines.len(), "record")),
        lines,
    })
}

fn acknowledged(server: &ServerReport) -> Option<Fold> {
    let changes = server.changes.iter();
    let done: Vec<_> = changes.filter(|c| c.acknowledged.is_some()).collect();
    let lines = done.iter().flat_map(|change| {
        let mut lines = vec![heading::of_change(server, change)];
        lines.extend(said::records(change));
        lines
    });
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| Fold {
        rank: Rank::Acknowledged,
        open: false,
        summary: format!("{} acknowledged", number(done.len())),
        lines,
    })
}

/// Servers of which there is nothing to unfold.
fn unremarkable(servers: &[&ServerReport], style: &Style) -> String {
    let mut lines: Vec<String> = servers
        .iter()
        .take(NAMED)
        .map(|server| format!("- {}\n", headline(server, style)))
        .collect();
    if servers.len() > NAMED {
        let more = counted(servers.len() - NAMED, "server");
        lines.push(format!("- {more} more, with nothing to show\n"));
    }
    if lines.is_empty() {
        String::new()
    } else {
        format!("\n{}", lines.concat())
    }
}

/// The commands that lead on.
fn way_on(report: &Report, style: &Style) -> String {
    let mut hints = hints::hints(report, style);
    hints.retain(|hint| hint.len() <= COMMAND);
    if hints.is_empty() {
        String::new()
    } else {
        format!("\nTo go on:\n\n{}", fit::fenced("sh", &hints))
    }
}

/// A code span that nothing in it can end.
fn code(escaped: &str) -> String {
    let text = fit::calm(escaped);
    let ticks = "`".repeat(fit::longest_run(&text) + 1);
    // A tick at an edge would lengthen the fence, and a blank at both edges is taken off.
    if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) {
        format!("{ticks} {text} {ticks}")
    } else {
        format!("{ticks}{text}{ticks}")
    }
}
