//! Where in a configuration its servers stand: under which member, as a map or as a list, and which of them are
//! switched off elsewhere in the file.
//!
//! Every known member is looked at, whoever's file it is: people rename and merge these files.

use super::entry::Entry;
use super::members::article;
use super::places::Reach;
use super::sources::Source;
use crate::json::{Object, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// What one configuration says.
pub(super) struct Document {
    pub(super) entries: Vec<Entry>,
    /// The inputs it declares: id and description.
    pub(super) inputs: BTreeMap<String, String>,
}

/// The names under which servers are listed, for a message.
pub(super) const SECTIONS: &str =
    "`mcpServers`, `servers`, `mcp.servers`, `mcp`, `context_servers`, `mcp_servers`, `extensions`";

/// Reads a configuration. `None` if no member of it lists servers. `reach` says for which of its parts it was
/// looked up, `None` for the whole of it; `here` is the folder that a person's settings about one project are for.
///
/// # Errors
/// A section that is neither object nor list, or a name that two sections hold.
pub(super) fn read(
    root: &Value,
    source: &Source,
    reach: Option<Reach>,
    here: &Path,
) -> Result<Option<Document>, String> {
    let Some(root) = root.as_object() else {
        return Err(format!("the file holds {}, not an object", article(root)));
    };
    let mut found = Found::default();
    if matches!(reach, None | Some(Reach::Local)) {
        found.local(root, source, here)?;
    }
    if reach != Some(Reach::Local) {
        // What a person says about one project comes before what is said about all.
        let local = std::mem::take(&mut found.entries);
        found.sections(root, source)?;
        found.entries.extend(local);
    }
    if !found.is_any {
        return Ok(None);
    }
    let switches = Switches::of(root);
    let entries = found.entries.into_values().map(|(_, mut entry)| {
        entry.disabled |= switches.is_off(&entry.name);
        entry
    });
    Ok(Some(Document {
        entries: entries.collect(),
        inputs: inputs(root),
    }))
}

/// The entries so far, each with the section that holds it.
#[derive(Default)]
struct Found {
    is_any: bool,
    entries: BTreeMap<String, (String, Entry)>,
}

impl Found {
    /// The servers of `projects["/the/project"]`, for the nearest folder from here up that has some.
    fn local(&mut self, root: &Object, source: &Source, here: &Path) -> Result<(), String> {
        let Some(projects) = root.get("projects").and_then(Value::as_object) else {
            return Ok(());
        };
        let plain = |path: &str| path.replace('\\', "/");
        let nearest = here.ancestors().find_map(|folder| {
            let folder = plain(&folder.to_string_lossy());
            let mut projects = projects.iter();
            let own = projects.find(|(path, _)| plain(path) == folder);
            own.and_then(|(path, project)| Some((path, project.get("mcpServers")?)))
        });
        match nearest {
            Some((path, servers)) => {
                self.section(&format!("projects.{path}.mcpServers"), servers, source)
            }
            None => Ok(()),
        }
    }

    fn sections(&mut self, root: &Object, source: &Source) -> Result<(), String> {
        let nested = root.get("mcp").and_then(Value::as_object);
        // Only one client means servers by this word.
        let is_extensions = source.client == "Goose";
        let sections = [
            ("mcpServers", root.get("mcpServers")),
            ("servers", root.get("servers")),
            ("mcp.servers", root.get("mcp.servers")),
            ("mcp.servers", nested.and_then(|mcp| mcp.get("servers"))),
            ("context_servers", root.get("context_servers")),
            ("mcp_servers", root.get("mcp_servers")),
            (
                "extensions",
                root.get("extensions").filter(|_| is_extensions),
            ),
        ];
        for (name, value) in sections {
            match value {
                None | Some(Value::Null) => {}
                Some(servers) => self.section(name, servers, source)?,
            }
        }
        // One client lists its servers in `mcp` itself, beside settings of other kinds.
        for (name, value) in nested.iter().flat_map(|mcp| mcp.iter()) {
            if matches!(
                value.get("type").and_then(Value::as_str),
                Some("local" | "remote")
            ) {
                self.is_any = true;
                self.add("mcp", name, value, source)?;
            }
        }
        Ok(())
    }

    fn section(&mut self, section: &str, servers: &Value, source: &Source) -> Result<(), String> {
        match servers {
            Value::Object(servers) => {
                for (name, value) in servers.iter() {
                    self.add(section, name, value, source)?;
                }
            }
            // Only one client writes them as a list.
            Value::Array(servers) if source.client == "Continue" => {
                for (i, value) in servers.iter().enumerate() {
                    match value.get("name").and_then(Value::as_str) {
                        Some(name) => self.add(section, name, value, source)?,
                        None => {
                            return Err(format!("`{section}[{i}]` has no `name`"));
                        }
                    }
                }
            }
            other => {
                return Err(format!("`{section}` is {}, not an object", article(other)));
            }
        }
        self.is_any = true;
        Ok(())
    }

    fn add(
        &mut self,
        section: &str,
        name: &str,
        value: &Value,
        source: &Source,
    ) -> Result<(), String> {
        let Some(entry) = Entry::read(name, value, source) else {
            return Ok(());
        };
        match self
            .entries
            .insert(name.to_owned(), (section.to_owned(), entry))
        {
            None => Ok(()),
            Some((first, _)) if first == section => {
                Err(format!("`{section}` holds the server `{name}` twice"))
            }
            Some((first, _)) => Err(format!(
                "both `{first}` and `{section}` hold the server `{name}`"
            )),
        }
    }
}

/// Lists of names that switch servers on or off, apart from their entries.
struct Switches {
    /// Only these, where there is such a list.
    allowed: Option<Vec<String>>,
    excluded: Vec<String>,
}

impl Switches {
    fn of(root: &Object) -> Self {
        let nested = root.get("mcp").and_then(Value::as_object);
        let names = |older: &str, newer: &str| -> Option<Vec<String>> {
            let list = nested
                .and_then(|mcp| mcp.get(newer))
                .or_else(|| root.get(older))?;
            let names = list.as_array()?.iter().filter_map(Value::as_str);
            Some(names.map(str::to_owned).collect())
        };
        Self {
            allowed: names("allowMCPServers", "allowed"),
            excluded: names("excludeMCPServers", "excluded").unwrap_or_default(),
        }
    }

    fn is_off(&self, name: &str) -> bool {
        let holds = |list: &[String]| list.iter().any(|other| other == name);
        holds(&self.excluded) || self.allowed.as_deref().is_some_and(|list| !holds(list))
    }
}

fn inputs(root: &Object) -> BTreeMap<String, String> {
    let nested = root.get("mcp").and_then(Value::as_object);
    [Some(root), nested]
        .into_iter()
        .flatten()
        .filter_map(|object| object.get("inputs")?.as_array())
        .flatten()
        .filter_map(|input| {
            let description = input.get("description").and_then(Value::as_str);
            let id = input.get("id")?.as_str()?;
            Some((id.to_owned(), description.unwrap_or_default().to_owned()))
        })
        .collect()
}
