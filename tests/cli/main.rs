//! The real program against real child processes and loopback servers.

mod across;
mod r#loop;
mod peers;
mod policy;
mod scripted;
mod support;
