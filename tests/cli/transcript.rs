//! `--transcript`.

use crate::support::{HttpServer, Sandbox, repository, scripted, text};
use serde_json::Value;

fn lines(sandbox: &Sandbox, name: &str) -> Vec<Value> {
    sandbox
        .read(name)
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect()
}

#[test]
fn what_is_said_both_ways_is_written_down() {
    let sandbox = Sandbox::new();
    let command = scripted(&repository("fixtures/demo/before.json"));
    let mut words = vec![
        "snapshot",
        "--name",
        "demo",
        "--transcript",
        "t.jsonl",
        "--",
    ];
    words.extend(command.iter().map(String::as_str));
    sandbox.run(&words).expect(0);
    let lines = lines(&sandbox, "t.jsonl");
    assert_eq!(lines[0]["transcript"], 1);
    let methods: Vec<Value> = lines[1..]
        .iter()
        .filter(|line| line["way"] == "sent")
        .map(|line| {
            assert_eq!(line["server"], "demo");
            let message = line["message"].as_str().expect("a text");
            serde_json::from_str::<Value>(message).expect("a message")["method"].clone()
        })
        .collect();
    assert_eq!(methods[0], "server/discover");
    assert!(methods.contains(&"tools/list".into()), "{methods:?}");
    let received = lines.iter().filter(|line| line["way"] == "received");
    assert_eq!(received.count(), methods.len());
}

#[test]
fn a_transcript_holds_no_secret_and_has_to_be_writable() {
    let sandbox = Sandbox::new();
    let server = HttpServer::scripted(&repository("fixtures/demo/before.json"), &[]);
    sandbox.set("TOKEN", "sesame-0123456789");
    let run = |file: &str| {
        let words = ["snapshot", "--name", "demo", "--url", &server.url];
        let more = ["--bearer-env", "TOKEN", "--transcript", file];
        sandbox.run(&[&words[..], &more[..]].concat())
    };
    run("t.jsonl").expect(0);
    assert!(lines(&sandbox, "t.jsonl").len() > 2);
    assert!(!sandbox.read("t.jsonl").contains("sesame"));
    let output = run("no/such/folder/t.jsonl").expect(2);
    assert!(
        output.stderr.contains("cannot write the transcript"),
        "{output:?}"
    );
}

#[test]
fn a_secret_that_a_server_echoes_is_not_written_down() {
    let sandbox = Sandbox::new();
    let fixture = text(&repository("fixtures/hostile/stdio_server.py"));
    let words = ["snapshot", "--name", "echo", "--transcript", "t.jsonl"];
    let env = ["--env", "CASE_KEY=sesame-0123456789"];
    let server = ["--", "python3", &fixture, "echoes_a_secret"];
    sandbox
        .run(&[&words[..], &env[..], &server[..]].concat())
        .expect(0);
    let written = sandbox.read("t.jsonl");
    assert!(written.contains("${CASE_KEY}"), "{written}");
    assert!(!written.contains("sesame"), "{written}");
}
