//! Where Markdown has code around the place.

use crate::markdown::{Found, Quotes, Standing};

/// Markdown's code, as it is read.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Code {
    quotes: Quotes,
    /// By what was read ahead, from what may be in code up to where that is known.
    ahead: Quotes,
    /// What comes before this place is in code.
    until: u32,
}

impl Code {
    pub(super) const START: Code = Code { quotes: Quotes::START, ahead: Quotes::START, until: 0 };

    /// Whether what begins with the next byte, at a unit, is in code; if that is open, reading ahead begins.
    pub(super) fn look(&mut self, here: u32) -> Standing {
        if here < self.until {
            return Standing::Code;
        }
        let standing = self.standing();
        if standing == Standing::Open {
            self.ahead = self.quotes;
            let _ = self.ahead.look();
        }
        standing
    }

    /// Reads one byte after what may be in code, at a unit; whether it says what that is.
    pub(super) fn read_ahead(&mut self, byte: u8, here: u32) -> bool {
        let found = self.ahead.ahead(byte);
        if let Some(found) = found {
            self.found(found, here);
        }
        found.is_some()
    }

    /// The stream has ended after what may be in code.
    pub(super) fn end_ahead(&mut self, here: u32) {
        let found = self.ahead.end();
        self.found(found, here);
    }

    /// It is known whether what may be in code is.
    fn found(&mut self, found: Found, here: u32) {
        match found {
            Found::Again => self.quotes = self.ahead,
            Found::Code { back } => self.until = here.saturating_sub(back),
        }
    }

    /// Whether text that has nothing special changes nothing.
    pub(super) fn is_plain(&self) -> bool {
        self.quotes.code().is_plain()
    }

    /// It is not inlined, as `step` isn't: both are long, and have many callers.
    #[inline(never)]
    pub(super) fn standing(&self) -> Standing {
        self.quotes.code().standing()
    }

    #[inline(never)]
    pub(super) fn step(&mut self, byte: u8) {
        self.quotes.code_mut().step(byte);
    }

    /// Something was passed over, as a part of its line.
    pub(super) fn pass_segment(&mut self) {
        self.quotes.code_mut().pass_segment();
    }

    /// Forgets the first `units` units.
    pub(super) fn release(&mut self, units: u32) {
        self.until = self.until.saturating_sub(units);
    }
}
