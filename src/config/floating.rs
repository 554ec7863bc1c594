//! Launches that run whatever version is newest: the first question after a drift is who changed, they or we.

use super::spans::program_name;
use crate::model::Launch;

/// Whether the same launch runs the same program tomorrow, as far as the launch says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Version {
    /// It names one version of a package or image.
    Pinned,
    /// It may be another one tomorrow, and why.
    Floats(String),
    /// A program of this machine, or a server elsewhere: the launch says nothing of a version.
    Unsaid,
}

/// Why the same launch may run another program tomorrow; `None` if it names one version, or if nothing is known.
pub fn floating(launch: &Launch) -> Option<String> {
    match version(launch) {
        Version::Floats(why) => Some(why),
        Version::Pinned | Version::Unsaid => None,
    }
}

/// What a launch says about the version that it runs.
pub fn version(launch: &Launch) -> Version {
    let Launch::Stdio { command, args, .. } = launch else {
        return Version::Unsaid;
    };
    let program = program_name(command).to_ascii_lowercase();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match (program.as_str(), args.as_slice()) {
        ("npx" | "bunx" | "pnpx", rest)
        | ("pnpm" | "yarn", ["dlx", rest @ ..])
        | ("npm", ["exec" | "x", rest @ ..])
        | ("bun", ["x", rest @ ..]) => npm(rest),
        ("uvx", rest) | ("uv", ["tool", "run", rest @ ..]) | ("pipx", ["run", rest @ ..]) => {
            python(rest)
        }
        ("docker" | "podman" | "nerdctl", ["run", rest @ ..] | ["container", "run", rest @ ..]) => {
            image(rest)
        }
        _ => Version::Unsaid,
    }
}

/// The value of an option, in either spelling.
fn option<'a>(args: &[&'a str], names: &[&str]) -> Option<&'a str> {
    args.iter()
        .enumerate()
        .find_map(|(i, arg)| match arg.split_once('=') {
            Some((name, value)) => names.contains(&name).then_some(value),
            None => names
                .contains(arg)
                .then(|| args.get(i + 1).copied())
                .flatten(),
        })
}

/// The first word that is neither an option nor the value of one.
fn positional<'a>(args: &[&'a str], takes_value: impl Fn(&str) -> bool) -> Option<&'a str> {
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if *arg == "--" {
            return args.next().copied();
        } else if !arg.starts_with('-') {
            return Some(arg);
        } else if takes_value(arg) {
            args.next();
        }
    }
    None
}

/// What stands before the command that a package runner is to start: its own options.
fn own_options<'a, 'b>(args: &'b [&'a str], first: Option<&'a str>) -> &'b [&'a str] {
    let end = first.and_then(|first| args.iter().position(|arg| std::ptr::eq(*arg, first)));
    &args[..end.unwrap_or(args.len())]
}

fn npm(args: &[&str]) -> Version {
    const VALUED: [&str; 9] = [
        "-p",
        "--package",
        "-c",
        "--call",
        "-w",
        "--workspace",
        "--registry",
        "--cache",
        "--prefix",
    ];
    let first = positional(args, |option| VALUED.contains(&option));
    let options = own_options(args, first);
    if options
        .iter()
        .any(|option| matches!(*option, "--no" | "--no-install" | "--offline"))
    {
        return Version::Unsaid;
    }
    let Some(package) = option(options, &["-p", "--package"]).or(first) else {
        return Version::Unsaid;
    };
    if let Some((_, revision)) = repository(package) {
        return of_repository(package, revision);
    }
    if package.starts_with(['.', '/', '~']) {
        return Version::Unsaid;
    }
    // The first `@` of `@scope/name` is no version.
    let at = package
        .get(1..)
        .and_then(|rest| rest.find('@'))
        .map(|at| at + 1);
    versioned(package, at.map(|at| (&package[..at], &package[at + 1..])))
}

