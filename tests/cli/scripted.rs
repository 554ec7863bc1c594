//! The scripted server itself: what the other tests rely on.

use crate::support::{HttpServer, Sandbox, scripted};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

/// Sends lines to a server over stdio, closes its input and returns what it answered.
fn talk(sandbox: &Sandbox, options: &[&str], requests: &[String]) -> Vec<String> {
    let command = scripted(&sandbox.path("catalogue.json"));
    let mut child = Command::new(&command[0])
        .args(options)
        .args(&command[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the scripted server starts");
    let mut input = child.stdin.take().expect("a pipe");
    for request in requests {
        writeln!(input, "{request}").expect("the server reads");
    }
    drop(input);
    let output = child.wait_with_output().expect("the server ends");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("answers are UTF-8");
    text.lines().map(str::to_owned).collect()
}

fn request(id: u32, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}}}}}"#)
}

/// Posts one message and returns the status line and the body.
fn post(server: &HttpServer, headers: &str, body: &str) -> (String, String) {
    let address = server.url["http://".len()..].trim_end_matches("/mcp");
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let length = body.len();
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
    )
    .expect("the server reads");
    stream
        .shutdown(std::net::Shutdown::Write)
        .expect("a connection can be half closed");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    let status = head.split(' ').nth(1).expect("a status");
    (status.to_owned(), body.to_owned())
}

#[test]
fn items_are_served_as_the_file_writes_them() {
    let sandbox = Sandbox::new();
    let odd = r#"{"name":"a",  "n":1.0e0, "n":"\u0041\ud800", "x":{ }}"#;
    sandbox.write(
        "catalogue.json",
        format!("{{\"tools\":[{odd},\n7,{{\n\"name\":\"b\"}}]}}"),
    );
    let answers = talk(&sandbox, &[], &[request(1, "tools/list", "")]);
    assert_eq!(
        answers,
        [format!(
            r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{odd},7,{{ "name":"b"}}]}}}}"#
        )]
    );
}

#[test]
fn pages_hold_every_item_once() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "catalogue.json",
        r#"{"prompts":[{"name":"a"},{"name":"b"},{"name":"c"}]}"#,
    );
    let answers = talk(
        &sandbox,
        &["--page-size", "2"],
        &[
            request(1, "prompts/list", ""),
            request(2, "prompts/list", r#""cursor":"2""#),
            request(3, "prompts/list", r#""cursor":"elsewhere""#),
            request(4, "tools/list", ""),
        ],
    );
    assert!(answers[0].contains(r#""prompts":[{"name":"a"},{"name":"b"}],"nextCursor":"2""#));
    assert!(answers[1].contains(r#""prompts":[{"name":"c"}]}"#));
    assert!(answers[2].contains("-32602"));
    assert!(
        answers[3].contains("-32601"),
        "what the file lacks is not offered"
    );
}

#[test]
fn each_era_refuses_the_other() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "catalogue.json",
        r#"{"tools":[],"instructions":"Be \"kind\"."}"#,
    );
    let discover = request(1, "server/discover", META);
    let initialize = request(2, "initialize", r#""protocolVersion":"2025-06-18""#);
    let hello = [discover, initialize];

    let legacy = talk(&sandbox, &["--era", "legacy"], &hello);
    assert!(legacy[0].contains("-32601"));
    assert!(legacy[1].contains(r#""protocolVersion":"2025-06-18""#));

    let modern = talk(&sandbox, &["--era", "modern"], &hello);
    assert!(modern[0].contains(r#""supportedVersions":["2026-07-28"]"#));
    assert!(modern[1].contains("-32022"));

    let both = talk(&sandbox, &[], &hello);
    for answer in &both {
        assert!(
            answer.contains(r#""instructions":"Be \"kind\".""#),
            "{answer}"
        );
        assert!(
            answer.contains(r#""capabilities":{"tools":{}}"#),
            "{answer}"
        );
    }
}

#[test]
fn http_asks_for_the_headers_of_the_modern_era() {
    let sandbox = Sandbox::new();
    sandbox.write("catalogue.json", r#"{"tools":[{"name":"a"}]}"#);
    let server = HttpServer::scripted(&sandbox.path("catalogue.json"), &[]);
    let body = request(1, "tools/list", META);
    let both = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n";

    let (status, answer) = post(&server, both, &body);
    assert_eq!(status, "200");
    assert!(
        answer.contains(r#""tools":[{"name":"a"}],"resultType":"complete""#),
        "{answer}"
    );
    let (status, answer) = post(&server, "MCP-Protocol-Version: 2026-07-28\r\n", &body);
    assert!(
        status == "400" && answer.contains("-32020"),
        "{status} {answer}"
    );
    // Without any metadata it is a request of the older era.
    let (status, answer) = post(&server, "", &request(2, "tools/list", ""));
    assert!(
        status == "200" && !answer.contains("resultType"),
        "{status} {answer}"
    );
}
