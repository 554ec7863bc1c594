//! A report as a flat list, for tools that show findings beside lines of a file: one for each reason that waits or is
//! worth seeing, each warning, and whatever could not be checked.
//!
//! Acknowledged changes are none: in such tools what is listed is open.

use super::escape::{name, short};
use crate::fingerprint::Digest;
use crate::model::{Level, Problem, Warning};
use crate::report::{Change, Report, ServerReport};
use std::collections::BTreeMap;

/// The rule of what could not be checked, for tools that know only rules.
pub(super) const NOT_CHECKED: &str = "not-checked";

/// The rule of a review of the whole that is due.
const REVIEW_DUE: &str = "review-due";

/// The file where nobody says another.
const FILE: &str = "countersign.lock.json";

/// How much a finding matters, the most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// It could not be checked.
    Unknown,
    /// A material reason.
    Material,
    /// A warning, which never blocks.
    Warning,
    /// A minor reason.
    Minor,
}

/// One entry of the list. Its texts are escaped.
#[derive(Debug, Clone)]
pub(super) struct Finding {
    pub(super) weight: Weight,
    /// The id of a rule, of a warning, or [`NOT_CHECKED`].
    pub(super) rule: &'static str,
    /// One sentence that says what it is about.
    pub(super) text: String,
    /// `notes/tool:find_note`, or the server alone; empty for the run as a whole.
    pub(super) subject: String,
    /// The id of the change, if it is about one.
    pub(super) change: Option<String>,
    /// Where in the definition.
    pub(super) pointer: String,
    /// The line of the file, from 1, where it is known.
    pub(super) line: Option<usize>,
    /// 32 hexadecimal digits: the same for the same finding of another run, whatever moved in the file, and another one
    /// for the next change of the same item.
    pub(super) fingerprint: String,
}

/// The file that they are about, by its path from the root of the repository. Not escaped.
pub(super) fn file(report: &Report) -> &str {
    report.file.as_deref().unwrap_or(FILE)
}

/// The list, by weight and then in the order of the report.
pub(super) fn findings(report: &Report) -> Vec<Finding> {
    let mut list = List::default();
    if let Some(error) = &report.error {
        list.unknown(None, error);
    }
    for warning in &report.warnings {
        list.warning(None, warning);
    }
    for server in &report.servers {
        if let Some(error) = &server.error {
            list.unknown(Some(server), error);
        }
        for change in server.changes.iter().filter(|c| c.acknowledged.is_none()) {
            list.change(server, change);
        }
        for due in &server.due {
            let warning = Warning::new(REVIEW_DUE, due.message.clone());
            list.warning(Some(server), &warning);
            if let Some(last) = list.found.last_mut().filter(|_| server.due_fails) {
                last.weight = Weight::Material;
            }
        }
        for warning in &server.warnings {
            list.warning(Some(server), warning);
        }
    }
    list.found.sort_by_key(|finding| finding.weight);
    list.found
}

#[derive(Default)]
struct List {
    found: Vec<Finding>,
    /// How often an identity came up: two findings are never one.
    seen: BTreeMap<String, usize>,
}

impl List {
    fn unknown(&mut self, server: Option<&ServerReport>, problem: &Problem) {
        let subject = server.map(|server| name(server.name.as_str()));
        let text = match &subject {
            Some(server) => format!(
                "server {server} could not be checked: {}",
                short(&problem.message)
            ),
            None => format!("not everything was checked: {}", short(&problem.message)),
        };
        // The cause may be worded with times and numbers: it does not make another finding.
        let fingerprint = self.fingerprint(&[NOT_CHECKED, server_name(server)]);
        self.found.push(Finding {
            weight: Weight::Unknown,
            rule: NOT_CHECKED,
            text,
            subject: subject.unwrap_or_default(),
            change: None,
            pointer: String::new(),
            line: match server {
                Some(server) => server.line,
                None => problem.place.as_ref().map(|(_, line)| *line),
            },
            fingerprint,
        });
    }

    fn warning(&mut self, server: Option<&ServerReport>, warning: &Warning) {
        let subject = server
            .map(|server| name(server.name.as_str()))
            .unwrap_or_default();
        let about = if subject.is_empty() {
            String::new()
        } else {
            format!("server {subject}: ")
        };
        let identity = [
            warning.rule,
            server_name(server),
            &warning.path,
            &warning.message,
        ];
        let fingerprint = self.fingerprint(&identity);
        self.found.push(Finding {
            weight: Weight::Warning,
            rule: warning.rule,
            text: about + &short(&warning.message),
            subject,
            change: None,
            pointer: short(&warning.path),
            line: server.and_then(|server| server.line),
            fingerprint,
        });
    }

    fn change(&mut self, server: &ServerReport, change: &Change) {
        let (kind, event) = (change.key.kind.word(), change.event.word());
        let (server_name, item) = (name(server.name.as_str()), name(change.key.name.as_str()));
        for reason in &change.reasons {
            let identity = [reason.rule, change.id.as_str(), reason.path.as_str()];
            let fingerprint = self.fingerprint(&identity);
            self.found.push(Finding {
                weight: match reason.level {
                    Level::Material => Weight::Material,
                    Level::Minor => Weight::Minor,
                },
                rule: reason.rule,
                text: format!(
                    "{kind} {server_name}/{item} {event}: {} (change {})",
                    short(&reason.message),
                    change.id
                ),
                subject: format!("{server_name}/{kind}:{item}"),
                change: Some(change.id.clone()),
                pointer: short(reason.path.as_str()),
                line: change.line,
                fingerprint,
            });
        }
    }

    fn fingerprint(&mut self, identity: &[&str]) -> String {
        // Lengths keep parts apart whatever they hold.
        let parts = identity
            .iter()
            .map(|part| format!("{}:{part}\n", part.len()));
        let identity: String = parts.collect();
        let times = self.seen.entry(identity.clone()).or_default();
        *times += 1;
        let mut hex = Digest::of(&format!("{identity}{times}")).hex();
        hex.truncate(32);
        hex
    }
}

fn server_name(server: Option<&ServerReport>) -> &str {
    server.map_or("", |server| server.name.as_str())
}