fn python(args: &[&str]) -> Version {
    const VALUED: [&str; 12] = [
        "--from",
        "--spec",
        "--with",
        "--python",
        "-p",
        "--index-url",
        "-i",
        "--index",
        "--extra-index-url",
        "--default-index",
        "--with-editable",
        "--directory",
    ];
    let first = positional(args, |option| VALUED.contains(&option));
    let options = own_options(args, first);
    let Some(package) = option(options, &["--from", "--spec"]).or(first) else {
        return Version::Unsaid;
    };
    if let Some((_, revision)) = repository(package) {
        return of_repository(package, revision);
    }
    if package.starts_with(['.', '/', '~']) {
        return Version::Unsaid;
    }
    let pinned = package.split_once("==").or_else(|| package.split_once('@'));
    if pinned.is_none() && package.contains(['<', '>', '~', '!', '=']) {
        return Version::Floats(format!("`{package}` names a range of versions"));
    }
    versioned(package, pinned)
}

/// `pair` is the name and the version that it is pinned to.
fn versioned(package: &str, pair: Option<(&str, &str)>) -> Version {
    match pair {
        None => Version::Floats(format!("`{package}` names no version: the newest is run")),
        Some((name, version)) if version.contains("${") => {
            Version::Floats(format!("a variable says which version of `{name}` is run"))
        }
        Some((_, version)) if is_exact(version.trim()) => Version::Pinned,
        Some((name, version)) => Version::Floats(format!(
            "`{version}` of `{name}` may be another version tomorrow"
        )),
    }
}

/// A version that names one release: three numbers for npm, any number of them elsewhere is close enough, but
/// no range, no wildcard and no tag.
fn is_exact(version: &str) -> bool {
    let core = version.strip_prefix(['v', '=']).unwrap_or(version);
    core.starts_with(|c: char| c.is_ascii_digit())
        && core.contains('.')
        && !core.contains(['x', '*', ' ', '|', '<', '>', '^', '~', ','])
        && core
            .split(['-', '+'])
            .next()
            .is_some_and(|numbers| numbers.split('.').count() >= 2)
}

/// A package that comes from a repository: where, and the revision.
fn repository(package: &str) -> Option<(&str, Option<&str>)> {
    let is_repository = package.contains("git+")
        || [
            "github:",
            "gitlab:",
            "bitbucket:",
            "git://",
            "https://",
            "ssh://",
        ]
        .iter()
        .any(|start| package.starts_with(start));
    if !is_repository {
        return None;
    }
    let path = package.split_once("://").map_or(package, |(_, path)| path);
    let path = path.split_once('/').map_or(path, |(_, path)| path);
    let revision = path.split_once('#').or_else(|| path.split_once('@'));
    Some((package, revision.map(|(_, revision)| revision)))
}

fn of_repository(package: &str, revision: Option<&str>) -> Version {
    let is_commit =
        |revision: &str| revision.len() >= 7 && revision.chars().all(|c| c.is_ascii_hexdigit());
    match revision {
        // An archive by name says its version in the name.
        None if !package.contains("git") => Version::Pinned,
        Some(revision) if is_commit(revision) => Version::Pinned,
        Some(revision) => Version::Floats(format!(
            "`{revision}` of a repository may be another commit tomorrow"
        )),
        None => Version::Floats("a repository without a commit: its newest is run".to_owned()),
    }
}

