//! Servers that the command line names or adds to.

use crate::support::{MARK, endpoint, entry, environment, launch_text, texts};
use countersign::config::{CommandLine, add_to, from_command_line};
use countersign::model::{Endpoint, Launch, SpecState};

fn words() -> CommandLine {
    CommandLine {
        name: Some("x".into()),
        ..CommandLine::default()
    }
}

fn url(url: &str) -> CommandLine {
    CommandLine {
        url: Some(url.into()),
        ..words()
    }
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn a_url_of_the_command_line_follows_the_rules_of_configurations() {
    let spec = from_command_line(
        &CommandLine {
            headers: strings(&["X-Api-Key:  ${NOTES_TOKEN} ", "X-Any: s3cr3t-value-any"]),
            ..url("https://app:s3cr3t-value-url@h.invalid?token=s3cr3t-value-query")
        },
        &environment(),
    )
    .expect("a server");
    assert_eq!(
        launch_text(&spec),
        r#"{"auth":"header","headers":["x-any","x-api-key"],"url":"https://h.invalid/?token=${redacted}"}"#
    );
    let texts = texts(endpoint(&spec));
    assert_eq!(
        texts[1..],
        [
            "X-Api-Key: s3cr3t-value-variable",
            "X-Any: s3cr3t-value-any"
        ]
    );
    assert!(
        texts
            .iter()
            .all(|text| !spec.secrets.redact(text).contains(MARK))
    );
    assert!(spec.explicit && spec.origin.is_none());
}

#[test]
fn a_bearer_token_comes_from_a_variable() {
    let spec = from_command_line(
        &CommandLine {
            bearer_env: Some("NOTES_TOKEN".into()),
            ..url("https://h.invalid/mcp")
        },
        &environment(),
    )
    .expect("a server");
    assert_eq!(
        texts(endpoint(&spec))[1],
        "Authorization: Bearer s3cr3t-value-variable"
    );
    assert_eq!(
        spec.secrets.redact("s3cr3t-value-variable"),
        "${NOTES_TOKEN}"
    );
    let json = r#"{ "url": "https://h.invalid/mcp", "headers": { "Authorization": "Bearer x" } }"#;
    assert_eq!(spec.launch, entry(json).launch);
}

#[test]
fn a_command_of_the_command_line_stands_for_itself() {
    let spec = from_command_line(
        &CommandLine {
            command: strings(&[
                "./my server",
                "${NOTES_TOKEN}",
                "~/x",
                "--api-key",
                "s3cr3t-value-arg",
            ]),
            env: strings(&["NOTES_TOKEN", "OTHER=s3cr3t-value-other=x"]),
            ..words()
        },
        &environment(),
    )
    .expect("a server");
    assert_eq!(
        launch_text(&spec),
        r#"{"args":["${NOTES_TOKEN}","~/x","--api-key","${redacted}"],"command":"./my server","env":["NOTES_TOKEN","OTHER"]}"#
    );
    let texts = texts(endpoint(&spec));
    assert_eq!(
        texts,
        [
            "./my server",
            "${NOTES_TOKEN}",
            "/home/ada/x",
            "--api-key",
            "s3cr3t-value-arg",
            "NOTES_TOKEN=s3cr3t-value-variable",
            "OTHER=s3cr3t-value-other=x",
        ]
    );
    assert!(
        texts
            .iter()
            .all(|text| !spec.secrets.redact(text).contains(MARK))
    );
}

#[test]
fn a_file_stands_for_a_server_without_launch() {
    let spec = from_command_line(
        &CommandLine {
            from: Some("tools.json".into()),
            ..words()
        },
        &environment(),
    )
    .expect("a server");
    assert!(spec.launch.is_none());
    assert!(*endpoint(&spec) == Endpoint::File("tools.json".into()));
}

#[test]
fn words_that_do_not_fit_are_usage_errors_that_show_no_value() {
    let with = |change: &dyn Fn(&mut CommandLine)| {
        let mut words = url("https://h.invalid/mcp");
        change(&mut words);
        words
    };
    for (words, expected) in [
        (words(), "names the server"),
        (with(&|w| w.command = strings(&["x"])), "names the server"),
        (with(&|w| w.name = None), "`--name NAME` is missing"),
        (
            with(&|w| w.env = strings(&["A=s3cr3t-value-x"])),
            "`--env` fits",
        ),
        (
            with(&|w| w.headers = strings(&["s3cr3t-value-x"])),
            "`-H` wants",
        ),
        (
            with(&|w| w.headers = strings(&["A B: s3cr3t-value-x"])),
            "`-H` wants",
        ),
        (
            with(&|w| w.headers = strings(&["A: s3cr3t-value-x", "a: s3cr3t-value-y"])),
            "given twice",
        ),
        (
            with(&|w| w.headers = strings(&["A: ${UNSET}"])),
            "`-H A` needs the variable `UNSET`",
        ),
        (
            with(&|w| w.headers = strings(&["A: ${MULTI_LINE}"])),
            "`-H A` holds a control character",
        ),
        (
            with(&|w| w.bearer_env = Some("UNSET".into())),
            "needs the variable `UNSET`",
        ),
        (with(&|w| w.bearer_env = Some("EMPTY".into())), "`EMPTY`"),
        (
            with(&|w| w.url = Some("s3cr3t-value-x".into())),
            "`--url` is no URL",
        ),
        (
            with(&|w| w.url = Some("https://${UNSET}/".into())),
            "`--url` needs the variable",
        ),
        (
            with(&|w| {
                w.url = None;
                w.command = strings(&["x"]);
                w.headers = strings(&["A: s3cr3t-value-x"]);
            }),
            "`--bearer-env` and `--token-command` fit",
        ),
        (
            with(&|w| {
                w.url = None;
                w.command = strings(&["x"]);
                w.env = strings(&["UNSET"]);
            }),
            "the variable `UNSET` of `--env` is not set",
        ),
        (
            with(&|w| {
                w.url = None;
                w.command = strings(&["x"]);
                w.env = strings(&["=s3cr3t-value-x"]);
            }),
            "`--env` wants",
        ),
    ] {
        let problem = from_command_line(&words, &environment())
            .err()
            .expect(expected);
        assert_eq!(problem.kind, "usage", "{expected}");
        assert!(problem.message.contains(expected), "{problem:?}");
        assert!(!format!("{problem:?}").contains(MARK), "{problem:?}");
    }
}

#[test]
fn what_the_command_line_adds_reaches_the_servers_that_it_fits() {
    let mut specs = vec![
        entry(r#"{ "url": "https://h.invalid/", "headers": { "authorization": "Basic eA==" } }"#),
        entry(r#"{ "command": "x", "env": { "A": "from the configuration" } }"#),
        entry(r#"{ "url": "https://h.invalid/", "disabled": true }"#),
    ];
    let words = CommandLine {
        bearer_env: Some("NOTES_TOKEN".into()),
        env: strings(&["A=s3cr3t-value-a"]),
        ..CommandLine::default()
    };
    add_to(&mut specs, &words, &environment()).expect("all is set");
    assert_eq!(
        texts(endpoint(&specs[0])),
        [
            "https://h.invalid/",
            "Authorization: Bearer s3cr3t-value-variable"
        ]
    );
    assert!(matches!(&specs[0].launch, Some(Launch::Http { auth, .. }) if auth == "bearer"));
    assert_eq!(texts(endpoint(&specs[1])), ["x", "A=s3cr3t-value-a"]);
    assert_eq!(specs[1].secrets.redact("s3cr3t-value-a"), "${A}");
    // No server learns a secret that is not for it.
    assert_eq!(
        specs[1].secrets.redact("s3cr3t-value-variable"),
        "s3cr3t-value-variable"
    );
    assert!(matches!(specs[2].state, SpecState::Disabled));
}
