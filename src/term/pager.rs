//! A long text through the program that `PAGER` names, or plainly.

use super::{Written, out};
use std::io::{self, Write as _};
use std::process::{Command, Stdio};

/// Shows a text on stdout, through the program that `PAGER` names if it names one. It must hold nothing that a terminal
/// obeys. The words of `PAGER` are split as a shell would, without a shell.
///
/// # Errors
/// What writing or starting the program met; never that somebody left it before the end.
pub fn page(text: &str) -> io::Result<()> {
    let words = std::env::var("PAGER").ok();
    let words = words.and_then(|words| shlex::split(&words));
    let Some((program, args)) = words.as_deref().and_then(<[String]>::split_first) else {
        return out(text).map(|_: Written| ());
    };
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .spawn()
        .map_err(|error| io::Error::new(error.kind(), format!("`{program}`: {error}")))?;
    let written = match child.stdin.take() {
        Some(mut stdin) => stdin.write_all(text.as_bytes()),
        None => Ok(()),
    };
    child.wait()?;
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}
