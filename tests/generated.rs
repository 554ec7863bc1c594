//! What is generated and committed is fresh. `COUNTERSIGN_REGENERATE=1 cargo test --test generated` writes it anew.

use clap::CommandFactory as _;
use clap_complete::Shell;
use countersign::cli::Cli;
use countersign::config::{Reach, SOURCES};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Holds a committed file against what it must say.
fn is_fresh(path: &Path, text: &str) {
    let path: PathBuf = root().join(path);
    if std::env::var_os("COUNTERSIGN_REGENERATE").is_some() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, text).expect("written");
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == text,
        "`{}` is stale: COUNTERSIGN_REGENERATE=1 cargo test --test generated",
        path.display()
    );
}

#[test]
fn completions_are_those_of_this_command_line() {
    for (shell, file) in [
        (Shell::Bash, "countersign.bash"),
        (Shell::Zsh, "_countersign"),
        (Shell::Fish, "countersign.fish"),
        (Shell::PowerShell, "_countersign.ps1"),
        (Shell::Elvish, "countersign.elv"),
    ] {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Cli::command(), "countersign", &mut script);
        let script = String::from_utf8(script).expect("UTF-8");
        is_fresh(&Path::new("completions").join(file), &script);
    }
}

#[test]
fn the_page_of_clients_is_that_of_the_table_of_sources() {
    let mut page = include_str!("generated/configs.md").to_owned();
    for source in &SOURCES {
        let places = |is_project: bool| -> String {
            let places = source.places.iter();
            let mut paths: Vec<String> = places
                .filter(|place| (place.reach == Reach::Project) == is_project)
                .map(|place| format!("`{}`", place.path))
                .collect();
            paths.dedup();
            paths.join("<br>")
        };
        let forms: Vec<String> = source
            .syntax
            .forms()
            .iter()
            .map(|form| format!("`{form}`"))
            .collect();
        let forms = if forms.is_empty() {
            "nothing".to_owned()
        } else {
            forms.join("<br>")
        };
        let cells = [source.client, &places(true), &places(false), &forms];
        page.extend(["| ", &cells.join(" | "), " |\n"]);
    }
    is_fresh(Path::new("docs/configs.md"), &page);
}
