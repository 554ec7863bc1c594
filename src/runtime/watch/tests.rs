use super::*;

const SECOND: Duration = Duration::from_secs(1);
const EVERY: Duration = Duration::from_secs(30);

fn state(version: u64) -> State {
    [
        (Kind::Tool, Digest::of(&version.to_string())),
        (Kind::Prompt, Digest::of("prompts")),
    ]
    .into()
}

fn connected(now: Duration) -> Watch {
    let mut watch = Watch::new(EVERY, 1, now);
    assert_eq!(watch.step(now), Step::Connect);
    let first = watch.looked(now, state(0));
    assert_eq!(first.changed, Some(Heard::Unheard(None)));
    watch
}

#[test]
fn it_looks_on_a_timer_though_nothing_is_announced() {
    let mut watch = connected(Duration::ZERO);
    assert_eq!(watch.step(SECOND), Step::Wait(EVERY));
    assert_eq!(watch.step(EVERY), Step::List);
    let now = EVERY + SECOND;
    let found = watch.looked(now, state(1));
    assert_eq!(found.changed, Some(Heard::Unannounced(now)));
    assert_eq!(watch.looked(now + EVERY, state(1)).changed, None);
}

#[test]
fn an_announcement_is_looked_into_at_once_and_tells_of_its_own_kind_only() {
    let mut watch = connected(Duration::ZERO);
    watch.announced(Kind::Tool, 10 * SECOND);
    assert_eq!(watch.step(10 * SECOND), Step::Wait(10 * SECOND + SETTLE));
    let found = watch.looked(11 * SECOND, state(1));
    assert_eq!(found.changed, Some(Heard::Announced(SECOND)));
    watch.announced(Kind::Prompt, 20 * SECOND);
    let found = watch.looked(21 * SECOND, state(2));
    assert_eq!(found.changed, Some(Heard::Unannounced(10 * SECOND)));
}

#[test]
fn a_server_that_announces_without_end_is_looked_at_ever_more_rarely_until_it_is_quiet() {
    let mut watch = Watch::new(Duration::from_hours(1), 1, Duration::ZERO);
    watch.looked(Duration::ZERO, state(0));
    let mut looks = Vec::new();
    for millis in (0..600_000).step_by(20) {
        let now = Duration::from_millis(millis);
        watch.announced(Kind::Tool, now);
        if watch.step(now) == Step::List {
            watch.looked(now, state(millis));
            looks.push(now.as_secs());
        }
    }
    assert_eq!(looks[..6], [1, 2, 3, 4, 5, 7], "{looks:?}");
    assert!(looks.len() < 20, "{looks:?}");
    let quiet = Duration::from_mins(20);
    watch.looked(quiet, state(1));
    watch.announced(Kind::Tool, quiet + SECOND);
    assert_eq!(
        watch.step(quiet + SECOND),
        Step::Wait(quiet + SECOND + SETTLE)
    );
}

#[test]
fn what_a_server_says_of_itself_is_never_announced() {
    let mut watch = connected(Duration::ZERO);
    watch.announced(Kind::Tool, SECOND);
    let mut other = state(0);
    other.insert(Kind::Server, Digest::of("instructions"));
    let found = watch.looked(2 * SECOND, other);
    assert_eq!(found.changed, Some(Heard::Unannounced(2 * SECOND)));
}

#[test]
fn an_outage_is_told_once_and_what_came_in_it_was_heard_by_nobody() {
    let mut watch = connected(Duration::ZERO);
    assert!(watch.lost(10 * SECOND));
    assert_eq!(watch.step(20 * SECOND), Step::Connect);
    assert!(!watch.lost(20 * SECOND));
    // Greetings of some servers call every list changed.
    watch.announced(Kind::Tool, 40 * SECOND);
    let back = watch.looked(40 * SECOND, state(1));
    assert_eq!(back.away, Some(30 * SECOND));
    assert_eq!(back.changed, Some(Heard::Unheard(Some(40 * SECOND))));
    assert_eq!(
        watch.looked(41 * SECOND, state(1)),
        Sight {
            away: None,
            changed: None
        }
    );
}

#[test]
fn attempts_come_ever_later_up_to_a_bound_and_a_seed_fixes_them() {
    let run = |seed| {
        let mut watch = Watch::new(Duration::from_hours(1), seed, Duration::ZERO);
        let mut now = Duration::ZERO;
        let mut pauses = Vec::new();
        for _ in 0..40 {
            watch.lost(now);
            let Step::Wait(due) = watch.step(now) else {
                panic!("no pause")
            };
            pauses.push(due.saturating_sub(now));
            now = due;
        }
        pauses
    };
    let pauses = run(7);
    assert_eq!(pauses, run(7));
    assert_ne!(pauses, run(8));
    assert!(
        pauses[0] >= BACK_OFF / 2 && pauses[0] <= BACK_OFF,
        "{pauses:?}"
    );
    assert!(pauses[5] > 8 * pauses[0], "{pauses:?}");
    let bounds = LONGEST_BACK_OFF / 2..=LONGEST_BACK_OFF;
    assert!(
        pauses[12..].iter().all(|pause| bounds.contains(pause)),
        "{pauses:?}"
    );
}

