//! The import law: which module may name which, and which may name the world outside.
//!
//! It reads the sources as text, without comments, strings and test code, and looks at every path in them.
//! What it cannot see: paths that a macro builds.

#[path = "layering/paths.rs"]
mod paths;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each layer, and the layers that it may name beside itself.
const LAYERS: &[(&str, &str)] = &[
    // What every layer may use.
    ("parallel", ""),
    // Values and words.
    ("json", ""),
    ("text", "json"),
    ("canonical", "json text"),
    ("fingerprint", "canonical json"),
    ("secret", "json"),
    ("model", "json secret"),
    // What was offered.
    ("capture", "json model"),
    (
        "catalogue",
        "canonical capture fingerprint json model secret",
    ),
    // Facts, then judgement, then one value, then words.
    ("pair", "canonical catalogue fingerprint json model text"),
    (
        "diff",
        "canonical catalogue fingerprint json model pair text",
    ),
    (
        "rules",
        "canonical catalogue diff fingerprint json model pair parallel text",
    ),
    (
        "report",
        "canonical catalogue diff fingerprint json model pair rules",
    ),
    (
        "render",
        "canonical catalogue diff fingerprint json model pair parallel report rules text",
    ),
    // What is kept.
    (
        "lockfile",
        "canonical catalogue fingerprint json model pair parallel report rules text",
    ),
    ("policy", "json lockfile model pair report rules"),
    (
        "store",
        "canonical capture catalogue fingerprint json lockfile model pair report secret",
    ),
    // Which servers, and the talk with them.
    ("config", "fingerprint json model secret"),
    // What it keeps is written as everything else that is kept.
    ("auth", "model secret store transport"),
    ("transport", "capture json model secret"),
    (
        "client",
        "canonical capture fingerprint json model secret transport",
    ),
    // Between a client and a server.
    (
        "runtime",
        "canonical capture catalogue client diff fingerprint json lockfile model pair policy render rules secret store \
         transport",
    ),
    // The rim.
    ("term", "model render report"),
    // The bounds of flags are those of what they set.
    ("cli", "json model render"),
    (
        "commands",
        "auth canonical capture catalogue cli client config diff fingerprint json lockfile model pair parallel policy \
         render report rules runtime secret store term transport text",
    ),
    ("main", "cli commands"),
];

/// Who may know the clock, the environment, files, sockets and processes.
const IMPURE: &[&str] = &[
    "auth",
    "client",
    "commands",
    // The surroundings as one value, and the one function that reads a file, for the rest of `config` to be pure.
    "config::environment",
    "config::file",
    "main",
    // The plumbing of a guard; what it decides is pure.
    "runtime::proxy",
    "store",
    "term",
    "transport",
];
/// Who may wait for the wire.
const WIRE: &[&str] = &[
    "auth",
    "client",
    "commands",
    "main",
    "runtime::proxy",
    "transport",
];
/// Who may write to the standard streams.
const STREAMS: &[&str] = &["commands", "main", "term"];
/// Who may know a terminal.
const TERMINAL: &[&str] = &["term"];

/// Names of the world outside, and the modules that may name them.
const OUTSIDE: &[(&str, &[&str])] = &[
    ("std::fs", IMPURE),
    ("std::env", IMPURE),
    ("std::net", IMPURE),
    ("std::process", IMPURE),
    ("std::time::SystemTime", IMPURE),
    ("std::time::Instant", IMPURE),
    ("jiff::Timestamp::now", IMPURE),
    ("jiff::Zoned::now", IMPURE),
    ("directories", IMPURE),
    ("process_wrap", IMPURE),
    ("rustix", IMPURE),
    ("tempfile", IMPURE),
    ("tokio", WIRE),
    ("reqwest", WIRE),
    ("rustls", WIRE),
    ("std::io::stdin", STREAMS),
    ("std::io::stdout", STREAMS),
    ("std::io::stderr", STREAMS),
    ("std::io::IsTerminal", TERMINAL),
    ("console", TERMINAL),
    ("indicatif", TERMINAL),
];

