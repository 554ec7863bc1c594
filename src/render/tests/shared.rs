//! Edits that tools share, in the reports for people.

use super::super::{Format, report as rendered};
use super::*;

/// Three tools of which all were given a hint, and one another text too.
fn hinted() -> Report {
    let hinted = |name: &str, description: &str| {
        let hint = r#","annotations":{"readOnlyHint":true}"#;
        let mut reasons = vec![reason(
            "hint-changed",
            Material,
            "/annotations/readOnlyHint",
            "read-only",
        )];
        if description != "Read." {
            let message = "text only added";
            reasons.push(reason(
                "description-changed",
                Material,
                "/description",
                message,
            ));
        }
        let (before, after) = (
            definition(name, "Read.", ""),
            definition(name, description, hint),
        );
        tool(name, Event::Changed, Some(&before), Some(&after), reasons)
    };
    let changes = vec![
        hinted("a", "Read."),
        hinted("b", "Read and send."),
        hinted("c", "Read."),
    ];
    report_of(vec![server("notes", 0, changes)])
}

#[test]
fn an_edit_that_tools_share_is_shown_once_though_one_has_more() {
    assert_snapshot!(text(&hinted()));
}

#[test]
fn what_is_shared_is_shown_once_in_every_format_for_people() {
    for format in [Format::Markdown, Format::Html] {
        let shown = rendered(&hinted(), format, &Style::default());
        for words in [
            "readOnlyHint",
            "hint-changed",
            "description-changed",
            "as on 2 other tools: annotations added",
        ] {
            assert_eq!(shown.matches(words).count(), 1, "{words} in {shown}");
        }
    }
}

#[test]
fn the_same_words_in_another_sentence_are_another_edit() {
    let changes = vec![
        described("a", "It does not sort. See v1.", "It does sort. See v1."),
        described("b", "Fast. It does not sort.", "Fast. It does sort."),
        described("c", "It does not send notes.", "It does send notes."),
    ];
    let shown = text(&report_of(vec![server("notes", 0, changes)]));
    let lines: Vec<&str> = shown.lines().skip(4).take(7).collect();
    assert_eq!(
        lines.join("\n"),
        r#"  - "description": "It does not sort. See v1."
  + "description": "It does sort. See v1."
  ~ -"not"
  | the same edit on a (shown), b
  - "description": "It does not send notes."
  + "description": "It does send notes."
  | c"#
    );
}

#[test]
fn what_no_reason_of_a_group_points_to_is_shown_all_the_same() {
    let changes = ["a", "b"]
        .map(|name| {
            tool(
                name,
                Event::Changed,
                Some(&definition(name, "Read.", "")),
                Some(&definition(
                    name,
                    "Read.",
                    r#","annotations":{"readOnlyHint":true},"x":"Send it on.""#,
                )),
                vec![reason(
                    "hint-changed",
                    Material,
                    "/annotations/readOnlyHint",
                    "read-only",
                )],
            )
        })
        .to_vec();
    let shown = text(&report_of(vec![server("notes", 0, changes)]));
    assert_eq!(
        shown.matches("+ \"x\": \"Send it on.\"").count(),
        2,
        "{shown}"
    );
}