#[test]
fn a_server_that_comes_and_goes_at_once_does_not_start_the_pauses_over() {
    let mut watch = Watch::new(Duration::from_hours(1), 3, Duration::ZERO);
    let mut now = Duration::ZERO;
    let mut looks = 0;
    while now < Duration::from_hours(1) {
        looks += 1;
        watch.looked(now, state(0));
        watch.lost(now + SECOND);
        let Step::Wait(due) = watch.step(now + SECOND) else {
            panic!("no pause")
        };
        now = due;
    }
    assert!(looks < 40, "{looks} starts in an hour");
}

#[test]
fn a_stream_that_ends_again_and_again_is_asked_for_ever_more_rarely() {
    let mut watch = connected(Duration::ZERO);
    watch.every = Duration::from_hours(10);
    let mut now = Duration::ZERO;
    let mut looks = 0;
    while now < Duration::from_hours(1) {
        looks += 1;
        assert_eq!(watch.looked(now, state(0)).changed, None);
        watch.fell_silent(now);
        let Step::Wait(due) = watch.step(now) else {
            panic!("no pause")
        };
        now = due;
    }
    assert!(looks < 40, "{looks} looks in an hour");
}

#[test]
fn what_could_not_be_kept_is_found_again() {
    let mut watch = connected(Duration::ZERO);
    watch.announced(Kind::Tool, 10 * SECOND);
    let before = watch.clone();
    watch.looked(11 * SECOND, state(1));
    let mut watch = before;
    watch.put_off(11 * SECOND);
    assert!(matches!(watch.step(11 * SECOND), Step::Wait(_)));
    let found = watch.looked(13 * SECOND, state(1));
    assert_eq!(found.changed, Some(Heard::Announced(3 * SECOND)));
}

#[test]
fn an_outage_that_could_not_be_kept_is_news_again_and_nobody_is_connected_meanwhile() {
    let mut watch = connected(Duration::ZERO);
    watch.announced(Kind::Tool, SECOND);
    assert!(watch.lost(2 * SECOND));
    watch.unlose();
    assert!(watch.lost(4 * SECOND));
    watch.unlose();
    assert_eq!(watch.step(20 * SECOND), Step::Connect);
    let found = watch.looked(20 * SECOND, state(1));
    assert_eq!(found.away, None);
    assert_eq!(found.changed, Some(Heard::Unheard(Some(20 * SECOND))));
}

#[test]
fn a_server_that_is_not_to_be_started_is_no_outage() {
    let mut watch = connected(Duration::ZERO);
    watch.held_back(SECOND);
    assert_eq!(watch.step(SECOND), Step::Wait(SECOND + EVERY));
    assert_eq!(watch.step(SECOND + EVERY), Step::Connect);
    assert_eq!(watch.looked(SECOND + EVERY, state(0)).away, None);
}

/// What a simulated server does at some moment.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Deed {
    /// Changes, and says so.
    Announces,
    /// Changes, and says nothing.
    Keeps,
    /// Calls its list changed a hundred times a second for so many seconds, and changes once in the middle.
    Flaps(u64),
    /// Is away for so many seconds, and comes back changed or not.
    Leaves(u64, bool),
}

/// A change as it was made.
#[derive(Debug, PartialEq)]
struct Made {
    version: u64,
    at: Duration,
    deed: Deed,
}

/// What is found of it.
#[derive(Debug)]
struct Found {
    version: u64,
    at: Duration,
    heard: Heard,
}

struct Simulation {
    watch: Watch,
    random: u64,
    version: u64,
    made: Vec<Made>,
    found: Vec<Found>,
    outages: [usize; 2],
    looks: usize,
    most_kept: usize,
}

impl Simulation {
    fn chance(&mut self, below: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % below
    }

    fn change(&mut self, at: Duration, deed: Deed) {
        self.version += 1;
        let version = self.version;
        self.made.push(Made { version, at, deed });
    }

