//! Reports in which every outside text is hostile: nothing of it acts, in any format.

use super::super::fabricate::{reason, server, string, tool};
use super::super::{Format, Style, What, escape, report as rendered};
use super::{Material, Minor, definition, parsed};
use crate::json;
use crate::model::{ItemKey, Kind, Problem, ServerName, Warning};
use crate::pair::Event;
use crate::report::{
    Acknowledged, Base, Due, Happening, Held, Moment, Record, Report, ServerReport, Step,
};
use crate::text::hidden::{hidden, is_invisible};
use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event as Markdown, Options, Parser, Tag, TagEnd};
use std::collections::BTreeSet;

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
            "{0}",
            "{2028}",
            "{{1}}",
            "](",
            "\\",
            "[9 lines left out]",
            "{+",
            "\u{7f}",
            "\u{feff}",
            // What Markdown and HTML obey.
            "```",
            "~~~~",
            "`",
            "\n\n# h\n",
            "\n> [!CAUTION]\n",
            "[x](https://e.invalid)",
            "![x](//e.invalid/x.png)",
            "@someone #1 :x: https://e.invalid",
            "**x** _x_ $x$ | x |",
            "</code></summary></details>",
            "<img src=x onerror=alert(1)>",
            "<script>alert(1)</script>",
            "<!--",
            "-->",
            "]]>",
            "&lt;&#x202e;",
            "\" onload=\"alert(1)",
            "' onload='alert(1)",
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
            let call = |id: usize| Held {
                id: format!("{id:x}"),
                arguments: t(3).to_owned(),
                asked_by: t(6).to_owned(),
                last: t(9).to_owned(),
            };
            first.held = (0..7).map(call).collect();
            let mut server = server(t(12), 1, vec![first, second]);
            server.line = Some(3);
            server.timeline = timeline(t);
            server.changes[0].line = Some(4);
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
                file: Some(t(9).to_owned()),
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

/// What a reader of Markdown would obey, or could take for words of ours, outside code: nothing.
fn acting_markdown(markdown: &str) -> Vec<String> {
    let mut acts = Vec::new();
    let mut in_code = false;
    for event in Parser::new_ext(markdown, Options::all()) {
        match event {
            Markdown::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language)))
                if ["diff", "sh"].contains(&&*language) =>
            {
                in_code = true;
            }
            Markdown::End(TagEnd::CodeBlock) => in_code = false,
            Markdown::Text(_) if in_code => {}
            Markdown::Text(text) => {
                let ours = |c: char| c.is_ascii_alphanumeric() || " ,.:;".contains(c);
                acts.extend((!text.chars().all(ours)).then(|| text.to_string()));
            }
            Markdown::Html(html) => {
                acts.extend((!is_our_html(html.trim_end())).then(|| html.to_string()));
            }
            Markdown::Start(
                Tag::Heading { .. }
                | Tag::Paragraph
                | Tag::Strong
                | Tag::List(None)
                | Tag::Item
                | Tag::HtmlBlock,
            )
            | Markdown::End(_)
            | Markdown::Code(_)
            | Markdown::SoftBreak => {}
            other => acts.push(format!("{other:?}")),
        }
    }
    acts
}

fn is_our_html(line: &str) -> bool {
    if ["<details>", "<details open>", "</details>"].contains(&line) {
        return true;
    }
    let summary = line
        .strip_prefix("<summary>")
        .and_then(|line| line.strip_suffix("</summary>"));
    summary.is_some_and(|summary| {
        let words = ["<b>material</b> ", "<b>minor</b> ", "<b>error</b> "]
            .iter()
            .find_map(|tag| summary.strip_prefix(tag));
        let words = words.unwrap_or(summary);
        let words = words
            .strip_prefix("<code>")
            .and_then(|code| code.strip_suffix("</code>"))
            .unwrap_or(words);
        !words.contains(['<', '>', '"', '\''])
    })
}

