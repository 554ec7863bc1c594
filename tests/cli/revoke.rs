//! `ack --revoke`: what was acknowledged waits again.

use crate::support::Sandbox;
use serde_json::json;

fn catalogue(description: &str) -> String {
    json!({ "tools": [{ "name": "find", "description": description, "inputSchema": { "type": "object" } }] }).to_string()
}

#[test]
fn an_acknowledgement_that_is_taken_back_waits_again() {
    let sandbox = Sandbox::new();
    sandbox.write("before.json", catalogue("Finds notes."));
    sandbox.write("after.json", catalogue("Finds notes and sends them on."));
    sandbox
        .run(&["snapshot", "--name", "s", "--from", "before.json"])
        .expect(0);
    let locked = sandbox.read("countersign.lock.json");
    let diff = ["diff", "--name", "s", "--from", "after.json"];
    sandbox.run(&diff).expect(1);
    sandbox.run(&["ack", "s/find", "--by", "a"]).expect(0);
    sandbox.run(&diff).expect(0);
    let output = sandbox.run(&["ack", "--revoke", "s/find"]).expect(0);
    assert!(
        output.stdout.contains("taken back  tool s/find"),
        "{}",
        output.stdout
    );
    assert_eq!(sandbox.read("countersign.lock.json"), locked);
    sandbox.run(&diff).expect(1);
    let output = sandbox.run(&["ack", "--revoke", "s/find"]).expect(2);
    assert!(
        output.stderr.contains("nothing was acknowledged"),
        "{}",
        output.stderr
    );
}
