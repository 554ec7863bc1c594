//! A folder with catalogues, configurations and a lockfile, in which commands are measured.

use crate::measure::Run;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

pub(crate) struct Project {
    root: TempDir,
}

/// A server on loopback, and the check that reaches it. It ends with this value.
pub(crate) struct Web {
    server: Child,
    pub(crate) check: Run,
}

impl Drop for Web {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// What is said to a server that is asked by a pipe: the least that a client must.
const TALK: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":1,"method":"tools/list"}
"#;

impl Project {
    pub(crate) fn new() -> Self {
        let root = TempDir::new().expect("a folder");
        fs::write(root.path().join("talk"), TALK).expect("written");
        Self { root }
    }

    /// countersign, as `cargo bench` built it.
    pub(crate) fn program() -> &'static str {
        env!("CARGO_BIN_EXE_countersign")
    }

    /// The scripted server, built like the rest.
    pub(crate) fn server() -> String {
        let examples = Path::new(Self::program())
            .parent()
            .expect("a folder")
            .join("examples");
        let server = examples.join("scripted-server");
        if !server.exists() {
            let words = [
                "build",
                "--release",
                "--locked",
                "--quiet",
                "--example",
                "scripted-server",
            ];
            let built = Command::new(env!("CARGO"))
                .args(words)
                .status()
                .expect("cargo");
            assert!(built.success());
        }
        server.to_string_lossy().into_owned()
    }

    pub(crate) fn root(&self) -> &Path {
        self.root.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub(crate) fn write(&self, name: &str, value: &Value) {
        fs::write(self.path(name), value.to_string()).expect("written");
    }

    /// How large a file is, for people.
    pub(crate) fn size(&self, name: &str) -> String {
        let bytes = fs::metadata(self.path(name)).expect("a file").len();
        format!("{}.{} MB each", bytes / 1_000_000, bytes / 100_000 % 10)
    }

    /// The server and nothing else: the least that any check of it takes.
    pub(crate) fn server_alone(&self, catalogue: &str) -> Run {
        let mut run = Run::new(self.root(), &[&Self::server(), catalogue]);
        run.input = Some(self.path("talk"));
        run
    }

    /// `diff` of servers with these catalogues, each with a baseline.
    pub(crate) fn check(&self, catalogues: &[String]) -> Run {
        self.check_of(catalogues, &[])
    }

    /// The same, of servers that take their time, and all of them at once.
    pub(crate) fn check_of_slow(&self, catalogues: &[String], pause: Duration) -> Run {
        let pause = pause.as_millis().to_string();
        let mut run = self.check_of(catalogues, &["--delay-ms", &pause]);
        let jobs = catalogues.len().to_string();
        run.words.extend(["--jobs".to_owned(), jobs]);
        run
    }

    fn check_of(&self, catalogues: &[String], options: &[&str]) -> Run {
        let server = |catalogue: &String| {
            let catalogue = self.path(catalogue);
            let catalogue = catalogue.to_string_lossy();
            let args = [options, &[&*catalogue]].concat();
            json!({ "command": Self::server(), "args": args })
        };
        let servers: serde_json::Map<_, _> = catalogues
            .iter()
            .enumerate()
            .map(|(index, catalogue)| (format!("server-{index}"), server(catalogue)))
            .collect();
        self.configured("mcp.json", &json!({ "mcpServers": servers }))
    }

    /// The same over HTTP, of a server that runs already.
    pub(crate) fn over_http(&self, catalogue: &str) -> Web {
        let mut command = Command::new(Self::server());
        command
            .args(["--http", "0", catalogue])
            .current_dir(self.root());
        let mut server = command.stdout(Stdio::piped()).spawn().expect("a server");
        let mut address = String::new();
        let output = server.stdout.take().expect("its output");
        BufReader::new(output)
            .read_line(&mut address)
            .expect("an address");
        let port = address.trim().strip_prefix("PORT=").expect("a port");
        let url = format!("http://127.0.0.1:{port}/mcp");
        let servers = json!({ "mcpServers": { "web": { "url": url } } });
        let check = self.configured("web.json", &servers);
        Web { server, check }
    }

    fn configured(&self, config: &str, servers: &Value) -> Run {
        self.write(config, servers);
        let lock = format!("{config}.lock");
        let words = |command: &'static str| {
            let words = [
                Self::program(),
                command,
                "--config",
                config,
                "--lock",
                &lock,
                "--data-dir",
                "data",
            ];
            Run::new(self.root(), &words)
        };
        crate::measure::measured(&words("snapshot"));
        words("diff")
    }

    pub(crate) fn compare(&self, before: &str, after: &str) -> Run {
        let mut run = Run::new(
            self.root(),
            &[
                Self::program(),
                "diff",
                before,
                after,
                "--max-listing",
                "1000000000",
            ],
        );
        run.status = 1;
        run
    }

    pub(crate) fn floor(&self, files: &[&str]) -> Run {
        let this = std::env::current_exe().expect("this program");
        let this = this.to_string_lossy().into_owned();
        Run::new(self.root(), &[&[this.as_str(), "floor"], files].concat())
    }
}
