//! How much of candidates that failed or ended is searched again.

/// That may cost so many units,
const FREE: u64 = 4_096;

/// so many more for each candidate,
const EACH: u64 = 32;

/// and what ended without a key of the schema may be searched so often.
const UNMATCHED: u64 = 2;

/// What was searched so far.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Search {
    candidates: u64,
    /// Units of candidates that ended without a key of the schema.
    unmatched: u64,
    /// Units searched again.
    searched: u64,
    /// What begins before this place is part of a candidate that has ended.
    inner_until: u32,
}

impl Search {
    pub(super) const START: Search = Search { candidates: 0, unmatched: 0, searched: 0, inner_until: 0 };

    /// A candidate begins; whether it is part of another one.
    pub(super) fn begin(&mut self, start: u32) -> bool {
        self.candidates += 1;
        start < self.inner_until
    }

    /// One that has ended is searched for a better one.
    pub(super) fn pass(&mut self, start: u32, end: u32) {
        self.unmatched += u64::from(end.saturating_sub(start));
        self.inner_until = end;
    }

    /// Pays for `units` units; false if that is too much.
    pub(super) fn pays(&mut self, units: u32) -> bool {
        let searched = self.searched + u64::from(units);
        let can = searched <= FREE + self.candidates * EACH + self.unmatched * UNMATCHED;
        if can {
            self.searched = searched;
        }
        can
    }

    /// Forgets the first `units` units.
    pub(super) fn release(&mut self, units: u32) {
        self.inner_until = self.inner_until.saturating_sub(units);
    }
}
