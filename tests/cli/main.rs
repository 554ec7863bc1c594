//! The real program against real child processes and loopback servers.

mod guarded;
mod login;
mod r#loop;
mod peers;
mod scripted;
mod support;