/// The image of `docker run`, whose many options nearly all take a value.
fn image(args: &[&str]) -> Version {
    const MOVING_TAGS: [&str; 10] = [
        "latest", "main", "master", "edge", "nightly", "stable", "dev", "next", "beta", "canary",
    ];
    const PLAIN: [&str; 12] = [
        "--detach",
        "--disable-content-trust",
        "--init",
        "--interactive",
        "--no-healthcheck",
        "--oom-kill-disable",
        "--privileged",
        "--publish-all",
        "--quiet",
        "--read-only",
        "--rm",
        "--tty",
    ];
    let takes_value = |option: &str| {
        if option.starts_with("--") {
            return !option.contains('=') && !PLAIN.contains(&option) && option != "--sig-proxy";
        }
        // `-it` is two flags, `-eA=b` holds its value, `-e` and `-ite` want the next word.
        let letters = option.trim_start_matches('-');
        let valued = letters.trim_start_matches(['i', 't', 'd', 'P', 'q']);
        valued.len() == 1
    };
    let Some(image) = positional(args, takes_value) else {
        return Version::Unsaid;
    };
    if image.contains("@sha256:") {
        return Version::Pinned;
    }
    let name = image.rsplit('/').next().unwrap_or(image);
    match name.rsplit_once(':') {
        None => Version::Floats(format!("the image `{image}` has no tag: the newest is run")),
        Some((_, tag)) if MOVING_TAGS.contains(&tag) => {
            Version::Floats(format!("the tag of the image `{image}` moves"))
        }
        Some((_, tag)) if tag.contains("${") => Version::Floats(format!(
            "a variable says which tag of the image `{image}` is run"
        )),
        Some(_) => Version::Pinned,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(words: &str) -> Option<String> {
        let mut words = words.split(' ').map(str::to_owned);
        floating(&Launch::Stdio {
            command: words.next().expect("a command"),
            args: words.collect(),
            cwd: None,
            env: std::collections::BTreeSet::new(),
        })
    }

    #[test]
    fn a_launch_without_one_version_floats() {
        for words in [
            "npx -y @example/notes-mcp@latest",
            "npx -y @example/notes-mcp",
            "npx notes-mcp",
            "npx.cmd -y notes-mcp@^1.2.0",
            "npx -y notes-mcp@1",
            "npx -y notes-mcp@1.x",
            "npx -y notes-mcp@${VERSION}",
            "npx -y --package=notes-mcp serve@1.0.0",
            "npx -p notes-mcp serve",
            "npx --registry https://h.invalid notes-mcp",
            "npx -y github:example/notes",
            "npx -y github:example/notes#main",
            "npm exec -- notes-mcp",
            "pnpm dlx notes-mcp",
            "bunx notes-mcp",
            "uvx notes-mcp",
            "uvx notes-mcp@latest",
            "uvx notes-mcp>=1.2",
            "uvx --from notes-mcp serve",
            "uvx --from git+https://h.invalid/x serve",
            "uvx --from git+https://user@h.invalid/x@v1 serve",
            "uv tool run notes-mcp",
            "pipx run notes-mcp",
            "docker run -i --rm example/notes",
            "docker run -it --rm -e A=b -v /x:/y --name n h.invalid:5000/notes:latest --flag",
            "docker run -eA=b -i notes:main",
            "podman container run --env A notes",
        ] {
            assert!(reason(words).is_some(), "{words}");
        }
    }

    #[test]
    fn a_launch_with_one_version_or_of_an_unknown_kind_does_not() {
        for words in [
            "npx -y @example/notes-mcp@1.4.2",
            "npx -y notes-mcp@1.4.2-rc.1",
            "npx --no-install notes-mcp",
            "npx -y -p notes-mcp@1.4.2 serve",
            "npx ./tools/notes",
            "npx -y github:example/notes#0123456789abcdef0123456789abcdef01234567",
            "npx",
            "uvx notes-mcp==1.4.2",
            "uvx notes-mcp@1.4.2 --from x",
            "uvx --from notes-mcp==1.4.2 serve",
            "uvx --from git+https://h.invalid/x@0123456789abcdef serve",
            "docker run -i --rm example/notes@sha256:00000000000000000000000000000000",
            "docker run -i --rm --network host h.invalid:5000/notes:1.4.2",
            "docker compose up",
            "node server.js",
            "npm run serve",
        ] {
            assert_eq!(reason(words), None, "{words}");
        }
    }

    #[test]
    fn a_remote_server_has_no_version_to_name() {
        let launch = Launch::Http {
            url: "https://h.invalid/mcp".into(),
            headers: std::collections::BTreeSet::new(),
            auth: "none".into(),
        };
        assert_eq!(floating(&launch), None);
    }
}
