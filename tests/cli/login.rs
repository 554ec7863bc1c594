//! Signing in, and what checks make of it: real sockets, with a browser that follows one redirect.

use crate::guarded::guarded;
use crate::support::{HttpServer, Output, Sandbox, get, repository};
use crate::talking::Talk;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Stdio};

/// A sign-in that waits.
struct Waiting {
    child: Child,
    stderr: BufReader<std::process::ChildStderr>,
    /// The address to open.
    address: String,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Waiting {
    fn start(sandbox: &Sandbox, url: &str, flags: &[&str]) -> Self {
        let words = [&["login", url, "--no-browser"], flags].concat();
        let mut child = sandbox.start(&words, Stdio::piped());
        let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut said = String::new();
        let address = loop {
            let start = said.len();
            let count = stderr.read_line(&mut said).expect("a line");
            assert!(count > 0, "it ended: {said}");
            if said[start..].starts_with("http://") {
                break said[start..].trim().to_owned();
            }
        };
        Self {
            child,
            stderr,
            address,
        }
    }

    /// Where the authorization server sends the browser.
    fn sent_back_to(&self) -> String {
        let answer = get(&self.address);
        let location = answer
            .lines()
            .find_map(|line| line.strip_prefix("Location: "));
        location
            .unwrap_or_else(|| panic!("no redirect: {answer}"))
            .to_owned()
    }

    /// Status, stdout and the rest of stderr.
    fn end(mut self) -> (i32, String, String) {
        let (mut out, mut err) = (String::new(), String::new());
        let mut stdout = self.child.stdout.take().expect("a pipe");
        stdout.read_to_string(&mut out).expect("text");
        self.stderr.read_to_string(&mut err).expect("text");
        let status = self.child.wait().expect("it ends");
        (status.code().expect("not killed"), out, err)
    }
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let folder = sandbox.home("sign-ins");
    sandbox.set("COUNTERSIGN_CONFIG_DIR", folder.to_str().expect("UTF-8"));
    sandbox
}

fn check(sandbox: &Sandbox, command: &str, url: &str) -> Output {
    sandbox.run(&[command, "--name", "wiki", "--url", url, "--format", "json"])
}

fn sign_in(sandbox: &Sandbox, url: &str, flags: &[&str]) {
    let waiting = Waiting::start(sandbox, url, flags);
    let answer = get(&waiting.sent_back_to());
    assert!(answer.contains("You can close this page"), "{answer}");
    let (status, out, err) = waiting.end();
    assert_eq!(status, 0, "{out}{err}");
    assert!(out.starts_with("signed in to http://127.0.0.1:"), "{out}");
    assert!(
        !out.contains("token-") && !err.contains("token-"),
        "{out}{err}"
    );
}

fn credentials(sandbox: &Sandbox) -> String {
    std::fs::read_to_string(sandbox.home("sign-ins/credentials.json")).expect("a file")
}

#[test]
fn a_check_uses_the_sign_in_and_refreshes_it_and_asks_nobody() {
    let (sandbox, server) = (sandbox(), guarded());
    let url = server.at("/oauth/mcp");
    sign_in(&sandbox, &url, &[]);
    let before = server.log();
    check(&sandbox, "snapshot", &url).expect(0);
    check(&sandbox, "diff", &url).expect(0);
    let log = server.log();
    let since = &log[before.len()..];
    assert!(
        since
            .iter()
            .all(|line| !line.contains("/.well-known/") && !line.contains("/authorize")),
        "{since:#?}"
    );
    // The tokens of that server are good for a second, so each check exchanges the refresh token, which rotates.
    let refreshed = since.iter().filter(|line| *line == "grant refresh_token");
    assert_eq!(refreshed.count(), 2, "{since:#?}");
    let taking = &sandbox.history()[0]["taking"];
    assert_eq!(taking["credential"], "oauth");
    assert_eq!(
        taking["scopes"],
        serde_json::json!(["offline_access", "read"])
    );
    for text in sandbox.everything() {
        assert!(
            !text.contains("access-token") && !text.contains("refresh-token"),
            "{text}"
        );
    }
    assert!(credentials(&sandbox).contains("refresh-token-"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let file = std::fs::metadata(sandbox.home("sign-ins/credentials.json")).expect("a file");
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
    }
    // Two runs at once do not take the refresh token from each other.
    let words = ["diff", "--name", "wiki", "--url", &url];
    let runs = [0, 1].map(|_| sandbox.start(&words, Stdio::null()));
    for run in runs {
        let output = run.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{output:?}");
    }
    // The configured credential goes first.
    let wrong = ["-H", "Authorization: Bearer wrong-token-0123456789"];
    sandbox.run(&[&words[..], &wrong].concat()).expect(1);
    sandbox.run(&["logout", &url]).expect(0);
    assert!(!credentials(&sandbox).contains("token-"));
    let output = check(&sandbox, "diff", &url).expect(2);
    assert!(
        output.stdout.contains("sign-in needed"),
        "{}",
        output.stdout
    );
}

#[test]
fn a_refresh_token_that_is_good_for_nothing_ends_in_a_hint() {
    let (sandbox, server) = (sandbox(), guarded());
    let url = server.at("/oauth/mcp");
    sign_in(&sandbox, &url, &[]);
    let stale = credentials(&sandbox);
    check(&sandbox, "snapshot", &url).expect(0);
    std::fs::write(sandbox.home("sign-ins/credentials.json"), stale).expect("written");
    let output = check(&sandbox, "diff", &url).expect(2);
    let error = &output.json()["servers"][0]["error"];
    assert_eq!(
        error["message"],
        "sign-in needed (OAuth): the stored one is no longer accepted"
    );
    assert_eq!(error["hint"], format!("countersign login {url}"));
    std::fs::write(sandbox.home("sign-ins/credentials.json"), "{\"version\":1,").expect("written");
    let output = check(&sandbox, "diff", &url).expect(2);
    assert!(output.stdout.contains("is damaged"), "{}", output.stdout);
}

#[test]
fn only_the_answer_of_who_was_asked_ends_the_wait() {
    let (sandbox, server) = (sandbox(), guarded());
    let url = server.at("/oauth/mcp");
    let waiting = Waiting::start(&sandbox, &url, &["--scope", "write"]);
    let right = waiting.sent_back_to();
    let (callback, _) = right.split_once('?').expect("a query");
    for forged in [
        format!("{callback}?code=x&state=guessed"),
        format!("{right}&state=again"),
        right.replace("/callback", "/elsewhere"),
        callback.replace("/callback", "/favicon.ico"),
    ] {
        assert!(get(&forged).starts_with("HTTP/1.1 404"), "{forged}");
    }
    // It is ours, of somebody else.
    let other = right.replace("%2Fas", "%2Fother");
    assert_ne!(other, right);
    get(&other);
    let (status, out, err) = waiting.end();
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("names the issuer"), "{err}");
    assert!(!sandbox.home("sign-ins/credentials.json").exists());
    assert!(!server.log().iter().any(|line| line.starts_with("grant")));
}

#[test]
fn the_address_can_be_pasted_and_the_scope_be_chosen() {
    let (sandbox, server) = (sandbox(), guarded());
    let url = server.at("/oauth/mcp");
    let mut waiting = Waiting::start(&sandbox, &url, &["--scope", "read write"]);
    let right = waiting.sent_back_to();
    let mut stdin = waiting.child.stdin.take().expect("a pipe");
    writeln!(stdin, "what?\n  {right}").expect("written");
    let (status, out, err) = waiting.end();
    assert_eq!(status, 0, "{err}");
    assert!(
        out.ends_with("with the scopes \"offline_access read write\"\n"),
        "{out}"
    );
    assert!(err.contains("that is not the address"), "{err}");
    let output = check(&sandbox, "snapshot", &url).expect(0);
    assert_eq!(output.json()["servers"][0]["recorded"], "baseline");
    assert!(sandbox.read("countersign.lock.json").contains("delete_all"));
}

#[test]
fn without_a_terminal_or_in_ci_nobody_is_sent_to_a_browser() {
    let (sandbox, server) = (sandbox(), guarded());
    let url = server.at("/oauth/mcp");
    let output = sandbox.run(&["login", &url]).expect(2);
    assert!(
        output.stderr.contains("there is no terminal"),
        "{}",
        output.stderr
    );
    sandbox.set("CI", "true");
    let output = sandbox.run(&["login", &url]).expect(2);
    assert!(output.stderr.contains("`CI` is set"), "{}", output.stderr);
    assert!(
        output.stderr.contains("--token-command"),
        "{}",
        output.stderr
    );
    assert_eq!(server.log(), [""; 0]);
}

#[test]
fn what_cannot_come_to_a_sign_in_is_said_before_anybody_is_asked() {
    let (sandbox, server) = (sandbox(), guarded());
    let open = HttpServer::scripted(&repository("fixtures/demo/before.json"), &[]);
    let login = |url: &str| {
        sandbox
            .run(&["login", url, "--no-browser"])
            .expect(2)
            .stderr
    };
    let said = login(&open.url);
    assert!(said.contains("asks nobody to sign in"), "{said}");
    assert!(login("wiki").contains("the URL is no URL"));
    assert!(login("https://${UNSET}/mcp").contains("the URL needs the variable `UNSET`"));
    sandbox.write("file", "");
    let inside = sandbox.path("file/below");
    sandbox.set("COUNTERSIGN_CONFIG_DIR", inside.to_str().expect("UTF-8"));
    let said = login(&server.at("/oauth/mcp"));
    assert!(said.contains("file/below/credentials.lock"), "{said}");
    assert_eq!(server.log(), [""; 0]);
}

fn machine(sandbox: &Sandbox, server: &HttpServer, flags: &[&str]) -> Output {
    let url = server.at("/oauth/mcp");
    let words = [
        "snapshot",
        "--name",
        "wiki",
        "--url",
        &url,
        "--client-id",
        "machine",
    ];
    sandbox.run(&[&words, flags].concat())
}

#[test]
fn a_program_lets_itself_in_with_a_secret_and_keeps_nothing() {
    let (sandbox, server) = (sandbox(), guarded());
    sandbox.set("SECRET", "machine-secret-0123456789");
    machine(&sandbox, &server, &["--client-secret-env", "SECRET"]).expect(0);
    let taking = &sandbox.history()[0]["taking"];
    assert_eq!(taking["credential"], "client-credentials");
    assert_eq!(taking["scopes"], serde_json::json!(["read"]));
    assert!(!sandbox.home("sign-ins").exists());
    for text in sandbox.everything() {
        assert!(
            !text.contains("access-token") && !text.contains("machine-secret"),
            "{text}"
        );
    }
    sandbox.set("SECRET", "wrong-secret-0123456789");
    let output = machine(&sandbox, &server, &["--client-secret-env", "SECRET"]).expect(2);
    assert!(
        output
            .stdout
            .contains(r"`invalid_client`: `who is that\u{1B}[31m?`"),
        "{}",
        output.stdout
    );
    let output = machine(&sandbox, &server, &["--client-secret-env", "UNSET"]).expect(2);
    assert!(output.stderr.contains("`UNSET`"), "{}", output.stderr);
    machine(&sandbox, &server, &[]).expect(2);
}

#[test]
fn a_program_lets_itself_in_with_a_key() {
    use base64::Engine as _;
    use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
    let (sandbox, server) = (sandbox(), guarded());
    let random = ring::rand::SystemRandom::new();
    let key =
        EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).expect("a key");
    let body = base64::engine::general_purpose::STANDARD.encode(key.as_ref());
    sandbox.write(
        "key.pem",
        format!("-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n"),
    );
    machine(
        &sandbox,
        &server,
        &["--client-key", "key.pem", "--scope", "write read"],
    )
    .expect(0);
    assert_eq!(
        sandbox.history()[0]["taking"]["scopes"],
        serde_json::json!(["read", "write"])
    );
    sandbox.write("key.pem", "s3cret");
    let output = machine(&sandbox, &server, &["--client-key", "key.pem"]).expect(2);
    assert!(
        output.stderr.contains("in no PEM text"),
        "{}",
        output.stderr
    );
}