/// A past in which every text is one of these.
fn timeline<'a>(t: impl Fn(usize) -> &'a str) -> Vec<Moment> {
    let text = |i: usize| t(i).to_owned();
    let step = |i: usize| Step {
        id: text(i),
        key: ItemKey::new(Kind::Tool, t(i + 1)),
        event: Event::Changed,
        level: Material,
        rules: vec![text(i + 2)],
    };
    let happenings = vec![
        Happening::Unreachable(text(0)),
        Happening::Changed {
            steps: vec![step(1)],
            new: vec![ItemKey::new(Kind::Prompt, t(4))],
            announced: Some(false),
            delay: None,
        },
        Happening::Flagged {
            reason: text(5),
            note: text(6),
        },
        Happening::Acknowledged {
            step: step(7),
            by: text(10),
            note: text(11),
        },
        Happening::Reviewed {
            by: text(12),
            note: text(13),
        },
    ];
    let moment = |what| Moment { at: text(8), what };
    happenings.into_iter().map(moment).collect()
}

/// What a page holds that ours does not: elements, attributes and values that nobody here wrote.
fn strange_markup(page: &roxmltree::Document<'_>) -> Vec<String> {
    const ELEMENTS: &str = "html head meta title style body a header h1 p main section h2 div fieldset legend label \
         input span bdi details summary ul li code b pre table thead tbody tr th td del ins time";
    const CLASSES: &str = "skip summary filters choices server run next drift unknown clean disabled quiet title badge faint \
         level material minor error acknowledged warning warnings entry problem note digests reasons list timeline moments \
         changed unreachable accepted seen old new none same count";
    let among = |list: &str, word: &str| list.split_whitespace().any(|known| known == word);
    let mut strange = Vec::new();
    for node in page
        .descendants()
        .filter(|node| !node.is_root() && !node.is_text())
    {
        if !node.is_element() || !among(ELEMENTS, node.tag_name().name()) {
            strange.push(format!("{node:?}"));
        }
        for attribute in node.attributes() {
            let value = attribute.value();
            let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            let known = match (attribute.name(), node.tag_name().name()) {
                ("class", _) => value.split(' ').all(|class| among(CLASSES, class)),
                ("id", _) => {
                    value == "servers"
                        || value
                            .strip_prefix("show-")
                            .is_some_and(|id| among(CLASSES, id) || id == "history")
                        || number(&value[1..])
                }
                ("href", "a") => value == "#servers",
                ("open", "details") => value.is_empty(),
                ("type", "input") => value == "checkbox",
                ("checked", "input") => value == "checked",
                ("colspan", "td") => value == "2",
                ("scope", "th") => value == "col",
                ("charset" | "http-equiv" | "content" | "name", "meta") => {
                    !value.contains("e.invalid") && !value.contains('<')
                }
                ("lang", "html") => value == "en",
                _ => false,
            };
            if !known {
                strange.push(format!("{attribute:?} of {node:?}"));
            }
        }
    }
    strange
}

