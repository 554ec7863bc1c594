//! The page: what stands in it, and that it asks for nothing and runs nothing.

use super::super::fabricate::server;
use super::super::{Format, Style, report as rendered};
use super::{Material, described, drift, report_of};
use crate::model::{ItemKey, Kind};
use crate::pair::Event;
use crate::report::{Happening, Moment, Report, Step};
use base64::Engine as _;
use insta::assert_snapshot;
use sha2::{Digest as _, Sha256};
use std::time::Duration;

fn page(report: &Report) -> String {
    rendered(report, Format::Html, &Style::default())
}

/// What stands between two texts of a page.
fn between<'a>(page: &'a str, start: &str, end: &str) -> &'a str {
    let from = page.find(start).unwrap_or_else(|| panic!("no {start}")) + start.len();
    let to = page[from..].find(end).unwrap_or_else(|| panic!("no {end}"));
    &page[from..from + to]
}

fn past() -> Vec<Moment> {
    let step = Step {
        id: "0123456789ab".into(),
        key: ItemKey::new(Kind::Tool, "find_note"),
        event: Event::Changed,
        level: Material,
        rules: vec!["description-changed".into()],
    };
    let watched = |announced, delay: Option<u64>| Happening::Changed {
        steps: vec![step.clone()],
        new: Vec::new(),
        announced,
        delay: delay.map(Duration::from_millis),
    };
    let happenings = [
        ("2026-01-02", Happening::Accepted),
        ("2026-01-02T03:04:05Z", Happening::FirstSight(3)),
        (
            "2026-01-03T03:04:05Z",
            Happening::Changed {
                steps: vec![step.clone()],
                new: vec![ItemKey::new(Kind::Tool, "new")],
                announced: None,
                delay: None,
            },
        ),
        ("2026-01-03T03:05:05Z", watched(Some(true), Some(140))),
        ("2026-01-03T03:06:05Z", watched(Some(false), Some(30_000))),
        ("2026-01-03T03:07:05Z", watched(None, Some(61_000))),
        (
            "2026-01-04T03:04:05Z",
            Happening::Acknowledged {
                step,
                by: "Ada <ada@example.invalid>".into(),
                note: "fine".into(),
            },
        ),
        (
            "2026-01-05T03:04:05Z",
            Happening::Unreachable("no answer to `initialize` after 30 s".into()),
        ),
    ];
    happenings
        .map(|(at, what)| Moment {
            at: at.into(),
            what,
        })
        .to_vec()
}

#[test]
fn a_server_stands_with_its_edits_its_warnings_and_its_past() {
    let mut report = drift();
    report.servers[1].timeline = past();
    let page = page(&report);
    assert_snapshot!(between(&page, "<body>\n", "</body>"));
}

#[test]
fn the_page_asks_for_nothing_and_runs_nothing() {
    let page = page(&drift());
    let lower = page.to_lowercase();
    for word in [
        "<script",
        "javascript:",
        "<link",
        "<img",
        "<iframe",
        "url(",
        "@import",
        "src=",
        "http:",
        "https:",
        " style=",
    ] {
        assert!(!lower.contains(word), "{word}");
    }
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\"");
    let style = between(&page, "<style>", "</style>");
    let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(style));
    assert_eq!(
        policy,
        format!(
            "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'"
        )
    );
}

#[test]
fn each_server_and_each_level_that_there_is_can_be_hidden() {
    let servers = vec![
        server("a", 1, vec![]),
        server("b", 0, vec![described("t", "One.", "Two.")]),
    ];
    let page = page(&report_of(servers));
    let style = between(&page, "<style>", "</style>");
    for (box_id, rule) in [
        ("f0", "body:has(#f0:not(:checked)) #s0 "),
        ("f1", "body:has(#f1:not(:checked)) #s1 "),
        (
            "show-material",
            "body:has(#show-material:not(:checked)) .entry.material",
        ),
        (
            "show-quiet",
            "body:has(#show-quiet:not(:checked)) .server.quiet ",
        ),
    ] {
        assert!(
            page.contains(&format!(
                "<input type=\"checkbox\" id=\"{box_id}\" checked=\"checked\" />"
            )),
            "{box_id}"
        );
        assert!(style.contains(rule), "{rule}");
    }
    assert!(!page.contains("id=\"show-minor\""), "there is none");
    assert!(
        page.contains("id=\"s0\"") && page.contains("<details class=\"entry material\" open=\"\">")
    );
}

#[test]
fn a_long_past_is_cut_and_counted() {
    let mut report = drift();
    report.servers[1].timeline = (0..900)
        .map(|i| Moment {
            at: format!("{i:03}"),
            what: Happening::Reachable,
        })
        .collect();
    let page = page(&report);
    assert!(page.contains("<summary>History: 900 events</summary>"));
    assert!(
        page.contains("<time>899</time>")
            && page.contains("<time>700</time>")
            && !page.contains("<time>699</time>")
    );
    assert!(page.contains("700 older events left out"), "{page}");
}
