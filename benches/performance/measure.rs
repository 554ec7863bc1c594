//! One run of one command: how long it took, what it cost, how much memory it held.
//!
//! The kernel tells a process what its children used, all of them together, so each run has a process of its own
//! between: this program, started with `measure`.

use nix::sys::resource::{UsageWho, getrusage};
use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// A command to measure.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) words: Vec<String>,
    pub(crate) folder: PathBuf,
    /// What it reads as its standard input; nothing unless said.
    pub(crate) input: Option<PathBuf>,
    /// The status that it must end with.
    pub(crate) status: i32,
    /// How many of them run side by side.
    pub(crate) copies: usize,
}

impl Run {
    pub(crate) fn new(folder: &std::path::Path, words: &[&str]) -> Self {
        Self {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            folder: folder.to_owned(),
            input: None,
            status: 0,
            copies: 1,
        }
    }
}

/// What one run came to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    /// From start to end.
    pub(crate) wall: Duration,
    /// Of all its processes, in user and system mode.
    pub(crate) cpu: Duration,
    /// The most that one of its processes held, in KiB.
    pub(crate) peak: u64,
}

/// Runs it in a process of its own.
pub(crate) fn measured(run: &Run) -> Cost {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.arg("measure").arg(run.copies.to_string());
    command.args(&run.words).current_dir(&run.folder);
    command.stdin(run.input.as_ref().map_or_else(Stdio::null, |path| {
        File::open(path).expect("an input").into()
    }));
    let output = command.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbers: Vec<u64> = said
        .split_whitespace()
        .filter_map(|n| n.parse().ok())
        .collect();
    let [wall, cpu, peak, status] = numbers[..] else {
        panic!(
            "{:?}: {said} {}",
            run.words,
            String::from_utf8_lossy(&output.stderr)
        );
    };
    assert_eq!(
        status,
        u64::try_from(run.status).expect("a status"),
        "{:?}: {}",
        run.words,
        String::from_utf8_lossy(&output.stderr)
    );
    Cost {
        wall: Duration::from_micros(wall),
        cpu: Duration::from_micros(cpu),
        peak,
    }
}

/// The process between: `measure COPIES COMMAND…`. It prints microseconds, microseconds, KiB and the gravest status.
pub(crate) fn between(words: &[String]) -> ExitCode {
    let copies: usize = words[0].parse().expect("a number");
    let start = Instant::now();
    let children: Vec<_> = (0..copies)
        .map(|_| {
            let input = if copies == 1 {
                Stdio::inherit()
            } else {
                // A file that is inherited is read once by all together: each opens it anew.
                File::open("/dev/stdin").map_or_else(|_| Stdio::null(), Stdio::from)
            };
            let mut command = Command::new(&words[1]);
            command.args(&words[2..]).stdin(input).stdout(Stdio::null());
            command.spawn().expect("it starts")
        })
        .collect();
    let mut status = 0;
    for mut child in children {
        let ended = child.wait().expect("it ends");
        status = status.max(ended.code().unwrap_or(255));
    }
    let wall = start.elapsed();
    let used = getrusage(UsageWho::RUSAGE_CHILDREN).expect("usage");
    let micros = |time: nix::sys::time::TimeVal| {
        u64::try_from(time.tv_sec() * 1_000_000 + time.tv_usec()).unwrap_or(0)
    };
    println!(
        "{} {} {} {status}",
        wall.as_micros(),
        micros(used.user_time()) + micros(used.system_time()),
        used.max_rss()
    );
    ExitCode::SUCCESS
}

/// The medians of several runs of each of these commands, which take turns: what else the machine does hits all.
pub(crate) fn medians(runs: &[Run], rounds: usize) -> Vec<Cost> {
    let mut costs: Vec<Vec<Cost>> = vec![Vec::new(); runs.len()];
    for round in 0..=rounds {
        for (run, costs) in runs.iter().zip(&mut costs) {
            let cost = measured(run);
            // The first round fills the caches.
            if round > 0 {
                costs.push(cost);
            }
        }
    }
    costs.iter().map(|costs| median(costs)).collect()
}

fn median(costs: &[Cost]) -> Cost {
    fn middle<T: Ord + Copy>(values: impl Iterator<Item = T>) -> T {
        let mut values: Vec<T> = values.collect();
        values.sort();
        values[values.len() / 2]
    }
    Cost {
        wall: middle(costs.iter().map(|cost| cost.wall)),
        cpu: middle(costs.iter().map(|cost| cost.cpu)),
        peak: middle(costs.iter().map(|cost| cost.peak)),
    }
}
