//! What counts as one edit.

use super::super::fabricate::{change, reason, string, tool};
use super::*;
use crate::model::ItemKey;
use Level::{Material, Minor};

mod random;

fn described(name: &str, before: &str, after: &str) -> Change {
    let definition = |text| {
        format!(
            r#"{{"name":{},"description":{}}}"#,
            string(name),
            string(text)
        )
    };
    tool(
        name,
        Event::Changed,
        Some(&definition(before)),
        Some(&definition(after)),
        vec![reason(
            "description-changed",
            Material,
            "/description",
            "the description differs",
        )],
    )
}

fn places(groups: &[Group]) -> Vec<(&str, &str, usize)> {
    groups
        .iter()
        .map(|g| (g.place.as_str(), g.event, g.members.len()))
        .collect()
}

#[test]
fn one_hint_on_fourteen_tools_is_one_edit_whatever_its_value() {
    let changes: Vec<_> = (0..14)
        .map(|i| {
            let before = if i % 2 == 0 {
                "{}"
            } else {
                r#"{"annotations":{"title":"T"}}"#
            };
            let after = format!(r#"{{"annotations":{{"readOnlyHint":{}}}}}"#, i % 3 == 0);
            let path = "/annotations/readOnlyHint";
            let reasons = vec![reason(
                "hint-changed",
                Material,
                path,
                &format!("message {i}"),
            )];
            tool(
                &format!("t{i}"),
                Event::Changed,
                Some(before),
                Some(&after),
                reasons,
            )
        })
        .collect();
    let groups = groups(&changes);
    assert_eq!(places(&groups), [("annotations", "added", 14)]);
    assert_eq!(groups[0].message, "annotations added on 14 tools");
}

#[test]
fn a_sentence_that_every_text_lost_is_one_edit() {
    let changes = [
        described("a", "Return it. Never share.\n\nArgs: none.", "Return it."),
        described(
            "b",
            "Find a note. Never share.\n\nArgs: none.",
            "Find a note.",
        ),
        described(
            "c",
            "Find a note. Never share.\n\nArgs: none.",
            "Find a note. Args: none.",
        ),
    ];
    assert_eq!(
        places(&groups(&changes)),
        [("description", "changed", 2), ("description", "changed", 1)]
    );
}

#[test]
fn a_rewritten_text_and_a_hint_are_two_edits_of_one_tool() {
    let mut changes = vec![described("a", "Find.", "Find all.")];
    changes[0].reasons.push(reason(
        "hint-spelled-out",
        Minor,
        "/annotations",
        "says the same",
    ));
    let groups = groups(&changes);
    assert_eq!(groups.len(), 2);
    assert_eq!([groups[0].level, groups[1].level], [Material, Minor]);
}

#[test]
fn what_follows_from_a_new_input_belongs_to_it() {
    let before = r#"{"inputSchema":{"properties":{},"required":[]}}"#;
    let after = r#"{"inputSchema":{"properties":{"path":{"description":"a path","x-mcp-header":"P"}},"required":["path"]}}"#;
    let reasons = vec![
        reason(
            "input-added",
            Material,
            "/inputSchema/properties/path",
            "new input `path`",
        ),
        reason(
            "header-exposed",
            Material,
            "/inputSchema/properties/path/x-mcp-header",
            "travels as header",
        ),
        reason(
            "required-changed",
            Minor,
            "/inputSchema/required",
            "the list differs",
        ),
    ];
    let groups = groups(&[tool(
        "a",
        Event::Changed,
        Some(before),
        Some(after),
        reasons,
    )]);
    assert_eq!(
        places(&groups),
        [("inputSchema/properties/path", "added", 3)]
    );
    assert_eq!(groups[0].level, Material);
    assert_eq!(
        groups[0].rules,
        ["header-exposed", "input-added", "required-changed"]
    );
    assert_eq!(groups[0].message, "new input `path`");
}

/// The groups of one tool between two input schemas, judged by the rules.
fn judged(before: &str, after: &str) -> Vec<Group> {
    let item = |schema: &str| {
        let text = format!(r#"{{"name":"t","inputSchema":{schema}}}"#);
        super::super::fabricate::item(Kind::Tool, &text)
    };
    let (before, after) = (item(before), item(after));
    let pair = crate::pair::Pair {
        key: ItemKey::new(Kind::Tool, "t"),
        former: None,
        event: Event::Changed,
        before: Some(&before),
        after: Some(&after),
    };
    let reasons = crate::rules::judge(&pair, &crate::rules::Context::default());
    groups(&[Change::new(&"s".into(), &pair, reasons)])
}

#[test]
fn a_keyword_that_went_is_one_edit_however_deep_it_stood() {
    let schema = |closed: &str| {
        format!(
            r#"{{"type":"object"{closed},"properties":{{"a":{{"type":"array","items":{{"type":"object"{closed}}}}}}}}}"#
        )
    };
    let groups = judged(&schema(r#","additionalProperties":false"#), &schema(""));
    assert_eq!(
        places(&groups),
        [("inputSchema/**/additionalProperties", "removed", 2)]
    );
}

#[test]
fn what_differs_together_in_one_input_is_one_edit_and_its_text_another() {
    let groups = judged(
        r#"{"properties":{"n":{"type":"number","default":1,"description":"One."},"m":{"type":"number"}}}"#,
        r#"{"properties":{"n":{"type":"integer","default":2,"minimum":0,"description":"Two."},"m":{"type":"number"}}}"#,
    );
    assert_eq!(
        places(&groups),
        [
            ("inputSchema/properties/*", "changed", 3),
            ("inputSchema/properties/*/description", "changed", 1)
        ]
    );
}

#[test]
fn one_edit_of_a_branch_is_one_wherever_the_branch_stands_now() {
    let schema = |first: &str, note: &str| {
        format!(
            r#"{{"anyOf":[{first}{{"type":"object","properties":{{"p":{{}}}},"description":"One.{note}"}},
                {{"type":"array","description":"Two."}}]}}"#
        )
    };
    let change = |name: &str, first: &str| {
        let tool = |schema| format!(r#"{{"name":"{name}","inputSchema":{schema}}}"#);
        let item = |text: &str| super::super::fabricate::item(Kind::Tool, text);
        let (before, after) = (
            item(&tool(schema("", ""))),
            item(&tool(schema(first, " Send it."))),
        );
        let pair = crate::pair::Pair {
            key: ItemKey::new(Kind::Tool, name),
            former: None,
            event: Event::Changed,
            before: Some(&before),
            after: Some(&after),
        };
        let reasons = crate::rules::judge(&pair, &crate::rules::Context::default());
        Change::new(&"s".into(), &pair, reasons)
    };
    let changes = [change("a", ""), change("b", r#"{"type":"integer"},"#)];
    let of_texts = |group: &&Group| group.place.ends_with("description");
    let members: Vec<usize> = groups(&changes)
        .iter()
        .filter(of_texts)
        .map(|group| group.members.len())
        .collect();
    assert_eq!(members, [2]);
}

#[test]
fn inputs_that_one_object_gained_are_one_edit_that_names_them() {
    let groups = judged(
        r#"{"properties":{}}"#,
        r#"{"properties":{"a":{"type":"string"},"b":{"type":"number"}},"required":["a","b"]}"#,
    );
    assert_eq!(places(&groups), [("inputSchema/properties", "added", 3)]);
    assert!(
        groups[0].message.contains("`a`, `b`"),
        "{}",
        groups[0].message
    );
}

#[test]
fn a_renamed_input_is_one_edit_with_both_its_names() {
    let groups = judged(
        r#"{"properties":{"noteId":{"type":"string"},"old":{"type":"integer"}},"required":["noteId"]}"#,
        r#"{"properties":{"note_id":{"type":"string","description":"Which."}},"required":["note_id"]}"#,
    );
    assert_eq!(
        places(&groups),
        [
            ("inputSchema/properties/note_id", "renamed", 3),
            ("inputSchema/properties/old", "removed", 1)
        ]
    );
}

#[test]
fn a_shared_schema_belongs_to_the_input_that_refers_to_it() {
    let groups = judged(
        r#"{"properties":{"a":{"type":"string"}}}"#,
        r##"{"properties":{"a":{"type":"string"},"b":{"$ref":"#/$defs/B"}},
            "$defs":{"B":{"properties":{"c":{"$ref":"#/$defs/C"}}},"C":{"enum":["x"]}}}"##,
    );
    assert_eq!(places(&groups), [("inputSchema/properties/b", "added", 3)]);
    assert_eq!(groups[0].level, Material);
}

#[test]
fn tools_that_got_one_prefix_are_renamed_in_one_edit() {
    let renamed = |name: &str, former: &str| {
        let tool = |name: &str| format!(r#"{{"name":{},"title":"T"}}"#, string(name));
        let reasons = vec![
            reason(
                "item-added",
                Material,
                "/name",
                &format!("renamed from {former}"),
            ),
            reason("title-generated", Minor, "/title", "made of the name"),
        ];
        let mut change = tool_change(name, &tool(former), &tool(name), reasons);
        change.former = Some(ItemKey::new(Kind::Tool, former));
        change
    };
    let groups = groups(&[
        renamed("notes_find", "find"),
        renamed("notes_read", "read"),
        renamed("remove", "delete"),
    ]);
    assert_eq!(
        places(&groups),
        [("tool", "renamed", 4), ("tool", "renamed", 2)]
    );
}

fn tool_change(name: &str, before: &str, after: &str, reasons: Vec<Reason>) -> Change {
    tool(name, Event::Renamed, Some(before), Some(after), reasons)
}

#[test]
fn new_tools_are_an_edit_each_and_removed_ones_are_one() {
    let gone = |name| {
        let reasons = vec![reason("item-removed", Minor, "", "no longer listed")];
        tool(name, Event::Removed, Some("{}"), None, reasons)
    };
    let new = |name| {
        let reasons = vec![
            reason("item-added", Material, "", "first sight"),
            reason("hidden-text", Material, "/description", "holds hidden text"),
        ];
        tool(name, Event::Added, None, Some("{}"), reasons)
    };
    let changes = [new("a"), new("b"), gone("c"), gone("d")];
    assert_eq!(
        places(&groups(&changes)),
        [
            ("tool", "added", 2),
            ("tool", "added", 2),
            ("tool", "removed", 2)
        ]
    );
}

#[test]
fn acknowledged_changes_are_no_part_of_what_waits() {
    let mut changes = [
        described("a", "Find.", "Find all."),
        described("b", "Find.", "Find all."),
    ];
    changes[0].acknowledged = Some(Vec::new());
    assert_eq!(groups(&changes).len(), 2);
}

#[test]
fn a_launch_is_one_edit() {
    let reasons = vec![
        reason("launch-changed", Material, "/command", "another program"),
        reason("environment-changed", Minor, "/env", "other variables"),
    ];
    let launch = change(
        ItemKey::part("launch"),
        Event::Changed,
        Some(r#"{"command":"a"}"#),
        Some(r#"{"command":"b","env":["X"]}"#),
        reasons,
    );
    assert_eq!(places(&groups(&[launch])), [("launch", "changed", 2)]);
}

/// A tool of which members changed, each told by a rule at its place.
fn changed(
    name: &str,
    before: &str,
    after: &str,
    told: &[(&'static str, Level, &str, &str)],
) -> Change {
    let reasons = told
        .iter()
        .map(|(rule, level, path, message)| reason(rule, *level, path, message));
    tool(
        name,
        Event::Changed,
        Some(before),
        Some(after),
        reasons.collect(),
    )
}

#[test]
fn hints_that_changed_are_one_edit_whichever_they_are() {
    let hints = |read_only: bool, open: bool| {
        format!(r#"{{"annotations":{{"readOnlyHint":{read_only},"openWorldHint":{open}}}}}"#)
    };
    let read_only = (
        "hint-changed",
        Material,
        "/annotations/readOnlyHint",
        "it no longer claims",
    );
    let open = (
        "hint-changed",
        Material,
        "/annotations/openWorldHint",
        "it now says",
    );
    let changes = [
        changed(
            "a",
            &hints(true, false),
            &hints(false, true),
            &[read_only, open],
        ),
        changed("b", &hints(false, false), &hints(false, true), &[open]),
    ];
    assert_eq!(places(&groups(&changes)), [("annotations", "changed", 3)]);
}

#[test]
fn values_without_words_are_one_edit_whatever_they_were() {
    let meta = |value: &str| format!(r#"{{"_meta":{{"category":"{value}"}}}}"#);
    let told = [(
        "meta-changed",
        Minor,
        "/_meta/category",
        "`category` in `_meta`",
    )];
    let changes = [
        changed("a", &meta("Input automation"), &meta("input"), &told),
        changed("b", &meta("Debugging"), &meta("debugging"), &told),
    ];
    assert_eq!(
        places(&groups(&changes)),
        [("_meta/category", "changed", 2)]
    );
}

#[test]
fn what_does_not_hold_for_every_item_is_said_of_how_many() {
    let added = |name: &str, value: bool| {
        let rule = if value {
            ("hint-changed", Material)
        } else {
            ("hint-spelled-out", Minor)
        };
        let after = format!(r#"{{"annotations":{{"readOnlyHint":{value}}}}}"#);
        let told = [(
            rule.0,
            rule.1,
            "/annotations/readOnlyHint",
            "it now claims to be read-only",
        )];
        changed(name, "{}", &after, &told)
    };
    let changes = [added("a", true), added("b", false), added("c", true)];
    // What is minor says something else.
    let mut changes = changes.to_vec();
    changes[1].reasons[0].message = "spelled out".to_owned();
    let groups = groups(&changes);
    assert_eq!(
        groups[0].message,
        "it now claims to be read-only (2 of 3 tools)"
    );
}

#[test]
fn what_is_said_of_inputs_of_many_names_is_said_of_any() {
    let input = |name: &str, with: &str| {
        format!(
            r#"{{"inputSchema":{{"properties":{{"{name}":{{"anyOf":[{{"type":"string"}}{with}]}}}}}}}}"#
        )
    };
    let tool = |tool: &str, name: &str| {
        let path = format!("/inputSchema/properties/{name}");
        let message = format!("input `{name}` no longer accepts `null`");
        let (before, after) = (input(name, r#",{"type":"null"}"#), input(name, ""));
        changed(
            tool,
            &before,
            &after,
            &[("type-changed", Minor, &path, &message)],
        )
    };
    let groups = groups(&[tool("a", "title"), tool("b", "body")]);
    assert_eq!(groups.len(), 1);
    assert_eq!(
        groups[0].message,
        "input `*` no longer accepts `null` (on 2 tools)"
    );
}
