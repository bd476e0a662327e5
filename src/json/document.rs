//! One JSON document, alone in its text, while it is written: the arguments of a call.
//!
//! Nothing is repaired or passed over: the first text that can't be read ends the reading.
//! Places count from the start of the pending text, which is a number, a word or an escape.

use super::op::{STRING_STOPS, fault_record};
use super::state::{Place, State};
use super::tokenizer::{Failure, Kind, Token, Tokenizer};
use super::tolerance::Rules;
use crate::text::{Machine, Nothing, Outcome, Sink, Stretch, numbered};

numbered! {
    /// Where the document is read, so that JavaScript can emit plain text without a call, and lead another machine to
    /// the same place.
    #[repr(u8)]
    pub enum DocumentMode {
        /// In a key or an escape.
        Read = 0,
        /// In the plain text of a string.
        Plain = 1,
        /// In a number that could end here.
        Number = 2,
        /// `|1`, `{"a":|1}`
        Value = 3,
        /// `[|1]`
        FirstElement = 4,
        /// `[1,|2]`
        Element = 5,
        /// `{|"a":1}`
        FirstKey = 6,
        /// `{"a":1,|"b":2}`
        Key = 7,
        /// `{"a"|:1}`
        Colon = 8,
        /// `1 |`, `[1 |]`
        After = 9,
        /// In a word, or in a number that can't end here.
        Scalar = 10,
    }
}

impl DocumentMode {
    /// What may end the text of the mode; in modes without it all has to be read.
    #[must_use]
    pub fn stops(self) -> &'static [u8] {
        if self == DocumentMode::Plain { &STRING_STOPS } else { &[] }
    }
}

/// Reads one document. Records are those of `op.rs`.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct DocumentReading {
    json: Tokenizer,
}

impl DocumentReading {
    /// Before a document.
    #[must_use]
    pub const fn new(rules: Rules, max_depth: u16) -> DocumentReading {
        DocumentReading { json: Tokenizer::new(rules, max_depth) }
    }

    /// The rules that something was read by.
    #[must_use]
    pub fn used(&self) -> Rules {
        self.json.used()
    }

    /// Records a token; of text that can't be read, why.
    fn record(&self, token: Token, sink: &mut impl Sink) {
        let record = if let Some(fault) = self.json.fault_of(token) {
            let (state, inside) = self.json.place_of_fault();
            if self.json.failure() == Failure::InString {
                // The string has begun, wherever the text was cut.
                let piece = Token { kind: Kind::Piece { is_key: false }, end: token.start, ..token };
                piece.record().into_iter().for_each(|record| sink.record(record));
            }
            Some(fault_record(Some(fault), state, inside, token.start))
        } else {
            token.record()
        };
        record.into_iter().for_each(|record| sink.record(record));
    }
}

/// After a fault it isn't to be called again.
impl Machine for DocumentReading {
    type Ask = Nothing;
    type Answer = Nothing;
    type Mode = DocumentMode;
    type Table = ();

    fn run(&mut self, (): &(), text: &mut Stretch<'_>, sink: &mut impl Sink) -> Outcome<Nothing> {
        while !sink.lacks_room_for(2)
            && let Some(token) = self.json.next(text).or_else(|| self.json.rest(text))
        {
            self.record(token, sink);
            if self.json.fault_of(token).is_some() {
                break;
            }
        }
        let here = text.here();
        let held_from = self.json.held_from(here);
        self.json.release(held_from);
        Outcome::new(here, held_from)
    }

    /// A number that is the whole document ends with it.
    fn finish(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Nothing> {
        let number = if self.json.depth() == 0 { self.json.open_number(held) } else { None };
        if let Some(record) = number.and_then(Token::record) {
            sink.record(record);
        }
        Outcome::new(held, held)
    }

    fn answer(&mut self, _: Nothing) {}

    fn mode(&self) -> DocumentMode {
        match self.json.state().0 {
            State::Text(..) if self.json.is_in_plain_string() => DocumentMode::Plain,
            State::Number(_) if self.json.can_end() => DocumentMode::Number,
            State::At(Place::Value) => DocumentMode::Value,
            State::At(Place::FirstElement) => DocumentMode::FirstElement,
            State::At(Place::Element) => DocumentMode::Element,
            State::At(Place::FirstKey) => DocumentMode::FirstKey,
            State::At(Place::Key) => DocumentMode::Key,
            State::At(Place::Colon) => DocumentMode::Colon,
            State::At(Place::After) => DocumentMode::After,
            State::Number(_) | State::Word { .. } => DocumentMode::Scalar,
            State::Text(..) | State::Comment(..) | State::Lone(_) => DocumentMode::Read,
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn steps(&self) -> u64 {
        self.json.steps()
    }
}
