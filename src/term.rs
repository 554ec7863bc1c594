//! The terminal: whether to colour, how wide, progress on stderr, questions, and writing without noise.
//!
//! The only module that knows a terminal. It words nothing beyond a name and a message that it is given, and escapes
//! both.

mod keys;
mod pager;

pub use keys::{Key, forget_keys, key};
pub use pager::page;

use crate::render::escape;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::ffi::OsStr;
use std::io::{self, IsTerminal as _, Write};
use std::time::Duration;

/// When to colour: `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Color {
    /// On a terminal, unless the environment asks otherwise.
    #[default]
    Auto,
    /// In every case.
    Always,
    /// In no case.
    Never,
}

/// Whether to colour what goes to stdout.
pub fn color(choice: Color) -> bool {
    decide(
        choice,
        |name| std::env::var_os(name),
        io::stdout().is_terminal(),
    )
}

/// The flag decides; then `NO_COLOR` and `CLICOLOR_FORCE`, each set and not empty; then the terminal.
fn decide<T: AsRef<OsStr>>(
    choice: Color,
    variable: impl Fn(&str) -> Option<T>,
    is_terminal: bool,
) -> bool {
    let is =
        |name: &str, word: &str| variable(name).is_some_and(|v| v.as_ref() == OsStr::new(word));
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.as_ref().is_empty());
    match choice {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if is_set("NO_COLOR") => false,
        Color::Auto if is_set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0") => true,
        Color::Auto => is_terminal && !is("TERM", "dumb") && !is("CLICOLOR", "0"),
    }
}

/// How many columns stdout has; `None` if it is no terminal.
pub fn width() -> Option<usize> {
    let (_, columns) = console::Term::stdout().size_checked()?;
    Some(usize::from(columns)).filter(|columns| *columns > 0)
}

/// How many columns a table may take: those of the terminal, but no fewer than 80. What is no terminal bounds nothing:
/// a search must find a name whole.
pub fn table_width() -> u16 {
    let columns = width().map(|columns| u16::try_from(columns.max(TABLE)));
    columns.and_then(Result::ok).unwrap_or(u16::MAX)
}

/// Columns that a table may take at least.
const TABLE: usize = 80;

/// Whether a question can be asked: stdin and stdout are both a terminal.
pub fn is_interactive() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Asks on stdout and reads a line from stdin, without its end; `None` at the end of the input.
///
/// # Errors
/// What reading or writing met; a reader of stdout that went away is the end of the input.
pub fn ask(question: &str) -> io::Result<Option<String>> {
    if write(&mut io::stdout().lock(), &format!("{question} "))? == Written::Unread {
        return Ok(None);
    }
    let mut line = String::new();
    if io::stdin().read_line(&mut line)? == 0 {
        return Ok(None);
    }
    Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned()))
}

/// What became of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// It was written and flushed.
    All,
    /// Nobody reads any more, as after `| head`: a quiet end, and no error.
    Unread,
}

/// Writes a text to stdout.
///
/// # Errors
/// What writing met, a full disk for one; never that nobody reads any more.
pub fn out(text: &str) -> io::Result<Written> {
    write(&mut io::stdout().lock(), text)
}

/// Writes a text to stderr, with the same care.
///
/// # Errors
/// What writing met.
pub fn err(text: &str) -> io::Result<Written> {
    write(&mut io::stderr().lock(), text)
}

fn write(to: &mut impl Write, text: &str) -> io::Result<Written> {
    let written = to.write_all(text.as_bytes()).and_then(|()| to.flush());
    match written {
        Ok(()) => Ok(Written::All),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Written::Unread),
        Err(error) => Err(error),
    }
}

/// A line a server on stderr while servers are checked side by side. Silent unless stderr is a terminal.
#[derive(Debug, Clone)]
pub struct Progress {
    lines: Option<MultiProgress>,
}

impl Progress {
    /// On stderr; silent under `-q` and where stderr is no terminal.
    pub fn new(quiet: bool) -> Self {
        let shown = !quiet
            && io::stderr().is_terminal()
            && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        Self {
            lines: shown.then(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr())),
        }
    }

    /// One that shows nothing.
    pub fn silent() -> Self {
        Self { lines: None }
    }

    /// Begins the line of a server.
    pub fn start(&self, name: &str) -> ProgressLine {
        let bar = self.lines.as_ref().map(|lines| {
            let bar = lines.add(ProgressBar::new_spinner());
            // Outside text is given as values, which are not read as a template.
            if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}  {wide_msg}") {
                bar.set_style(style);
            }
            bar.set_prefix(escape::name(name));
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        ProgressLine { bar }
    }

    /// Takes every line away, before a report is written.
    pub fn clear(&self) {
        if let Some(lines) = &self.lines {
            // A terminal that cannot be cleared shows a line too many; the report is still right.
            let _ = lines.clear();
        }
    }
}

/// The line of one server. It goes away when the server is done.
#[derive(Debug)]
pub struct ProgressLine {
    bar: Option<ProgressBar>,
}

impl ProgressLine {
    /// Says what is being done.
    pub fn message(&self, text: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(escape::short(text));
        }
    }

    /// Takes the line away.
    pub fn finish(self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(choice: Color, variables: &[(&str, &str)], is_terminal: bool) -> bool {
        let variable = |name: &str| {
            variables
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).to_owned())
        };
        decide(choice, variable, is_terminal)
    }

    #[test]
    fn the_flag_beats_the_environment_and_that_beats_the_terminal() {
        for (choice, variables, is_terminal, color) in [
            (Color::Auto, &[][..], true, true),
            (Color::Auto, &[], false, false),
            (Color::Auto, &[("NO_COLOR", "1")], true, false),
            (Color::Auto, &[("NO_COLOR", "")], true, true),
            (Color::Auto, &[("TERM", "dumb")], true, false),
            (Color::Auto, &[("CLICOLOR", "0")], true, false),
            (Color::Auto, &[("CLICOLOR_FORCE", "1")], false, true),
            (Color::Auto, &[("CLICOLOR_FORCE", "0")], false, false),
            (
                Color::Auto,
                &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")],
                true,
                false,
            ),
            (
                Color::Always,
                &[("NO_COLOR", "1"), ("TERM", "dumb")],
                false,
                true,
            ),
            (Color::Never, &[("CLICOLOR_FORCE", "1")], true, false),
        ] {
            assert_eq!(
                decided(choice, variables, is_terminal),
                color,
                "{choice:?} {variables:?}"
            );
        }
    }

    struct Fails(io::ErrorKind);

    impl Write for Fails {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_went_away_is_a_quiet_end_and_a_full_disk_is_not() {
        let mut sink = Vec::new();
        assert_eq!(write(&mut sink, "text").expect("written"), Written::All);
        assert_eq!(sink, b"text");
        let unread = write(&mut Fails(io::ErrorKind::BrokenPipe), "text");
        assert_eq!(unread.expect("no error"), Written::Unread);
        let full = write(&mut Fails(io::ErrorKind::StorageFull), "text");
        assert_eq!(
            full.expect_err("an error").kind(),
            io::ErrorKind::StorageFull
        );
    }

    #[test]
    fn silent_progress_takes_every_call() {
        let progress = Progress::silent();
        let line = progress.start("notes");
        line.message("tools/list");
        line.finish();
        progress.clear();
    }
}