    /// An hour in steps of 50 ms. A look takes up to 400 ms, and shows what was so at its end.
    fn run(seed: u64) -> Self {
        let mut sim = Self {
            watch: Watch::new(EVERY, seed, Duration::ZERO),
            random: seed,
            version: 0,
            made: Vec::new(),
            found: Vec::new(),
            outages: [0; 2],
            looks: 0,
            most_kept: 0,
        };
        let tick = Duration::from_millis(50);
        let mut now = Duration::ZERO;
        let mut next = Duration::from_secs(5);
        let (mut flaps_until, mut flips_at, mut away_until) =
            (Duration::ZERO, None, Duration::ZERO);
        let mut looking: Option<Duration> = None;
        // The last minutes are quiet, so that all of it is found.
        while now < Duration::from_mins(64) {
            let is_away = now < away_until;
            if now >= next && now < Duration::from_hours(1) {
                let deed = match sim.chance(8) {
                    0..3 => Deed::Announces,
                    3..6 => Deed::Keeps,
                    6 => Deed::Flaps(5 + sim.chance(60)),
                    _ => Deed::Leaves(1 + sim.chance(90), sim.chance(2) == 0),
                };
                let mut rest = 2 + sim.chance(10);
                match deed {
                    Deed::Announces => {
                        sim.change(now, deed);
                        sim.watch.announced(Kind::Tool, now);
                    }
                    // What nobody tells of stays until somebody looks.
                    Deed::Keeps => {
                        sim.change(now, deed);
                        rest += 31;
                    }
                    Deed::Flaps(seconds) => {
                        flaps_until = now + Duration::from_secs(seconds);
                        flips_at = Some(now + Duration::from_secs(seconds) / 2);
                        rest += seconds + 61;
                    }
                    Deed::Leaves(seconds, with_change) => {
                        away_until = now + Duration::from_secs(seconds);
                        looking = None;
                        sim.outages[0] += 1;
                        sim.outages[1] += usize::from(sim.watch.lost(now));
                        if with_change {
                            sim.change(now, deed);
                        }
                        rest += seconds + 31;
                    }
                }
                next = now + Duration::from_secs(rest);
            }
            if now < flaps_until && !is_away {
                if flips_at.is_some_and(|at| now >= at) {
                    flips_at = None;
                    sim.change(now, Deed::Flaps(0));
                }
                for _ in 0..5 {
                    sim.watch.announced(Kind::Tool, now);
                }
            }
            match (looking, sim.watch.step(now)) {
                (Some(end), _) if now >= end => {
                    looking = None;
                    let sight = sim.watch.looked(now, state(sim.version));
                    if let Some(heard) = sight.changed
                        && sim.looks > 1
                    {
                        let version = sim.version;
                        sim.found.push(Found {
                            version,
                            at: now,
                            heard,
                        });
                    }
                }
                (Some(_), _) | (None, Step::Wait(_)) => {}
                (None, _) if now < away_until => {
                    assert!(!sim.watch.lost(now), "told already");
                }
                (None, _) => {
                    sim.looks += 1;
                    looking = Some(now + Duration::from_millis(50 + sim.chance(350)));
                }
            }
            sim.most_kept = sim.most_kept.max(sim.watch.announced.len());
            now += tick;
        }
        sim
    }
}

#[test]
fn in_an_hour_of_churn_every_change_is_found_once_in_order_and_announced_or_not_as_it_was() {
    let mut deeds = [0; 4];
    for seed in 1..=40 {
        let sim = Simulation::run(seed * 0x9e37_79b9);
        assert_eq!(sim.found.len(), sim.made.len(), "seed {seed}");
        assert!(sim.made.len() > 50, "seed {seed}: {}", sim.made.len());
        for (made, found) in sim.made.iter().zip(&sim.found) {
            let context = format!("seed {seed}: {made:?} {found:?}");
            assert_eq!(made.version, found.version, "{context}");
            let true_delay = found.at.saturating_sub(made.at);
            let (index, fits) = match (made.deed, found.heard) {
                (Deed::Announces, Heard::Announced(delay)) => {
                    (0, delay == true_delay && delay < 3 * SECOND)
                }
                (Deed::Keeps, Heard::Unannounced(within)) => {
                    (1, within >= true_delay && within <= EVERY + SECOND)
                }
                (Deed::Flaps(_), Heard::Announced(delay)) => (2, delay < LONGEST_PAUSE + SECOND),
                (Deed::Leaves(..), Heard::Unheard(Some(within))) => (3, within >= true_delay),
                _ => panic!("{context}"),
            };
            assert!(fits, "{context}");
            deeds[index] += 1;
        }
        assert_eq!(
            sim.outages[0], sim.outages[1],
            "seed {seed}: each outage is news once"
        );
        // One look a second at most, and far fewer: polls, announcements, and few for each flood of them.
        assert!(sim.looks < 600, "seed {seed}: {} looks", sim.looks);
        // One list was called changed, thousands of times.
        assert_eq!(sim.most_kept, 1, "seed {seed}");
        assert_eq!(
            sim.watch.last.as_ref().map(|(_, state)| state.len()),
            Some(2)
        );
    }
    assert!(deeds.iter().all(|count| *count > 50), "{deeds:?}");
}
