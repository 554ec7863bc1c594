//! What the lockfile says about one server, asked item by item. Pure.

use super::verdict::{Listing, Standing, Use, Verdict, decide};
use crate::catalogue::{Catalogue, Item};
use crate::json::Limits;
use crate::lockfile::{Lockfile, Server};
use crate::model::{ItemKey, Kind, Level, ServerName};
use crate::pair::pair;
use crate::policy::{self, Judging};
use crate::rules::{self, Context};
use crate::secret::Secrets;
use std::collections::{BTreeMap, BTreeSet};

/// One server's part of a lockfile, and what it is judged by.
#[derive(Debug, Clone)]
pub struct Account {
    name: ServerName,
    lockfile: Lockfile,
    judging: Judging,
    /// What no stored text may hold; redacted in definitions before they are compared, as it was when they were
    /// accepted.
    pub secrets: Secrets,
    /// How much is read of what is judged.
    pub limits: Limits,
}

impl Account {
    /// Of a server that the lockfile holds; `None` if it does not.
    pub fn new(
        lockfile: Lockfile,
        name: ServerName,
        secrets: Secrets,
        limits: Limits,
    ) -> Option<Self> {
        lockfile.servers.get(&name)?;
        Some(Self {
            judging: policy::judging(&lockfile, &name),
            name,
            lockfile,
            secrets,
            limits,
        })
    }

    /// The server's name.
    pub fn name(&self) -> &ServerName {
        &self.name
    }

    /// Whether another account says the same of its server.
    pub fn says_the_same(&self, other: &Self) -> bool {
        self.lockfile.policy == other.lockfile.policy && self.locked() == other.locked()
    }

    fn locked(&self) -> Option<&Server> {
        self.lockfile.servers.get(&self.name)
    }

    /// The accepted definition of an item, or the last one that was, if it counts as gone.
    pub fn accepted(&self, key: &ItemKey) -> Option<&Item> {
        Some(&self.locked()?.entries.get(key)?.item)
    }

    /// What becomes of an item that the server has now.
    pub fn verdict(&self, key: &ItemKey, current: &Item) -> Verdict {
        let settings = policy::of(&self.lockfile, &self.name, key);
        decide(&settings, &self.standing(key, current))
    }

    /// What becomes of text that the server says of itself: it cannot be held, so what nobody reviewed is withheld.
    pub fn verdict_on_part(&self, key: &ItemKey, current: &Item) -> Verdict {
        let settings = policy::of(&self.lockfile, &self.name, key);
        let standing = self.standing(key, current);
        let mut verdict = decide(&settings, &standing);
        if standing == Standing::New && verdict.usage == Use::Hold {
            verdict.listing = Listing::Withheld;
        }
        verdict
    }

    /// The standing rule for an item of which nothing else is known.
    pub fn rule(&self, key: &ItemKey) -> policy::Rule {
        policy::of(&self.lockfile, &self.name, key).rule
    }

    /// The items of a kind that the policy blocks: accepted ones, and those that it names.
    pub fn blocked(&self, kind: Kind) -> BTreeSet<ItemKey> {
        let entries = self.locked().map(|server| server.entries.keys().cloned());
        let named = policy::named(&self.lockfile, &self.name);
        let all = entries.into_iter().flatten().chain(named);
        all.filter(|key| key.kind == kind && self.rule(key) == policy::Rule::Block)
            .collect()
    }

    fn standing(&self, key: &ItemKey, current: &Item) -> Standing {
        let Some(entry) = self.locked().and_then(|server| server.entries.get(key)) else {
            return Standing::New;
        };
        if !entry.removed && entry.item.digest == current.digest {
            return Standing::Accepted;
        }
        // One item alone: what else the server has makes no difference to how this one is judged.
        let alone = |item: &Item| Catalogue {
            items: [(key.clone(), item.clone())].into(),
            known: [key.kind].into(),
        };
        let accepted = alone(&entry.item);
        let (baseline, removed) = if entry.removed {
            (Catalogue::default(), accepted.items)
        } else {
            (accepted, BTreeMap::new())
        };
        let current = alone(current);
        let pairing = pair(&baseline, &current, &removed);
        let mut hit: Vec<&'static str> = Vec::new();
        self.judging.apply(Context::default(), |context| {
            for pair in &pairing.pairs {
                let reasons = rules::judgement(pair, context).reasons.into_iter();
                let material = reasons.filter(|reason| reason.level == Level::Material);
                hit.extend(material.map(|reason| reason.rule));
            }
        });
        hit.sort_unstable();
        hit.dedup();
        if hit.is_empty() {
            Standing::Accepted
        } else {
            Standing::Drifted(hit)
        }
    }
}
