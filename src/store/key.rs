//! Under which folder a server is kept: the same for every repository that launches it the same way.

use crate::canonical;
use crate::fingerprint::Digest;
use crate::json::Value;
use crate::model::{Launch, ServerName};
use std::fs;
use std::path::{Path, PathBuf};

/// What a server is kept under: a digest of its unexpanded launch, and a few words of it for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    slug: String,
    digest: Digest,
}

/// How long the readable part of a folder's name may be.
const SLUG_LENGTH: usize = 40;
/// How many hexadecimal digits follow it.
const HEX_LENGTH: usize = 8;

/// Programs that look into the folder they are started in for what to run.
const PROJECT_PROGRAMS: [&str; 24] = [
    "bun", "bundle", "cargo", "composer", "deno", "dotnet", "go", "gradle", "hatch", "just",
    "make", "mise", "mvn", "npm", "pdm", "pipenv", "pixi", "pnpm", "poetry", "rake", "rye", "task",
    "uv", "yarn",
];

impl Key {
    /// Of a server that is started or reached. `folder` is the lockfile's: it counts only where the launch
    /// means something else in another folder, or may, because it holds relative paths or variables.
    pub fn of_launch(launch: &Launch, folder: &Path) -> Self {
        let mut members = vec![("launch", launch.to_value())];
        if depends_on_folder(launch) {
            let folder = absolute(folder).to_string_lossy().into_owned();
            members.push(("folder", Value::String(folder)));
        }
        let words = match launch {
            Launch::Stdio { command, args, .. } => {
                let program = command.rsplit(['/', '\\']).next().unwrap_or(command);
                format!("{program} {}", args.join(" "))
            }
            Launch::Http { url, .. } => url
                .split_once("://")
                .map_or(&**url, |(_, rest)| rest)
                .to_owned(),
        };
        Self::new(&words, members)
    }

    /// The same for one of several servers that are launched the same way under one lockfile, with other values of
    /// their variables or headers: they may show other things, and share no history.
    #[must_use]
    pub fn of_twin(self, name: &ServerName) -> Self {
        let members = vec![
            ("key", Value::String(self.digest.to_string())),
            ("name", Value::from(name.as_str())),
        ];
        Self::new(&self.slug, members)
    }

    /// Of a baseline that was made from a file: only its lockfile and its name there tell it from others.
    pub fn of_file(lockfile: &Path, name: &ServerName) -> Self {
        let members = vec![
            ("lockfile", Value::String(identity(lockfile))),
            ("name", Value::from(name.as_str())),
        ];
        Self::new(name.as_str(), members)
    }

    fn new(words: &str, members: Vec<(&str, Value)>) -> Self {
        let members = members
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value));
        let value = canonical::canonical(&Value::Object(members.collect()));
        Self {
            slug: slug(words),
            digest: Digest::of(&canonical::to_text(&value)),
        }
    }

    /// The name of the server's folder.
    pub fn folder_name(&self) -> String {
        format!("{}-{}", self.slug, &self.digest.hex()[..HEX_LENGTH])
    }

    /// Whether a text is a name as [`Key::folder_name`] gives it, and so no way out of the data directory.
    pub(super) fn is_folder_name(text: &str) -> bool {
        let legal = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        text.len() > HEX_LENGTH && text.chars().all(legal)
    }
}

/// Which lockfile is meant, in 16 hexadecimal digits.
pub(super) fn lockfile_hex(lockfile: &Path) -> String {
    Digest::of(&identity(lockfile)).hex()[..16].to_owned()
}

/// A lockfile's path, the same from wherever it is named. The file itself need not be there.
fn identity(lockfile: &Path) -> String {
    let folder = match lockfile.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let path = absolute(folder).join(lockfile.file_name().unwrap_or_default());
    path.to_string_lossy().into_owned()
}

fn absolute(folder: &Path) -> PathBuf {
    fs::canonicalize(folder)
        .or_else(|_| std::path::absolute(folder))
        .unwrap_or_else(|_| folder.to_owned())
}

