//! The real program against real child processes and loopback servers.

mod acknowledge;
mod r#loop;
mod output;
mod peers;
mod scripted;
mod support;
