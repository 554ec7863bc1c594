//! What holds for the groups of any changes.

use super::*;
use proptest::prelude::*;

/// Changes with reasons at real and at made-up places.
fn any_changes() -> impl Strategy<Value = Vec<Change>> {
    let definition = prop::sample::select(vec![
        r#"{"description":"a b c"}"#,
        r#"{"description":"a c","annotations":{"readOnlyHint":true}}"#,
        r#"{"inputSchema":{"properties":{"x":{"enum":["a"]}},"required":["x"]}}"#,
        r#"{"inputSchema":{"properties":{"x":{"enum":["a","b"]},"y":{}},"required":["x","y"]}}"#,
        r#"[{"name":"twice"},{"name":"twice"}]"#,
    ]);
    let path = prop::sample::select(vec![
        "",
        "/description",
        "/annotations",
        "/annotations/readOnlyHint",
        "/inputSchema/properties/y",
        "/inputSchema/properties/x/enum/1",
        "/inputSchema/required",
        "/nowhere/at/all",
        "/0/name",
    ]);
    let level = prop::sample::select(vec![Material, Minor]);
    let reasons = prop::collection::vec((path, level, 0_u8..3), 1..5);
    let event = prop::sample::select(vec![
        Event::Changed,
        Event::Added,
        Event::Removed,
        Event::Renamed,
    ]);
    let change = (definition.clone(), definition, reasons, event, 0_u8..9).prop_map(
        |(before, after, reasons, event, name)| {
            let reasons = reasons
                .into_iter()
                .map(|(path, level, n)| reason("rule", level, path, &format!("message {n}")))
                .collect();
            tool(
                &format!("t{name}"),
                event,
                Some(before),
                Some(after),
                reasons,
            )
        },
    );
    prop::collection::vec(change, 0..8)
}

proptest! {
    #[test]
    fn each_reason_is_in_exactly_one_group_and_no_level_is_lowered(changes in any_changes()) {
        let groups = groups(&changes);
        let mut members: Vec<_> = groups.iter().flat_map(|g| g.members.clone()).collect();
        members.sort_unstable();
        let all: Vec<_> = changes
            .iter()
            .enumerate()
            .flat_map(|(c, change)| (0..change.reasons.len()).map(move |r| (c, r)))
            .collect();
        prop_assert_eq!(members, all);
        for group in &groups {
            let levels = group.members.iter().map(|(c, r)| changes[*c].reasons[*r].level);
            prop_assert_eq!(Some(group.level), levels.max());
            prop_assert!(!group.message.is_empty());
        }
    }
}
