//! What is generated and committed is fresh. `COUNTERSIGN_REGENERATE=1 cargo test --test generated` writes it anew.

mod pairs;

use clap::CommandFactory as _;
use clap_complete::Shell;
use countersign::canonical::{canonical, to_pretty};
use countersign::cli::Cli;
use countersign::config::{Reach, SOURCES};
use countersign::json::{Limits, read};
use countersign::model::Level;
use countersign::rules::RULES;
use pairs::{folder, reasons};
use similar::TextDiff;
use std::fmt::Write as _;
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

#[test]
fn man_pages_are_those_of_this_command_line() {
    let mut command = Cli::command();
    command.build();
    let of_parts = command
        .get_subcommands()
        .filter(|part| part.get_name() != "help");
    let parts = of_parts.map(|part| (format!("countersign-{}", part.get_name()), part.clone()));
    let parts: Vec<_> = parts.collect();
    for (name, part) in std::iter::once(("countersign".to_owned(), command)).chain(parts) {
        let mut page = Vec::new();
        // No date: what is generated twice is the same.
        clap_mangen::Man::new(part.name(&*name.clone().leak()))
            .render(&mut page)
            .expect("a buffer takes it");
        let page = String::from_utf8(page).expect("UTF-8");
        is_fresh(&Path::new("docs/man").join(format!("{name}.1")), &page);
    }
}

/// What shows a rule at work: its sentence, and what differs between its two fixtures.
struct Example {
    says: String,
    diff: String,
}

fn example(id: &str) -> Example {
    let said = reasons(id);
    let said = said.iter().find(|reason| reason.rule == id);
    let side = |side: &str| {
        let bytes = fs::read(folder(id).join(side)).expect("a fixture");
        let value = read(&bytes, Limits::default()).expect("legal JSON").value;
        to_pretty(&canonical(&value)) + "\n"
    };
    let (before, after) = (side("before.json"), side("after.json"));
    let diff = TextDiff::from_lines(&before, &after);
    let mut lines = String::new();
    for (at, hunk) in diff.grouped_ops(1).iter().enumerate() {
        if at > 0 {
            lines.push_str(" …\n");
        }
        for change in hunk.iter().flat_map(|op| diff.iter_changes(op)) {
            let _ = write!(lines, "{}{}", change.tag(), change.value());
        }
    }
    // Both sides are the same where only a lockfile tells them apart.
    if lines.is_empty() {
        for line in after.lines() {
            let _ = writeln!(lines, " {line}");
        }
    }
    let indent = |line: &str| line[1..].len() - line[1..].trim_start().len();
    let outer = lines
        .lines()
        .filter(|line| line.trim() != "…")
        .map(indent)
        .min();
    let mut dedented = String::new();
    for line in lines.lines() {
        let _ = match line.trim() {
            "…" => writeln!(dedented, "{line}"),
            _ => writeln!(
                dedented,
                "{}{}",
                &line[..1],
                &line[1 + outer.unwrap_or(0)..]
            ),
        };
    }
    Example {
        says: said.expect("its own fixture").message.clone(),
        diff: dedented,
    }
}

#[test]
fn examples_of_rules_are_their_fixtures() {
    let texts: Vec<String> = RULES
        .iter()
        .map(|rule| {
            let Example { says, diff } = example(rule.id);
            format!("{}\n{says}\n{diff}", rule.id)
        })
        .collect();
    is_fresh(Path::new("src/rules/examples.txt"), &texts.join("\n"));
}

#[test]
fn the_page_of_rules_tells_them_all() {
    let mut page = String::from(PAGE);
    for level in [Level::Material, Level::Minor] {
        let _ = writeln!(
            page,
            "\n## {}\n\n| rule | a fact about the server |\n| --- | --- |",
            match level {
                Level::Material => "Material",
                Level::Minor => "Minor",
            }
        );
        for rule in RULES.iter().filter(|rule| rule.level == level) {
            let _ = writeln!(page, "| [`{0}`](#{0}) | {1} |", rule.id, rule.title);
        }
    }
    for rule in RULES {
        let Example { says, diff } = example(rule.id);
        let _ = write!(
            page,
            "\n## {}\n\nLevel: {}. {}. {}.\n\n> {}\n\n```diff\n{diff}```\n",
            rule.id,
            rule.level,
            first_upper(rule.title),
            first_upper(rule.why),
            says
        );
    }
    is_fresh(Path::new("docs/rules.md"), &page);
}

const PAGE: &str = "# Rules

A rule says what a difference means. Every rule that fits a difference is reported, and none hides another. A change is
as important as the most important of its reasons: *material* waits for an acknowledgement, *minor* is recorded and shown.
`countersign diff --explain RULE` tells the same on the command line, and [policy.md](policy.md) how to give a rule
another level. This page is generated.
";

fn first_upper(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}
