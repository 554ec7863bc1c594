//! Over stdio.

use crate::{count, logged, names, options, python, stdio, take, take_expecting, warnings};
use countersign::capture::{Era, Hello};
use countersign::client::{Direction, Profile, capture};
use countersign::model::{Endpoint, Kind};
use countersign::secret::Secrets;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Scenario, era, revision, tools, warnings.
pub(crate) type Listed = (
    &'static str,
    Era,
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

pub(crate) const LISTED: &[Listed] = &[
    ("plain", Era::Legacy, "2025-11-25", &["echo"], &[]),
    ("modern", Era::Modern, "2026-07-28", &["echo"], &[]),
    (
        "modern_once_more",
        Era::Modern,
        "2026-07-28",
        &["echo"],
        &[],
    ),
    (
        "modern_that_names_legacy",
        Era::Legacy,
        "2025-06-18",
        &["echo"],
        &[],
    ),
    ("oldest_revision", Era::Legacy, "2024-11-05", &["echo"], &[]),
    (
        "unknown_revision",
        Era::Legacy,
        "2099-01-01",
        &["echo"],
        &["unknown-revision"],
    ),
    (
        "banner",
        Era::Legacy,
        "2025-11-25",
        &["echo"],
        &["stray-output"],
    ),
    (
        "carriage_returns",
        Era::Legacy,
        "2025-11-25",
        &["echo"],
        &[],
    ),
    (
        "no_last_line_end",
        Era::Legacy,
        "2025-11-25",
        &["echo"],
        &[],
    ),
    ("byte_order_mark", Era::Legacy, "2025-11-25", &["echo"], &[]),
    (
        "exits_on_discover",
        Era::Legacy,
        "2025-11-25",
        &["echo"],
        &[],
    ),
    (
        "nonsense_on_discover",
        Era::Legacy,
        "2025-11-25",
        &["echo"],
        &[],
    ),
    (
        "error_without_id",
        Era::Legacy,
        "2025-11-25",
        &["echo"],
        &[],
    ),
    (
        "error_with_foreign_id",
        Era::Legacy,
        "2025-11-25",
        &["echo"],
        &[],
    ),
    ("floods_stderr", Era::Legacy, "2025-11-25", &["echo"], &[]),
    (
        "three_pages",
        Era::Legacy,
        "2025-11-25",
        &["a", "b", "c"],
        &[],
    ),
    (
        "second_page_fails_once",
        Era::Legacy,
        "2025-11-25",
        &["a", "b"],
        &[],
    ),
    (
        "changes_meanwhile",
        Era::Legacy,
        "2025-11-25",
        &["a", "b"],
        &[],
    ),
    (
        "no_tools",
        Era::Legacy,
        "2025-11-25",
        &[],
        &["no-tools-capability"],
    ),
    (
        "hides_its_tools",
        Era::Legacy,
        "2025-11-25",
        &["echo"],
        &["no-tools-capability"],
    ),
    (
        "announces_lists_it_lacks",
        Era::Legacy,
        "2025-11-25",
        &["echo"],
        &[],
    ),
    ("asks_back", Era::Legacy, "2025-11-25", &["satisfied"], &[]),
    ("ids_as_text", Era::Legacy, "2025-11-25", &["echo"], &[]),
    ("ids_as_decimals", Era::Legacy, "2025-11-25", &["echo"], &[]),
    ("batches", Era::Legacy, "2025-11-25", &["echo"], &[]),
    (
        "answers_of_others",
        Era::Legacy,
        "2025-11-25",
        &["right"],
        &[],
    ),
    ("strict_order", Era::Legacy, "2025-11-25", &["echo"], &[]),
    ("empty_list", Era::Legacy, "2025-11-25", &[], &[]),
];

/// Scenario, kind of the problem, what its message holds.
pub(crate) const REFUSED: &[(&str, &str, &[&str])] = &[
    (
        "modern_asks_back_on_list",
        "protocol",
        &["page 1 of `tools/list`", "`input_required`"],
    ),
    (
        "unknown_future_only",
        "protocol",
        &["`initialize` failed with -32601"],
    ),
    (
        "junk_flood",
        "limit",
        &["1048576 bytes of stray output", "the first: `junk`"],
    ),
    (
        "endless_line",
        "limit",
        &["page 1 of `tools/list`", "1048576 bytes (--max-frame)"],
    ),
    (
        "torn_message",
        "protocol",
        &["page 1 of `tools/list`", "ends too early"],
    ),
    (
        "not_utf8",
        "protocol",
        &["page 1 of `tools/list`", "not UTF-8"],
    ),
    (
        "dies_at_start",
        "ended",
        &[
            "exit status 3",
            "reading settings | fatal: the key ${CASE_KEY} is refused",
        ],
    ),
    ("killed", "ended", &["signal 9"]),
    (
        "dies_on_list",
        "ended",
        &["page 1 of `tools/list`", "exit status 4"],
    ),
    (
        "same_page_for_ever",
        "protocol",
        &["cursor `again`", "does not advance"],
    ),
    (
        "another_page_for_ever",
        "limit",
        &["`tools/list`", "cursor", "50 pages (--max-pages)"],
    ),
    (
        "cursor_is_a_number",
        "protocol",
        &["page 1 of `tools/list`", "cursor", "number"],
    ),
    (
        "no_list",
        "protocol",
        &["page 1 of `tools/list` holds no list: `tools` is null"],
    ),
    (
        "second_page_fails",
        "protocol",
        &["page 2 of `tools/list` failed with -32603: backend unavailable"],
    ),
    (
        "changes_for_ever",
        "unstable",
        &["list of tools is not stable"],
    ),
    (
        "announces_tools_it_lacks",
        "protocol",
        &["page 1 of `tools/list` failed with -32601"],
    ),
    (
        "dies_before_prompts",
        "ended",
        &["page 1 of `prompts/list`", "exit status 1"],
    ),
];

#[test]
fn what_can_be_listed_is_listed_whole() {
    for (scenario, era, revision, tools, expected_warnings) in LISTED {
        let capture = take(&stdio(scenario, &[]), &options())
            .unwrap_or_else(|problem| panic!("{scenario}: {problem:?}"));
        assert_eq!(names(&capture, Kind::Tool), *tools, "{scenario}");
        assert_eq!(capture.taking.era, Some(*era), "{scenario}");
        assert_eq!(capture.taking.revision, *revision, "{scenario}");
        assert_eq!(warnings(&capture), *expected_warnings, "{scenario}");
        assert_eq!(capture.lists.len(), Kind::LISTED.len(), "{scenario}");
    }
}

#[test]
fn what_cannot_be_listed_says_why() {
    let mut options = options();
    options.bounds.frame_bytes = 1 << 20;
    options.bounds.pages = 50;
    for (scenario, kind, parts) in REFUSED {
        let problem = take(&stdio(scenario, &[]), &options).expect_err(scenario);
        assert_eq!(problem.kind, *kind, "{scenario}: {problem:?}");
        for part in *parts {
            assert!(
                problem.message.contains(part),
                "{scenario}: {part}: {problem:?}"
            );
        }
        assert!(
            !problem.message.contains("sesame"),
            "{scenario}: {problem:?}"
        );
    }
}

#[test]
fn a_list_beyond_its_bounds_names_them() {
    let mut few = options();
    few.bounds.items = 2;
    let problem = take(&stdio("three_pages", &[]), &few).expect_err("three items");
    assert!(
        problem.message.contains("2 items (--max-items)"),
        "{problem:?}"
    );
    let mut small = options();
    small.bounds.listing_bytes = 200;
    let problem = take(&stdio("three_pages", &[]), &small).expect_err("more bytes");
    assert!(
        problem.message.contains("200 bytes (--max-listing)"),
        "{problem:?}"
    );
}

#[test]
fn the_talk_is_recorded_beside_the_answers() {
    let capture = take(&stdio("modern", &[]), &options()).expect("a capture");
    assert!(matches!(capture.hello, Hello::Discover(_)));
    let taking = &capture.taking;
    assert_eq!(taking.transport, "stdio");
    assert_eq!(taking.profile, "host");
    assert!(taking.client.starts_with("countersign/"));
    assert_eq!(taking.pages[&Kind::Tool], 1);
    assert_eq!(
        taking.cache[&Kind::Tool],
        (Some("1500".to_owned()), Some("public".to_owned()))
    );
}

#[test]
fn a_capture_may_move_between_threads() {
    fn assert_send(_: impl Send) {}
    let (endpoint, options) = (stdio("plain", &[]), options());
    let (secrets, none) = (Secrets::default(), BTreeSet::new());
    assert_send(capture(&endpoint, &secrets, &none, &options, &|_: &str| {}));
}

#[test]
fn a_trace_holds_no_secret() {
    let (options, log) = logged(options());
    take(&stdio("echoes_a_secret", &[]), &options).expect("a capture");
    assert_eq!(count(&log, Direction::Received, "sesame"), 0);
    assert_eq!(count(&log, Direction::Received, "${CASE_KEY}"), 1);
}

#[test]
fn what_a_server_says_of_the_talk_is_kept_without_secrets() {
    let capture = take(&stdio("echoes_a_secret_everywhere", &[]), &options()).expect("a capture");
    assert_eq!(
        capture.taking.cache[&Kind::Tool].1.as_deref(),
        Some("${CASE_KEY}")
    );
    let capture = take(&stdio("names_a_secret_as_revision", &[]), &options()).expect("a capture");
    assert!(capture.taking.revision.ends_with("x${CASE_KEY}"));
    let warning = &capture.warnings[0].message;
    assert!(!warning.contains("sesame"), "{warning}");
    let problem = take(&stdio("names_a_secret_as_cursor", &[]), &options()).expect_err("no end");
    assert!(!problem.message.contains("sesa"), "{}", problem.message);
}

#[test]
fn endless_time_limits_are_kept_without_overflow() {
    let mut patient = options();
    patient.timeout = Duration::MAX;
    patient.start_timeout = Duration::MAX;
    patient.probe_timeout = Duration::MAX;
    take(&stdio("three_pages", &[]), &patient).expect("a capture");
}

#[test]
fn pages_that_differ_in_cache_scope_are_warned_about() {
    let capture = take(&stdio("mixed_cache_scopes", &[]), &options()).expect("a capture");
    assert_eq!(warnings(&capture), ["cache-scope-differs"]);
}

#[test]
fn stray_lines_are_counted_and_the_first_is_shown() {
    let capture = take(&stdio("banner", &[]), &options()).expect("a capture");
    assert_eq!(
        capture.warnings[0].message,
        "4 stray lines on stdout, the first: `starting`"
    );
}

#[test]
fn only_lists_that_are_announced_are_asked_for() {
    let (options, log) = logged(options());
    take(&stdio("plain", &[]), &options).expect("a capture");
    assert_eq!(count(&log, Direction::Sent, "prompts/list"), 0);
    assert_eq!(count(&log, Direction::Sent, "resources/"), 0);
    assert_eq!(count(&log, Direction::Sent, "tools/list"), 1);
    let capture = take(&stdio("announces_lists_it_lacks", &[]), &options).expect("a capture");
    assert_eq!(names(&capture, Kind::Resource), ["a:b"]);
    assert!(capture.lists[&Kind::Prompt].is_empty());
    assert!(capture.lists[&Kind::Template].is_empty());
    assert_eq!(count(&log, Direction::Sent, "resources/templates/list"), 1);
}

#[test]
fn an_empty_list_is_believed_when_two_answers_agree() {
    let (options, log) = logged(options());
    take(&stdio("empty_list", &[]), &options).expect("a capture");
    assert_eq!(count(&log, Direction::Sent, "tools/list"), 2);
}

#[test]
fn a_list_that_lacks_accepted_tools_is_asked_for_again() {
    let endpoint = stdio("incomplete_at_first", &[]);
    let capture = take_expecting(&endpoint, &options(), &["b"]).expect("a capture");
    assert_eq!(names(&capture, Kind::Tool), ["a", "b"]);
    assert_eq!(warnings(&capture), ["list-varies"]);
    let capture = take_expecting(&endpoint, &options(), &["gone"]).expect("a capture");
    assert_eq!(names(&capture, Kind::Tool), ["a", "b"]);
    assert_eq!(warnings(&capture), ["list-varies"]);
    let problem = take_expecting(&stdio("another_list_each_time", &[]), &options(), &["gone"])
        .expect_err("never the same");
    assert_eq!(problem.kind, "unstable");
}

#[test]
fn a_server_that_passes_over_the_probe_is_greeted_in_the_same_process() {
    let mut quick = options();
    quick.probe_timeout = Duration::from_millis(300);
    for (scenario, era) in [
        ("passes_over_discover", Era::Legacy),
        ("slow_legacy", Era::Legacy),
        ("slow_modern", Era::Modern),
    ] {
        let (quick, log) = logged(quick.clone());
        let capture = take(&stdio(scenario, &[]), &quick).expect(scenario);
        assert_eq!(capture.taking.era, Some(era), "{scenario}");
        assert_eq!(names(&capture, Kind::Tool), ["echo"], "{scenario}");
        assert_eq!(
            count(&log, Direction::Sent, "server/discover"),
            1,
            "{scenario}"
        );
        assert_eq!(
            count(&log, Direction::Sent, "\"initialize\""),
            1,
            "{scenario}"
        );
    }
}

#[test]
fn a_modern_server_that_was_too_slow_is_discovered_in_a_fresh_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("starts");
    let mut quick = options();
    quick.probe_timeout = Duration::from_millis(300);
    let endpoint = stdio(
        "refuses_both_at_first",
        &[("STATE", state.to_str().expect("UTF-8"))],
    );
    let capture = take(&endpoint, &quick).expect("a capture");
    assert_eq!(capture.taking.era, Some(Era::Modern));
    let starts = std::fs::read_to_string(state).expect("the state");
    assert_eq!(starts.lines().count(), 2);
}

