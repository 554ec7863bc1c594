//! A review at a terminal as a state machine: where somebody stands, what is decided, and what a key does.
//!
//! Pure. It words nothing, and knows neither terminal nor file: what is to be done comes out as [`Effect`]s, in their
//! order. Whoever does them and fails goes back to the state before the key.

use std::collections::{BTreeMap, BTreeSet};

/// A change: index of the server, index of the change within it.
pub(super) type At = (usize, usize);

/// What is decided at once: an edit that several items share, or a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// The changes that it touches. Each is recorded when every entry that touches it is accepted.
    pub(super) changes: BTreeSet<At>,
    /// The server as a whole, where that is due for a review; then it touches no change.
    pub(super) whole: Option<usize>,
    /// Whether the policy of one of them asks for a note.
    pub(super) needs_note: bool,
}

/// What was decided of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    Open,
    Accepted,
    Skipped,
    Blocked,
}

/// What a person asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// The entry is fine.
    Acknowledge,
    /// Later.
    Skip,
    /// The items of the entry are to be withheld.
    Block,
    /// Both sides, whole.
    Whole,
    /// A note to the next acknowledgement.
    Note,
    /// The entry before.
    Back,
    /// The end.
    Quit,
    /// What the keys do.
    Help,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Effect {
    /// Show the entry that is current now.
    Show,
    /// Write records, each with its note: all of them or none.
    Record(Vec<(At, String)>),
    /// Record that a server as a whole was reviewed, with a note.
    Review(usize, String),
    /// Block the items of these changes.
    Block(BTreeSet<At>),
    /// Block a server as a whole.
    BlockServer(usize),
    /// Show the current entry's changes whole.
    Whole,
    /// Ask for a line, and give it to [`Session::noted`].
    AskNote {
        /// Whether an acknowledgement waits for it.
        required: bool,
    },
    /// Say something.
    Say(Said),
    /// End.
    End,
}

/// What there is to say about a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    /// What the keys do.
    Help,
    /// Nothing stands before the first entry.
    First,
    /// The entry is accepted; these changes are recorded when the other entries that touch them are accepted too.
    Awaits(BTreeSet<At>),
    /// Nobody reviewed a server while these changes of it wait.
    Waits(BTreeSet<At>),
    /// Everything that the entry touches is recorded already.
    Recorded,
    /// The note is kept for the next acknowledgement.
    NoteKept,
    /// There is no note.
    NoNote,
}

/// How much of the entries was decided how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tally {
    /// Changes that were recorded.
    pub(super) recorded: usize,
    /// Servers that were reviewed as a whole.
    pub(super) reviewed: usize,
    /// Accepted entries that touch a change which is not recorded.
    pub(super) unfinished: usize,
    /// Entries that were skipped.
    pub(super) skipped: usize,
    /// Entries whose items were blocked.
    pub(super) blocked: usize,
    /// Entries of which nothing was decided.
    pub(super) open: usize,
}

/// A review in progress.
#[derive(Debug, Clone)]
pub(super) struct Session {
    entries: Vec<Entry>,
    /// For each change the entries that touch it.
    touching: BTreeMap<At, BTreeSet<usize>>,
    decisions: Vec<Decision>,
    /// What was noted when an entry was accepted.
    notes: Vec<String>,
    recorded: BTreeSet<At>,
    /// The servers whose review is recorded.
    reviewed: BTreeSet<usize>,
    /// The entries that stood on the screen.
    shown: BTreeSet<usize>,
    /// For the next acknowledgement.
    note: String,
    /// Whether that acknowledgement waits for its note.
    is_awaited: bool,
    at: usize,
}

impl Session {
    /// At the first of these entries; there must be one.
    pub(super) fn new(entries: Vec<Entry>) -> Self {
        let mut touching: BTreeMap<At, BTreeSet<usize>> = BTreeMap::new();
        for (index, entry) in entries.iter().enumerate() {
            for change in &entry.changes {
                touching.entry(*change).or_default().insert(index);
            }
        }
        Self {
            touching,
            decisions: vec![Decision::Open; entries.len()],
            notes: vec![String::new(); entries.len()],
            recorded: BTreeSet::new(),
            reviewed: BTreeSet::new(),
            shown: [0].into(),
            note: String::new(),
            is_awaited: false,
            at: 0,
            entries,
        }
    }

    /// The index of the current entry.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The changes that were shown whole: every entry that touches them was current once.
    pub(super) fn seen(&self) -> BTreeSet<At> {
        let seen = |entries: &BTreeSet<usize>| entries.is_subset(&self.shown);
        let changes = self.touching.iter();
        changes
            .filter(|(_, entries)| seen(entries))
            .map(|(change, _)| *change)
            .collect()
    }

