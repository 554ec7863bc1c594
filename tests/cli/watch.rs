//! `watch` beside real servers that change, announce it or not, hang, end and come back.

mod growing;
mod hook;
mod mishaps;
mod telling;

use crate::support::{HttpServer, Sandbox, scripted_server, text};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Child, Command};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// A catalogue whose one tool has this description.
fn catalogue(description: &str) -> Value {
    let tool =
        json!({ "name": "find", "description": description, "inputSchema": { "type": "object" } });
    json!({ "tools": [tool] })
}

/// Writes a catalogue at once: half of one is never read.
fn offer(sandbox: &Sandbox, catalogue: &Value) {
    sandbox.write("new.json", catalogue.to_string());
    fs::rename(sandbox.path("new.json"), sandbox.path("tools.json")).expect("renamed");
}

/// A catalogue that is not announced.
fn quietly(mut catalogue: Value) -> Value {
    catalogue["unannounced"] = json!(true);
    catalogue
}

/// A server over stdio that serves `tools.json`.
fn stdio(flags: &[&str]) -> Vec<String> {
    let mut words = vec!["--".to_owned(), text(&scripted_server())];
    words.extend(flags.iter().map(|flag| (*flag).to_owned()));
    words.push("tools.json".to_owned());
    words
}

/// A project with a server that a snapshot was taken of.
fn project(source: &[String]) -> Sandbox {
    let sandbox = Sandbox::new();
    offer(&sandbox, &catalogue("One."));
    snapshot(&sandbox, source);
    sandbox
}

#[track_caller]
fn snapshot(sandbox: &Sandbox, source: &[String]) {
    let words = ["snapshot", "--name", "notes"].map(str::to_owned);
    let words = [&words, source].concat();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    sandbox.run(&words).expect(0);
}

/// A watch that runs.
struct Watching {
    child: Child,
    lines: Receiver<String>,
    errors: Receiver<String>,
}

impl Watching {
    fn start(sandbox: &Sandbox, flags: &[&str], source: &[String]) -> Self {
        let mut words: Vec<&str> = vec!["watch"];
        words.extend(flags);
        if !source.is_empty() {
            words.extend(["--name", "notes"]);
        }
        words.extend(source.iter().map(String::as_str));
        Self::run(sandbox.program(&words))
    }

    /// The watch that a command starts.
    fn run(mut command: Command) -> Self {
        let mut child = command.spawn().expect("started");
        let lines = reading(child.stdout.take().expect("a pipe"));
        let errors = reading(child.stderr.take().expect("a pipe"));
        Self {
            child,
            lines,
            errors,
        }
    }

    /// The same with documents.
    fn start_json(sandbox: &Sandbox, flags: &[&str], source: &[String]) -> Self {
        Self::start(sandbox, &[&["--format", "json"], flags].concat(), source)
    }

    #[track_caller]
    fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).unwrap_or_else(|error| {
            let said: Vec<String> = self.errors.try_iter().collect();
            panic!("no line: {error}; stderr {said:?}")
        })
    }

    /// The next document, which is about this event.
    #[track_caller]
    fn event(&self, event: &str) -> Value {
        let line = self.line();
        let value: Value = serde_json::from_str(&line).expect("a document a line");
        assert_eq!(value["event"], event, "{line}");
        assert_eq!(
            (&value["watch"], &value["server"]),
            (&json!(1), &json!("notes"))
        );
        value
    }

    /// The next change: of the tool `find`.
    #[track_caller]
    fn change(&self, announced: &Value) -> Value {
        let change = self.event("change");
        assert_eq!(change["announced"], *announced, "{change}");
        let steps = change["steps"].as_array().expect("steps");
        assert_eq!(steps.len(), 1, "{change}");
        assert_eq!(steps[0]["name"], "find");
        change
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Sends a signal, and waits for the end with this status; what else was said.
    #[track_caller]
    fn end(mut self, signal: Signal, status: i32) -> (Vec<String>, Vec<String>) {
        let servers = children(self.pid());
        kill_process(self.pid(), signal).expect("it runs");
        let started = Instant::now();
        let code = loop {
            if let Some(status) = self.child.try_wait().expect("waited for") {
                break status.code();
            }
            assert!(
                started.elapsed() < Duration::from_secs(5),
                "it does not end"
            );
            thread::sleep(Duration::from_millis(5));
        };
        assert_eq!(code, Some(status));
        for server in servers {
            wait_for(|| is_gone(server).then_some(()));
        }
        (rest(&self.lines), rest(&self.errors))
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = kill_process(self.pid(), Signal::TERM);
            let _ = self.child.wait();
        }
    }
}

