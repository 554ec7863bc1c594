//! `--base REF|FILE`: which lockfile decides. Of a REF it is the one of the merge base of HEAD and REF.
//!
//! What cannot be found out is an error. Only a path that git does not know at that commit means that there was no
//! lockfile.

use super::git::{self, Said};
use super::world::{LOCKFILE, World};
use crate::lockfile::{Lockfile, LockfileError};
use crate::model::{Problem, Warning};
use crate::report::Base;
use crate::store;
use std::path::Path;

/// The lockfile that decides, and where it is from.
pub(super) struct Found {
    /// What it holds.
    pub(super) lockfile: Lockfile,
    /// Where it is from.
    pub(super) base: Base,
    /// What is worth knowing about it.
    pub(super) warning: Option<Warning>,
}

/// How many deleted files are looked into for a lockfile that was renamed.
const LOOKED_INTO: usize = 50;

/// Finds the lockfile that a word means.
pub(super) fn find(world: &World, named: &str) -> Result<Found, Problem> {
    let path = world.cwd.join(named);
    let commit = commit_of(world.folder(), named);
    match (path.is_file(), commit) {
        (true, Ok(_)) => Err(Problem::new(
            "usage",
            format!("`--base {named}` is a file and a ref that git knows"),
        )
        .with_hint(format!(
            "--base ./{named} for the file, --base refs/heads/{named} for the branch"
        ))),
        (true, Err(_)) => Ok(Found {
            lockfile: store::load(&path)?,
            base: Base {
                name: named.to_owned(),
                commit: None,
                lockfile_only: false,
            },
            warning: None,
        }),
        (false, Ok(commit)) => Repository::at(world)?.base(named, &commit),
        (false, Err(problem)) => Err(problem),
    }
}

/// The commit that a word means to git.
fn commit_of(folder: &Path, word: &str) -> Result<String, Problem> {
    let neither = |why: &str| {
        Problem::new(
            "base",
            format!("`--base {word}` is no file here, and no commit that git knows{why}"),
        )
    };
    // What git would take for a flag is none.
    if word.starts_with('-') || word.is_empty() {
        return Err(neither(""));
    }
    let inside = git::ask(folder, &["rev-parse", "--is-inside-work-tree"])?;
    if inside.line().as_deref() != Some("true") {
        return Err(
            neither(&format!(": {}", said(&inside, "this is no working tree")))
                .with_hint("--base FILE, with a copy of the lockfile that is to decide"),
        );
    }
    let head = git::ask(folder, &["rev-parse", "--verify", "--quiet", "HEAD"])?;
    if !head.fine {
        return Err(
            Problem::new("base", "there is no commit here yet, so no branch to judge")
                .with_hint("git commit, or without `--base`: countersign diff"),
        );
    }
    let commit = format!("{word}^{{commit}}");
    let found = git::ask(folder, &["rev-parse", "--verify", "--quiet", &commit])?;
    found.line().ok_or_else(|| {
        let branch = word.strip_prefix("origin/").unwrap_or(word);
        let hint = if is_plain(branch) {
            format!("git fetch origin {branch}, and then --base origin/{branch}")
        } else {
            "git fetch".to_owned()
        };
        neither(" here").with_hint(hint)
    })
}

fn is_plain(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
    word.chars().all(plain)
}

fn said(said: &Said, otherwise: &str) -> String {
    match said.complaint.strip_prefix("fatal: ") {
        Some(complaint) => complaint.to_owned(),
        None if said.complaint.is_empty() => otherwise.to_owned(),
        None => said.complaint.clone(),
    }
}

/// The repository that the lockfile stands in.
struct Repository<'a> {
    folder: &'a Path,
    /// The lockfile's name in its folder.
    name: String,
}

