//! What has room in a bounded Markdown document: everything in short first, then as much of each as is fair.
//!
//! Nothing is pushed out by something longer, so that no decoy hides what stands behind it. What has no room is
//! counted.

use crate::render::count::{counted, ends, number};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What stands first where there is not room for everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// What kept something from being checked, or may explain all that follows.
    Errors,
    /// What waits.
    Material,
    /// What is shown and does not wait.
    Minor,
    /// What is worth knowing.
    Warnings,
    /// History.
    Acknowledged,
}

const RANKS: [(Rank, &str); 5] = [
    (Rank::Errors, "error"),
    (Rank::Material, "material edit"),
    (Rank::Minor, "minor edit"),
    (Rank::Warnings, "list of warnings"),
    (Rank::Acknowledged, "list of acknowledged changes"),
];

/// A part to be unfolded.
#[derive(Debug, Clone)]
pub(super) struct Fold {
    pub(super) rank: Rank,
    /// Whether it is unfolded already.
    pub(super) open: bool,
    /// What stands before its lines, in HTML; short.
    pub(super) summary: String,
    /// Escaped lines for a fence.
    pub(super) lines: Vec<String>,
}

/// The folds of one server, under its heading.
#[derive(Debug, Clone)]
pub(super) struct Section {
    /// Markdown, with its line feeds; short.
    pub(super) heading: String,
    pub(super) folds: Vec<Fold>,
}

/// Room that is kept for the sentence about what is left out.
const NOTE: usize = 400;
/// A longer run of backticks is shown as a count, so that no fence is long.
const TICKS: usize = 40;
/// What a part that is shown has for its lines at least, in bytes.
const LEAST: usize = 320;
/// Lines are cut no shorter, in bytes.
const LINE: usize = 160;
/// What the count inside a cut line takes.
const CUT: usize = 40;

/// The sections in `bytes`, and a sentence about what has no room there.
pub(super) fn within(bytes: usize, mut sections: Vec<Section>) -> String {
    for fold in sections.iter_mut().flat_map(|section| &mut section.folds) {
        fold.lines = fold.lines.iter().map(|line| calm(line)).collect();
    }
    let room = bytes.saturating_sub(NOTE);
    let chosen = Chosen::of(&sections, room);
    let mut out = String::new();
    let mut shortened = 0;
    for (s, section) in sections.iter().enumerate() {
        for (f, fold) in section.folds.iter().enumerate() {
            let Some(share) = chosen.share(s, f, fold.rank) else {
                continue;
            };
            if f == chosen.first(s) {
                out.push_str(&section.heading);
            }
            shortened += usize::from(size(&fold.lines) > share);
            out.push_str(&fold.shown(share));
        }
    }
    out + &note(&chosen.left_out, shortened)
}

fn note(left_out: &[(usize, &str)], shortened: usize) -> String {
    let mut parts: Vec<String> = left_out
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, noun)| match noun.split_once(" of ") {
            Some((noun, of)) => format!("{} of {of}", counted(*count, noun)),
            None => counted(*count, noun),
        })
        .collect();
    if shortened > 0 {
        parts.push(format!("the middle of {}", counted(shortened, "part")));
    }
    if parts.is_empty() {
        return String::new();
    }
    format!(
        "\n**Left out, because a comment has no more room:** {}. The formats `text` and `html` show all of it.\n",
        parts.join(", ")
    )
}

/// Which folds are shown, and how many bytes of lines each may have.
struct Chosen<'a> {
    kept: BTreeSet<(usize, usize)>,
    shares: Vec<(Rank, usize)>,
    left_out: Vec<(usize, &'a str)>,
}

impl Chosen<'_> {
    fn of(sections: &[Section], room: usize) -> Self {
        let mut order: Vec<(Rank, usize, usize)> = Vec::new();
        for (s, section) in sections.iter().enumerate() {
            order.extend(
                section
                    .folds
                    .iter()
                    .enumerate()
                    .map(|(f, fold)| (fold.rank, s, f)),
            );
        }
        order.sort_unstable();
        let fold = |s: usize, f: usize| &sections[s].folds[f];
        // In short everything comes first, as far as each part can say what it is about.
        let mut free = room;
        let mut left = room;
        let mut kept = BTreeSet::new();
        let mut left_out = RANKS.map(|(_, noun)| (0, noun)).to_vec();
        for (rank, s, f) in order {
            let has_heading = kept.range((s, 0)..(s + 1, 0)).next().is_some();
            let heading = if has_heading {
                0
            } else {
                sections[s].heading.len()
            };
            let cost = fold(s, f).frame() + heading;
            let least = size(&fold(s, f).lines).min(LEAST);
            if cost + least <= free {
                free -= cost + least;
                left -= cost;
                kept.insert((s, f));
            } else {
                left_out[rank as usize].0 += 1;
            }
        }
        let sizes_of = |is: &dyn Fn(Rank) -> bool| -> Vec<usize> {
            let folds = kept.iter().map(|(s, f)| fold(*s, *f));
            let folds = folds.filter(|fold| is(fold.rank));
            folds.map(|fold| size(&fold.lines)).collect()
        };
        let shares = RANKS.map(|(rank, _)| {
            let sizes = sizes_of(&|of| of == rank);
            // What comes later keeps what it needs at least.
            let later = sizes_of(&|of| of > rank);
            let later: usize = later.iter().map(|size| (*size).min(LEAST)).sum();
            let share = fair(&sizes, left.saturating_sub(later));
            left -= sizes.iter().map(|size| (*size).min(share)).sum::<usize>();
            (rank, share)
        });
        Self {
            kept,
            shares: shares.to_vec(),
            left_out,
        }
    }

    fn share(&self, s: usize, f: usize, rank: Rank) -> Option<usize> {
        self.kept
            .contains(&(s, f))
            .then(|| self.shares[rank as usize].1)
    }

    /// The first fold of a section that is shown.
    fn first(&self, s: usize) -> usize {
        self.kept.range((s, 0)..).next().map_or(0, |(_, f)| *f)
    }
}

