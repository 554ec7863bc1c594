//! Over Streamable HTTP.

use crate::{fixture, names, options, python, take, warnings};
use countersign::capture::Era;
use countersign::model::{Endpoint, Kind};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The scripted server, on a port of its own.
pub(crate) struct Server {
    child: Child,
    pub(crate) port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    pub(crate) fn start() -> Self {
        Self::serving("http_server.py")
    }

    pub(crate) fn serving(script: &str) -> Self {
        let mut child = Command::new(python())
            .arg(fixture(script))
            .stdout(Stdio::piped())
            .spawn()
            .expect("python starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe"))
            .read_line(&mut line)
            .expect("a line");
        let port = line
            .trim()
            .strip_prefix("PORT=")
            .and_then(|port| port.parse().ok())
            .expect("a port");
        Self { child, port }
    }

    pub(crate) fn at(&self, scenario: &str) -> Endpoint {
        self.with(scenario, &[])
    }

    pub(crate) fn with(&self, scenario: &str, headers: &[(&str, &str)]) -> Endpoint {
        Endpoint::Http {
            url: format!("http://127.0.0.1:{}/{scenario}", self.port),
            headers: headers
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        }
    }

    /// What was asked of a scenario: method, path, JSON-RPC method, headers.
    pub(crate) fn log(&self, scenario: &str) -> Vec<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        write!(
            stream,
            "GET /log/{scenario} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        )
        .expect("sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("received");
        let body = text.split_once("\r\n\r\n").expect("a body").1;
        body.lines().map(str::to_owned).collect()
    }
}

/// Scenario, era, tools, warnings.
pub(crate) const LISTED: &[(&str, Era, &[&str], &[&str])] = &[
    ("plain", Era::Legacy, &["echo"], &[]),
    ("modern", Era::Modern, &["echo"], &[]),
    ("modern_undiscovered", Era::Modern, &["echo"], &[]),
    ("session", Era::Legacy, &["echo"], &[]),
    ("lost_once", Era::Legacy, &["echo", "more"], &[]),
    ("broken_once", Era::Legacy, &["echo"], &[]),
    ("moved", Era::Legacy, &["echo"], &[]),
    ("gzip", Era::Legacy, &["echo"], &[]),
    ("text", Era::Legacy, &["echo"], &[]),
    ("untyped", Era::Legacy, &["echo"], &[]),
    ("stream", Era::Legacy, &["echo"], &["stray-output"]),
    ("resumed", Era::Legacy, &["echo"], &[]),
    ("asks_back", Era::Legacy, &["echo"], &[]),
    ("asks_beside", Era::Legacy, &["echo"], &[]),
    ("changes_beside", Era::Legacy, &["new"], &[]),
    ("batch", Era::Legacy, &["echo", "more"], &[]),
    ("busy_once", Era::Legacy, &["echo"], &[]),
    ("gzip_stream", Era::Legacy, &["echo"], &[]),
];

/// Scenario, kind of the problem, what its message holds.
pub(crate) const REFUSED: &[(&str, &str, &[&str])] = &[
    (
        "lost_always",
        "protocol",
        &["page 2 of `tools/list`", "forgotten the session"],
    ),
    (
        "no_method",
        "protocol",
        &["page 1 of `tools/list` failed with -32601 (HTTP 404)"],
    ),
    ("challenge", "auth", &["sign-in needed", "401"]),
    (
        "key",
        "auth",
        &["credential missing", "401", "`you sent None`"],
    ),
    ("forbidden", "auth", &["403", "not you"]),
    ("busy", "http", &["429", "later"]),
    ("busy_always", "http", &["429", "wait"]),
    (
        "busy_for_long",
        "http",
        &["`initialize` failed: answered 503", "tomorrow"],
    ),
    (
        "broken",
        "http",
        &[
            "`server/discover` failed: answered 500",
            "`initialize` failed: answered 500",
            "boom",
        ],
    ),
    ("not_acceptable", "http", &["406", "not that"]),
    (
        "page",
        "protocol",
        &["200", "`text/html`", "<html>sign in</html>"],
    ),
    ("nothing", "protocol", &["answered 202 with an empty body"]),
    (
        "moved_in_circles",
        "http",
        &["redirect", "/moved_in_circles/x"],
    ),
    ("moved_away", "http", &["307", "http://localhost:"]),
    ("found", "http", &["302", "`/modern`"]),
    ("bomb", "limit", &["1048576 bytes (--max-frame)"]),
    (
        "gzip_stream_bomb",
        "limit",
        &["1048576 bytes (--max-frame)"],
    ),
    ("gzip_broken", "connect", &["broke"]),
    (
        "stream_cut",
        "protocol",
        &["page 1 of `tools/list`", "ended before the answer"],
    ),
];