fn reading(pipe: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

/// What is still said until the pipe is closed: nobody outlives the program and holds it.
fn rest(lines: &Receiver<String>) -> Vec<String> {
    let mut rest = Vec::new();
    loop {
        match lines.recv_timeout(Duration::from_secs(10)) {
            Ok(line) => rest.push(line),
            Err(RecvTimeoutError::Disconnected) => return rest,
            Err(RecvTimeoutError::Timeout) => panic!("somebody holds the pipe"),
        }
    }
}

fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < PATIENCE, "it never comes");
        thread::sleep(Duration::from_millis(10));
    }
}

fn is_gone(pid: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    test_kill_process(pid).is_err() || stat.is_ok_and(|stat| stat.contains(") Z "))
}

/// The processes that a process has started and that run.
fn children(of: Pid) -> Vec<Pid> {
    let mut found = Vec::new();
    let threads = fs::read_dir(format!("/proc/{}/task", of.as_raw_nonzero()));
    for thread in threads.into_iter().flatten().flatten() {
        let text = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        let pids = text
            .split_ascii_whitespace()
            .filter_map(|pid| pid.parse().ok());
        found.extend(pids.filter_map(Pid::from_raw));
    }
    found
}

/// A port that nobody listens on.
fn free_port() -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    listener
        .local_addr()
        .expect("an address")
        .port()
        .to_string()
}

/// An announced change, then one that is not, of a server that is reached in this way.
fn every_change_is_told_as_it_was(source: &[String], sandbox: &Sandbox) {
    let lock = sandbox.read("countersign.lock.json");
    // Where the disk is slow a poll comes soon after what is told of the one before: it must not come before the server
    // has looked at its file.
    let watching = Watching::start_json(sandbox, &["--every", "2s"], source);
    let first = watching.event("watching");
    assert_eq!(
        (&first["outcome"], &first["report"]["outcome"]),
        (&json!("clean"), &json!("clean"))
    );

    offer(sandbox, &catalogue("Two."));
    let change = watching.change(&json!(true));
    assert!(
        change["delayMs"].as_u64().expect("a delay") < 10_000,
        "{change}"
    );
    let step = &change["steps"][0];
    assert_eq!(
        (&step["event"], &step["level"], &step["waits"]),
        (&json!("changed"), &json!("material"), &json!(true))
    );
    assert_eq!(step["rules"], json!(["description-changed"]));
    assert_eq!(change["outcome"], "drift");
    let waiting = &change["report"]["servers"][0]["changes"][0];
    assert_eq!(
        waiting["after"]["text"]
            .as_str()
            .map(|text| text.contains("Two.")),
        Some(true)
    );

    offer(sandbox, &quietly(catalogue("Three.")));
    let change = watching.change(&json!(false));
    let within = change["delayMs"].as_u64().expect("a delay");
    assert!((500..20_000).contains(&within), "{within}");
    // Back to what was accepted: a step all the same, and nothing waits.
    offer(sandbox, &quietly(catalogue("One.")));
    let change = watching.change(&json!(false));
    assert_eq!(
        (&change["outcome"], &change["steps"][0]["waits"]),
        (&json!("clean"), &json!(false))
    );

    let (more, errors) = watching.end(Signal::TERM, 143);
    let last: Value = serde_json::from_str(more.last().expect("a last line")).expect("a document");
    assert_eq!(
        (more.len(), &last["error"]["kind"]),
        (1, &json!("interrupted"))
    );
    assert_eq!(errors, [""; 0]);
    assert_eq!(
        sandbox.read("countersign.lock.json"),
        lock,
        "it is never written"
    );
    let told: Vec<Value> = sandbox.history();
    let announced: Vec<&Value> = told.iter().map(|event| &event["announced"]).collect();
    assert_eq!(
        announced,
        [&json!(null), &json!(true), &json!(false), &json!(false)]
    );
    assert!(told[1]["delayMs"].is_number() && told[2]["delayMs"].is_number());
    let shown = sandbox.run(&["history", "--verify"]).expect(0).stdout;
    assert!(shown.contains("4 events, its chain holds"), "{shown}");
    assert!(
        shown.contains("announced 0.") || shown.contains("announced 1."),
        "{shown}"
    );
    assert!(shown.contains("unannounced, within "), "{shown}");
}

