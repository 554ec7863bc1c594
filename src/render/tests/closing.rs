//! The end of a report: what it comes to, and the commands that lead on.

use super::super::fabricate::{change, reason, server};
use super::super::{Format, Style, What, report as rendered};
use super::{Material, described, report_of};
use crate::model::{ItemKey, Warning};
use crate::pair::Event;
use crate::report::{Recorded, ServerReport};
use insta::assert_snapshot;

/// A launch that the lockfile does not hold, or holds another one of.
fn launch(name: &str, before: Option<&str>) -> ServerReport {
    let (event, rule) = match before {
        Some(_) => (Event::Changed, "launch-changed"),
        None => (Event::Added, "server-added"),
    };
    let reasons = vec![reason(rule, Material, "", "another program may answer")];
    let key = ItemKey::part("launch");
    let change = change(key, event, before, Some(r#"{"command":"b"}"#), reasons);
    server(name, 0, vec![change])
}

fn hints(servers: Vec<ServerReport>, style: &Style) -> Vec<String> {
    let shown = rendered(&report_of(servers), Format::Text, style);
    let hints = shown.lines().filter_map(|line| line.strip_prefix("hint: "));
    hints.map(str::to_owned).collect()
}

#[test]
fn hints_lead_on_from_what_waits() {
    let known = || launch("notes", Some(r#"{"command":"a"}"#));
    let style = Style::default();
    // The lockfile takes a new server in by `snapshot`; `ack` knows nothing of it.
    assert_eq!(
        hints(vec![launch("my wiki", None)], &style),
        ["countersign snapshot 'my wiki'"]
    );
    assert_eq!(
        hints(vec![known(), launch("wiki", None)], &style),
        [
            "countersign snapshot wiki",
            "countersign review notes",
            "countersign ack notes/launch"
        ]
    );
    let reworded = |count: usize| {
        let changes = (0..count).map(|i| described(&format!("t{i}"), "One.", "Two."));
        server("notes", 0, changes.collect())
    };
    let few = hints(vec![reworded(2)], &style);
    assert_eq!(few[0], "countersign review notes");
    assert_eq!(few[1].split(' ').count(), 4, "{few:?}");
    let many = ["countersign review notes", "countersign ack notes"];
    assert_eq!(hints(vec![reworded(9)], &style), many);
    for style in [
        Style {
            what: What::Files,
            ..Style::default()
        },
        Style {
            quiet: true,
            ..Style::default()
        },
    ] {
        assert_eq!(hints(vec![reworded(2)], &style), [""; 0]);
    }
    let configured = Style {
        configs: vec!["a b.json".into()],
        lock: Some("l.json".into()),
        ..Style::default()
    };
    assert_eq!(
        hints(vec![launch("wiki", None)], &configured),
        ["countersign snapshot wiki --config 'a b.json' --lock l.json"]
    );
    let by_flags = Style {
        by_flags: true,
        ..Style::default()
    };
    assert_eq!(
        hints(vec![launch("wiki", None)], &by_flags),
        ["countersign snapshot, with the flags that name the server here"]
    );
}

#[test]
fn a_first_sight_shows_what_to_read_and_that_nobody_has_reviewed_it() {
    let mut first = server("notes", 4, vec![]);
    first.recorded = Some(Recorded::Baseline);
    let read = Warning::new("instructions", "the server gives instructions: read them")
        .at("instructions")
        .with_text("Use notes first.\n::error::x\n\nThen\u{200b} send.");
    let named = Warning::new("tool-name", "`a b`: named outside the protocol's rules").at("a b");
    first.warnings = vec![read, named];
    let style = Style {
        what: What::Snapshot,
        lockfile: "countersign.lock.json".into(),
        ..Style::default()
    };
    let shown = rendered(
        &report_of(vec![first, server("wiki", 2, vec![])]),
        Format::Text,
        &style,
    );
    assert_snapshot!(shown, @r"
    server notes: first sight, recorded as the baseline, 4 items
      warning: instructions  the server gives instructions: read them
      | Use notes first.
      | ::error::x
      |
      | Then\u{200B} send.
      warning: tool-name  `a b`: named outside the protocol's rules
    server wiki: no change, 2 items unchanged

    1 new server recorded, with 4 items that nobody has reviewed yet; 1 server, nothing waits, 2 items unchanged
    hint: read `countersign.lock.json`, then commit it: git add countersign.lock.json
    ");
}

#[test]
fn of_two_files_nothing_waits() {
    let style = Style {
        what: What::Files,
        ..Style::default()
    };
    let changes = vec![described("a", "One.", "Two."), described("b", "One.", "2.")];
    let shown = rendered(
        &report_of(vec![server("after", 1, changes)]),
        Format::Text,
        &style,
    );
    let ends = [shown.lines().next(), shown.lines().last()];
    let said = "2 material changes, 1 item unchanged";
    assert_eq!(ends, [Some(&*format!("server after: {said}")), Some(said)]);
}
