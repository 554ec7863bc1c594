//! Two definitions as one diff: the places that changed, with a little around them.
//!
//! Bounded: at most [`cap::BYTES`] or little more of each side. What is left out is counted, and the first place,
//! the last one, and both ends of each long one always stand, so that nothing hides behind a decoy.

use super::cap;
use super::edits;
use super::escape::{collapse, counted, ends, is_wordless, number};
use super::paint::{Ink, Paint};
use super::words::{self, Piece};
use similar::{DiffOp, group_diff_ops};

/// How many unchanged lines stand around a change.
const CONTEXT: usize = 2;
/// How much of an unchanged line is shown, in bytes.
const CONTEXT_LINE: usize = 240;
/// A line costs at least so much of the bound, so that many short ones are bounded too.
const LINE_COST: usize = 32;

/// A diff, ready to be indented.
#[derive(Debug, Default)]
pub(super) struct Diff {
    /// Its lines: `- ` before what went, `+ ` before what came, two blanks before the rest.
    pub(super) lines: Vec<String>,
    /// How many bytes of changed lines are not shown: before, after.
    pub(super) hidden: [usize; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Both,
    Old,
    New,
}

impl Side {
    fn mark(self) -> &'static str {
        match self {
            Self::Both => "  ",
            Self::Old => "- ",
            Self::New => "+ ",
        }
    }

    fn inks(self) -> (Ink, Ink) {
        match self {
            Self::Both => (Ink::Faint, Ink::Faint),
            Self::Old => (Ink::Old, Ink::OldWords),
            Self::New => (Ink::New, Ink::NewWords),
        }
    }
}

/// A line of the diff before it is known how much of it has room.
struct Cell {
    side: Side,
    /// Escaped, runs of blanks collapsed.
    text: String,
    /// Which words changed, if it is a line that was edited.
    pieces: Option<Vec<Piece>>,
    /// Whether a person reads nothing in it.
    blank: bool,
}

struct Row {
    side: Side,
    /// Painted, without its mark.
    text: String,
    /// Bytes shown, colours not counted.
    cost: usize,
    /// Bytes not shown.
    hidden: usize,
}

/// The diff of the lines of two definitions.
pub(super) fn diff(before: &[String], after: &[String], paint: Paint) -> Diff {
    fn texts(lines: &[String]) -> Vec<&str> {
        lines.iter().map(String::as_str).collect()
    }
    let (old, new) = (texts(before), texts(after));
    let places = group_diff_ops(edits::between(&old, &new), CONTEXT);
    let cells: Vec<Vec<Cell>> = places.iter().map(|ops| cells(ops, &old, &new)).collect();
    let view = |line_bytes| -> Vec<Vec<Row>> {
        let row = |cell| row(cell, line_bytes, paint);
        cells
            .iter()
            .map(|cells| cells.iter().map(row).collect())
            .collect()
    };
    let mut rows = view(usize::MAX);
    let mut shown = rows.len();
    if sum(rows.iter().flatten())
        .iter()
        .any(|cost| *cost > cap::BYTES)
    {
        let each = cap::BYTES / rows.len().clamp(1, 4);
        rows = view(each / 2);
        rows = rows.into_iter().map(|rows| shorten(rows, each)).collect();
        shown = fitting(&rows);
    }
    let spans: Vec<(usize, usize)> = places
        .iter()
        .filter_map(|ops| Some((ops.first()?.new_range().start, ops.last()?.new_range().end)))
        .collect();
    assemble(&rows, shown, &spans, new.len(), paint)
}

/// How many places from the first on fit the bound together with the last one; all if none is left out.
fn fitting(places: &[Vec<Row>]) -> usize {
    let Some((last, rest)) = places.split_last() else {
        return 0;
    };
    let mut total = sum(last.iter());
    for (i, rows) in rest.iter().enumerate() {
        let cost = sum(rows.iter());
        total = [total[0] + cost[0], total[1] + cost[1]];
        // The first one always stands.
        if i > 0 && total.iter().any(|cost| *cost > cap::BYTES) {
            return i;
        }
    }
    places.len()
}

/// What rows cost on either side.
fn sum<'a>(rows: impl Iterator<Item = &'a Row>) -> [usize; 2] {
    rows.fold([0, 0], |[old, new], row| {
        let cost = row.cost.max(LINE_COST);
        match row.side {
            Side::Old => [old + cost, new],
            Side::New => [old, new + cost],
            Side::Both => [old + cost, new + cost],
        }
    })
}

fn assemble(
    places: &[Vec<Row>],
    shown: usize,
    spans: &[(usize, usize)],
    length: usize,
    paint: Paint,
) -> Diff {
    let mut diff = Diff::default();
    let mut end = 0;
    let note = |diff: &mut Diff, text: String| {
        diff.lines
            .push(format!("  {}", paint.of(Ink::Faint, &text)));
    };
    let mut left_out = 0;
    for (i, (rows, span)) in places.iter().zip(spans).enumerate() {
        if i >= shown && i + 1 < places.len() {
            left_out += 1;
            for row in rows {
                count_hidden(&mut diff, row, row.cost + row.hidden);
            }
            continue;
        }
        if left_out > 0 {
            note(
                &mut diff,
                format!("[{} left out]", counted(left_out, "changed place")),
            );
            left_out = 0;
        } else if span.0 > end {
            note(
                &mut diff,
                format!("[{} unchanged]", counted(span.0 - end, "line")),
            );
        }
        for row in rows {
            count_hidden(&mut diff, row, row.hidden);
            let mark = paint.of(row.side.inks().0, row.side.mark());
            let line = format!("{mark}{}", row.text);
            diff.lines.push(line.trim_end().to_owned());
        }
        end = span.1;
    }
    if end < length && !places.is_empty() {
        note(
            &mut diff,
            format!("[{} unchanged]", counted(length - end, "line")),
        );
    }
    diff
}

