//! Text that can't be read and is passed over.

use super::state::Fault;
use super::tolerance::{Rule, Rules};

/// What is passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum What {
    Nothing,
    /// Something unexpected, up to where a member or an element may begin again.
    Unexpected(Fault),
    /// A container beyond the depth limit.
    Container,
    /// A string inside it, by its quote.
    String(u8),
    /// A backslash in that string.
    Escape(u8),
}

/// What is passed over, and how many brackets are open in it.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Skipped {
    what: What,
    levels: u32,
}

impl Skipped {
    /// Text is read.
    pub(super) const NOTHING: Skipped = Skipped { what: What::Nothing, levels: 0 };

    /// A container that nests too deep, after its opening bracket.
    pub(super) const CONTAINER: Skipped = Skipped { what: What::Container, levels: 1 };

    pub(super) fn unexpected(fault: Fault) -> Skipped {
        Skipped { what: What::Unexpected(fault), levels: 0 }
    }

    #[inline(always)]
    pub(super) fn is_nothing(&self) -> bool {
        self.what == What::Nothing
    }

    /// Why it can't be read.
    pub(super) fn fault(&self) -> Fault {
        if let What::Unexpected(fault) = self.what { fault } else { Fault::TooDeep }
    }

    /// Whether reading may go on at a byte.
    pub(super) fn may_end_before(&self, byte: u8) -> bool {
        matches!(self.what, What::Unexpected(_)) && self.levels == 0 && b",}]\n\r".contains(&byte)
    }

    /// Whether it ends with a byte, which is passed.
    pub(super) fn ends_with(&mut self, byte: u8, rules: Rules) -> bool {
        self.what = match self.what {
            What::Container if byte == b'"' || byte == b'\'' && rules.has(Rule::SingleQuotes) => What::String(byte),
            What::Container | What::Unexpected(_) => {
                self.levels += u32::from(matches!(byte, b'{' | b'['));
                self.levels = self.levels.saturating_sub(u32::from(matches!(byte, b'}' | b']')));
                return self.levels == 0 && self.what == What::Container;
            }
            What::String(quote) if byte == quote => What::Container,
            What::String(quote) if byte == b'\\' => What::Escape(quote),
            What::Escape(quote) => What::String(quote),
            What::String(_) | What::Nothing => return false,
        };
        false
    }
}
