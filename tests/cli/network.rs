//! What stands between: certificates, proxies, sockets.

use crate::support::{Output, Sandbox, repository, text};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A fixture on a port of its own; it ends with the test.
pub(crate) struct Fixture {
    child: Child,
    pub(crate) port: u16,
    /// What it wrote to standard error so far.
    log: std::path::PathBuf,
}

impl Drop for Fixture {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Fixture {
    pub(crate) fn start(sandbox: &Sandbox, script: &str, args: &[&str]) -> Self {
        let log = sandbox.path(&format!("{script}.log"));
        let mut child = Command::new("python3")
            .arg(repository(&format!("fixtures/hostile/{script}")))
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log).expect("a log"))
            .spawn()
            .expect("python starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe"))
            .read_line(&mut line)
            .expect("a line");
        let port = line.trim().strip_prefix("PORT=");
        Self {
            child,
            port: port.and_then(|port| port.parse().ok()).expect("a port"),
            log,
        }
    }

    fn log(&self) -> Vec<String> {
        let log = fs::read_to_string(&self.log).expect("a log");
        log.lines().map(str::to_owned).collect()
    }
}

fn openssl(folder: &Path, words: &str) {
    let output = Command::new("openssl")
        .args(words.split_whitespace())
        .current_dir(folder)
        .output()
        .expect("openssl is installed");
    assert!(output.status.success(), "{output:?}");
}

/// An authority in `ca.pem`, and a certificate of it for this host and for `mcp.test`.
fn certificates(folder: &Path) {
    const KEY: &str = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    openssl(
        folder,
        &format!("req -x509 {KEY} -keyout ca.key -out ca.pem -days 2 -subj /CN=nobody"),
    );
    openssl(
        folder,
        &format!(
            "req {KEY} -keyout key.pem -out request.pem -subj /CN=mcp.test -addext subjectAltName=IP:127.0.0.1,DNS:mcp.test"
        ),
    );
    openssl(
        folder,
        "x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -copy_extensions copy -out cert.pem",
    );
}

/// A sandbox with certificates in it, and a server that uses them.
fn with_tls() -> (Sandbox, Fixture) {
    let sandbox = Sandbox::new();
    certificates(&sandbox.path(""));
    let (cert, key) = (sandbox.path("cert.pem"), sandbox.path("key.pem"));
    let args = ["--tls", &text(&cert), &text(&key)];
    let server = Fixture::start(&sandbox, "http_server.py", &args);
    (sandbox, server)
}

fn snapshot(sandbox: &Sandbox, url: &str, more: &[&str]) -> Output {
    sandbox.run(&[&["snapshot", "--name", "far", "--url", url], more].concat())
}

#[test]
fn an_authority_that_nobody_knows_is_named_by_a_flag_or_a_variable() {
    let (sandbox, server) = with_tls();
    let url = format!("https://127.0.0.1:{}/plain", server.port);
    let output = snapshot(&sandbox, &url, &[]).expect(2);
    assert!(output.stdout.contains("UnknownIssuer"), "{output:?}");
    assert!(output.stdout.contains("--ca-cert FILE"), "{output:?}");

    snapshot(&sandbox, &url, &["--ca-cert", "ca.pem"]).expect(0);
    sandbox.set("SSL_CERT_FILE", &text(&sandbox.path("ca.pem")));
    snapshot(&sandbox, &url, &[]).expect(0);
}

#[test]
fn a_file_without_certificates_is_refused_before_anything_is_reached() {
    let sandbox = Sandbox::new();
    sandbox.write("empty.pem", "");
    sandbox.write(
        "torn.pem",
        "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n",
    );
    for (file, cause) in [
        ("empty.pem", "no certificate"),
        ("torn.pem", "no certificate"),
        ("gone.pem", "No such file"),
    ] {
        let output = snapshot(&sandbox, "https://127.0.0.1:9/mcp", &["--ca-cert", file]).expect(2);
        let message = format!("`--ca-cert {file}` cannot be used: ");
        assert!(output.stderr.contains(&message), "{output:?}");
        assert!(output.stderr.contains(cause), "{output:?}");
    }
    sandbox.set("SSL_CERT_FILE", "gone.pem");
    let output = snapshot(&sandbox, "https://127.0.0.1:9/mcp", &[]).expect(2);
    assert!(
        output.stdout.contains("`SSL_CERT_FILE` names `gone.pem`"),
        "{output:?}"
    );
}

