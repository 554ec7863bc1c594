//! The commands of the pages in `docs/` do what the pages say: each page is run from top to bottom in a project of
//! its own, with a stand-in for `npx` that serves a catalogue, and what follows a command as its output is its output.
//! `COUNTERSIGN_REGENERATE=1 cargo test --test docs` writes the outputs anew.
//!
//! - A `sh` block is run line by line. A line that must not end with 0 says `# status N` at its end. A `console` block
//!   shows what takes a person or another machine, and is not run.
//! - A `text` block right after it holds what its commands print.
//! - Of a `yaml` or `groovy` block the commands of countersign are run.
//! - `<!-- runs: COMMAND -->` is run as well: what the page takes for granted.
//! - `<!-- serves: FILE -->` lets the server offer another catalogue of `fixtures/demo` from here on.

#[path = "docs/page.rs"]
mod page;

use std::fs;
use std::path::{Path, PathBuf};

fn pages() -> Vec<PathBuf> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let mut pages: Vec<_> = fs::read_dir(docs)
        .expect("a folder of pages")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect();
    pages.sort();
    pages
}

#[test]
fn each_command_of_the_pages_does_what_its_page_says() {
    let regenerate = std::env::var_os("COUNTERSIGN_REGENERATE").is_some();
    let mut run = 0;
    for path in pages() {
        let text = fs::read_to_string(&path).expect("a page");
        let done = page::run(&text, &path);
        run += done.commands;
        if regenerate {
            fs::write(&path, &done.text).expect("written");
        }
        let stale = done
            .text
            .lines()
            .zip(text.lines())
            .find(|(is, said)| is != said);
        assert!(
            done.text == text || regenerate,
            "`{}` says what is not so; COUNTERSIGN_REGENERATE=1 cargo test --test docs\nis, said: {stale:#?}",
            path.display()
        );
    }
    assert!(run > 20, "{run} commands in all the pages");
}

/// What a page gives as its proof is there: a file or folder of the repository, or a test in one (`FILE::NAME`).
#[test]
fn each_test_and_fixture_that_a_page_names_is_there() {
    const ROOTS: [&str; 4] = ["src/", "tests/", "fixtures/", "docs/"];
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut named = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page");
        let quoted = text.split('`').skip(1).step_by(2);
        for quoted in quoted.filter(|quoted| ROOTS.iter().any(|root| quoted.starts_with(root))) {
            let is_there = match quoted.split_once("::") {
                Some((file, name)) => fs::read_to_string(repository.join(file))
                    .is_ok_and(|source| source.contains(&format!("fn {name}("))),
                None => repository.join(quoted).exists(),
            };
            assert!(is_there, "`{}` names `{quoted}`", page.display());
            named += 1;
        }
    }
    assert!(named > 50, "{named} places named in all the pages");
}
