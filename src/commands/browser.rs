//! Opens an address in the browser of whoever sits at this machine.

use std::process::{Command, Stdio};

/// Tries to; false if no program for it could be started. The address is one argument and passes no shell.
pub(super) fn open(address: &str) -> bool {
    let words: &[&str] = if cfg!(target_os = "macos") {
        &["open"]
    } else if cfg!(windows) {
        // `start` is a word of the shell, which reads `&` in an address.
        &["rundll32", "url.dll,FileProtocolHandler"]
    } else {
        &["xdg-open"]
    };
    // It is not waited for: some openers end with the browser.
    Command::new(words[0])
        .args(&words[1..])
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .is_ok()
}
