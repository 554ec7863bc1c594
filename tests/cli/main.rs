//! The real program against real child processes and loopback servers.

mod acknowledge;
mod across;
mod bad;
mod both;
mod clients;
mod era;
mod files;
mod formats;
mod guarded;
mod hints;
mod interrupted;
mod introduction;
mod login;
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
mod servers;
mod stumbles;
mod support;
mod transcript;
mod vary;
