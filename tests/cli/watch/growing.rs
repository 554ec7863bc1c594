//! Servers that nobody here wrote, which grow a tool and say so.

use super::{Watching, snapshot};
use crate::peers::{installed, python};
use crate::support::{HttpServer, Sandbox, repository, text};
use rustix::process::Signal;
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

#[test]
fn typescript_sdk_1_announces_a_tool_that_it_grows() {
    let sandbox = Sandbox::new();
    let script = text(&repository("fixtures/growing/ts_1.cjs"));
    let source = ["--", "node", &script, &installed("reference", ""), "grown"].map(str::to_owned);
    snapshot(&sandbox, &source);
    let watching = Watching::start_json(&sandbox, &["--every", "1h"], &source);
    watching.event("watching");
    sandbox.write("grown", "");
    let change = watching.event("change");
    assert_eq!(
        (&change["announced"], &change["steps"][0]["name"]),
        (&json!(true), &json!("harvest")),
        "{change}"
    );
    watching.end(Signal::TERM, 143);
}

#[test]
fn python_sdk_2_tells_a_listener_of_a_tool_that_it_grows() {
    let sandbox = Sandbox::new();
    let interpreter = python("py-sdk-2", &[]).remove(0);
    let script = text(&repository("fixtures/growing/py_2.py"));
    let server = HttpServer::peer(&[interpreter, script, "{port}".to_owned()], &[]);
    let source = ["--url".to_owned(), server.url.clone()];
    snapshot(&sandbox, &source);
    let watching = Watching::start_json(&sandbox, &["--every", "1h"], &source);
    watching.event("watching");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "name": "grow", "arguments": {}, "_meta": meta });
    let body =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
    let mut stream = TcpStream::connect(server.host()).expect("a connection");
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: grow\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n",
        server.host(),
        body.len()
    );
    stream.write_all((head + &body).as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.contains("grown"), "{answer}");
    let change = watching.event("change");
    assert_eq!(
        (&change["announced"], &change["steps"][0]["name"]),
        (&json!(true), &json!("harvest")),
        "{change}"
    );
    watching.end(Signal::TERM, 143);
}
