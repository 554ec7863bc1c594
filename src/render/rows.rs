//! The lines of a diff: which side each is from, which of its words changed, how much of it has room.

use super::count::{collapse, ends, is_wordless, number};
use super::definition::Line;
use super::marks::marks;
use super::paint::{Ink, Paint};
use super::words::{self, Edit, Piece};
use similar::DiffOp;

/// How much of an unchanged line is shown, in bytes.
const CONTEXT_LINE: usize = 240;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Both,
    Old,
    New,
}

impl Side {
    pub(super) fn mark(self) -> &'static str {
        match self {
            Self::Both => "  ",
            Self::Old => "- ",
            Self::New => "+ ",
        }
    }

    pub(super) fn inks(self) -> (Ink, Ink) {
        match self {
            Self::Both => (Ink::Faint, Ink::Faint),
            Self::Old => (Ink::Old, Ink::OldWords),
            Self::New => (Ink::New, Ink::NewWords),
        }
    }
}

/// A line of the diff before it is known how much of it has room.
pub(super) struct Cell {
    side: Side,
    /// Escaped, runs of blanks collapsed.
    text: String,
    /// Which words changed, if it is a line that was edited.
    pieces: Option<Vec<Piece>>,
    /// What it shares with the line on the other side that it was or became.
    pair: Option<usize>,
    /// The changed words beside the new line, for where there is no colour.
    marks: Vec<String>,
    /// Whether a person reads nothing in it.
    blank: bool,
}

/// A line of the diff as it is shown.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) side: Side,
    /// Painted, without its mark.
    pub(super) text: String,
    /// Bytes shown, colours not counted.
    pub(super) cost: usize,
    /// Bytes not shown.
    pub(super) hidden: usize,
    /// What it shares with the row on the other side that it was or became, among the rows around it.
    pub(super) pair: Option<usize>,
    /// The lines beneath it that say which of its words changed: shorter than itself, or bounded.
    pub(super) marks: Vec<String>,
}

/// The lines of one place, edited ones with their words compared.
pub(super) fn cells(ops: &[DiffOp], old: &[Line], new: &[Line]) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut paired = 0;
    for op in ops {
        let (old, new) = (&old[op.old_range()], &new[op.new_range()]);
        if let DiffOp::Equal { .. } = op {
            cells.extend(old.iter().map(|line| cell(&line.text, Side::Both)));
            continue;
        }
        let mut olds: Vec<Cell> = old.iter().map(|line| cell(&line.text, Side::Old)).collect();
        let mut news: Vec<Cell> = new.iter().map(|line| cell(&line.text, Side::New)).collect();
        for Pair { at: (o, n), edits } in pairs(old, new) {
            let is_whole = olds[o].text == old[o].text && news[n].text == new[n].text;
            let (old, new) = (&mut olds[o], &mut news[n]);
            (old.pair, new.pair) = (Some(paired), Some(paired));
            paired += 1;
            let edits = edits
                .filter(|_| is_whole)
                .unwrap_or_else(|| compare(&old.text, &new.text));
            if words::alike(&old.text, &new.text, &edits) {
                let (went, came) = (
                    edits.iter().map(|e| e.old.clone()),
                    edits.iter().map(|e| e.new.clone()),
                );
                old.pieces = Some(words::pieces(old.text.len(), went));
                new.pieces = Some(words::pieces(new.text.len(), came));
                new.marks = marks(&old.text, &new.text, &edits);
            }
        }
        cells.extend(count_blank(olds));
        cells.extend(count_blank(news));
    }
    cells
}

/// Where two lines differ. The bar before a line of a text is ours, and so is the blank behind it.
fn compare(old: &str, new: &str) -> Vec<Edit> {
    let text = |line: &str| {
        let indent = line.len() - line.trim_start().len();
        if line[indent..].starts_with("| ") {
            indent + 2
        } else {
            0
        }
    };
    let (old_start, new_start) = (text(old), text(new));
    let mut edits = words::compare(&old[old_start..], &new[new_start..]);
    for Edit { old, new } in &mut edits {
        *old = old.start + old_start..old.end + old_start;
        *new = new.start + new_start..new.end + new_start;
    }
    edits
}

