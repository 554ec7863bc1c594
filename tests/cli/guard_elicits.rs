//! Held calls in the window of a client that lets servers ask: it tells where to approve, and approves nothing.

use crate::guard::{ADD_REWORDED, FIND, Guarded};
use crate::talking::{Talk, said};
use serde_json::{Value, json};

fn held() -> Guarded {
    let guarded = Guarded::new();
    guarded.policy(json!({"rule": "ask"}));
    guarded
}

fn initialize(talk: &mut Talk, capabilities: &Value) {
    talk.ask(
        "initialize",
        json!({"protocolVersion": "2025-11-25", "capabilities": capabilities}),
    );
}

/// The guard's question: its id, and the id of the held call that it names.
#[track_caller]
fn question(talk: &mut Talk) -> (String, String) {
    let line = talk.line().expect("a question");
    let asked: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(asked["method"], "elicitation/create", "{asked}");
    assert_eq!(
        asked["params"]["requestedSchema"],
        json!({"type": "object", "properties": {}})
    );
    let id = asked["id"].as_str().expect("an id").to_owned();
    (id, named(&asked["params"]))
}

#[track_caller]
fn named(params: &Value) -> String {
    let message = params["message"].as_str().expect("a message");
    assert!(message.contains("a call of tool `add`"), "{message}");
    assert!(
        message.contains("Accepting alone approves nothing"),
        "{message}"
    );
    let rest = message
        .split("`countersign approve ")
        .nth(1)
        .expect("a command");
    rest.split(['`', ' ']).next().expect("an id").to_owned()
}

fn answer(talk: &mut Talk, id: &str, action: &str) {
    let answer = json!({"jsonrpc": "2.0", "id": id, "result": {"action": action, "content": {}}});
    talk.say(&answer.to_string());
}

fn approve(guarded: &Guarded, id: &str) {
    guarded
        .sandbox
        .run(&["approve", id, "--by", "me"])
        .expect(0);
}

const CALL: &str = r#"{"name":"add","arguments":{"text":"a"}}"#;

fn call() -> Value {
    serde_json::from_str(CALL).expect("JSON")
}

#[test]
fn accepting_goes_on_with_a_call_that_was_approved_and_with_no_other() {
    for capabilities in [
        json!({"elicitation": {}}),
        json!({"elicitation": {"form": {}}}),
    ] {
        let guarded = held();
        let mut talk = guarded.talk();
        initialize(&mut talk, &capabilities);
        // Accepted, declined, and an error: nothing was approved.
        for action in ["accept", "decline", "cancel"] {
            let request = talk.send("tools/call", call());
            let (id, _) = question(&mut talk);
            answer(&mut talk, &id, action);
            let (text, is_error) = said(&talk.answer(request));
            assert!(
                is_error && text.contains("countersign approve"),
                "{action} {text}"
            );
        }
        let request = talk.send("tools/call", call());
        let (id, named) = question(&mut talk);
        approve(&guarded, &named);
        // Another id answers nothing, nor does the same twice.
        answer(&mut talk, "countersign-guard-999", "accept");
        answer(&mut talk, &id, "accept");
        answer(&mut talk, &id, "accept");
        let (text, is_error) = said(&talk.answer(request));
        assert!(!is_error && text == r#""add" {"text":"a"}"#, "{text}");
        assert_eq!(talk.ask("ping", json!({}))["result"], json!({}));
        assert!(talk.heard.is_empty(), "{:?}", talk.heard);
        assert_eq!(talk.leave(), 0);
    }
}

#[test]
fn a_definition_that_changed_while_the_person_was_asked_is_not_called() {
    let guarded = held();
    let mut talk = guarded.talk();
    initialize(&mut talk, &json!({"elicitation": {}}));
    let request = talk.send("tools/call", call());
    let (id, named) = question(&mut talk);
    approve(&guarded, &named);
    guarded.offer(&[ADD_REWORDED, FIND]);
    answer(&mut talk, &id, "accept");
    let (text, is_error) = said(&talk.answer(request));
    assert!(
        is_error && text.contains("its definition changed"),
        "{text}"
    );
}

#[test]
fn a_client_that_gives_the_call_up_or_leaves_is_not_waited_for() {
    let guarded = held();
    let mut talk = guarded.talk();
    initialize(&mut talk, &json!({"elicitation": {}}));
    let request = talk.send("tools/call", call());
    let (id, named) = question(&mut talk);
    talk.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": request}}).to_string());
    let told: Value = serde_json::from_str(&talk.line().expect("a line")).expect("JSON");
    assert_eq!(told["method"], "notifications/cancelled", "{told}");
    assert_eq!(told["params"]["requestId"], id.as_str(), "{told}");
    approve(&guarded, &named);
    answer(&mut talk, &id, "accept");
    assert_eq!(talk.ask("ping", json!({}))["result"], json!({}));
    assert!(talk.heard.is_empty(), "{:?}", talk.heard);
    // The approval is still there for the call that comes.
    assert!(!talk.call("add", &json!({"text": "a"})).1);
    talk.send("tools/call", call());
    question(&mut talk);
    assert_eq!(talk.leave(), 0);
}

#[test]
fn clients_that_show_no_forms_are_told_in_the_answer() {
    for capabilities in [
        json!({}),
        json!({"elicitation": {"url": {}}}),
        json!({"elicitation": true}),
    ] {
        let guarded = held();
        let mut talk = guarded.talk();
        initialize(&mut talk, &capabilities);
        let (text, is_error) = talk.call("add", &json!({"text": "a"}));
        assert!(is_error && text.contains("countersign approve"), "{text}");
    }
}

/// The parameters of a call of 2026-07-28 by a client with these capabilities.
fn modern(capabilities: &Value, more: &Value) -> Value {
    let mut params = call();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    });
    for (name, value) in more.as_object().expect("members") {
        params[name] = value.clone();
    }
    params
}

#[test]
fn a_modern_client_is_asked_by_an_answer_that_wants_more() {
    let guarded = held();
    let mut talk = guarded.talk();
    let elicits = json!({"elicitation": {"form": {}}});
    let asked = talk.ask("tools/call", modern(&elicits, &json!({})));
    let result = &asked["result"];
    assert_eq!(result["resultType"], "input_required", "{asked}");
    let question = &result["inputRequests"]["countersign"];
    assert_eq!(question["method"], "elicitation/create", "{asked}");
    assert_eq!(question["params"]["mode"], "form", "{asked}");
    let more = json!({
        "requestState": result["requestState"],
        "inputResponses": {"countersign": {"action": "accept", "content": {}}},
    });
    // Accepted without an approval.
    let (text, is_error) = said(&talk.ask("tools/call", modern(&elicits, &more)));
    assert!(is_error && text.contains("countersign approve"), "{text}");
    approve(&guarded, &named(&question["params"]));
    // Other arguments are another call.
    let mut other = modern(&elicits, &more);
    other["arguments"] = json!({"text": "b"});
    assert!(said(&talk.ask("tools/call", other)).1);
    let (text, is_error) = said(&talk.ask("tools/call", modern(&elicits, &more)));
    assert!(!is_error && text == r#""add" {"text":"a"}"#, "{text}");
    // It was for once.
    assert!(said(&talk.ask("tools/call", modern(&elicits, &more))).1);
    // One that shows no forms is told in the answer.
    let (text, _) = said(&talk.ask("tools/call", modern(&json!({}), &json!({}))));
    assert!(text.contains("countersign approve"), "{text}");
}
