//! One server of the page: what waits first, each edit to be unfolded, then warnings and history.

use super::diff::table;
use super::timeline::timeline;
use crate::model::{Level, Warning};
use crate::render::count::counted;
use crate::render::entries::{self, Entry};
use crate::render::escape::{name, short};
use crate::render::markup::text;
use crate::render::paint::Paint;
use crate::render::said;
use crate::render::shared::{self, Untold};
use crate::render::sides::Sides;
use crate::render::{Style, heading};
use crate::report::{Change, Outcome, ServerReport};
use crate::rules::Reason;

/// The section of a server; `index` tells it from the others, `open` whether material edits are unfolded.
pub(super) fn section(index: usize, server: &ServerReport, style: &Style, open: bool) -> String {
    let outcome = match server.outcome() {
        Outcome::Clean => "clean",
        Outcome::Disabled => "disabled",
        Outcome::Unknown => "unknown",
        Outcome::Drift => "drift",
    };
    let quiet = if is_quiet(server) { " quiet" } else { "" };
    let mut out = format!(
        "<section class=\"server {outcome}{quiet}\" id=\"s{index}\">\n<div class=\"title\"><h2><bdi>{}</bdi></h2> \
         <span class=\"badge\">{outcome}</span> <span class=\"faint\">{}</span></div>\n",
        text(&name(server.name.as_str())),
        heading::counts(server, style.what)
    );
    if let Some(error) = &server.error {
        out += &problem(error);
    }
    let (first, rest) = server.warnings_by_place();
    out += &warnings(first, true);
    let due = server.due.iter().map(|due| heading::of_due(server, due));
    out += &listed(
        "a review is due",
        &due.collect::<Vec<_>>(),
        server.due_fails,
    );
    for entry in entries::open(server) {
        out += &self::entry(&entry, server, open);
    }
    let changes = server.changes.iter();
    for change in changes.filter(|change| change.acknowledged.is_some()) {
        out += &acknowledged(change);
    }
    out += &warnings(
        rest.into_iter().chain(&server.notes),
        server.recorded.is_some(),
    );
    out += &listed("records of this branch", &heading::untold(server), false);
    out += &timeline(&server.timeline);
    out + "</section>\n"
}

/// Whether there is nothing to see but that it was checked.
pub(super) fn is_quiet(server: &ServerReport) -> bool {
    server.error.is_none()
        && server.changes.is_empty()
        && server.warnings.is_empty()
        && server.due.is_empty()
        && server.records.is_empty()
        && server.recorded.is_none()
}

/// Sentences to unfold; they are escaped for a line already.
fn listed(what: &str, lines: &[String], open: bool) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let open = if open { " open=\"\"" } else { "" };
    let lines = lines
        .iter()
        .map(|line| format!("<li>{}</li>\n", text(line)));
    format!(
        "<details class=\"warnings\"{open}><summary><span class=\"level warning\">{what}</span></summary>\n<ul class=\"list\">\n{}</ul></details>\n",
        lines.collect::<String>()
    )
}

/// A problem with its way out.
pub(super) fn problem(error: &crate::model::Problem) -> String {
    let lines = text(&said::problem(error).join("\n"));
    format!("<pre class=\"problem\">{lines}</pre>\n")
}

fn entry(entry: &Entry<'_>, server: &ServerReport, open: bool) -> String {
    let level = entry.level();
    let (head, body) = match entry {
        Entry::Change(change, untold) => (headline(change), self::change(change, untold.as_ref())),
        Entry::Group(group) => {
            let items = shared::items(group);
            let kind = items
                .first()
                .map_or("item", |c| server.changes[*c].key.kind.word());
            let head = format!(
                "<code>{}</code> <span class=\"faint\">{} on {}</span>",
                text(&short(&group.place)),
                text(&short(group.event)),
                counted(items.len(), kind)
            );
            let why = format!(
                "<ul class=\"reasons\"><li>{}</li></ul>\n",
                reason(level, &group.rules.join(", "), "", &group.message)
            );
            let edits = shared::edits(group, server, Paint::Markup);
            let edits = edits.iter().map(|edit| {
                let names = edit.names.iter();
                let names: Vec<String> = names
                    .map(|name| format!("<code>{}</code>", text(name)))
                    .collect();
                let of = if edit.is_example {
                    "the same edit, shown of the first, "
                } else {
                    ""
                };
                let names = format!("<p>{of}on {}</p>\n", names.join(", "));
                table(&edit.diff) + &notes(&edit.below) + &names
            });
            let edits: String = edits.collect();
            let calls = items.iter().map(|item| {
                let change = &server.changes[*item];
                held(change, Some(name(change.key.name.as_str())))
            });
            (head, why + &edits + &calls.collect::<String>())
        }
    };
    let open = if open && level == Level::Material {
        " open=\"\""
    } else {
        ""
    };
    format!(
        "<details class=\"entry {level}\"{open}><summary><span class=\"level {level}\">{level}</span> {head}</summary>\n\
         {body}</details>\n"
    )
}

