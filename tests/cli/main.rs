//! The real program against real child processes and loopback servers.

mod files;
mod r#loop;
mod peers;
mod refused;
mod scripted;
mod support;
