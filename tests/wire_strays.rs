//! A process that a server has put into a session of its own is found and ended. Alone in its program, because
//! such a process counts as one of the last server that runs.
#![cfg(target_os = "linux")]

use countersign::client::{Options, capture};
use countersign::model::Endpoint;
use countersign::secret::Secrets;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

fn is_running(pid: &str) -> bool {
    Path::new("/proc").join(pid).exists()
}

fn endpoint(scenario: &str, pidfile: &Path) -> Endpoint {
    Endpoint::Stdio {
        command: "python3".to_owned(),
        args: vec![
            concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/fixtures/hostile/stdio_server.py"
            )
            .to_owned(),
            scenario.to_owned(),
        ],
        cwd: None,
        env: BTreeMap::from([(
            "PIDFILE".to_owned(),
            pidfile.to_str().expect("UTF-8").to_owned(),
        )]),
    }
}

#[test]
fn a_daemon_in_a_session_of_its_own_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let pidfile = folder.path().join("pids");
    let endpoint = self::endpoint("leaves_a_daemon", &pidfile);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    // As a shell leaves it behind that starts something and becomes countersign.
    let mut inherited = Command::new("sleep")
        .arg("60")
        .process_group(0)
        .spawn()
        .expect("`sleep` starts");
    let (options, secrets, none) = (Options::default(), Secrets::default(), BTreeSet::new());
    let nothing = |_: &str| {};
    runtime
        .block_on(capture(&endpoint, &secrets, &none, &options, &nothing))
        .expect("a capture");
    let pid = fs::read_to_string(&pidfile).expect("written");
    assert!(!is_running(&pid), "{pid}");
    let ended = inherited.try_wait().expect("it can be waited for");
    inherited.kill().expect("it can be ended");
    inherited.wait().expect("it ends");
    assert_eq!(ended, None, "what no server started is left alone");

    // One that does the talking itself is heard, and ended just so.
    fs::remove_file(&pidfile).expect("removed");
    let serving = self::endpoint("serves_as_a_daemon", &pidfile);
    runtime
        .block_on(capture(&serving, &secrets, &none, &options, &nothing))
        .expect("a capture");
    let pid = fs::read_to_string(&pidfile).expect("written");
    assert!(!is_running(&pid), "{pid}");

    // Given up in the middle, nothing may stay either.
    fs::remove_file(&pidfile).expect("removed");
    runtime.block_on(async {
        let talk = capture(&endpoint, &secrets, &none, &options, &nothing);
        tokio::pin!(talk);
        while !pidfile.exists() {
            let moment = tokio::time::sleep(std::time::Duration::from_millis(1));
            tokio::select! {
                _ = &mut talk => break,
                () = moment => {}
            }
        }
    });
    let pid = fs::read_to_string(&pidfile).expect("written");
    std::thread::sleep(std::time::Duration::from_millis(300));
    // Killed and not yet reaped: that is the runtime's affair, and there is none any more.
    let is_zombie =
        fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| stat.contains(") Z "));
    assert!(!is_running(&pid) || is_zombie, "{pid}");
}
