//! What a line is in: block quotes and list items.
//!
//! Source: CommonMark 0.31, 5.1 and 5.2.
//! Differences: more than [`MOST_CONTAINERS`] inside each other are not followed, and
//! their markers may have any white space before them.

/// Most block quotes and list items inside each other that are followed.
const MOST_CONTAINERS: usize = 16;

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) enum Container {
    Quote,
    /// Its lines have so many columns before their text.
    Item(u8),
}

/// The containers that are open, and how many of them the line was found to be in.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Containers {
    open: [Container; MOST_CONTAINERS],
    count: u8,
    matched: u8,
    /// Whether the last of them is an item whose marker has nothing after it so far.
    is_empty_item: bool,
}

impl Containers {
    pub(super) const NONE: Containers =
        Containers { open: [Container::Quote; MOST_CONTAINERS], count: 0, matched: 0, is_empty_item: false };

    /// The next that the line may be in.
    pub(super) fn next(&self) -> Option<Container> {
        let open = self.open.get(..usize::from(self.count)).unwrap_or_default();
        open.get(usize::from(self.matched)).copied()
    }

    /// The line is in it.
    pub(super) fn enter(&mut self) {
        self.matched += 1;
    }

    /// Whether the line is in all of them.
    pub(super) fn has_all(&self) -> bool {
        self.matched == self.count
    }

    pub(super) fn matched(&self) -> u8 {
        self.matched
    }

    /// Ends the containers after the first `count`.
    pub(super) fn keep(&mut self, count: u8) {
        if count < self.count {
            self.count = count;
            self.is_empty_item = false;
        }
        self.matched = self.matched.min(self.count);
    }

    /// Ends the containers that the line isn't in.
    pub(super) fn keep_matched(&mut self) {
        self.keep(self.matched);
    }

    pub(super) fn add(&mut self, container: Container) {
        if let Some(next) = self.open.get_mut(usize::from(self.count)) {
            *next = container;
            self.count += 1;
        }
        self.matched = self.count;
        self.is_empty_item = false;
    }

    /// The item that began has nothing in its first line.
    pub(super) fn set_empty(&mut self) {
        self.is_empty_item = true;
    }

    /// Something stands in it.
    pub(super) fn fill(&mut self) {
        self.is_empty_item = false;
    }

    /// A blank line: it is in all items before the next block quote. Whether it is in all that are open.
    pub(super) fn take_blank(&mut self) -> bool {
        while let Some(Container::Item(_)) = self.next() {
            self.enter();
        }
        if self.has_all() && self.is_empty_item {
            self.matched = self.matched.saturating_sub(1);
        }
        let has_all = self.has_all();
        self.keep_matched();
        has_all
    }

    /// At the start of a line.
    pub(super) fn begin_line(&mut self) {
        self.matched = 0;
    }
}
