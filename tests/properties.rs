//! What must hold of comparing, whatever two definitions hold.

use countersign::canonical::to_text;
use countersign::catalogue::{Catalogue, Item};
use countersign::diff::facts;
use countersign::json::{Limits, Object, Value, read};
use countersign::model::{ItemKey, Kind, Level, part};
use countersign::pair::{Event, Pair, pair};
use countersign::rules::{Context, Reason, judge};
use countersign::text::strings;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Member names: keywords, members of tools, and names that look like them.
const NAMES: &[&str] = &[
    "type",
    "properties",
    "items",
    "required",
    "enum",
    "const",
    "default",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "if",
    "then",
    "$ref",
    "$defs",
    "definitions",
    "$schema",
    "description",
    "title",
    "examples",
    "x-mcp-header",
    "x-note",
    "pattern",
    "format",
    "maxLength",
    "minimum",
    "additionalProperties",
    "dependentRequired",
    "dependencies",
    "prefixItems",
    "a",
    "a/b",
    "~",
    "",
    "inputSchema",
    "outputSchema",
    "annotations",
    "readOnlyHint",
    "destructiveHint",
    "_meta",
    "icons",
    "execution",
    "arguments",
    "name",
    "uri",
    "first read the mailbox",
];

/// Strings: types, references of every sort, prose, blanks, characters that nobody sees.
const STRINGS: &[&str] = &[
    "string",
    "integer",
    "object",
    "null",
    "array",
    "",
    "a",
    "#",
    "#/$defs/a",
    "#/properties/a",
    "#/definitions/a",
    "#nowhere",
    "http://a.invalid/s",
    "date-time",
    "^a$",
    "two words",
    "two  words\n",
    "first read the mailbox",
    "holds 12 notes",
    "holds 13 notes",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2020-12/schema",
    "hid\u{200b}den",
    "n\u{43e}te",
    "note",
    "caf\u{e9}",
    "cafe\u{301}",
    "A",
    "1",
];

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        1 => Just(Value::Null),
        2 => any::<bool>().prop_map(Value::Bool),
        2 => (-2i64..9).prop_map(|n| Value::Number(n.to_string().into())),
        6 => prop::sample::select(STRINGS).prop_map(Value::from),
    ]
}

fn object(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::btree_map(prop::sample::select(NAMES), value, 0..5).prop_map(|members| {
        Value::Object(
            members
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        )
    })
}

fn anything() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            3 => object(inner.clone()),
            1 => prop::collection::vec(inner, 0..4).prop_map(Value::Array),
        ]
    })
}

/// Two values of which the second is often the first with something else in one place.
fn two() -> impl Strategy<Value = (Value, Value)> {
    (anything(), anything(), any::<prop::sample::Index>(), 0..4u8).prop_map(
        |(one, mut other, at, how)| {
            if how > 0 {
                let mut edited = one.clone();
                let mut places = count(&edited);
                places = at.index(places);
                replace(&mut edited, &mut places, &mut other);
                return (one, edited);
            }
            (one, other)
        },
    )
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(elements) => elements.iter().map(count).sum(),
        Value::Object(object) => object.iter().map(|(_, value)| count(value)).sum(),
        _ => 0,
    }
}

/// Puts another value in the place of the one with that number.
fn replace(value: &mut Value, place: &mut usize, other: &mut Value) {
    if *place == 0 {
        std::mem::swap(value, other);
        *place = usize::MAX;
        return;
    }
    *place -= 1;
    let mut inside = |value: &mut Value| {
        if *place != usize::MAX {
            replace(value, place, other);
        }
    };
    match value {
        Value::Array(elements) => elements.iter_mut().for_each(&mut inside),
        Value::Object(object) => {
            for (_, value) in object.members_mut() {
                inside(value);
            }
        }
        _ => {}
    }
}

fn tool(members: &[(&str, &Value)]) -> Value {
    let mut object: Object = members
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).clone()))
        .collect();
    object.set("name", Value::from("a"));
    Value::Object(object)
}

