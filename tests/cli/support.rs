//! The harness: a folder of its own for each test, the program run in a scrubbed environment with a time
//! limit, and servers that end with the test.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long one run of the program may take. It ends by itself far earlier; this ends a hang.
const LIMIT: Duration = Duration::from_mins(2);

/// How long a peer may take to listen.
const LISTENING: Duration = Duration::from_mins(1);

/// A file of the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The scripted server, which `cargo test` builds as an example beside the tests.
pub(crate) fn scripted_server() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let profile = test.ancestors().nth(2).expect("target/PROFILE/deps/TEST");
    let name = format!("scripted-server{}", std::env::consts::EXE_SUFFIX);
    let server = profile.join("examples").join(name);
    assert!(
        server.is_file(),
        "no `{}`: run `cargo build --example scripted-server`",
        server.display()
    );
    server
}

/// The interpreter itself: what `PATH` finds may be a wrapper, slower than the server.
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

/// The command line that serves a catalogue over stdio.
pub(crate) fn scripted(catalogue: &Path) -> Vec<String> {
    vec![text(&scripted_server()), text(catalogue)]
}

/// A path as text.
pub(crate) fn text(path: &Path) -> String {
    path.to_str()
        .expect("the tests run in paths of UTF-8")
        .to_owned()
}

/// A temporary folder with a home, a data directory and a project, and the environment that knows no other.
pub(crate) struct Sandbox {
    root: TempDir,
    /// Where the program runs.
    directory: PathBuf,
    env: RefCell<BTreeMap<String, String>>,
}

/// What one run of the program gave.
#[derive(Debug)]
pub(crate) struct Output {
    /// Its exit status.
    pub(crate) status: i32,
    /// Its standard output, with placeholders for what differs from run to run.
    pub(crate) stdout: String,
    /// Its standard error, with the same placeholders.
    pub(crate) stderr: String,
}

impl Output {
    /// Fails with everything that was said unless the status is this one.
    #[track_caller]
    pub(crate) fn expect(self, status: i32) -> Self {
        assert_eq!(
            self.status, status,
            "status {}, not {status}\n--- stdout\n{}\n--- stderr\n{}",
            self.status, self.stdout, self.stderr
        );
        self
    }

    /// Standard output as the one JSON document that it must be.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|e| panic!("no JSON document: {e}\n{}\n{}", self.stdout, self.stderr))
    }
}

impl Sandbox {
    /// An empty project.
    pub(crate) fn new() -> Self {
        let root = TempDir::new().expect("a temporary folder");
        let mut env = BTreeMap::new();
        for (name, folder) in [
            ("HOME", "home"),
            ("USERPROFILE", "home"),
            ("XDG_CONFIG_HOME", "home/config"),
            ("XDG_CACHE_HOME", "home/cache"),
            ("XDG_DATA_HOME", "home/share"),
            ("XDG_STATE_HOME", "home/state"),
            ("TMPDIR", "tmp"),
            ("COUNTERSIGN_DATA_DIR", "data"),
        ] {
            let folder = root.path().join(folder);
            fs::create_dir_all(&folder).expect("a folder in the sandbox");
            env.insert(name.to_owned(), text(&folder));
        }
        fs::create_dir(root.path().join("project")).expect("a folder in the sandbox");
        // Nothing else is inherited: no NO_COLOR, CI, GITHUB_* or COUNTERSIGN_* of whoever runs the tests.
        for name in ["PATH", "SystemRoot"] {
            if let Ok(value) = std::env::var(name) {
                env.insert(name.to_owned(), value);
            }
        }
        let directory = root.path().join("project");
        Self {
            root,
            directory,
            env: RefCell::new(env),
        }
    }

    /// Runs the program in a folder of the project from now on.
    pub(crate) fn go_to(&mut self, folder: &str) {
        self.directory = self.path(folder);
    }

    /// The folder that holds project, home and data directory.
    pub(crate) fn root(&self) -> &Path {
        self.root.path()
    }

    /// Programs of this folder come before all others.
    pub(crate) fn prepend_path(&self, folder: &Path) {
        let old = self.env.borrow().get("PATH").cloned().unwrap_or_default();
        let folders = std::iter::once(folder.to_owned()).chain(std::env::split_paths(&old));
        let joined = std::env::join_paths(folders).expect("folders without separators");
        self.set("PATH", joined.to_str().expect("UTF-8"));
    }

