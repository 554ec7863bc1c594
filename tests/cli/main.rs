//! The real program against real child processes and loopback servers.

mod acknowledge;
mod across;
mod bad;
mod both;
mod files;
mod formats;
mod hints;
mod inert;
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
mod schema;
mod scripted;
mod stumbles;
mod support;
mod transcript;
