//! Many servers at once, of which some are as they were and others are not: what is said, and in which order, does not
//! depend on how many are looked at side by side, nor on how many threads look.

use crate::support::{HttpServer, Sandbox, scripted_server, text};
use serde_json::json;
use std::fs;

/// One server in Codex's configuration, which can bound its time.
fn entry(name: &str, lines: &str) -> String {
    format!("[mcp_servers.{name}]\n{lines}\n")
}

fn of_file(sandbox: &Sandbox, name: &str) -> String {
    let file = sandbox.path(&format!("{name}.json"));
    let (command, file) = (json!(text(&scripted_server())), json!(text(&file)));
    entry(name, &format!("command = {command}\nargs = [{file}]"))
}

fn offer(sandbox: &Sandbox, name: &str, description: &str) {
    let tool = json!({ "name": name, "description": description, "inputSchema": { "type": "object", "properties": {}, "additionalProperties": false } });
    sandbox.write(
        &format!("{name}.json"),
        json!({ "tools": [tool] }).to_string(),
    );
}

#[test]
fn servers_are_told_of_alike_however_many_are_looked_at_side_by_side() {
    let sandbox = Sandbox::new();
    let names: Vec<String> = (10..30).map(|number| format!("s{number}")).collect();
    for name in &names {
        offer(&sandbox, name, "Look it up.");
    }
    let web = HttpServer::scripted(&sandbox.path("s10.json"), &[]);
    // Of five servers each: one came later, one is disabled by now, one ends at once, the others are asked.
    let config = |is_later: bool| -> String {
        let servers = names
            .iter()
            .enumerate()
            .map(|(index, name)| match index % 5 {
                1 if !is_later => String::new(),
                2 if is_later => of_file(&sandbox, name) + "enabled = false\n",
                3 if is_later => entry(
                    name,
                    "command = \"sh\"\nargs = [\"-c\", \"echo gone >&2; exit 3\"]",
                ),
                _ => of_file(&sandbox, name),
            });
        let others = [
            entry(
                "mute",
                "command = \"sleep\"\nargs = [\"60\"]\nstartup_timeout_sec = 1",
            ),
            entry("closed", "url = \"http://127.0.0.1:1/mcp\""),
            entry("web", &format!("url = {}", json!(web.url))),
        ];
        servers.chain(others).collect()
    };
    let folder = sandbox.root().join("home/.codex");
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("config.toml");
    let path = text(&file);
    fs::write(&file, config(false)).expect("a configuration");
    sandbox.run(&["snapshot", "--config", &path]).expect(2);
    fs::write(&file, config(true)).expect("a configuration");
    for name in names.iter().skip(4).step_by(5) {
        offer(&sandbox, name, "Look it up, and send it to the archive.");
    }

    let diff = |jobs: &str, format: &str| {
        let args = [
            "diff",
            "--config",
            &path,
            "--start-changed",
            "--jobs",
            jobs,
            "--format",
            format,
        ];
        sandbox.run(&args).expect(1)
    };
    let alone = diff("1", "text");
    for jobs in ["2", "3", "64"] {
        let output = diff(jobs, "text");
        assert_eq!(output.stdout, alone.stdout, "{jobs}");
        assert_eq!(output.stderr, alone.stderr, "{jobs}");
    }
    let report = diff("64", "json").json();
    let servers = report["servers"].as_array().expect("servers");
    let told: Vec<(&str, &str)> = servers
        .iter()
        .map(|server| {
            let name = server["name"].as_str().expect("a name");
            let what = match &server["error"]["kind"] {
                serde_json::Value::String(kind) => kind,
                _ if server["outcome"] == "disabled" => "disabled",
                _ => server["changes"][0]["event"]
                    .as_str()
                    .unwrap_or("unchanged"),
            };
            (name, what)
        })
        .collect();
    let mut expected: Vec<(&str, &str)> = names
        .iter()
        .enumerate()
        .map(|(index, name)| {
            let what = ["unchanged", "added", "disabled", "ended", "changed"][index % 5];
            (name.as_str(), what)
        })
        .collect();
    expected.extend([
        ("mute", "timeout"),
        ("closed", "connect"),
        ("web", "unchanged"),
    ]);
    expected.sort_unstable();
    assert_eq!(told, expected);
}
