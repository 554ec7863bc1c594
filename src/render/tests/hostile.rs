//! Reports in which every outside text is hostile: nothing of it acts, in any format.

use super::super::fabricate::{reason, server, string, tool};
use super::super::{Format, Style, What, report as rendered};
use super::{Material, Minor, definition, parsed};
use crate::json;
use crate::model::{ItemKey, Kind, Problem, ServerName, Warning};
use crate::pair::Event;
use crate::report::{Acknowledged, Base, Due, Record, Report, ServerReport};
use crate::text::hidden::{hidden, is_invisible};
use proptest::prelude::*;

/// Texts with what terminals and CI systems obey, and what nobody sees.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(String::from),
        "[a-z ]{0,6}".prop_map(|text| text),
        prop::sample::select(vec![
            "\n",
            "\r",
            "\n::error::",
            "\n##[x]",
            "##[x]",
            "\u{1b}[8m",
            "\u{9b}",
            "\u{202e}",
            "\u{2028}",
            "\u{200b}",
            "\u{e0041}",
            "\"",
            "\\",
            "[9 lines left out]",
            "{+",
            "\u{7f}",
            "\u{feff}",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// A report in which every text that can come from outside is one of these.
fn hostile_report() -> impl Strategy<Value = (Report, Vec<String>)> {
    let event = prop::sample::select(vec![
        Event::Changed,
        Event::Added,
        Event::Removed,
        Event::Renamed,
    ]);
    (prop::collection::vec(hostile(), 14), event, any::<bool>()).prop_map(
        |(texts, event, acknowledged)| {
            let t = |i: usize| texts[i].as_str();
            let before = definition(
                t(0),
                t(1),
                &format!(r#","x":[{},{}]"#, string(t(2)), string(t(3))),
            );
            let after = definition(
                t(0),
                t(3),
                &format!(r#","annotations":{{{}:{}}}"#, string(t(2)), string(t(1))),
            );
            let reasons = || {
                vec![
                    reason(
                        "description-changed",
                        Material,
                        &format!("/{}", t(4).replace('/', "")),
                        t(5),
                    ),
                    reason("other", Minor, "/annotations", t(6)),
                ]
            };
            let before = (event != Event::Added).then_some(before);
            let after = (event != Event::Removed).then_some(after);
            let mut first = tool(t(0), event, before.as_deref(), after.as_deref(), reasons());
            first.former = (event == Event::Renamed).then(|| ItemKey::new(Kind::Tool, t(7)));
            first.acknowledged = acknowledged.then(|| {
                vec![Acknowledged {
                    by: t(8).to_owned(),
                    at: t(9).to_owned(),
                    note: t(10).to_owned(),
                }]
            });
            let second = tool(t(11), event, before.as_deref(), after.as_deref(), reasons());
            let mut server = server(t(12), 1, vec![first, second]);
            server
                .warnings
                .push(Warning::new("stray", t(13)).at(t(4)).with_text(t(2)));
            let recorded = |key: Option<ItemKey>| Record {
                change: key.as_ref().map(|_| t(9).to_owned()),
                level: Some(Minor),
                by: Acknowledged {
                    by: t(4).to_owned(),
                    at: t(7).to_owned(),
                    note: t(13).to_owned(),
                },
                void: Some(t(2).to_owned()),
                key,
            };
            server.records = vec![
                recorded(Some(ItemKey::new(Kind::Tool, t(5)))),
                recorded(None),
            ];
            server.due = vec![Due {
                signal: "flagged",
                on: None,
                message: t(11).to_owned(),
            }];
            server.due_fails = acknowledged;
            server.notes.push(Warning::new("noise", t(8)).at(t(7)));
            server.error = Some(Problem::new("start", t(6)).with_hint(t(5)));
            let report = Report {
                servers: vec![server, ServerReport::new(ServerName::new(t(1)))],
                warnings: vec![Warning::new("same-name", t(3))],
                error: Some(Problem::new("config", t(2))),
                base: Some(Base {
                    name: t(0).to_owned(),
                    commit: Some(t(10).to_owned()),
                    lockfile_only: acknowledged,
                }),
            };
            (report, texts)
        },
    )
}

/// How a line of the text report may begin, blanks aside.
const OURS: [&str; 20] = [
    "server ",
    "error: ",
    "hint: ",
    "warning: ",
    "material ",
    "minor ",
    "acknowledged ",
    "by ",
    "due: ",
    "recorded ",
    "judged by ",
    "digest ",
    "before ",
    "after ",
    "| ",
    "- ",
    "+ ",
    "~ ",
    "\"",
    "[",
];

proptest! {
    #[test]
    fn no_outside_text_acts_on_a_terminal_or_starts_a_line((report, _) in hostile_report(), color: bool, all: bool, width in prop::option::of(10_usize..200)) {
        let style = Style {
            color,
            width,
            what: if all { What::Review { all } } else { What::Diff },
            ..Style::default()
        };
        let mut shown = rendered(&report, Format::Text, &style);
        if color {
            for code in ["0", "1", "2", "31", "32", "33", "1;31", "1;7;31", "1;7;32"] {
                shown = shown.replace(&format!("\u{1b}[{code}m"), "");
            }
        }
        for line in shown.lines() {
            let start = line.trim_start();
            let known = start.is_empty()
                || OURS.iter().any(|ours| start.starts_with(ours))
                || ["|", "-", "+", "{", "}", "]", "error:", "hint:"].contains(&start)
                || start.starts_with(|c: char| c.is_ascii_digit());
            prop_assert!(known, "{line:?}");
            prop_assert!(!line.contains("##["), "{line:?}");
        }
        // Only whole characters with honest work come through, and no tab or CR.
        prop_assert_eq!(hidden(&shown), [], "{:?}", shown);
        prop_assert!(!shown.contains(['\t', '\r']), "{shown:?}");
    }

    #[test]
    fn a_json_report_shows_nothing_invisible_and_reads_back((report, texts) in hostile_report()) {
        let json = rendered(&report, Format::Json, &Style::default());
        prop_assert!(!json.contains(|c| c != '\n' && is_invisible(c)), "{json:?}");
        prop_assert!(!json.contains("##["));
        let value = parsed(&json);
        let server = &value.get("servers").and_then(json::Value::as_array).expect("servers")[0];
        let text = |value: Option<&json::Value>| value.and_then(json::Value::as_str).map(str::to_owned);
        prop_assert_eq!(text(server.get("name")), Some(texts[12].clone()));
        let error = server.get("error").expect("an error");
        prop_assert_eq!(text(error.get("message")), Some(texts[6].clone()));
        prop_assert_eq!(text(error.get("hint")), Some(texts[5].clone()));
        let changes = server.get("changes").and_then(json::Value::as_array).expect("changes");
        prop_assert_eq!(text(changes[0].get("name")), Some(texts[0].clone()));
        prop_assert_eq!(text(changes[1].get("name")), Some(texts[11].clone()));
        if let Some(after) = text(changes[0].get("after").and_then(|side| side.get("text"))) {
            let description = parsed(&after).get("description").cloned();
            prop_assert_eq!(text(description.as_ref()), Some(texts[3].trim_matches([' ', '\t', '\n', '\r']).to_owned()));
        }
    }
}