#[test]
fn what_can_be_listed_is_listed_whole() {
    let server = Server::start();
    for (scenario, era, tools, expected_warnings) in LISTED {
        let capture = take(&server.at(scenario), &options())
            .unwrap_or_else(|problem| panic!("{scenario}: {problem:?}"));
        assert_eq!(names(&capture, Kind::Tool), *tools, "{scenario}");
        assert_eq!(capture.taking.era, Some(*era), "{scenario}");
        assert_eq!(capture.taking.transport, "http", "{scenario}");
        assert_eq!(warnings(&capture), *expected_warnings, "{scenario}");
    }
}

#[test]
fn what_cannot_be_listed_says_why() {
    let server = Server::start();
    let mut options = options();
    options.bounds.frame_bytes = 1 << 20;
    for (scenario, kind, parts) in REFUSED {
        let problem = take(&server.at(scenario), &options).expect_err(scenario);
        assert_eq!(problem.kind, *kind, "{scenario}: {problem:?}");
        for part in *parts {
            assert!(
                problem.message.contains(part),
                "{scenario}: {part}: {problem:?}"
            );
        }
    }
}

#[test]
fn a_session_is_named_from_initialize_on_and_ended() {
    let server = Server::start();
    take(&server.at("session"), &options()).expect("a capture");
    // What comes by itself is listened to beside the listing, so that either may be asked for first.
    let mut log = server.log("session");
    log[3..5].sort();
    assert_eq!(
        log,
        [
            "POST /session server/discover Mcp-Protocol-Version=2026-07-28 Mcp-Method=server/discover",
            "POST /session initialize",
            "POST /session notifications/initialized Mcp-Session-Id=s1 Mcp-Protocol-Version=2025-11-25",
            "GET /session  Mcp-Session-Id=s1 Mcp-Protocol-Version=2025-11-25",
            "POST /session tools/list Mcp-Session-Id=s1 Mcp-Protocol-Version=2025-11-25",
            "DELETE /session  Mcp-Session-Id=s1 Mcp-Protocol-Version=2025-11-25",
        ]
    );
}

#[test]
fn a_forgotten_session_is_begun_anew_a_few_times() {
    let server = Server::start();
    take(&server.at("lost_always"), &options()).expect_err("it never lasts");
    let log = server.log("lost_always");
    let begun = log
        .iter()
        .filter(|line| line.contains(" initialize"))
        .count();
    assert_eq!(begun, 3);
}

#[test]
fn a_broken_stream_is_resumed_where_it_broke() {
    let server = Server::start();
    take(&server.at("resumed"), &options()).expect("a capture");
    let log = server.log("resumed");
    let again = log.iter().filter(|line| line.contains("Last-Event-Id"));
    let again: Vec<_> = again.collect();
    assert_eq!(again.len(), 1, "{log:?}");
    assert!(
        again[0].starts_with("GET") && again[0].ends_with("=e1"),
        "{log:?}"
    );
}

