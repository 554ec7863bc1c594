//! What countersign makes of a folder of published catalogues: a table of counts that can be compared.
//!
//! A corpus is a file `pairs.tsv` (registry, package, version before, version after) and a file
//! `REGISTRY/PACKAGE/VERSION.json` for each version, as a server answered `tools/list`.

use crate::noise;
use countersign::capture::Capture;
use countersign::catalogue::Catalogue;
use countersign::json::Limits;
use countersign::model::{Kind, Level, ServerName};
use countersign::pair::pair;
use countersign::render::group;
use countersign::report::Change;
use countersign::rules::{self, Context, RULES};
use countersign::secret::Secrets;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Two versions of one package.
struct Versions {
    registry: String,
    package: String,
    before: String,
    after: String,
}

/// What one pair of versions comes to.
struct Row {
    versions: Versions,
    changes: Vec<Change>,
    entries: usize,
    /// Whether the canonical forms are equal.
    same: bool,
    /// Whether nothing but what programs write by themselves differs.
    noise: bool,
}

impl Row {
    fn level(&self) -> Option<Level> {
        self.changes.iter().map(Change::level).max()
    }
}

/// The table, and what must never happen and did.
pub(crate) struct Outcome {
    /// For people and for comparing.
    pub(crate) table: String,
    /// A sentence for each fault.
    pub(crate) faults: Vec<String>,
}

/// Compares all pairs of a corpus, and each of its files with itself.
pub(crate) fn run(folder: &Path) -> Result<Outcome, String> {
    let list = folder.join("pairs.tsv");
    let list =
        fs::read_to_string(&list).map_err(|error| format!("`{}`: {error}", list.display()))?;
    let mut known: BTreeMap<PathBuf, Catalogue> = BTreeMap::new();
    let mut faults = Vec::new();
    for file in files(folder)? {
        let read = catalogue(&file)?;
        faults.extend(itself(&read, &catalogue(&file)?, &file));
        known.insert(file, read);
    }
    let mut rows = Vec::new();
    for line in list.lines().filter(|line| !line.is_empty()) {
        let [registry, package, before, after] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!(
                "`{line}` is not registry, package and two versions"
            ));
        };
        let of = |version: &str| {
            let folder = folder.join(registry).join(package);
            let file = folder.join(format!("{version}.json"));
            known
                .get(&file)
                .ok_or_else(|| format!("there is no `{}`", file.display()))
        };
        let (old, new) = (of(before)?, of(after)?);
        let versions = Versions {
            registry: registry.to_owned(),
            package: package.to_owned(),
            before: before.to_owned(),
            after: after.to_owned(),
        };
        rows.push(row(versions, old, new));
    }
    faults.extend(rows.iter().filter_map(fault));
    Ok(Outcome {
        table: words(&rows, known.len()),
        faults,
    })
}

/// The catalogues two folders down, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let inside = |folder: &Path| -> Result<Vec<PathBuf>, String> {
        let cannot = |error| format!("`{}`: {error}", folder.display());
        let entries = fs::read_dir(folder).map_err(cannot)?;
        let paths = entries.map(|entry| Ok(entry.map_err(cannot)?.path()));
        paths.collect()
    };
    let mut found = vec![folder.to_owned()];
    for _ in 0..3 {
        let mut next = Vec::new();
        for folder in found.iter().filter(|path| path.is_dir()) {
            next.extend(inside(folder)?);
        }
        found = next;
    }
    found.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "json")
    });
    found.sort();
    Ok(found)
}

fn catalogue(file: &Path) -> Result<Catalogue, String> {
    let cannot = |error: &dyn std::fmt::Display| format!("`{}`: {error}", file.display());
    let bytes = fs::read(file).map_err(|error| cannot(&error))?;
    let capture = Capture::from_file(bytes, Limits::default()).map_err(|error| cannot(&error))?;
    let (catalogue, _) =
        Catalogue::from_capture(&capture, &Secrets::default()).map_err(|error| cannot(&error))?;
    Ok(catalogue)
}

fn changes(package: &str, before: &Catalogue, after: &Catalogue) -> Vec<Change> {
    let removed = BTreeMap::new();
    let pairing = pair(before, after, &removed);
    let names = |catalogue: &Catalogue| -> Vec<_> {
        let tools = catalogue.of(Kind::Tool);
        tools.map(|(key, _)| key.name.clone()).collect()
    };
    let all = [names(before), names(after)];
    let context = Context::default()
        .with_names(all.iter().flatten())
        .with_collapsed(rules::collapsed(&pairing, before));
    let server = ServerName::new(package);
    let changes = pairing
        .pairs
        .iter()
        .map(|pair| Change::new(&server, pair, rules::judge(pair, &context)));
    changes.collect()
}