    /// A path in the project, which is the program's current directory.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join("project").join(name)
    }

    /// Writes a file of the project.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("a file in the sandbox");
    }

    /// Copies a file of the repository into the project.
    pub(crate) fn copy(&self, from: &str, to: &str) {
        let content = fs::read(repository(from)).expect("a file of the repository");
        self.write(to, content);
    }

    /// Reads a file of the project.
    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("`{name}`: {e}"))
    }

    /// The same with placeholders for what differs from run to run.
    #[track_caller]
    pub(crate) fn seen(&self, name: &str) -> String {
        self.placeholders(&self.read(name))
    }

    /// Removes a file of the project.
    #[track_caller]
    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap_or_else(|e| panic!("`{name}`: {e}"));
    }

    /// Sets a variable for the runs to come.
    pub(crate) fn set(&self, name: &str, value: &str) {
        let mut env = self.env.borrow_mut();
        env.insert(name.to_owned(), value.to_owned());
    }

    /// What the program wrote, wherever it wrote it: lockfile and data directory.
    pub(crate) fn everything(&self) -> Vec<String> {
        let mut texts = vec![self.read("countersign.lock.json")];
        let mut folders = vec![self.root.path().join("data")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder of the data directory") {
                let path = entry.expect("an entry of the data directory").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    texts.push(fs::read_to_string(&path).expect("text"));
                }
            }
        }
        assert!(texts.len() > 2, "a lockfile, a snapshot and a history");
        texts
    }

    /// The lines of every history in the data directory.
    pub(crate) fn history(&self) -> Vec<serde_json::Value> {
        let mut lines = Vec::new();
        let mut folders = vec![self.root.path().join("data")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder of the data directory") {
                let path = entry.expect("an entry of the data directory").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.file_name() == Some(OsStr::new("history.jsonl")) {
                    let content = fs::read_to_string(&path).expect("a history");
                    lines.extend(content.lines().map(|line| {
                        serde_json::from_str(line)
                            .unwrap_or_else(|e| panic!("no line of a history: {e}\n{line}"))
                    }));
                }
            }
        }
        lines
    }

    /// The data directory.
    pub(crate) fn data(&self) -> PathBuf {
        self.root().join("data")
    }

    /// A path in the sandbox's home.
    pub(crate) fn home(&self, name: &str) -> PathBuf {
        self.root().join("home").join(name)
    }

    /// Every file of the project and the data directory, with its content: what "as they were" means.
    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.path(""), self.data()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder of the sandbox") {
                let path = entry.expect("an entry of the sandbox").path();
                // Locks are made where they are missing, and say nothing.
                if path.is_dir() {
                    folders.push(path);
                } else if path.metadata().expect("an entry").len() > 0 {
                    let content = fs::read(&path).expect("a file of the sandbox");
                    files.insert(path, content);
                }
            }
        }
        files
    }

    /// The program, ready to run in the project.
    pub(crate) fn program(&self, args: &[&str]) -> Command {
        self.command(Path::new(env!("CARGO_BIN_EXE_countersign")), args)
    }

    /// Another program in the same surroundings.
    pub(crate) fn command(&self, program: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(args)
            .env_clear()
            .envs(&*self.env.borrow())
            .current_dir(&self.directory)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Starts the program in the project.
    pub(crate) fn start(&self, args: &[&str], stdin: Stdio) -> Child {
        let mut command = self.program(args);
        command.stdin(stdin).spawn().expect("the program starts")
    }

    /// Runs the program in the project.
    #[track_caller]
    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.finish(self.start(args, Stdio::null()))
    }

    /// Waits for a program that was started here.
    #[track_caller]
    pub(crate) fn finish(&self, mut child: Child) -> Output {
        let stdout = reading(child.stdout.take().expect("a pipe"));
        let stderr = reading(child.stderr.take().expect("a pipe"));
        let started = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("the program can be waited for") {
                break status;
            }
            if started.elapsed() > LIMIT {
                end(&mut child);
                panic!("the program ran into the time limit");
            }
            thread::sleep(Duration::from_millis(5));
        };
        // Both pipes close with the program, unless a server that it started outlives it and holds them.
        let collect = |pipe: Receiver<Vec<u8>>| {
            let bytes = pipe
                .recv_timeout(Duration::from_secs(10))
                .expect("no process outlives the program and holds its output open");
            self.placeholders(&String::from_utf8(bytes).expect("output is UTF-8"))
        };
        Output {
            status: status.code().expect("the program was not killed"),
            stdout: collect(stdout),
            stderr: collect(stderr),
        }
    }

    /// What differs from run to run, replaced by what it is.
    pub(crate) fn placeholders(&self, shown: &str) -> String {
        let mut out = shown
            .replace(&text(self.root.path()), "[SANDBOX]")
            .replace(&text(&scripted_server()), "[SCRIPTED-SERVER]")
            .replace(
                concat!("countersign ", env!("CARGO_PKG_VERSION")),
                "countersign [VERSION]",
            );
        out = replace_times(&out);
        // Today, and its neighbours: midnight may pass, and zones differ. Any other date is content.
        let now = jiff::Timestamp::now();
        for hours in [-24, 0, 24] {
            let there = now + jiff::SignedDuration::from_hours(hours);
            out = out.replace(&there.to_string()[..10], "[DATE]");
        }
        out
    }
}

