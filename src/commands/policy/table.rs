//! The table of `policy`: what the standing rules come to, and what is set where.

use super::{named, not_there, own_lines, settings_value};
use crate::commands::due::Due;
use crate::commands::select::{self, Candidates, Selection};
use crate::commands::world::World;
use crate::commands::{Output, record};
use crate::json::Value;
use crate::lockfile::{Lockfile, Owner};
use crate::model::{ItemKey, Kind, Level, Problem, ServerName};
use crate::policy::{self, AllowChanges, Behaviour, Rule, Settings};
use crate::render::{self, Format};
use crate::report::ServerReport;
use crate::term;
use serde_json::json;

/// One line of the table: a server as a whole, or one item of it.
struct Row {
    server: ServerName,
    key: Option<ItemKey>,
    settings: Settings,
    /// What becomes of an item now, and why.
    now: Option<(Behaviour, String)>,
    /// The day of the last review; of an item, of itself or of the whole.
    reviewed: Option<String>,
    due: Vec<&'static str>,
    /// Of an item: it has no setting of its own, and nothing of it waits.
    is_as_others: bool,
}

pub(super) fn show(world: &World, selector: Option<&str>) -> Result<Output, Problem> {
    let lockfile = world.need_lockfile()?;
    let store = world.store()?;
    let twins = record::Twins::of(Some(&lockfile), &[]);
    let due = Due {
        world,
        store: &store,
        twins: &twins,
        deciding: &lockfile,
        own: &lockfile,
    };
    let mut seen = Vec::new();
    for (name, locked) in &lockfile.servers {
        let newest = record::newest(world, &store, &twins, &lockfile, name, locked)?;
        let launch = newest.shown.as_ref().and_then(|shown| shown.launch.clone());
        let mut report = newest.report;
        due.add(&mut report, launch.as_ref())?;
        seen.push((report, newest.shown.is_some()));
    }
    let chosen = match selector {
        Some(selector) => Some(chosen(&lockfile, &seen, selector)?),
        None => None,
    };
    let today = world.today();
    let rows: Vec<Row> = seen
        .iter()
        .flat_map(|(report, is_known)| rows(&lockfile, report, *is_known, &today))
        .filter(|row| chosen.as_ref().is_none_or(|chosen| fits(row, chosen)))
        .collect();
    let owners = owners(&rows);
    let stdout = if world.common.format == Format::Json {
        document(&lockfile, &rows, &owners)
    } else {
        let lines = owners
            .iter()
            .map(|owner| own_lines("set", owner, &lockfile.own_policy(owner)));
        let lines: String = lines.collect();
        let gap = if lines.is_empty() { "" } else { "\n" };
        // Who names a server wants to see all of it.
        let is_shown = |row: &&Row| selector.is_some() || !row.is_as_others;
        let shown: Vec<&Row> = rows.iter().filter(is_shown).collect();
        let all = "`countersign policy SERVER` lists all";
        let rest = match rows.len() - shown.len() {
            0 => String::new(),
            1 => format!("1 item has no setting of its own and nothing that waits: {all}\n"),
            more => {
                format!(
                    "{more} items have no settings of their own and nothing that waits: {all}\n"
                )
            }
        };
        format!("{}{rest}{gap}{lines}", table(&shown))
    };
    Ok(Output {
        stdout,
        stderr: String::new(),
        status: 0,
    })
}

fn chosen(
    lockfile: &Lockfile,
    seen: &[(ServerReport, bool)],
    word: &str,
) -> Result<Selection, Problem> {
    let foreseen: Vec<Vec<ItemKey>> = seen
        .iter()
        .map(|(report, _)| foreseen(lockfile, &report.name))
        .collect();
    let candidates: Vec<Candidates<'_>> = seen
        .iter()
        .zip(&foreseen)
        .map(|((report, _), foreseen)| Candidates {
            server: &report.name,
            items: lockfile.servers[&report.name]
                .entries
                .keys()
                .chain(foreseen)
                .collect(),
            changes: &report.changes,
        })
        .collect();
    select::find(word, &candidates).map_err(|problem| not_there(word, problem))
}

fn fits(row: &Row, chosen: &Selection) -> bool {
    match chosen {
        Selection::Server(name) => row.server == *name,
        Selection::Item(name, key) | Selection::Change(name, key, _) => {
            row.server == *name && row.key.as_ref() == Some(key)
        }
    }
}