/// Letters and digits of the words, joined by hyphens.
fn slug(words: &str) -> String {
    let mut out = String::new();
    for c in words.chars() {
        if out.len() == SLUG_LENGTH {
            break;
        }
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let out = out.trim_end_matches('-');
    if out.is_empty() { "server" } else { out }.to_owned()
}

/// Whether a launch may mean something else in another folder. In doubt it does: a history that two
/// repositories do not share costs little, one that two different servers share is wrong.
fn depends_on_folder(launch: &Launch) -> bool {
    match launch {
        Launch::Http { url, .. } => has_variable(url),
        Launch::Stdio {
            command, args, cwd, ..
        } => {
            let program = command.rsplit(['/', '\\']).next().unwrap_or(command);
            let bare = !command.contains(['/', '\\']);
            has_variable(command)
                || !(bare || is_absolute(command))
                || PROJECT_PROGRAMS.contains(&program.trim_end_matches(".exe"))
                || cwd
                    .as_deref()
                    .is_some_and(|cwd| has_variable(cwd) || !is_absolute(cwd))
                || args.iter().any(|arg| may_be_relative(arg))
        }
    }
}

fn has_variable(text: &str) -> bool {
    text.contains('$') || text.contains('%')
}

fn is_absolute(path: &str) -> bool {
    let drive = |path: &str| path.as_bytes().get(1) == Some(&b':');
    path.starts_with(['/', '\\', '~']) || drive(path)
}

/// Whether an argument may be a path from here: `server.py`, `./x`, `src/main`, `--dir=x/y`, `-m`.
fn may_be_relative(arg: &str) -> bool {
    if has_variable(arg) || matches!(arg, "." | ".." | "-m") {
        return true;
    }
    let value = match arg.split_once('=') {
        Some((flag, value)) if flag.starts_with('-') => value,
        _ => arg,
    };
    // A package of a scope is no path: `@scope/name@1.2.3`.
    let scoped = value.starts_with('@') && value.matches('/').count() == 1;
    if is_absolute(value) || value.contains("://") || scoped {
        return false;
    }
    let extension = value
        .rsplit_once('.')
        .map_or("", |(_, extension)| extension);
    let is_extension = extension.starts_with(|c: char| c.is_ascii_alphabetic());
    value.contains(['/', '\\']) || (is_extension && !value.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn stdio(command: &str, args: &[&str]) -> Launch {
        Launch::Stdio {
            command: command.to_owned(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            cwd: None,
            env: BTreeSet::new(),
        }
    }

    fn shared(launch: &Launch) -> bool {
        let key = |folder: &str| Key::of_launch(launch, Path::new(folder));
        key("/nowhere/one") == key("/nowhere/two")
    }

    #[test]
    fn repositories_share_a_server_that_is_launched_the_same_everywhere() {
        for launch in [
            stdio("npx", &["-y", "@scope/server@1.2.3", "--flag=x"]),
            stdio("/usr/bin/notes-server", &["--db", "/srv/notes.db", "serve"]),
            stdio("docker", &["run", "-i", "--rm", "notes"]),
            Launch::Http {
                url: "https://h.invalid/a/b.php".to_owned(),
                headers: BTreeSet::new(),
                auth: "none".to_owned(),
            },
        ] {
            assert!(shared(&launch), "{launch:?}");
        }
    }

    #[test]
    fn a_launch_that_depends_on_its_folder_is_kept_apart() {
        for launch in [
            stdio("./server", &[]),
            stdio("bin/server", &[]),
            stdio("python", &["server.py"]),
            stdio("python", &["-m", "server"]),
            stdio("node", &["--require=src/x", "/a"]),
            stdio("x", &["${HOME}"]),
            stdio("npm", &["start"]),
            stdio("/usr/bin/cargo", &["run"]),
            stdio("x", &["."]),
            stdio("${X}", &[]),
            Launch::Stdio {
                command: "x".to_owned(),
                args: vec![],
                cwd: Some("sub".to_owned()),
                env: BTreeSet::new(),
            },
        ] {
            assert!(!shared(&launch), "{launch:?}");
        }
    }

    #[test]
    fn a_folder_is_named_for_people_and_never_leads_out() {
        let launch = stdio("/opt/x/npx", &["-y", "@scope/Server"]);
        let name = Key::of_launch(&launch, Path::new("/")).folder_name();
        assert!(name.starts_with("npx-y-scope-server-"), "{name}");
        let file = Path::new("/nowhere/countersign.lock.json");
        for name in ["..", "", "a/../b", "\u{202e}", &"x".repeat(99), "CON"] {
            let key = Key::of_file(file, &name.into());
            let folder = key.folder_name();
            assert!(
                Key::is_folder_name(&folder) && folder.len() <= 49,
                "{folder}"
            );
            let elsewhere = Key::of_file(Path::new("/other/countersign.lock.json"), &name.into());
            assert_ne!(key, elsewhere);
        }
        for text in ["..", "a/b-00000000", "a\\b-00000000", ""] {
            assert!(!Key::is_folder_name(text), "{text}");
        }
    }

    #[test]
    fn a_lockfile_is_the_same_by_whatever_path_it_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("sub")).expect("a folder");
        let straight = folder.path().join("lock.json");
        let around = folder.path().join("sub/../lock.json");
        assert_eq!(lockfile_hex(&straight), lockfile_hex(&around));
        assert_ne!(
            lockfile_hex(&straight),
            lockfile_hex(&folder.path().join("sub/lock.json"))
        );
    }
}
