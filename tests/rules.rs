//! Every rule hits its own pair of fixtures and, but for the exceptions written here, only it.

mod pairs;

use countersign::capture::Capture;
use countersign::catalogue::Catalogue;
use countersign::json::Limits;
use countersign::model::Level;
use countersign::pair::pair;
use countersign::rules::{self, Context, RULES};
use countersign::secret::Secrets;
use pairs::{catalogue, folder, reasons};
use std::collections::{BTreeMap, BTreeSet};

/// Rules that fit the fixtures of another one too, and why that cannot be otherwise.
const ALSO: &[(&str, &[&str], &str)] = &[
    (
        "hidden-text",
        &["description-changed"],
        "hidden characters are part of the words that they stand among",
    ),
    (
        "list-collapsed",
        &["item-removed"],
        "a list collapses by items that are gone",
    ),
    (
        "duplicate-member",
        &["description-changed"],
        "the second member of the name is a text that was not there",
    ),
    (
        "malformed-item",
        &["text-widened"],
        "a bound that no reader computes with bounds nothing for sure",
    ),
];

/// What came is one rule, what went another. A gap carries its reason.
const SYMMETRY: &[(&str, Result<&str, &str>)] = &[
    ("input-added", Ok("input-removed")),
    ("item-added", Ok("item-removed")),
    (
        "item-returned",
        Err("what is gone again is `item-removed` like any other"),
    ),
    ("text-widened", Ok("type-tightened")),
    ("value-added", Ok("enum-tightened")),
    ("hint-changed", Ok("hint-spelled-out")),
    ("dialect-unknown", Ok("dialect-changed")),
    ("launch-changed", Ok("environment-changed")),
    ("server-text-changed", Ok("server-info-changed")),
    ("output-wording-changed", Ok("output-schema-changed")),
    ("meta-wording-changed", Ok("meta-changed")),
    (
        "server-added",
        Err(
            "a server that no configuration names any more is listed by `servers` and dropped by `prune`",
        ),
    ),
    (
        "external-reference",
        Err("one that is gone accepts what cannot be known: `text-widened`"),
    ),
    (
        "header-exposed",
        Err(
            "an input that travels as a header no longer is the same rule: headers were what was reviewed",
        ),
    ),
    (
        "hidden-text",
        Err("hidden characters that are gone are told by the rule of the text that they stood in"),
    ),
    (
        "list-collapsed",
        Err("a list that grows is `item-added`, item by item"),
    ),
    (
        "ambiguous-name",
        Err("a definition that has one reading again is told by `malformed-item`"),
    ),
];

#[test]
fn every_rule_hits_its_fixtures_and_only_it() {
    for rule in RULES {
        let hit: BTreeSet<&str> = reasons(rule.id).iter().map(|reason| reason.rule).collect();
        let also = ALSO.iter().find(|(id, _, _)| *id == rule.id);
        let mut expected: BTreeSet<&str> = [rule.id].into();
        expected.extend(also.into_iter().flat_map(|(_, also, _)| also.iter()));
        assert_eq!(hit, expected, "{}", rule.id);
    }
}

#[test]
fn every_folder_of_fixtures_has_its_rule() {
    let folders = std::fs::read_dir(folder("")).expect("fixtures");
    for entry in folders {
        let name = entry.expect("an entry").file_name();
        let id = name.to_str().expect("a plain name");
        assert!(rules::rule(id).is_some(), "{id}");
    }
}

#[test]
fn reasons_carry_the_level_of_their_rule_and_a_sentence() {
    for rule in RULES {
        for reason in reasons(rule.id) {
            let own = rules::rule(reason.rule).expect("a known rule");
            assert_eq!(reason.level, own.level);
            assert!(reason.message.len() > 10, "{}: {}", rule.id, reason.message);
            assert!(!reason.message.ends_with('.'), "{}", reason.message);
        }
    }
}

