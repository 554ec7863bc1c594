//! What a watch of one server decides: when to look, whether what it found was announced, what is news.
//!
//! Pure: times come in, counted from any beginning. What it keeps is bounded by the kinds of lists, whatever happens and
//! however long it lasts. It never talks to a server.

use crate::fingerprint::Digest;
use crate::model::Kind;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How much announcements may pile up before they are looked into.
const SETTLE: Duration = Duration::from_millis(100);
/// Between two looks at a server that announces all the time: at first, for so many looks, and at most.
const PAUSE: Duration = Duration::from_secs(1);
const QUICK: u32 = 4;
const LONGEST_PAUSE: Duration = Duration::from_mins(1);
/// Before the first attempt to reach a server again, and at most.
const BACK_OFF: Duration = Duration::from_secs(1);
const LONGEST_BACK_OFF: Duration = Duration::from_mins(5);

/// What is to be done now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Nothing until then, unless the server says something.
    Wait(Duration),
    /// Connect and list.
    Connect,
    /// List over the connection that stands.
    List,
}

/// How a change came to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// The server announced it; it was known so long after that.
    Announced(Duration),
    /// The server said nothing; it came within so long before it was found.
    Unannounced(Duration),
    /// Nobody was connected when it came, within so long before it was found; `None` where nobody looked before.
    Unheard(Option<Duration>),
}

impl Heard {
    /// Whether it was announced; `None` where nobody listened.
    pub fn announced(self) -> Option<bool> {
        match self {
            Self::Announced(_) => Some(true),
            Self::Unannounced(_) => Some(false),
            Self::Unheard(_) => None,
        }
    }

    /// How long after it was announced, or at most after it came, it was known.
    pub fn delay(self) -> Option<Duration> {
        match self {
            Self::Announced(delay) | Self::Unannounced(delay) => Some(delay),
            Self::Unheard(within) => within,
        }
    }
}

/// What a look comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sight {
    /// How long the server was away, if it is back.
    pub away: Option<Duration>,
    /// How what differs from the look before came to be known; `None` if nothing differs. The first look always
    /// differs.
    pub changed: Option<Heard>,
}

/// What a server offers, as far as a watch tells states apart: a digest of each list, [`Kind::Server`] for what it says
/// of itself.
pub type State = BTreeMap<Kind, Digest>;

/// The watch of one server.
#[derive(Debug, Clone)]
pub struct Watch {
    every: Duration,
    /// What jitter is drawn from.
    random: u64,
    is_connected: bool,
    /// When something is to be done next.
    due: Duration,
    /// Since when each kind is called changed. At most one entry a kind.
    announced: BTreeMap<Kind, Duration>,
    /// When the last whole look was over, and what it showed.
    last: Option<(Duration, State)>,
    /// How many looks in a row were called for right after the one before.
    quick: u32,
    /// Since when the connection stands.
    since: Duration,
    /// Since when the server is away.
    away: Option<Duration>,
    /// How often it was lost in a row, by accidents of the connection and of what is told over it.
    failures: u32,
    silences: u32,
    last_silence: Duration,
}

impl Watch {
    /// A watch that looks at once, and `every` so often whatever is announced. The same seed gives the same pauses.
    pub fn new(every: Duration, seed: u64, now: Duration) -> Self {
        Self {
            every,
            random: seed,
            is_connected: false,
            due: now,
            announced: BTreeMap::new(),
            last: None,
            quick: 0,
            since: now,
            away: None,
            failures: 0,
            silences: 0,
            last_silence: now,
        }
    }

    /// What is to be done now.
    pub fn step(&self, now: Duration) -> Step {
        if now < self.due {
            Step::Wait(self.due)
        } else if self.is_connected {
            Step::List
        } else {
            Step::Connect
        }
    }

    /// The server called a list changed. Looks at a server that does so without end are spaced out.
    pub fn announced(&mut self, kind: Kind, at: Duration) {
        self.announced.entry(kind).or_insert(at);
        let pause = self.pause();
        let spaced = self.last.as_ref().map_or(at, |(last, _)| *last + pause);
        self.due = self.due.min(spaced.max(at + SETTLE));
    }

    /// The server will tell no more over a connection that stands: it is asked to again, and what may have come
    /// meanwhile is looked for.
    pub fn fell_silent(&mut self, now: Duration) {
        if now.saturating_sub(self.last_silence) > 2 * LONGEST_BACK_OFF {
            self.silences = 0;
        }
        self.silences = self.silences.saturating_add(1);
        self.last_silence = now;
        let back_off = self.back_off(self.silences);
        self.due = self.due.min(now + back_off);
    }

