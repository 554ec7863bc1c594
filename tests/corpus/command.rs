//! `cargo run --release --example corpus [FOLDER]`: what countersign makes of published catalogues.
//!
//! The folder is the argument, or `COUNTERSIGN_CORPUS`, or the small corpus of invented catalogues in `fixtures`.
//! The table goes to standard output; a fault is told on standard error and makes the status 1.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for people who work on countersign"
)]

mod noise;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let folder = std::env::args_os()
        .nth(1)
        .or_else(|| std::env::var_os("COUNTERSIGN_CORPUS"))
        .map_or_else(
            || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/corpus")),
            PathBuf::from,
        );
    let start = Instant::now();
    match table::run(&folder) {
        Ok(outcome) => {
            print!("{}", outcome.table);
            for fault in &outcome.faults {
                eprintln!("fault: {fault}");
            }
            eprintln!("{:.1} s", start.elapsed().as_secs_f64());
            ExitCode::from(u8::from(!outcome.faults.is_empty()))
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
