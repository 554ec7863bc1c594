//! What must hold of any bytes whatever, one function a reader or writer of outside text.
//!
//! `fuzz/` feeds them to libFuzzer; the tests feed them the committed seeds and small edits of those. Built for
//! these two alone. A function panics where something does not hold, and returns otherwise.

mod canonical;
mod compare;
mod config;
mod escape;
mod events;
mod frames;
mod json;
mod lockfile;
mod render;
#[cfg(test)]
mod smoke;

pub use canonical::canonical;
pub use compare::compare;
pub use config::config;
pub use escape::escape;
pub use events::events;
pub use frames::frames;
pub use json::json;
pub use lockfile::lockfile;
pub use render::render;

/// Two texts in one: what stands before the first byte 0xFF, which UTF-8 never has, and what stands behind it.
fn halves(data: &[u8]) -> (&[u8], &[u8]) {
    let at = data.iter().position(|byte| *byte == 0xff);
    at.map_or((data, &[]), |at| (&data[..at], &data[at + 1..]))
}
