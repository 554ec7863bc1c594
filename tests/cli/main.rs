//! The real program against real child processes and loopback servers.

mod acknowledge;
mod across;
mod bad;
mod base;
mod both;
mod due;
mod files;
mod hints;
mod interrupted;
mod r#loop;
#[cfg(target_os = "linux")]
mod memory;
mod network;
mod output;
mod peers;
mod policy;
mod refused;
mod revoke;
mod scripted;
mod standing;
mod stumbles;
mod support;
mod transcript;
