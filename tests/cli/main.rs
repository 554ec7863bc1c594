//! The real program against real child processes and loopback servers.

mod acknowledge;
mod across;
mod action;
mod approve;
mod bad;
mod base;
mod base_attacks;
mod both;
mod broken;
mod clients;
mod due;
mod era;
#[cfg(target_os = "linux")]
mod faults;
mod files;
mod formats;
mod guard;
mod guard_clients;
mod guard_counts;
mod guard_elicits;
mod guard_faults;
mod guard_headers;
mod guard_reads;
mod guarded;
mod hints;
mod inert;
mod interrupted;
mod introduction;
mod large;
mod login;
mod r#loop;
#[cfg(target_os = "linux")]
mod memory;
mod network;
mod newcomers;
mod obstacles;
mod output;
mod peers;
mod policy;
mod refused;
mod replay;
mod review_terminal;
mod revoke;
mod schema;
mod scripted;
mod servers;
mod standing;
mod stumbles;
mod support;
mod talking;
mod terminal;
mod transcript;
mod vary;
mod versions;
#[cfg(unix)]
mod watch;
