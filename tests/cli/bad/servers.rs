//! Servers that are not there, or misbehave.

use super::{Writes, errors, plays, project, refused, run};
use crate::support::{HttpServer, Sandbox};
use serde_json::json;

/// Scenario, flags, what is said.
const STDIO: &[(&str, &[&str], &[&str])] = &[
    ("dies_at_start", &[], &["exit status 3", "fatal: the key"]),
    ("killed", &[], &["signal 9"]),
    (
        "dies_on_list",
        &[],
        &["page 1 of `tools/list`", "exit status 4"],
    ),
    (
        "dies_inside_an_answer",
        &[],
        &["page 1 of `tools/list`", "exit status 5"],
    ),
    ("silent", &["--start-timeout", "1"], &["within 1 s"]),
    (
        "silent_on_list",
        &["--timeout", "1"],
        &["page 1 of `tools/list`", "within 1 s"],
    ),
    (
        "silent_and_noisy",
        &["--timeout", "1"],
        &["within 1 s", "debug"],
    ),
    (
        "junk_flood",
        &[],
        &["1048576 bytes of stray output", "the first: `junk`"],
    ),
    (
        "same_page_for_ever",
        &[],
        &["`tools/list` does not end", "`again`"],
    ),
    (
        "another_page_for_ever",
        &["--max-pages", "20"],
        &["after 20 pages", "--max-pages"],
    ),
    (
        "another_page_for_ever",
        &["--max-items", "15"],
        &["more than 15 items", "--max-items"],
    ),
    (
        "another_page_for_ever",
        &["--max-listing", "2000"],
        &["more than 2000 bytes", "--max-listing"],
    ),
    ("answers_at_length", &[], &["33554432 bytes", "--max-frame"]),
    (
        "endless_line",
        &["--max-frame", "100000"],
        &["100000 bytes", "--max-frame"],
    ),
    (
        "nests_without_measure",
        &[],
        &["page 1 of `tools/list`", "2000"],
    ),
    (
        "torn_message",
        &[],
        &["page 1 of `tools/list`", "ends too early"],
    ),
    ("not_utf8", &[], &["page 1 of `tools/list`", "not UTF-8"]),
    (
        "second_page_fails",
        &[],
        &["page 2 of `tools/list`", "backend unavailable"],
    ),
    (
        "no_list",
        &[],
        &["page 1 of `tools/list`", "`tools` is null"],
    ),
    ("cursor_is_a_number", &[], &["cursor", "number"]),
    ("changes_for_ever", &[], &["not stable"]),
    ("another_list_each_time", &[], &["not stable"]),
    ("unknown_future_only", &[], &["initialize"]),
];

#[test]
fn a_server_that_misbehaves_is_unknown_and_keeps_its_baseline() {
    // Most of the time is waiting.
    std::thread::scope(|scope| {
        for cases in STDIO.chunks(STDIO.len().div_ceil(6)) {
            scope.spawn(move || {
                let sandbox = project();
                for (scenario, flags, words) in cases {
                    plays(&sandbox, scenario);
                    is_unknown(&sandbox, &[&["diff"], *flags].concat(), words);
                    is_unknown(&sandbox, &[&["snapshot"], *flags].concat(), words);
                }
                // It is the same server again, and nothing was lost.
                plays(&sandbox, "plain");
                sandbox.run(&["diff"]).expect(0);
            });
        }
    });
}

#[track_caller]
fn is_unknown(sandbox: &Sandbox, args: &[&str], words: &[&str]) {
    let [text, json] = run(sandbox, args, Writes::Data);
    let text = text.expect(2).stdout;
    let report = json.expect(2).json();
    let server = &report["servers"][0];
    assert_eq!(server["outcome"], "unknown", "{report:#}");
    assert_eq!(server["changes"], json!([]), "{report:#}");
    assert_eq!(server["recorded"], json!(null), "{report:#}");
    assert!(text.contains("server s: could not be checked"), "{text}");
    let errors = errors(&report);
    for word in words {
        assert!(
            text.contains(word),
            "{args:?}: `{word}` is missing in\n{text}"
        );
        assert!(
            errors.contains(word),
            "{args:?}: `{word}` is missing in\n{errors}"
        );
    }
}

