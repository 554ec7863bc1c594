//! Words.
pub mod cap;
mod definition;
mod edits;
pub mod escape;
mod hunks;
mod joined;
mod paint;
mod words;
