//! The real program against real child processes and loopback servers.

mod r#loop;
mod peers;
mod revoke;
mod scripted;
mod support;
