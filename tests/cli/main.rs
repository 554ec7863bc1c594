//! The real program against real child processes and loopback servers.

mod guarded;
mod r#loop;
mod peers;
mod scripted;
mod support;
