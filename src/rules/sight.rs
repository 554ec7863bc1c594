//! What one catalogue alone shows: what is odd about it, and what deserves a look before it becomes a baseline.

use super::names::Names;
use super::wording::hiding;
use super::words;
use crate::catalogue::{Catalogue, Item};
use crate::diff::keyword::{Dialect, HEADER, is_token};
use crate::diff::survey::{Named, Survey};
use crate::diff::{effective_hint, flaws_of};
use crate::json::{Object, Value};
use crate::model::{ItemKey, Kind, Warning, part};
use crate::parallel;
use crate::text::hidden::{decoded, hidden};
use std::collections::BTreeSet;

/// Names as the protocol wants them (2025-11-25, "Tool names").
const NAME_LENGTH: std::ops::RangeInclusive<usize> = 1..=128;

/// One oddity of a tool.
struct Check {
    rule: &'static str,
    fits: fn(&str, &Object) -> bool,
    what: &'static str,
}

const CHECKS: [Check; 5] = [
    Check {
        rule: "tool-name",
        fits: |name, _| !is_regular(name),
        what: "named outside the protocol's rules (1 to 128 letters, digits, `_`, `-`, `.`); some clients refuse such names",
    },
    Check {
        rule: "header-drops-tool",
        fits: |_, tool| drops_tool(tool),
        what: "an `x-mcp-header` against the rules: clients that speak HTTP must leave the tool out",
    },
    Check {
        rule: "input-schema",
        fits: |_, tool| !describes_object(tool),
        what: "the input schema is none that describes an object; some clients refuse the tool",
    },
    Check {
        rule: "open-input",
        fits: |_, tool| is_open(tool),
        what: "declares no input yet accepts anything (no `additionalProperties: false`)",
    },
    Check {
        rule: "dialect-unknown",
        fits: |_, tool| has_unknown_dialect(tool),
        what: "`$schema` names no known dialect; clients will read the schema differently",
    },
];

/// What deserves a look at first sight.
const CLAIMS: [Check; 3] = [
    Check {
        rule: "read-only-claim",
        fits: |_, tool| {
            let annotations = tool.get("annotations").and_then(Value::as_object);
            annotations.is_some() && effective_hint(annotations, "readOnlyHint") == Some(true)
        },
        what: "claims to be read-only, which nobody checks; some clients do not ask before calling it",
    },
    Check {
        rule: "header-exposed",
        fits: |_, tool| schemas(tool).any(|survey| !survey.headers.is_empty()),
        what: "sends an input as an HTTP header, where everything on the way can read and log it",
    },
    Check {
        rule: "external-reference",
        fits: |_, tool| schemas(tool).any(|survey| !survey.external.is_empty()),
        what: "refers to another document, which is not followed and can change by itself",
    },
];

/// What is odd about a catalogue and never blocks: one warning a rule, with the tools it is about.
pub fn warnings(catalogue: &Catalogue) -> Vec<Warning> {
    let mut found = checked(catalogue, &CHECKS);
    let flawed = catalogue
        .items
        .iter()
        .filter(|(_, item)| !flaws_of(item).is_empty())
        .map(|(key, _)| key.name.as_str())
        .collect();
    found.extend(about(
        "malformed-item",
        "read differently by different clients: duplicate members, half characters, or two definitions under one name",
        flawed,
    ));
    found.extend(look_alike_names(catalogue));
    found
}

/// What deserves a look before a catalogue becomes a baseline.
pub fn first_sight(catalogue: &Catalogue) -> Vec<Warning> {
    let mut found = Vec::new();
    if let Some(item) = catalogue.items.get(&ItemKey::part(part::INSTRUCTIONS)) {
        let text = item.definition.value().as_str().unwrap_or_default();
        found.push(
            Warning::new(
                "instructions",
                "the server gives instructions that clients put into the system prompt: read them",
            )
            .at(part::INSTRUCTIONS)
            .with_text(text),
        );
    }
    for (key, item) in &catalogue.items {
        let value = item.definition.glance();
        let hiding = hiding(&value);
        if hiding.is_empty() && hidden(key.name.as_str()).is_empty() {
            continue;
        }
        let spells = hiding
            .iter()
            .map(|text| decoded(text))
            .collect::<Vec<_>>()
            .concat();
        let spells = if spells.is_empty() {
            String::new()
        } else {
            format!("; hidden text: {}", words::quote_hidden(&spells))
        };
        let name = words::quote(key.name.as_str());
        found.push(
            Warning::new(
                "hidden-text",
                format!("invisible characters in {name}{spells}"),
            )
            .at(key.name.as_str()),
        );
    }
    found.extend(checked(catalogue, &CLAIMS));
    found
}

