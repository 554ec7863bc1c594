//! Talks that begin in the era that is remembered: fewer questions, and the same outcome where the memory is wrong.

use crate::http::{self, Server};
use crate::{count, logged, names, options, stdio, take, warnings};
use countersign::capture::Era;
use countersign::client::{Direction, Options};
use countersign::model::Kind;
use std::time::Duration;

fn knowing(era: Era) -> Options {
    Options {
        known_era: Some(era),
        ..options()
    }
}

/// How often each era's first question was asked.
fn questions(log: &crate::Log) -> [usize; 2] {
    ["\"server/discover\"", "\"initialize\""].map(|text| count(log, Direction::Sent, text))
}

#[test]
fn a_server_that_is_known_is_asked_in_its_era_and_a_wrong_memory_is_mended() {
    for (scenario, known, found, asked) in [
        ("plain", Era::Legacy, Era::Legacy, [0, 1]),
        ("exits_on_discover", Era::Legacy, Era::Legacy, [0, 1]),
        ("modern", Era::Modern, Era::Modern, [1, 0]),
        ("modern", Era::Legacy, Era::Modern, [1, 1]),
        ("plain", Era::Modern, Era::Legacy, [1, 1]),
    ] {
        let (options, log) = logged(knowing(known));
        let capture = take(&stdio(scenario, &[]), &options).expect(scenario);
        assert_eq!(capture.taking.era, Some(found), "{scenario}");
        assert_eq!(questions(&log), asked, "{scenario}, known as {known:?}");
    }
}

#[test]
fn a_named_revision_goes_before_what_is_known() {
    let (mut options, log) = logged(knowing(Era::Legacy));
    options.protocol = Some("2026-07-28".to_owned());
    take(&stdio("modern", &[]), &options).expect("a capture");
    assert_eq!(questions(&log), [1, 0]);
}

#[test]
fn a_process_that_is_silent_where_it_answered_is_asked_the_other_way_and_not_ended() {
    for (scenario, era, asked) in [
        ("slow_legacy", Era::Legacy, [0, 1]),
        ("modern_passes_over_initialize", Era::Modern, [1, 1]),
    ] {
        let (mut options, log) = logged(knowing(Era::Legacy));
        options.start_timeout = Duration::from_secs(6);
        let capture = take(&stdio(scenario, &[]), &options).expect(scenario);
        assert_eq!(capture.taking.era, Some(era), "{scenario}");
        assert_eq!(names(&capture, Kind::Tool), ["echo"], "{scenario}");
        assert_eq!(questions(&log), asked, "{scenario}");
    }
}

#[test]
fn a_url_that_is_known_is_asked_once_and_probed_when_it_has_changed() {
    let server = Server::start();
    // What refuses `initialize` with 404 may be an older server, and is tried as one too.
    for (scenario, asked) in [("session", [0, 1]), ("modern", [1, 2])] {
        let (options, log) = logged(knowing(Era::Legacy));
        take(&server.at(scenario), &options).expect(scenario);
        assert_eq!(questions(&log), asked, "{scenario}");
    }
    // Who is refused is not refused twice.
    for scenario in ["challenge", "forbidden", "busy"] {
        take(&server.at(scenario), &knowing(Era::Legacy)).expect_err(scenario);
        assert_eq!(server.log(scenario).len(), 1, "{scenario}");
    }
}

#[test]
fn what_is_remembered_makes_no_difference_to_the_outcome() {
    let (plain, knowing) = (Server::start(), Server::start());
    for (scenario, era, tools, expected) in http::LISTED {
        let options = self::knowing(Era::Legacy);
        let capture = take(&knowing.at(scenario), &options)
            .unwrap_or_else(|problem| panic!("{scenario}: {problem:?}"));
        assert_eq!(capture.taking.era, Some(*era), "{scenario}");
        assert_eq!(names(&capture, Kind::Tool), *tools, "{scenario}");
        assert_eq!(warnings(&capture), *expected, "{scenario}");
    }
    for (scenario, _, _) in http::REFUSED {
        let fail = |server: &Server, mut options: Options| {
            options.bounds.frame_bytes = 1 << 20;
            let problem = take(&server.at(scenario), &options).expect_err(scenario);
            // The one thing that differs is where the server is.
            let port = server.port.to_string();
            (
                problem.kind,
                problem.message.replace(&port, "PORT"),
                problem.hint,
            )
        };
        assert_eq!(
            fail(&knowing, self::knowing(Era::Legacy)),
            fail(&plain, options()),
            "{scenario}"
        );
    }
    for (scenario, era, _, tools, expected) in crate::stdio::LISTED {
        let capture = take(&stdio(scenario, &[]), &self::knowing(Era::Legacy))
            .unwrap_or_else(|problem| panic!("{scenario}: {problem:?}"));
        assert_eq!(capture.taking.era, Some(*era), "{scenario}");
        assert_eq!(names(&capture, Kind::Tool), *tools, "{scenario}");
        assert_eq!(warnings(&capture), *expected, "{scenario}");
    }
    for (scenario, _, _) in crate::stdio::REFUSED {
        let fail = |options| {
            let problem = take(&stdio(scenario, &[]), &options).expect_err(scenario);
            (problem.kind, problem.message, problem.hint)
        };
        assert_eq!(
            fail(self::knowing(Era::Legacy)),
            fail(options()),
            "{scenario}"
        );
    }
}