    /// What was decided so far.
    pub(super) fn tally(&self) -> Tally {
        let mut tally = Tally {
            recorded: self.recorded.len(),
            reviewed: self.reviewed.len(),
            ..Tally::default()
        };
        for (index, decision) in self.decisions.iter().enumerate() {
            match decision {
                Decision::Open => tally.open += 1,
                Decision::Skipped => tally.skipped += 1,
                Decision::Blocked => tally.blocked += 1,
                Decision::Accepted if self.unrecorded(index).is_empty() => {}
                Decision::Accepted => tally.unfinished += 1,
            }
        }
        tally
    }

    /// What a wish does.
    pub(super) fn wish(&mut self, wish: Wish) -> Vec<Effect> {
        match wish {
            Wish::Acknowledge => self.acknowledge(),
            Wish::Skip => {
                // What is recorded stays; an acceptance that led to no record is taken back.
                if !self.is_recorded() {
                    self.decisions[self.at] = Decision::Skipped;
                }
                vec![self.advance()]
            }
            Wish::Block => {
                let entry = &self.entries[self.at];
                let block = match entry.whole {
                    Some(server) => Effect::BlockServer(server),
                    None => Effect::Block(entry.changes.clone()),
                };
                if !self.is_recorded() {
                    self.decisions[self.at] = Decision::Blocked;
                }
                vec![block, self.advance()]
            }
            Wish::Whole => vec![Effect::Whole],
            Wish::Note => {
                self.is_awaited = false;
                vec![Effect::AskNote { required: false }]
            }
            Wish::Back if self.at == 0 => vec![Effect::Say(Said::First)],
            Wish::Back => {
                self.at -= 1;
                vec![Effect::Show]
            }
            Wish::Quit => vec![Effect::End],
            Wish::Help => vec![Effect::Say(Said::Help)],
        }
    }

    /// What a line does that was asked for; an empty one is no note.
    pub(super) fn noted(&mut self, line: &str) -> Vec<Effect> {
        line.trim().clone_into(&mut self.note);
        let is_awaited = std::mem::take(&mut self.is_awaited);
        match (self.note.is_empty(), is_awaited) {
            (true, _) => vec![Effect::Say(Said::NoNote)],
            (false, true) => self.acknowledge(),
            (false, false) => vec![Effect::Say(Said::NoteKept)],
        }
    }

    fn acknowledge(&mut self) -> Vec<Effect> {
        let whole = self.entries[self.at].whole;
        let unrecorded = self.unrecorded(self.at);
        if self.is_recorded() {
            return vec![Effect::Say(Said::Recorded)];
        }
        if let Some(server) = whole {
            let of_it = self.touching.keys().filter(|(of, _)| *of == server);
            let open: BTreeSet<At> = of_it.copied().collect();
            let open = &open - &self.recorded;
            if !open.is_empty() {
                return vec![Effect::Say(Said::Waits(open))];
            }
        }
        if self.entries[self.at].needs_note && self.note.is_empty() {
            self.is_awaited = true;
            return vec![Effect::AskNote { required: true }];
        }
        self.decisions[self.at] = Decision::Accepted;
        if let Some(server) = whole {
            self.reviewed.insert(server);
            let note = std::mem::take(&mut self.note);
            return vec![Effect::Review(server, note), self.advance()];
        }
        self.notes[self.at] = std::mem::take(&mut self.note);
        let is_accepted = |entry: &usize| self.decisions[*entry] == Decision::Accepted;
        let (complete, awaits): (BTreeSet<At>, BTreeSet<At>) = unrecorded
            .into_iter()
            .partition(|change| self.touching[change].iter().all(is_accepted));
        let mut effects = Vec::new();
        if !complete.is_empty() {
            let records = complete
                .iter()
                .map(|change| (*change, self.notes_of(*change)));
            effects.push(Effect::Record(records.collect()));
        }
        if !awaits.is_empty() {
            effects.push(Effect::Say(Said::Awaits(awaits)));
        }
        self.recorded.extend(complete);
        effects.push(self.advance());
        effects
    }

    /// The changes of an entry that are not recorded.
    fn unrecorded(&self, entry: usize) -> BTreeSet<At> {
        &self.entries[entry].changes - &self.recorded
    }

    /// Whether all of the current entry is recorded.
    fn is_recorded(&self) -> bool {
        match self.entries[self.at].whole {
            Some(server) => self.reviewed.contains(&server),
            None => self.unrecorded(self.at).is_empty(),
        }
    }

    /// What was noted with the entries that touch a change, each note once.
    fn notes_of(&self, change: At) -> String {
        let mut notes: Vec<&str> = Vec::new();
        for entry in &self.touching[&change] {
            let note = self.notes[*entry].as_str();
            if !note.is_empty() && !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes.join("; ")
    }

    /// To the next entry of which nothing is decided.
    fn advance(&mut self) -> Effect {
        let mut later = self.at + 1..self.entries.len();
        match later.find(|entry| self.decisions[*entry] == Decision::Open) {
            Some(next) => {
                self.at = next;
                self.shown.insert(next);
                Effect::Show
            }
            None => Effect::End,
        }
    }
}

#[cfg(test)]
mod tests;
