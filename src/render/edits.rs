//! What stayed and what went between two rows of lines or words, found in bounded time and always the same way.
//!
//! A clock would make two runs differ, so there is no deadline: what is small is compared well, what is large is
//! searched for few edits, and what is large and differs much is one edit.

use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::HashMap;
use std::hash::Hash;

/// Up to so many items on both sides together, the time of a full comparison is no concern.
const SMALL: usize = 20_000;
/// Up to so many items they are compared as they are.
const DIRECT: usize = 64;
/// How many items may have come and gone for the search among many.
const FEW: usize = 2_000;
/// How many comparisons that search may take.
const STEPS: usize = 30_000_000;

/// The operations that lead from `old` to `new`, in order and without gaps.
pub(super) fn between<T: Copy + Eq + Hash + Ord>(old: &[T], new: &[T]) -> Vec<DiffOp> {
    let prefix = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let suffix = old[prefix..]
        .iter()
        .rev()
        .zip(new[prefix..].iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let differ = old.len() + new.len() - 2 * (prefix + suffix);
    if differ <= DIRECT {
        return between_ends(old, new, prefix, suffix);
    }
    let (old, new) = numbered(old, new);
    if differ <= SMALL {
        return between_ends(&old, &new, prefix, suffix);
    }
    let (old_end, new_end) = (old.len() - suffix, new.len() - suffix);
    let mut ops = Vec::new();
    push_equal(&mut ops, 0, 0, prefix);
    {
        let (old, new) = (&old[prefix..old_end], &new[prefix..new_end]);
        let found = few(old, new, &mut STEPS.clone()).unwrap_or_else(|| by_anchors(old, new));
        push_all(&mut ops, found, prefix, prefix);
    }
    push_equal(&mut ops, old_end, new_end, suffix);
    ops
}

/// The operations between two rows that are the same but for what lies between their ends.
fn between_ends<T: Eq + Hash + Ord>(
    old: &[T],
    new: &[T],
    prefix: usize,
    suffix: usize,
) -> Vec<DiffOp> {
    let (old_end, new_end) = (old.len() - suffix, new.len() - suffix);
    let mut ops = Vec::new();
    // Not cut at the common ends, so that an edit may be moved along them to where it reads best.
    let (before, after) = (prefix.saturating_sub(SMALL), suffix.min(SMALL));
    push_equal(&mut ops, 0, 0, before);
    let found = capture_diff_slices(
        Algorithm::Myers,
        &old[before..old_end + after],
        &new[before..new_end + after],
    );
    push_all(&mut ops, found, before, before);
    push_equal(&mut ops, old_end + after, new_end + after, suffix - after);
    ops
}

/// A number for each item, the same for the same one: quicker to compare.
fn numbered<T: Copy + Eq + Hash>(old: &[T], new: &[T]) -> (Vec<usize>, Vec<usize>) {
    let mut known: HashMap<T, usize> = HashMap::with_capacity(old.len() + new.len());
    let mut numbers = |items: &[T]| -> Vec<usize> {
        items
            .iter()
            .map(|item| {
                let next = known.len();
                *known.entry(*item).or_insert(next)
            })
            .collect()
    };
    (numbers(old), numbers(new))
}

/// Compares what lies between the items that stand once on either side and in one order. A large stretch between two
/// of them across which few edits do not lead either is one edit.
fn by_anchors(old: &[usize], new: &[usize]) -> Vec<DiffOp> {
    let mut steps = STEPS;
    let mut ops = Vec::new();
    let (mut x, mut y) = (0, 0);
    for (next_x, next_y) in anchors(old, new) {
        push_all(
            &mut ops,
            stretch(&old[x..next_x], &new[y..next_y], &mut steps),
            x,
            y,
        );
        push_equal(&mut ops, next_x, next_y, 1);
        (x, y) = (next_x + 1, next_y + 1);
    }
    push_all(&mut ops, stretch(&old[x..], &new[y..], &mut steps), x, y);
    ops
}

fn stretch(old: &[usize], new: &[usize], steps: &mut usize) -> Vec<DiffOp> {
    if old.len() + new.len() <= SMALL {
        return capture_diff_slices(Algorithm::Myers, old, new);
    }
    few(old, new, steps).unwrap_or_else(|| vec![replaced(0, old.len(), 0, new.len())])
}

/// The longest row of items that stand once on either side, in the order of both.
fn anchors(old: &[usize], new: &[usize]) -> Vec<(usize, usize)> {
    let once = |items: &[usize]| -> HashMap<usize, Option<usize>> {
        let mut places = HashMap::new();
        for (at, item) in items.iter().enumerate() {
            places
                .entry(*item)
                .and_modify(|place| *place = None)
                .or_insert(Some(at));
        }
        places
    };
    let (in_old, in_new) = (once(old), once(new));
    let both = old
        .iter()
        .filter_map(|item| Some((in_old[item]?, (*in_new.get(item)?)?)));
    // Patience sorting: `tails[n]` ends the best row of n + 1 items, and each item knows the one before it.
    let mut items: Vec<((usize, usize), Option<usize>)> = Vec::new();
    let mut tails: Vec<usize> = Vec::new();
    for place in both {
        let length = tails.partition_point(|tail| items[*tail].0.1 < place.1);
        let before = length.checked_sub(1).map(|length| tails[length]);
        if length == tails.len() {
            tails.push(items.len());
        } else {
            tails[length] = items.len();
        }
        items.push((place, before));
    }
    let mut row = Vec::with_capacity(tails.len());
    let mut at = tails.last().copied();
    while let Some(item) = at {
        row.push(items[item].0);
        at = items[item].1;
    }
    row.reverse();
    row
}

/// Appends operations that count from `x` and `y`. What stayed side by side is one operation.
fn push_all(ops: &mut Vec<DiffOp>, found: Vec<DiffOp>, x: usize, y: usize) {
    for op in found {
        let (old, new) = (op.old_range(), op.new_range());
        match op {
            DiffOp::Equal { len, .. } => push_equal(ops, x + old.start, y + new.start, len),
            _ => ops.push(replaced(x + old.start, old.len(), y + new.start, new.len())),
        }
    }
}

fn push_equal(ops: &mut Vec<DiffOp>, old_index: usize, new_index: usize, len: usize) {
    match ops.last_mut() {
        _ if len == 0 => {}
        Some(DiffOp::Equal { len: before, .. }) => *before += len,
        _ => ops.push(DiffOp::Equal {
            old_index,
            new_index,
            len,
        }),
    }
}

fn replaced(old_index: usize, old_len: usize, new_index: usize, new_len: usize) -> DiffOp {
    match (old_len, new_len) {
        (_, 0) => DiffOp::Delete {
            old_index,
            old_len,
            new_index,
        },
        (0, _) => DiffOp::Insert {
            old_index,
            new_index,
            new_len,
        },
        _ => DiffOp::Replace {
            old_index,
            old_len,
            new_index,
            new_len,
        },
    }
}

/// The shortest way between two rows, if it has at most [`FEW`] edits and `steps` comparisons find it: the greedy search of
/// E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), with the furthest point on each diagonal
/// kept for every number of edits.
fn few(old: &[usize], new: &[usize], steps: &mut usize) -> Option<Vec<DiffOp>> {
    // Round `edits`, diagonal `2i - edits`: how far into `old` it leads.
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    for edits in 0..=FEW {
        let mut furthest = Vec::with_capacity(edits + 1);
        for i in 0..=edits {
            let mut x = start(rounds.last(), i, edits);
            let Some(mut y) = (x + edits).checked_sub(2 * i) else {
                furthest.push(x);
                continue;
            };
            let from = x;
            while x < old.len() && y < new.len() && old[x] == new[y] {
                x += 1;
                y += 1;
            }
            *steps = steps.checked_sub(1 + x - from)?;
            furthest.push(x);
            if x >= old.len() && y >= new.len() {
                rounds.push(furthest);
                return Some(path(&rounds, old.len(), new.len()));
            }
        }
        rounds.push(furthest);
    }
    None
}

/// Where diagonal `i` of a round begins: below or beside the furthest point of a neighbour in the round before.
fn start(before: Option<&Vec<usize>>, i: usize, edits: usize) -> usize {
    let Some(before) = before else { return 0 };
    // Diagonal `i` is one insertion away from `i`, one deletion away from `i - 1`, of the round before.
    let inserted = (i < edits).then(|| before[i]);
    let deleted = (i > 0).then(|| before[i - 1] + 1);
    inserted.max(deleted).unwrap_or(0)
}

/// The way back through the rounds, as operations.
fn path(rounds: &[Vec<usize>], old_len: usize, new_len: usize) -> Vec<DiffOp> {
    let mut ops = Vec::new();
    let (mut x, mut y) = (old_len, new_len);
    // Edits that touch each other are one.
    let (mut edit_x, mut edit_y) = (x, y);
    for edits in (0..rounds.len()).rev() {
        let i = (x + edits - y) / 2;
        let begin = start(edits.checked_sub(1).map(|e| &rounds[e]), i, edits);
        let equal = x - begin;
        if equal > 0 {
            if edit_x > x || edit_y > y {
                ops.push(replaced(x, edit_x - x, y, edit_y - y));
            }
            ops.push(DiffOp::Equal {
                old_index: begin,
                new_index: y - equal,
                len: equal,
            });
            (edit_x, edit_y) = (begin, y - equal);
        }
        (x, y) = (begin, y - equal);
        if edits > 0 {
            let deleted = i > 0 && rounds[edits - 1][i - 1] + 1 == begin;
            (x, y) = if deleted { (x - 1, y) } else { (x, y - 1) };
        }
    }
    if edit_x > 0 || edit_y > 0 {
        ops.push(replaced(0, edit_x, 0, edit_y));
    }
    ops.reverse();
    ops
}

#[cfg(test)]
mod tests;
