//! Which element of one array is which of another, and whether the common ones stand in another order.

use crate::canonical::to_text;
use crate::json::{Object, Value};
use std::collections::BTreeMap;

/// Beyond so many comparisons branches are matched by position only.
const COMPARISONS: usize = 2_500;

/// Who is who in two arrays, by index.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Alignment {
    /// Elements that are matched but not equal.
    pub(super) changed: Vec<(usize, usize)>,
    /// Elements without a match before or now.
    pub(super) removed: Vec<usize>,
    pub(super) added: Vec<usize>,
    /// Whether the elements that are equal stand in another order.
    pub(super) reordered: bool,
}

/// Matches equal elements first, then the most similar ones, then what is left by position.
pub(super) fn align(before: &[Value], after: &[Value]) -> Alignment {
    let (equal, removed, added) = equal(before, after);
    // What accepts nothing is like nothing: beside it all would seem to be accepted anew.
    let possible = |side: &[Value], at: &[usize]| -> (Vec<usize>, Vec<usize>) {
        at.iter().partition(|at| !refuses_all(&side[**at]))
    };
    let (mut removed, none_before) = possible(before, &removed);
    let (mut added, none_after) = possible(after, &added);
    let mut changed = Vec::new();
    if removed.len() * added.len() <= COMPARISONS {
        added.retain(|&now| {
            let best = removed
                .iter()
                .enumerate()
                .map(|(at, &old)| (similarity(&before[old], &after[now]), at))
                // Of equals the first.
                .max_by_key(|&(score, at)| (score, std::cmp::Reverse(at)))
                .filter(|(score, _)| *score > 0);
            if let Some((_, at)) = best {
                changed.push((removed.remove(at), now));
            }
            best.is_none()
        });
    }
    let count = removed.len().min(added.len());
    changed.extend(removed.drain(..count).zip(added.drain(..count)));
    changed.sort_by_key(|(_, now)| *now);
    removed.extend(none_before);
    added.extend(none_after);
    removed.sort_unstable();
    added.sort_unstable();
    Alignment {
        changed,
        removed,
        added,
        reordered: !equal.is_sorted(),
    }
}

/// Whether the elements are the same, counted, and whether those in common stand in another order.
pub(super) fn compare_sets(before: &[Value], after: &[Value]) -> (bool, bool) {
    let (equal, removed, added) = equal(before, after);
    (removed.is_empty() && added.is_empty(), !equal.is_sorted())
}

/// For each element now that is also there before, in order: where it was. Then the rest of both.
fn equal(before: &[Value], after: &[Value]) -> (Vec<usize>, Vec<usize>, Vec<usize>) {
    let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, element) in before.iter().enumerate().rev() {
        places.entry(to_text(element)).or_default().push(at);
    }
    let (mut matched, mut added) = (Vec::new(), Vec::new());
    for (at, element) in after.iter().enumerate() {
        match places.get_mut(&to_text(element)).and_then(Vec::pop) {
            Some(old) => matched.push(old),
            None => added.push(at),
        }
    }
    let mut removed: Vec<usize> = places.into_values().flatten().collect();
    removed.sort_unstable();
    (matched, removed, added)
}

/// How much two schemas have in common.
fn similarity(before: &Value, after: &Value) -> usize {
    let (Value::Object(before), Value::Object(after)) = (before, after) else {
        return 0;
    };
    similarity_of(&members(before), &members(after))
}

fn members(object: &Object) -> Vec<(&str, &Value)> {
    object.iter().collect()
}

/// Whether a schema accepts nothing, as libraries write what cannot be: `{"not": {}}`, `false`.
pub(crate) fn refuses_all(schema: &Value) -> bool {
    let is_empty = |schema: &Value| schema.as_object().is_some_and(Object::is_empty);
    *schema == Value::Bool(false)
        || (schema.get("not")).is_some_and(|not| *not == Value::Bool(true) || is_empty(not))
}

/// How many members two schemas share, names of properties counted.
pub(super) fn similarity_of(before: &[(&str, &Value)], after: &[(&str, &Value)]) -> usize {
    let after: BTreeMap<&str, &Value> = after.iter().copied().collect();
    before
        .iter()
        .map(|(name, old)| match (*name, old, after.get(name)) {
            (_, _, None) => 0,
            ("properties", Value::Object(old), Some(Value::Object(now))) => old
                .iter()
                .map(|(input, schema)| match now.get(input) {
                    Some(other) if other == schema => 2,
                    Some(_) => 1,
                    None => 0,
                })
                .sum(),
            (_, old, Some(now)) => usize::from(old == now),
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Limits, read};

    fn list(text: &str) -> Vec<Value> {
        let value = read(text.as_bytes(), Limits::default())
            .expect("legal JSON")
            .value;
        value.as_array().expect("an array").to_vec()
    }

    #[test]
    fn a_branch_keeps_its_likeness_when_one_comes_in_before_it() {
        let before = list(r#"[{"type":"object","properties":{"a":{"type":"string"}}}]"#);
        let after =
            list(r#"[{"type":"integer"},{"type":"object","properties":{"a":{"type":"number"}}}]"#);
        assert_eq!(
            align(&before, &after),
            Alignment {
                changed: vec![(0, 1)],
                removed: vec![],
                added: vec![0],
                reordered: false
            }
        );
    }

    #[test]
    fn order_is_that_of_the_common_elements() {
        let (one, two) = (list("[1,2,3]"), list("[2,1,4]"));
        assert_eq!(compare_sets(&one, &two), (false, true));
        assert_eq!(compare_sets(&one, &list("[3,2,1]")), (true, true));
        assert_eq!(compare_sets(&one, &list("[1,2,3,3]")), (false, false));
    }
}
