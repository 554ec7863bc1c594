//! `cargo bench --bench performance`: what countersign costs, beside a floor or a tool of others in the same run.
//!
//! Every figure is the median of several runs that take turns with what they are compared with. The ratio is what
//! counts: machines differ, and this one may be busy. `cargo bench --bench performance -- WORD` runs the parts whose
//! name holds a word; `docs/performance.md` holds a run of all.
#![expect(clippy::print_stdout, reason = "the table is what it is for")]

mod catalogue;
mod floor;
mod measure;
mod peers;
mod project;

use catalogue::Edit;
use measure::{Cost, Run, medians};
use project::Project;
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some("measure") => return measure::between(&words[1..]),
        Some("floor") => return floor::floor(&words[1..]),
        _ => {}
    }
    let wanted = words.iter().find(|word| !word.starts_with('-'));
    let parts: [(&str, fn()); 6] = [
        ("start", start),
        ("fifty", fifty),
        ("servers", servers),
        ("tools", tools),
        ("edits", edits),
        ("peers", peers::peers),
    ];
    println!("| what | wall | CPU | peak memory | beside |\n| --- | --- | --- | --- | --- |");
    for (name, part) in parts {
        if wanted.is_none_or(|wanted| name.contains(wanted.as_str())) {
            part();
        }
    }
    ExitCode::SUCCESS
}

/// Start-up, beside a program that does nothing.
fn start() {
    let project = Project::new();
    let runs = [
        Run::new(project.root(), &["true"]),
        Run::new(project.root(), &[Project::program(), "--version"]),
        Run::new(project.root(), &[Project::program(), "diff", "--help"]),
    ];
    let costs = medians(&runs, 60);
    row("a program that does nothing (`true`)", costs[0], None);
    row("`countersign --version`", costs[1], Some(costs[0]));
    row("`countersign diff --help`", costs[2], Some(costs[0]));
}

/// `diff` against a fast server with fifty tools, beside the server's own time.
fn fifty() {
    let project = Project::new();
    project.write("tools.json", &catalogue::catalogue(0..50, Edit::None));
    let alone = project.server_alone("tools.json");
    let check = project.check(&["tools.json".to_owned()]);
    let web = project.over_http("tools.json");
    let runs = [alone, check, web.check.clone()];
    let costs = medians(&runs, 60);
    row("a server with 50 tools, asked by a pipe", costs[0], None);
    row("`diff` of it over stdio", costs[1], Some(costs[0]));
    row(
        "`diff` of it over HTTP, where it runs already",
        costs[2],
        None,
    );
}

/// Many servers side by side, beside the same servers asked by pipes.
fn servers() {
    for count in [1, 10, 100] {
        let project = Project::new();
        // Each has tools of its own names, as real ones have.
        let name = |server: usize| format!("tools-{server}.json");
        let offers: Vec<String> = (0..count).map(name).collect();
        for (server, offer) in offers.iter().enumerate() {
            let first = server * 20;
            project.write(offer, &catalogue::catalogue(first..first + 20, Edit::None));
        }
        let mut alone = project.server_alone(&offers[0]);
        alone.copies = count;
        let check = project.check(&offers);
        let costs = medians(&[alone, check], if count > 10 { 9 } else { 25 });
        row(
            &format!("{count} servers of 20 tools, asked by pipes"),
            costs[0],
            None,
        );
        row(&format!("`diff` of {count}"), costs[1], Some(costs[0]));
        if count == 100 {
            slow_servers(costs[0]);
        }
    }
}

/// As many servers that each wait before they answer, beside one that waits and what asking as many takes.
fn slow_servers(asking: Cost) {
    let project = Project::new();
    let offers: Vec<String> = (0..100)
        .map(|server| format!("tools-{server}.json"))
        .collect();
    for (server, offer) in offers.iter().enumerate() {
        let first = server * 20;
        project.write(offer, &catalogue::catalogue(first..first + 20, Edit::None));
    }
    let pause = Duration::from_millis(250);
    let check = project.check_of_slow(&offers, pause);
    let cost = medians(&[check], 5)[0];
    // Two answers, each after its pause.
    let beside = Cost {
        wall: 2 * pause + asking.wall,
        ..asking
    };
    row(
        "`diff --jobs 100` of 100 servers that answer twice, each time after 250 ms; beside 500 ms and asking 100 by pipes",
        cost,
        Some(beside),
    );
}

/// Two files of which one has a few changes, in growing sizes, beside the floor and `jq`.
fn tools() {
    let mut before: Option<Cost> = None;
    for count in [1_000, 10_000, 100_000] {
        let project = Project::new();
        project.write("before.json", &catalogue::catalogue(0..count, Edit::None));
        project.write("after.json", &catalogue::catalogue(0..count, Edit::Few));
        let floor = project.floor(&["before.json", "after.json"]);
        let compare = project.compare("before.json", "after.json");
        let jq = Run::new(
            project.root(),
            &[
                "sh",
                "-c",
                "for f in before.json after.json; do jq -S . $f | sha256sum; done",
            ],
        );
        let rounds = if count > 10_000 { 3 } else { 9 };
        let costs = medians(&[floor, compare, jq], rounds);
        let size = project.size("before.json");
        row(
            &format!("{count} tools twice ({size}), read with serde_json and hashed"),
            costs[0],
            None,
        );
        row(
            &format!("`diff BEFORE AFTER`, {count} tools, one in a hundred changed"),
            costs[1],
            Some(costs[0]),
        );
        row(
            &format!("`jq -S . \\| sha256sum` of both, {count} tools"),
            costs[2],
            Some(costs[0]),
        );
        if let Some(before) = before {
            println!(
                "| … ten times the tools take {:.1} times as long | | | | |",
                ratio(costs[1].wall, before.wall)
            );
        }
        before = Some(costs[1]);
    }
}

/// 10,000 tools of which every one changed.
fn edits() {
    for (words, edit) in [
        ("nothing changed", Edit::None),
        ("every tool with a hint more", Edit::Hints),
        ("every description rewritten", Edit::All),
    ] {
        let project = Project::new();
        project.write("before.json", &catalogue::catalogue(0..10_000, Edit::None));
        project.write("after.json", &catalogue::catalogue(0..10_000, edit));
        let floor = project.floor(&["before.json", "after.json"]);
        let mut compare = project.compare("before.json", "after.json");
        // A hint that promises more than before is told, and is no reason to fail.
        compare.status = i32::from(edit == Edit::All);
        let costs = medians(&[floor, compare], 7);
        row(
            &format!("`diff BEFORE AFTER`, 10000 tools, {words}"),
            costs[1],
            Some(costs[0]),
        );
    }
}

/// One line of the table.
fn row(what: &str, cost: Cost, beside: Option<Cost>) {
    let beside = beside.map_or_else(String::new, |beside| {
        format!(
            "{:.2} × wall, {:+.1} ms; {:.2} × memory",
            ratio(cost.wall, beside.wall),
            (cost.wall.as_secs_f64() - beside.wall.as_secs_f64()) * 1e3,
            ratio_of(cost.peak, beside.peak)
        )
    });
    println!(
        "| {what} | {} | {} | {:.1} MiB | {beside} |",
        time(cost.wall),
        time(cost.cpu),
        ratio_of(cost.peak, 1024)
    );
}

fn time(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64().max(1e-9)
}

#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^52")]
fn ratio_of(one: u64, other: u64) -> f64 {
    one as f64 / other.max(1) as f64
}