#[test]
fn no_layer_reaches_forward_or_outside() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let modules: BTreeMap<Vec<String>, String> = sources(&src)
        .into_iter()
        .map(|file| {
            let text = fs::read_to_string(&file).expect("a source file");
            let name = file.strip_prefix(&src).expect("a file below `src`");
            (module_of(name), text)
        })
        .collect();
    assert!(modules.len() > 10, "the sources are in `src`");
    let tests: BTreeSet<Vec<String>> = modules
        .iter()
        .flat_map(|(module, text)| {
            let names = paths::test_modules(text).into_iter();
            names.map(move |name| [module, &[name.to_owned()][..]].concat())
        })
        .collect();
    let offences: Vec<String> = modules
        .iter()
        .filter(|(module, _)| !(1..=module.len()).any(|length| tests.contains(&module[..length])))
        .flat_map(|(module, text)| {
            let place = module.join("::");
            let offences = offences(module, text).into_iter();
            offences.map(move |offence| format!("{place}: {offence}"))
        })
        .collect();
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

/// The Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry of the folder").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The path of a file's module in the crate: `rules/text.rs` is `rules`, `text`; the root is empty.
fn module_of(file: &Path) -> Vec<String> {
    let mut module: Vec<String> = file
        .with_extension("")
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    if module
        .last()
        .is_some_and(|last| last == "mod" || last == "lib")
    {
        module.pop();
    }
    module
}

/// What a module's text names and must not.
fn offences(module: &[String], text: &str) -> Vec<String> {
    // The root only lists its modules.
    let Some(layer) = module.first() else {
        return Vec::new();
    };
    let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| name == layer) else {
        return vec![format!("no line of `LAYERS` says what `{layer}` may name")];
    };
    let mut found = Vec::new();
    for path in paths::paths(text) {
        let shown = path.join("::");
        if let Some(named) = named_layer(module, &path)
            && named != layer
            && !allowed.split(' ').any(|layer| layer == named)
        {
            found.push(format!("`{layer}` names `{named}` (`{shown}`)"));
        }
        for (outside, who) in OUTSIDE {
            if !who.iter().any(|who| is_within(module, who)) && reaches(&path, outside) {
                found.push(format!("`{layer}` names `{outside}` (`{shown}`)"));
            }
        }
    }
    found
}

/// Whether a module is another one or inside it.
fn is_within(module: &[String], other: &str) -> bool {
    module.len() >= other.split("::").count() && other.split("::").zip(module).all(|(a, b)| a == b)
}

/// The layer that a path leads into, if it leads into the crate.
fn named_layer<'a>(module: &[String], path: &[&'a str]) -> Option<&'a str> {
    let rest = match *path.first()? {
        "crate" | "countersign" => &path[1..],
        "super" => {
            let ups = path.iter().take_while(|part| **part == "super").count();
            // Fewer of them stay inside the layer.
            if ups < module.len() {
                return None;
            }
            &path[ups..]
        }
        _ => return None,
    };
    // `crate` alone, in `pub(crate)`, names nothing.
    rest.first().copied()
}

