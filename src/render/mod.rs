//! Words.
pub mod cap;
mod definition;
mod edits;
pub mod escape;
#[cfg(test)]
mod fabricate;
pub mod group;
mod hunks;
mod joined;
mod paint;
mod place;
mod words;