/// The most that each may have, if none gets more than another that wants it, and all get `room` together.
fn fair(sizes: &[usize], room: usize) -> usize {
    let mut sizes = sizes.to_vec();
    sizes.sort_unstable();
    let mut left = room;
    for (i, size) in sizes.iter().enumerate() {
        let share = left / (sizes.len() - i);
        if *size > share {
            return share;
        }
        left -= size;
    }
    room
}

impl Fold {
    /// What it takes without its lines.
    fn frame(&self) -> usize {
        self.shown(0).len()
    }

    /// The fold with its lines in so many bytes.
    fn shown(&self, bytes: usize) -> String {
        let open = if self.open { " open" } else { "" };
        format!(
            "\n<details{open}>\n<summary>{}</summary>\n\n{}\n</details>\n",
            self.summary,
            fenced("diff", &fitted(&self.lines, bytes))
        )
    }
}

/// What lines take beside an empty fence, and at most what its ticks grow by.
fn size(lines: &[String]) -> usize {
    lines.iter().map(|line| line.len() + 1).sum::<usize>() + 2 * ticks(lines)
}

/// How many backticks follow each other at most.
fn ticks(lines: &[String]) -> usize {
    let runs = lines.iter().map(|line| longest_run(line));
    runs.max().unwrap_or(0)
}

/// The lines in so many bytes: without those that did not change where there is not room for all, then with both ends of
/// long ones, at last the first and the last ones alone. What is left out is counted.
fn fitted(lines: &[String], bytes: usize) -> Vec<String> {
    if size(lines) <= bytes {
        return lines.to_vec();
    }
    let Some(bytes) = bytes.checked_sub(2 * ticks(lines) + 2 * CUT) else {
        return Vec::new();
    };
    let is_context = |line: &&String| line.starts_with("  ") || line.starts_with("digest ");
    let (context, said): (Vec<&String>, Vec<&String>) = lines.iter().partition(is_context);
    let sizes: Vec<usize> = said.iter().map(|line| line.len() + 1).collect();
    let share = fair(&sizes, bytes).max(LINE).saturating_sub(CUT);
    let mut shown: Vec<String> = said.iter().map(|line| ends(line, share)).collect();
    let count = |lines: usize| format!("[{} left out]", counted(lines, "line"));
    if shown.iter().map(|line| line.len() + 1).sum::<usize>() > bytes {
        let fitting = |lines: &mut dyn Iterator<Item = &String>| {
            let mut room = bytes / 2;
            let fits = |line: &&String| {
                let fits = line.len() < room;
                room = room.saturating_sub(line.len() + 1);
                fits
            };
            lines.take_while(fits).count()
        };
        let head = fitting(&mut shown.iter());
        let tail = shown.len() - fitting(&mut shown[head..].iter().rev());
        if head < tail {
            shown.splice(head..tail, [count(tail - head)]);
        }
    }
    if !context.is_empty() {
        shown.push(count(context.len()));
    }
    shown
}

/// Lines in a fence that none of them can end.
pub(super) fn fenced(language: &str, lines: &[String]) -> String {
    let fence = "`".repeat(3.max(ticks(lines) + 1));
    let mut out = format!("{fence}{language}\n");
    for line in lines {
        out.extend([line, "\n"]);
    }
    out.extend([&fence, "\n"]);
    out
}

/// A line in which every long run of backticks stands as a count.
pub(super) fn calm(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        let length = rest[start..]
            .bytes()
            .take_while(|byte| *byte == b'`')
            .count();
        let end = start + length;
        if length > TICKS {
            out.push_str(&rest[..=start]);
            // Writing to a string cannot fail.
            let _ = write!(out, "[{} times]", number(length));
        } else {
            out.push_str(&rest[..end]);
        }
        rest = &rest[end..];
    }
    out + rest
}

/// How many backticks follow each other at most.
pub(super) fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
}