#[test]
fn tools_that_only_another_scope_lists_are_told_as_such_first_and_each_time() {
    let (sandbox, server) = (sandbox(), guarded());
    let url = server.at("/oauth/mcp");
    sign_in(&sandbox, &url, &["--scope", "read write"]);
    check(&sandbox, "snapshot", &url).expect(0);
    sign_in(&sandbox, &url, &["--scope", "read"]);
    let first = check(&sandbox, "diff", &url).expect(0);
    let warning = &first.json()["servers"][0]["warnings"][0];
    assert_eq!(warning["rule"], "credential-changed");
    let message = warning["message"].as_str().expect("a text");
    let who = "`oauth` (signed in at [TIME]) with the scopes";
    let told = format!("then {who} `offline_access read write`, now {who} `offline_access read`");
    assert!(message.contains(&told), "{message}");
    let again = check(&sandbox, "diff", &url).expect(0);
    assert_eq!(again.stdout, first.stdout);
    let review = sandbox.run(&["review", "--format", "json"]).expect(0);
    assert_eq!(&review.json()["servers"][0]["warnings"][0], warning);
    // The same scopes under another kind of credential are told too; the same credential again is not.
    sandbox.set("SECRET", "machine-secret-0123456789");
    let flags = [
        "--client-id",
        "machine",
        "--client-secret-env",
        "SECRET",
        "--scope",
        "read",
    ];
    let words = ["diff", "--name", "wiki", "--url", &url];
    let output = sandbox.run(&[&words[..], &flags].concat()).expect(0);
    assert!(
        output
            .stdout
            .contains("now `client-credentials` (`machine`) with the scopes `read`"),
        "{}",
        output.stdout
    );
    sign_in(&sandbox, &url, &["--scope", "read write"]);
    let output = check(&sandbox, "diff", &url).expect(0);
    assert!(
        !output.stdout.contains("credential-changed"),
        "{}",
        output.stdout
    );
}

