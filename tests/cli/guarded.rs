//! Servers that want to know who asks: which credential they get, and what is said where it does not do.

use crate::support::{HttpServer, Output, Sandbox, get};
use crate::talking::Talk;

const KEY: &str = "static-key-0123456789";

/// The guarded server and its authorization server.
pub(crate) fn guarded() -> HttpServer {
    HttpServer::python("fixtures/auth/server.py")
}

fn snapshot(sandbox: &Sandbox, url: &str, flags: &[&str]) -> Output {
    let words = [
        "snapshot", "--name", "wiki", "--url", url, "--format", "json",
    ];
    sandbox.run(&[&words, flags].concat())
}

/// What the run said of its one server: kind, message and hint.
fn problem(output: &Output) -> String {
    output.json()["servers"][0]["error"].to_string()
}

#[test]
#[cfg(unix)]
fn a_command_gives_the_token_and_once_more_when_it_is_refused() {
    let (sandbox, server) = (Sandbox::new(), guarded());
    let url = server.at("/static/mcp");
    sandbox.write(
        "token.sh",
        format!(
            "if [ -e ran ]; then echo {KEY}; else echo stale-token-0123456789; fi; echo x >> ran"
        ),
    );
    snapshot(&sandbox, &url, &["--token-command", "sh token.sh"]).expect(0);
    assert_eq!(sandbox.read("ran"), "x\nx\n");
    let taking = &sandbox.history()[0]["taking"];
    assert_eq!(taking["credential"], "token-command");
    assert!(sandbox.everything().iter().all(|text| !text.contains(KEY)));
    // The launch is the one that a variable with the token gives.
    sandbox.remove("ran");
    let diff = [
        "diff",
        "--name",
        "wiki",
        "--url",
        &url,
        "--bearer-env",
        "KEY",
    ];
    sandbox.set("KEY", KEY);
    sandbox.run(&diff).expect(0);
    // Refused twice, it is not run a third time.
    let refused = snapshot(
        &sandbox,
        &url,
        &[
            "--token-command",
            "sh -c 'echo x >> ran; echo wrong-token-0123456789'",
        ],
    );
    assert_eq!(sandbox.read("ran"), "x\nx\n");
    assert!(problem(&refused.expect(2)).contains("credential rejected"));
}

#[test]
#[cfg(unix)]
fn a_guard_outlives_every_token_of_a_command_and_takes_each_out_of_what_it_compares() {
    let (sandbox, server) = (Sandbox::new(), guarded());
    let url = server.at("/turns/mcp");
    let turn = |turn: u32| sandbox.write("turn", turn.to_string());
    let command = [
        "--token-command",
        "sh -c 'printf turn-key-%010d $(cat turn)'",
    ];
    turn(1);
    snapshot(&sandbox, &url, &command).expect(0);
    let words = ["guard", "wiki", "--url", &url, "--transcript", "talk.jsonl"];
    let mut talk = Talk::with(&sandbox, &[&words[..], &command].concat());
    talk.initialize();
    assert_eq!(talk.tools(), ["echo_text"]);
    for next in 2..=4 {
        turn(next);
        get(&server.at("/turn"));
        assert_eq!(talk.tools(), ["echo_text"], "turn {next}");
    }
    assert_eq!(talk.leave(), 0);
    let texts = [sandbox.everything(), vec![sandbox.read("talk.jsonl")]].concat();
    for text in texts {
        assert!(!text.contains("turn-key-"), "{text}");
    }
}

#[test]
fn a_token_command_that_fails_is_the_servers_error_and_not_shown_with_its_arguments() {
    let (sandbox, server) = (Sandbox::new(), guarded());
    let url = server.at("/static/mcp");
    let output = snapshot(
        &sandbox,
        &url,
        &["--token-command", "no-such-program --key s3cret-argument"],
    )
    .expect(2);
    let said = problem(&output);
    assert!(
        said.contains("`no-such-program` cannot be started"),
        "{said}"
    );
    assert!(!said.contains("s3cret-argument"), "{said}");
    assert_eq!(server.log(), [""; 0]);
    let both = ["--token-command", "x", "--bearer-env", "KEY"];
    snapshot(&sandbox, &url, &both).expect(2);
    let twice = ["--token-command", "x", "-H", "authorization: Bearer y"];
    let output = snapshot(&sandbox, &url, &twice).expect(2);
    assert!(output.stdout.contains("given twice"), "{}", output.stdout);
}

