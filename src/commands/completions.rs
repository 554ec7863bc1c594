//! `completions`: the script that a shell loads.

use super::Output;
use crate::cli::Cli;
use clap::CommandFactory as _;
use clap_complete::Shell;

pub(super) fn run(shell: Shell) -> Output {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "countersign", &mut script);
    Output {
        stdout: String::from_utf8_lossy(&script).into_owned(),
        stderr: String::new(),
        status: 0,
    }
}
