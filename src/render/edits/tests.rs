//! That the searches agree, and find what is hidden among much.

use super::*;
use proptest::prelude::*;

/// Applies operations, checking that they are in order and without gaps.
fn applied(ops: &[DiffOp], old: &[usize], new: &[usize]) -> Vec<usize> {
    let mut out = Vec::new();
    let (mut x, mut y) = (0, 0);
    for op in ops {
        let (o, n) = (op.old_range(), op.new_range());
        assert_eq!((o.start, n.start), (x, y), "{ops:?}");
        match op {
            DiffOp::Equal { .. } => {
                assert_eq!(old[o.clone()], new[n.clone()]);
                out.extend(&old[o.clone()]);
            }
            _ => out.extend(&new[n.clone()]),
        }
        (x, y) = (o.end, n.end);
    }
    assert_eq!((x, y), (old.len(), new.len()));
    out
}

proptest! {
    #[test]
    fn few_edits_lead_from_old_to_new_as_shortly_as_the_full_comparison(
        old in prop::collection::vec(0_usize..4, 0..30),
        new in prop::collection::vec(0_usize..4, 0..30),
    ) {
        let found = few(&old, &new, &mut STEPS.clone()).expect("few edits");
        prop_assert_eq!(applied(&found, &old, &new), new.clone());
        let edits = |ops: &[DiffOp]| -> usize {
            ops.iter()
                .filter(|op| !matches!(op, DiffOp::Equal { .. }))
                .map(|op| op.old_range().len() + op.new_range().len())
                .sum()
        };
        let full = similar::capture_diff_slices(Algorithm::Lcs, &old, &new);
        prop_assert_eq!(edits(&found), edits(&full));
    }

    #[test]
    fn anchors_lead_from_old_to_new(
        old in prop::collection::vec(0_usize..20, 0..30),
        new in prop::collection::vec(0_usize..20, 0..30),
    ) {
        prop_assert_eq!(applied(&by_anchors(&old, &new), &old, &new), new.clone());
    }
}

fn words(count: usize, kinds: usize) -> Vec<String> {
    let mut seed = 1_usize;
    (0..count)
        .map(|_| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            format!("w{}", (seed >> 33) % kinds)
        })
        .collect()
}

fn texts(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

#[test]
fn three_edits_among_many_repeated_words_are_found() {
    let old = words(60_000, 20);
    let mut new = old.clone();
    new[3] = "decoy".into();
    new.insert(30_000, "payload".into());
    new[59_000] = "decoy".into();
    let ops = between(&texts(&old), &texts(&new));
    let edits: Vec<_> = ops
        .iter()
        .filter(|op| !matches!(op, DiffOp::Equal { .. }))
        .map(DiffOp::new_range)
        .collect();
    assert_eq!(edits, [3..4, 30_000..30_001, 59_000..59_001]);
}

#[test]
fn much_that_differs_is_one_edit() {
    let old = words(40_000, 50);
    let mut new = old.clone();
    new[1..39_999].reverse();
    let ops = between(&texts(&old), &texts(&new));
    assert_eq!(
        ops.iter()
            .filter(|op| matches!(op, DiffOp::Replace { .. }))
            .count(),
        1
    );
}

#[test]
fn many_edits_are_found_between_items_that_stand_once() {
    let old: Vec<String> = (0..40_000).map(|i| format!("line {i}")).collect();
    let decoy = (0..5_000).map(|i| format!("decoy {i}"));
    let mut new: Vec<String> = decoy.chain(old.iter().cloned()).collect();
    new[30_000] = "payload".into();
    let ops = between(&texts(&old), &texts(&new));
    let edits: Vec<_> = ops
        .iter()
        .filter(|op| !matches!(op, DiffOp::Equal { .. }))
        .map(DiffOp::new_range)
        .collect();
    assert_eq!(edits, [0..5_000, 30_000..30_001]);
}
