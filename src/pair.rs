//! Who is who: the items of two catalogues matched by kind and name.

use crate::catalogue::Item;
use crate::model::ItemKey;

/// What happened to an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// On both sides, with other content.
    Changed,
    /// Only on the current side.
    Added,
    /// Only in the baseline.
    Removed,
    /// The lockfile marks it removed, and it is back.
    Returned,
    /// One removed and one added that are one tool under another name.
    Renamed,
}

impl Event {
    /// The word for reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Returned => "returned",
            Self::Renamed => "renamed",
        }
    }
}

/// Two sides of one item that are not the same.
#[derive(Debug, Clone)]
pub struct Pair<'a> {
    /// The item; after a renaming, under its new name.
    pub key: ItemKey,
    /// Its old name, after a renaming.
    pub former: Option<ItemKey>,
    /// What happened.
    pub event: Event,
    /// The accepted side.
    pub before: Option<&'a Item>,
    /// The current side.
    pub after: Option<&'a Item>,
}