fn rows(lockfile: &Lockfile, report: &ServerReport, is_known: bool, today: &str) -> Vec<Row> {
    let name = &report.name;
    let locked = &lockfile.servers[name];
    let whole = policy::last_review(locked, today).map(|at| at.to_string());
    let due: Vec<&'static str> = report.due.iter().map(|due| due.signal).collect();
    let waits = |key: &ItemKey| {
        let mut changes = report.changes.iter();
        changes.any(|change| {
            change.level() == Level::Material && change.acknowledged.is_none() && change.key == *key
        })
    };
    let offered = || {
        let changes = report.changes.iter();
        changes.filter(|change| change.after.is_some())
    };
    let item = |key: &ItemKey| {
        let entry = locked.entries.get(key).filter(|entry| !entry.removed);
        let settings = policy::of(lockfile, name, key);
        let (now, why) = policy::behaviour(&settings, waits(key), entry.is_some());
        let why = match (is_known, why) {
            (true, why) => why.to_owned(),
            (false, "") => "no snapshot of it here: its changes are unknown".to_owned(),
            (false, why) => format!("{why}; no snapshot of it here"),
        };
        let is_there = entry.is_some() || offered().any(|change| change.key == *key);
        let why = if is_there {
            why
        } else {
            "not there yet".to_owned()
        };
        let records = entry.into_iter().flat_map(|entry| &entry.acknowledgements);
        let own = records.map(|record| record.at.clone()).max();
        Row {
            server: name.clone(),
            key: Some(key.clone()),
            settings,
            now: Some((now, why)),
            reviewed: day(own.max(whole.clone())),
            due: due.clone(),
            is_as_others: entry.is_some()
                && !waits(key)
                && lockfile
                    .own_policy(&Owner::Item(name.clone(), key.clone()))
                    .is_empty(),
        }
    };
    let held = locked.entries.iter().filter(|(_, entry)| !entry.removed);
    let mut keys: Vec<&ItemKey> = held.map(|(key, _)| key).collect();
    keys.extend(offered().map(|change| &change.key));
    let foreseen = foreseen(lockfile, name);
    keys.extend(&foreseen);
    keys.retain(|key| key.kind != Kind::Server);
    keys.sort();
    keys.dedup();
    let server = Row {
        server: name.clone(),
        key: None,
        settings: policy::of_others(lockfile, name),
        now: None,
        reviewed: day(whole.clone()),
        due: due.clone(),
        is_as_others: false,
    };
    std::iter::once(server)
        .chain(keys.into_iter().map(item))
        .collect()
}

fn day(at: Option<String>) -> Option<String> {
    at.map(|at| at.get(..10).unwrap_or(&at).to_owned())
}

/// Whose own policies belong to some rows: every server's, and theirs.
fn owners(rows: &[Row]) -> Vec<Owner> {
    let of_row = |row: &Row| match &row.key {
        Some(key) => Owner::Item(row.server.clone(), key.clone()),
        None => Owner::Server(row.server.clone()),
    };
    let every = std::iter::once(Owner::Lockfile);
    every.chain(rows.iter().map(of_row)).collect()
}

/// Items that the policy of a server names, whether they are there or not.
fn foreseen(lockfile: &Lockfile, name: &ServerName) -> Vec<ItemKey> {
    let items = lockfile.servers[name].policy.get("items");
    let items = items.and_then(Value::as_object).into_iter();
    let keys = items
        .flat_map(|items| items.iter().map(|(name, _)| name))
        .filter_map(|item| {
            let (kind, item) = item.split_once(':')?;
            Some(ItemKey::new(Kind::from_word(kind)?, item))
        });
    keys.collect()
}

fn rule(settings: &Settings) -> &'static str {
    match settings.rule {
        Rule::Allow => "allow",
        Rule::Ask => "ask",
        Rule::Block => "block",
    }
}

fn allow_changes(settings: &Settings) -> &'static str {
    match settings.allow_changes {
        AllowChanges::Off => "off",
        AllowChanges::Ask => "ask",
        AllowChanges::On => "on",
    }
}

fn table(rows: &[&Row]) -> String {
    let cells = rows.iter().map(|row| {
        let of = match &row.key {
            Some(key) => format!(
                "{}/{}:{}",
                row.server.as_str(),
                key.kind.word(),
                key.name.as_str()
            ),
            None => row.server.as_str().to_owned(),
        };
        let (now, why) = match &row.now {
            Some((now, why)) => (now.word(), why.as_str()),
            None => ("", ""),
        };
        let reviewed = row.reviewed.as_deref().unwrap_or("never");
        let due = if row.due.is_empty() {
            "no".to_owned()
        } else {
            row.due.join(", ")
        };
        [
            &of,
            rule(&row.settings),
            allow_changes(&row.settings),
            now,
            why,
            reviewed,
            &due,
        ]
        .map(str::to_owned)
        .into()
    });
    render::table(
        &[
            "server or item",
            "rule",
            "allowChanges",
            "now",
            "why",
            "last review",
            "due",
        ],
        &cells.collect::<Vec<Vec<String>>>(),
        term::table_width(),
    )
}

fn document(lockfile: &Lockfile, rows: &[Row], owners: &[Owner]) -> String {
    let rows: Vec<serde_json::Value> = rows
        .iter()
        .map(|row| {
            let key = row.key.as_ref();
            let now = row.now.as_ref();
            json!({
                "server": row.server.as_str(),
                "kind": key.map(|key| key.kind.word()),
                "name": key.map(|key| key.name.as_str()),
                "rule": rule(&row.settings),
                "allowChanges": allow_changes(&row.settings),
                "now": now.map(|(now, _)| now.word()),
                "why": now.map(|(_, why)| why),
                "reviewed": row.reviewed,
                "due": row.due,
            })
        })
        .collect();
    let set: Vec<serde_json::Value> = owners
        .iter()
        .map(|owner| (owner, lockfile.own_policy(owner)))
        .filter(|(_, own)| !own.is_empty())
        .map(|(owner, own)| json!({"of": named(owner), "settings": settings_value(&own)}))
        .collect();
    render::document(&json!({ "policy": 1, "rows": rows, "set": set }))
}
