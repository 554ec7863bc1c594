//! What is left of a definition without some places in it: whether anything else differs, and what to show of it.

use super::place::Way;
use crate::json::{Object, Value};

/// The ways to the places that are left out of one side, in order.
pub(super) struct LeftOut<'w> {
    ways: Vec<&'w [String]>,
}

impl<'w> LeftOut<'w> {
    /// On the side before. The whole, which is no place, stays.
    pub(super) fn before(ways: &'w [Way]) -> Self {
        Self::sorted(ways.iter().map(|way| &way.was[..]))
    }

    /// On the side now.
    pub(super) fn now(ways: &'w [Way]) -> Self {
        Self::sorted(ways.iter().map(|way| &way.now[..]))
    }

    fn sorted(ways: impl Iterator<Item = &'w [String]>) -> Self {
        let mut ways: Vec<_> = ways.filter(|way| !way.is_empty()).collect();
        ways.sort_unstable();
        Self { ways }
    }

    fn all(&self) -> Inside<'_> {
        Inside {
            ways: &self.ways,
            depth: 0,
        }
    }
}

/// Whether nothing differs but what is left out. Objects that it leaves empty count as left out too.
pub(super) fn is_same(
    (before, left_out_before): (&Value, &LeftOut<'_>),
    (now, left_out_now): (&Value, &LeftOut<'_>),
) -> bool {
    same((before, left_out_before.all()), (now, left_out_now.all()))
}

/// A copy without what is left out, and without the objects that this leaves empty.
pub(super) fn without(value: &Value, left_out: &LeftOut<'_>) -> Value {
    copy(value, left_out.all())
}

/// Those of the ways that lead through a value: their first tokens are the same.
#[derive(Clone, Copy)]
struct Inside<'w> {
    ways: &'w [&'w [String]],
    depth: usize,
}

impl Inside<'_> {
    fn through(self, token: &str) -> Self {
        let first = |way: &&[String], then: fn(&str, &str) -> bool| {
            way.get(self.depth).is_none_or(|own| then(own, token))
        };
        let start = self
            .ways
            .partition_point(|way| first(way, |own, token| own < token));
        let ways = &self.ways[start..];
        let end = ways.partition_point(|way| first(way, |own, token| own == token));
        Self {
            ways: &ways[..end],
            depth: self.depth + 1,
        }
    }

    fn is_empty(self) -> bool {
        self.ways.is_empty()
    }

    /// Whether one of them ends here.
    fn ends(self) -> bool {
        self.ways.iter().any(|way| way.len() == self.depth)
    }

    /// Whether nothing is left of a member.
    fn takes(self, member: &Value) -> bool {
        let is_emptied = |object: &Object| self.members(object).next().is_none();
        !self.is_empty() && (self.ends() || member.as_object().is_some_and(is_emptied))
    }

    /// What is left of the members of an object. Of several with one name only the first is at the end of a way.
    fn members(self, object: &Object) -> impl Iterator<Item = (&str, &Value, Self)> {
        let mut before = None;
        object.iter().filter_map(move |(name, member)| {
            let mut inside = self.through(name);
            if before == Some(name) {
                inside.ways = &[];
            }
            before = Some(name);
            (!inside.takes(member)).then_some((name, member, inside))
        })
    }

    fn element(self, at: usize, element: &Value) -> (&Value, Self) {
        if self.is_empty() {
            return (element, self);
        }
        let inside = self.through(&at.to_string());
        if inside.ends() {
            (
                &Value::Null,
                Self {
                    ways: &[],
                    ..inside
                },
            )
        } else {
            (element, inside)
        }
    }
}

