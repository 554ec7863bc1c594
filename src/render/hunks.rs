//! Two definitions as one diff: the places that changed, with a little around them.
//!
//! Bounded: at most [`cap::BYTES`] or little more of each side. What is left out is counted, and the first place,
//! the last one, and both ends of each long one always stand, so that nothing hides behind a decoy.

use super::cap;
use super::count::counted;
use super::definition;
use super::edits;
use super::paint::{Ink, Paint};
use super::rows::{Cell, Row, Side, cells, row};

use similar::group_diff_ops;

/// How many unchanged lines stand around a change.
const CONTEXT: usize = 2;
/// A line costs at least so much of the bound, so that many short ones are bounded too.
const LINE_COST: usize = 32;

/// A diff, ready to be laid out.
#[derive(Debug, Default)]
pub(super) struct Diff {
    /// What stands beneath each other.
    pub(super) lines: Vec<Line>,
    /// How many bytes of changed lines are not shown: before, after.
    pub(super) hidden: [usize; 2],
}

/// One line of a diff.
#[derive(Debug)]
pub(super) enum Line {
    /// A line of either side or of both, or a count of such lines.
    Row(Row),
    /// A count of what stands between places, in our words.
    Note(String),
}

impl Diff {
    /// The lines as text: `- ` before what went, `+ ` before what came, `~ ` before which words of a line these are, two
    /// blanks before the rest.
    pub(super) fn text(&self, paint: Paint) -> Vec<String> {
        let mut out = Vec::new();
        for line in &self.lines {
            match line {
                Line::Note(text) => out.push(format!("  {}", paint.of(Ink::Faint, text))),
                Line::Row(row) => {
                    let mark = match row.side {
                        Side::Both => row.side.mark().to_owned(),
                        side => paint.of(side.inks().0, side.mark()),
                    };
                    out.push(mark + &row.text);
                    out.extend(row.marks.iter().map(|marks| format!("~ {marks}")));
                }
            }
        }
        out
    }
}

/// The diff of the lines of two definitions.
pub(super) fn diff(old: &[definition::Line], new: &[definition::Line], paint: Paint) -> Diff {
    fn marks(lines: &[definition::Line]) -> Vec<(u64, &str)> {
        let lines = lines.iter();
        lines.map(|line| (line.place, &*line.text)).collect()
    }
    let places = group_diff_ops(edits::between(&marks(old), &marks(new)), CONTEXT);
    let cells: Vec<Vec<Cell>> = places.iter().map(|ops| cells(ops, old, new)).collect();
    let view = |cells: &[Cell], line_bytes| -> Vec<Row> {
        let row = |cell| row(cell, line_bytes, paint);
        cells.iter().map(row).collect()
    };
    let mut rows: Vec<Vec<Row>> = cells.iter().map(|cells| view(cells, usize::MAX)).collect();
    let mut shown = rows.len();
    if sum(rows.iter().flatten())
        .iter()
        .any(|cost| *cost > cap::BYTES)
    {
        let each = cap::BYTES / rows.len().clamp(1, 4);
        let fitted = rows.iter().zip(&cells).map(|(rows, cells)| {
            // The first edit of the place and the last one stand, however many are between.
            let block = each / edits_in(rows).clamp(1, 4);
            cut_middle(shorten(view(cells, block / 2), block), each)
        });
        rows = fitted.collect();
        shown = fitting(&rows);
    }
    let spans: Vec<(usize, usize)> = places
        .iter()
        .filter_map(|ops| Some((ops.first()?.new_range().start, ops.last()?.new_range().end)))
        .collect();
    assemble(rows, shown, &spans, new.len())
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

fn assemble(places: Vec<Vec<Row>>, shown: usize, spans: &[(usize, usize)], length: usize) -> Diff {
    let mut diff = Diff::default();
    let mut end = 0;
    let note = |diff: &mut Diff, count, noun, what| {
        let text = format!("[{} {what}]", counted(count, noun));
        diff.lines.push(Line::Note(text));
    };
    let count = places.len();
    let mut left_out = 0;
    for (i, (rows, span)) in places.into_iter().zip(spans).enumerate() {
        if i >= shown && i + 1 < count {
            left_out += 1;
            for row in &rows {
                count_hidden(&mut diff, row, row.cost + row.hidden);
            }
            continue;
        }
        if left_out > 0 {
            note(&mut diff, left_out, "changed place", "left out");
            left_out = 0;
        } else if span.0 > end {
            note(&mut diff, span.0 - end, "line", "unchanged");
        }
        for row in rows {
            count_hidden(&mut diff, &row, row.hidden);
            diff.lines.push(Line::Row(row));
        }
        end = span.1;
    }
    if end < length && count > 0 {
        note(&mut diff, length - end, "line", "unchanged");
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
                out.push(note(side, middle, hidden));
            }
        }
    }
    out
}

/// How many times lines of one side follow each other in a place.
fn edits_in(rows: &[Row]) -> usize {
    let of = |side| {
        rows.chunk_by(|a, b| a.side == b.side)
            .filter(|block| block[0].side == side)
            .count()
    };
    of(Side::Old).max(of(Side::New))
}

/// The first and the last rows of a place, as many as cost `bytes` together, and a count of those between.
fn cut_middle(rows: Vec<Row>, bytes: usize) -> Vec<Row> {
    // A single edit costs little more than its share.
    if sum(rows.iter())
        .iter()
        .all(|cost| *cost <= bytes + bytes / 4)
    {
        return rows;
    }
    let fits = |rows: &mut dyn Iterator<Item = &Row>| {
        let mut used = [0, 0];
        rows.take_while(|row| {
            let cost = sum(std::iter::once(*row));
            used = [used[0] + cost[0], used[1] + cost[1]];
            used.iter().all(|used| *used <= bytes / 2)
        })
        .count()
    };
    let head = fits(&mut rows.iter());
    let tail = rows.len() - fits(&mut rows[head..].iter().rev());
    let left_out = [Side::Old, Side::New].map(|side| {
        let rows: Vec<&Row> = rows[head..tail]
            .iter()
            .filter(|row| row.side == side)
            .collect();
        let hidden = rows.iter().map(|row| row.cost + row.hidden).sum();
        (!rows.is_empty()).then(|| note(side, rows.len(), hidden))
    });
    let mut rows = rows;
    rows.splice(head..tail, left_out.into_iter().flatten());
    rows
}

/// A row that stands for others.
fn note(side: Side, lines: usize, hidden: usize) -> Row {
    Row {
        side,
        text: format!("[{} left out]", counted(lines, "line")),
        cost: 0,
        hidden,
        pair: None,
        marks: Vec::new(),
    }
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

#[cfg(test)]
mod tests;
