//! What is depended on: licences, duplicates and sources are those that `.cargo/deny.toml` allows. cargo-deny judges the
//! same where it is installed; this needs nothing but cargo. Neither knows advisories without a database from outside.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use toml::de::{DeTable, DeValue};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn file(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("`{name}`: {e}"))
}

fn table<'a>(value: &'a DeTable<'_>, name: &str) -> &'a DeTable<'a> {
    match value.get(name).map(toml::Spanned::get_ref) {
        Some(DeValue::Table(table)) => table,
        _ => panic!("no table `{name}`"),
    }
}

fn list<'a>(value: &'a DeTable<'_>, name: &str) -> Vec<&'a DeValue<'a>> {
    match value.get(name).map(toml::Spanned::get_ref) {
        Some(DeValue::Array(list)) => list.iter().map(toml::Spanned::get_ref).collect(),
        _ => panic!("no list `{name}`"),
    }
}

fn text<'a>(value: &'a DeTable<'_>, name: &str) -> &'a str {
    match value.get(name).map(toml::Spanned::get_ref) {
        Some(DeValue::String(text)) => text,
        _ => panic!("no text `{name}`"),
    }
}

fn texts(values: &[&DeValue<'_>]) -> BTreeSet<String> {
    let texts = values.iter().map(|value| match value {
        DeValue::String(text) => text.to_string(),
        other => panic!("no text: {other:?}"),
    });
    texts.collect()
}

/// Whether a licence expression (SPDX; the older `/` is an OR) can be kept with these licences.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let answer = any(&words, &mut at, allowed);
    assert_eq!(at, words.len(), "`{expression}` ends too early");
    answer
}

fn any(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut answer = all(words, at, allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        answer |= all(words, at, allowed);
    }
    answer
}

fn all(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut answer = one(words, at, allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        answer &= one(words, at, allowed);
    }
    answer
}

fn one(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let word = *words.get(*at).expect("a licence");
    *at += 1;
    if word == "(" {
        let answer = any(words, at, allowed);
        assert_eq!(words.get(*at), Some(&")"), "no end of `(`");
        *at += 1;
        return answer;
    }
    if words.get(*at) == Some(&"WITH") {
        let with = format!("{word} WITH {}", words.get(*at + 1).expect("an exception"));
        *at += 2;
        return allowed.contains(&with);
    }
    allowed.contains(word)
}

#[test]
fn licence_expressions_are_read_as_they_are_meant() {
    let allowed = ["MIT", "ISC"].map(str::to_owned).into();
    for (expression, answer) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("GPL-3.0/MIT", true),
        ("MIT AND ISC", true),
        ("MIT AND GPL-3.0", false),
        ("(GPL-3.0 OR MIT) AND ISC", true),
        ("GPL-3.0 OR MIT AND GPL-3.0", false),
        ("MIT WITH Some-exception", false),
        ("Apache-2.0 WITH LLVM-exception OR MIT", true),
    ] {
        assert_eq!(is_allowed(expression, &allowed), answer, "{expression}");
    }
}

/// The system that this was built for: what others need may not have been fetched.
fn host() -> String {
    let output = Command::new(std::env::var("RUSTC").unwrap_or("rustc".to_owned()))
        .arg("-vV")
        .output()
        .expect("rustc runs");
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("a host").to_owned()
}

#[test]
fn every_licence_is_an_allowed_one() {
    let text_of_rules = file(".cargo/deny.toml");
    let rules = DeTable::parse(&text_of_rules).expect("TOML");
    let licenses = table(rules.get_ref(), "licenses");
    let allowed = texts(&list(licenses, "allow"));
    let mut exceptions = BTreeMap::new();
    for exception in list(licenses, "exceptions") {
        let DeValue::Table(exception) = exception else {
            panic!("no exception: {exception:?}");
        };
        let allowed = texts(&list(exception, "allow"));
        exceptions.insert(text(exception, "crate").to_owned(), allowed);
    }
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--all-features", "--filter-platform", &host()])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 50, "{} packages", packages.len());
    for package in packages {
        let name = package["name"].as_str().expect("a name");
        let licence = package["license"].as_str().unwrap_or("none");
        let excepted = exceptions.get(name).is_some_and(|more| {
            let allowed = allowed.union(more).cloned().collect();
            is_allowed(licence, &allowed)
        });
        assert!(
            excepted || is_allowed(licence, &allowed),
            "`{name}` has the licence {licence}"
        );
    }
}

#[test]
fn everything_comes_from_the_registry_and_twice_only_what_is_excused() {
    let lock = file("Cargo.lock");
    let lock = DeTable::parse(&lock).expect("TOML");
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut sources = BTreeSet::new();
    for package in list(lock.get_ref(), "package") {
        let DeValue::Table(package) = package else {
            panic!("no package: {package:?}");
        };
        let name = text(package, "name");
        versions
            .entry(name)
            .or_default()
            .insert(text(package, "version"));
        if name == env!("CARGO_PKG_NAME") {
            continue;
        }
        sources.insert(text(package, "source"));
        assert_eq!(text(package, "checksum").len(), 64, "{name}");
    }
    assert!(
        sources.len() == 1 && sources.iter().all(|source| source.starts_with("registry+")),
        "{sources:?}"
    );

    let rules = file(".cargo/deny.toml");
    let rules = DeTable::parse(&rules).expect("TOML");
    for skipped in list(table(rules.get_ref(), "bans"), "skip") {
        let DeValue::Table(skipped) = skipped else {
            panic!("no skipped crate: {skipped:?}");
        };
        assert!(!text(skipped, "reason").is_empty());
        let (name, version) = text(skipped, "crate").split_once('@').expect("a version");
        let known = versions
            .get_mut(name)
            .is_some_and(|all| all.remove(version));
        assert!(
            known,
            "`{name}` {version} is no longer there: excuse it no more"
        );
    }
    let twice = versions.iter().find(|(_, versions)| versions.len() > 1);
    assert_eq!(twice, None, "to be excused in .cargo/deny.toml, or helped");
}
