//! Tools of others that check the same server of fifty tools.

use crate::catalogue::{Edit, catalogue};
use crate::measure::{Run, measured, medians};
use crate::project::Project;
use crate::row;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Each of them beside the server's own time, and countersign in the same rounds.
pub(crate) fn peers() {
    let project = Project::new();
    project.write("tools.json", &catalogue(0..50, Edit::None));
    let bin = installed();
    let tool = |name: &str| bin.join(name).to_string_lossy().into_owned();
    let (server, offer) = (Project::server(), project.path("tools.json"));
    let offer = offer.to_string_lossy().into_owned();
    let servers = json!({ "mcpServers": { "notes": { "command": server, "args": [offer] } } });
    project.write("one.json", &servers);
    let run = |words: &[&str]| Run::new(project.root(), words);
    let (drift, pin, gate) = (tool("mcpdrift"), tool("mcp-pin"), tool("toolgate-pin"));
    let at_the_server = ["--lockfile", "gate.lock", "--", &server, &offer];
    measured(&run(&[
        &drift,
        "snapshot",
        "--config",
        "one.json",
        "--out",
        "drift.lock",
    ]));
    let only = [
        "--no-user-configs",
        "--no-skills",
        "--no-source",
        "--probe",
        "one.json",
    ];
    measured(&run(&[&[&pin, "approve", "--yes"], &only[..]].concat()));
    measured(&run(&[
        &[&gate, "approve", "--yes", "--stdio"],
        &at_the_server[..],
    ]
    .concat()));
    let runs = [
        project.server_alone("tools.json"),
        project.check(&["tools.json".to_owned()]),
        run(&[
            &drift,
            "check",
            "--config",
            "one.json",
            "--lock",
            "drift.lock",
        ]),
        run(&[&[&pin, "scan", "--fail-on", "never"], &only[..]].concat()),
        run(&[&[&gate, "check", "--stdio"], &at_the_server[..]].concat()),
    ];
    let costs = medians(&runs, 15);
    for (name, cost) in [
        "`countersign diff`",
        "`mcpdrift check`",
        "`mcp-pin scan --probe`",
        "`toolgate-pin check`",
    ]
    .iter()
    .zip(&costs[1..])
    {
        row(
            &format!("50 tools over stdio: {name}"),
            *cost,
            Some(costs[0]),
        );
    }
}

/// The folder of their programs. They are installed where Cargo builds, once.
fn installed() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-peers");
    let bin = folder.join("bin");
    if !bin.join("toolgate-pin").exists() {
        let list =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/performance/requirements.txt");
        let steps = [
            Command::new("python3")
                .args(["-m", "venv"])
                .arg(&folder)
                .status(),
            Command::new(bin.join("pip"))
                .args(["install", "--quiet", "-r"])
                .arg(&list)
                .status(),
        ];
        assert!(
            steps
                .iter()
                .all(|step| step.as_ref().is_ok_and(std::process::ExitStatus::success))
        );
    }
    bin
}
