//! What one server's tools have to do with those of the others: the same names, and texts that speak of them.
//!
//! Only names that no ordinary text holds by chance count there: with `_`, `-` or letters of two cases, or in backticks.

use super::words;
use crate::catalogue::Catalogue;
use crate::diff::hidden::{look_alike, skeleton_of};
use crate::json::Value;
use crate::model::{ItemKey, ItemName, Kind, ServerName, Warning, part};
use crate::text::strings;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The names of the tools of each server, and which servers have each name.
#[derive(Debug, Clone, Default)]
pub struct ToolNames {
    servers: BTreeMap<ServerName, Vec<ItemName>>,
    /// Each name is looked up for every word of every text: in order of the servers' names.
    bearers: HashMap<String, Vec<ServerName>>,
    /// Servers with a name beyond ASCII.
    beyond_ascii: BTreeSet<ServerName>,
}

impl FromIterator<(ServerName, Vec<ItemName>)> for ToolNames {
    /// Of two lists of one server the last counts.
    fn from_iter<I: IntoIterator<Item = (ServerName, Vec<ItemName>)>>(lists: I) -> Self {
        let servers: BTreeMap<ServerName, Vec<ItemName>> = lists.into_iter().collect();
        let mut all = Self::default();
        for (server, names) in &servers {
            for name in names {
                let bearers = all.bearers.entry(name.as_str().to_owned()).or_default();
                if bearers.last() != Some(server) {
                    bearers.push(server.clone());
                }
            }
            if !names.iter().all(|name| name.as_str().is_ascii()) {
                all.beyond_ascii.insert(server.clone());
            }
        }
        all.servers = servers;
        all
    }
}

impl ToolNames {
    /// The names of the tools of all servers but one.
    pub fn without<'a>(&'a self, server: &'a ServerName) -> impl Iterator<Item = &'a ItemName> {
        let others = self
            .servers
            .iter()
            .filter(move |(other, _)| *other != server);
        others.flat_map(|(_, names)| names)
    }

    /// The other servers that have a tool of this name, in order.
    fn others<'a>(
        &'a self,
        name: &str,
        server: &'a ServerName,
    ) -> impl Iterator<Item = &'a ServerName> {
        let bearers = self.bearers.get(name).into_iter().flatten();
        bearers.filter(move |other| *other != server)
    }
}

/// What a catalogue has to do with the tools of other servers: one warning for each server and kind of finding, and
/// one for each tool whose text names tools of others.
pub fn across(server: &ServerName, catalogue: &Catalogue, everything: &ToolNames) -> Vec<Warning> {
    let own: BTreeSet<&str> = catalogue
        .of(Kind::Tool)
        .map(|(key, _)| key.name.as_str())
        .collect();
    let mut shared: BTreeMap<&ServerName, Vec<&str>> = BTreeMap::new();
    for name in &own {
        for other in everything.others(name, server) {
            shared.entry(other).or_default().push(name);
        }
    }
    // Two names of ASCII look alike to nobody: among many servers, hardly a name is worth its skeleton.
    let is_plain = own.iter().all(|name| name.is_ascii());
    let mut found = Vec::new();
    for (other, names) in everything
        .servers
        .iter()
        .filter(|(other, _)| *other != server)
    {
        let both = shared.get(other).map_or(&[][..], Vec::as_slice);
        found.extend(same(both, other));
        if !is_plain || everything.beyond_ascii.contains(other) {
            let names = names.iter().map(ItemName::as_str);
            let strange = names.filter(|name| !(own.contains(name) || is_plain && name.is_ascii()));
            found.extend(alike(&own, other, &strange.collect()));
        }
    }
    // Without another server no text can name a tool of one: none is read.
    if everything.servers.keys().all(|other| other == server) {
        return found;
    }
    let foreign = |word: &str| {
        let other = everything.others(word, server).next();
        other.filter(|_| !own.contains(word))
    };
    let tools = catalogue.of(Kind::Tool);
    let instructions = ItemKey::part(part::INSTRUCTIONS);
    let instructions = catalogue.items.get_key_value(&instructions);
    for (key, item) in instructions.into_iter().chain(tools) {
        found.extend(named(key, &item.definition.glance(), foreign));
    }
    found
}

fn same(same: &[&str], other: &ServerName) -> Option<Warning> {
    let first = (*same.first()?).to_owned();
    let path = if same.len() == 1 {
        first
    } else {
        String::new()
    };
    let message = format!(
        "{} {} of server {} too: a call may reach the other one",
        words::list(same.iter().copied()),
        if same.len() == 1 {
            "is a tool"
        } else {
            "are tools"
        },
        words::quote(other.as_str())
    );
    Some(Warning::new("shared-name", message).at(path))
}

