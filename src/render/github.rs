//! Annotations for GitHub Actions: one workflow command a line for what waits, what failed and what is worth
//! knowing, then the summary.
//!
//! Outside text stands only in the data of a command, escaped and encoded, so that it can neither end its line nor
//! begin a command of its own.

use super::What;
use super::closing;
use super::escape::{self, name, short};
use super::heading;
use crate::model::{Level, Problem, Warning};
use crate::report::{Change, Report, ServerReport};

/// How many held calls of one item are told.
const HELD: usize = 5;

/// All annotations, in the order of the report.
pub(super) fn report(report: &Report, what: What) -> String {
    let file = report.file.as_deref();
    let servers = report.servers.iter();
    let mut lines: Vec<String> = servers.flat_map(|s| server(s, file)).collect();
    lines.extend(
        report
            .error
            .iter()
            .map(|error| command("error", &error.message, "", of_problem(file, error))),
    );
    lines.extend(
        report
            .warnings
            .iter()
            .map(|warning| command("warning", &warning.message, "", None)),
    );
    lines.push(closing::summary(report, what));
    lines.extend(report.base.as_ref().map(closing::judged_by));
    lines.join("\n") + "\n"
}

fn server(server: &ServerReport, file: Option<&str>) -> Vec<String> {
    let shown = name(server.name.as_str());
    let mut lines = Vec::new();
    let place = |line: Option<usize>| Some((file?, line?));
    if let Some(error) = &server.error {
        lines.push(command(
            "error",
            &error.message,
            &format!("{shown} could not be checked"),
            place(server.line),
        ));
    }
    let warning = |warning: &Warning| {
        let title = format!("{shown}: {}", warning.rule);
        command("warning", &warning.message, &title, place(server.line))
    };
    let (first, rest) = server.warnings_by_place();
    lines.extend(first.into_iter().map(warning));
    for change in &server.changes {
        if change.acknowledged.is_none() {
            lines.push(annotation(&shown, change, place(change.line)));
            lines.extend(held(&shown, change, place(change.line)));
        }
    }
    for due in &server.due {
        let level = if server.due_fails { "error" } else { "warning" };
        let message = format!("{}; {}", due.message, heading::way_out(server));
        lines.push(command(
            level,
            &message,
            &format!("{shown}: review due"),
            place(server.line),
        ));
    }
    for record in &server.records {
        let title = match &record.key {
            Some(key) => {
                let item = name(key.name.as_str());
                format!("{} {shown}/{item} acknowledged", key.kind.word())
            }
            None => format!("{shown} reviewed"),
        };
        let by = &record.by;
        let said = format!("by {} at {}: {}", by.by, by.at, by.note);
        lines.push(command("notice", &said, &title, place(server.line)));
    }
    lines.extend(rest.into_iter().chain(&server.notes).map(warning));
    lines
}

/// The line that a failure of the whole run is about.
fn of_problem<'a>(file: Option<&'a str>, problem: &Problem) -> At<'a> {
    let (_, line) = problem.place.as_ref()?;
    Some((file?, *line))
}

/// A file and one of its lines.
type At<'a> = Option<(&'a str, usize)>;

fn annotation(server: &str, change: &Change, at: At<'_>) -> String {
    let level = match change.level() {
        Level::Material if change.marked => "warning",
        Level::Material => "error",
        Level::Minor => "notice",
    };
    let item = name(change.key.name.as_str());
    let title = format!(
        "{} {server}/{item} {}",
        change.key.kind.word(),
        change.event.word()
    );
    let reasons: Vec<String> = change
        .reasons
        .iter()
        .map(|reason| format!("{} {}: {}", reason.level, reason.rule, reason.message))
        .collect();
    command(
        level,
        &format!("[{}] {}", change.id, reasons.join("; ")),
        &title,
        at,
    )
}

/// The calls of a changed item that a guard holds, as one annotation.
fn held(server: &str, change: &Change, at: At<'_>) -> Option<String> {
    let calls: Vec<String> = change
        .held
        .iter()
        .take(HELD)
        .map(|call| {
            let (id, by) = (&call.id, &call.asked_by);
            format!(
                "countersign approve {id} (asked for by {by} on {})",
                call.last
            )
        })
        .collect();
    let more = change.held.len().saturating_sub(HELD);
    let more = if more > 0 {
        format!("; {more} more: countersign approve")
    } else {
        String::new()
    };
    let item = name(change.key.name.as_str());
    let title = format!("{} {server}/{item}: held calls", change.key.kind.word());
    let message = format!("{}{more}", calls.join("; "));
    (!calls.is_empty()).then(|| command("warning", &message, &title, at))
}

/// One workflow command. `message` is raw; `title` is escaped, and may be empty.
fn command(level: &str, message: &str, title: &str, at: At<'_>) -> String {
    let message = encode(&short(message)).replace("::", r":\u{3A}");
    let mut properties = Vec::new();
    if let Some((file, line)) = at {
        properties.push(format!("file={}", property(&escape::line(file))));
        properties.push(format!("line={line}"));
    }
    if !title.is_empty() {
        properties.push(format!("title={}", property(title)));
    }
    let blank = if properties.is_empty() { "" } else { " " };
    format!("::{level}{blank}{}::{message}", properties.join(","))
}

/// The value of a property, which a colon or a comma would end.
fn property(escaped: &str) -> String {
    encode(escaped).replace(':', "%3A").replace(',', "%2C")
}

/// What the runner decodes again in the data of a command.
fn encode(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ServerName;

    #[test]
    fn outside_text_can_neither_end_its_line_nor_begin_a_command() {
        let hostile = "100%\n::set-output name=x::y\r\n##[error]z, a: b";
        let mut server = ServerReport::new(ServerName::new("a,b:c"));
        server.error = Some(Problem::new("start", hostile));
        server.line = Some(7);
        server.warnings.push(Warning::new("noise", hostile));
        let report = Report {
            servers: vec![server],
            file: Some("a,b/x:y.json".to_owned()),
            ..Report::default()
        };
        let text = super::report(&report, What::Diff);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(
            lines[0].starts_with(
                "::error file=a%2Cb/x%3Ay.json,line=7,title=a%2Cb%3Ac could not be checked::100%25"
            ),
            "{text}"
        );
        assert!(lines[1].starts_with("::warning file="), "{text}");
        for line in &lines[..2] {
            assert_eq!(line.matches("::").count(), 2, "{line}");
            assert!(!line.contains("##["), "{line}");
        }
    }
}
