//! What is told of one look: as lines for a log, as a JSON document, as variables for a command. Everything that came
//! from outside is escaped.

use super::super::check::{Observation, Seen};
use super::super::judge;
use crate::model::{ItemKey, Level, Problem, Warning};
use crate::pair;
use crate::render::{self, escape, heard};
use crate::report::{Change, Outcome, Report, ServerReport};
use crate::runtime::watch::{Heard, Sight};
use crate::store::{Observed, What};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

/// The version of the shape of the documents.
const VERSION: u8 = 1;

/// One look, and what it is judged to be.
pub(super) struct Telling<'a> {
    /// When, RFC 3339.
    pub(super) at: String,
    pub(super) observation: &'a Observation,
    /// What of the server differs from the lockfile.
    pub(super) report: &'a Report,
    /// Whether less is said.
    pub(super) quiet: bool,
    /// Whether it is not what was told before, and what that was is gone from the data directory.
    pub(super) is_step_lost: bool,
}

/// What is odd about a list that is another one each time it is asked for.
pub(super) const VARIES: &str = "list-varies";

/// What is told by itself.
pub(super) enum Event<'a> {
    /// The server answered for the first time in this run.
    Watching,
    /// What it offers is not what it offered.
    Change { steps: Vec<Step<'a>>, heard: Heard },
    /// It could not be asked.
    Unreachable(&'a Problem),
    /// It answers again, after so long.
    Reachable(Option<Duration>),
    /// A list was another one when it was asked for again, and it is not known which holds.
    Varies(&'a Warning),
    /// The lockfile does not know its launch.
    NotStarted,
    /// Its configuration disables it.
    Disabled,
}

/// What happened to one item.
pub(super) struct Step<'a> {
    key: &'a ItemKey,
    event: pair::Event,
    /// Of a change that the history tells; an item that is seen for the first time has none.
    observed: Option<&'a Observed>,
    /// What it comes to beside the lockfile; `None` where it is as accepted.
    change: Option<&'a Change>,
}

impl Event<'_> {
    fn word(&self) -> &'static str {
        match self {
            Self::Watching => "watching",
            Self::Change { .. } => "change",
            Self::Unreachable(_) => "unreachable",
            Self::Reachable(_) => "reachable",
            Self::Varies(_) => "varies",
            Self::NotStarted => "not-started",
            Self::Disabled => "disabled",
        }
    }
}

impl Step<'_> {
    fn level(&self) -> Level {
        match (self.observed, self.change) {
            (Some(step), _) => {
                let levels = step.reasons.iter().map(|reason| reason.level);
                levels.max().unwrap_or(Level::Material)
            }
            (None, Some(change)) => change.level(),
            (None, None) => Level::Minor,
        }
    }

    fn rules(&self) -> BTreeSet<&str> {
        match (self.observed, self.change) {
            (Some(step), _) => step.reasons.iter().map(|r| r.rule.as_str()).collect(),
            (None, Some(change)) => change.reasons.iter().map(|reason| reason.rule).collect(),
            (None, None) => BTreeSet::new(),
        }
    }

    fn waits(&self) -> bool {
        self.change.is_some_and(Change::waits)
    }

    /// How the item stands beside the lockfile now.
    fn standing(&self) -> &'static str {
        match self.change {
            None => "as accepted",
            Some(change) if change.waits() => "waits for acknowledgement",
            Some(change) if change.acknowledged.is_some() => "acknowledged",
            Some(change) if change.marked => "passes unreviewed",
            Some(_) => "does not wait",
        }
    }
}

