//! The real program against real child processes and loopback servers.

mod bad;
mod both;
mod files;
#[cfg(unix)]
mod interrupted;
mod r#loop;
mod peers;
mod refused;
mod scripted;
mod support;
