//! countersign: says what changed in the tools of an MCP server, and who acknowledged which exact change.
//!
//! Facts, judgement and words are three layers: [`diff`] finds facts, [`rules`] judge them, [`render`] words
//! them. A layer never reaches forward. Everything between the wire and the terminal is pure: no clock,
//! environment, file, socket or terminal; those come in as arguments.
//!
//! ```text
//! config ─► transport ─► client ─► capture ─► canonical ─► fingerprint ─► catalogue (current)
//! which      bytes        the MCP   answers    one value,   sha256            │
//! servers    in and out   talk      as sent    one text                       ▼
//!                                                                    pair ─► diff ─► rules ─► report ─► render
//!                                                                      ▲     facts   judge    one value  words
//! store (snapshots, history) ─┐                                        │
//! lockfile ──── verify ───────┴──────────────► catalogue (baseline) ───┘
//!    ▲
//!    └── ack: append the record, move the baseline
//! ```

pub mod auth;
pub mod canonical;
pub mod capture;
pub mod catalogue;
pub mod cli;
pub mod client;
pub mod commands;
pub mod config;
pub mod diff;
pub mod fingerprint;
#[doc(hidden)]
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
pub mod json;
pub mod lockfile;
pub mod model;
pub mod pair;
pub mod parallel;
pub mod policy;
pub mod render;
pub mod report;
pub mod rules;
pub mod runtime;
pub mod secret;
pub mod store;
pub mod term;
pub mod text;
pub mod transport;
