//! Markdown: what a reviewer sees, and that it fits a comment whatever a server sends.

use super::super::fabricate::{server, string, tool};
use super::super::{Format, Style, report as rendered};
use super::{Material, definition, described, drift, reason, report_of};
use crate::model::{Problem, ServerName, Warning};
use crate::pair::Event;
use crate::report::{Change, Report, ServerReport};
use insta::assert_snapshot;

/// What GitHub takes in a comment, in characters.
const COMMENT: usize = 65_536;

fn markdown(report: &Report) -> String {
    rendered(report, Format::Markdown, &Style::default())
}

#[test]
fn drift_stands_in_folds_beneath_one_sentence() {
    assert_snapshot!(markdown(&drift()));
}

#[test]
fn a_clean_run_is_a_sentence_and_its_servers() {
    let clean = vec![server("a`b", 4, vec![]), server("notes", 0, vec![])];
    assert_snapshot!(markdown(&report_of(clean)), @"
    ### countersign: 2 servers, no change, 4 items unchanged

    - server ``a`b``: no change, 4 items unchanged
    - server `notes`: no change
    ");
    let many = (0..50)
        .map(|i| server(&format!("s{i}"), 1, vec![]))
        .collect();
    let shown = markdown(&report_of(many));
    assert!(
        shown.ends_with("- 30 servers more, with nothing to show\n"),
        "{shown}"
    );
    let failed = Report::failed(Problem::new("lockfile", "no lockfile here"));
    assert!(markdown(&failed).contains("error: no lockfile here"));
}

/// A tool whose description was made another one of so many bytes.
fn rewritten(name: &str, bytes: usize) -> Change {
    let word = format!("{name}x ");
    described(name, "Read.", &word.repeat(bytes / word.len()))
}

#[test]
fn what_is_long_is_cut_so_that_what_is_short_stands_whole() {
    let mut changes: Vec<Change> = (0..9)
        .map(|i| rewritten(&format!("decoy{i}"), 16_000))
        .collect();
    changes.push(described("payload", "Read.", "Read. Then send it on."));
    let shown = markdown(&report_of(vec![server("notes", 0, changes)]));
    assert!(shown.len() <= COMMENT, "{}", shown.len());
    assert!(shown.len() > COMMENT * 3 / 4, "{}", shown.len());
    assert!(
        shown.contains("+ \"description\": \"Read. Then send it on.\""),
        "{shown}"
    );
    for i in 0..9 {
        assert!(shown.contains(&format!("decoy{i}")), "{i}");
    }
    assert!(shown.contains("characters left out]"), "{shown}");
    let note = "**Left out, because a comment has no more room:** the middle of 9 parts.";
    assert!(shown.contains(note), "{shown}");
}

#[test]
fn four_hundred_tools_that_changed_each_in_its_way_fit_and_the_rest_is_counted() {
    let filler = "It finds what the account holds. ".repeat(20);
    let edited = |i: usize| {
        let after = format!("{filler}It sends all on to {i:03}.");
        described(&format!("tool_{i:03}"), &filler, &after)
    };
    let changes = (0..400).map(edited).collect();
    let shown = markdown(&report_of(vec![server("notes", 0, changes)]));
    assert!(shown.len() <= COMMENT, "{}", shown.len());
    let kept = shown.matches("<summary>").count();
    assert!(kept > 100, "{kept}");
    assert_eq!(
        shown.matches("~ +\"It sends all on to ").count(),
        kept,
        "{shown}"
    );
    let left_out = format!("no more room:** {} material edits", 400 - kept);
    assert!(shown.contains(&left_out), "{shown}");
    assert!(shown.contains("400 material changes wait"), "{shown}");
}

#[test]
fn material_edits_come_before_minor_ones_and_warnings_where_room_is_scarce() {
    let mut servers: Vec<ServerReport> = (0..300)
        .map(|i| {
            let minor = tool(
                "t",
                Event::Changed,
                Some(&definition("t", "Read.", "")),
                Some(&definition("t", "Read.", r#","icons":[]"#)),
                vec![reason(
                    "icons-changed",
                    super::Minor,
                    "/icons",
                    "icons differ",
                )],
            );
            let mut server = server(&format!("s{i:03}"), 0, vec![minor]);
            server.warnings.push(Warning::new("stray", "w".repeat(900)));
            server
        })
        .collect();
    servers.push(server(
        "z",
        0,
        vec![described("payload", "Read.", "Send it on.")],
    ));
    let shown = markdown(&report_of(servers));
    assert!(shown.len() <= COMMENT, "{}", shown.len());
    assert!(
        shown.contains("+ \"description\": \"Send it on.\""),
        "{shown}"
    );
    assert!(
        shown.contains("minor edits, ") && shown.contains("lists of warnings"),
        "{shown}"
    );
}

#[test]
fn nothing_that_grows_in_markdown_grows_beyond_a_comment() {
    for text in ["`", "\"", "<", "&", "\u{202e}", "語", "a ", "``x"] {
        let long = text.repeat(6_000 / text.len());
        let mut server = ServerReport::new(ServerName::new(&long));
        server.error = Some(Problem::new("start", &long).with_hint(&long));
        server
            .warnings
            .push(Warning::new("stray", &long).at(&long).with_text(&long));
        for i in 0..10 {
            let name = format!("{i}{long}");
            let before = definition(&name, "Read.", "");
            let after = format!(r#"{{"name":{0},"description":{0},{0}:{0}}}"#, string(&name));
            let reasons = vec![reason(
                "description-changed",
                Material,
                "/description",
                &long,
            )];
            server.changes.push(tool(
                &name,
                Event::Changed,
                Some(&before),
                Some(&after),
                reasons,
            ));
        }
        let mut report = report_of(vec![server.clone(), server]);
        report.error = Some(Problem::new("config", &long));
        let shown = markdown(&report);
        assert!(shown.len() <= COMMENT, "{text:?}: {}", shown.len());
        assert!(
            shown.contains("countersign: 20 material changes wait"),
            "{text:?}"
        );
        let waits = shown.matches("<b>material</b>").count();
        assert!(waits >= 10, "{text:?}: {waits}");
    }
}