    /// The server could not be asked, or ended: whether that is news.
    pub fn lost(&mut self, now: Duration) -> bool {
        let stood = self.is_connected && now.saturating_sub(self.since) > LONGEST_BACK_OFF;
        self.failures = if stood {
            1
        } else {
            self.failures.saturating_add(1)
        };
        self.is_connected = false;
        self.announced.clear();
        self.due = now + self.back_off(self.failures);
        let is_news = self.away.is_none();
        self.away.get_or_insert(now);
        is_news
    }

    /// The server is not to be started for the time being; that is no outage. It is thought of again at the next poll.
    pub fn held_back(&mut self, now: Duration) {
        self.is_connected = false;
        self.announced.clear();
        self.due = now + self.every;
    }

    /// That the server is away could not be kept: it is told when it is met again.
    pub fn unlose(&mut self) {
        self.away = None;
    }

    /// What was found could not be kept: it is looked for again, as if it had not been seen.
    pub fn put_off(&mut self, now: Duration) {
        self.failures = self.failures.saturating_add(1);
        self.due = now + self.back_off(self.failures);
    }

    /// A look is over, and this is what it showed. What was announced until now is answered by it.
    pub fn looked(&mut self, now: Duration, state: State) -> Sight {
        let heard = std::mem::take(&mut self.announced);
        let is_new_connection = !self.is_connected;
        let changed = match &self.last {
            None => Some(Heard::Unheard(None)),
            Some((last, before)) => {
                let kinds = differing(before, &state);
                let within = now.saturating_sub(*last);
                (!kinds.is_empty()).then(|| match announcement(&kinds, &heard) {
                    _ if is_new_connection => Heard::Unheard(Some(within)),
                    Some(at) => Heard::Announced(now.saturating_sub(at)),
                    None => Heard::Unannounced(within),
                })
            }
        };
        if let Some((last, _)) = &self.last
            && !is_new_connection
        {
            self.space(now.saturating_sub(*last), !heard.is_empty());
        }
        if is_new_connection {
            self.since = now;
            self.is_connected = true;
        }
        self.last = Some((now, state));
        self.due = now + self.every;
        Sight {
            away: self.away.take().map(|since| now.saturating_sub(since)),
            changed,
        }
    }

    /// The least time between two looks, which doubles while the server announces without end.
    fn pause(&self) -> Duration {
        let longest = LONGEST_PAUSE.min(self.every).max(PAUSE);
        let doublings = self.quick.saturating_sub(QUICK).min(16);
        PAUSE.saturating_mul(1 << doublings).min(longest)
    }

    /// Counts a look that came so long after the one before; quiet ends the row.
    fn space(&mut self, gap: Duration, is_called: bool) {
        if is_called && gap < 2 * self.pause() {
            self.quick = self.quick.saturating_add(1);
        } else {
            self.quick = 0;
        }
    }

    /// How long to wait after so many failures in a row: twice as long each time, up to a bound, and up to half less by
    /// chance, so that many watches do not come back at once.
    fn back_off(&mut self, failures: u32) -> Duration {
        let longest = LONGEST_BACK_OFF.min(self.every.max(BACK_OFF));
        let doubled = BACK_OFF.saturating_mul(1 << failures.saturating_sub(1).min(16));
        let whole = doubled.min(longest);
        whole / 2 + whole.mul_f64(self.chance() / 2.0)
    }

    /// The next of a row of numbers from 0 to 1, by the multipliers of splitmix64.
    fn chance(&mut self) -> f64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let high = u32::try_from((mixed ^ (mixed >> 31)) >> 32).unwrap_or_default();
        f64::from(high) / f64::from(u32::MAX)
    }
}

/// The kinds whose lists are not the same.
fn differing(before: &State, now: &State) -> BTreeSet<Kind> {
    let kinds = before.keys().chain(now.keys());
    kinds
        .filter(|kind| before.get(kind) != now.get(kind))
        .copied()
        .collect()
}

/// Since when all that differs was announced; `None` if some of it was not. What a server says of itself cannot be.
fn announcement(kinds: &BTreeSet<Kind>, heard: &BTreeMap<Kind, Duration>) -> Option<Duration> {
    let lists = kinds.iter().filter(|kind| **kind != Kind::Server);
    let since: Option<Vec<Duration>> = lists.map(|kind| heard.get(kind).copied()).collect();
    since?.into_iter().min()
}

#[cfg(test)]
mod tests;
