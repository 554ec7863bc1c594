//! SELECTOR: which server, item or change a word of the command line means (SPEC, section 2). Pure.

use crate::model::{ItemKey, Kind, Problem, ServerName};
use crate::report::Change;

/// What a selector can choose from: the items and the waiting changes of one server.
pub(super) struct Candidates<'a> {
    /// The server.
    pub(super) server: &'a ServerName,
    /// The items that the lockfile holds of it.
    pub(super) items: Vec<&'a ItemKey>,
    /// The changes that can be chosen.
    pub(super) changes: &'a [Change],
}

/// The one thing that a selector means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Selection {
    /// Everything of a server.
    Server(ServerName),
    /// One item of a server.
    Item(ServerName, ItemKey),
    /// One change, by its id.
    Change(ServerName, ItemKey, String),
}

impl Selection {
    /// Whether it chooses a change of a server.
    pub(super) fn covers(&self, server: &ServerName, change: &Change) -> bool {
        match self {
            Self::Server(name) => name == server,
            Self::Item(name, key) => {
                name == server && (*key == change.key || Some(key) == change.former.as_ref())
            }
            Self::Change(name, _, id) => name == server && *id == change.id,
        }
    }

    /// The server that it is about.
    pub(super) fn server(&self) -> &ServerName {
        match self {
            Self::Server(name) | Self::Item(name, _) | Self::Change(name, _, _) => name,
        }
    }

    fn describe(&self) -> String {
        let item = |server: &ServerName, key: &ItemKey| {
            format!(
                "`{}/{}:{}`",
                server.as_str(),
                key.kind.word(),
                key.name.as_str()
            )
        };
        match self {
            Self::Server(name) => format!("server `{}`", name.as_str()),
            Self::Item(name, key) => format!("item {}", item(name, key)),
            Self::Change(name, key, id) => format!("change `{id}` of {}", item(name, key)),
        }
    }
}

/// Finds the one thing that a word means.
///
/// # Errors
/// A [`Problem`] of kind `usage` if it means nothing, or two things: both are named.
pub(super) fn find(word: &str, candidates: &[Candidates<'_>]) -> Result<Selection, Problem> {
    let mut found = Vec::new();
    for Candidates {
        server,
        items,
        changes,
    } in candidates
    {
        if server.as_str() == word {
            found.push(Selection::Server((*server).clone()));
        }
        if let Some(rest) = word
            .strip_prefix(server.as_str())
            .and_then(|rest| rest.strip_prefix('/'))
        {
            let changed = changes
                .iter()
                .flat_map(|change| std::iter::once(&change.key).chain(&change.former));
            let mut keys: Vec<&ItemKey> = items
                .iter()
                .copied()
                .chain(changed)
                .filter(|key| names(rest, key))
                .collect();
            keys.sort();
            keys.dedup();
            found.extend(
                keys.into_iter()
                    .map(|key| Selection::Item((*server).clone(), key.clone())),
            );
        }
        if !word.is_empty() {
            let ids = changes.iter().filter(|change| change.id.starts_with(word));
            found.extend(ids.map(|change| {
                Selection::Change((*server).clone(), change.key.clone(), change.id.clone())
            }));
        }
    }
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => {
            let near = nearest(word, candidates);
            let near = near.map_or_else(String::new, |near| format!("; `{near}` is near"));
            Err(Problem::new(
                "usage",
                format!("`{word}` names no server, item or change here{near}"),
            )
            .with_hint(
                "countersign review --all, or `countersign diff` to look at the servers from here",
            ))
        }
        _ => {
            let all: Vec<String> = found.iter().map(Selection::describe).collect();
            Err(Problem::new(
                "usage",
                format!("`{word}` means more than one thing: {}", all.join(", ")),
            )
            .with_hint("name one of them: `server/kind:item`, or more of the change's id"))
        }
    }
}

/// The server or item whose name shares the most with a word, if it shares much.
fn nearest(word: &str, candidates: &[Candidates<'_>]) -> Option<String> {
    let names = candidates.iter().flat_map(|candidate| {
        let server = candidate.server.as_str();
        let item = move |key: &&ItemKey| format!("{server}/{}", key.name.as_str());
        std::iter::once(server.to_owned()).chain(candidate.items.iter().map(item))
    });
    names
        .filter(|name| name.len() < 200 && word.len() < 200)
        .map(|name| (similar::TextDiff::from_chars(word, &name).ratio(), name))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|(ratio, _)| *ratio > 0.75)
        .map(|(_, name)| name)
}

/// `item`, or `kind:item`.
fn names(word: &str, key: &ItemKey) -> bool {
    if key.name.as_str() == word {
        return true;
    }
    word.split_once(':').is_some_and(|(kind, name)| {
        Kind::from_word(kind) == Some(key.kind) && key.name.as_str() == name
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_in(word: &str) -> Result<Selection, Problem> {
        let (notes, deep) = (ServerName::new("notes"), ServerName::new("notes/x"));
        let keys = [
            ItemKey::new(Kind::Tool, "add"),
            ItemKey::new(Kind::Prompt, "add"),
            ItemKey::new(Kind::Tool, "x"),
            ItemKey::new(Kind::Resource, "a://b/c"),
        ];
        let candidates = [
            Candidates {
                server: &notes,
                items: keys.iter().collect(),
                changes: &[],
            },
            Candidates {
                server: &deep,
                items: vec![],
                changes: &[],
            },
        ];
        find(word, &candidates)
    }

    #[test]
    fn a_selector_means_a_server_or_an_item_by_name_or_by_kind() {
        assert_eq!(find_in("notes"), Ok(Selection::Server("notes".into())));
        let tool = Selection::Item("notes".into(), ItemKey::new(Kind::Tool, "add"));
        assert_eq!(find_in("notes/tool:add"), Ok(tool));
        let resource = Selection::Item("notes".into(), ItemKey::new(Kind::Resource, "a://b/c"));
        assert_eq!(find_in("notes/a://b/c"), Ok(resource));
    }

    #[test]
    fn what_fits_two_things_is_refused_with_both_named() {
        let problem = find_in("notes/add").expect_err("two kinds");
        assert!(
            problem.message.contains("notes/tool:add")
                && problem.message.contains("notes/prompt:add")
        );
        let problem = find_in("notes/x").expect_err("a server and an item");
        assert!(
            problem.message.contains("server `notes/x`"),
            "{}",
            problem.message
        );
    }

    #[test]
    fn what_fits_nothing_is_refused() {
        assert!(find_in("other").is_err());
        assert!(find_in("").is_err());
        assert!(find_in("notes/").is_err());
    }
}
