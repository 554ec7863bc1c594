//! Where a client keeps a configuration, written as a path with holes: expanded to files that may exist, and
//! recognised in a path that a user named.
//!
//! A place is relative to a project, or begins with `~/`, `${VAR}/`, `${VAR:-~/else}/` or `/`. One part of it may
//! hold `*`. No place asks for the platform: what another platform calls its own is not there, or not set.

use super::environment::Environment;
use std::path::{Path, PathBuf};

/// Who a place belongs to. The order is that of precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// One person, about one project.
    Local,
    /// A project, shared by all who work on it.
    Project,
    /// One person, or one machine.
    User,
}

/// A file, or several of one form, that a client looks for.
#[derive(Debug)]
pub struct Place {
    /// Who it belongs to.
    pub reach: Reach,
    /// The path with its holes.
    pub path: &'static str,
}

/// A file of a project.
pub(super) const fn project(path: &'static str) -> Place {
    Place {
        reach: Reach::Project,
        path,
    }
}

/// A file of a person or a machine.
pub(super) const fn user(path: &'static str) -> Place {
    Place {
        reach: Reach::User,
        path,
    }
}

impl Place {
    /// The path, absolute; `None` where a variable or the home directory is not known. It may hold `*`.
    pub(super) fn pattern(&self, root: &Path, env: &Environment) -> Option<PathBuf> {
        if self.reach == Reach::Project {
            return Some(root.join(self.path));
        }
        let at_home = |path: &str| match path.strip_prefix('~') {
            Some(rest) => Some(env.home.as_ref()?.join(rest.trim_start_matches('/'))),
            None => Some(PathBuf::from(path)),
        };
        let Some((variable, rest)) = self.variable() else {
            return at_home(self.path);
        };
        let (name, otherwise) = match variable.split_once(":-") {
            Some((name, otherwise)) => (name, Some(otherwise)),
            None => (variable, None),
        };
        let base = match env.var(name).filter(|value| !value.is_empty()) {
            Some(value) => env.current_dir.join(value),
            None => at_home(otherwise?)?,
        };
        // Joining nothing would end a file's path with a slash.
        Some(if rest.is_empty() {
            base
        } else {
            base.join(rest)
        })
    }

    /// The variable that the path begins with, and what follows it.
    fn variable(&self) -> Option<(&'static str, &'static str)> {
        let (variable, rest) = self.path.strip_prefix("${")?.split_once('}')?;
        Some((variable, rest.trim_start_matches('/')))
    }

    /// What a path must end with to be of this place, whoever's home it is in; empty if nothing is sure.
    fn end(&self) -> String {
        let below_home = |path: &'static str| path.trim_start_matches(['~', '/']);
        match self.variable() {
            None => below_home(self.path).to_owned(),
            Some((variable, rest)) => match variable.split_once(":-") {
                Some((_, otherwise)) => {
                    let base = below_home(otherwise);
                    let slash = if base.is_empty() { "" } else { "/" };
                    format!("{base}{slash}{rest}")
                }
                None => rest.to_owned(),
            },
        }
    }

    /// How many folders up from a file of this place the project is; `None` if the path is of another place.
    pub(super) fn depth_in(&self, path: &Path) -> Option<usize> {
        let end = self.end();
        let parts: Vec<&str> = end.split('/').filter(|part| !part.is_empty()).collect();
        let mut names = path.iter().rev();
        let is_end = !parts.is_empty()
            && parts.iter().rev().all(|part| {
                let name = names.next().and_then(|name| name.to_str());
                name.is_some_and(|name| fits(name, part))
            });
        is_end.then_some(parts.len())
    }

    /// The name of the file, where it is one name.
    pub(super) fn file_name(&self) -> Option<&'static str> {
        let name = self.path.rsplit('/').next()?.trim_end_matches('}');
        (!name.contains(['*', '$'])).then_some(name)
    }
}

/// Whether a name is of a form in which `*` stands for any characters, none too.
pub(super) fn fits(name: &str, form: &str) -> bool {
    let Some((start, end)) = form.split_once('*') else {
        return name == form;
    };
    let Some(rest) = name.strip_prefix(start) else {
        return false;
    };
    if end.contains('*') {
        let mut ends = rest.char_indices().map(|(at, _)| &rest[at..]).chain([""]);
        ends.any(|rest| fits(rest, end))
    } else {
        rest.ends_with(end)
    }
}

#[cfg(test)]
mod tests {
    use super::super::environment::tests::surroundings;
    use super::*;

    fn pattern(path: &'static str, vars: &[(&str, &str)]) -> Option<String> {
        let found = user(path).pattern(Path::new("/project"), &surroundings(vars))?;
        Some(found.to_string_lossy().replace('\\', "/"))
    }

    #[test]
    fn a_place_follows_its_variable_or_what_stands_for_it() {
        let codex = "${CODEX_HOME:-~/.codex}/config.toml";
        for (path, vars, expected) in [
            ("~/.a.json", &[][..], Some("/home/ada/.a.json")),
            ("/etc/a.json", &[], Some("/etc/a.json")),
            (codex, &[], Some("/home/ada/.codex/config.toml")),
            (
                codex,
                &[("CODEX_HOME", "")],
                Some("/home/ada/.codex/config.toml"),
            ),
            (codex, &[("CODEX_HOME", "/c")], Some("/c/config.toml")),
            ("${A}/b", &[], None),
            ("${A}/b", &[("A", "/a")], Some("/a/b")),
            ("${A}", &[("A", "/a/b.json")], Some("/a/b.json")),
            ("${A:-~}/b", &[], Some("/home/ada/b")),
        ] {
            assert_eq!(pattern(path, vars).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn a_place_without_a_home_directory_is_nowhere() {
        let mut env = surroundings(&[]);
        env.home = None;
        assert_eq!(user("~/a").pattern(Path::new("/"), &env), None);
        assert!(project("a").pattern(Path::new("/"), &env).is_some());
    }

    #[test]
    fn a_path_is_recognised_by_its_end() {
        let depth = |place: Place, path: &str| place.depth_in(Path::new(path));
        assert_eq!(
            depth(project(".vscode/mcp.json"), "/x/.vscode/mcp.json"),
            Some(2)
        );
        assert_eq!(depth(project(".vscode/mcp.json"), "/x/mcp.json"), None);
        assert_eq!(depth(project("a/b/*.yaml"), "/x/a/b/n.yaml"), Some(3));
        assert_eq!(depth(project("a/b/*.yaml"), "/x/a/b/n.json"), None);
        let codex = "${CODEX_HOME:-~/.codex}/config.toml";
        assert_eq!(depth(user(codex), "/y/.codex/config.toml"), Some(2));
        assert_eq!(depth(user(codex), "/y/config.toml"), None);
        assert_eq!(depth(user("${A}"), "/y/config.toml"), None);
        assert_eq!(
            depth(user("${APPDATA}/Zed/settings.json"), "/y/Zed/settings.json"),
            Some(2)
        );
    }

    #[test]
    fn a_star_stands_for_any_characters() {
        for (name, form, expected) in [
            ("Code", "Code*", true),
            ("Code - Insiders", "Code*", true),
            ("Codium", "Code*", false),
            ("AnthropicClaude_x", "*Claude*", true),
            ("Claude", "*Claude*", true),
            ("Clude", "*Claude*", false),
            ("a.yaml", "*.yaml", true),
            ("a", "a*a", false),
            ("é*", "é*", true),
        ] {
            assert_eq!(fits(name, form), expected, "{name} {form}");
        }
    }
}
