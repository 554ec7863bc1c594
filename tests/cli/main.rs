//! The real program against real child processes and loopback servers.

mod r#loop;
#[cfg(target_os = "linux")]
mod memory;
mod network;
mod peers;
mod scripted;
mod support;
mod transcript;
