//! What is said of a group: where it happened, and one sentence.

use super::Member;
use crate::model::Level;
use crate::render::count::counted;
use crate::report::Change;
use std::collections::BTreeSet;

/// So many names are told, and the rest counted.
const NAMED: usize = 6;

/// What several places have in common: their beginning, and their end where they differ in how deep it stands.
pub(super) fn place<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut common: Option<(Vec<&str>, Vec<&str>)> = None;
    let mut shortest = usize::MAX;
    for name in names {
        let tokens: Vec<&str> = name.split('/').collect();
        shortest = shortest.min(tokens.len());
        common = Some(match common {
            None => (tokens.clone(), tokens.iter().rev().copied().collect()),
            Some((start, end)) => (
                shared(&start, tokens.iter().copied()),
                shared(&end, tokens.iter().rev().copied()),
            ),
        });
    }
    let Some((mut start, mut end)) = common else {
        return String::new();
    };
    if start.len() == shortest || end.is_empty() {
        return start.join("/");
    }
    start.truncate(shortest - end.len());
    end.reverse();
    format!("{}/**/{}", start.join("/"), end.join("/"))
}

fn shared<'a>(known: &[&'a str], tokens: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let same = known.iter().copied().zip(tokens);
    same.take_while(|(one, other)| one == other)
        .map(|(one, _)| one)
        .collect()
}

/// One sentence about a group.
pub(super) fn message(place: &str, event: &str, members: &[Member], changes: &[Change]) -> String {
    let reason = |member: &Member| &changes[member.at.0].reasons[member.at.1];
    let level = members.iter().map(|member| reason(member).level).max();
    // The sentence of the first reason of that level, unless it does not hold for every item.
    let level = level.unwrap_or(Level::Material);
    let highest = || members.iter().map(reason).filter(|r| r.level == level);
    let Some(main) = highest().next() else {
        return String::new();
    };
    let items: BTreeSet<usize> = members.iter().map(|member| member.at.0).collect();
    let on = match (items.len(), items.first()) {
        (1, _) | (_, None) => String::new(),
        (count, Some(first)) => format!(" on {}", counted(count, changes[*first].key.kind.word())),
    };
    if highest().all(|r| r.rule != main.rule || r.message == main.message) {
        // It need not be said of each of them.
        let of_main = members.iter().filter(|m| reason(m).message == main.message);
        let of_main: BTreeSet<usize> = of_main.map(|member| member.at.0).collect();
        return match items.len() {
            all if all == of_main.len() => main.message.clone(),
            all => {
                let kind = changes[members[0].at.0].key.kind.word();
                format!(
                    "{} ({} of {})",
                    main.message,
                    of_main.len(),
                    counted(all, kind)
                )
            }
        };
    }
    let names: BTreeSet<&str> = members.iter().filter_map(|m| m.named.as_deref()).collect();
    let all_named = members.iter().all(|member| member.named.is_some());
    if all_named && names.len() > 1 {
        return format!("{place} {event}{on}: {}", list(&names));
    }
    if items.len() > 1 {
        let mut said = (members.iter().filter(|m| reason(m).level == level)).map(|m| &m.said);
        return match said.next() {
            Some(first) if said.all(|other| other == first) => format!("{first} ({})", on.trim()),
            _ => format!("{place} {event}{on}"),
        };
    }
    let more: BTreeSet<&str> = highest().map(|reason| reason.message.as_str()).collect();
    format!("{}; and {} more", main.message, more.len() - 1)
}

/// Names in backticks; the rest of a long list is counted.
fn list(names: &BTreeSet<&str>) -> String {
    let told: Vec<String> = names
        .iter()
        .take(NAMED)
        .map(|name| format!("`{name}`"))
        .collect();
    match names.len().saturating_sub(NAMED) {
        0 => told.join(", "),
        more => format!("{} and {more} more", told.join(", ")),
    }
}
