//! The real program against real child processes and loopback servers.

mod r#loop;
mod network;
mod peers;
mod scripted;
mod support;
mod transcript;