fn same(
    (before, left_out_before): (&Value, Inside<'_>),
    (now, left_out_now): (&Value, Inside<'_>),
) -> bool {
    if left_out_before.is_empty() && left_out_now.is_empty() {
        return before == now;
    }
    match (before, now) {
        (Value::Object(before), Value::Object(now)) => {
            let mut before = left_out_before.members(before);
            let mut now = left_out_now.members(now);
            loop {
                match (before.next(), now.next()) {
                    (None, None) => return true,
                    (Some((name, old, inside_old)), Some((other, new, inside_new)))
                        if name == other && same((old, inside_old), (new, inside_new)) => {}
                    _ => return false,
                }
            }
        }
        (Value::Array(before), Value::Array(now)) => {
            before.len() == now.len()
                && (before.iter().zip(now).enumerate()).all(|(at, (old, new))| {
                    let old = left_out_before.element(at, old);
                    same(old, left_out_now.element(at, new))
                })
        }
        _ => before == now,
    }
}

fn copy(value: &Value, left_out: Inside<'_>) -> Value {
    match value {
        _ if left_out.is_empty() => value.clone(),
        Value::Object(object) => {
            let members = left_out.members(object);
            Value::Object(
                members
                    .map(|(name, member, inside)| (name.to_owned(), copy(member, inside)))
                    .collect(),
            )
        }
        Value::Array(elements) => {
            let elements = elements.iter().enumerate().map(|(at, element)| {
                let (element, inside) = left_out.element(at, element);
                copy(element, inside)
            });
            Value::Array(elements.collect())
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical::to_text;
    use crate::json::{Limits, read};

    fn value(text: &str) -> Value {
        read(text.as_bytes(), Limits::default())
            .expect("legal JSON")
            .value
    }

    fn ways(ways: &[&str]) -> Vec<Way> {
        let of = |way: &&str| Way::to(&way.split('/').collect::<Vec<_>>());
        ways.iter().map(of).collect()
    }

    #[test]
    fn objects_that_are_left_empty_go_and_elements_stay_in_their_places() {
        let all = value(r#"{"a":{"b":{"c":1}},"d":[1,{"e":2,"f":3}],"g":{},"h":4}"#);
        for (left_out, rest) in [
            (&["a/b/c"][..], r#"{"d":[1,{"e":2,"f":3}],"g":{},"h":4}"#),
            (
                &["d/1/e", "d/0", "g/x"],
                r#"{"a":{"b":{"c":1}},"d":[null,{"f":3}],"h":4}"#,
            ),
            (&["a", "d", "g", "h"], "{}"),
            (
                &["a/x", "h/i", "d/7"],
                r#"{"a":{"b":{"c":1}},"d":[1,{"e":2,"f":3}],"g":{},"h":4}"#,
            ),
        ] {
            let ways = ways(left_out);
            let left_out = LeftOut::now(&ways);
            let copy = without(&all, &left_out);
            assert_eq!(to_text(&copy), rest);
            let none = LeftOut::now(&[]);
            assert!(is_same((&all, &left_out), (&copy, &none)), "{rest}");
            assert_eq!(is_same((&all, &none), (&copy, &none)), copy == all);
        }
    }

    #[test]
    fn what_differs_elsewhere_is_seen() {
        let (old, new) = (
            value(r#"{"a":{"b":1,"c":1},"d":[{"e":1},2]}"#),
            value(r#"{"a":{"b":2,"c":1},"d":[{"e":2},2]}"#),
        );
        for (left_out, same) in [
            (&["a/b", "d/0/e"][..], true),
            (&["a", "d"], true),
            (&["a/b"], false),
            (&["a/c", "d/0/e"], false),
            (&["d/1", "a"], false),
        ] {
            let ways = ways(left_out);
            let found = is_same(
                (&old, &LeftOut::before(&ways)),
                (&new, &LeftOut::now(&ways)),
            );
            assert_eq!(found, same, "{left_out:?}");
        }
    }

    #[test]
    fn of_members_with_one_name_the_others_stay() {
        let (old, new) = (value(r#"{"a":1,"a":2}"#), value(r#"{"a":1,"a":3}"#));
        let ways = ways(&["a", "a"]);
        assert!(!is_same(
            (&old, &LeftOut::before(&ways)),
            (&new, &LeftOut::now(&ways))
        ));
    }
}
