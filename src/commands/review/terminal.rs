//! The conversation at a terminal: shows an entry, waits for a key, does what the session says, and tells what became
//! of it. It decides nothing.

use super::decide::{Decider, Refused};
use super::session::{At, Effect, Entry, Session, Tally};
use super::{Review, World, words};
use crate::cli;
use crate::commands::{Output, style};
use crate::model::Problem;
use crate::policy;
use crate::render::{self, Style, Waiting, What, group};
use crate::report::Report;
use crate::store::ShownServer;
use crate::term::{self, Key, Written};
use std::collections::BTreeSet;

/// How a conversation ended.
pub(super) struct End {
    tally: Tally,
    /// Why it ended before the last entry, where somebody else is the cause.
    problem: Option<Problem>,
    /// Whether Ctrl-C ended it.
    is_interrupted: bool,
}

/// The status that shells give to a run that Ctrl-C ended.
const INTERRUPTED: u8 = 130;
/// The status of a run that could not go on.
const UNKNOWN: u8 = 2;

/// Goes through what waits. `None` if nothing does.
pub(super) fn go(
    review: &Review,
    report: &Report,
    looks: &[Option<ShownServer>],
    args: &cli::Review,
) -> Result<Option<End>, Problem> {
    let waiting = render::waiting(report);
    if waiting.is_empty() {
        return Ok(None);
    }
    let entries = waiting
        .iter()
        .map(|waiting| entry(review, report, waiting))
        .collect();
    let talk = Talk {
        style: style(review.world, What::Review { all: args.all }, None),
        decider: Decider::new(review, report, looks, args.by.as_deref()),
        report,
        waiting,
    };
    term::err(&render::notes(report)).map_err(|error| unwritten(&error))?;
    talk.say(&render::preface(report, &talk.style))?;
    // What was shown before of another snapshot is not what is shown now.
    for server in 0..report.servers.len() {
        talk.decider.mark_seen(server, &BTreeSet::new())?;
    }
    talk.go(Session::new(entries)).map(Some)
}

/// What to say at the end: what was done, and what waits by now.
pub(super) fn leave(world: &World, mut left: Report, end: &End) -> Output {
    for server in &mut left.servers {
        server.groups = group::groups(&server.changes);
    }
    let status = match (left.status(), &end.problem) {
        _ if end.is_interrupted => INTERRUPTED,
        (0, Some(_)) => UNKNOWN,
        (status, _) => status,
    };
    let style = style(world, What::Review { all: false }, None);
    Output {
        stdout: format!(
            "\n{}\n{}",
            words::told(end.tally),
            render::closing(&left, &style)
        ),
        stderr: end
            .problem
            .as_ref()
            .map(render::problem)
            .unwrap_or_default(),
        status,
    }
}

fn entry(review: &Review, report: &Report, waiting: &Waiting) -> Entry {
    let server = &report.servers[waiting.server];
    if waiting.is_review() {
        return Entry {
            changes: BTreeSet::new(),
            whole: Some(waiting.server),
            needs_note: policy::of_server(&review.lockfile, &server.name).require_note,
        };
    }
    let changes = waiting.changes();
    let needs_note = changes.iter().any(|change| {
        let change = &server.changes[*change];
        let mut keys = std::iter::once(&change.key).chain(&change.former);
        keys.any(|key| policy::of(&review.lockfile, &server.name, key).require_note)
    });
    Entry {
        changes: changes.into_iter().map(|at| (waiting.server, at)).collect(),
        whole: None,
        needs_note,
    }
}

/// What came of doing what a key asked for.
enum Came {
    /// It is done.
    Done,
    /// It was refused: the session stays as it was.
    Refused,
    /// A line was asked for, and this was said.
    Line(String),
    /// The conversation is over.
    Over(Option<Problem>),
}

struct Talk<'a> {
    style: Style,
    decider: Decider<'a>,
    report: &'a Report,
    waiting: Vec<Waiting<'a>>,
}