#[test]
fn a_busy_server_is_given_the_time_that_it_asks_for_once_and_no_longer_than_the_timeout() {
    let server = Server::start();
    let before = Instant::now();
    take(&server.at("busy_always"), &options()).expect_err("it stays busy");
    assert!(before.elapsed() >= Duration::from_secs(1));
    assert_eq!(server.log("busy_always").len(), 2);
    take(&server.at("busy_for_long"), &options()).expect_err("nobody waits for that");
    assert_eq!(server.log("busy_for_long").len(), 2);
}

#[test]
fn a_credential_is_sent_and_never_shown() {
    let server = Server::start();
    let right = [("Authorization", "Bearer right-0123456789")];
    take(&server.with("key", &right), &options()).expect("a capture");
    let wrong = [("Authorization", "Bearer wrong-0123456789")];
    let problem = take(&server.with("key", &wrong), &options()).expect_err("refused");
    assert_eq!(problem.kind, "auth");
    assert!(
        problem.message.contains("credential rejected"),
        "{problem:?}"
    );
    assert!(problem.message.contains("401"), "{problem:?}");
    assert!(!problem.message.contains("wrong-0123456789"), "{problem:?}");
    assert!(
        !server
            .log("key")
            .iter()
            .any(|line| line.contains("well-known"))
    );
}

#[test]
fn userinfo_is_sent_as_a_basic_credential_and_never_shown() {
    let server = Server::start();
    let endpoint = |userinfo: &str| Endpoint::Http {
        url: format!("http://{userinfo}@127.0.0.1:{}/basic", server.port),
        headers: Vec::new(),
    };
    take(&endpoint("user:pass-0123456789"), &options()).expect("a capture");
    let problem = take(&endpoint("user:wrong-0123456789"), &options()).expect_err("refused");
    assert!(
        problem.message.contains("credential rejected"),
        "{problem:?}"
    );
    assert!(!problem.message.contains("wrong"), "{problem:?}");
    // `user:wrong-0123456789` in base64.
    assert!(!problem.message.contains("dXNlcjp3cm9uZy"), "{problem:?}");
}

#[test]
fn a_credential_that_an_error_repeats_is_not_shown() {
    let server = Server::start();
    let key = [("Authorization", "Bearer right-0123456789")];
    let problem = take(&server.with("key_in_an_error", &key), &options()).expect_err("an error");
    assert!(problem.message.contains("no account for $"), "{problem:?}");
    assert!(!problem.message.contains("right-0123456789"), "{problem:?}");
}

#[test]
fn nothing_is_sent_to_another_origin() {
    let server = Server::start();
    let headers = [("Authorization", "Bearer right-0123456789")];
    take(&server.with("moved_away", &headers), &options()).expect_err("not followed");
    assert_eq!(server.log("session"), [] as [&str; 0]);
}

#[test]
fn a_server_that_never_answers_is_given_up_in_time() {
    let server = Server::start();
    let mut quick = options();
    quick.probe_timeout = Duration::from_millis(300);
    quick.start_timeout = Duration::from_secs(1);
    let before = Instant::now();
    let problem = take(&server.at("hangs"), &quick).expect_err("silence");
    assert!(before.elapsed() < Duration::from_secs(5));
    assert_eq!(problem.kind, "timeout");
    assert!(problem.message.contains("within 1 s"), "{problem:?}");
    let log = server.log("hangs");
    assert!(
        log.iter().any(|line| line.contains(" initialize")),
        "{log:?}"
    );
}

#[test]
fn a_closed_port_is_named_without_the_rest_of_the_url() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = free.local_addr().expect("an address").port();
    drop(free);
    let endpoint = Endpoint::Http {
        url: format!("http://u:hidden@127.0.0.1:{port}/mcp?token=hidden"),
        headers: Vec::new(),
    };
    let problem = take(&endpoint, &options()).expect_err("refused");
    assert_eq!(problem.kind, "connect");
    assert!(
        problem.message.contains(&format!("`127.0.0.1:{port}`")),
        "{problem:?}"
    );
    assert!(!problem.message.contains("hidden"), "{problem:?}");
}
