//! The real program against real child processes and loopback servers.

mod acknowledge;
mod across;
mod bad;
mod both;
mod files;
mod interrupted;
mod r#loop;
mod output;
mod peers;
mod policy;
mod refused;
mod revoke;
mod scripted;
mod support;
