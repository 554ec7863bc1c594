//! What a guard makes of one item: of its place in a list, and of its use (SPEC, section 8). Pure.

use crate::policy::{AllowChanges, Rule, Settings};

/// How the definition that a server has now stands beside the accepted one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It is the accepted one, or differs from it in nothing material.
    Accepted,
    /// It differs materially, and nobody acknowledged that: the rules that it hit.
    Drifted(Vec<&'static str>),
    /// There is no accepted one.
    New,
}

/// What becomes of an item in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// It is listed as the server has it.
    AsSent,
    /// It is listed as it was accepted.
    AsAccepted,
    /// It is listed as the server has it, marked `unsecure`.
    Marked,
    /// It is left out.
    Withheld,
}

/// What becomes of the use of an item, the laxest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// It goes to the server.
    Pass,
    /// It waits until a person lets this one through.
    Hold,
    /// It is answered with a refusal.
    Refuse,
}

/// Both, and why in one sentence for whoever asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Its place in a list.
    pub listing: Listing,
    /// Its use.
    pub usage: Use,
    /// Why, where it is not simply passed; otherwise empty.
    pub why: String,
}

/// Decides: a block first, then drift under `allowChanges`, then the standing rule.
pub fn decide(settings: &Settings, standing: &Standing) -> Verdict {
    let verdict = |listing, usage, why: String| Verdict {
        listing,
        usage,
        why,
    };
    let asks = settings.rule == Rule::Ask;
    let asked = "the policy asks for a person's approval of each use".to_owned();
    if settings.rule == Rule::Block {
        return verdict(
            Listing::Withheld,
            Use::Refuse,
            "the policy blocks it".to_owned(),
        );
    }
    match standing {
        Standing::Drifted(rules) => {
            let why = format!(
                "its definition changed since it was reviewed ({})",
                rules.join(", ")
            );
            match settings.allow_changes {
                AllowChanges::Off => verdict(Listing::Withheld, Use::Refuse, why),
                AllowChanges::Ask => verdict(Listing::AsAccepted, Use::Hold, why),
                AllowChanges::On if asks => verdict(Listing::Marked, Use::Hold, asked),
                AllowChanges::On => verdict(Listing::Marked, Use::Pass, why),
            }
        }
        Standing::New if !settings.new_items_become_baseline => verdict(
            Listing::AsSent,
            Use::Hold,
            "it is new, and nobody reviewed it yet".to_owned(),
        ),
        _ if asks => verdict(Listing::AsSent, Use::Hold, asked),
        _ => verdict(Listing::AsSent, Use::Pass, String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(rule: Rule, allow_changes: AllowChanges, baseline: bool) -> Settings {
        Settings {
            reviewers: 1,
            require_note: false,
            new_items_become_baseline: baseline,
            rule,
            allow_changes,
        }
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "one table")]
    fn each_rule_meets_each_standing() {
        use AllowChanges::{Ask as HoldDrift, Off, On};
        let drifted = Standing::Drifted(vec!["description-changed"]);
        for (rule, changes, baseline, standing, listing, usage) in [
            (
                Rule::Allow,
                Off,
                false,
                &Standing::Accepted,
                Listing::AsSent,
                Use::Pass,
            ),
            (
                Rule::Ask,
                Off,
                false,
                &Standing::Accepted,
                Listing::AsSent,
                Use::Hold,
            ),
            (
                Rule::Block,
                On,
                true,
                &Standing::Accepted,
                Listing::Withheld,
                Use::Refuse,
            ),
            (
                Rule::Block,
                On,
                true,
                &drifted,
                Listing::Withheld,
                Use::Refuse,
            ),
            (
                Rule::Allow,
                Off,
                true,
                &drifted,
                Listing::Withheld,
                Use::Refuse,
            ),
            (
                Rule::Ask,
                Off,
                true,
                &drifted,
                Listing::Withheld,
                Use::Refuse,
            ),
            (
                Rule::Allow,
                HoldDrift,
                true,
                &drifted,
                Listing::AsAccepted,
                Use::Hold,
            ),
            (Rule::Allow, On, false, &drifted, Listing::Marked, Use::Pass),
            (Rule::Ask, On, false, &drifted, Listing::Marked, Use::Hold),
            (
                Rule::Allow,
                On,
                false,
                &Standing::New,
                Listing::AsSent,
                Use::Hold,
            ),
            (
                Rule::Allow,
                Off,
                true,
                &Standing::New,
                Listing::AsSent,
                Use::Pass,
            ),
            (
                Rule::Ask,
                Off,
                true,
                &Standing::New,
                Listing::AsSent,
                Use::Hold,
            ),
            (
                Rule::Block,
                Off,
                true,
                &Standing::New,
                Listing::Withheld,
                Use::Refuse,
            ),
        ] {
            let found = decide(&settings(rule, changes, baseline), standing);
            assert_eq!(
                (found.listing, found.usage),
                (listing, usage),
                "{rule:?} {changes:?} {baseline} {standing:?}"
            );
            let is_plain = (listing, usage) == (Listing::AsSent, Use::Pass);
            assert_eq!(found.why.is_empty(), is_plain, "{}", found.why);
        }
    }
}
