//! While an agent runs: `guard` stands between a client and a server, `replay` stands in for a server.
//!
//! What a message becomes is decided by pure code: [`envelope`] tells messages apart, [`verdict`] says what becomes of
//! an item, [`listing`] and [`hello`] write answers anew, [`router`] keeps the talk. [`proxy`] alone knows time,
//! threads and wires. Nothing here words a report, and nothing here ever calls a tool by itself.

pub mod account;
pub mod answers;
pub mod envelope;
pub mod hello;
pub mod lines;
pub mod listing;
pub mod mirrored;
pub mod proxy;
pub mod replay;
pub mod router;
pub mod uri;
pub mod verdict;
pub mod watch;
