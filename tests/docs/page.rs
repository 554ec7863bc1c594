//! One page: its blocks, and the project in which they are run.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A page after its commands were run.
pub(crate) struct Done {
    /// The page with what the commands printed.
    pub(crate) text: String,
    /// How many commands were run.
    pub(crate) commands: usize,
}

/// Runs the commands of a page.
pub(crate) fn run(text: &str, path: &Path) -> Done {
    let project = Project::new();
    let mut done = Done {
        text: String::new(),
        commands: 0,
    };
    let mut lines = text.lines().enumerate().peekable();
    // What the last block printed, as long as nothing but blank lines came after it.
    let mut printed: Option<String> = None;
    while let Some((at, line)) = lines.next() {
        let place = format!("{}:{}", path.display(), at + 1);
        done.text += line;
        done.text.push('\n');
        if let Some(file) = line
            .strip_prefix("<!-- serves: ")
            .and_then(|rest| rest.strip_suffix(" -->"))
        {
            project.serve(file);
        }
        if let Some(command) = line
            .strip_prefix("<!-- runs: ")
            .and_then(|rest| rest.strip_suffix(" -->"))
        {
            project.run(command, &place);
        }
        let indent = line.len() - line.trim_start().len();
        let Some(language) = line.trim_start().strip_prefix("```") else {
            if !line.is_empty() {
                printed = None;
            }
            continue;
        };
        let mut block = Vec::new();
        for (_, line) in lines.by_ref() {
            if line.trim() == "```" {
                break;
            }
            block.push(line.get(indent..).unwrap_or_default());
        }
        let commands: Vec<&str> = match language {
            "sh" => block.clone(),
            "yaml" | "groovy" => block.iter().filter_map(|line| embedded(line)).collect(),
            _ => Vec::new(),
        };
        let runs = commands.iter().map(|line| project.run(line, &place));
        let output = runs.collect::<String>();
        done.commands += commands.len();
        match (language, printed.take()) {
            ("text", Some(output)) => done.text += &output,
            _ => {
                for line in &block {
                    if !line.is_empty() {
                        done.text += &" ".repeat(indent);
                    }
                    done.text += line;
                    done.text.push('\n');
                }
            }
        }
        done.text += &" ".repeat(indent);
        done.text += "```\n";
        printed = (language == "sh").then_some(output);
    }
    done
}

/// The command of countersign in a line of a pipeline: `- run: countersign diff`, `sh 'countersign diff'`.
fn embedded(line: &str) -> Option<&str> {
    let line = line.trim();
    let start = line.find("countersign ")?;
    let before = &line[..start];
    ["", "- ", "run: ", "- run: ", "script: ", "sh '"]
        .contains(&before)
        .then(|| line[start..].trim_end_matches('\''))
}

/// A folder with a repository, a configuration, a home and the programs on its path.
struct Project {
    root: TempDir,
}

impl Project {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a folder");
        let here = Self { root };
        for folder in ["bin", "home", "project"] {
            fs::create_dir(here.path(folder)).expect("a folder");
        }
        let server = std::env::current_exe()
            .expect("a test knows its own path")
            .ancestors()
            .nth(2)
            .expect("target/PROFILE/deps/TEST")
            .join("examples/scripted-server");
        assert!(
            server.is_file(),
            "no scripted server: cargo build --example scripted-server"
        );
        // What the pages start is a package that nobody published: this stands in for it.
        let npx = format!(
            "#!/bin/sh\nexec '{}' '{}'\n",
            server.display(),
            here.path("catalogue.json").display()
        );
        fs::write(here.path("bin/npx"), npx).expect("written");
        fs::set_permissions(here.path("bin/npx"), fs::Permissions::from_mode(0o755))
            .expect("executable");
        std::os::unix::fs::symlink(
            env!("CARGO_BIN_EXE_countersign"),
            here.path("bin/countersign"),
        )
        .expect("linked");
        here.serve("before.json");
        let config = r#"{
  "mcpServers": {
    "notes": { "command": "npx", "args": ["-y", "@example/notes-server@1.4.0"] }
  }
}
"#;
        fs::write(here.path("project/.mcp.json"), config).expect("written");
        here.run("git init --quiet --initial-branch main", "set-up");
        here.run("git config user.name 'Ada Example'", "set-up");
        here.run("git config user.email ada@example.com", "set-up");
        here.run("git add .mcp.json", "set-up");
        here.run("git commit --quiet -m 'Name the servers'", "set-up");
        here.run("git init --quiet --bare ../origin", "set-up");
        here.run("git remote add origin ../origin", "set-up");
        here.run("git push --quiet origin main", "set-up");
        here
    }

    fn path(&self, of: &str) -> PathBuf {
        self.root.path().join(of)
    }

    fn serve(&self, file: &str) {
        let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/demo");
        fs::copy(demo.join(file), self.path("catalogue.json")).expect("a catalogue");
    }

    /// Runs one line of a shell, and answers with what it printed.
    fn run(&self, line: &str, place: &str) -> String {
        let (command, wanted) = match line.split_once("# status ") {
            Some((command, status)) => (command, status.trim().parse().expect("a status")),
            None => (line, 0),
        };
        let path = std::env::var("PATH").unwrap_or_default();
        let output = Command::new("sh")
            .args(["-c", &format!("({command}) 2>&1")])
            .current_dir(self.path("project"))
            .env_clear()
            .env(
                "PATH",
                format!("{}:{path}", self.path("bin").to_string_lossy()),
            )
            .env("HOME", self.path("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            // As in a workflow of a pull request.
            .env("GITHUB_BASE_REF", "main")
            .env("GITHUB_STEP_SUMMARY", self.path("summary"))
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        let printed = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(
            output.status.code(),
            Some(wanted),
            "{place}: {line}\n{printed}"
        );
        self.steady(&printed)
    }

    /// Without what differs from run to run: the day and the time, and where this folder is.
    fn steady(&self, printed: &str) -> String {
        let today = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
        let printed = printed.replace(&*self.root.path().to_string_lossy(), "");
        let mut parts = printed.split(&today);
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            text += "2026-08-31";
            let time = "T00:00:00Z".len();
            if part.starts_with('T') && part.get(time - 1..time) == Some("Z") {
                text += "T09:30:00Z";
                text += &part[time..];
            } else {
                text += part;
            }
        }
        text
    }
}
