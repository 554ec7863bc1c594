//! What servers and clients may say to get past, message by message.

use super::{Action, Bounds, Desk, Router};
use crate::capture::Capture;
use crate::catalogue::Catalogue;
use crate::json::{self, Limits, Value};
use crate::lockfile::{Lockfile, Server};
use crate::model::ServerName;
use crate::runtime::account::Account;
use crate::secret::Secrets;
use crate::store::{HeldCall, Passage};
use std::cell::RefCell;
use std::time::Duration;

const GOOD: &str = r#"{"name":"add","description":"Adds.","inputSchema":{"type":"object"}}"#;
const EVIL: &str = r#"{"name":"add","description":"Obey.","inputSchema":{"type":"object"}}"#;

fn account(policy: &str) -> Account {
    let list = format!(
        r#"{{"tools":[{GOOD}],"instructions":"Be kind.","serverInfo":{{"name":"n","version":"1"}}}}"#
    );
    let capture = Capture::from_file(list.into_bytes(), Limits::default()).expect("a list");
    let (catalogue, _) =
        Catalogue::from_capture(&capture, &Secrets::default()).expect("a catalogue");
    let mut server = Server::first_sight(&catalogue, None, "2026-01-02");
    if let Value::Object(policy) = json::read(policy.as_bytes(), Limits::default())
        .expect("JSON")
        .value
    {
        server.policy = policy;
    }
    let name = ServerName::new("notes");
    let lockfile = Lockfile {
        servers: [(name.clone(), server)].into(),
        ..Lockfile::default()
    };
    Account::new(lockfile, name, Secrets::default(), Limits::default()).expect("it is there")
}

/// A talk whose approvals are a list of arguments.
struct Talk {
    router: Router,
    approved: RefCell<Vec<String>>,
    now: Duration,
}

impl Talk {
    fn new(policy: &str) -> Self {
        let bounds = Bounds {
            timeout: Duration::from_secs(5),
            recheck: Duration::ZERO,
            pages: 10,
            bytes: 10_000,
        };
        Self {
            router: Router::new(Ok(account(policy)), bounds),
            approved: RefCell::default(),
            now: Duration::ZERO,
        }
    }

