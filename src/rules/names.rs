//! Names of tools, found by what they look like.
//!
//! Only names beyond ASCII make two look alike, so that most catalogues need no index.

use crate::diff::hidden::{look_alike, skeleton_of};
use crate::model::ItemName;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A set of names. To add many is cheap: they are put in order when somebody asks.
#[derive(Default)]
pub(super) struct Names<'a> {
    all: Vec<&'a ItemName>,
    /// Whether one of them is not of ASCII alone.
    beyond_ascii: bool,
    /// Where they stand in `all`, by what look-alikes share.
    by_skeleton: OnceLock<BTreeMap<String, Vec<usize>>>,
}

impl<'a> Names<'a> {
    pub(super) fn add(&mut self, names: impl IntoIterator<Item = &'a ItemName>) {
        for name in names {
            self.beyond_ascii |= !name.as_str().is_ascii();
            self.all.push(name);
        }
        self.by_skeleton.take();
    }

    /// Those that look like a name and are not it, in their order: one of the two is not of ASCII alone.
    pub(super) fn like(&self, name: &str) -> impl Iterator<Item = &str> {
        let is_possible = self.beyond_ascii || !name.is_ascii();
        let found = is_possible.then(|| self.index().get(&skeleton_of(name)));
        let name = name.to_owned();
        found
            .flatten()
            .into_iter()
            .flatten()
            .map(|at| self.all[*at].as_str())
            .filter(move |other| look_alike(other, &name).is_some())
    }

    fn index(&self) -> &BTreeMap<String, Vec<usize>> {
        self.by_skeleton.get_or_init(|| {
            let mut index: BTreeMap<String, Vec<usize>> = BTreeMap::new();
            let all: BTreeMap<&ItemName, usize> = self.all.iter().copied().zip(0..).collect();
            for (name, at) in all {
                index
                    .entry(skeleton_of(name.as_str()))
                    .or_default()
                    .push(at);
            }
            index
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_are_found_whichever_of_them_is_beyond_ascii() {
        let (plain, odd) = (
            ItemName::from("find_note"),
            ItemName::from("find_n\u{43e}te"),
        );
        let mut names = Names::default();
        let longer = ItemName::from("find_notes");
        names.add([&plain, &longer]);
        assert_eq!(names.like(odd.as_str()).collect::<Vec<_>>(), ["find_note"]);
        assert_eq!(names.like(plain.as_str()).count(), 0);
        names.add([&odd]);
        assert_eq!(
            names.like(plain.as_str()).collect::<Vec<_>>(),
            [odd.as_str()]
        );
    }
}