fn count_hidden(diff: &mut Diff, row: &Row, bytes: usize) {
    match row.side {
        Side::Old => diff.hidden[0] += bytes,
        Side::New => diff.hidden[1] += bytes,
        Side::Both => {}
    }
}

/// Rows of one side that follow each other and cost more than `bytes`: their head and tail, and a count.
fn shorten(rows: Vec<Row>, bytes: usize) -> Vec<Row> {
    let mut out = Vec::new();
    for block in blocks(rows) {
        let cost: usize = block.iter().map(|row| row.cost.max(LINE_COST)).sum();
        if cost <= bytes {
            out.extend(block);
            continue;
        }
        let fits = |rows: &mut dyn Iterator<Item = &Row>| {
            let mut room = bytes / 2;
            rows.take_while(|row| {
                let fits = row.cost.max(LINE_COST) <= room;
                room = room.saturating_sub(row.cost.max(LINE_COST));
                fits
            })
            .count()
        };
        let head = fits(&mut block.iter()).max(1);
        let tail = fits(&mut block[head..].iter().rev())
            .max(1)
            .min(block.len() - head);
        let middle = block.len() - head - tail;
        let side = block[0].side;
        let mut hidden = 0;
        for (i, row) in block.into_iter().enumerate() {
            if i < head || i >= head + middle {
                out.push(row);
                continue;
            }
            hidden += row.cost + row.hidden;
            if i + 1 == head + middle {
                out.push(Row {
                    side,
                    text: format!("[{} left out]", counted(middle, "line")),
                    cost: 0,
                    hidden,
                });
            }
        }
    }
    out
}

fn blocks(rows: Vec<Row>) -> Vec<Vec<Row>> {
    let mut blocks: Vec<Vec<Row>> = Vec::new();
    for row in rows {
        match blocks.last_mut() {
            Some(block) if block[0].side == row.side => block.push(row),
            _ => blocks.push(vec![row]),
        }
    }
    blocks
}

fn cells(ops: &[DiffOp], old: &[&str], new: &[&str]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for op in ops {
        let (old, new) = (&old[op.old_range()], &new[op.new_range()]);
        if let DiffOp::Equal { .. } = op {
            cells.extend(old.iter().map(|line| cell(line, Side::Both)));
            continue;
        }
        let mut olds: Vec<Cell> = old.iter().map(|line| cell(line, Side::Old)).collect();
        let mut news: Vec<Cell> = new.iter().map(|line| cell(line, Side::New)).collect();
        for (o, n) in pairs(old, new) {
            let (old, new) = (&mut olds[o], &mut news[n]);
            let (old_pieces, new_pieces) = words::pieces(&old.text, &new.text);
            if words::alike((&old.text, &old_pieces), (&new.text, &new_pieces)) {
                (old.pieces, new.pieces) = (Some(old_pieces), Some(new_pieces));
            }
        }
        cells.extend(count_blank(olds));
        cells.extend(count_blank(news));
    }
    cells
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
            last.text
                .push_str(&format!("| [{} blank lines]", number(run)));
        }
    }
    out
}

/// A cell as far as `line_bytes` give it room.
fn row(cell: &Cell, line_bytes: usize, paint: Paint) -> Row {
    let Cell {
        side, text, pieces, ..
    } = cell;
    let inks = side.inks();
    let (painted, cost) = match pieces {
        Some(pieces) if text.len() <= line_bytes => {
            (words::whole(text, pieces, paint, inks), text.len())
        }
        Some(pieces) => {
            let folded = |paint| words::folded(text, pieces, line_bytes, paint, inks);
            (folded(paint), folded(Paint { color: false }).len())
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
    }
}

/// Which lines of an edit are one line, edited. Pairs do not cross.
fn pairs(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    /// Beyond so many comparisons lines are taken as they come.
    const MOST: usize = 400;
    if old.len() == new.len() {
        return if old.len() <= MOST {
            (0..old.len()).map(|i| (i, i)).collect()
        } else {
            Vec::new()
        };
    }
    if old.len() * new.len() > MOST {
        return Vec::new();
    }
    let mut pairs = Vec::new();
    let mut next = 0;
    for (i, old) in old.iter().enumerate() {
        if let Some(j) = (next..new.len()).find(|j| is_edited(old, new[*j])) {
            pairs.push((i, j));
            next = j + 1;
        }
    }
    pairs
}

/// Whether two lines are the same member, or lines of a text that have much in common.
fn is_edited(old: &str, new: &str) -> bool {
    fn label(line: &str) -> Option<&str> {
        line.trim_start()
            .starts_with('"')
            .then(|| line.find("\": ").map(|end| &line[..end]))?
    }
    match (label(old), label(new)) {
        (Some(old), Some(new)) => old == new,
        (None, None) if old.len().max(new.len()) < 4_000 => {
            let (old_pieces, new_pieces) = words::pieces(old, new);
            words::alike((old, &old_pieces), (new, &new_pieces))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
