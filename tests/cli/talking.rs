//! A client of one's own: it writes lines to a program and reads lines, at whatever moment a test wants.

use crate::support::Sandbox;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// A program that speaks MCP on its standard streams.
pub(crate) struct Talk {
    pub(crate) child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    last: u64,
    /// What came that nobody asked for.
    pub(crate) heard: Vec<Value>,
    is_modern: bool,
}

impl Talk {
    /// Starts it.
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in output.split(b'\n') {
                let Ok(line) = line else { break };
                let line = String::from_utf8(line).expect("UTF-8");
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self {
            input: child.stdin.take(),
            child,
            lines,
            last: 0,
            heard: Vec::new(),
            is_modern: false,
        }
    }

    /// Starts the program under test with these words.
    pub(crate) fn with(sandbox: &Sandbox, words: &[&str]) -> Self {
        Self::start(sandbox.program(words))
    }

    /// Speaks the revision of 2026-07-28 from now on.
    pub(crate) fn modern(mut self) -> Self {
        self.is_modern = true;
        self
    }

    /// Shakes hands the legacy way; the result.
    #[track_caller]
    pub(crate) fn initialize(&mut self) -> Value {
        let answer = self.ask(
            "initialize",
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "talker", "version": "1.0"}}),
        );
        self.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        answer["result"].clone()
    }

    /// Writes a line.
    pub(crate) fn say(&mut self, line: &str) {
        let input = self.input.as_mut().expect("the input is open");
        // A program that has ended is met where it is listened to.
        let _ = input.write_all(format!("{line}\n").as_bytes());
        let _ = input.flush();
    }

    /// Writes what is no whole line.
    pub(crate) fn mutter(&mut self, part: &str) {
        let _ = self
            .input
            .as_mut()
            .expect("open")
            .write_all(part.as_bytes());
    }

    /// Sends a request; its id.
    pub(crate) fn send(&mut self, method: &str, mut params: Value) -> u64 {
        self.last += 1;
        if self.is_modern {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "talker", "version": "1.0"},
            });
        }
        let request =
            json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params});
        self.say(&request.to_string());
        self.last
    }

    /// The next line, as it is; `None` at the end. Silence is a failure.
    #[track_caller]
    pub(crate) fn line(&mut self) -> Option<String> {
        self.line_within(PATIENCE)
    }

    #[track_caller]
    fn line_within(&mut self, patience: Duration) -> Option<String> {
        match self.lines.recv_timeout(patience) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!(
                "neither a line nor an end within {patience:?}; heard {:?}",
                self.heard
            ),
        }
    }

    /// The answer to a request; what comes before it is kept.
    #[track_caller]
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        if let Some(at) = self.heard.iter().position(|heard| heard["id"] == id) {
            return self.heard.remove(at);
        }
        loop {
            let Some(line) = self.line() else {
                panic!("no answer to request {id}; heard {:?}", self.heard)
            };
            let message: Value = serde_json::from_str(&line).expect("JSON");
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.heard.push(message);
        }
    }

    /// Asks and waits.
    #[track_caller]
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// The names of a list, in order.
    #[track_caller]
    pub(crate) fn tools(&mut self) -> Vec<String> {
        let answer = self.ask("tools/list", json!({}));
        let tools = answer["result"]["tools"].as_array();
        let tools = tools.unwrap_or_else(|| panic!("no list: {answer}"));
        let name = |tool: &Value| tool["name"].as_str().expect("a name").to_owned();
        tools.iter().map(name).collect()
    }

    /// Calls a tool; the text of its answer, and whether it is an error.
    #[track_caller]
    pub(crate) fn call(&mut self, name: &str, arguments: &Value) -> (String, bool) {
        let answer = self.ask("tools/call", json!({"name": name, "arguments": arguments}));
        said(&answer)
    }

    /// Closes the input and waits for the end; the exit status.
    #[track_caller]
    pub(crate) fn leave(mut self) -> i32 {
        drop(self.input.take());
        let started = std::time::Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("waited for") {
                return status.code().unwrap_or(-1);
            }
            assert!(started.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The text of a tool's result, and whether it is an error.
#[track_caller]
pub(crate) fn said(answer: &Value) -> (String, bool) {
    let result = &answer["result"];
    let text = result["content"][0]["text"].as_str();
    let text = text.unwrap_or_else(|| panic!("no tool result: {answer}"));
    (text.to_owned(), result["isError"] == true)
}

#[test]
#[cfg(unix)]
fn an_end_is_no_line_and_silence_is_a_failure() {
    let program = |words: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", words]);
        Talk::start(command)
    };
    let mut ends = program("echo one");
    assert_eq!(ends.line().as_deref(), Some("one"));
    assert_eq!(ends.line(), None);
    let mut hangs = program("read line");
    let waited = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        hangs.line_within(Duration::from_millis(100))
    }));
    let why = waited.expect_err("it hangs");
    let why = why.downcast_ref::<String>().expect("words");
    assert!(why.starts_with("neither a line nor an end"), "{why}");
}
