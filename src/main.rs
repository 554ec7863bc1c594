//! The countersign program: parses, runs one command, ends with its status.

use std::process::ExitCode;

fn main() -> ExitCode {
    countersign::commands::main(std::env::args_os().collect())
}
