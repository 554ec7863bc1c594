//! Inputs that a server over HTTP wants as headers: a client over stdio sends none, so the guard does.

use crate::peers::installed;
use crate::support::{HttpServer, Sandbox};
use crate::talking::{Talk, said};
use serde_json::json;

/// A server on Python SDK 2, which refuses a call whose headers differ from what its definition asks for.
const SERVER: &str = r#"
import sys
from typing import Annotated
from mcp.server import MCPServer
from pydantic import Field

server = MCPServer("regions", version="1.0")

@server.tool()
def ask(region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})],
        count: Annotated[int, Field(json_schema_extra={"x-mcp-header": "Count"})] = 1,
        sure: Annotated[bool, Field(json_schema_extra={"x-mcp-header": "Sure"})] = False) -> str:
    """Asks a region."""
    return f"{region} {count} {sure}"

server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
"#;

#[test]
fn a_call_carries_the_headers_that_its_definition_asks_for() {
    let sandbox = Sandbox::new();
    sandbox.write("server.py", SERVER);
    let python = installed("py-sdk-2", "venv/bin/python");
    let script = crate::support::text(&sandbox.path("server.py"));
    let server = HttpServer::peer(&[python, script, "{port}".to_owned()], &[]);
    sandbox
        .run(&["snapshot", "--name", "regions", "--url", &server.url])
        .expect(0);
    let mut talk = Talk::with(&sandbox, &["guard", "regions", "--url", &server.url]).modern();
    talk.ask("server/discover", json!({}));
    for (arguments, answer) in [
        (json!({"region": "north"}), "north 1 False"),
        (
            json!({"region": " süd\n", "count": 7, "sure": true}),
            " süd\n 7 True",
        ),
        (
            json!({"region": "=?base64?eA==?="}),
            "=?base64?eA==?= 1 False",
        ),
    ] {
        let answered = talk.ask("tools/call", json!({"name": "ask", "arguments": arguments}));
        assert!(answered["error"].is_null(), "{arguments} {answered}");
        let (text, is_error) = said(&answered);
        assert!(!is_error && text == answer, "{text}");
    }
    assert_eq!(talk.leave(), 0);
}
