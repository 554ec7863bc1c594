//! The nouns that every layer shares: names, kinds, where an item stands, how a server is launched.
//!
//! Names come from outside. They have no `Display` on purpose: they reach a reader only through
//! [`crate::render::escape`].

mod launch;
pub mod loading;
mod pointer;
mod spec;

pub use launch::Launch;
pub use pointer::Pointer;
pub use spec::{Carrier, Endpoint, ServerSpec, SpecState, Timeouts};

use std::fmt;
use std::path::{Path, PathBuf};

/// The name under which a configuration lists a server. Any text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerName(String);

/// What names an item within its kind: the name of a tool or prompt, the URI of a resource, the URI template
/// of a template, and for [`Kind::Server`] one of the constants in [`part`]. Any text; ordered bytewise.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemName(String);

macro_rules! name {
    ($type:ident) => {
        impl $type {
            /// Takes the text as it is.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The text, from outside: not for a terminal or a log.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $type {
            fn from(text: &str) -> Self {
                Self::new(text)
            }
        }
    };
}

name!(ServerName);
name!(ItemName);

/// The parts of a server that are compared beside its lists, as item names of [`Kind::Server`].
pub mod part {
    /// Command and arguments, or URL; kind of authentication; names of env variables and headers.
    pub const LAUNCH: &str = "launch";
    /// The text that the server hands to the model.
    pub const INSTRUCTIONS: &str = "instructions";
    /// Name, version, title, description, icons of the server.
    pub const INFO: &str = "info";
    /// What the server says that it can do.
    pub const CAPABILITIES: &str = "capabilities";
    /// All of them, in the order in which they are shown.
    pub const ALL: [&str; 4] = [LAUNCH, INSTRUCTIONS, INFO, CAPABILITIES];
}

/// A kind of item. The order is that of every listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A part of the server itself, see [`part`].
    Server,
    /// An item of `tools/list`.
    Tool,
    /// An item of `prompts/list`.
    Prompt,
    /// An item of `resources/list`.
    Resource,
    /// An item of `resources/templates/list`.
    Template,
}

impl Kind {
    /// Every kind, in order.
    pub const ALL: [Self; 5] = [
        Self::Server,
        Self::Tool,
        Self::Prompt,
        Self::Resource,
        Self::Template,
    ];
    /// The kinds that a server lists, in the order in which they are asked for.
    pub const LISTED: [Self; 4] = [Self::Tool, Self::Prompt, Self::Resource, Self::Template];

    /// The word for one: `tool`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Tool => "tool",
            Self::Prompt => "prompt",
            Self::Resource => "resource",
            Self::Template => "template",
        }
    }

    /// The word for many, which is also the member of snapshots and lockfile: `tools`.
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Server => "servers",
            Self::Tool => "tools",
            Self::Prompt => "prompts",
            Self::Resource => "resources",
            Self::Template => "templates",
        }
    }

    /// The method that lists it; `None` for [`Kind::Server`].
    pub const fn list_method(self) -> Option<&'static str> {
        match self {
            Self::Server => None,
            Self::Tool => Some("tools/list"),
            Self::Prompt => Some("prompts/list"),
            Self::Resource => Some("resources/list"),
            Self::Template => Some("resources/templates/list"),
        }
    }

    /// The member of a list result that holds the items.
    pub const fn list_member(self) -> &'static str {
        match self {
            Self::Template => "resourceTemplates",
            other => other.plural(),
        }
    }

    /// The member of an item that names it.
    pub const fn name_member(self) -> &'static str {
        match self {
            Self::Resource => "uri",
            Self::Template => "uriTemplate",
            _ => "name",
        }
    }

    /// The kind that a [`Kind::word`] names.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// One item of one server.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemKey {
    /// What kind of item.
    pub kind: Kind,
    /// Its name within the kind.
    pub name: ItemName,
}

impl ItemKey {
    /// A key.
    pub fn new(kind: Kind, name: impl Into<String>) -> Self {
        Self {
            kind,
            name: ItemName::new(name),
        }
    }

    /// The key of a part of the server.
    pub fn part(name: &str) -> Self {
        Self::new(Kind::Server, name)
    }
}

/// How much a reason or a change matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Recorded and shown; never blocks.
    Minor,
    /// It can alter what the model is told, or widen what leaves the account.
    Material,
}

impl Level {
    /// The word for reports and files.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Minor => "minor",
            Self::Material => "material",
        }
    }

    /// The level that a [`Level::word`] names.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Minor, Self::Material]
            .into_iter()
            .find(|level| level.word() == word)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// Something worth knowing that is no change and never blocks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Warning {
    /// A stable kebab-case id, such as `stray-output`.
    pub rule: &'static str,
    /// Where, as a JSON Pointer or an item's name; empty for the server as a whole. Outside text.
    pub path: String,
    /// One sentence. It may hold outside text.
    pub message: String,
    /// What is to be read, where the sentence says to read something. Outside text.
    pub text: Option<String>,
}

impl Warning {
    /// A warning about the server as a whole.
    pub fn new(rule: &'static str, message: impl Into<String>) -> Self {
        Self {
            rule,
            path: String::new(),
            message: message.into(),
            text: None,
        }
    }

    /// The same, with what is to be read.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// The same, about a place.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }
}

/// Something that could not be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// A stable kebab-case word for programs: `start`, `timeout`, `protocol`, `config`, `lockfile`, `usage`, …
    pub kind: &'static str,
    /// What happened, to whom, and why. It may hold outside text; secrets are already out of it.
    pub message: String,
    /// What to do about it: a sentence or a command to paste.
    pub hint: Option<String>,
    /// The file that it is about and the line there, from 1, where both are known. Outside text.
    pub place: Option<(PathBuf, usize)>,
}

impl Problem {
    /// A problem without a hint.
    pub fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: None,
            place: None,
        }
    }

    /// The same with the line that it is about.
    #[must_use]
    pub fn at(mut self, file: &Path, line: usize) -> Self {
        self.place = Some((file.to_owned(), line));
        self
    }

    /// The same with a way out.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_escapes_its_tokens() {
        let pointer = Pointer::root().join("a/b").join("~").join("").index(3);
        assert_eq!(pointer.as_str(), "/a~1b/~0//3");
    }
}