/// Replaces each time of RFC 3339 by `[TIME]`.
fn replace_times(shown: &str) -> String {
    const SHAPE: &[u8] = b"0000-00-00T00:00:00";
    let mut out = String::new();
    let mut rest = shown;
    while let Some(c) = rest.chars().next() {
        let found = rest.len() >= SHAPE.len()
            && rest.bytes().zip(SHAPE).all(|(byte, shape)| match shape {
                b'0' => byte.is_ascii_digit(),
                other => byte == *other,
            });
        if found {
            out.push_str("[TIME]");
            rest = rest[SHAPE.len()..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            rest = rest.strip_prefix('Z').unwrap_or(rest);
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// Reads a pipe to its end beside the test, so that a full pipe stops nobody.
fn reading(mut pipe: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // A pipe that breaks has given what it had.
        let _ = pipe.read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    });
    receiver
}

/// The whole answer to a GET of a loopback URL.
pub(crate) fn get(url: &str) -> String {
    let rest = url.strip_prefix("http://").expect("a loopback URL");
    let (address, path) = rest.split_once('/').expect("a path");
    let mut stream = TcpStream::connect(address).expect("a connection");
    write!(stream, "GET /{path} HTTP/1.0\r\n\r\n").expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

/// Ends a process that was started here: asked first, so that it can end its own servers.
fn end(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process};
        // It may have ended in this moment.
        let _ = kill_process(Pid::from_child(child), Signal::TERM);
        let asked = Instant::now();
        while asked.elapsed() < Duration::from_secs(3) {
            if matches!(child.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// An HTTP server on loopback that ends with the test.
pub(crate) struct HttpServer {
    child: Child,
    /// Where it listens.
    pub(crate) url: String,
}

impl HttpServer {
    /// Starts the server that repeats what it is told.
    pub(crate) fn echo() -> Self {
        Self::python_over_http("fixtures/hostile/echo.py")
    }

    /// Starts a fixture that speaks over pipes otherwise.
    pub(crate) fn python_over_http(fixture: &str) -> Self {
        let script = repository(fixture);
        Self::listening(Command::new(python()).arg(script).arg("--http"))
    }

    /// Its host and port.
    pub(crate) fn host(&self) -> String {
        let rest = self.url.trim_start_matches("http://");
        rest.split('/').next().expect("a host").to_owned()
    }

    /// Starts a scripted server.
    pub(crate) fn scripted(catalogue: &Path, options: &[&str]) -> Self {
        let mut command = Command::new(scripted_server());
        Self::listening(command.args(["--http", "0"]).args(options).arg(catalogue))
    }

    /// Starts a fixture of python's standard library.
    pub(crate) fn python(fixture: &str) -> Self {
        Self::listening(Command::new(python()).arg(repository(fixture)))
    }

    /// Starts what says its port in its first line.
    fn listening(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let url = format!("http://127.0.0.1:{}/mcp", port_said_by(&mut child));
        Self { child, url }
    }

    /// Starts the server that misbehaves; a scenario of its is the last part of its URL.
    pub(crate) fn hostile() -> Self {
        let mut server = Self::python("fixtures/hostile/http_server.py");
        server.url = server.at("");
        server
    }

    /// The URL of another path of it.
    pub(crate) fn at(&self, path: &str) -> String {
        self.url.replace("/mcp", path)
    }

    /// What was asked of it so far, for a fixture that tells.
    pub(crate) fn log(&self) -> Vec<String> {
        let answer = get(&self.at("/log"));
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        body.lines().map(str::to_owned).collect()
    }

    /// Starts a peer on a free port, which `{port}` in its arguments and variables stands for.
    pub(crate) fn peer(command: &[String], env: &[(&str, &str)]) -> Self {
        // Bound and let go of: another process could take it in between, which no test here does.
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .and_then(|listener| listener.local_addr())
            .expect("a free port")
            .port();
        let fill = |word: &str| word.replace("{port}", &port.to_string());
        let mut child = Command::new(fill(&command[0]))
            .args(command[1..].iter().map(|word| fill(word)))
            .envs(env.iter().map(|(name, value)| (*name, fill(value))))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|e| panic!("`{}`: {e}", command.join(" ")));
        let started = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            if let Some(status) = child.try_wait().expect("a peer can be waited for") {
                panic!("`{}` ended: {status}", command.join(" "));
            }
            if started.elapsed() > LISTENING {
                end(&mut child);
                panic!("`{}` does not listen", command.join(" "));
            }
            thread::sleep(Duration::from_millis(50));
        }
        Self {
            child,
            url: format!("http://127.0.0.1:{port}/mcp"),
        }
    }
}

/// The first line of a server of ours is `PORT=` and its port.
fn port_said_by(child: &mut Child) -> u16 {
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe"))
        .read_line(&mut line)
        .expect("the server says its port");
    let port = line.trim().strip_prefix("PORT=");
    port.and_then(|port| port.parse().ok())
        .expect("the first line is the port")
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

#[test]
fn times_become_placeholders_and_other_digits_stay() {
    assert_eq!(
        replace_times("at 2026-01-02T03:04:05.678Z, 2026-01-02T03:04:05Z; 2026-07-28 stays é"),
        "at [TIME], [TIME]; 2026-07-28 stays é"
    );
}