/// Whether a path names something outside: from its root, by a glob above it, or by its last two parts after
/// an import of what stands before them.
fn reaches(path: &[&str], outside: &str) -> bool {
    let wanted: Vec<&str> = outside.split("::").collect();
    if let [above @ .., "*"] = path {
        return wanted.starts_with(above) || above.starts_with(&wanted);
    }
    path.starts_with(&wanted) || (wanted.len() > 2 && path.starts_with(&wanted[1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(module: &str, text: &str) -> Vec<String> {
        offences(&module_of(Path::new(module)), text)
    }

    #[test]
    fn a_layer_that_reaches_forward_is_told() {
        let wanted = ["`diff` names `render` (`crate::render::escape::line`)"];
        assert_eq!(
            found("diff/mod.rs", "use crate::render::escape::line;"),
            wanted
        );
        assert_eq!(
            found(
                "diff/text.rs",
                "use crate::{json::Value, render::{escape::line, text as t}};"
            ),
            [wanted[0], "`diff` names `render` (`crate::render::text`)"]
        );
        assert_eq!(
            found("diff/text.rs", "fn f() { crate::render::escape::line(x) }"),
            wanted
        );
        assert_eq!(
            found("diff/text.rs", "use super::super::rules;"),
            ["`diff` names `rules` (`super::super::rules`)"]
        );
        assert_eq!(
            found("pair.rs", "use super::{json, rules::Reason};"),
            ["`pair` names `rules` (`super::rules::Reason`)"]
        );
    }

    #[test]
    fn a_pure_layer_that_looks_outside_is_told() {
        for text in [
            "use std::fs;",
            "use std::{fmt, fs::File};",
            "use std::*;",
            "fn f() { let x = std::env::var(\"X\"); }",
            "use std::time::Instant;",
            "use std::time; fn f() -> time::Instant { todo() }",
            "use jiff::Timestamp; fn f() { Timestamp::now() }",
            "use tokio::time::sleep;",
            "fn f() { std::io::stdout() }",
            "use std::io::{self, IsTerminal};",
        ] {
            assert_ne!(found("report.rs", text), [""; 0], "{text}");
            assert_ne!(found("config/mod.rs", text), [""; 0], "{text}");
        }
    }

    #[test]
    fn what_is_allowed_is_not_told() {
        for (module, text) in [
            (
                "diff/mod.rs",
                "use crate::json::Value; use super::pair; mod text;",
            ),
            (
                "diff/text.rs",
                "use super::walk; use std::io::{self, Write}; use std::time::Duration;",
            ),
            (
                "report.rs",
                "//! [`crate::render`]\n/* crate::render */ const X: &str = \"crate::render\";",
            ),
            (
                "report.rs",
                "const X: &str = r#\"\" crate::render\"#; const Q: char = '\"'; fn f<'a>() {}",
            ),
            (
                "report.rs",
                "#[cfg(test)] mod tests { use std::fs; fn f() { {} } } pub(crate) fn g() {}",
            ),
            (
                "transport/http.rs",
                "use tokio::net::TcpStream; use std::time::Instant;",
            ),
            ("term.rs", "use std::io::IsTerminal;"),
            ("config/environment.rs", "use std::env;"),
            ("lib.rs", "pub mod anything;"),
        ] {
            assert_eq!(found(module, text), [""; 0], "{text}");
        }
    }

    #[test]
    fn code_after_test_code_strings_and_characters_is_seen() {
        for text in [
            "#[cfg(test)] mod tests { fn f() {} } use std::fs;",
            "#[cfg(test)] mod tests; use std::fs;",
            "#[cfg(test)] #[path = \"x\"] use a::{b, c}; use std::fs;",
            "const Q: &str = \"\\\"\"; use std::fs;",
            "const Q: [char; 2] = ['\\'', '\"']; use std::fs;",
            "const R: &str = r#\"\"\"#; use std::fs;",
            "impl<'a> X<'a> for Y {} use std::fs;",
        ] {
            assert_eq!(
                found("report.rs", text),
                ["`report` names `std::fs` (`std::fs`)"],
                "{text}"
            );
        }
    }

    #[test]
    fn a_file_of_tests_is_known_by_its_declaration() {
        let text = "mod a; #[cfg(test)] mod b; #[cfg(test)] mod c { } /* #[cfg(test)] mod d; */";
        assert_eq!(paths::test_modules(text), ["b"]);
    }

    #[test]
    fn a_layer_without_a_line_is_told() {
        assert_eq!(
            found("elsewhere.rs", ""),
            ["no line of `LAYERS` says what `elsewhere` may name"]
        );
    }
}
