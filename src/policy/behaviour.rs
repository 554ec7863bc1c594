//! What an item may do while a guard stands before it, as the policy and its review have it (SPEC, section 8).

use super::{AllowChanges, Rule, Settings};

/// What becomes of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behaviour {
    /// It is listed, and may be used.
    Listed,
    /// It is listed, and each use is asked for.
    Asks,
    /// It is left out until somebody has reviewed what became of it.
    Withheld,
    /// It is listed as it is now, marked, and may be used.
    Marked,
    /// It is left out, whatever else is said of it.
    Blocked,
}

impl Behaviour {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Asks => "asks",
            Self::Withheld => "withheld",
            Self::Marked => "marked",
            Self::Blocked => "blocked",
        }
    }
}

/// What becomes of an item, and why: a block first, then drift under `allowChanges`, then the standing rule, which drift
/// never softens. `drifted` says that a material change of it waits.
pub fn behaviour(
    settings: &Settings,
    drifted: bool,
    has_baseline: bool,
) -> (Behaviour, &'static str) {
    let asks = settings.rule == Rule::Ask;
    if settings.rule == Rule::Block {
        (Behaviour::Blocked, "the policy blocks it")
    } else if !has_baseline && !settings.new_items_become_baseline {
        (Behaviour::Asks, "it is new, and nobody reviewed it yet")
    } else if has_baseline && drifted {
        match settings.allow_changes {
            AllowChanges::Off => (Behaviour::Withheld, "a change of it waits for a review"),
            AllowChanges::Ask => (
                Behaviour::Asks,
                "a change of it waits; listed as it was accepted",
            ),
            AllowChanges::On if asks => (Behaviour::Asks, "the policy asks for each use"),
            AllowChanges::On => (
                Behaviour::Marked,
                "a change of it waits; the policy lets it pass",
            ),
        }
    } else if asks {
        (Behaviour::Asks, "the policy asks for each use")
    } else {
        (Behaviour::Listed, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_comes_first_then_drift_then_the_rule() {
        use Behaviour::{Asks, Blocked, Listed, Marked, Withheld};
        for (rule, allow_changes, drifted, has_baseline, wanted) in [
            (Rule::Allow, AllowChanges::Off, false, true, Listed),
            (Rule::Ask, AllowChanges::Off, false, true, Asks),
            (Rule::Block, AllowChanges::On, false, true, Blocked),
            (Rule::Block, AllowChanges::On, true, true, Blocked),
            (Rule::Allow, AllowChanges::Off, true, true, Withheld),
            (Rule::Ask, AllowChanges::Off, true, true, Withheld),
            (Rule::Allow, AllowChanges::Ask, true, true, Asks),
            (Rule::Allow, AllowChanges::On, true, true, Marked),
            (Rule::Ask, AllowChanges::On, true, true, Asks),
            (Rule::Allow, AllowChanges::On, true, false, Asks),
        ] {
            let settings = Settings {
                reviewers: 1,
                require_note: false,
                new_items_become_baseline: false,
                rule,
                allow_changes,
            };
            let (found, why) = behaviour(&settings, drifted, has_baseline);
            assert_eq!(found, wanted, "{rule:?} {allow_changes:?} {drifted}");
            assert_eq!(why.is_empty(), found == Listed);
        }
    }

    #[test]
    fn a_new_item_is_as_any_other_where_the_policy_takes_it_in() {
        let settings = Settings {
            reviewers: 1,
            require_note: false,
            new_items_become_baseline: true,
            rule: Rule::Allow,
            allow_changes: AllowChanges::Off,
        };
        assert_eq!(behaviour(&settings, false, false).0, Behaviour::Listed);
    }
}
