//! Captures from real child processes and real loopback sockets that misbehave in every way we know of: each
//! ends, in bounded time, in the whole list or in an error that says why.

mod hostile;
mod http;
#[cfg(unix)]
mod processes;
mod recall;
mod sse;
mod stdio;

use countersign::capture::Capture;
use countersign::client::{Direction, Options, capture};
use countersign::model::{Endpoint, Kind, Problem};
use countersign::secret::Secrets;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// The scripted server that speaks on stdio.
pub(crate) fn stdio(scenario: &str, env: &[(&str, &str)]) -> Endpoint {
    Endpoint::Stdio {
        command: python().to_owned(),
        args: vec![fixture("stdio_server.py"), scenario.to_owned()],
        cwd: None,
        env: env
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect::<BTreeMap<_, _>>(),
    }
}

/// The interpreter itself: what `PATH` finds may be a wrapper that sets variables of its own.
pub(crate) fn python() -> &'static str {
    static PYTHON: OnceLock<String> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let output = Command::new("python3")
            .args(["-c", "import sys; print(sys.executable, end='')"])
            .output()
            .expect("python3 is installed");
        String::from_utf8(output.stdout).expect("UTF-8")
    })
}

pub(crate) fn fixture(name: &str) -> String {
    format!("{}/fixtures/hostile/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Time limits that a test can wait for and a busy machine can keep.
pub(crate) fn options() -> Options {
    Options {
        timeout: Duration::from_secs(20),
        start_timeout: Duration::from_secs(20),
        ..Options::default()
    }
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
}

pub(crate) fn take(endpoint: &Endpoint, options: &Options) -> Result<Capture, Problem> {
    take_expecting(endpoint, options, &[])
}

pub(crate) fn take_expecting(
    endpoint: &Endpoint,
    options: &Options,
    expected: &[&str],
) -> Result<Capture, Problem> {
    let expected: BTreeSet<String> = expected.iter().map(|name| (*name).to_owned()).collect();
    runtime().block_on(capture(
        endpoint,
        &secrets(),
        &expected,
        options,
        &|_: &str| {},
    ))
}

/// What the fixtures echo where they should not.
pub(crate) fn secrets() -> Secrets {
    let mut secrets = Secrets::default();
    secrets.add("CASE_KEY", "sesame-0123456789");
    secrets
}

/// The names of the items of a kind, in the order in which they were listed.
pub(crate) fn names(capture: &Capture, kind: Kind) -> Vec<&str> {
    capture.lists[&kind]
        .iter()
        .filter_map(|page| page.result().get(kind.list_member())?.as_array())
        .flatten()
        .filter_map(|item| item.get(kind.name_member())?.as_str())
        .collect()
}

pub(crate) fn warnings(capture: &Capture) -> Vec<&str> {
    capture.warnings.iter().map(|w| w.rule).collect()
}

/// The messages of a talk, as `-vv` shows them.
pub(crate) type Log = Arc<Mutex<Vec<(Direction, String)>>>;

pub(crate) fn logged(mut options: Options) -> (Options, Log) {
    let log = Log::default();
    let sink = Arc::clone(&log);
    options.trace = Some(Arc::new(move |direction, text: &str| {
        sink.lock()
            .expect("no panic before")
            .push((direction, text.to_owned()));
    }));
    (options, log)
}

/// How many messages of that direction hold the text.
pub(crate) fn count(log: &Log, direction: Direction, text: &str) -> usize {
    let log = log.lock().expect("no panic before");
    log.iter()
        .filter(|(way, message)| *way == direction && message.contains(text))
        .count()
}
