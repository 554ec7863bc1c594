//! What groups tell of their items, and what is left to tell of those.

use super::*;
use crate::model::{ItemKey, Kind, Level};
use crate::pair::{Event, Pair};
use crate::render::fabricate::{item, reason, server, tool};
use crate::rules::{Context, judge};

/// What was found of items of one kind, each by name with both its definitions, judged by the rules.
fn judged(kind: Kind, items: &[(&str, &str, &str)]) -> ServerReport {
    let changes = items.iter().map(|(name, before, after)| {
        let (before, after) = (item(kind, before), item(kind, after));
        let pair = Pair {
            key: ItemKey::new(kind, *name),
            former: None,
            event: Event::Changed,
            before: Some(&before),
            after: Some(&after),
        };
        Change::new(&"s".into(), &pair, judge(&pair, &Context::default()))
    });
    server("s", 0, changes.collect())
}

/// Two tools that went from one input schema to another, with what is shown of what they share.
fn shown_of_two(before: &str, after: &str) -> String {
    let tool = |schema| format!(r#"{{"description":"Do.","inputSchema":{schema}}}"#);
    let (before, after) = (tool(before), tool(after));
    let report = judged(
        Kind::Tool,
        &[("one", &before, &after), ("two", &before, &after)],
    );
    let shared = Shared::of(&report);
    assert_eq!(shared.covered.len(), 2);
    let show = |group: &&Group| show(group, &report, 80, Paint::Plain);
    let lines: Vec<String> = shared.groups.iter().flat_map(show).collect();
    lines.join("\n")
}

#[test]
fn every_input_of_an_item_stands_under_its_own_name() {
    let side = |of: &str| {
        format!(
            r#"{{"inputSchema":{{"properties":{{"a":{{{}}},"b":{{{}}}}}}}}}"#,
            of.replace('?', "a"),
            of.replace('?', "b")
        )
    };
    let (before, after) = (side(r#""description":"Of ?.""#), side(""));
    let changed = |name| {
        let gone = |path| reason("wording-changed", Level::Material, path, "removed");
        let reasons = vec![
            gone("/inputSchema/properties/a/description"),
            gone("/inputSchema/properties/b/description"),
        ];
        tool(name, Event::Changed, Some(&before), Some(&after), reasons)
    };
    let report = server("notes", 0, vec![changed("one"), changed("two")]);
    let shown = show(&report.groups[0], &report, 80, Paint::Plain);
    assert_eq!(
        shown,
        [
            r#"- "a/description": "Of a.""#,
            r#"- "b/description": "Of b.""#,
            "| one, two"
        ]
    );
}

#[test]
fn a_branch_that_stands_elsewhere_now_is_compared_with_itself() {
    let schema = |first: &str, note: &str| {
        format!(
            r#"{{"type":"object","properties":{{"a":{{"anyOf":[{first}
                {{"type":"object","properties":{{"p":{{"type":"string"}}}},"description":"One way.{note}"}},
                {{"type":"array","items":{{"type":"string"}},"description":"Another way."}}]}}}}}}"#
        )
    };
    let shown = shown_of_two(
        &schema("", ""),
        &schema(r#"{"type":"integer"},"#, " Send it."),
    );
    assert!(
        shown.contains(r#"- "a/anyOf/1/description": "One way.""#),
        "{shown}"
    );
    assert!(
        shown.contains(r#"+ "a/anyOf/1/description": "One way. Send it.""#),
        "{shown}"
    );
}

#[test]
fn a_union_of_another_kind_is_shown_whole() {
    let tool = |keyword: &str, note: &str| {
        format!(
            r#"{{"inputSchema":{{"{keyword}":[{{"type":"object","description":"One way.{note}"}},{{"type":"array"}}]}}}}"#
        )
    };
    let (before, after) = (tool("oneOf", ""), tool("anyOf", " Send it."));
    let report = judged(
        Kind::Tool,
        &[("one", &before, &after), ("two", &before, &after)],
    );
    assert!(Shared::of(&report).covered.is_empty());
}

#[test]
fn a_shared_schema_is_shown_with_the_input_that_refers_to_it() {
    let schema = |shared: &str| {
        format!(
            r##"{{"type":"object","properties":{{"x":{{"$ref":"#/$defs/X"}}}},"$defs":{{"X":{shared}}}}}"##
        )
    };
    let before = r#"{"type":"object","properties":{}}"#;
    let enumerated = schema(r#"{"enum":["red","green"]}"#);
    let shown = shown_of_two(before, &enumerated);
    assert!(shown.contains(r#""enum": ["red", "green"]"#), "{shown}");
    // Behind one name may stand two schemas.
    let tool = |schema: &str| format!(r#"{{"inputSchema":{schema}}}"#);
    let (before, one) = (tool(before), tool(&enumerated));
    let other = tool(&schema(r#"{"enum":["blue"]}"#));
    let report = judged(
        Kind::Tool,
        &[("one", &before, &one), ("two", &before, &other)],
    );
    let shown = show(&report.groups[0], &report, 80, Paint::Plain).join("\n");
    assert!(
        shown.contains(r#"["red", "green"]"#) && shown.contains(r#"["blue"]"#),
        "{shown}"
    );
}

#[test]
fn an_argument_that_stands_elsewhere_now_is_compared_with_itself() {
    let prompt = |first: &str, note: &str| {
        format!(
            r#"{{"arguments":[{first}{{"name":"a","description":"First.{note}"}},{{"name":"b","description":"Second."}}]}}"#
        )
    };
    let before = prompt("", "");
    let after = prompt(r#"{"name":"c"},"#, " Send it.");
    let report = judged(
        Kind::Prompt,
        &[("one", &before, &after), ("two", &before, &after)],
    );
    let show = |group| show(group, &report, 80, Paint::Plain);
    let shown: Vec<String> = report.groups.iter().flat_map(show).collect();
    let shown = shown.join("\n");
    assert!(
        !shown.contains(r#"- "1/description": "Second.""#),
        "{shown}"
    );
    assert!(shown.contains(r#"- "1/description": "First.""#), "{shown}");
}

/// Of three tools that share an edit, the last one has edits of its own: what is left to tell of it.
fn untold(edits: [(&str, &str); 2], own: (&str, &str)) -> Option<(Value, Value)> {
    let ([one, two], last) = (edits, own);
    let report = judged(
        Kind::Tool,
        &[
            ("one", one.0, one.1),
            ("two", two.0, two.1),
            ("last", last.0, last.1),
        ],
    );
    let mut shared = Shared::of(&report);
    assert_eq!(shared.covered, [0, 1].into());
    let untold = shared.untold.remove(&2)?;
    Some((untold.before, untold.after))
}

#[test]
fn what_a_group_tells_of_a_tool_is_not_told_again() {
    let alike = (
        r#"{"description":"Do."}"#,
        r#"{"description":"Do.","annotations":{"readOnlyHint":true}}"#,
    );
    let (before, after) = untold(
        [alike, alike],
        (
            r#"{"description":"Do."}"#,
            r#"{"description":"Do and send.","annotations":{"readOnlyHint":true}}"#,
        ),
    )
    .expect("something left");
    assert_eq!(to_text(&before), r#"{"description":"Do."}"#);
    assert_eq!(to_text(&after), r#"{"description":"Do and send."}"#);
}

#[test]
fn a_list_of_required_inputs_is_told_with_them_only_if_all_of_them_are() {
    let tool = |description: &str, inputs: &[&str]| {
        let of =
            |quote: fn(&&str) -> String| inputs.iter().map(quote).collect::<Vec<_>>().join(",");
        format!(
            r#"{{"description":"{description}","inputSchema":{{"type":"object","properties":{{{}}},"required":[{}]}}}}"#,
            of(|name| format!(r#""{name}":{{"type":"string"}}"#)),
            of(|name| format!(r#""{name}""#)),
        )
    };
    let (before, after) = (tool("Do.", &["a"]), tool("Do.", &["a", "x"]));
    let alike = (&*before, &*after);
    let rewritten = tool("Do and send.", &["a", "x"]);
    let (_, left) = untold([alike, alike], (&before, &rewritten)).expect("something left");
    assert_eq!(
        left.get("inputSchema").and_then(|s| s.get("required")),
        None
    );
    let more = tool("Do.", &["a", "x", "y"]);
    let left = untold([alike, alike], (&before, &more));
    // One more of them is told nowhere else.
    let required = |left: &Value| {
        left.get("inputSchema")
            .and_then(|s| s.get("required"))
            .map(to_text)
    };
    assert_eq!(
        left.and_then(|(_, left)| required(&left)),
        Some(r#"["a","x","y"]"#.to_owned())
    );
}

#[test]
fn a_tool_whose_own_reason_points_into_what_is_shared_is_shown_whole() {
    let alike = |name: &str, more: &[&str]| {
        let gone = |path: &&str| reason("wording-changed", Level::Material, path, "removed");
        let reasons = ["/description"].iter().chain(more).map(gone).collect();
        let (before, after) = (r#"{"description":"Do. Ask."}"#, r#"{"description":"Do."}"#);
        tool(name, Event::Changed, Some(before), Some(after), reasons)
    };
    let report = server(
        "s",
        0,
        vec![alike("one", &[]), alike("two", &[]), alike("last", &[""])],
    );
    let shared = Shared::of(&report);
    assert_eq!((shared.covered, shared.untold.len()), ([0, 1].into(), 0));
}

#[test]
fn inputs_that_were_edited_alike_are_shown_once_and_named() {
    let input = |name: &str, accepts: &str, says: &str| {
        format!(r#""{name}":{{{accepts},"description":"{says}","default":null}}"#)
    };
    let schema = |inputs: &[String]| {
        format!(
            r#"{{"inputSchema":{{"properties":{{{}}}}}}}"#,
            inputs.join(",")
        )
    };
    let nullable = r#""anyOf":[{"type":"string"},{"type":"null"}]"#;
    let changed = |of: &str, inputs: &[&str]| {
        let side = |accepts: &str, says: &str| {
            let inputs = inputs.iter().map(|name| input(name, accepts, says));
            schema(&inputs.collect::<Vec<_>>())
        };
        let mut reasons = Vec::new();
        for name in inputs {
            let at = format!("/inputSchema/properties/{name}");
            let message = format!("input `{name}` no longer accepts `null`");
            reasons.push(reason("type-changed", Level::Minor, &at, &message));
            let at = format!("{at}/description");
            reasons.push(reason(
                "wording-changed",
                Level::Material,
                &at,
                "another text",
            ));
        }
        let (before, after) = (
            side(nullable, "The old words."),
            side(r#""type":"string""#, "Other words."),
        );
        tool(of, Event::Changed, Some(&before), Some(&after), reasons)
    };
    let report = server(
        "notes",
        0,
        vec![changed("one", &["a", "b"]), changed("two", &["c"])],
    );
    let group = (report.groups.iter())
        .find(|group| group.rules == ["type-changed"])
        .expect("a group");
    let shown = show(group, &report, 80, Paint::Plain);
    let shown = shown.join("\n");
    assert!(!shown.contains("words"), "{shown}");
    assert_eq!(shown.matches("anyOf").count(), 1, "{shown}");
    assert!(
        shown.ends_with("| the same edit on one (a b) (shown), two (c)"),
        "{shown}"
    );
}

#[test]
fn items_that_are_gone_are_a_line_each() {
    let gone = |name: &str, definition: &str| {
        let reasons = vec![reason("item-removed", Level::Minor, "", "gone")];
        tool(name, Event::Removed, Some(definition), None, reasons)
    };
    let report = server(
        "notes",
        0,
        vec![
            gone(
                "one",
                r#"{"description":"Finds one.","inputSchema":{"type":"object"}}"#,
            ),
            gone("two", r#"{"inputSchema":{"type":"object"}}"#),
        ],
    );
    let shown = show(&report.groups[0], &report, 80, Paint::Plain);
    assert_eq!(shown, [r#"- "one": "Finds one.""#, r#"- "two""#]);
}
