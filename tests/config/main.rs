//! Configurations of every shape, from a file to servers: what is started, what is kept, and what never shows.

mod clients;
mod command_line;
mod files;
mod launches;
mod secrets;
mod support;
