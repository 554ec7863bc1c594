//! Single keys of a person at a terminal. While none is read, the terminal is as it was: a signal finds it whole.

use console::Term;
use std::io;

/// A key that was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// A letter, digit or sign.
    Char(char),
    /// Ctrl-C.
    Interrupt,
    /// Nobody is there any more: Ctrl-D, or the terminal is gone.
    Gone,
    /// Any other.
    Other,
}

/// Waits for a key.
///
/// # Errors
/// What reading the terminal met.
pub fn key() -> io::Result<Key> {
    match Term::stdout().read_key_raw() {
        Ok(console::Key::CtrlC) => Ok(Key::Interrupt),
        Ok(console::Key::Char('\u{4}')) => Ok(Key::Gone),
        Ok(console::Key::Char(c)) if !c.is_control() => Ok(Key::Char(c)),
        Ok(_) => Ok(Key::Other),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(Key::Gone),
        Err(error) => Err(error),
    }
}

/// Forgets the keys that were pressed and not read yet: they were meant for what stood on the screen before.
///
/// Where a system cannot do that nothing happens.
pub fn forget_keys() {
    #[cfg(unix)]
    {
        use rustix::termios::{QueueSelector, tcflush};
        // A terminal that is gone says so when it is read.
        let _ = tcflush(io::stdin(), QueueSelector::IFlush);
    }
}
