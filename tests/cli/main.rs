//! The real program against real child processes and loopback servers.

mod acknowledge;
mod across;
mod approve;
mod bad;
mod both;
mod files;
mod guard;
mod guard_clients;
mod guard_faults;
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
mod replay;
mod revoke;
mod scripted;
mod stumbles;
mod support;
mod talking;
mod transcript;
