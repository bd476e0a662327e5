//! How far text may be searched again, so that searching stays linear.

/// Units that may be searched again however short the stream is,
const FREE: u64 = 65_536;

/// and how often each unit of the stream may be besides.
const EACH: u64 = 4;

/// What a search that turned out to be for nothing may still cost. It doesn't depend
/// on how the stream is cut: units that were passed unread count too.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(crate) struct SearchBudget {
    /// Units before the pending text.
    position: u64,
    /// Units that were searched again.
    searched: u64,
}

impl SearchBudget {
    /// At the start of a stream.
    pub(crate) const START: SearchBudget = SearchBudget { position: 0, searched: 0 };

    /// So many units are decided.
    pub(crate) fn pass(&mut self, units: u32) {
        self.position += u64::from(units);
    }

    /// Pays for `units` units at the place `here` of the pending text; false if that is too much.
    pub(crate) fn pays(&mut self, units: u32, here: u32) -> bool {
        let searched = self.searched + u64::from(units);
        let can = searched <= FREE + EACH * (self.position + u64::from(here));
        if can {
            self.searched = searched;
        }
        can
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unit_of_the_stream_earns_the_same() {
        let mut budget = SearchBudget::START;
        assert!(budget.pays(FREE as u32, 0) && !budget.pays(1, 0));
        // What couldn't be paid took nothing.
        budget.pass(3);
        assert!(!budget.pays(3 * EACH as u32 + 1, 0) && budget.pays(3 * EACH as u32, 0));
        assert!(!budget.pays(2 * EACH as u32 + 1, 2) && budget.pays(2 * EACH as u32, 2) && !budget.pays(1, 2));
    }
}