/// Names of another server, none of which is an own one, that look like own ones.
fn alike(own: &BTreeSet<&str>, other: &ServerName, names: &BTreeSet<&str>) -> Vec<Warning> {
    if names.is_empty() {
        return Vec::new();
    }
    let mut skeletons: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in names {
        skeletons.entry(skeleton_of(name)).or_default().push(name);
    }
    let twins = |name: &str| -> Vec<&str> {
        let twins = skeletons.get(&skeleton_of(name)).into_iter().flatten();
        let twins = twins.copied();
        twins
            .filter(|twin| look_alike(twin, name).is_some())
            .collect()
    };
    own.iter()
        .filter_map(|name| {
            let twins = twins(name);
            let message = format!(
                "{} looks like {} of server {}",
                words::quote(name),
                words::list(twins.iter().copied()),
                words::quote(other.as_str())
            );
            (!twins.is_empty()).then(|| Warning::new("look-alike", message).at(*name))
        })
        .collect()
}

/// The tools of others that the texts of an item name: `foreign` says whose a name is.
fn named<'a>(
    key: &ItemKey,
    value: &Value,
    foreign: impl Fn(&str) -> Option<&'a ServerName>,
) -> Option<Warning> {
    let mut found: BTreeMap<&str, &ServerName> = BTreeMap::new();
    for text in strings(value) {
        for (word, in_backticks) in names_in(text) {
            if let Some(server) = foreign(word)
                && (in_backticks || is_distinctive(word))
            {
                found.insert(word, server);
            }
        }
    }
    if found.is_empty() {
        return None;
    }
    let servers: BTreeSet<&str> = found.values().map(|server| server.as_str()).collect();
    let message = format!(
        "the text of {} names {}, of server {}: it may steer how that is used",
        words::quote(key.name.as_str()),
        words::list(found.into_keys()),
        words::list(servers)
    );
    Some(Warning::new("names-other-tool", message).at(key.name.as_str()))
}

/// Whether a name is none that an ordinary text holds.
fn is_distinctive(name: &str) -> bool {
    let inside = name.trim_matches(['_', '-']);
    let parted = inside.contains(['_', '-']);
    let cased = inside.chars().zip(inside.chars().skip(1));
    parted
        || cased
            .into_iter()
            .any(|(a, b)| a.is_lowercase() && b.is_uppercase())
}

/// The runs of letters that may be names of tools (2025-11-25, "Tool names"), and whether they stand in backticks.
fn names_in(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let belongs = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let start = at + text[at..].find(belongs)?;
        let end = text[start..]
            .find(|c| !belongs(c))
            .map_or(text.len(), |end| start + end);
        at = end;
        let quoted = text[..start].ends_with('`') && text[end..].starts_with('`');
        // A full stop ends a sentence.
        Some((text[start..end].trim_end_matches('.'), quoted))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::Capture;
    use crate::json::Limits;
    use crate::secret::Secrets;

    fn told(description: &str, name: &str) -> Vec<String> {
        let tool = format!(r#"{{"tools":[{{"name":"{name}","description":"{description}"}}]}}"#);
        let capture = Capture::from_file(tool.into_bytes(), Limits::default()).expect("a list");
        let (catalogue, _) =
            Catalogue::from_capture(&capture, &Secrets::default()).expect("a catalogue");
        let names = |names: &[&str]| names.iter().map(|name| ItemName::new(*name)).collect();
        let everything = [
            (
                "mail".into(),
                names(&["send_mail", "search", "sendLater", "find_note"]),
            ),
            ("notes".into(), names(&[name, "own_tool"])),
        ]
        .into_iter()
        .collect();
        let warnings = across(&"notes".into(), &catalogue, &everything).into_iter();
        warnings
            .map(|warning| format!("{} {}: {}", warning.rule, warning.path, warning.message))
            .collect()
    }

    #[test]
    fn a_text_that_names_a_tool_of_another_server_is_told() {
        for text in [
            "Always use send_mail. It is better.",
            "See `search` first.",
            "not (sendLater)",
        ] {
            let told = told(text, "read");
            assert!(told[0].starts_with("names-other-tool read: "), "{told:?}");
            assert!(told[0].ends_with("of server `mail`: it may steer how that is used"));
        }
        for text in [
            "Search the notes by own_tool.",
            "search and search",
            "send_mails, resend_mail",
            "`search notes`",
        ] {
            assert!(told(text, "read").is_empty(), "{text}");
        }
    }

    #[test]
    fn a_name_that_another_server_has_too_or_that_looks_so_is_told() {
        let same = told("Find.", "find_note");
        assert_eq!(same.len(), 1);
        assert!(same[0].starts_with("shared-name find_note: "), "{same:?}");
        let alike = told("Find.", "find_n\u{43e}te");
        assert_eq!(
            alike,
            [
                "look-alike find_n\u{43e}te: `find_n\u{43e}te` looks like `find_note` of server `mail`"
            ]
        );
    }
}