fn changed<'a>(key: &ItemKey, before: &'a Item, after: &'a Item) -> Pair<'a> {
    Pair {
        key: key.clone(),
        former: None,
        event: Event::Changed,
        before: Some(before),
        after: Some(after),
    }
}

fn reasons_of(key: &ItemKey, before: &Item, after: &Item) -> Vec<Reason> {
    judge(&changed(key, before, after), &Context::default())
}

fn reasons(kind: Kind, before: &Value, after: &Value) -> Vec<Reason> {
    let key = ItemKey::new(kind, "a");
    reasons_of(
        &key,
        &Item::new(kind, before.clone()),
        &Item::new(kind, after.clone()),
    )
}

/// Fails if a fact has no reason, or a string that came or went is in no fact.
fn check_strings(
    key: &ItemKey,
    before: &Item,
    after: &Item,
    reasons: &[Reason],
) -> Result<(), TestCaseError> {
    let all = |item: &Item| -> BTreeSet<String> {
        let texts = strings(item.definition.value()).into_iter();
        texts.map(str::to_owned).collect()
    };
    let (old, new) = (all(before), all(after));
    let mut told: BTreeSet<String> = BTreeSet::new();
    let pair = changed(key, before, after);
    for fact in facts(&pair) {
        let has_reason = reasons.iter().any(|reason| reason.path == fact.path);
        prop_assert!(has_reason, "{fact:?} has none of {reasons:#?}");
        for side in [fact.before, fact.after].into_iter().flatten() {
            told.extend(strings(side).into_iter().map(str::to_owned));
        }
        // The name of a member that came or went is where it stands.
        let tokens = fact.path.as_str().split('/');
        told.extend(tokens.map(|token| token.replace("~1", "/").replace("~0", "~")));
    }
    for text in old.symmetric_difference(&new) {
        prop_assert!(told.contains(text), "{text:?} is in none of {reasons:#?}");
    }
    Ok(())
}

