//! The real program against real child processes and loopback servers.

mod clients;
mod introduction;
mod r#loop;
mod peers;
mod scripted;
mod servers;
mod support;
mod vary;
