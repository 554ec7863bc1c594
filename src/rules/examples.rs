//! What shows a rule at work: made of its fixtures by `tests/generated.rs`, so that no example is ever wrong.

/// Blocks parted by an empty line: the id, the sentence of a reason, and what differs, line by line.
static EXAMPLES: &str = include_str!("examples.txt");

/// A difference that a rule fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// The sentence of its reason.
    pub says: &'static str,
    /// What differs: lines that went start with `-`, lines that came with `+`, others with a blank.
    pub diff: &'static str,
}

/// The example of the rule with an id.
pub fn example(id: &str) -> Option<Example> {
    EXAMPLES.split("\n\n").find_map(|block| {
        let (known, rest) = block.split_once('\n')?;
        let (says, diff) = rest.split_once('\n')?;
        let diff = diff.trim_end_matches('\n');
        (known == id).then_some(Example { says, diff })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RULES;

    #[test]
    fn every_rule_has_an_example_that_differs() {
        for rule in RULES {
            let example = example(rule.id).expect(rule.id);
            assert!(!example.says.is_empty() && !example.diff.is_empty());
            let marks = |line: &str| line.starts_with(['+', '-', ' ']);
            assert!(example.diff.lines().all(marks), "{}", rule.id);
        }
    }
}