#[test]
fn a_scope_that_is_lacking_is_named_beside_those_that_were_granted() {
    let (sandbox, server) = (sandbox(), guarded());
    let url = server.at("/oauth/mcp");
    sign_in(&sandbox, &url, &["--scope", "write"]);
    let before = server.log().len();
    let output = check(&sandbox, "snapshot", &url).expect(2);
    let error = &output.json()["servers"][0]["error"];
    let message = error["message"].as_str().expect("a text");
    assert!(
        message.contains("credential rejected: it lacks the scope `read`"),
        "{message}"
    );
    let hint = error["hint"].as_str().expect("a text");
    let wanted = format!("countersign login {url} --scope 'offline_access write read'");
    assert!(hint.starts_with(&wanted), "{hint}");
    // It was refreshed when it had expired, and once more when it was refused.
    assert_eq!(server.log().len() - before, 6);
}

#[test]
fn where_nothing_can_be_kept_a_server_without_credentials_is_checked_all_the_same() {
    let (sandbox, server) = (Sandbox::new(), guarded());
    sandbox.write("file", "");
    let inside = sandbox.path("file/below");
    sandbox.set("COUNTERSIGN_CONFIG_DIR", inside.to_str().expect("UTF-8"));
    let output = check(&sandbox, "snapshot", &server.at("/oauth/mcp")).expect(2);
    assert!(
        output.stdout.contains("sign-in needed"),
        "{}",
        output.stdout
    );
}

