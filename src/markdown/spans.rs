//! Runs of backticks that may begin inline code.
//!
//! ```text
//! `` a ` b \` <|        two runs that may: `` and, if `` has no partner, `
//! ```
//!
//! Whether a run begins inline code is known once a run of the same length follows, or
//! the paragraph ends. Until then each run counts for the case that those before it are
//! literal, so the runs that are open have different lengths, but for escaped ones.
//!
//! Source: CommonMark 0.31, 6.1.
//! Differences: a run is literal after [`LONGEST_SPAN`] units without a partner, and if
//! [`MOST_OPEN`] are open before it.

use crate::text::units_of;

/// Longest inline code, in UTF-16 code units between its backticks.
pub(crate) const LONGEST_SPAN: u32 = 1_024;

/// Most runs that are open at the same time.
const MOST_OPEN: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
struct Run {
    length: u16,
    /// Where it ends.
    end: u32,
}

/// The code spans that are open, from the first on.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Spans {
    open: [Run; MOST_OPEN],
    count: u8,
    /// Units that were read, modulo 2^32.
    units: u32,
}

impl Spans {
    pub(super) const NONE: Spans = Spans { open: [Run { length: 0, end: 0 }; MOST_OPEN], count: 0, units: 0 };

    pub(super) fn is_open(&self) -> bool {
        self.count > 0
    }

    /// Where the text is read, to compare with `since`.
    pub(super) fn here(&self) -> u32 {
        self.units
    }

    /// Units since a place.
    pub(super) fn since(&self, place: u32) -> u32 {
        self.units.wrapping_sub(place)
    }

    pub(super) fn pass(&mut self, byte: u8) {
        self.units = self.units.wrapping_add(units_of(byte));
    }

    /// Goes on at a place that was passed.
    pub(super) fn go_back_to(&mut self, place: u32) {
        self.units = place;
    }

    /// A run that ended at a place, the first of whose backticks may be escaped; whether
    /// it closes the inline code that the first open run began.
    pub(super) fn take(&mut self, length: u16, is_escaped: bool, end: u32) -> bool {
        let open = self.open.get(..usize::from(self.count)).unwrap_or_default();
        if let Some(at) = open.iter().position(|run| run.length == length) {
            self.count = at as u8;
            return at == 0;
        }
        // A backslash counts only outside of inline code.
        let length = length.saturating_sub(u16::from(is_escaped));
        if length > 0
            && let Some(next) = self.open.get_mut(usize::from(self.count))
        {
            *next = Run { length, end };
            self.count += 1;
        }
        false
    }

    /// Whether the first open run has no partner near enough.
    pub(super) fn is_too_long(&self) -> bool {
        self.is_open() && self.open.first().is_some_and(|first| self.since(first.end) >= LONGEST_SPAN)
    }

    /// The first open run is literal.
    pub(super) fn drop_first(&mut self) {
        self.open.rotate_left(1);
        self.count = self.count.saturating_sub(1);
    }

    /// Ends all open spans; returns whether there was any.
    pub(super) fn end(&mut self) -> bool {
        let was_open = self.is_open();
        self.count = 0;
        was_open
    }
}
