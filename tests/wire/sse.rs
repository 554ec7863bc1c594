//! Over HTTP+SSE, the way of 2024-11-05.

use crate::http::Server;
use crate::{names, options, take, warnings};
use countersign::capture::Era;
use countersign::model::Kind;
use std::time::{Duration, Instant};

#[test]
fn a_server_that_refuses_to_be_posted_to_is_listed_over_its_event_stream() {
    let server = Server::start();
    for scenario in [
        "sse",
        "sse_whole",
        "sse_userinfo",
        "sse_relative",
        "sse_moved",
        "sse_late",
        "sse_asks_back",
        "sse_dead_once",
    ] {
        let capture = take(&server.at(scenario), &options())
            .unwrap_or_else(|problem| panic!("{scenario}: {problem:?}"));
        assert_eq!(names(&capture, Kind::Tool), ["echo"], "{scenario}");
        assert_eq!(capture.taking.era, Some(Era::Legacy), "{scenario}");
        assert_eq!(capture.taking.revision, "2024-11-05", "{scenario}");
        assert_eq!(capture.taking.transport, "sse", "{scenario}");
        assert_eq!(warnings(&capture), [] as [&str; 0], "{scenario}");
    }
    assert_eq!(
        server.log("sse"),
        [
            "POST /sse server/discover Mcp-Protocol-Version=2026-07-28 Mcp-Method=server/discover",
            "POST /sse initialize",
            "GET /sse ",
            "POST /sse/0/post?x=1 initialize",
            "POST /sse/0/post?x=1 notifications/initialized Mcp-Protocol-Version=2024-11-05",
            "POST /sse/0/post?x=1 tools/list Mcp-Protocol-Version=2024-11-05",
        ]
    );
    let log = server.log("sse_asks_back");
    assert!(log.iter().any(|line| line.contains(" reply")), "{log:?}");
}

#[test]
fn an_event_stream_that_cannot_be_used_says_why() {
    let server = Server::start();
    let mut quick = options();
    quick.start_timeout = Duration::from_secs(2);
    for (scenario, kind, parts) in [
        (
            "sse_none",
            "http",
            &[
                "`server/discover` failed: answered 405",
                "`initialize` failed: answered 405",
                "`GET` as HTTP+SSE failed: answered 404 Not Found: `nothing here`",
            ][..],
        ),
        ("sse_page", "http", &["something else than an event stream"]),
        (
            "sse_away",
            "protocol",
            &["`http://localhost:1/steal`", "not on the origin"],
        ),
        ("sse_unnamed", "protocol", &["no place to post to"]),
        ("sse_silent", "timeout", &["within 2 s"]),
        (
            "sse_key",
            "auth",
            &["credential missing", "`you sent None`"],
        ),
        (
            "sse_refusing",
            "protocol",
            &["page 1 of `tools/list` failed with -32000 (HTTP 400): not today"],
        ),
        (
            "sse_dead",
            "protocol",
            &[
                "page 1 of `tools/list`",
                "the server ended the event stream",
            ],
        ),
    ] {
        let before = Instant::now();
        let problem = take(&server.at(scenario), &quick).expect_err(scenario);
        assert!(before.elapsed() < Duration::from_secs(15), "{scenario}");
        assert_eq!(problem.kind, kind, "{scenario}: {problem:?}");
        for part in parts {
            assert!(
                problem.message.contains(part),
                "{scenario}: {part}: {problem:?}"
            );
        }
    }
}

#[test]
fn a_credential_goes_with_the_stream_and_with_what_is_posted() {
    let server = Server::start();
    let right = [("Authorization", "Bearer right-0123456789")];
    take(&server.with("sse_key", &right), &options()).expect("a capture");
    let log = server.log("sse_key");
    let on_the_line = log
        .iter()
        .filter(|line| line.starts_with("GET") || line.contains("/post"))
        .collect::<Vec<_>>();
    assert!(on_the_line.len() > 3, "{log:?}");
    assert!(
        on_the_line
            .iter()
            .all(|line| line.contains("Authorization=Bearer right-0123456789")),
        "{log:?}"
    );
}
