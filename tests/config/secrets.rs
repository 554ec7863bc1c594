//! Secrets reach the server that they are for, and nothing else.

use crate::support::{
    FIXTURES, MARK, broken, entry, environment, fixture, fixtures, launch_text, texts,
};
use countersign::config::load;
use countersign::model::SpecState;
use std::path::Path;

#[test]
fn no_secret_of_any_configuration_is_kept_or_shown() {
    let mut checked = 0;
    for name in fixtures() {
        let mut in_endpoints = false;
        for spec in fixture(&name) {
            let mut shown = vec![
                launch_text(&spec),
                format!("{:?} {:?} {:?}", spec.launch, spec.secrets, spec.warnings),
            ];
            match &spec.state {
                SpecState::Ready(endpoint) => {
                    for text in texts(endpoint) {
                        in_endpoints |= text.contains(MARK);
                        shown.push(spec.secrets.redact(&text));
                    }
                }
                SpecState::Broken(problem) => shown.push(format!("{problem:?}")),
                SpecState::Disabled => {}
            }
            for text in shown {
                assert!(!text.contains(MARK), "{name}: {text}");
            }
            checked += 1;
        }
        assert!(
            in_endpoints,
            "{name}: a secret reaches the server that it is for"
        );
    }
    assert!(checked > 50);
}

/// A configuration that breaks off anywhere, or lacks a line, is an error at most, and tells no secret.
#[test]
fn no_secret_of_a_broken_configuration_is_kept_or_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut refused, mut read) = (0, 0);
    for name in fixtures() {
        let text = std::fs::read_to_string(Path::new(FIXTURES).join(&name)).expect("a fixture");
        let path = folder.path().join(&name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        let cut = (1..text.len()).step_by(5).map(|end| text[..end].to_owned());
        let lines: Vec<&str> = text.lines().collect();
        let lacking =
            (0..lines.len()).map(|at| [&lines[..at], &lines[at + 1..]].concat().join("\n"));
        for broken in cut.chain(lacking) {
            std::fs::write(&path, &broken).expect("written");
            match load(&path, &environment()) {
                Err(problem) => {
                    refused += 1;
                    let shown = format!("{problem:?}");
                    assert!(!shown.contains(MARK), "{name}: {shown}\n{broken}");
                }
                Ok(specs) => {
                    read += 1;
                    for spec in specs {
                        let problem = match &spec.state {
                            SpecState::Broken(problem) => Some(problem),
                            _ => None,
                        };
                        let shown = format!("{problem:?} {:?}", spec.warnings);
                        assert!(!shown.contains(MARK), "{name}: {shown}\n{broken}");
                    }
                }
            }
        }
    }
    assert!(refused > 1000 && read > 100, "{refused} {read}");
}

#[test]
fn a_rotated_secret_leaves_the_launch_as_it_is() {
    let of = |secret: &str| {
        let json = format!(
            r#"{{ "command": "notes", "args": ["--token", "{secret}", "--dsn=pg://u:{secret}@h/d"], "env": {{ "KEY": "{secret}" }} }}"#
        );
        entry(&json).launch
    };
    assert_eq!(of("s3cr3t-value-one"), of("s3cr3t-value-two"));
    let of = |secret: &str| {
        let json = format!(
            r#"{{ "url": "https://u:{secret}@h.invalid/?key={secret}", "headers": {{ "X-Any": "{secret}" }} }}"#
        );
        entry(&json).launch
    };
    assert_eq!(of("s3cr3t-value-one"), of("s3cr3t-value-two"));
}

#[test]
fn what_cannot_be_sent_is_refused_without_being_shown() {
    for (json, expected) in [
        (
            r#"{ "url": "ftp://u:s3cr3t-value-x@h.invalid/" }"#,
            "`url` begins with `ftp:`",
        ),
        (r#"{ "url": "s3cr3t-value-x" }"#, "`url` is no URL"),
        (r#"{ "url": "" }"#, "`url` is no URL"),
        (
            r#"{ "url": "https://h.invalid", "headers": { "A B": "s3cr3t-value-x" } }"#,
            "cannot name a header",
        ),
        (
            r#"{ "url": "https://h.invalid", "headers": { "A": "s3cr3t-value-x", "a": "s3cr3t-value-y" } }"#,
            "twice",
        ),
        (
            r#"{ "url": "https://h.invalid", "headers": { "A": "${MULTI_LINE}" } }"#,
            "line break",
        ),
    ] {
        let spec = entry(json);
        let message = &broken(&spec).message;
        assert!(
            message.contains(expected) && !message.contains(MARK),
            "{message}"
        );
    }
}

#[test]
fn values_that_stand_in_every_message_are_no_secrets() {
    let spec = entry(
        r#"{ "command": "x", "env": { "A": "true", "B": "1", "C": "info", "D": "s3cr3t-value-x" } }"#,
    );
    assert_eq!(
        spec.secrets.redact("true 1 info s3cr3t-value-x"),
        "true 1 info ${D}"
    );
    // In the identity they are left out all the same.
    let spec = entry(r#"{ "command": "x", "args": ["--password", "admin", "--auth=none"] }"#);
    assert_eq!(
        launch_text(&spec),
        r#"{"args":["--password","${redacted}","--auth=none"],"command":"x"}"#
    );
}

#[test]
fn an_escaped_or_encoded_secret_is_known_too() {
    let spec = entry(r#"{ "url": "https://app:s3cr3t%2Fx%20y@h.invalid/" }"#);
    assert_eq!(spec.secrets.redact("s3cr3t/x y"), "${url.password}");
    // `app:s3cr3t/x y`, which is what is sent.
    let redacted = spec.secrets.redact("Basic YXBwOnMzY3IzdC94IHk=");
    assert_eq!(redacted, "Basic ${url.user}");
}
