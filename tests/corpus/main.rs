//! The table of a corpus is what was committed: whoever changes a judgement or the grouping sees what it does.
//!
//! `COUNTERSIGN_REGENERATE=1 cargo test --test corpus` writes the tables anew. The one of published catalogues is
//! held against its folder only where `COUNTERSIGN_CORPUS` names it: the catalogues are no part of this project.

mod noise;
mod table;

use std::fs;
use std::path::Path;

/// Holds a committed table against a corpus.
fn is_fresh(committed: &str, head: &str, corpus: &Path) {
    let outcome = table::run(corpus).expect("a corpus");
    assert!(outcome.faults.is_empty(), "{}", outcome.faults.join("\n"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(committed);
    let table = format!("# {head}\n{}", outcome.table);
    if std::env::var_os("COUNTERSIGN_REGENERATE").is_some() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, &table).expect("written");
    }
    let known = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        known == table,
        "`{committed}` is stale: COUNTERSIGN_REGENERATE=1 cargo test --test corpus\n{table}"
    );
}

#[test]
fn the_table_of_invented_catalogues_is_fresh() {
    is_fresh(
        "fixtures/corpus/table.txt",
        "Made from the invented catalogues beside it",
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/corpus")),
    );
}

#[test]
fn the_table_of_published_catalogues_is_fresh_where_they_are() {
    if let Some(corpus) = std::env::var_os("COUNTERSIGN_CORPUS") {
        is_fresh(
            "tests/snapshots/published-catalogues.txt",
            "Made from catalogues of published packages, which are no part of this project",
            Path::new(&corpus),
        );
    }
}