/// Whether both hold the same, by another way than pairing.
fn same(before: &Catalogue, after: &Catalogue) -> bool {
    before.to_snapshot() == after.to_snapshot()
}

fn row(versions: Versions, before: &Catalogue, after: &Catalogue) -> Row {
    let changes = changes(&versions.package, before, after);
    Row {
        entries: group::groups(&changes).len(),
        same: same(before, after),
        noise: !changes.is_empty() && noise::only(before, after),
        versions,
        changes,
    }
}

/// One file read twice: nothing differs, and its snapshot is the same.
fn itself(one: &Catalogue, other: &Catalogue, file: &Path) -> Option<String> {
    if !changes("itself", one, other).is_empty() {
        Some(format!("`{}` differs from itself", file.display()))
    } else if one.to_snapshot() != other.to_snapshot() {
        Some(format!("`{}` has two snapshots", file.display()))
    } else {
        None
    }
}

/// What must not be: a change without a reason, or noise that waits.
fn fault(row: &Row) -> Option<String> {
    let reason = if row.same != row.changes.is_empty() {
        "the canonical forms say otherwise"
    } else if row.changes.iter().any(|change| change.reasons.is_empty()) {
        "a change without a reason"
    } else if row.noise && row.level() == Some(Level::Material) {
        "noise is material"
    } else if row.entries == 0 && !row.changes.is_empty() {
        "changes without an entry"
    } else {
        return None;
    };
    Some(format!("{}: {reason}", name(&row.versions)))
}

fn name(versions: &Versions) -> String {
    let Versions {
        registry,
        package,
        before,
        after,
    } = versions;
    format!("{registry} {package} {before} -> {after}")
}

fn words(rows: &[Row], files: usize) -> String {
    let mut out = String::new();
    summary(&mut out, rows, files);
    by_rule(&mut out, rows);
    by_pair(&mut out, rows);
    out
}

fn summary(out: &mut String, rows: &[Row], files: usize) {
    let count = |fits: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| fits(row)).count();
    let all = || rows.iter().flat_map(|row| &row.changes);
    let changes = |level| all().filter(|change| change.level() == level).count();
    let at = |level| move |row: &Row| row.level() == Some(level);
    let noise = |level| move |row: &Row| row.noise && row.level() == Some(level);
    for (what, number) in [
        ("files", files),
        ("pairs", rows.len()),
        ("  nothing differs", count(&|row| row.level().is_none())),
        ("  minor", count(&at(Level::Minor))),
        ("  material", count(&at(Level::Material))),
        ("pairs of noise only, minor", count(&noise(Level::Minor))),
        (
            "pairs of noise only, material",
            count(&noise(Level::Material)),
        ),
        ("changes, minor", changes(Level::Minor)),
        ("changes, material", changes(Level::Material)),
        ("reasons", all().map(|change| change.reasons.len()).sum()),
        (
            "entries after grouping",
            rows.iter().map(|row| row.entries).sum(),
        ),
    ] {
        let _ = writeln!(out, "{what:34}{number:>7}");
    }
}

fn by_rule(out: &mut String, rows: &[Row]) {
    let _ = writeln!(
        out,
        "\n{:34}{:>9}{:>7}{:>9}{:>9}",
        "rule", "level", "pairs", "changes", "reasons"
    );
    for rule in RULES {
        let (mut pairs, mut changes, mut reasons) = (BTreeSet::new(), 0, 0);
        for (at, row) in rows.iter().enumerate() {
            for change in &row.changes {
                let hits = change.reasons.iter().filter(|r| r.rule == rule.id).count();
                if hits > 0 {
                    pairs.insert(at);
                    changes += 1;
                    reasons += hits;
                }
            }
        }
        if reasons > 0 {
            let (level, pairs) = (rule.level.to_string(), pairs.len());
            let _ = writeln!(
                out,
                "{:34}{level:>9}{pairs:>7}{changes:>9}{reasons:>9}",
                rule.id
            );
        }
    }
}

fn by_pair(out: &mut String, rows: &[Row]) {
    let _ = writeln!(
        out,
        "\n{:>8}{:>8}{:>9}{:>9}{:>9}  pair",
        "entries", "changes", "reasons", "material", "level"
    );
    for row in rows.iter().filter(|row| !row.changes.is_empty()) {
        let reasons: usize = row.changes.iter().map(|change| change.reasons.len()).sum();
        let material = row
            .changes
            .iter()
            .filter(|change| change.level() == Level::Material)
            .count();
        let level = match (row.noise, row.level()) {
            (true, Some(Level::Minor)) => "noise".to_owned(),
            (_, level) => level.map(|level| level.to_string()).unwrap_or_default(),
        };
        let _ = writeln!(
            out,
            "{:>8}{:>8}{reasons:>9}{material:>9}{level:>9}  {}",
            row.entries,
            row.changes.len(),
            name(&row.versions)
        );
    }
}