fn cell(line: &str, side: Side) -> Cell {
    let text = collapse(line);
    let of_text = line.trim_start().strip_prefix('|');
    Cell {
        side,
        text: match side {
            Side::Both => ends(&text, CONTEXT_LINE),
            _ => text,
        },
        pieces: None,
        pair: None,
        marks: Vec::new(),
        blank: side != Side::Both && of_text.is_some_and(is_wordless),
    }
}

/// Cells of one side, with every long run of blank lines as a count.
fn count_blank(cells: Vec<Cell>) -> Vec<Cell> {
    let mut out: Vec<Cell> = Vec::new();
    let mut run = 0;
    for cell in cells {
        run = if cell.blank && cell.pieces.is_none() {
            run + 1
        } else {
            0
        };
        match run {
            0..=3 => out.push(cell),
            4 => {
                out.truncate(out.len() - 3);
                out.push(cell);
            }
            _ => {}
        }
        if run > 3
            && let Some(last) = out.last_mut()
        {
            let indent = last.text.find('|').unwrap_or(0);
            last.text.truncate(indent);
            last.text.extend(["| [", &number(run), " blank lines]"]);
        }
    }
    out
}

impl Row {
    /// A line that stands whole on one side.
    pub(super) fn whole(side: Side, text: &str, paint: Paint) -> Self {
        Self {
            side,
            text: paint.of(side.inks().0, text),
            cost: text.len(),
            hidden: 0,
            pair: None,
            marks: Vec::new(),
        }
    }
}

/// A cell as far as `line_bytes` give it room.
pub(super) fn row(cell: &Cell, line_bytes: usize, paint: Paint) -> Row {
    let Cell {
        side,
        text,
        pieces,
        pair,
        marks,
        ..
    } = cell;
    let inks = side.inks();
    let (painted, cost) = match pieces {
        Some(pieces) if text.len() <= line_bytes => {
            (words::whole(text, pieces, paint, inks), text.len())
        }
        Some(pieces) => {
            let folded = |paint| words::folded(text, pieces, line_bytes, paint, inks);
            (folded(paint), folded(Paint::Plain).len())
        }
        None => {
            let shown = ends(text, line_bytes);
            (paint.of(inks.0, &shown), shown.len())
        }
    };
    Row {
        side: *side,
        text: painted,
        cost,
        hidden: text.len().saturating_sub(cost),
        pair: *pair,
        marks: if paint == Paint::Plain {
            marks.clone()
        } else {
            Vec::new()
        },
    }
}

/// Two lines that are one, edited.
struct Pair {
    /// Which of the old lines, and of the new ones.
    at: (usize, usize),
    /// Where they differ, if that had to be found out.
    edits: Option<Vec<Edit>>,
}

/// Which lines of an edit are one line, edited. Pairs do not cross.
fn pairs(old: &[Line], new: &[Line]) -> Vec<Pair> {
    /// Beyond so many comparisons lines are taken as they come.
    const MOST: usize = 400;
    if old.len() == new.len() {
        if old.len() > MOST {
            return Vec::new();
        }
        let in_place = |i: &usize| old[*i].place == new[*i].place;
        let pair = |i| Pair {
            at: (i, i),
            edits: None,
        };
        return (0..old.len()).filter(in_place).map(pair).collect();
    }
    if old.len() * new.len() > MOST {
        return Vec::new();
    }
    let mut pairs = Vec::new();
    let mut next = 0;
    for (i, old) in old.iter().enumerate() {
        if let Some(pair) = (next..new.len()).find_map(|j| edited((i, j), old, &new[j])) {
            next = pair.at.1 + 1;
            pairs.push(pair);
        }
    }
    pairs
}

/// Two lines as one, if they are the same member, or lines of one text that have much in common.
fn edited(at: (usize, usize), old: &Line, new: &Line) -> Option<Pair> {
    fn label(line: &str) -> Option<&str> {
        line.trim_start()
            .starts_with('"')
            .then(|| line.find("\": ").map(|end| &line[..end]))?
    }
    if old.place != new.place {
        return None;
    }
    let (old, new) = (old.text.as_str(), new.text.as_str());
    match (label(old), label(new)) {
        (Some(old), Some(new)) => (old == new).then_some(Pair { at, edits: None }),
        (None, None) if old.len().max(new.len()) < 20_000 => {
            let edits = compare(old, new);
            words::alike(old, new, &edits).then_some(Pair {
                at,
                edits: Some(edits),
            })
        }
        _ => None,
    }
}