impl<'a> Telling<'a> {
    /// What is told, in order, of what the history learned.
    pub(super) fn events(
        &self,
        news: &'a [What],
        sight: Option<Sight>,
        is_first: bool,
    ) -> Vec<Event<'a>> {
        let heard = sight
            .and_then(|sight| sight.changed)
            .unwrap_or(Heard::Unheard(None));
        let mut events = Vec::new();
        let seen = &self.observation.seen;
        match seen {
            Ok(Seen::NotStarted) => events.push(Event::NotStarted),
            Ok(Seen::Disabled) => events.push(Event::Disabled),
            Err(problem) => events.push(Event::Unreachable(problem)),
            Ok(Seen::Offered(offer)) => {
                let away = sight.and_then(|sight| sight.away);
                if away.is_some() || news.contains(&What::Reachable) {
                    events.push(Event::Reachable(away));
                }
                if is_first
                    || news
                        .iter()
                        .any(|what| matches!(what, What::FirstSight { .. }))
                {
                    events.push(Event::Watching);
                }
                let notes = offer.notes.iter();
                events.extend(notes.filter(|note| note.rule == VARIES).map(Event::Varies));
            }
        }
        if self.is_step_lost {
            let servers = self.report.servers.iter();
            let changes = servers.flat_map(|server| &server.changes);
            let steps: Vec<Step<'_>> = changes
                .map(|change| self.step(&change.key, change.event, None))
                .collect();
            events.extend((!steps.is_empty()).then_some(Event::Change { steps, heard }));
        }
        for what in news {
            if let What::Change { changes, items, .. } = what {
                let steps = changes
                    .iter()
                    .map(|step| self.step(&step.key, step.event, Some(step)));
                let added = |key| self.step(key, pair::Event::Added, None);
                let new = items.iter().map(added);
                let steps = steps.chain(new).collect();
                events.push(Event::Change { steps, heard });
            }
        }
        events
    }

    fn step(
        &self,
        key: &'a ItemKey,
        event: pair::Event,
        observed: Option<&'a Observed>,
    ) -> Step<'a> {
        let changes = self
            .report
            .servers
            .iter()
            .flat_map(|server| &server.changes);
        let mut changes = changes.filter(|change| change.key == *key);
        Step {
            key,
            event,
            observed,
            change: changes.next(),
        }
    }

    /// What happened, a line each thing.
    pub(super) fn lines(&self, event: &Event<'_>) -> String {
        let name = escape::name(self.observation.spec.name.as_str());
        let line = |text: &str| format!("{}  {name}  {text}\n", self.at);
        match event {
            Event::Watching | Event::Disabled | Event::Reachable(_) if self.quiet => String::new(),
            Event::Watching => line(&format!("watching  {}; {}", self.offered(), self.waiting())),
            Event::Change { steps, heard } => steps
                .iter()
                .filter(|step| !self.quiet || step.waits())
                .map(|step| line(&step_words(step, *heard)))
                .collect(),
            Event::Unreachable(problem) => line(&format!(
                "unreachable  {}: {}",
                problem.kind,
                escape::short(&problem.message)
            )),
            Event::Reachable(None) => line("reachable again"),
            Event::Reachable(Some(away)) => {
                line(&format!("reachable again  after {}", heard::span(*away)))
            }
            Event::Varies(note) => line(&format!("varies  {}", escape::line(&note.message))),
            Event::NotStarted => line(&format!("not started  {}", self.waiting())),
            Event::Disabled => line("disabled  in its configuration"),
        }
    }

    fn offered(&self) -> String {
        let offered = self.observation.offered();
        offered.map_or_else(String::new, judge::offered)
    }

    fn waiting(&self) -> String {
        let changes = self
            .report
            .servers
            .iter()
            .flat_map(|server| &server.changes);
        match changes.filter(|change| change.waits()).count() {
            0 => "nothing waits".to_owned(),
            1 => "1 material change waits for acknowledgement".to_owned(),
            more => format!("{more} material changes wait for acknowledgement"),
        }
    }

    fn outcome(&self) -> &'static str {
        let outcomes = self.report.servers.iter().map(ServerReport::outcome);
        match outcomes.max() {
            Some(Outcome::Drift) => "drift",
            Some(Outcome::Unknown) => "unknown",
            Some(Outcome::Disabled) => "disabled",
            _ => "clean",
        }
    }

    /// The same as one JSON document on one line.
    pub(super) fn document(&self, event: &Event<'_>) -> String {
        let mut value = json!({
            "watch": VERSION,
            "at": self.at,
            "server": self.observation.spec.name.as_str(),
            "event": event.word(),
            "outcome": self.outcome(),
        });
        match event {
            Event::Change { steps, heard } => {
                value["announced"] = json!(heard.announced());
                value["delayMs"] = json!(heard.delay().map(|delay| delay.as_millis()));
                value["steps"] = steps.iter().map(step_value).collect();
            }
            Event::Reachable(away) => {
                value["awayMs"] = json!(away.map(|away| away.as_millis()));
            }
            Event::Varies(note) => value["message"] = json!(note.message),
            Event::Unreachable(problem) => value["error"] = render::problem_value(problem),
            _ => {}
        }
        value["report"] = render::report_value(self.report);
        render::document_line(&value)
    }

    /// What a command is told beside the document.
    pub(super) fn variables(&self, event: &Event<'_>) -> Vec<(&'static str, String)> {
        let mut variables = vec![
            ("COUNTERSIGN_EVENT", event.word().to_owned()),
            ("COUNTERSIGN_AT", self.at.clone()),
            (
                "COUNTERSIGN_SERVER",
                escape::name(self.observation.spec.name.as_str()),
            ),
            ("COUNTERSIGN_OUTCOME", self.outcome().to_owned()),
        ];
        if let Event::Change { steps, heard } = event {
            let level = steps.iter().map(Step::level).max();
            let level = level.map_or_else(String::new, |level| level.to_string());
            let waits = steps.iter().any(Step::waits);
            let announced = match heard.announced() {
                Some(true) => "true",
                Some(false) => "false",
                None => "",
            };
            variables.extend([
                ("COUNTERSIGN_LEVEL", level),
                ("COUNTERSIGN_WAITS", waits.to_string()),
                ("COUNTERSIGN_ANNOUNCED", announced.to_owned()),
            ]);
        }
        variables
    }
}

fn step_words(step: &Step<'_>, heard: Heard) -> String {
    let rules: Vec<&str> = step.rules().into_iter().collect();
    let former = step.observed.and_then(|observed| observed.former.as_ref());
    let former = former.map_or_else(String::new, |key| {
        format!(" (was {})", escape::name(key.name.as_str()))
    });
    format!(
        "{}  {} {}{former}  {} {}  {}  {}",
        step.event.word(),
        step.key.kind.word(),
        escape::name(step.key.name.as_str()),
        step.level(),
        rules.join(", "),
        heard::words(heard.announced(), heard.delay()),
        step.standing()
    )
}

fn step_value(step: &Step<'_>) -> Value {
    let former = step.observed.and_then(|observed| observed.former.as_ref());
    json!({
        "id": step.observed.map(|observed| observed.id.as_str()),
        "kind": step.key.kind.word(),
        "name": step.key.name.as_str(),
        "former": former.map(|key| key.name.as_str()),
        "event": step.event.word(),
        "level": step.level().to_string(),
        "rules": step.rules(),
        "waits": step.waits(),
    })
}