#[test]
fn a_legacy_server_over_stdio_is_told_of_as_it_changes() {
    let source = stdio(&["--announce", "--era", "legacy"]);
    every_change_is_told_as_it_was(&source, &project(&source));
}

#[test]
fn a_modern_server_over_stdio_is_told_of_as_it_changes() {
    let source = stdio(&["--announce", "--era", "modern"]);
    every_change_is_told_as_it_was(&source, &project(&source));
}

fn over_http(era: &str) {
    let sandbox = Sandbox::new();
    offer(&sandbox, &catalogue("One."));
    let server = HttpServer::scripted(&sandbox.path("tools.json"), &["--announce", "--era", era]);
    let source = ["--url".to_owned(), server.url.clone()];
    snapshot(&sandbox, &source);
    every_change_is_told_as_it_was(&source, &sandbox);
}

#[test]
fn a_legacy_server_over_http_is_told_of_as_it_changes() {
    over_http("legacy");
}

#[test]
fn a_modern_server_over_http_is_told_of_as_it_changes() {
    over_http("modern");
}

/// Changes the tool until the change is told as announced; the polls are far away.
fn is_announced_again(sandbox: &Sandbox, watching: &Watching) {
    for attempt in 0..20 {
        thread::sleep(Duration::from_millis(300));
        offer(sandbox, &catalogue(&format!("Attempt {attempt}.")));
        // What comes while the server is asked to tell again is found by the look that goes with it.
        if watching.event("change")["announced"] == true {
            return;
        }
    }
    panic!("nothing is announced any more");
}

fn a_subscription_that_ends_is_asked_for_again(form: &str) {
    let flags = ["--announce", "--era", "modern", "--teardown", form];
    let over_stdio = stdio(&flags);
    let sandbox = project(&over_stdio);
    let server = HttpServer::scripted(&sandbox.path("tools.json"), &flags);
    let over_http = ["--url".to_owned(), server.url.clone()];
    for source in [&over_stdio[..], &over_http] {
        let watching =
            Watching::start_json(&sandbox, &["--every", "1h", "--start-changed"], source);
        watching.event("watching");
        offer(&sandbox, &catalogue("Two."));
        watching.change(&json!(true));
        is_announced_again(&sandbox, &watching);
        watching.end(Signal::INT, 130);
        offer(&sandbox, &catalogue("One."));
    }
}

#[test]
fn a_subscription_that_ends_with_an_answer_is_asked_for_again() {
    a_subscription_that_ends_is_asked_for_again("respond");
}

#[test]
fn a_subscription_that_ends_with_a_cancellation_is_asked_for_again() {
    a_subscription_that_ends_is_asked_for_again("cancel");
}

