//! A program of the user's that is told something and then ends. No server, but ended as surely as one.

use super::Group;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

/// Runs a command with this text on its standard input, for no longer than that. What it leaves behind in its process
/// group is ended with it, as it is when the future is dropped.
///
/// # Errors
/// How it failed, in words that follow its name.
pub(crate) async fn tell(
    mut command: Command,
    text: &[u8],
    within: Duration,
) -> Result<(), String> {
    command.stdin(Stdio::piped());
    let mut group = Group::spawn(command).map_err(|error| format!("cannot be started: {error}"))?;
    let (input, _, _) = group.pipes();
    let writing = async {
        if let Some(mut input) = input {
            // Who does not read it may have no use for it.
            let _ = input.write_all(text).await;
        }
        std::future::pending::<()>().await;
    };
    let exit = tokio::select! {
        exit = group.exit(within) => exit,
        () = writing => None,
    };
    group.end().await;
    match exit.as_deref() {
        Some("exit status 0") => Ok(()),
        Some(exit) => Err(format!("ended with {exit}")),
        None => Err(format!(
            "did not end within {}",
            super::super::seconds(within)
        )),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::Instant;

    fn run(script: &str, text: &[u8], within: Duration) -> Result<(), String> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime")
            .block_on(tell(command, text, within))
    }

    #[test]
    fn it_gets_the_text_and_its_status_tells() {
        let within = Duration::from_secs(20);
        assert_eq!(run("test \"$(cat)\" = word", b"word", within), Ok(()));
        let failed = run("exit 3", b"word", within);
        assert_eq!(failed, Err("ended with exit status 3".to_owned()));
        let long = vec![b'x'; 1 << 20];
        assert_eq!(run("exec <&-", &long, within), Ok(()), "it need not read");
    }

    #[test]
    fn one_that_does_not_end_is_ended_with_what_it_started() {
        let started = Instant::now();
        let outcome = run("sleep 60 & sleep 60", b"", Duration::from_millis(200));
        assert_eq!(outcome, Err("did not end within 0.2 s".to_owned()));
        assert!(started.elapsed() < Duration::from_secs(10));
    }
}
