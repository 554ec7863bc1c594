//! The watch of one server: connects, lists when [`Watch`] says so, listens meanwhile, and begins anew when it is lost.

use super::super::check::{self, Observation, Seen};
use super::super::credential::{Credentials, Presenter};
use super::telling::VARIES;
use super::{say, tools_of};
use crate::catalogue::Catalogue;
use crate::client::{Options, Standing, Told};
use crate::fingerprint::Digest;
use crate::model::{Endpoint, Kind, Problem, ServerSpec, SpecState};
use crate::runtime::watch::{Sight, State, Step, Watch};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::rc::Rc;
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

/// What a station has to say.
pub(super) struct News {
    /// What was seen.
    pub(super) observation: Observation,
    /// What that comes to beside the look before, where there was a look.
    pub(super) sight: Option<Sight>,
    /// Whether it is the first time that this server answers here.
    pub(super) is_first: bool,
    /// Whether it could be recorded.
    pub(super) kept: oneshot::Sender<bool>,
}

/// Whether a server may be started now.
pub(super) type MayStart = Box<dyn Fn(&ServerSpec) -> Result<bool, Problem>>;

/// What all stations share.
pub(super) struct Desk {
    credentials: Rc<Credentials>,
    /// As many servers are looked at side by side.
    places: Semaphore,
    may_start: MayStart,
    news: mpsc::Sender<News>,
    begun: Instant,
}

impl Desk {
    pub(super) fn new(
        credentials: Rc<Credentials>,
        jobs: usize,
        may_start: MayStart,
        news: mpsc::Sender<News>,
    ) -> Self {
        Self {
            credentials,
            places: Semaphore::new(jobs),
            may_start,
            news,
            begun: Instant::now(),
        }
    }

    fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    fn since(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.begun)
    }
}

/// The watch of one server.
pub(super) struct Station {
    desk: Rc<Desk>,
    spec: ServerSpec,
    options: Options,
    /// The tools that it is known to have.
    expected: BTreeSet<String>,
    watch: Watch,
    /// Whether it ever answered here.
    has_answered: bool,
    /// What was told of why it is not started.
    hold: Hold,
    /// Whether a list was another one when it was asked for again, the last time.
    varies: bool,
}

/// Why a server is not started.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hold {
    /// It may be.
    None,
    /// The lockfile does not know its launch.
    NotAccepted,
    /// There is no lockfile to go by.
    Undecided,
}

/// Why a connection is over.
struct Over {
    problem: Problem,
    /// Whether anything was listed over it.
    has_stood: bool,
}

impl Station {
    pub(super) fn new(
        desk: Rc<Desk>,
        options: Options,
        expected: BTreeSet<String>,
        every: Duration,
        seed: u64,
        spec: ServerSpec,
    ) -> Self {
        Self {
            watch: Watch::new(every, seed, desk.now()),
            desk,
            spec,
            options,
            expected,
            has_answered: false,
            hold: Hold::None,
            varies: false,
        }
    }

    /// Goes on for ever.
    pub(super) async fn run(mut self) {
        let SpecState::Ready(endpoint) = self.spec.state.clone() else {
            return;
        };
        loop {
            if let Step::Wait(due) = self.watch.step(self.desk.now()) {
                sleep_until(self.desk.begun + due).await;
                continue;
            }
            let may_start = match (self.desk.may_start)(&self.spec) {
                Ok(may_start) => may_start,
                // Somebody is at the lockfile: soon it may be there again.
                Err(problem) => {
                    self.watch.put_off(self.desk.now());
                    if std::mem::replace(&mut self.hold, Hold::Undecided) != Hold::Undecided {
                        let name = self.spec.name.as_str();
                        say(&format!("`{name}` is not started: {}", problem.message));
                    }
                    continue;
                }
            };
            if !may_start {
                self.watch.held_back(self.desk.now());
                if std::mem::replace(&mut self.hold, Hold::NotAccepted) != Hold::NotAccepted {
                    self.say(Ok(Seen::NotStarted), None).await;
                }
                continue;
            }
            self.hold = Hold::None;
            if let Err(problem) = self.connect(&endpoint).await {
                self.lose(problem).await;
            }
        }
    }