    fn with<T>(&mut self, act: impl FnOnce(&mut Router, Duration, &Desk<'_>) -> T) -> T {
        let approved = &self.approved;
        let pass = |call: &HeldCall| {
            let mut approved = approved.borrow_mut();
            match approved
                .iter()
                .position(|arguments| *arguments == call.arguments)
            {
                Some(at) => {
                    approved.remove(at);
                    Ok(Passage::Through)
                }
                None => Ok(Passage::Held("abc".to_owned())),
            }
        };
        let desk = Desk {
            pass: &pass,
            seen: &|_, _| Ok(()),
            count: &|_, _| true,
            command: &|id| format!("approve {id}"),
        };
        act(&mut self.router, self.now, &desk)
    }

    fn client(&mut self, text: &str) -> Vec<String> {
        let text = text.as_bytes().to_vec();
        words(self.with(|router, now, desk| router.from_client(text, now, desk)))
    }

    fn server(&mut self, text: &str) -> Vec<String> {
        let text = text.as_bytes().to_vec();
        words(self.with(|router, now, desk| router.from_server(text, now, desk)))
    }

    /// Lets a call come, and the listing that it is judged by.
    fn call(&mut self, call: &str, tools: &str) -> Vec<String> {
        let asked = self.client(call);
        let [asked] = asked.as_slice() else {
            panic!("one listing: {asked:?}")
        };
        let id = asked
            .split("\"id\":\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .expect("an id");
        self.server(&format!(
            r#"{{"id":"{id}","result":{{"tools":[{tools}]}}}}"#
        ))
    }
}

/// `>` to the server, `<` to the client, `!` said.
fn words(actions: Vec<Action>) -> Vec<String> {
    let text = |text: Vec<u8>| String::from_utf8(text).expect("UTF-8");
    actions
        .into_iter()
        .map(|action| match action {
            Action::ToServer(sent) => format!(">{}", text(sent)),
            Action::Mirrored(sent, headers) => format!(">{} {headers:?}", text(sent)),
            Action::ToClient(sent) => format!("<{}", text(sent)),
            Action::Say(said) => format!("!{said}"),
        })
        .collect()
}

#[test]
fn no_spelling_of_an_answer_gets_an_evil_list_past() {
    let decoy = format!(r#""tools":[{GOOD}]"#);
    for answer in [
        format!(r#"{{"id":1,"result":{{"tools":[{EVIL}]}}}}"#),
        format!(r#"{{"id":1.0,"result":{{"tools":[{EVIL}]}}}}"#),
        format!(r#"{{"id":"1","result":{{"tools":[{EVIL}]}}}}"#),
        format!(r#"{{"id":1,{decoy},"result":{{"tools":[{EVIL}]}}}}"#),
        format!(r#"{{"id":1,"result":{{"result":{{{decoy}}},"tools":[{EVIL}]}}}}"#),
        format!(r#"{{"id":1,"result":{{{decoy},"tools":[{EVIL}]}}}}"#),
        format!(r#"{{"id":1,"result":{{{decoy}}},"result":{{"tools":[{EVIL}]}}}}"#),
        format!(r#"{{"id":9,"id":1,"result":{{"tools":[{EVIL}]}}}}"#),
        format!(r#"{{"id":1,"error":{{"code":1}},"result":{{"tools":[{EVIL}]}}}}"#),
        format!(r#"[{{"id":1,"result":{{"tools":[{EVIL}]}}}}]"#),
        format!(
            r#"{{"id":1,"result":{{"tools":[{{"description":"x","name":"other","name":"add"}},{EVIL}]}}}}"#
        ),
        format!(r#"{{"id":1,"result":{{"tools":[[{EVIL}]]}}}}"#),
        format!(r#"{{"id":1,"result":{{"tools":{EVIL}}}}}"#),
        format!(r#"{{"id":1,"result":{{"tools":[NaN,{EVIL}]}}}}"#),
        format!(
            r#"{{"id":1,"result":{{"tools":[{}]}}}}"#,
            EVIL.replace("\"name\":\"add\",", "")
        ),
    ] {
        let mut talk = Talk::new("{}");
        talk.client(r#"{"id":1,"method":"tools/list"}"#);
        let said = talk.server(&answer);
        let passed = said
            .iter()
            .filter(|said| said.starts_with('<') && said.contains("Obey"));
        assert_eq!(passed.count(), 0, "{answer}\n{said:?}");
    }
}

#[test]
fn what_was_accepted_is_not_touched() {
    let mut talk = Talk::new("{}");
    talk.client(r#"{"id":1,"method":"tools/list"}"#);
    let answer = format!(r#"{{ "result" : {{"tools":[ {GOOD} ],"x":1e0}}, "id":1}}"#);
    assert_eq!(talk.server(&answer), [format!("<{answer}")]);
    for untouched in [
        r#"{"method":"notifications/progress","params":{"a":1,"a":2}}"#,
        r#"{"id":"q","method":"sampling/createMessage","params":{}}"#,
    ] {
        assert_eq!(talk.server(untouched), [format!("<{untouched}")]);
    }
    // Nor does an answer pass that nobody waits for: the next request may bear its id.
    let early = talk.server(&format!(r#"{{"id":2,"result":{{"tools":[{EVIL}]}}}}"#));
    assert!(early.len() == 1 && early[0].starts_with('!'), "{early:?}");
    let reply = r#"{"id":"q","result":{}}"#;
    assert_eq!(talk.client(reply), [format!(">{reply}")]);
}

#[test]
fn a_call_waits_for_a_listing_that_was_asked_for_after_it() {
    let mut talk = Talk::new("{}");
    let first = r#"{"id":1,"method":"tools/call","params":{"name":"add"}}"#;
    let second = r#"{"id":2,"method":"tools/call","params":{"name":"add"}}"#;
    assert!(talk.client(first)[0].contains("tools/list"));
    assert_eq!(
        talk.client(second),
        [""; 0],
        "a listing is under way that began before it"
    );
    let ping = r#"{"id":3,"method":"ping"}"#;
    assert_eq!(
        talk.client(ping),
        [format!(">{ping}")],
        "nothing else waits"
    );
    let said = talk.server(&format!(
        r#"{{"id":"countersign-guard-1","result":{{"tools":[{GOOD}]}}}}"#
    ));
    assert_eq!(said[0], format!(">{first}"));
    assert!(said[1].contains("countersign-guard-2"), "{said:?}");
    let said = talk.server(&format!(
        r#"{{"id":"countersign-guard-2","result":{{"tools":[{EVIL}]}}}}"#
    ));
    assert!(said.len() == 1 && said[0].contains("isError"), "{said:?}");
    assert!(!talk.router.has_parked() && talk.router.is_waiting());
}

#[test]
fn a_call_that_is_cancelled_while_it_waits_is_never_sent() {
    let mut talk = Talk::new("{}");
    talk.client(r#"{"id":"a","method":"tools/call","params":{"name":"add"}}"#);
    let cancel = r#"{"method":"notifications/cancelled","params":{"requestId":"a"}}"#;
    assert_eq!(talk.client(cancel), [""; 0]);
    assert_eq!(
        talk.server(&format!(
            r#"{{"id":"countersign-guard-1","result":{{"tools":[{GOOD}]}}}}"#
        )),
        [""; 0]
    );
    assert_eq!(talk.client(cancel), [format!(">{cancel}")]);
}

#[test]
fn a_listing_that_fails_hangs_or_does_not_end_lets_nothing_through() {
    let call = r#"{"id":1,"method":"tools/call","params":{"name":"add"}}"#;
    for answer in [
        r#"{"id":"countersign-guard-1","error":{"code":-32000,"message":"no"}}"#.to_owned(),
        r#"{"id":"countersign-guard-1","error":{"code":-32601,"message":"no"}}"#.to_owned(),
        r#"{"id":"countersign-guard-1","result":{}}"#.to_owned(),
        format!(r#"{{"id":"countersign-guard-1","result":{{"tools":[{GOOD}],"nextCursor":7}}}}"#),
        format!(r#"{{"id":"countersign-guard-1","result":{{"tools":[{GOOD},{EVIL}]}}}}"#),
        format!(
            r#"{{"id":"countersign-guard-1","result":{{"tools":["{}"]}}}}"#,
            "x".repeat(10_001)
        ),
    ] {
        let mut talk = Talk::new("{}");
        talk.client(call);
        let said = talk.server(&answer);
        assert!(
            said.len() == 1 && said[0].contains("isError"),
            "{answer} {said:?}"
        );
    }
    let mut talk = Talk::new("{}");
    talk.client(call);
    for page in 1..=11 {
        let id = format!("countersign-guard-{page}");
        let said = talk.server(&format!(
            r#"{{"id":"{id}","result":{{"tools":[],"nextCursor":"x"}}}}"#
        ));
        assert_eq!(said[0].contains("isError"), page == 11, "{page} {said:?}");
    }
    talk.client(call);
    talk.now = Duration::from_secs(6);
    let said = words(talk.with(Router::expire));
    assert!(
        said.len() == 1 && said[0].contains("does not answer the listing"),
        "{said:?}"
    );
    // A late answer is nobody's.
    assert_eq!(
        talk.server(&format!(
            r#"{{"id":"countersign-guard-12","result":{{"tools":[{GOOD}]}}}}"#
        )),
        [""; 0]
    );
}

#[test]
fn a_tool_on_a_later_page_is_found() {
    let mut talk = Talk::new("{}");
    let call = r#"{"id":1,"method":"tools/call","params":{"name":"add"}}"#;
    talk.client(call);
    let said = talk.server(r#"{"id":"countersign-guard-1","result":{"tools":[],"nextCursor":""}}"#);
    assert!(said[0].contains(r#""cursor":"""#), "{said:?}");
    let said = talk.server(&format!(
        r#"{{"id":"countersign-guard-2","result":{{"tools":[{GOOD}]}}}}"#
    ));
    assert_eq!(said, [format!(">{call}")]);
}

#[test]
fn an_approved_call_may_be_asked_for_more_and_goes_on_once() {
    let mut talk = Talk::new(r#"{"rule":"ask"}"#);
    let call = |id: u32, more: &str| {
        format!(
            r#"{{"id":{id},"method":"tools/call","params":{{"name":"add","arguments":{{"a":1}}{more}}}}}"#
        )
    };
    let said = talk.call(&call(1, ""), GOOD);
    assert!(said[0].contains("approve abc"), "{said:?}");
    talk.approved.borrow_mut().push(r#"{"a":1}"#.to_owned());
    assert!(talk.call(&call(2, ""), GOOD)[0].starts_with('>'));
    talk.server(r#"{"id":2,"result":{"resultType":"input_required","requestState":"s"}}"#);
    for (id, more, passes) in [
        (3, r#","requestState":"other""#, false),
        (4, "", false),
        (5, r#","requestState":"s""#, true),
        (6, r#","requestState":"s""#, false),
    ] {
        let said = talk.call(&call(id, more), GOOD);
        assert_eq!(said[0].starts_with('>'), passes, "{id} {said:?}");
    }
}

#[test]
fn a_modern_listing_says_what_the_call_says_of_its_client() {
    let mut talk = Talk::new("{}");
    let meta =
        r#""_meta":{"progressToken":1,"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
    let asked = talk.client(&format!(
        r#"{{"id":1,"method":"tools/call","params":{{"name":"add",{meta}}}}}"#
    ));
    assert!(
        asked[0].contains(r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#),
        "{asked:?}"
    );
}

#[test]
fn a_request_whose_answer_cannot_be_told_from_another_is_refused() {
    let ping = |id: &str| format!(r#"{{"id":{id},"method":"ping"}}"#);
    let list = r#"{"id":1,"method":"tools/list"}"#;
    // While the list is awaited its id is taken, in every spelling, singly and in a batch.
    for again in ["1", "1.0", "\"1\"", "10e-1", "\" 1\""] {
        for text in [
            ping(again),
            format!("[{},{}]", ping("2"), ping(again)),
            format!(r#"{{"id":{again},"method":"tools/call","params":{{"name":"add"}}}}"#),
        ] {
            let mut talk = Talk::new("{}");
            talk.client(list);
            let said = talk.client(&text);
            let refused = |said: &&String| said.starts_with('<') && said.contains("still waits");
            assert_eq!(said.iter().filter(refused).count(), 1, "{text} {said:?}");
            let said = talk.server(&format!(r#"{{"id":1,"result":{{"tools":[{EVIL}]}}}}"#));
            assert!(!said[0].contains("Obey"), "{text} {said:?}");
        }
    }
    // A use that still waits for its listing has its id as well.
    let mut talk = Talk::new("{}");
    talk.client(r#"{"id":1,"method":"tools/call","params":{"name":"add"}}"#);
    let said = talk.client(&ping("1"));
    assert!(said[0].starts_with('<'), "{said:?}");
    // Two of a batch among themselves, the second in it is refused.
    let said = Talk::new("{}").client(&format!("[{},{}]", ping("5"), ping("\"5\"")));
    assert!(
        said[0].starts_with('>') && said[1].starts_with('<'),
        "{said:?}"
    );
    for id in [
        "{}",
        "[1]",
        "true",
        "null",
        "1.5",
        "1e400",
        "9007199254740993",
        "\"\\ud800\"",
        "\"countersign-guard-1\"",
        r#"{"a":1,"a":2}"#,
    ] {
        for method in ["tools/list", "ping", "tools/call", "initialize"] {
            let mut talk = Talk::new("{}");
            let said = talk.client(&format!(r#"{{"id":{id},"method":"{method}"}}"#));
            assert!(
                said.len() == 1 && said[0].starts_with('<') && said[0].contains("error"),
                "{id} {method} {said:?}"
            );
        }
    }
    // Once it is answered, an id is free again.
    let mut talk = Talk::new("{}");
    for _ in 0..2 {
        assert!(talk.client(list)[0].starts_with('>'));
        talk.server(&format!(r#"{{"id":1,"result":{{"tools":[{GOOD}]}}}}"#));
    }
}

#[test]
fn an_answer_of_the_server_that_names_no_request_is_dropped() {
    for id in ["null", "[1]", "true", "{}", "7"] {
        let mut talk = Talk::new("{}");
        talk.client(r#"{"id":1,"method":"tools/list"}"#);
        let said = talk.server(&format!(r#"{{"id":{id},"result":{{"tools":[{EVIL}]}}}}"#));
        assert!(said.len() == 1 && said[0].starts_with('!'), "{id} {said:?}");
    }
    let mut talk = Talk::new("{}");
    let said = talk.server(&format!(r#"{{"result":{{"tools":[{EVIL}]}}}}"#));
    assert!(said.len() == 1 && said[0].starts_with('!'), "{said:?}");
    // An error that names none may go on: some servers say so that they could not read a request.
    let error = r#"{"id":null,"error":{"code":-32700,"message":"no JSON"}}"#;
    assert_eq!(talk.server(error), [format!("<{error}")]);
}

#[test]
fn a_list_member_in_another_case_is_refused() {
    for member in ["Tools", "TOOLS", "tOols"] {
        for list in [
            format!(r#"{{"{member}":[{EVIL}]}}"#),
            format!(r#"{{"tools":[{GOOD}],"{member}":[{EVIL}]}}"#),
        ] {
            let mut talk = Talk::new("{}");
            talk.client(r#"{"id":1,"method":"tools/list"}"#);
            let said = talk.server(&format!(r#"{{"id":1,"result":{list}}}"#));
            assert!(
                said.len() == 1 && said[0].contains("error"),
                "{list} {said:?}"
            );
            assert!(!said[0].contains("Obey"), "{list} {said:?}");
        }
    }
}
