//! Standing rules of the lockfile, as far as they decide what the gate, `ack` and a guard do.
//!
//! A setting of an item beats that of its server, which beats that of the file (SPEC, section 8).

mod behaviour;
mod due;

pub use behaviour::{Behaviour, behaviour};
pub use due::{Flag, ServerSettings, due, last_review, of_server};

use crate::json::{Object, Value};
use crate::lockfile::Lockfile;
use crate::lockfile::volatile::{Template, only_holes_differ};
use crate::model::{ItemKey, Kind, Level, Pointer, ServerName, Warning};
use crate::pair::Event;
use crate::report::Change;
use crate::rules::{self, Context};
use std::collections::BTreeMap;

/// What holds for one item, but for how its changes are judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// How many different names must acknowledge a change before the baseline moves.
    pub reviewers: usize,
    /// Whether an acknowledgement must say why.
    pub require_note: bool,
    /// Whether `snapshot` takes it into the lockfile where it is new.
    pub new_items_become_baseline: bool,
    /// What becomes of its calls while nothing about it waits.
    pub rule: Rule,
    /// What becomes of it while a material change of it waits.
    pub allow_changes: AllowChanges,
}

/// The standing rule of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rule {
    /// It may be used.
    #[default]
    Allow,
    /// Each use of it is asked for.
    Ask,
    /// It is withheld, whatever else is said of it.
    Block,
}

/// What unacknowledged material drift of an item does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AllowChanges {
    /// It is withheld until somebody has reviewed it.
    #[default]
    Off,
    /// It stays listed under its accepted definition, and each use of it is asked for.
    Ask,
    /// It is delivered, marked.
    On,
}

/// How the changes of one server are judged, where not by the rules alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judging {
    /// Levels by rule, for every item.
    levels: BTreeMap<&'static str, Level>,
    /// The rules that the server's own policy gives a level.
    own: Vec<&'static str>,
    /// What holds for single items only.
    items: BTreeMap<ItemKey, ItemJudging>,
    /// What holds for the others; `None` where there is no lockfile.
    settings: Option<Settings>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct ItemJudging {
    settings: Settings,
    levels: BTreeMap<&'static str, Level>,
    volatile: BTreeMap<String, Vec<Template>>,
}

/// The settings of one item of a server.
pub fn of(lockfile: &Lockfile, server: &ServerName, key: &ItemKey) -> Settings {
    let own = lockfile.servers.get(server).map(|server| &server.policy);
    let item = own.and_then(|policy| of_item(policy, key));
    Settings::of([item, own, Some(&lockfile.policy)])
}

/// The settings of the items of a server that have none of their own.
pub fn of_others(lockfile: &Lockfile, server: &ServerName) -> Settings {
    let own = lockfile.servers.get(server).map(|server| &server.policy);
    Settings::of([None, own, Some(&lockfile.policy)])
}

impl Settings {
    /// What some policies come to, the one that beats the others first.
    fn of(policies: [Option<&Object>; 3]) -> Self {
        let setting = |name: &str| {
            let mut policies = policies.into_iter().flatten();
            policies.find_map(|policy| policy.get(name))
        };
        Self {
            // What is no such number is refused when the file is read.
            reviewers: match setting("reviewers") {
                Some(Value::Number(text)) => text.parse().unwrap_or(usize::MAX),
                _ => 1,
            },
            require_note: setting("requireNote")
                .and_then(Value::as_bool)
                .unwrap_or(false),
            new_items_become_baseline: setting("newItems").and_then(Value::as_str)
                == Some("baseline"),
            rule: match setting("rule").and_then(Value::as_str) {
                None | Some("allow") => Rule::Allow,
                Some("ask") => Rule::Ask,
                Some(_) => Rule::Block,
            },
            allow_changes: match setting("allowChanges").and_then(Value::as_str) {
                Some("on") => AllowChanges::On,
                Some("ask") => AllowChanges::Ask,
                _ => AllowChanges::Off,
            },
        }
    }
}

/// How the changes of a server are judged.
pub fn judging(lockfile: &Lockfile, server: &ServerName) -> Judging {
    let own = lockfile.servers.get(server).map(|server| &server.policy);
    Judging::of(&lockfile.policy, own)
}

/// What is lowered for every server, to be told once.
pub fn lowered(lockfile: &Lockfile) -> Vec<Warning> {
    let lowered = lowered_of(&levels(&lockfile.policy)).into_iter();
    lowered
        .map(|rule| level_lowered(rule, "of every server"))
        .collect()
}

impl Judging {
    fn of(top: &Object, own: Option<&Object>) -> Self {
        let mut all = levels(top);
        let own_levels = own.map(levels).unwrap_or_default();
        let own_rules = own_levels.keys().copied().collect();
        all.extend(own_levels);
        let settings = |item| Settings::of([item, own, Some(top)]);
        let items = own.and_then(|own| own.get(ITEMS)?.as_object());
        let items = items
            .into_iter()
            .flat_map(Object::iter)
            .filter_map(|(name, policy)| {
                let policy = policy.as_object()?;
                Some((key(name)?, ItemJudging::of(policy, settings(Some(policy)))))
            });
        Self {
            levels: all,
            own: own_rules,
            items: items.collect(),
            settings: Some(settings(None)),
        }
    }