#[test]
fn a_start_that_takes_too_long_ends_in_time_and_names_the_limit() {
    let mut quick = options();
    quick.start_timeout = Duration::from_secs(1);
    let before = Instant::now();
    let problem = take(&stdio("silent", &[]), &quick).expect_err("silence");
    assert!(before.elapsed() < Duration::from_secs(4));
    assert_eq!(problem.kind, "timeout");
    assert!(
        problem
            .message
            .contains("did not answer `server/discover` or `initialize` within 1 s"),
        "{problem:?}"
    );
    assert!(problem.hint.expect("a hint").contains("--start-timeout"));
}

#[test]
fn a_request_that_takes_too_long_is_cancelled_and_names_the_limit() {
    let (mut quick, log) = logged(options());
    quick.timeout = Duration::from_millis(700);
    let problem = take(&stdio("silent_on_list", &[]), &quick).expect_err("silence");
    assert_eq!(problem.kind, "timeout");
    assert!(problem.message.contains("within 0.7 s"), "{problem:?}");
    assert!(problem.hint.expect("a hint").contains("--timeout"));
    assert_eq!(count(&log, Direction::Sent, "notifications/cancelled"), 1);
}

#[test]
fn a_named_revision_is_spoken_without_a_probe() {
    let (mut named, log) = logged(options());
    named.protocol = Some("2025-03-26".to_owned());
    let capture = take(&stdio("plain", &[]), &named).expect("a capture");
    assert_eq!(capture.taking.revision, "2025-03-26");
    assert_eq!(count(&log, Direction::Sent, "server/discover"), 0);
    named.protocol = Some("2026-07-28".to_owned());
    take(&stdio("modern", &[]), &named).expect("a capture");
    let problem = take(&stdio("plain", &[]), &named).expect_err("a legacy server");
    assert!(problem.message.contains("`2026-07-28`"), "{problem:?}");
    named.protocol = Some("2020-01-01".to_owned());
    let problem = take(&stdio("plain", &[]), &named).expect_err("no revision");
    assert_eq!(problem.kind, "usage");
}