fn level(reasons: &[Reason]) -> Option<Level> {
    reasons.iter().map(|reason| reason.level).max()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, ..ProptestConfig::default() })]

    #[test]
    fn digests_differ_exactly_where_there_is_a_reason((before, after) in two(), kind in 0..5usize) {
        let kind = Kind::ALL[kind];
        let parts: &[&str] = if kind == Kind::Server { &part::ALL } else { &["a"] };
        for name in parts {
            let key = ItemKey::new(kind, *name);
            let (old, new) = (Item::new(kind, before.clone()), Item::new(kind, after.clone()));
            let reasons = reasons_of(&key, &old, &new);
            prop_assert_eq!(old.digest == new.digest, reasons.is_empty());
            check_strings(&key, &old, &new, &reasons)?;
        }
    }

    #[test]
    fn the_same_holds_inside_the_members_of_a_tool(
        (input_before, input_after) in two(),
        (output_before, output_after) in two(),
        (notes_before, notes_after) in two(),
    ) {
        let before = tool(&[("inputSchema", &input_before), ("outputSchema", &output_before), ("annotations", &notes_before)]);
        let after = tool(&[("inputSchema", &input_after), ("outputSchema", &output_after), ("annotations", &notes_after)]);
        let (old, new) = (Item::new(Kind::Tool, before), Item::new(Kind::Tool, after));
        let key = ItemKey::new(Kind::Tool, "a");
        let reasons = reasons_of(&key, &old, &new);
        prop_assert_eq!(old.digest == new.digest, reasons.is_empty());
        prop_assert!(reasons.iter().all(|reason| !reason.path.as_str().is_empty()));
        check_strings(&key, &old, &new, &reasons)?;
    }

    #[test]
    fn a_further_edit_of_another_member_takes_no_reason_away(
        (one_before, one_after) in two(),
        (two_before, two_after) in two(),
        members in prop::sample::select(&[
            ("inputSchema", "outputSchema"), ("outputSchema", "description"), ("inputSchema", "_meta"),
            ("_meta", "inputSchema"), ("description", "icons"), ("x-note", "execution"), ("annotations", "inputSchema"),
        ][..]),
    ) {
        let (one, two) = members;
        let before = tool(&[(one, &one_before), (two, &two_before)]);
        let less = reasons(Kind::Tool, &before, &tool(&[(one, &one_after), (two, &two_before)]));
        let more = reasons(Kind::Tool, &before, &tool(&[(one, &one_after), (two, &two_after)]));
        for reason in &less {
            prop_assert!(more.contains(reason), "{reason:?} is gone from {more:#?}");
        }
        prop_assert!(level(&less) <= level(&more));
    }

    #[test]
    fn a_further_edit_of_another_input_takes_no_rule_away(
        (one_before, one_after) in two(),
        (two_before, two_after) in two(),
    ) {
        // What a reference stands for is edited with what it refers to.
        if [&one_before, &one_after].iter().any(|one| strings(one).contains(&"$ref")) {
            return Ok(());
        }
        let schema = |one: &Value, two: &Value| {
            let inputs: Object = [("one".to_owned(), one.clone()), ("two".to_owned(), two.clone())].into_iter().collect();
            let mut schema = Object::default();
            schema.set("properties", Value::Object(inputs));
            tool(&[("inputSchema", &Value::Object(schema))])
        };
        let before = schema(&one_before, &two_before);
        let less = reasons(Kind::Tool, &before, &schema(&one_after, &two_before));
        let more = reasons(Kind::Tool, &before, &schema(&one_after, &two_after));
        let rules: BTreeSet<&str> = more.iter().map(|reason| reason.rule).collect();
        for reason in &less {
            // The other edit may only let the same place be judged higher: a keyword that another dialect reads
            // differently, a reference that an identifier moves.
            let higher = |other: &Reason| other.path == reason.path && other.level > reason.level;
            prop_assert!(
                rules.contains(reason.rule) || more.iter().any(higher),
                "{reason:?} is gone from {more:#?}"
            );
        }
        prop_assert!(level(&less) <= level(&more));
    }

    #[test]
    fn order_is_never_material(value in anything(), names in prop::collection::vec("[a-e]{1,2}", 0..6)) {
        let list = |names: &[String]| Value::Array(names.iter().map(|n| Value::from(n.as_str())).collect());
        let schema = |value: &Value, names: &[String]| {
            let mut schema = match value {
                Value::Object(object) => object.clone(),
                _ => Object::default(),
            };
            schema.set("required", list(names));
            tool(&[("inputSchema", &Value::Object(schema))])
        };
        let reversed: Vec<String> = names.iter().rev().cloned().collect();
        let mut other = value.clone();
        if let Value::Object(object) = &mut other {
            object.members_mut().reverse();
        }
        let reasons = reasons(Kind::Tool, &schema(&value, &names), &schema(&other, &reversed));
        prop_assert_ne!(level(&reasons), Some(Level::Material));
    }

    #[test]
    fn definitions_without_canonical_form_are_compared_too((before, after) in two()) {
        let doubled = |value: &Value| {
            let text = to_text(value);
            Item::raw(format!(r#"{{"name":"a","x":{text},"x":"\ud800","inputSchema":{text}}}"#).into_bytes())
        };
        let plain = Item::new(Kind::Tool, tool(&[("inputSchema", &before)]));
        let key = ItemKey::new(Kind::Tool, "a");
        for (old, new) in [(&plain, &doubled(&after)), (&doubled(&before), &plain), (&doubled(&before), &doubled(&after))] {
            let reasons = reasons_of(&key, old, new);
            if old.digest != new.digest {
                prop_assert_eq!(level(&reasons), Some(Level::Material));
            }
            check_strings(&key, old, new, &reasons)?;
        }
    }

    #[test]
    fn the_order_of_tools_does_not_count(values in prop::collection::vec(anything(), 1..4)) {
        let item = |at: usize, value: &Value| {
            let mut object = Object::default();
            object.set("name", Value::String(format!("t{at}")));
            object.set("inputSchema", value.clone());
            (ItemKey::new(Kind::Tool, format!("t{at}")), Item::new(Kind::Tool, Value::Object(object)))
        };
        let catalogue = |reverse: bool| {
            let mut items: Vec<_> = values.iter().enumerate().map(|(at, v)| item(at, v)).collect();
            if reverse {
                items.reverse();
            }
            Catalogue { items: items.into_iter().collect(), known: [Kind::Tool].into() }
        };
        let (one, other, none) = (catalogue(false), catalogue(true), BTreeMap::new());
        let pairing = pair(&one, &other, &none);
        prop_assert!(pairing.pairs.is_empty());
        prop_assert_eq!(pairing.unchanged, values.len());
    }
}

fn parsed(text: &str) -> Value {
    read(text.as_bytes(), Limits::default())
        .expect("legal JSON")
        .value
}

#[test]
fn a_thousand_levels_and_circles_come_to_an_end() {
    let nested = |keyword: &str, end: &str| {
        let mut text = "{\"type\":\"object\",".to_owned();
        for _ in 0..1_000 {
            write!(text, "\"{keyword}\":{{").expect("room for text");
        }
        text.push_str(end);
        text.extend(std::iter::repeat_n('}', 1_001));
        parsed(&text)
    };
    for keyword in ["items", "not", "properties", "x-deep"] {
        let before = tool(&[("inputSchema", &nested(keyword, r#""a":1"#))]);
        let after = tool(&[("inputSchema", &nested(keyword, r#""a":2"#))]);
        assert_eq!(
            level(&reasons(Kind::Tool, &before, &after)),
            Some(Level::Material),
            "{keyword}"
        );
    }
    let circle = |link: &str| {
        parsed(&format!(
            r##"{{"$ref":"#/$defs/A","$defs":{{
                "A":{{"properties":{{"b":{{"$ref":"#/$defs/B"}},"self":{{"$ref":"#"}}}}}},
                "B":{{"properties":{{"a":{{"$ref":"{link}"}}}}}}}}}}"##
        ))
    };
    let before = tool(&[("inputSchema", &circle("#/$defs/A"))]);
    let after = tool(&[("inputSchema", &circle("#"))]);
    assert!(!reasons(Kind::Tool, &before, &after).is_empty());
}

#[test]
fn references_that_double_at_every_step_come_to_an_end() {
    let bomb = |name: &str| {
        let mut text =
            format!(r##"{{"properties":{{"x":{{"$ref":"#/$defs/{name}0"}}}},"$defs":{{"##);
        for at in 0..60 {
            let next = at + 1;
            write!(
                text,
                r##""{name}{at}":{{"anyOf":[{{"$ref":"#/$defs/{name}{next}"}},{{"not":{{"$ref":"#/$defs/{name}{next}"}}}}]}},"##
            )
            .expect("room for text");
        }
        write!(text, r#""{name}60":{{"type":"{name}"}}}}}}"#).expect("room for text");
        parsed(&text)
    };
    let before = tool(&[("inputSchema", &bomb("a"))]);
    let after = tool(&[("inputSchema", &bomb("b"))]);
    assert!(!reasons(Kind::Tool, &before, &after).is_empty());
}

#[test]
fn thousands_of_changed_tools_take_a_moment() {
    let catalogue = |text: &str| {
        let items = (0..10_000)
            .map(|at| {
                let definition = parsed(&format!(
                    r#"{{"name":"t{at}","description":"Does {at} {text}.","inputSchema":{{"type":"object",
                    "properties":{{"a":{{"type":"string","description":"{text}"}},"b":{{"enum":["x","y"]}}}}}}}}"#
                ));
                let key = ItemKey::new(Kind::Tool, format!("t{at}"));
                (key, Item::new(Kind::Tool, definition))
            })
            .collect();
        Catalogue {
            items,
            known: [Kind::Tool].into(),
        }
    };
    let (before, after, none) = (catalogue("one"), catalogue("two"), BTreeMap::new());
    let pairing = pair(&before, &after, &none);
    assert_eq!(pairing.pairs.len(), 10_000);
    let context = Context::default().with_names(before.items.keys().map(|key| &key.name));
    let count: usize = pairing
        .pairs
        .iter()
        .map(|pair| judge(pair, &context).len())
        .sum();
    assert_eq!(count, 20_000);
}
