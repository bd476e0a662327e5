//! One JSON text from its start to its end, for the border.

use super::op::fault_record;
use super::state::{Fault, Place, State};
use super::tokenizer::{Kind, Token, Tokenizer};
use super::tolerance::Rules;
use crate::text::{Sink, Stretch};

/// Reads one text up to its first fault. Records are those of `op.rs`.
#[derive(Clone, Copy, Debug)]
pub struct JsonReading {
    json: Tokenizer,
    keeps_escapes: bool,
    has_failed: bool,
}

impl JsonReading {
    /// In front of a text. `keeps_escapes`: a backslash that escapes nothing is
    /// text, and no fault.
    #[must_use]
    pub const fn new(rules: Rules, keeps_escapes: bool, max_depth: u16) -> JsonReading {
        JsonReading { json: Tokenizer::new(rules, max_depth), keeps_escapes, has_failed: false }
    }

    /// The rules that something was read by.
    #[must_use]
    pub fn used(&self) -> Rules {
        self.json.used()
    }

    /// Whether a fault was told.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Reads a stretch that begins at unit `from` of the text; gives the unit
    /// where to read on.
    pub fn run(&mut self, bytes: &[u8], from: u32, sink: &mut impl Sink) -> u32 {
        let mut text = Stretch::new(bytes, from, false);
        while !self.has_failed && !sink.lacks_room_for(3) {
            let Some(token) = self.json.next(&mut text) else { break };
            if token.kind == Kind::Fault(Fault::BadEscape) && self.keeps_escapes {
                // What escapes nothing stays as it is; a quote needs no backslash.
                if text.rest().first() == Some(&b'\'') {
                    self.json.drop_backslash();
                }
            } else if let Kind::Stumble | Kind::Fault(_) = token.kind {
                self.fail(token.kind, token.start, sink);
            } else if let Some(record) = token.record() {
                sink.record(record);
            }
        }
        if text.is_at_end()
            && !self.has_failed
            && let Some(piece) = self.json.rest(&mut text)
            && let Some(record) = piece.record()
        {
            sink.record(record);
        }
        text.here()
    }

    fn fail(&mut self, kind: Kind, at: u32, sink: &mut impl Sink) {
        self.has_failed = true;
        let (state, inside) = self.json.place_of_fault();
        let fault = if let Kind::Fault(fault) = kind { fault } else { self.json.fault() };
        sink.record(fault_record(Some(fault), state, inside, at));
    }

    /// The end of the text, which is `length` units long.
    pub fn finish(&mut self, length: u32, sink: &mut impl Sink) {
        if self.has_failed {
            return;
        }
        let (is_whole, has_ended, state) = (self.json.is_whole(), self.json.can_end(), self.json.state());
        let number = self.json.open_number(length);
        let last = self.json.finish(length);
        // What ends with the text is told, though what is around it may be open.
        if let Some(record) = number.or(last).filter(|_| is_whole || has_ended).and_then(Token::record) {
            sink.record(record);
        }
        if !is_whole {
            self.has_failed = true;
            let place = if has_ended { State::At(Place::After) } else { state.0 };
            sink.record(fault_record(None, place, state.1, length));
        }
    }
}