#[test]
fn the_profile_decides_what_is_declared() {
    let (mut options, log) = logged(options());
    options.profile = Profile::None;
    options.client_info = ("someone".to_owned(), "7".to_owned());
    take(&stdio("plain", &[]), &options).expect("a capture");
    assert_eq!(count(&log, Direction::Sent, "\"capabilities\":{}"), 1);
    assert_eq!(
        count(
            &log,
            Direction::Sent,
            "{\"name\":\"someone\",\"version\":\"7\"}"
        ),
        2
    );
}

#[test]
fn a_server_gets_the_safe_variables_and_its_own_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut endpoint = stdio("shows_environment", &[("CASE_OWN", "x")]);
    if let Endpoint::Stdio { cwd, .. } = &mut endpoint {
        *cwd = Some(folder.path().to_owned());
    }
    let capture = take(&endpoint, &options()).expect("a capture");
    let shown = capture.lists[&Kind::Tool][0].result().get("tools");
    let texts: Vec<&str> = shown
        .and_then(|tools| tools.as_array())
        .expect("tools")
        .iter()
        .filter_map(|tool| tool.get("description")?.as_str())
        .collect();
    // Python sets LC_CTYPE for itself where no locale is set.
    let safe = [
        "HOME", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "CASE_OWN",
    ];
    assert!(texts[0].contains("CASE_OWN"), "{texts:?}");
    for name in texts[0].split(' ') {
        assert!(safe.contains(&name), "{name}");
    }
    let folder = folder.path().canonicalize().expect("a path");
    assert_eq!(PathBuf::from(texts[1]), folder);
}

