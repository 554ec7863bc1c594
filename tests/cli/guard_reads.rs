//! `guard` and resources: what is read under another URI than the one that was judged.

use crate::guard::{ADD, Guarded};
use crate::talking::Talk;
use serde_json::{Value, json};

const TEMPLATE: &str =
    r#"{"uriTemplate":"mail://{box}/{id}","name":"mail","description":"A mail."}"#;

/// A server with a template beside its resource, accepted.
fn guarded(policy: Value) -> Guarded {
    let guarded = Guarded::new();
    offer(&guarded, TEMPLATE);
    guarded.sandbox.remove("countersign.lock.json");
    guarded.sandbox.run(&["snapshot"]).expect(0);
    guarded.policy(policy);
    guarded
}

fn offer(guarded: &Guarded, template: &str) {
    guarded.offer_with(&[ADD], &format!(r#","resourceTemplates":[{template}]"#));
}

/// Why a resource is not read; empty if it is.
fn refused(talk: &mut Talk, uri: &str) -> String {
    let answer = talk.ask("resources/read", json!({ "uri": uri }));
    if let Some(why) = answer["error"]["message"].as_str() {
        return why.to_owned();
    }
    assert!(answer["result"]["contents"].is_array(), "{uri} {answer}");
    String::new()
}

const SPELLINGS: [&str; 7] = [
    "NOTE://1",
    "note://%31",
    "note://x/../1",
    "note://1/",
    "note://1#a",
    "note:/1?x=y",
    "note://%2531",
];

#[test]
fn a_blocked_resource_is_read_under_no_spelling() {
    let guarded = guarded(json!({"items": {"resource:note://1": {"rule": "block"}}}));
    let mut talk = guarded.talk();
    talk.initialize();
    for uri in SPELLINGS {
        let why = refused(&mut talk, uri);
        assert!(
            why.contains("another spelling of `note://1`: the policy blocks it"),
            "{uri} {why}"
        );
    }
    assert!(refused(&mut talk, "note://1").contains("the policy blocks it"));
    assert_eq!(refused(&mut talk, "note://2"), "");
    // Nor where the server lists the other spelling, and new items are taken in.
    guarded
        .policy(json!({"newItems": "baseline", "items": {"resource:note://1": {"rule": "block"}}}));
    let catalogue = guarded.sandbox.read("catalogue.json");
    let catalogue = catalogue.replace("note://1", "note://%31");
    guarded.sandbox.write("catalogue.json", catalogue);
    let why = refused(&mut talk, "note://%31");
    assert!(why.contains("another spelling"), "{why}");
    assert_eq!(talk.leave(), 0);
}

#[test]
fn a_drifted_or_held_resource_is_read_under_no_other_spelling() {
    for (policy, said) in [
        (json!({}), "its definition changed"),
        (json!({"allowChanges": "ask"}), "its definition changed"),
        (
            json!({"items": {"resource:note://1": {"rule": "ask"}}}),
            "approval of each use",
        ),
    ] {
        let guarded = guarded(policy.clone());
        let catalogue = guarded.sandbox.read("catalogue.json");
        if policy["items"].is_null() {
            let drifted = catalogue.replace("\"name\":\"one\"", "\"name\":\"uno\"");
            guarded.sandbox.write("catalogue.json", drifted);
        }
        let mut talk = guarded.talk();
        talk.initialize();
        for uri in SPELLINGS {
            let why = refused(&mut talk, uri);
            assert!(
                why.contains("another spelling") && why.contains(said),
                "{policy} {uri} {why}"
            );
        }
    }
    // Where nothing is said against it, another spelling is read as before.
    let guarded = guarded(json!({}));
    let mut talk = guarded.talk();
    talk.initialize();
    for uri in SPELLINGS {
        assert_eq!(refused(&mut talk, uri), "", "{uri}");
    }
}

#[test]
fn a_read_through_a_template_is_judged_by_the_template() {
    let drifted = TEMPLATE.replace("A mail.", "Read every mail.");
    let new = TEMPLATE.replace("mail://{box}", "post://{box}");
    for (policy, offered, uri, said) in [
        (json!({}), TEMPLATE, "mail://in/1", ""),
        (json!({}), &drifted, "mail://in/1", "its definition changed"),
        (
            json!({}),
            &drifted,
            "MAIL://in/%31",
            "its definition changed",
        ),
        (json!({"allowChanges": "on"}), &drifted, "mail://in/1", ""),
        (json!({}), &new, "post://in/1", "countersign approve"),
        (json!({"newItems": "baseline"}), &new, "post://in/1", ""),
        (
            json!({"items": {"template:mail://{box}/{id}": {"rule": "block"}}}),
            TEMPLATE,
            "Mail:in/1",
            "the policy blocks it",
        ),
        (
            json!({"rule": "ask"}),
            TEMPLATE,
            "mail://in/1",
            "countersign approve",
        ),
        (
            json!({"rule": "ask"}),
            TEMPLATE,
            "link://1",
            "no definition to be approved",
        ),
        (json!({}), TEMPLATE, "link://1", ""),
    ] {
        let guarded = guarded(policy.clone());
        offer(&guarded, offered);
        let mut talk = guarded.talk();
        talk.initialize();
        let why = refused(&mut talk, uri);
        assert_eq!(why.is_empty(), said.is_empty(), "{policy} {uri} {why}");
        assert!(why.contains(said), "{policy} {uri} {why}");
    }
}

#[test]
fn a_held_read_through_a_template_is_let_through_once() {
    let guarded = guarded(json!({"rule": "ask"}));
    let mut talk = guarded.talk();
    talk.initialize();
    let why = refused(&mut talk, "mail://in/1");
    let id = why.split("countersign approve ").nth(1).expect("an id");
    guarded
        .sandbox
        .run(&["approve", &id[..16], "--by", "me"])
        .expect(0);
    assert_ne!(refused(&mut talk, "mail://in/2"), "");
    assert_eq!(refused(&mut talk, "mail://in/1"), "");
    assert_ne!(refused(&mut talk, "mail://in/1"), "");
}
