//! The past of a server as a list, the newest first.

use crate::model::ItemKey;
use crate::render::count::counted;
use crate::render::escape::{name, short};
use crate::render::heard;
use crate::render::markup::text;
use crate::report::{Happening, Moment, Step};

/// So many moments are shown; older ones are counted.
const MOMENTS: usize = 200;
/// So many items of one moment are named.
const ITEMS: usize = 50;

/// The timeline; nothing where nothing is known.
pub(super) fn timeline(moments: &[Moment]) -> String {
    if moments.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "<details class=\"timeline\"><summary>History: {}</summary>\n<ul class=\"moments\">\n",
        counted(moments.len(), "event")
    );
    for moment in moments.iter().rev().take(MOMENTS) {
        let at = text(&short(&moment.at));
        let (class, what) = happened(&moment.what);
        out.extend([
            "<li class=\"",
            class,
            "\"><time>",
            &at,
            "</time>",
            &what,
            "</li>\n",
        ]);
    }
    if moments.len() > MOMENTS {
        let more = counted(moments.len() - MOMENTS, "older event");
        out.extend(["<li>", &more, " left out</li>\n"]);
    }
    out + "</ul></details>\n"
}

/// What happened, in markup, and what kind of thing it is.
fn happened(what: &Happening) -> (&'static str, String) {
    match what {
        Happening::Accepted => ("accepted", "taken into the lockfile".to_owned()),
        Happening::FirstSight(items) => {
            let items = counted(*items, "item");
            ("seen", format!("first seen on this machine, with {items}"))
        }
        Happening::Changed {
            steps,
            new,
            announced,
            delay,
        } => {
            let heard = heard::recorded(*announced, *delay);
            ("changed", changed(steps, new, heard.as_deref()))
        }
        Happening::Unreachable(message) => (
            "unreachable",
            format!("could not be asked: {}", text(&short(message))),
        ),
        Happening::Reachable => ("seen", "answered again".to_owned()),
        Happening::Enabled => ("seen", "enabled again".to_owned()),
        Happening::Disabled => ("disabled", "disabled by its configuration".to_owned()),
        Happening::Flagged { reason, note } => (
            "changed",
            format!(
                "flagged for a full review: {}{}",
                text(&short(reason)),
                noted(note)
            ),
        ),
        Happening::Acknowledged { step: of, by, note } => (
            "accepted",
            format!(
                "{}, acknowledged by {}{}",
                step(of),
                text(&short(by)),
                noted(note)
            ),
        ),
        Happening::Reviewed { by, note } => (
            "accepted",
            format!("reviewed by {}{}", text(&short(by)), noted(note)),
        ),
    }
}

fn changed(steps: &[Step], new: &[ItemKey], heard: Option<&str>) -> String {
    let new = new.iter().map(|key| format!("{} added", item(key)));
    let lines: Vec<String> = steps.iter().map(step).chain(new).collect();
    let count = lines.len();
    let mut out = String::from(match count {
        0 => "nothing that counts changed",
        1 => "1 item changed",
        _ => "",
    });
    if count > 1 {
        out = format!("{} changed", counted(count, "item"));
    }
    if let Some(heard) = heard {
        out.extend([" <span class=\"faint\">", heard, "</span>"]);
    }
    if count > 0 {
        out.push_str("<ul>");
        for line in lines.iter().take(ITEMS) {
            out.extend(["<li>", line, "</li>"]);
        }
        if count > ITEMS {
            out.extend(["<li>", &counted(count - ITEMS, "more item"), "</li>"]);
        }
        out.push_str("</ul>");
    }
    out
}

fn step(step: &Step) -> String {
    let rules: Vec<String> = step.rules.iter().map(|rule| text(&short(rule))).collect();
    format!(
        "<span class=\"level {0}\">{0}</span> {1} {2} <span class=\"faint\">{3}</span>",
        step.level,
        item(&step.key),
        step.event.word(),
        rules.join(", ")
    )
}

fn item(key: &ItemKey) -> String {
    let name = text(&name(key.name.as_str()));
    format!("{} <code>{name}</code>", key.kind.word())
}

fn noted(note: &str) -> String {
    if note.is_empty() {
        String::new()
    } else {
        format!(": {}", text(&short(note)))
    }
}
