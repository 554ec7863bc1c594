//! Words.
pub mod cap;
pub mod escape;
mod joined;