#[test]
fn noise_alone_is_told_and_does_no_harm() {
    let sandbox = project();
    for (scenario, word) in [
        ("banner", "stray-output"),
        ("floods_stderr", ""),
        ("asks_back", ""),
    ] {
        plays(&sandbox, scenario);
        let args = ["diff"];
        let expected = i32::from(scenario == "asks_back");
        let [text, report] = run(&sandbox, &args, Writes::Data);
        let text = text.expect(expected);
        assert!((text.stdout + &text.stderr).contains(word), "{scenario}");
        report.expect(expected).json();
    }
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write("text", "no program");
    std::fs::create_dir(sandbox.path("folder")).expect("a folder");
    for (command, words) in [
        ("./absent", &["`./absent`", "not found"][..]),
        ("absent-from-path", &["`absent-from-path`", "not found"]),
        ("./text", &["`./text`", "ermission denied"]),
        ("./folder", &["`./folder`", "ermission denied"]),
        ("true", &["closed its output", "exit status 0"]),
        ("false", &["closed its output", "exit status 1"]),
    ] {
        let args = ["snapshot", "--name", "s", "--", command];
        refused(&sandbox, &args, Writes::Data, &[&["s"], words].concat());
        assert!(!sandbox.path("countersign.lock.json").exists());
    }
}

/// Scenario, flags, what is said.
const HTTP: &[(&str, &[&str], &[&str])] = &[
    ("page", &[], &["200", "`text/html`"]),
    ("broken", &[], &["500", "boom"]),
    ("key", &[], &["credential missing", "401"]),
    ("challenge", &[], &["sign-in needed", "401"]),
    ("forbidden", &[], &["403", "not you"]),
    ("busy", &[], &["429", "later"]),
    ("moved_away", &[], &["307", "redirect", "not followed"]),
    ("found", &[], &["302", "redirect", "not followed"]),
    ("moved_in_circles", &[], &["redirect"]),
    ("nothing", &[], &["202", "empty body"]),
    (
        "bomb",
        &["--max-frame", "100000"],
        &["100000 bytes", "--max-frame"],
    ),
    (
        "stream_cut",
        &[],
        &["page 1 of `tools/list`", "ended before the answer"],
    ),
    ("lost_always", &[], &["forgotten the session"]),
    ("hangs", &["--start-timeout", "1"], &["within 1 s"]),
];

#[test]
fn a_url_that_answers_something_else_is_unknown() {
    let server = HttpServer::hostile();
    let sandbox = Sandbox::new();
    for (scenario, flags, words) in HTTP {
        let url = format!("{}/{scenario}", server.url);
        let args = [&["snapshot", "--name", "s", "--url", &url], *flags].concat();
        refused(&sandbox, &args, Writes::Data, words);
        assert!(
            !sandbox.path("countersign.lock.json").exists(),
            "{scenario}"
        );
    }
}

#[test]
fn a_url_where_nobody_is_names_the_address_and_no_secret() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = free.local_addr().expect("an address").port();
    drop(free);
    let sandbox = Sandbox::new();
    let address = format!("127.0.0.1:{port}");
    let url = format!("http://user:hidden-0123456789@{address}/mcp?token=hidden-0123456789");
    let args = ["snapshot", "--name", "s", "--url", &url];
    refused(&sandbox, &args, Writes::Data, &["cannot connect", &address]);
    let output = sandbox.run(&[&args[..], &["-vv"]].concat()).expect(2);
    assert!(!(output.stdout + &output.stderr).contains("hidden"));
    let history = serde_json::to_string(&sandbox.history()).expect("JSON");
    assert!(
        history.contains("cannot connect") && !history.contains("hidden"),
        "{history}"
    );
    for (url, word) in [
        ("ftp://127.0.0.1/", "`ftp:`"),
        ("http://", "host"),
        ("mcp", "URL"),
    ] {
        let args = ["snapshot", "--name", "s", "--url", url];
        refused(&sandbox, &args, Writes::Data, &[word]);
    }
}

#[test]
fn a_file_in_place_of_a_server_that_is_no_answer_is_named() {
    let sandbox = Sandbox::new();
    for (content, words) in [
        ("", &["ends too early"][..]),
        ("[", &["ends too early"]),
        ("<html>", &["s.json"]),
        ("{}", &["s.json"]),
        (r#"{"tools":5}"#, &["s.json", "tools"]),
        (r#"{"tools":[],"tools":[]}"#, &["two members named `tools`"]),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}"#,
            &["s.json"],
        ),
    ] {
        sandbox.write("s.json", content);
        let args = ["snapshot", "--name", "s", "--from", "s.json"];
        refused(&sandbox, &args, Writes::Nothing, words);
        assert!(!sandbox.path("countersign.lock.json").exists(), "{content}");
        sandbox.write("good.json", r#"{"tools":[]}"#);
        refused(
            &sandbox,
            &["diff", "good.json", "s.json"],
            Writes::Nothing,
            words,
        );
    }
}