/// Which item, what happened to it, and the id of that.
fn headline(change: &Change) -> String {
    let former = match &change.former {
        Some(former) => format!(" from <code>{}</code>", text(&name(former.name.as_str()))),
        None => String::new(),
    };
    format!(
        "{} <code><b>{}</b></code> {}{former} <code class=\"faint\">{}</code>",
        change.key.kind.word(),
        text(&name(change.key.name.as_str())),
        change.event.word(),
        text(&change.id)
    )
}

/// The reasons of a change and both of its sides, or what is left of them.
fn change(change: &Change, untold: Option<&Untold<'_>>) -> String {
    let mut out = String::from("<ul class=\"reasons\">\n");
    for Reason {
        rule,
        level,
        path,
        message,
        ..
    } in entries::reasons(change, untold)
    {
        out.extend([
            "<li>",
            &reason(*level, rule, path.as_str(), message),
            "</li>\n",
        ]);
    }
    out.push_str("</ul>\n");
    for told in entries::told(change, untold) {
        out.extend(["<p>", &text(&told), "</p>\n"]);
    }
    let Sides { above, diff, below } = entries::sides(change, untold, Paint::Markup);
    for line in above {
        out.extend(["<p class=\"digests\"><code>", &text(&line), "</code></p>\n"]);
    }
    out + &table(&diff) + &notes(&below) + &held(change, None)
}

/// The calls of an item that a guard holds, with the commands that let them through.
fn held(change: &Change, item: Option<String>) -> String {
    let lines = entries::held(change, item, Paint::Plain);
    let lines = lines.iter().map(|line| {
        format!(
            "<li><code>{}</code></li>\n",
            text(line.trim_start_matches("| "))
        )
    });
    match lines.collect::<String>() {
        lines if lines.is_empty() => lines,
        lines => format!("<ul class=\"list\">\n{lines}</ul>\n"),
    }
}

fn reason(level: Level, rule: &str, path: &str, message: &str) -> String {
    let path = match path {
        "" => String::new(),
        path => format!(" <code class=\"faint\">{}</code>", text(&short(path))),
    };
    format!(
        "<span class=\"level {level}\">{level}</span> <b>{}</b>{path} {}",
        text(rule),
        text(&short(message))
    )
}

/// Lines that are escaped for a reader, not for markup.
fn notes(lines: &[String]) -> String {
    let notes = lines
        .iter()
        .map(|line| format!("<p class=\"note\">{}</p>\n", text(line)));
    notes.collect()
}

fn acknowledged(change: &Change) -> String {
    let records = said::records(change).into_iter();
    let records = records.map(|line| format!("<li>{}</li>\n", text(&line)));
    format!(
        "<details class=\"entry acknowledged\"><summary><span class=\"level acknowledged\">acknowledged</span> \
         {}</summary>\n<ul class=\"list\">\n{}</ul>\n{}</details>\n",
        headline(change),
        records.collect::<String>(),
        self::change(change, None)
    )
}

/// Warnings, with what they say is to be read.
pub(super) fn warnings<'a>(warnings: impl IntoIterator<Item = &'a Warning>, open: bool) -> String {
    let warnings: Vec<&Warning> = warnings.into_iter().collect();
    if warnings.is_empty() {
        return String::new();
    }
    let open = if open { " open=\"\"" } else { "" };
    let mut out = format!(
        "<details class=\"warnings\"{open}><summary><span class=\"level warning\">{}</span></summary>\n<ul class=\"list\">\n",
        counted(warnings.len(), "warning")
    );
    for warning in warnings {
        let path = match warning.path.as_str() {
            path if path.is_empty() || warning.message.contains(&format!("`{path}`")) => {
                String::new()
            }
            path => format!(" <code class=\"faint\">{}</code>", text(&short(path))),
        };
        let (rule, message) = (text(warning.rule), text(&short(&warning.message)));
        out.extend(["<li><b>", &rule, "</b>", &path, " ", &message]);
        let lines = said::quoted(warning);
        if !lines.is_empty() {
            out.extend(["<pre>", &text(&lines.join("\n")), "</pre>"]);
        }
        out.push_str("</li>\n");
    }
    out + "</ul></details>\n"
}
