//! Which custom tags enclose the place (`own.rs`).

use super::tags::{DEEPEST_OWN, TagTable};
use crate::xml::Recognised;

/// The custom tags that are open, by their numbers in the table, outermost first.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct OwnTags {
    #[cfg_attr(feature = "debug", serde(serialize_with = "crate::text::inspect::list"))]
    numbers: [u8; DEEPEST_OWN],
    depth: u8,
    /// What counts inside of the innermost; if none is open, what custom tags count in text.
    pub(super) counted: Recognised,
}

impl OwnTags {
    pub(super) const NONE: OwnTags =
        OwnTags { numbers: [0; DEEPEST_OWN], depth: 0, counted: Recognised { openers: 0, closers: 0 } };

    pub(super) fn depth(&self) -> u8 {
        self.depth
    }

    /// The number of the innermost; 0 if none is open.
    pub(super) fn innermost(&self) -> u8 {
        usize::from(self.depth).checked_sub(1).and_then(|last| self.numbers.get(last)).copied().unwrap_or_default()
    }

    /// Sets what counts here.
    pub(super) fn count(&mut self, tags: &TagTable) {
        self.counted = tags.counted_in(self.innermost());
    }

    pub(super) fn push(&mut self, number: u8, tags: &TagTable) {
        if let Some(slot) = self.numbers.get_mut(usize::from(self.depth)) {
            *slot = number;
            self.depth += 1;
        }
        self.count(tags);
    }

    pub(super) fn pop(&mut self, tags: &TagTable) {
        self.depth = self.depth.saturating_sub(1);
        self.count(tags);
    }
}