/// How a line of the text report may begin, blanks aside.
const OURS: [&str; 21] = [
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
    "held call",
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
    fn outside_text_is_no_element_of_the_xml((report, _) in hostile_report()) {
        let xml = rendered(&report, Format::Junit, &Style::default());
        let document = roxmltree::Document::parse(&xml).expect("well-formed XML");
        let inside = |element: &str| match element {
            "testsuites" => "testsuite",
            "testsuite" => "testcase",
            "testcase" => "error failure skipped system-out",
            _ => "",
        };
        for node in document.descendants().filter(|node| !node.is_text() && !node.is_root()) {
            prop_assert!(node.is_element(), "{node:?}");
            let parent = node.parent_element().map_or("testsuites", |parent| inside(parent.tag_name().name()));
            prop_assert!(parent.split(' ').any(|name| name == node.tag_name().name()), "{node:?}");
            for attribute in node.attributes() {
                let known = ["name", "classname", "tests", "failures", "errors", "skipped", "type", "message"];
                prop_assert!(known.contains(&attribute.name()), "{attribute:?}");
                prop_assert_eq!(hidden(attribute.value()), []);
            }
        }
        let waiting = report.servers[0].changes.iter().filter(|change| change.waits());
        let review = report.servers[0].review_waits().then(|| "a review of the whole".to_owned());
        let items = waiting.map(|change| format!("tool {}", escape::name(change.key.name.as_str())));
        let names: Vec<String> = review.into_iter().chain(items).collect();
        let failed = document.descendants().filter(|node| node.has_tag_name("failure"));
        let failed: Vec<&str> = failed.filter_map(|node| node.parent()?.attribute("name")).collect();
        prop_assert_eq!(failed, names);
    }

    #[test]
    fn outside_text_is_no_markup_of_the_page((report, texts) in hostile_report(), all: bool) {
        let what = if all { What::Review { all } } else { What::Diff };
        let shown = rendered(&report, Format::Html, &Style { what, ..Style::default() });
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        let page = roxmltree::Document::parse_with_options(&shown, options).expect("a page that is XML too");
        let strange = strange_markup(&page);
        prop_assert!(strange.is_empty(), "{strange:#?} in {shown}");
        let title = page.descendants().find(|node| node.has_tag_name("bdi") && node.parent().is_some_and(|title| title.has_tag_name("h2")));
        let name = title.and_then(|title| title.text()).unwrap_or_default();
        prop_assert_eq!(name, escape::name(&texts[12]));
    }

    #[test]
    fn outside_text_is_no_markdown_and_no_html((report, _) in hostile_report(), all: bool) {
        let style = Style {
            what: if all { What::Review { all } } else { What::Diff },
            ..Style::default()
        };
        let shown = rendered(&report, Format::Markdown, &style);
        prop_assert!(shown.len() <= 65_536);
        prop_assert_eq!(hidden(&shown), [], "{:?}", shown);
        prop_assert!(!shown.contains(['\t', '\r']) && !shown.contains("##["), "{shown:?}");
        let acts = acting_markdown(&shown);
        prop_assert!(acts.is_empty(), "{acts:?} in {shown}");
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

// These write every rule anew for each case.
proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn in_no_format_is_anything_hidden_or_obeyed_by_a_log((report, _) in hostile_report(), all: bool) {
        let what = if all { What::Review { all } } else { What::Diff };
        let style = Style { what, ..Style::default() };
        for format in Format::ALL {
            let shown = rendered(&report, format, &style);
            prop_assert_eq!(&shown, &rendered(&report, format, &style));
            prop_assert_eq!(hidden(&shown), [], "{} {:?}", format.word(), shown);
            prop_assert!(!shown.contains(['\t', '\r']) && !shown.contains("##["), "{} {shown:?}", format.word());
            let commands = shown.lines().filter(|line| line.trim_start().starts_with("::"));
            let ours = |line: &str| ["::error ", "::error::", "::warning ", "::warning::", "::notice "].iter().any(|ours| line.starts_with(ours));
            let mut others = commands.filter(|line| format != Format::Github || !ours(line) || line.matches("::").count() != 2);
            prop_assert_eq!(others.next(), None, "{}", format.word());
        }
    }

    #[test]
    fn outside_text_makes_no_link_and_no_argument_of_a_sarif_message((report, _) in hostile_report()) {
        let log: serde_json::Value = serde_json::from_str(&rendered(&report, Format::Sarif, &Style::default())).expect("JSON");
        let run = &log["runs"][0];
        let results = run["results"].as_array().expect("results");
        let notifications = run["invocations"][0]["toolExecutionNotifications"].as_array().expect("notifications");
        prop_assert!(results.len() >= 4 && notifications.len() >= 3);
        let mut prints = BTreeSet::new();
        for result in results {
            prop_assert!(prints.insert(result["partialFingerprints"]["countersign/v1"].as_str().map(str::to_owned)));
        }
        for entry in results.iter().chain(notifications) {
            let text = entry["message"]["text"].as_str().expect("a text");
            prop_assert_eq!(hidden(text), []);
            prop_assert!(!text.contains(['\n', '\r', '\t']) && !text.contains("]("), "{text}");
            let single = text.replace("{{", "").replace("}}", "");
            prop_assert!(!single.contains(['{', '}']), "{text}");
        }
    }

    #[test]
    fn the_list_for_gitlab_has_one_entry_a_finding((report, _) in hostile_report()) {
        let list: serde_json::Value = serde_json::from_str(&rendered(&report, Format::Gitlab, &Style::default())).expect("JSON");
        let mut prints = BTreeSet::new();
        for entry in list.as_array().expect("a list") {
            let text = entry["description"].as_str().expect("a text");
            prop_assert_eq!(hidden(text), []);
            prop_assert!(!text.contains(['\n', '\r', '\t']), "{text}");
            prop_assert!(prints.insert(entry["fingerprint"].as_str().map(str::to_owned)));
        }
    }
}