    /// Judges two sides of a server by these rules: `judge` gets what knows them.
    pub fn apply<T>(&self, context: Context<'_>, judge: impl FnOnce(&Context<'_>) -> T) -> T {
        let moves = |key: &ItemKey, at: &Pointer, before: &str, after: &str| {
            let templates = self
                .items
                .get(key)
                .and_then(|item| item.volatile.get(at.as_str()));
            templates.is_some_and(|templates| only_holes_differ(templates, before, after))
        };
        let level = |key: &ItemKey, rule: &str| {
            let own = self.items.get(key).and_then(|item| item.levels.get(rule));
            own.or_else(|| self.levels.get(rule)).copied()
        };
        judge(&context.with_policy(&moves, &level))
    }

    /// Whether a change of an item that was accepted passes unreviewed, marked (`allowChanges: on`).
    pub fn marks(&self, change: &Change) -> bool {
        let is_drift = !matches!(change.event, Event::Added | Event::Removed);
        let of = |key: &ItemKey| {
            let own = self.items.get(key).map(|item| &item.settings);
            own.or(self.settings.as_ref())
        };
        let marked = |key: &ItemKey| {
            of(key).is_some_and(|of| behaviour(of, true, true).0 == Behaviour::Marked)
        };
        is_drift
            && change.key.kind != Kind::Server
            && marked(&change.key)
            && change.former.iter().all(marked)
    }

    /// What the server's policy, or that of one of its items, judges lower than the rules do.
    pub fn lowered(&self) -> Vec<Warning> {
        let own = lowered_of(&self.levels).into_iter();
        let mut found: Vec<Warning> = own
            .filter(|rule| self.own.contains(&rule.id))
            .map(|rule| level_lowered(rule, "of this server"))
            .collect();
        for (key, item) in &self.items {
            let of = format!("of {} `{}`", key.kind.word(), key.name.as_str());
            let lowered = lowered_of(&item.levels).into_iter();
            found.extend(lowered.map(|rule| level_lowered(rule, &of).at(key.name.as_str())));
        }
        found
    }
}

impl ItemJudging {
    fn of(policy: &Object, settings: Settings) -> Self {
        let fields = policy.get("volatile").and_then(Value::as_object);
        let templates = |value: &Value| -> Vec<Template> {
            let texts = match value {
                Value::Array(several) => several.as_slice(),
                one => std::slice::from_ref(one),
            };
            let texts = texts.iter().filter_map(Value::as_str);
            texts
                .filter_map(|text| Template::parse(text).ok())
                .collect()
        };
        let fields = fields.into_iter().flat_map(Object::iter);
        Self {
            settings,
            levels: levels(policy),
            volatile: fields
                .map(|(pointer, value)| (pointer.to_owned(), templates(value)))
                .collect(),
        }
    }
}

/// The policy of an item, under `kind:name`: another name is refused when the file is read.
fn of_item<'a>(policy: &'a Object, key: &ItemKey) -> Option<&'a Object> {
    let items = policy.get(ITEMS)?.as_object()?;
    let named = items.get(&format!("{}:{}", key.kind.word(), key.name.as_str()));
    named?.as_object()
}

/// The items that the policy of a server names, known or not.
pub fn named(lockfile: &Lockfile, server: &ServerName) -> Vec<ItemKey> {
    let own = lockfile.servers.get(server).map(|server| &server.policy);
    let items = own.and_then(|policy| policy.get(ITEMS)?.as_object());
    let names = items.into_iter().flat_map(Object::iter);
    names.filter_map(|(name, _)| key(name)).collect()
}

/// The item that a policy calls `kind:name`.
fn key(text: &str) -> Option<ItemKey> {
    let (kind, name) = text.split_once(':')?;
    Some(ItemKey::new(Kind::from_word(kind)?, name))
}

const ITEMS: &str = "items";

/// The levels that one policy gives.
fn levels(policy: &Object) -> BTreeMap<&'static str, Level> {
    let levels = policy.get("levels").and_then(Value::as_object);
    let levels = levels.into_iter().flat_map(Object::iter);
    levels
        .filter_map(|(id, level)| Some((rules::rule(id)?.id, Level::from_word(level.as_str()?)?)))
        .collect()
}

fn lowered_of(levels: &BTreeMap<&'static str, Level>) -> Vec<&'static rules::Rule> {
    let lowered = levels.iter().filter_map(|(id, level)| {
        let rule = rules::rule(id)?;
        (*level < rule.level).then_some(rule)
    });
    lowered.collect()
}

fn level_lowered(rule: &rules::Rule, of: &str) -> Warning {
    let message = format!(
        "the policy takes `{}` {of} for minor, which is {} by itself",
        rule.id, rule.level
    );
    Warning::new("level-lowered", message)
}

/// What is said of a change that passes unreviewed.
pub fn unreviewed(change: &Change) -> Warning {
    let name = change.key.name.as_str();
    let kind = change.key.kind.word();
    let message =
        format!("{kind} `{name}` changed and nobody reviewed it; the policy lets it pass, marked");
    Warning::new("unreviewed-change", message).at(name)
}

/// What is said of an item in which only what may move did.
pub fn volatile_applied(key: &ItemKey, fields: &[Pointer]) -> Vec<Warning> {
    let told = fields.iter().map(|field| {
        let message = format!(
            "`{}` of {} `{}` differs only in what the policy lets move",
            field.as_str(),
            key.kind.word(),
            key.name.as_str()
        );
        Warning::new("volatile-applied", message).at(key.name.as_str())
    });
    told.collect()
}