#[test]
fn no_token_reaches_the_screen_or_a_file_at_the_highest_verbosity() {
    let (sandbox, server, hostile) = (sandbox(), guarded(), HttpServer::hostile());
    let url = server.at("/oauth/mcp");
    sign_in(&sandbox, &url, &[]);
    sandbox.set("SECRET", "machine-secret-0123456789");
    let machine = ["--client-id", "machine", "--client-secret-env", "SECRET"];
    let unknown = ["--client-id", "nobody", "--client-secret-env", "SECRET"];
    let command = ["--token-command", "echo wrong-token-0123456789"];
    // Its refusal says what it was sent.
    let echo = format!("{}/key", hostile.url);
    for (name, url, flags, status) in [
        ("person", &url, &[][..], 0),
        ("machine", &url, &machine, 0),
        ("nobody", &url, &unknown, 2),
        ("refused", &url, &command, 2),
        ("echo", &echo, &command, 2),
    ] {
        let words = ["diff", "-vv", "--name", name, "--url", url];
        let words = [&words[..], &["--transcript", "t.jsonl"], flags].concat();
        let snapshot = [&["snapshot"], &words[1..]].concat();
        for words in [&snapshot, &words] {
            let output = sandbox.run(words);
            let seen = [output.stdout.clone(), output.stderr.clone()];
            output.expect(status);
            let written = sandbox.files();
            let written = written.values().map(|bytes| String::from_utf8_lossy(bytes));
            for text in written.chain(seen.iter().map(Into::into)) {
                for secret in ["-token-0", "machine-secret", "bWFjaGluZTp"] {
                    assert!(!text.contains(secret), "{secret}: {text}");
                }
            }
        }
    }
}

#[test]
fn a_guard_outlives_its_token() {
    let (sandbox, server) = (sandbox(), guarded());
    let url = server.at("/oauth/mcp");
    sign_in(&sandbox, &url, &[]);
    check(&sandbox, "snapshot", &url).expect(0);
    let log = sandbox.path("talk.jsonl");
    let log = log.to_str().expect("UTF-8");
    let words = ["guard", "wiki", "--url", &url, "--transcript", log];
    let mut talk = Talk::with(&sandbox, &words);
    talk.initialize();
    let tools = talk.tools();
    assert!(!tools.is_empty());
    let refreshed = |server: &HttpServer| {
        let log = server.log();
        log.iter()
            .filter(|line| *line == "grant refresh_token")
            .count()
    };
    let before = refreshed(&server);
    for round in 1..=2 {
        // The server takes no token any more that it gave.
        get(&server.at("/forget"));
        // Several at once are refused, and one of them brings the new token.
        let ids: Vec<u64> = (0..3)
            .map(|_| talk.send("tools/list", serde_json::json!({})))
            .collect();
        for id in ids {
            let answer = talk.answer(id);
            assert!(answer["result"]["tools"].is_array(), "{answer}");
        }
        assert_eq!(refreshed(&server) - before, round);
    }
    assert_eq!(talk.leave(), 0);
    for text in sandbox
        .everything()
        .into_iter()
        .chain([sandbox.read("talk.jsonl")])
    {
        assert!(
            !text.contains("access-token") && !text.contains("refresh-token"),
            "{text}"
        );
    }
}