    /// Connects and stays until the connection is over. A credential that holds no longer is no outage: without an error
    /// another connection is made at once.
    async fn connect(&mut self, endpoint: &Endpoint) -> Result<(), Problem> {
        let desk = Rc::clone(&self.desk);
        let spec = self.spec.clone();
        let who = Presenter::lasting(&desk.credentials, &spec, endpoint)?;
        let mut over = self.stay(&who, &who.present().await?).await;
        if !over.has_stood && over.problem.kind == "auth" {
            let another = who.present_another(over.problem).await?;
            over = self.stay(&who, &another).await;
        }
        if over.has_stood && over.problem.kind == "auth" {
            return Ok(());
        }
        Err(who.way_out(over.problem))
    }

    async fn stay(&mut self, who: &Presenter<'_>, shown: &Endpoint) -> Over {
        let (secrets, options) = (who.secrets(), who.options(&self.options));
        let mut standing = Standing::new(shown, &secrets, &options);
        let mut has_stood = false;
        loop {
            let outcome = match self.watch.step(self.desk.now()) {
                Step::Wait(due) if has_stood => self.listen(&mut standing, due).await,
                _ => self.look(&mut standing, who).await,
            };
            if let Err(problem) = outcome {
                return Over { problem, has_stood };
            }
            has_stood = true;
        }
    }

    async fn listen(&mut self, standing: &mut Standing<'_>, due: Duration) -> Result<(), Problem> {
        match standing.wait(self.desk.begun + due).await? {
            Told::Nothing => {}
            Told::Changed(kinds) => {
                for (kind, since) in kinds {
                    self.watch.announced(kind, self.desk.since(since));
                }
            }
            Told::Silence => self.watch.fell_silent(self.desk.now()),
        }
        Ok(())
    }

    async fn look(
        &mut self,
        standing: &mut Standing<'_>,
        who: &Presenter<'_>,
    ) -> Result<(), Problem> {
        let captured = {
            // The semaphore is never closed.
            let _place = self.desk.places.acquire().await;
            standing.capture(&self.expected, &|_: &str| {}).await
        };
        let mut capture = captured?;
        who.sign(&mut capture);
        let seen = check::offered(&self.spec, capture, &who.secrets())?;
        let Seen::Offered(offer) = &seen else {
            return Ok(());
        };
        for (kind, since) in standing.called_changed() {
            self.watch.announced(kind, self.desk.since(since));
        }
        let before = self.watch.clone();
        let sight = self.watch.looked(self.desk.now(), state(&offer.catalogue));
        self.expected = tools_of(&seen);
        let varies = offer.notes.iter().any(|note| note.rule == VARIES);
        let began_to_vary = !std::mem::replace(&mut self.varies, varies) && varies;
        let is_news = sight.changed.is_some() || sight.away.is_some() || began_to_vary;
        if is_news && !self.say(Ok(seen), Some(sight)).await {
            self.varies &= !began_to_vary;
            self.watch = before;
            self.watch.put_off(self.desk.now());
        }
        Ok(())
    }

    async fn lose(&mut self, problem: Problem) {
        if self.watch.lost(self.desk.now()) && !self.say(Err(problem), None).await {
            self.watch.unlose();
        }
    }

    /// Says something, and waits until it is recorded; false if it could not be.
    async fn say(&mut self, seen: Result<Seen, Problem>, sight: Option<Sight>) -> bool {
        let (kept, answer) = oneshot::channel();
        let has_answered = matches!(seen, Ok(Seen::Offered(_)));
        let is_first = has_answered && !std::mem::replace(&mut self.has_answered, true);
        let observation = Observation {
            spec: self.spec.clone(),
            seen,
        };
        let news = News {
            observation,
            sight,
            is_first,
            kept,
        };
        // Without somebody to tell all of it ends.
        self.desk.news.send(news).await.is_ok() && answer.await.unwrap_or(false)
    }
}

/// What tells two catalogues apart, list by list.
fn state(catalogue: &Catalogue) -> State {
    let digest = |kind: Kind| {
        let mut text = String::new();
        for (key, item) in catalogue.of(kind) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{} {}", item.digest, key.name.as_str());
        }
        Digest::of(&text)
    };
    let kinds = catalogue.known.iter().chain([&Kind::Server]);
    kinds.map(|kind| (*kind, digest(*kind))).collect()
}
