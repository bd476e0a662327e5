//! What encloses the place: thinking, function calls and function results, as
//! runs of equal levels, so that 100,000 nested tags of one kind are one run.

use super::op::Kind;

/// Most runs. Opening tags beyond it are counted and change nothing until as many
/// closing tags have been read.
const RUNS: usize = 16;

/// The open levels, outermost first.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Stack {
    #[cfg_attr(feature = "debug", serde(serialize_with = "crate::text::inspect::list"))]
    runs: [(Kind, u32); RUNS],
    used: u8,
    beyond: u32,
    /// Open levels of each kind, by the kind's number.
    counts: [u32; 4],
}

impl Stack {
    /// The kind of an element's block that starts here: thinking before calls before results.
    pub(super) fn element_kind(&self) -> Kind {
        let order = [Kind::Thinking, Kind::ToolCall, Kind::ToolResult];
        order.into_iter().find(|&kind| self.count(kind) > 0).unwrap_or(Kind::Text)
    }

    pub(super) const EMPTY: Stack = Stack { runs: [(Kind::Text, 0); RUNS], used: 0, beyond: 0, counts: [0; 4] };

    /// The kind of the innermost level; text where none is open.
    pub(super) fn top(&self) -> Kind {
        usize::from(self.used).checked_sub(1).and_then(|last| self.runs.get(last)).map_or(Kind::Text, |run| run.0)
    }

    /// How many levels of a kind are open.
    pub(super) fn count(&self, kind: Kind) -> u32 {
        self.counts.get(kind as usize).copied().unwrap_or_default()
    }

    /// An opening tag.
    // One copy: tags of many roles open a level.
    #[inline(never)]
    pub(super) fn push(&mut self, kind: Kind) {
        if self.beyond == 0 && self.top() == kind {
            if let Some(run) = usize::from(self.used).checked_sub(1).and_then(|last| self.runs.get_mut(last)) {
                run.1 += 1;
            }
        } else if let Some(run) = self.runs.get_mut(usize::from(self.used)).filter(|_| self.beyond == 0) {
            *run = (kind, 1);
            self.used += 1;
        } else {
            self.beyond += 1;
            return;
        }
        self.add(kind, 1);
    }

    /// A closing tag: closes the innermost level of its kind and all above it.
    /// False when none is open, and then nothing changes.
    pub(super) fn pop(&mut self, kind: Kind) -> bool {
        if self.count(kind) == 0 {
            return false;
        }
        if self.beyond > 0 {
            self.beyond = self.beyond.saturating_sub(1);
            return true;
        }
        while let Some(run) = usize::from(self.used).checked_sub(1).and_then(|last| self.runs.get_mut(last)) {
            let (top, levels) = *run;
            let closed = if top == kind { 1 } else { levels };
            run.1 = run.1.saturating_sub(closed);
            if run.1 == 0 {
                self.used = self.used.saturating_sub(1);
            }
            self.add(top, closed.wrapping_neg());
            if top == kind {
                break;
            }
        }
        true
    }

    /// One more level of a kind, wherever it stands.
    pub(super) fn enter(&mut self, kind: Kind) {
        self.add(kind, 1);
    }

    /// One level less of a kind that has one, wherever it stands.
    pub(super) fn leave(&mut self, kind: Kind) {
        self.add(kind, 1_u32.wrapping_neg());
    }

    fn add(&mut self, kind: Kind, levels: u32) {
        if let Some(count) = self.counts.get_mut(kind as usize) {
            *count = count.wrapping_add(levels);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closer_closes_its_own_and_what_is_above() {
        let mut stack = Stack::EMPTY;
        for kind in [Kind::Thinking, Kind::ToolCall, Kind::ToolCall, Kind::ToolResult] {
            stack.push(kind);
        }
        assert!(stack.pop(Kind::ToolCall));
        assert_eq!((stack.top(), stack.count(Kind::ToolResult), stack.count(Kind::ToolCall)), (Kind::ToolCall, 0, 1));
        assert!(stack.pop(Kind::Thinking));
        assert_eq!((stack.top(), stack.count(Kind::ToolCall)), (Kind::Text, 0));
        assert!(!stack.pop(Kind::Thinking));
    }

    #[test]
    fn deep_nesting_of_one_kind_is_exact_and_of_two_is_counted() {
        let mut stack = Stack::EMPTY;
        for _ in 0..100_000 {
            stack.push(Kind::Thinking);
        }
        for _ in 0..99_999 {
            assert!(stack.pop(Kind::Thinking));
        }
        assert_eq!(stack.count(Kind::Thinking), 1);

        let mut stack = Stack::EMPTY;
        for _ in 0..1_000 {
            stack.push(Kind::Thinking);
            stack.push(Kind::ToolCall);
        }
        assert_eq!(stack.count(Kind::Thinking), RUNS as u32 / 2);
        for _ in 0..1_000 {
            assert!(stack.pop(Kind::ToolCall));
            assert!(stack.pop(Kind::Thinking));
        }
        assert_eq!(stack.top(), Kind::Text);
    }
}