#[test]
fn ids_are_stable() {
    let of = |level| -> Vec<&str> {
        let mut ids: Vec<&str> = RULES
            .iter()
            .filter(|rule| rule.level == level)
            .map(|rule| rule.id)
            .collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!(
        of(Level::Material),
        [
            "ambiguous-name",
            "description-changed",
            "dialect-unknown",
            "duplicate-member",
            "external-reference",
            "header-exposed",
            "hidden-text",
            "hint-changed",
            "input-added",
            "instructions-changed",
            "item-added",
            "item-returned",
            "launch-changed",
            "list-collapsed",
            "malformed-item",
            "meta-wording-changed",
            "output-wording-changed",
            "prompt-changed",
            "resource-changed",
            "server-added",
            "server-text-changed",
            "text-widened",
            "title-changed",
            "unclassified",
            "value-added",
            "wording-changed",
        ]
    );
    assert_eq!(
        of(Level::Minor),
        [
            "additional-properties-changed",
            "blank-changed",
            "capabilities-changed",
            "constraint-changed",
            "dialect-changed",
            "enum-tightened",
            "environment-changed",
            "execution-changed",
            "hint-spelled-out",
            "icons-changed",
            "input-removed",
            "item-removed",
            "major-version",
            "meta-changed",
            "order-changed",
            "output-schema-changed",
            "references-inlined",
            "required-changed",
            "schema-edited",
            "server-info-changed",
            "title-generated",
            "type-changed",
            "type-tightened",
        ]
    );
}

#[test]
fn every_material_rule_has_a_harmless_counterpart_or_a_written_reason() {
    // Words that differ have `blank-changed` and `title-generated`; these are what is no text.
    let words = [
        "title-changed",
        "description-changed",
        "wording-changed",
        "instructions-changed",
        "prompt-changed",
        "resource-changed",
        "unclassified",
        "duplicate-member",
        "malformed-item",
    ];
    for rule in RULES.iter().filter(|rule| rule.level == Level::Material) {
        let written = SYMMETRY.iter().find(|(id, _)| *id == rule.id);
        match written {
            Some((_, Ok(other))) => {
                let other = rules::rule(other).expect("a known rule");
                assert_eq!(other.level, Level::Minor, "{}", rule.id);
            }
            Some((_, Err(reason))) => assert!(!reason.is_empty()),
            None => assert!(words.contains(&rule.id), "{}: no counterpart", rule.id),
        }
    }
}

#[test]
fn the_other_way_round_every_fixture_gives_reasons_too() {
    for rule in RULES {
        let (before, after) = (
            catalogue(rule.id, "after.json"),
            catalogue(rule.id, "before.json"),
        );
        let none = BTreeMap::new();
        for pair in pair(&before, &after, &none).pairs {
            let reasons = rules::judge(&pair, &Context::default());
            assert!(!reasons.is_empty(), "{}", rule.id);
        }
    }
}

#[test]
fn warnings_name_the_rule_and_the_tool() {
    let bytes = r#"{"instructions":"Use me first.","tools":[
        {"name":"bad name","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}},
        {"name":"open","inputSchema":{"type":"object"}},
        {"name":"closed","inputSchema":{"type":"object","additionalProperties":false}},
        {"name":"none"},
        {"name":"ref","annotations":{"readOnlyHint":true},
         "inputSchema":{"type":"object","$schema":"x:y","properties":{"a":{"$ref":"http://h.invalid"}}}},
        {"name":"head","description":"a\u200bb","inputSchema":{"type":"object","properties":{
            "a":{"type":"number","x-mcp-header":"A"}}}},
        {"name":"fine","inputSchema":{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"}}}},
        {"name":"f\u0456ne","inputSchema":{"type":"object","properties":{"a":{}}}}]}"#;
    let capture = Capture::from_file(bytes.into(), Limits::default()).expect("a list");
    let (catalogue, _) = Catalogue::from_capture(&capture, &Secrets::default()).expect("items");
    let told = |warnings: Vec<countersign::model::Warning>| -> Vec<(&str, String)> {
        warnings.into_iter().map(|w| (w.rule, w.path)).collect()
    };
    let one = |rule, path: &str| (rule, path.to_owned());
    assert_eq!(
        told(rules::warnings(&catalogue)),
        [
            one("tool-name", ""),
            one("header-drops-tool", "head"),
            one("input-schema", "none"),
            one("open-input", "open"),
            one("dialect-unknown", "ref"),
            one("look-alike", "fine"),
        ]
    );
    assert_eq!(
        told(rules::first_sight(&catalogue)),
        [
            one("instructions", "instructions"),
            one("hidden-text", "head"),
            one("read-only-claim", "ref"),
            one("header-exposed", ""),
            one("external-reference", "ref"),
        ]
    );
}
