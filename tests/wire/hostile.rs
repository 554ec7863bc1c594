//! Servers that mean harm, in one table: each ends within its deadline, none is taken for whole with a tool
//! missing, and each says what is wrong.

use crate::http::Server;
use crate::{names, options, stdio, take};
use countersign::client::Options;
use countersign::model::{Endpoint, Kind, Problem};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What has to come of a scenario.
enum Outcome {
    /// These tools, and no others.
    Tools(&'static [&'static str]),
    /// A problem of this kind, whose message holds this.
    Problem(&'static str, &'static str),
}
use Outcome::{Problem as Refused, Tools};

/// How long one request may take here, and how long all of a scenario: a few attempts, and a slow machine.
const TIMEOUT: Duration = Duration::from_secs(3);
const DEADLINE: Duration = Duration::from_secs(25);

const SLOW: &str = "no answer within 3 s";

/// Over HTTP, from a server that breaks HTTP itself.
const RAW: &[(&str, Outcome)] = &[
    ("drip", Refused("timeout", SLOW)),
    ("drip_in_headers", Refused("timeout", SLOW)),
    ("drip_of_comments", Refused("timeout", SLOW)),
    ("drip_of_continues", Refused("timeout", SLOW)),
    ("nothing_more", Refused("timeout", SLOW)),
    (
        "endless_headers",
        Refused("connect", "message head is too large"),
    ),
    (
        "endless_header",
        Refused("connect", "message head is too large"),
    ),
    ("endless_chunks", Refused("limit", "--max-frame")),
    ("endless_body", Refused("limit", "--max-frame")),
    ("endless_event", Refused("limit", "--max-frame")),
    ("endless_event_name", Refused("limit", "--max-frame")),
    ("endless_gzip", Refused("limit", "--max-frame")),
    ("endless_notifications", Refused("timeout", SLOW)),
    ("endless_noise", Refused("limit", "bytes of stray output")),
    ("length_too_long", Refused("connect", "broke")),
    ("length_too_short", Refused("protocol", "not JSON")),
    ("two_lengths", Refused("connect", "broke")),
    ("chunks_torn", Refused("connect", "broke")),
    ("banana", Refused("connect", "broke")),
    ("hangs_up", Refused("connect", "broke")),
    (
        "no_content",
        Refused("protocol", "answered 204 with an empty body"),
    ),
    ("ring", Refused("http", "a redirect to `/ring")),
    ("ring_back", Refused("http", "a redirect to `/ring")),
    ("utf16", Refused("protocol", "no JSON-RPC message")),
    (
        "id_of_another_type",
        Refused("protocol", "no JSON-RPC message"),
    ),
    ("id_missing", Refused("protocol", "no JSON-RPC message")),
    ("error_and_result", Refused("protocol", "-1: both")),
    ("growing", Refused("unstable", "is not stable")),
    ("endless_pages", Refused("limit", "--max-pages")),
    ("large_cursors", Tools(&["t0", "t1", "t2"])),
    ("carriage_returns", Tools(&["echo"])),
    ("two_answers", Tools(&["echo"])),
    ("old_http", Tools(&["echo"])),
    ("closes_after_each", Tools(&["echo", "echo"])),
    ("trailers", Tools(&["echo"])),
    ("continues_first", Tools(&["echo"])),
];

/// Over stdio.
const STDIO: &[(&str, Outcome)] = &[
    ("closes_its_output", Refused("ended", "closed its output")),
    ("closes_its_input", Refused("timeout", SLOW)),
    (
        "dies_in_another_encoding",
        Refused("ended", "exit status 5"),
    ),
    ("answers_before_it_is_asked", Tools(&["early"])),
    ("answers_twice", Tools(&["first"])),
    ("answers_with_another_id", Refused("timeout", SLOW)),
    ("notifies_for_ever", Refused("timeout", SLOW)),
    ("asks_for_ever", Refused("timeout", SLOW)),
    ("grows_for_ever", Refused("unstable", "is not stable")),
    ("pages_of_a_megabyte", Refused("limit", "--max-listing")),
    ("large_cursor", Tools(&["echo", "size1048576"])),
    ("drips", Refused("timeout", SLOW)),
    ("deep", Refused("protocol", "(--max-depth)")),
];

fn quick() -> Options {
    let mut quick = options();
    quick.timeout = TIMEOUT;
    quick.bounds.frame_bytes = 4 << 20;
    quick.bounds.listing_bytes = 8 << 20;
    quick.bounds.pages = 100;
    quick
}

/// What is wrong with what came of a scenario.
fn judge(scenario: &str, endpoint: &Endpoint, outcome: &Outcome) -> Option<String> {
    let begun = Instant::now();
    let taken = take(endpoint, &quick());
    let took = begun.elapsed();
    if took > DEADLINE {
        return Some(format!("{scenario}: took {took:?}"));
    }
    let told = |problem: &Problem| format!("{scenario}: {}: {}", problem.kind, problem.message);
    match (&taken, outcome) {
        (Ok(capture), Tools(tools)) => {
            let found = names(capture, Kind::Tool);
            (found != *tools).then(|| format!("{scenario}: {found:?}"))
        }
        (Ok(capture), Refused(..)) => {
            let found = names(capture, Kind::Tool);
            Some(format!("{scenario}: was listed: {found:?}"))
        }
        (Err(problem), Tools(_)) => Some(told(problem)),
        (Err(problem), Refused(kind, part)) => {
            let fits = problem.kind == *kind && problem.message.contains(part);
            (!fits).then(|| told(problem))
        }
    }
}

/// Runs a table a few at a time: most of them wait.
fn holds(table: &[(&str, Outcome)], endpoint: impl Fn(&str) -> Endpoint + Sync) {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut wrong = Vec::new();
        while let Some((scenario, outcome)) = table.get(next.fetch_add(1, Ordering::Relaxed)) {
            wrong.extend(judge(scenario, &endpoint(scenario), outcome));
        }
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        let joined = workers.into_iter().map(std::thread::ScopedJoinHandle::join);
        joined.flat_map(|wrong| wrong.expect("no panic")).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_breaks_http_itself_is_named_in_time() {
    let server = Server::serving("raw_server.py");
    holds(RAW, |scenario| server.at(scenario));
}

#[test]
fn what_breaks_the_talk_on_stdio_is_named_in_time() {
    holds(STDIO, |scenario| stdio(scenario, &[]));
}

/// The names of the scenarios that a fixture has.
fn scenarios(fixture: &str) -> BTreeSet<String> {
    let path = crate::fixture(fixture);
    let source = std::fs::read_to_string(path).expect("a fixture");
    source
        .lines()
        .filter_map(|line| line.strip_prefix("    def "))
        .filter_map(|line| {
            let (name, parameters) = line.split_once('(')?;
            match name.strip_prefix("at_") {
                Some(name) => Some(name),
                None if parameters.starts_with("server)") => Some(name),
                None => None,
            }
        })
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_scenario_of_the_fixtures_is_run() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut sources = String::new();
    let mut paths = ["wire", "cli", "wire_strays.rs"]
        .map(|name| tests.join(name))
        .to_vec();
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).expect("a folder");
            paths.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push_str(&std::fs::read_to_string(path).expect("a test"));
        }
    }
    for fixture in ["http_server.py", "raw_server.py", "stdio_server.py"] {
        let found = scenarios(fixture);
        assert!(found.len() > 20, "{fixture}: {found:?}");
        for name in found {
            assert!(
                ["\"", "/"]
                    .iter()
                    .any(|before| sources.contains(&format!("{before}{name}\""))),
                "`{name}` of {fixture} is run by no test"
            );
        }
    }
}
