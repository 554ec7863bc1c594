//! Outside text on its way through the whole program: shown in every format, and obeyed in none.

use crate::formats::{configure, server};
use crate::schema::tree;
use crate::support::{Sandbox, python};
use countersign::render::Format;
use countersign::text::hidden::hidden;
use serde_json::json;

#[test]
fn nothing_that_a_server_a_configuration_or_a_lockfile_says_acts_in_any_format() {
    const HOSTILE: &str = "x\u{1b}[2J\u{202e}\u{e0041}\u{9b}\n::error::owned\r##[error]y </code></td><script>alert(1)</script> \
        ````` [a](https://e.invalid) @all <!-- ]]> {0} \" ' &lt; \u{2028}";
    let sandbox = Sandbox::new();
    let offer = |text: &str| {
        let tool = |name: &str| {
            json!({ "name": format!("{name}{HOSTILE}"), "title": text, "description": text, "inputSchema": {
                "type": "object", "properties": { HOSTILE: { "type": "string", "description": text } } } })
        };
        json!({ "serverInfo": { "name": HOSTILE, "version": text }, "instructions": text, "tools": [tool("a"), tool("b")] })
    };
    sandbox.write("catalogue.json", offer("Before.").to_string());
    let speaks = format!("s{HOSTILE}");
    let mut servers = json!({});
    servers[&speaks] = server(&sandbox, "catalogue.json");
    configure(&sandbox, &servers);
    sandbox.run(&["snapshot"]).expect(0);
    sandbox.write("catalogue.json", offer("Between.").to_string());
    sandbox.run(&["diff"]).expect(1);
    let ack = [
        "ack",
        "--all",
        "--by",
        &format!("Ada {HOSTILE}"),
        "--note",
        HOSTILE,
    ];
    sandbox.run(&ack).expect(0);
    sandbox.write("catalogue.json", offer(HOSTILE).to_string());
    sandbox.write("last-words", format!("last words {HOSTILE}"));
    let script =
        "import sys; sys.stderr.buffer.write(open('last-words', 'rb').read()); sys.exit(3)";
    servers[format!("t{HOSTILE}")] = json!({ "command": python(), "args": ["-c", script] });
    configure(&sandbox, &servers);
    // What is named with its configuration is started.
    let commands = [&["diff", "--config", ".mcp.json"][..], &["review", "--all"]];
    for (command, format) in commands
        .into_iter()
        .flat_map(|command| Format::ALL.map(|format| (command, format)))
    {
        let words = [command, &["--format", format.word()]].concat();
        let output = sandbox.run(&words);
        let shown = [output.stdout.as_str(), &output.stderr].concat();
        assert!(shown.contains("owned"), "{words:?}: {shown}");
        let told = shown.contains("exit status 3") && shown.contains("last words");
        assert!(told || command[0] == "review", "{words:?}: {shown}");
        let seen = hidden(&shown);
        assert!(
            seen.is_empty() && !shown.contains(['\t', '\r']),
            "{words:?}: {seen:?}"
        );
        assert!(
            !shown.contains("##[") && !shown.contains("\n::error::owned"),
            "{words:?}: {shown}"
        );
        match format {
            Format::Html | Format::Junit => {
                let tree = tree(&output.stdout);
                let acts = |node: roxmltree::Node<'_, '_>| {
                    node.has_tag_name("script") || node.is_comment()
                };
                assert!(!tree.descendants().any(acts), "{shown}");
            }
            Format::Markdown => assert!(
                !shown
                    .lines()
                    .any(|line| line.starts_with("<summary>") && line.contains("<script")),
                "{shown}"
            ),
            _ => {}
        }
    }
}