#[test]
fn a_server_that_goes_away_and_comes_back_is_told_of_as_that_and_not_as_drift() {
    let port = free_port();
    for era in ["legacy", "modern"] {
        let sandbox = Sandbox::new();
        offer(&sandbox, &catalogue("One."));
        let start = || {
            let flags = ["--http", &port, "--announce", "--era", era];
            HttpServer::scripted(&sandbox.path("tools.json"), &flags)
        };
        let server = start();
        let source = ["--url".to_owned(), server.url.clone()];
        snapshot(&sandbox, &source);
        let watching = Watching::start_json(&sandbox, &["--every", "2s"], &source);
        watching.event("watching");
        drop(server);
        let away = watching.event("unreachable");
        assert_eq!(
            (&away["outcome"], &away["error"]["kind"]),
            (&json!("unknown"), &json!("connect"))
        );
        offer(&sandbox, &catalogue("Two."));
        let _server = start();
        let back = watching.event("reachable");
        assert!(
            back["awayMs"].as_u64().is_some_and(|away| away < 60_000),
            "{back}"
        );
        // It came while nobody was connected.
        watching.change(&json!(null));
        offer(&sandbox, &catalogue("Three."));
        watching.change(&json!(true));
        watching.end(Signal::TERM, 143);
        let events: Vec<Value> = sandbox
            .history()
            .iter()
            .map(|line| line["event"].clone())
            .collect();
        assert_eq!(
            events,
            [
                "first-sight",
                "unreachable",
                "reachable",
                "change",
                "change"
            ]
        );
        let shown = sandbox.run(&["history", "--verify"]).expect(0).stdout;
        assert!(shown.contains("while nobody listened, within"), "{shown}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_process_that_is_killed_is_started_again() {
    let source = stdio(&["--announce", "--era", "legacy"]);
    let sandbox = project(&source);
    let watching = Watching::start_json(&sandbox, &["--every", "1h"], &source);
    watching.event("watching");
    let server = children(watching.pid());
    assert_eq!(server.len(), 1);
    kill_process(server[0], Signal::KILL).expect("it runs");
    let away = watching.event("unreachable");
    assert_eq!(away["error"]["kind"], "ended");
    assert!(
        away["error"]["message"]
            .as_str()
            .is_some_and(|text| text.contains("signal 9")),
        "{away}"
    );
    watching.event("reachable");
    offer(&sandbox, &catalogue("Two."));
    watching.change(&json!(true));
    let (more, _) = watching.end(Signal::INT, 130);
    assert_eq!(more.len(), 1, "{more:?}");
}

#[test]
fn a_server_that_hangs_is_unreachable_until_it_answers() {
    let source = stdio(&["--hang-while", "hang", "--era", "legacy"]);
    let sandbox = project(&source);
    let watching = Watching::start_json(
        &sandbox,
        &["--every", "1s", "--timeout", "1", "--start-timeout", "2"],
        &source,
    );
    watching.event("watching");
    sandbox.write("hang", "");
    let away = watching.event("unreachable");
    assert_eq!(away["error"]["kind"], "timeout");
    // It goes on trying, and says nothing of it.
    thread::sleep(Duration::from_millis(1_500));
    sandbox.remove("hang");
    watching.event("reachable");
    sandbox.write("hang", "");
    watching.event("unreachable");
    // It ends while the server hangs as well.
    watching.end(Signal::TERM, 143);
}

#[test]
fn a_server_that_calls_its_lists_changed_without_end_is_looked_at_now_and_then() {
    for era in ["legacy", "modern"] {
        // A single look cannot trust such a server, so the baseline is that of a calm one.
        let sandbox = project(&stdio(&["--era", era]));
        let source = stdio(&["--flap-ms", "2", "--era", era]);
        let flags = [
            "--every",
            "1h",
            "--transcript",
            "talk.jsonl",
            "--start-changed",
        ];
        let watching = Watching::start_json(&sandbox, &flags, &source);
        watching.event("watching");
        thread::sleep(Duration::from_secs(1));
        offer(&sandbox, &catalogue("Two."));
        watching.change(&json!(true));
        let (more, errors) = watching.end(Signal::TERM, 143);
        assert_eq!((more.len(), errors.len()), (1, 0), "{more:?} {errors:?}");
        let talk = sandbox.read("talk.jsonl");
        let looks = talk.matches(r#"\"method\":\"tools/list\""#).count();
        assert!((2..30).contains(&looks), "{looks} listings");
    }
}