#[test]
fn a_proxy_is_asked_for_what_is_far_away() {
    let sandbox = Sandbox::new();
    let server = Fixture::start(&sandbox, "http_server.py", &[]);
    let proxy = Fixture::start(&sandbox, "proxy.py", &[&server.port.to_string()]);
    sandbox.set(
        "http_proxy",
        &format!("http://user:pass-0123456789@127.0.0.1:{}", proxy.port),
    );
    snapshot(&sandbox, "http://mcp.test/plain", &[]).expect(0);
    let log = proxy.log();
    assert!(
        log.iter().all(
            |line| line.starts_with("POST http://mcp.test/plain HTTP/1.1")
                || line.starts_with("GET http://mcp.test/plain HTTP/1.1")
        ),
        "{log:?}"
    );
    // `user:pass-0123456789` in base64.
    let basic = "Basic dXNlcjpwYXNzLTAxMjM0NTY3ODk=";
    assert!(
        !log.is_empty() && log.iter().all(|line| line.ends_with(basic)),
        "{log:?}"
    );
}

#[test]
fn a_proxy_carries_tls_that_it_cannot_read() {
    let (sandbox, server) = with_tls();
    let proxy = Fixture::start(&sandbox, "proxy.py", &[&server.port.to_string()]);
    sandbox.set("HTTPS_PROXY", &format!("http://127.0.0.1:{}", proxy.port));
    let url = "https://mcp.test/plain";
    snapshot(&sandbox, url, &["--ca-cert", "ca.pem"]).expect(0);
    let log = proxy.log();
    assert!(
        !log.is_empty()
            && log
                .iter()
                .all(|line| line == "CONNECT mcp.test:443 HTTP/1.1"),
        "{log:?}"
    );
}

#[test]
fn loopback_and_what_no_proxy_names_are_reached_without() {
    let sandbox = Sandbox::new();
    let server = Fixture::start(&sandbox, "http_server.py", &[]);
    for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        // Nothing listens there.
        sandbox.set(name, "http://user:pass-0123456789@127.0.0.1:9");
    }
    for host in ["127.0.0.1", "localhost"] {
        let url = format!("http://{host}:{}/plain", server.port);
        sandbox
            .run(&["snapshot", "--name", host, "--url", &url])
            .expect(0);
    }
    let output = snapshot(&sandbox, "http://mcp.test/plain", &[]).expect(2);
    assert!(
        output.stdout.contains("(`HTTP_PROXY` names a proxy)"),
        "{output:?}"
    );
    assert!(!output.stdout.contains("pass-0123456789"), "{output:?}");
    sandbox.set("NO_PROXY", "other.test,mcp.test");
    let output = snapshot(&sandbox, "http://mcp.test/plain", &[]).expect(2);
    assert!(!output.stdout.contains("refused"), "{output:?}");
}

#[test]
fn an_entry_of_the_older_transport_is_reached() {
    let sandbox = Sandbox::new();
    let server = Fixture::start(&sandbox, "http_server.py", &[]);
    let url = format!("http://127.0.0.1:{}/sse", server.port);
    let config = format!(r#"{{ "mcpServers": {{ "old": {{ "type": "sse", "url": "{url}" }} }} }}"#);
    sandbox.write("mcp.json", config);
    let run = |command: &str| sandbox.run(&[command, "--config", "mcp.json"]);
    run("snapshot").expect(0);
    let lock: serde_json::Value =
        serde_json::from_str(&sandbox.read("countersign.lock.json")).expect("JSON");
    assert!(
        lock["servers"]["old"]["tools"]["echo"].is_object(),
        "{lock}"
    );
    run("diff").expect(0);
}

#[cfg(unix)]
#[test]
fn a_socket_that_a_configuration_names_is_reached() {
    let sandbox = Sandbox::new();
    let socket = text(&sandbox.path("s.sock"));
    let _server = Fixture::start(&sandbox, "http_server.py", &["--unix", &socket]);
    let config = format!(
        r#"{{ "servers": {{ "near": {{ "type": "http", "url": "unix://{socket}#/session" }},
            "gone": {{ "type": "http", "url": "unix://{socket}.not#/session" }},
            "pipe": {{ "type": "http", "url": "pipe:///pipe/x#/mcp" }} }} }}"#
    );
    sandbox.write("mcp.json", config);
    let run = |name: &str| sandbox.run(&["snapshot", "--config", "mcp.json", name]);
    run("near").expect(0);
    let lock: serde_json::Value =
        serde_json::from_str(&sandbox.read("countersign.lock.json")).expect("JSON");
    assert_eq!(
        lock["servers"]["near"]["launch"]["definition"]["url"],
        format!("unix://{socket}#/session")
    );
    let gone = run("gone").expect(2);
    assert!(
        gone.stdout
            .contains("cannot connect to `unix:[SANDBOX]/project/s.sock.not`"),
        "{gone:?}"
    );
    let pipe = run("pipe").expect(2);
    assert!(pipe.stdout.contains("begins with `pipe:`"), "{pipe:?}");
}