impl<'a> Repository<'a> {
    fn at(world: &'a World) -> Result<Self, Problem> {
        let name = world.lock.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| {
            let shown = world.lock.display();
            Problem::new(
                "base",
                format!("`{shown}` has no name that git could be asked for"),
            )
        })?;
        Ok(Self {
            folder: world.folder(),
            name: name.to_owned(),
        })
    }

    fn ask(&self, args: &[&str]) -> Result<Said, Problem> {
        git::ask(self.folder, args)
    }

    /// The lockfile as it stood where this branch left the other one.
    fn base(&self, word: &str, other: &str) -> Result<Found, Problem> {
        let commit = self.merge_base(word, other)?;
        let short = commit.get(..12).unwrap_or(&commit).to_owned();
        let name = &self.name;
        let base = Base {
            name: word.to_owned(),
            commit: Some(short.clone()),
            lockfile_only: false,
        };
        let Some(source) = self.file_at(&commit, name)? else {
            self.must_not_be_renamed(&commit, word)?;
            if let Some((above, lockfile)) = self.above(&commit, word)? {
                let message = format!(
                    "`{above}` decided for this folder at `{word}` ({short}), and this branch puts another lockfile below it: all of this one is new, and judged by the policy of that one"
                );
                return Ok(Found {
                    lockfile: Lockfile {
                        policy: lockfile.policy,
                        ..Lockfile::default()
                    },
                    base,
                    warning: Some(Warning::new("lockfile-below", message)),
                });
            }
            let message = format!(
                "`{word}` held no `{name}` where this branch left it ({short}): all of this one is new"
            );
            return Ok(Found {
                lockfile: Lockfile::default(),
                base,
                warning: Some(Warning::new("base-empty", message)),
            });
        };
        let lockfile =
            Lockfile::parse(&source).map_err(|error| damaged(&error, name, word, &short))?;
        Ok(Found {
            lockfile,
            base,
            warning: None,
        })
    }

    fn merge_base(&self, word: &str, other: &str) -> Result<String, Problem> {
        let found = self.ask(&["merge-base", "HEAD", other])?;
        if let Some(commit) = found.line() {
            return Ok(commit);
        }
        let shallow = self.ask(&["rev-parse", "--is-shallow-repository"])?;
        let problem = if shallow.line().as_deref() == Some("true") {
            Problem::new(
                "base",
                format!(
                    "this clone is shallow: it does not reach back to where HEAD and `{word}` part"
                ),
            )
            .with_hint("git fetch --unshallow (of actions/checkout: `fetch-depth: 0`)")
        } else {
            let why = if found.complaint.is_empty() {
                String::new()
            } else {
                format!(": {}", said(&found, ""))
            };
            Problem::new(
                "base",
                format!("HEAD and `{word}` have no commit in common{why}"),
            )
            .with_hint("--base FILE, with a copy of the lockfile that is to decide")
        };
        Err(problem)
    }

    /// A file of the lockfile's folder as a commit holds it; `None` if there was none.
    fn file_at(&self, commit: &str, name: &str) -> Result<Option<Vec<u8>>, Problem> {
        let listed = self.ask(&["ls-tree", "-z", commit, "--", name])?;
        let cannot = |listed: &Said| {
            let why = said(listed, "git does not say why");
            let message = format!("cannot read `{name}` at {commit}: {why}");
            Problem::new("base", message)
        };
        if !listed.fine {
            return Err(cannot(&listed));
        }
        // `MODE TYPE ID<tab>NAME<nul>`
        let line = String::from_utf8_lossy(&listed.stdout).into_owned();
        let mut words = line.split([' ', '\t']);
        match (words.next(), words.next(), words.next()) {
            (Some(mode), Some("blob"), Some(id)) if mode != "120000" => {
                let file = self.ask(&["cat-file", "blob", id])?;
                if file.fine {
                    Ok(Some(file.stdout))
                } else {
                    Err(cannot(&file))
                }
            }
            (Some(_), Some(_), Some(_)) => Err(Problem::new(
                "base",
                format!("`{name}` is no file at {commit}, but a link or a folder"),
            )
            .with_hint("--lock FILE, with the path of the file itself")),
            _ => Ok(None),
        }
    }

    /// The nearest lockfile of the usual name in a folder above, as a commit holds it, and its path from the root.
    fn above(&self, commit: &str, word: &str) -> Result<Option<(String, Lockfile)>, Problem> {
        let prefix = self.ask(&["rev-parse", "--show-prefix"])?;
        let prefix = prefix.line().unwrap_or_default();
        let mut folder = prefix.trim_end_matches('/');
        while !folder.is_empty() {
            folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
            let path = match folder {
                "" => LOCKFILE.to_owned(),
                folder => format!("{folder}/{LOCKFILE}"),
            };
            let file = self.ask(&["cat-file", "blob", &format!("{commit}:{path}")])?;
            if file.fine {
                let short = commit.get(..12).unwrap_or(commit);
                let lockfile = Lockfile::parse(&file.stdout)
                    .map_err(|error| damaged(&error, &path, word, short))?;
                return Ok(Some((path, lockfile)));
            }
        }
        Ok(None)
    }

    /// A lockfile that went with this branch is the one that decides, not none.
    fn must_not_be_renamed(&self, commit: &str, word: &str) -> Result<(), Problem> {
        let gone = self.ask(&[
            "diff",
            "--name-only",
            "-z",
            "--no-renames",
            "--no-ext-diff",
            "--no-relative",
            "--diff-filter=D",
            commit,
        ])?;
        let gone = String::from_utf8_lossy(&gone.stdout).into_owned();
        let is_json = |path: &&str| {
            let extension = Path::new(path).extension();
            extension.is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
        };
        for path in gone.split('\0').filter(is_json).take(LOOKED_INTO) {
            let file = self.ask(&["cat-file", "blob", &format!("{commit}:{path}")])?;
            if file.fine && Lockfile::parse(&file.stdout).is_ok() {
                let short = commit.get(..12).unwrap_or(commit);
                let message = format!(
                    "the lockfile of `{word}` stands at `{path}`, which this branch takes away: `{}` is not judged as if there had been none",
                    self.name
                );
                let quoted = format!("{short}:{path}");
                let quoted = shlex::try_quote(&quoted).map_or(quoted.clone(), Into::into);
                return Err(Problem::new("base", message).with_hint(format!(
                    "git show {quoted} > base.json && countersign diff --base ./base.json"
                )));
            }
        }
        Ok(())
    }
}

/// A damaged lockfile at the base is no lockfile, and never taken for none.
fn damaged(error: &LockfileError, name: &str, word: &str, commit: &str) -> Problem {
    let message = format!("`{name}` of `{word}` at {commit}, {error}");
    Problem::new("base", message).with_hint(format!(
        "mend it there first, or --base FILE with a whole copy; `git show {commit}:./{name}` shows it"
    ))
}