impl Talk<'_> {
    fn go(&self, mut session: Session) -> Result<End, Problem> {
        let mut effects = vec![Effect::Show];
        let mut is_interrupted = false;
        let problem = 'over: loop {
            let before = session.clone();
            if effects.is_empty() {
                let prompt = words::prompt(&self.place(&session), self.style.width);
                self.say(&render::question(&prompt, &self.style))?;
                let pressed = term::key().map_err(|error| {
                    Problem::new("terminal", format!("cannot read the terminal: {error}"))
                })?;
                let wish = match pressed {
                    Key::Char(c) => words::wish(c),
                    Key::Interrupt | Key::Gone => {
                        is_interrupted = pressed == Key::Interrupt;
                        self.say("\n")?;
                        break 'over None;
                    }
                    Key::Other => None,
                };
                let Some((wish, word)) = wish else {
                    self.say("? lists the keys\n")?;
                    continue;
                };
                self.say(&format!("{word}\n"))?;
                effects = session.wish(wish);
            }
            for effect in std::mem::take(&mut effects) {
                match self.perform(&session, &effect)? {
                    Came::Done => {}
                    Came::Refused => {
                        session = before;
                        break;
                    }
                    Came::Line(line) => {
                        effects = session.noted(&line);
                        break;
                    }
                    Came::Over(problem) => {
                        if problem.is_some() {
                            session = before;
                        }
                        break 'over problem;
                    }
                }
            }
        };
        Ok(End {
            tally: session.tally(),
            problem,
            is_interrupted,
        })
    }

    fn perform(&self, session: &Session, effect: &Effect) -> Result<Came, Problem> {
        match effect {
            Effect::Show => self.show(session),
            Effect::Record(records) => self.written(self.decider.record(records)),
            Effect::Review(server, note) => self.written(self.decider.review(*server, note)),
            Effect::Block(changes) => self.written(self.decider.block(changes)),
            Effect::BlockServer(server) => self.written(self.decider.block_server(*server)),
            Effect::Whole => {
                let waiting = &self.waiting[session.at()];
                let text = if waiting.is_review() {
                    self.decider.accepted(waiting.server)?
                } else {
                    waiting.whole()
                };
                if let Err(error) = term::page(&text) {
                    let problem =
                        Problem::new("terminal", format!("cannot show it whole: {error}"))
                            .with_hint("PAGER= countersign review");
                    term::err(&render::problem(&problem)).map_err(|error| unwritten(&error))?;
                }
                Ok(Came::Done)
            }
            Effect::AskNote { required } => {
                let question = if *required {
                    "the policy asks for a note; why is it fine?"
                } else {
                    "note:"
                };
                let line = term::ask(question).map_err(|error| unwritten(&error))?;
                Ok(Came::Line(line.unwrap_or_default()))
            }
            Effect::Say(said) => {
                self.say(&words::said(said, |at| self.named(at)))?;
                Ok(Came::Done)
            }
            Effect::End => Ok(Came::Over(None)),
        }
    }

    fn show(&self, session: &Session) -> Result<Came, Problem> {
        let waiting = &self.waiting[session.at()];
        if let Err(refused) = self.decider.check_newest(&[waiting.server].into()) {
            return self.written(Err(refused));
        }
        self.say(&format!(
            "\n{}",
            waiting.show(&self.place(session), &self.style)
        ))?;
        self.decider.mark_seen(waiting.server, &session.seen())?;
        // Nobody acknowledges this entry by a key that was pressed before it stood there.
        term::forget_keys();
        Ok(Came::Done)
    }

    /// What came of a decision, said.
    fn written(&self, outcome: Result<String, Refused>) -> Result<Came, Problem> {
        match outcome {
            Ok(lines) => {
                self.say(&lines)?;
                Ok(Came::Done)
            }
            Err(Refused::Decision(problem)) => {
                term::err(&render::problem(&problem)).map_err(|error| unwritten(&error))?;
                Ok(Came::Refused)
            }
            Err(Refused::Outdated(problem)) => Ok(Came::Over(Some(problem))),
        }
    }

    fn place(&self, session: &Session) -> String {
        format!("[{}/{}]", session.at() + 1, self.waiting.len())
    }

    fn named(&self, (server, change): At) -> String {
        let server = &self.report.servers[server];
        let name = render::escape::name;
        let item = &server.changes[change].key.name;
        format!("{}/{}", name(server.name.as_str()), name(item.as_str()))
    }

    #[expect(
        clippy::unused_self,
        reason = "the one place where the conversation writes"
    )]
    fn say(&self, text: &str) -> Result<Written, Problem> {
        term::out(text).map_err(|error| unwritten(&error))
    }
}

fn unwritten(error: &std::io::Error) -> Problem {
    Problem::new("terminal", format!("cannot write to the terminal: {error}"))
}