#[test]
fn three_reasons_tell_what_to_do_and_nobody_is_asked_to_sign_in() {
    let (sandbox, server) = (Sandbox::new(), guarded());
    let (plain, oauth) = (server.at("/static/mcp"), server.at("/oauth/mcp"));
    let login = format!("countersign login {oauth}");
    let wrong = ["-H", "Authorization: Bearer wrong-key-0123456789"];
    for (url, flags, wanted) in [
        (
            &oauth,
            &[][..],
            [
                "sign-in needed (OAuth)",
                "the challenge names the scope `read` and the metadata `http://127.0.0.1:",
                &login,
            ],
        ),
        (
            &oauth,
            &wrong,
            ["credential rejected", "401 Unauthorized", &login],
        ),
        (
            &plain,
            &[],
            ["credential missing", "`Not authorised`", "--token-command"],
        ),
        (
            &plain,
            &wrong,
            ["credential rejected", "`Not authorised`", "--bearer-env"],
        ),
    ] {
        let output = snapshot(&sandbox, url, flags).expect(2);
        let said = problem(&output);
        for words in wanted {
            assert!(
                output.stdout.contains(words) || said.contains(words),
                "{words}: {}",
                output.stdout
            );
        }
        assert!(!said.contains("wrong-key"), "{said}");
    }
    let log = server.log();
    assert!(
        log.iter().all(|line| line.starts_with("POST /")),
        "{log:#?}"
    );
    assert_eq!(log.len(), 4, "one request a look: {log:#?}");
}

#[test]
fn tools_that_only_another_variables_key_lists_are_told_as_such_before_all_else() {
    let (sandbox, server) = (Sandbox::new(), guarded());
    let url = server.at("/static/mcp");
    sandbox.set("ADMIN", "admin-key-0123456789");
    sandbox.set("READER", KEY);
    snapshot(&sandbox, &url, &["--bearer-env", "ADMIN"]).expect(0);
    let taking = &sandbox.history()[0]["taking"];
    assert_eq!(
        (&taking["credential"], &taking["label"]),
        (&"bearer".into(), &"`${ADMIN}`".into())
    );
    let diff = |flags: &[&str], format: &str| {
        let words = ["diff", "--name", "wiki", "--url", &url, "--format", format];
        sandbox.run(&[&words, flags].concat()).expect(0).stdout
    };
    let reader = ["--bearer-env", "READER"];
    let said = "then `bearer` (`${ADMIN}`), now `bearer` (`${READER}`)";
    for format in ["text", "github", "markdown", "junit", "html"] {
        let shown = diff(&reader, format);
        let (told, removed) = (shown.find("credential-changed"), shown.find("delete_all"));
        assert!(told.is_some() && told < removed, "{format}: {shown}");
    }
    let header = ["-H", "Authorization: Bearer ${READER}"];
    assert!(diff(&header, "json").contains(said));
    let literal = format!("Authorization: Bearer {KEY}");
    let shown = diff(&["-H", &literal], "json");
    assert!(shown.contains("now `bearer`. A server"), "{shown}");
    // The same variable again with another value in it cannot be told from a new token of the same account.
    sandbox.set("ADMIN", KEY);
    let shown = diff(&["--bearer-env", "ADMIN"], "json");
    assert!(!shown.contains("credential-changed"), "{shown}");
    let files = sandbox.everything();
    assert!(files.iter().all(|text| !text.contains("key-0123456789")));
    let unset = snapshot(&sandbox, &url, &["--bearer-env", "UNSET"]).expect(2);
    assert!(
        unset
            .stdout
            .contains("`--bearer-env` needs the variable `UNSET`"),
        "{}",
        unset.stdout
    );
}
