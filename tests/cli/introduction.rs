//! What countersign says about itself to a server: its name and its capabilities.

use crate::support::{Sandbox, repository, text};

/// What the server that depends on `what` offers when it is asked with these flags.
fn offered(what: &str, flags: &[&str]) -> String {
    let sandbox = Sandbox::new();
    sandbox.write("sampling.json", r#"{ "sampling": {} }"#);
    sandbox.write("nothing.json", "{}");
    let script = text(&repository("fixtures/hostile/varies.py"));
    let server = ["--name", "x", "--", "python3", &script, what];
    sandbox
        .run(&[&["snapshot"], flags, &server].concat())
        .expect(0);
    // How it was asked is remembered beside what was answered.
    let history = serde_json::to_string(&sandbox.history()).expect("JSON");
    sandbox.read("countersign.lock.json") + &history
}

#[test]
fn a_server_sees_the_name_that_was_chosen() {
    assert!(!offered("client", &[]).contains("mail"));
    let other = offered("client", &["--client-info", "claude-ai/0.1.0"]);
    assert!(
        other.contains("mail") && other.contains("claude-ai/0.1.0"),
        "{other}"
    );
}

#[test]
fn a_server_sees_the_capabilities_that_were_chosen() {
    for (flags, expected) in [
        (&[][..], true),
        (&["--capabilities", "host"], true),
        (&["--capabilities", "none"], false),
        (&["--capabilities", "sampling.json"], true),
        (&["--capabilities", "nothing.json"], false),
    ] {
        let seen = offered("capabilities", flags);
        assert_eq!(seen.contains("summarize"), expected, "{flags:?}: {seen}");
    }
    assert!(
        offered("capabilities", &["--capabilities", "sampling.json"]).contains("sampling.json")
    );
}

#[test]
fn what_is_no_introduction_is_refused_before_anything_is_started() {
    let sandbox = Sandbox::new();
    sandbox.write("list.json", "[]");
    sandbox.write("broken.json", "{");
    let count = text(&sandbox.path("count"));
    let script = text(&repository("fixtures/hostile/varies.py"));
    for (flag, value, expected) in [
        ("--client-info", "claude-ai", "is not NAME/VERSION"),
        ("--client-info", "/1", "is not NAME/VERSION"),
        (
            "--capabilities",
            "gone.json",
            "`--capabilities gone.json` is neither",
        ),
        ("--capabilities", "list.json", "it holds something else"),
        (
            "--capabilities",
            "broken.json",
            "`--capabilities broken.json` is neither",
        ),
    ] {
        let server = ["--name", "x", "--", "python3", &script, "start", &count];
        let output = sandbox
            .run(&[&["snapshot", flag, value][..], &server].concat())
            .expect(2);
        assert!(
            output.stderr.contains(expected),
            "{value}: {}",
            output.stderr
        );
        assert!(!sandbox.path("count").exists(), "{value}: it was started");
    }
}
