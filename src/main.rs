//! The countersign program.

fn main() {}
