//! The conversation at a terminal: shows an entry, waits for a key, does what the session says, and tells what became
//! of it. It decides nothing.

use super::decide::{Decider, Refused};
use super::session::{At, Effect, Entry, Said, Session, Tally, Wish};
use super::{Review, World};
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

/// The keys, and what each does in a word.
const KEYS: [(char, Wish, &str); 8] = [
    ('a', Wish::Acknowledge, "ack"),
    ('s', Wish::Skip, "skip"),
    ('b', Wish::Block, "block"),
    ('w', Wish::Whole, "whole"),
    ('n', Wish::Note, "note"),
    ('p', Wish::Back, "back"),
    ('q', Wish::Quit, "quit"),
    ('?', Wish::Help, "help"),
];

/// The columns of the longest of these words.
const LONGEST: usize = 5;

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
        stdout: format!("\n{}\n{}", told(end.tally), render::closing(&left, &style)),
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
    let changes = waiting.changes();
    let needs_note = changes.iter().any(|change| {
        let change = &server.changes[*change];
        let mut keys = std::iter::once(&change.key).chain(&change.former);
        keys.any(|key| policy::of(&review.lockfile, &server.name, key).require_note)
    });
    Entry {
        changes: changes.into_iter().map(|at| (waiting.server, at)).collect(),
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
                self.say(&self.prompt(&session))?;
                let pressed = term::key().map_err(|error| {
                    Problem::new("terminal", format!("cannot read the terminal: {error}"))
                })?;
                let wish = match pressed {
                    Key::Char(c) => KEYS.iter().find(|(key, ..)| *key == c.to_ascii_lowercase()),
                    Key::Interrupt | Key::Gone => {
                        is_interrupted = pressed == Key::Interrupt;
                        self.say("\n")?;
                        break 'over None;
                    }
                    Key::Other => None,
                };
                let Some((_, wish, word)) = wish else {
                    self.say("? lists the keys\n")?;
                    continue;
                };
                self.say(&format!("{word}\n"))?;
                effects = session.wish(*wish);
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
            Effect::Block(changes) => self.written(self.decider.block(changes)),
            Effect::Whole => {
                let text = self.waiting[session.at()].whole();
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
                self.say(&self.words(said))?;
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

    /// The question after an entry, with words where there is room for them.
    fn prompt(&self, session: &Session) -> String {
        let place = self.place(session);
        let words: Vec<String> = KEYS
            .iter()
            .map(|(key, _, word)| format!("{key} {word}"))
            .collect();
        let keys: Vec<String> = KEYS.iter().map(|(key, ..)| key.to_string()).collect();
        let long = format!("{place} {}: ", words.join(", "));
        let columns = self.style.width.unwrap_or(usize::MAX);
        // The word of the key that is pressed stands behind it.
        let text = if long.len() + LONGEST <= columns {
            long
        } else {
            format!("{place} [{}]: ", keys.join(","))
        };
        render::question(&text, &self.style)
    }

    fn words(&self, said: &Said) -> String {
        match said {
            Said::Help => HELP.to_owned(),
            Said::First => "this is the first entry\n".to_owned(),
            Said::Awaits(changes) => {
                let names: Vec<String> = changes.iter().map(|at| self.named(*at)).collect();
                let first: Vec<&str> = names.iter().take(3).map(String::as_str).collect();
                let more = match names.len().saturating_sub(first.len()) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                format!(
                    "accepted; not yet recorded of {}{more}: other entries touch the same\n",
                    first.join(", ")
                )
            }
            Said::Recorded => {
                "recorded already: `countersign ack --revoke` takes it back\n".to_owned()
            }
            Said::NoteKept => "kept for the next acknowledgement\n".to_owned(),
            Said::NoNote => "no note\n".to_owned(),
        }
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

const HELP: &str = "\
a  acknowledge what is shown: the lockfile says so at once. An item that other
   entries touch too is recorded when all of them are acknowledged
s  skip: it goes on waiting
b  block: `rule=block` for each item here, so that a guard withholds it;
   `countersign policy ITEM --unset rule` takes it back
w  whole: both sides with nothing left out, through $PAGER
n  note: a line that is kept with the next acknowledgement
p  back to the entry before
q  quit: what was decided stands
";

/// What was done, in one sentence.
fn told(tally: Tally) -> String {
    let counted = |count: usize, one: &str, several: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {several}")),
    };
    let parts = [
        counted(tally.recorded, "change recorded", "changes recorded"),
        counted(
            tally.unfinished,
            "entry accepted without a record: another entry of its item was not",
            "entries accepted without a record: other entries of their items were not",
        ),
        counted(tally.skipped, "entry skipped", "entries skipped"),
        counted(tally.blocked, "entry blocked", "entries blocked"),
        counted(tally.open, "entry left", "entries left"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join(", ")
}
