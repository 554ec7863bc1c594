//! The seeds, what fuzzing once found, and small edits of both, in every run of the tests: no fuzzer is needed.

use std::fs;
use std::path::Path;

/// How many edits are made of each file.
const EDITS: u32 = 40;

/// Shows a target every file of a folder, and edits of it.
fn smoke(folder: &str, holds: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/seeds")
        .join(folder);
    let entries = fs::read_dir(&folder).expect("the folder of a target's seeds");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let seeds: Vec<Vec<u8>> = files
        .iter()
        .map(|file| fs::read(file).expect("a seed"))
        .collect();
    assert!(seeds.len() > 3, "seeds in {}", folder.display());
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for seed in &seeds {
        holds(seed);
        for _ in 0..EDITS {
            let other = &seeds[numbers.below(seeds.len())];
            holds(&edited(seed, other, &mut numbers));
        }
    }
}

/// A copy in which one to four things are otherwise: a byte, a piece that is gone, stands twice, or is from elsewhere.
fn edited(seed: &[u8], other: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut copy = seed.to_vec();
    for _ in 0..=numbers.below(4) {
        let from = numbers.below(copy.len() + 1);
        let to = (from + numbers.below(20)).min(copy.len());
        match numbers.below(4) {
            0 if from < to => copy[from] = u8::try_from(numbers.below(256)).unwrap_or(0),
            0 | 1 => drop(copy.drain(from..to)),
            2 => {
                let piece = copy[from..to].to_vec();
                copy.splice(from..from, piece);
            }
            _ => {
                let start = numbers.below(other.len() + 1);
                let end = (start + numbers.below(40)).min(other.len());
                copy.splice(from..to, other[start..end].iter().copied());
            }
        }
    }
    copy
}

/// Marsaglia's xorshift: the same numbers in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound.max(1) as u64).unwrap_or(0)
    }
}

macro_rules! targets {
    ($($folder:ident: $($target:ident)*;)*) => { $($(
        #[test]
        fn $target() {
            smoke(stringify!($folder), super::$target);
        }
    )*)* };
}

targets! {
    config: config;
    escape: escape;
    events: events;
    frames: frames;
    json: canonical json;
    lockfile: lockfile;
    pairs: compare render;
}
