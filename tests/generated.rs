//! What is generated and committed is fresh. `COUNTERSIGN_REGENERATE=1 cargo test --test generated` writes it anew.

use clap::CommandFactory as _;
use clap_complete::Shell;
use countersign::cli::Cli;
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