/// One warning for each check that a tool fits.
fn checked(catalogue: &Catalogue, checks: &[Check]) -> Vec<Warning> {
    let tools: Vec<(&ItemKey, &Item)> = catalogue.of(Kind::Tool).collect();
    // Each tool is looked at once, and its value is not kept.
    let fits = parallel::map(&tools, |(key, item)| -> Vec<bool> {
        let value = item.definition.glance();
        let tool = value.as_object();
        let fits = |check: &Check| tool.is_some_and(|tool| (check.fits)(key.name.as_str(), tool));
        checks.iter().map(fits).collect()
    });
    let about = |(at, check): (usize, &Check)| {
        let fitting = tools.iter().zip(&fits).filter(|(_, fits)| fits[at]);
        let names = fitting.map(|((key, _), _)| key.name.as_str()).collect();
        about(check.rule, check.what, names)
    };
    checks.iter().enumerate().filter_map(about).collect()
}

/// One warning about all the tools that a rule fits: how many, which, and what it is.
fn about(rule: &'static str, what: &str, names: Vec<&str>) -> Option<Warning> {
    let first = (*names.first()?).to_owned();
    let count = names.len();
    let tools = if count == 1 {
        words::quote(&first)
    } else {
        format!("{count} items ({})", words::list(names))
    };
    let path = if count == 1 { first } else { String::new() };
    Some(Warning::new(rule, format!("{tools}: {what}")).at(path))
}

fn schemas(tool: &Object) -> impl Iterator<Item = Survey<'_>> {
    ["inputSchema", "outputSchema"]
        .into_iter()
        .filter_map(|member| tool.get(member))
        .map(|schema| Survey::of(schema, Named::Not))
}

fn is_regular(name: &str) -> bool {
    NAME_LENGTH.contains(&name.chars().count())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

fn describes_object(tool: &Object) -> bool {
    tool.get("inputSchema")
        .and_then(Value::as_object)
        .is_some_and(|schema| schema.text("type") == Some("object"))
}

/// Whether a tool declares no input and refuses none.
fn is_open(tool: &Object) -> bool {
    let Some(schema) = tool.get("inputSchema") else {
        return false;
    };
    let closed = ["additionalProperties", "unevaluatedProperties"]
        .iter()
        .any(|keyword| schema.get(keyword) == Some(&Value::Bool(false)));
    let refers = schema.get("$ref").is_some();
    // Most tools declare one outside, which is quick to see.
    let declares = || {
        let outside = schema.get("properties").and_then(Value::as_object);
        outside.is_some_and(|inputs| !inputs.is_empty())
            || !Survey::of(schema, Named::Not).inputs.is_empty()
    };
    !closed && !refers && !declares()
}

fn has_unknown_dialect(tool: &Object) -> bool {
    ["inputSchema", "outputSchema"].iter().any(|member| {
        let said = tool.get(member).and_then(|schema| schema.get("$schema"));
        said.is_some_and(|uri| uri.as_str().and_then(Dialect::named).is_none())
    })
}

/// Whether an HTTP client must leave the tool out for its headers (2026-07-28, "Transports", `x-mcp-header`): each
/// is a token, none twice, on a string, integer or boolean that is reached through `properties` alone.
fn drops_tool(tool: &Object) -> bool {
    let Some(schema) = tool.get("inputSchema") else {
        return false;
    };
    if !mentions(schema, HEADER) {
        return false;
    }
    let all = Survey::of(schema, Named::Not).headers.len();
    if all == 0 {
        return false;
    }
    let mut reached = Vec::new();
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        let properties = schema.get("properties").and_then(Value::as_object);
        for (_, property) in properties.into_iter().flat_map(Object::iter) {
            if let Some(header) = property.get(HEADER) {
                reached.push((header, property.get("type").and_then(Value::as_str)));
            }
            open.push(property);
        }
    }
    let mut seen = BTreeSet::new();
    let fine = reached.iter().all(|(header, kind)| {
        let token = header.as_str().filter(|text| is_token(text));
        let typed = matches!(kind, Some("string" | "integer" | "boolean"));
        typed && token.is_some_and(|text| seen.insert(text.to_ascii_lowercase()))
    });
    !fine || reached.len() != all
}

/// Whether a member of that name stands anywhere in a value.
fn mentions(value: &Value, name: &str) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(elements) => open.extend(elements),
            Value::Object(object) => {
                if object.get(name).is_some() {
                    return true;
                }
                open.extend(object.iter().map(|(_, member)| member));
            }
            _ => {}
        }
    }
    false
}

/// Tools of one catalogue whose names look alike.
fn look_alike_names(catalogue: &Catalogue) -> Vec<Warning> {
    let names = || catalogue.of(Kind::Tool).map(|(key, _)| &key.name);
    let mut known = Names::default();
    known.add(names());
    names()
        .filter_map(|name| {
            let twins: Vec<&str> = known
                .like(name.as_str())
                .filter(|twin| *twin != name.as_str())
                .collect();
            let first = twins.iter().all(|twin| name.as_str() < *twin);
            (!twins.is_empty() && first).then(|| {
                Warning::new(
                    "look-alike",
                    format!(
                        "{} looks like {}",
                        words::quote(name.as_str()),
                        words::list(twins)
                    ),
                )
                .at(name.as_str())
            })
        })
        .collect()
}
