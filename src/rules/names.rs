//! Names of tools, found by what they look like.
//!
//! Only names beyond ASCII make two look alike, so that most catalogues need no index.

use crate::diff::hidden::{look_alike, skeleton_of};
use crate::model::ItemName;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// A set of names.
#[derive(Default)]
pub(super) struct Names {
    all: BTreeSet<ItemName>,
    /// Whether one of them is not of ASCII alone.
    beyond_ascii: bool,
    /// By what look-alikes share.
    by_skeleton: OnceLock<BTreeMap<String, Vec<ItemName>>>,
}

impl Names {
    pub(super) fn add<'n>(&mut self, names: impl IntoIterator<Item = &'n ItemName>) {
        for name in names {
            self.beyond_ascii |= !name.as_str().is_ascii();
            if !self.all.contains(name) {
                self.all.insert(name.clone());
            }
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
            .map(ItemName::as_str)
            .filter(move |other| look_alike(other, &name).is_some())
    }

    fn index(&self) -> &BTreeMap<String, Vec<ItemName>> {
        self.by_skeleton.get_or_init(|| {
            let mut index: BTreeMap<String, Vec<ItemName>> = BTreeMap::new();
            for name in &self.all {
                let skeleton = skeleton_of(name.as_str());
                index.entry(skeleton).or_default().push(name.clone());
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
        names.add([&plain, &ItemName::from("find_notes")]);
        assert_eq!(names.like(odd.as_str()).collect::<Vec<_>>(), ["find_note"]);
        assert_eq!(names.like(plain.as_str()).count(), 0);
        names.add([&odd]);
        assert_eq!(
            names.like(plain.as_str()).collect::<Vec<_>>(),
            [odd.as_str()]
        );
    }
}
