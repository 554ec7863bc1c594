//! A real terminal for the program: tmux, with keys pressed and the screen read. A missing tmux fails.

use crate::support::{Sandbox, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a screen may take to show something.
const LIMIT: Duration = Duration::from_mins(1);

/// The program in a terminal of its own, which ends with the test.
pub(crate) struct Terminal<'a> {
    sandbox: &'a Sandbox,
    socket: PathBuf,
    /// Where the status of the program stands once it has ended.
    status: PathBuf,
    _folder: TempDir,
}

/// Runs the program, writes its status down, and leaves the screen as it is for a while.
const SCRIPT: &str = r#"status=$1; shift; "$@"; echo $? >"$status.next"; mv "$status.next" "$status"; exec sleep 300"#;

impl<'a> Terminal<'a> {
    /// Starts the program in a terminal of so many columns.
    pub(crate) fn start(sandbox: &'a Sandbox, args: &[&str], columns: usize) -> Self {
        sandbox.set("LC_ALL", "C.UTF-8");
        // A server that was told to end may still hold its socket.
        let folder = tempfile::tempdir_in(sandbox.root()).expect("a folder");
        let terminal = Self {
            sandbox,
            socket: folder.path().join("socket"),
            status: folder.path().join("status"),
            _folder: folder,
        };
        let columns = columns.to_string();
        let status = text(&terminal.status);
        let program = env!("CARGO_BIN_EXE_countersign");
        let mut words = vec![
            "start-server",
            ";",
            "set",
            "-g",
            "history-limit",
            "200000",
            ";",
        ];
        words.extend(["new-session", "-d", "-x", &columns, "-y", "50", "--"]);
        words.extend(["sh", "-c", SCRIPT, "sh", &status, program]);
        words.extend(args);
        terminal.tmux(&words);
        terminal
    }

    /// Presses a key, or types a line. What is pressed before an entry is on the screen is not for it.
    pub(crate) fn press(&self, keys: &str) {
        self.tmux(&["send-keys", "-l", "--", keys]);
    }

    /// Presses one key by tmux's name for it, such as `C-c`.
    pub(crate) fn press_named(&self, key: &str) {
        self.tmux(&["send-keys", key]);
    }

    /// Everything that was ever on the screen. Lines that the terminal broke are whole.
    pub(crate) fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-J", "-S", "-"])
    }

    /// The lines as they stand on the screen.
    pub(crate) fn lines(&self) -> Vec<String> {
        let screen = self.tmux(&["capture-pane", "-p", "-S", "-"]);
        screen.lines().map(str::to_owned).collect()
    }

    /// Waits until the screen shows a text, and answers with everything on it.
    #[track_caller]
    pub(crate) fn wait_for(&self, wanted: &str) -> String {
        self.wait(wanted, |screen| screen.contains(wanted))
    }

    /// Waits until the screen is as it should be.
    #[track_caller]
    pub(crate) fn wait_until(&self, is_there: impl Fn(&str) -> bool) -> String {
        self.wait("what is waited for", is_there)
    }

    #[track_caller]
    fn wait(&self, wanted: &str, is_there: impl Fn(&str) -> bool) -> String {
        let started = Instant::now();
        loop {
            let screen = self.screen();
            if is_there(&screen) {
                return screen;
            }
            assert!(
                started.elapsed() < LIMIT,
                "`{wanted}` is not on the screen:\n{screen}"
            );
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits until the program has ended, and answers with its status and everything on the screen.
    #[track_caller]
    pub(crate) fn end(&self) -> (i32, String) {
        let started = Instant::now();
        loop {
            if let Ok(status) = fs::read_to_string(&self.status) {
                let status = status.trim().parse().expect("a status");
                return (status, self.wait_for_quiet());
            }
            assert!(
                started.elapsed() < LIMIT,
                "the program goes on:\n{}",
                self.screen()
            );
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// The screen once nothing more comes: what was written last may still be on its way.
    fn wait_for_quiet(&self) -> String {
        let mut before = self.screen();
        loop {
            thread::sleep(Duration::from_millis(100));
            let screen = self.screen();
            if screen == before {
                return screen;
            }
            before = screen;
        }
    }

    fn tmux(&self, args: &[&str]) -> String {
        let output = self.command(args).output();
        let output = output.unwrap_or_else(|error| {
            panic!(
                "`tmux` is missing, and the tests of the terminal need it: install tmux ({error})"
            )
        });
        assert!(
            output.status.success(),
            "tmux {args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    fn command(&self, args: &[&str]) -> Command {
        let socket = text(&self.socket);
        let words = ["-u", "-f", "/dev/null", "-S", &socket];
        let words: Vec<&str> = words.iter().chain(args).copied().collect();
        self.sandbox.command(Path::new("tmux"), &words)
    }
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        // Its own server, by its own socket; it may be gone already.
        let _ = self.command(&["kill-server"]).output();
    }
}
