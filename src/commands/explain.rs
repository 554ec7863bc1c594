//! `diff --explain`: what a rule means.

use super::Output;
use super::world::World;
use crate::model::Problem;
use crate::render::Format;
use crate::rules::{self, RULES, Rule};

/// One rule, or all of them where the name is empty.
pub(super) fn run(world: &World, name: &str) -> Result<Output, Problem> {
    let chosen: Vec<&Rule> = RULES
        .iter()
        .copied()
        .filter(|rule| name.is_empty() || rule.id == name)
        .collect();
    if chosen.is_empty() {
        let problem = Problem::new("usage", format!("there is no rule `{name}`"));
        return Err(match rules::nearest(name) {
            Some(near) => problem.with_hint(format!("countersign diff --explain {near}")),
            None => problem.with_hint("countersign diff --explain   (lists all of them)"),
        });
    }
    let stdout = match world.common.format {
        Format::Json => {
            let rules: Vec<serde_json::Value> = chosen
                .iter()
                .map(|rule| {
                    let example = rules::example(rule.id)
                        .map(|example| serde_json::json!({"says": example.says, "diff": example.diff}));
                    serde_json::json!({
                        "id": rule.id, "level": rule.level.to_string(), "title": rule.title, "why": rule.why,
                        "example": example,
                    })
                })
                .collect();
            format!("{:#}\n", serde_json::json!({ "rules": rules }))
        }
        _ => chosen
            .iter()
            .map(|rule| words(rule, chosen.len() == 1))
            .collect::<Vec<_>>()
            .join("\n"),
    };
    Ok(Output {
        stdout,
        stderr: String::new(),
        status: 0,
    })
}

fn words(rule: &Rule, with_example: bool) -> String {
    let mut out = format!(
        "{} ({})\n  {}\n  {}\n",
        rule.id, rule.level, rule.title, rule.why
    );
    if let Some(example) = rules::example(rule.id).filter(|_| with_example) {
        out.push_str("  for example: ");
        out.push_str(example.says);
        for line in example.diff.lines() {
            out.push_str("\n    ");
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}
