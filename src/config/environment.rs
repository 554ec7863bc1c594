//! What this process knows of the world around it, as one value, so that everything after it is pure.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The surroundings in which configurations are read. It holds secrets and has no `Debug` on purpose.
#[derive(Clone)]
pub struct Environment {
    /// The variables of this process that are valid Unicode.
    pub vars: BTreeMap<String, String>,
    /// The home directory.
    pub home: Option<PathBuf>,
    /// The current directory: what `${workspaceFolder}` means where no project says otherwise.
    pub current_dir: PathBuf,
    /// Whether the rules of Windows hold: backslashes in paths, `PATHEXT`, variable names in any case.
    pub windows: bool,
    /// Whether a path is a file that can be run.
    pub is_executable: fn(&Path) -> bool,
}

impl Environment {
    /// The surroundings of this process.
    pub fn from_process() -> Self {
        Self {
            vars: std::env::vars_os()
                .filter_map(|(name, value)| {
                    Some((name.into_string().ok()?, value.into_string().ok()?))
                })
                .collect(),
            home: std::env::home_dir().filter(|home| !home.as_os_str().is_empty()),
            current_dir: std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")),
            windows: cfg!(windows),
            is_executable,
        }
    }

    /// The value of a variable.
    pub fn var(&self, name: &str) -> Option<&str> {
        if let Some(value) = self.vars.get(name) {
            return Some(value);
        }
        // Windows keeps one variable under any case of its name.
        let mut vars = self.vars.iter().filter(|_| self.windows);
        vars.find(|(other, _)| other.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// Whether a command, as a whole, names a file that can be run: a path (relative to `cwd`), or a name in `PATH`.
    pub fn is_program(&self, command: &str, cwd: Option<&str>) -> bool {
        let path = Path::new(command);
        let has_folder = command.contains('/') || (self.windows && command.contains('\\'));
        let candidates: Vec<PathBuf> = if has_folder {
            let base = self.current_dir.join(cwd.unwrap_or_default());
            vec![base.join(path)]
        } else {
            let search = self.var("PATH").unwrap_or_default();
            search
                .split(if self.windows { ';' } else { ':' })
                .filter(|folder| !folder.is_empty())
                .map(|folder| Path::new(folder).join(path))
                .collect()
        };
        candidates.iter().any(|candidate| {
            (self.is_executable)(candidate)
                || self
                    .extensions()
                    .any(|extension| (self.is_executable)(&with_suffix(candidate, extension)))
        })
    }

    /// What Windows tries behind a command's name; nothing elsewhere.
    fn extensions(&self) -> impl Iterator<Item = &str> {
        let known = if self.windows {
            self.var("PATHEXT").unwrap_or(".COM;.EXE;.BAT;.CMD")
        } else {
            ""
        };
        known.split(';').filter(|extension| !extension.is_empty())
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn is_executable(path: &Path) -> bool {
    let Ok(metadata) = std::fs::metadata(path) else {
        return false;
    };
    #[cfg(unix)]
    let runnable = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let runnable = true;
    metadata.is_file() && runnable
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A home, a project and the given variables; no file can be run.
    pub(in crate::config) fn surroundings(vars: &[(&str, &str)]) -> Environment {
        Environment {
            vars: vars
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            home: Some(PathBuf::from("/home/ada")),
            current_dir: PathBuf::from("/home/ada/project"),
            windows: false,
            is_executable: |_| false,
        }
    }

    #[test]
    fn a_program_is_a_path_from_cwd_or_a_name_in_the_search_path() {
        let mut env = surroundings(&[("PATH", "/usr/bin:/opt/my tools")]);
        env.is_executable =
            |path| path == Path::new("/opt/my tools/run me") || path == Path::new("/srv/my server");
        assert!(env.is_program("run me", None));
        assert!(!env.is_program("run", None));
        assert!(env.is_program("./my server", Some("/srv")) || cfg!(windows));
        assert!(env.is_program("/srv/my server", None));
        assert!(!env.is_program("./my server", None));
    }

    #[test]
    fn windows_tries_extensions_and_any_case_of_a_variable() {
        let mut env = surroundings(&[("Path", "tools")]);
        env.is_executable = |path| path == Path::new("tools").join("run me.CMD");
        assert!(!env.is_program("run me", None));
        env.windows = true;
        assert!(env.is_program("run me", None));
    }
}