#[test]
fn what_cannot_be_started_is_named() {
    let mut endpoint = Endpoint::Stdio {
        command: "no-such-program-of-ours".to_owned(),
        args: Vec::new(),
        cwd: None,
        env: BTreeMap::new(),
    };
    let problem = take(&endpoint, &options()).expect_err("no program");
    assert_eq!(problem.kind, "start");
    assert_eq!(
        problem.message,
        "program `no-such-program-of-ours` not found"
    );
    if let Endpoint::Stdio { command, cwd, .. } = &mut endpoint {
        python().clone_into(command);
        *cwd = Some("/no/such/folder".into());
    }
    let problem = take(&endpoint, &options()).expect_err("no folder");
    assert!(problem.message.contains("`/no/such/folder`"), "{problem:?}");
}

#[test]
fn a_file_stands_for_a_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("list.json");
    std::fs::write(&path, r#"{"tools":[{"name":"a"}]}"#).expect("written");
    let endpoint = Endpoint::File(path.clone());
    let capture = take(&endpoint, &options()).expect("a capture");
    assert_eq!(names(&capture, Kind::Tool), ["a"]);
    let mut small = options();
    small.bounds.listing_bytes = 10;
    let problem = take(&endpoint, &small).expect_err("too large");
    assert!(
        problem.message.contains("10 bytes (--max-listing)"),
        "{problem:?}"
    );
    std::fs::write(&path, "{").expect("written");
    let problem = take(&endpoint, &options()).expect_err("no JSON");
    assert_eq!(problem.kind, "file");
    let problem = take(&Endpoint::File("/no/such/file".into()), &options()).expect_err("no file");
    assert!(problem.message.contains("cannot read"), "{problem:?}");
}
