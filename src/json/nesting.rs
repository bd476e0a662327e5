//! The open containers: one bit a level, no heap, no recursion.

use super::state::Container;

/// The open containers, at most 32 times `WORDS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(crate) struct Nesting<const WORDS: usize> {
    depth: u16,
    /// How many of them are objects.
    open_objects: u16,
    /// Computed when it changes, as every character needs it.
    inside: Container,
    /// One bit a level: whether it is an object.
    #[cfg_attr(feature = "debug", serde(serialize_with = "crate::text::inspect::list"))]
    objects: [u32; WORDS],
}

impl<const WORDS: usize> Nesting<WORDS> {
    /// Nothing is open.
    pub(crate) const EMPTY: Nesting<WORDS> =
        Nesting { depth: 0, open_objects: 0, inside: Container::Text, objects: [0; WORDS] };

    /// How many containers are open.
    #[must_use]
    pub(crate) fn depth(&self) -> u16 {
        self.depth
    }

    /// How many of them are objects.
    #[must_use]
    pub(crate) fn open_objects(&self) -> u16 {
        self.open_objects
    }

    /// The innermost.
    #[must_use]
    pub(crate) fn inside(&self) -> Container {
        self.inside
    }

    /// Opens a container; false when there is no room for it.
    pub(crate) fn push(&mut self, container: Container) -> bool {
        let bit = 1 << (self.depth % 32);
        let Some(word) = self.objects.get_mut(usize::from(self.depth / 32)) else { return false };
        *word = if container == Container::Object { *word | bit } else { *word & !bit };
        self.depth += 1;
        self.open_objects += u16::from(container == Container::Object);
        self.inside = container;
        true
    }

    /// Closes the innermost.
    pub(crate) fn pop(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.open_objects = self.open_objects.saturating_sub(u16::from(self.inside == Container::Object));
        self.inside = self.innermost();
    }

    fn innermost(&self) -> Container {
        self.at(self.depth)
    }

    /// Whether a container of the other kind than the innermost is open.
    #[must_use]
    pub(crate) fn has_other(&self) -> bool {
        match self.inside {
            Container::Object => self.open_objects < self.depth,
            Container::Array => self.open_objects > 0,
            Container::Text => false,
        }
    }

    /// The container at a depth; at depth 0 it is the text.
    #[must_use]
    pub(crate) fn at(&self, depth: u16) -> Container {
        let Some(level) = depth.checked_sub(1) else { return Container::Text };
        let word = self.objects.get(usize::from(level / 32)).copied().unwrap_or_default();
        if word >> (level % 32) & 1 == 1 { Container::Object } else { Container::Array }
    }
}
