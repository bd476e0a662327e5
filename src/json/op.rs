//! The numbers of JSON that cross the border, and what a token is in a record.

use super::state::{Container, Fault, Place, State};
use super::tokenizer::{Kind, Token};
use super::tolerance::{Rule, Rules};
use crate::text::{Record, numbered};

numbered! {
    /// The kinds of JSON records: the lowest four bits of a word.
    #[repr(u32)]
    pub enum JsonOp {
        /// An object opens.
        Object = 1,
        /// An array opens.
        Array = 2,
        /// The innermost container closes.
        Close = 3,
        /// A piece of a string.
        Piece = 4,
        /// A piece of a key.
        KeyPiece = 5,
        /// A character of a string; its code is above the lowest eight bits.
        Character = 6,
        /// A character of a key.
        KeyCharacter = 7,
        /// A string ends; the place is its last piece.
        End = 8,
        /// A key ends.
        KeyEnd = 9,
        /// A number.
        Number = 10,
        /// A word, by the number of its `Literal` above the lowest eight bits.
        Word = 11,
        /// Something can't be read: by bytes the fault, where it was, in what.
        Fault = 12,
    }
}

impl JsonOp {
    /// What a record says, if it is of JSON.
    #[must_use]
    pub fn of(record: Record) -> Option<JsonOp> {
        JsonOp::from_number(record.word & 0xFF)
    }
}

impl Token {
    /// The token as a record; a stumble has no record, since its fault follows.
    #[must_use]
    pub(crate) fn record(self) -> Option<Record> {
        let (op, argument) = match self.kind {
            Kind::Push(Container::Object) => (JsonOp::Object, 0),
            Kind::Push(Container::Array | Container::Text) => (JsonOp::Array, 0),
            Kind::Pop(_) => (JsonOp::Close, 0),
            Kind::Piece { is_key } => (if is_key { JsonOp::KeyPiece } else { JsonOp::Piece }, 0),
            Kind::Character { is_key, code } => (if is_key { JsonOp::KeyCharacter } else { JsonOp::Character }, code),
            Kind::Text { is_key } => (if is_key { JsonOp::KeyEnd } else { JsonOp::End }, 0),
            Kind::Number | Kind::CutNumber => (JsonOp::Number, 0),
            Kind::Word(literal) => (JsonOp::Word, literal as u32),
            Kind::Fault(fault) => (JsonOp::Fault, fault as u32),
            Kind::Stumble => return None,
        };
        Some(Record { word: op as u32 | argument << 8, start: self.start, end: self.end })
    }
}

numbered! {
    /// Where a fault was: what was read, or what could come next.
    #[repr(u8)]
    pub enum FaultPlace {
        /// A value.
        Value = 0 => "value",
        /// The first element of an array, or its end.
        FirstElement = 1 => "first-element",
        /// Another element.
        Element = 2 => "element",
        /// The first key of an object, or its end.
        FirstKey = 3 => "first-key",
        /// Another key.
        Key = 4 => "key",
        /// A colon.
        Colon = 5 => "colon",
        /// What follows a value.
        After = 6 => "after",
        /// In a string or a key.
        String = 7 => "string",
        /// In a number.
        Number = 8 => "number",
        /// In a word.
        Word = 9 => "word",
        /// In a comment.
        Comment = 10 => "comment",
    }
}

impl FaultPlace {
    fn of(state: State) -> FaultPlace {
        match state {
            State::At(Place::Value) => FaultPlace::Value,
            State::At(Place::FirstElement) => FaultPlace::FirstElement,
            State::At(Place::Element) => FaultPlace::Element,
            State::At(Place::FirstKey) => FaultPlace::FirstKey,
            State::At(Place::Key) => FaultPlace::Key,
            State::At(Place::Colon) => FaultPlace::Colon,
            State::At(Place::After) => FaultPlace::After,
            State::Text(..) => FaultPlace::String,
            State::Number(_) => FaultPlace::Number,
            State::Word { .. } | State::Lone(_) => FaultPlace::Word,
            State::Comment(..) => FaultPlace::Comment,
        }
    }
}

numbered! {
    /// The rules of a text that is read whole.
    #[repr(u32)]
    pub enum RuleSet {
        /// RFC 8259.
        Strict = 0,
        /// Robust JSON: [`Rules::RELAXED`].
        Relaxed = 1,
        /// Robust JSON in which commas may be missing: [`Rules::TOLERANT`].
        Tolerant = 2,
        /// What a tool call may be written in: [`Rules::CALL`].
        Call = 3,
        /// Python's literals, as far as JSON has them: [`Rules::PYTHON`].
        Python = 4,
        /// RFC 8259, and escapes that it doesn't know stay: [`Rules::KEPT`].
        Kept = 5,
        /// Python's literals, and escapes that are errors in Python stay.
        PythonKept = 6,
    }
}

impl RuleSet {
    /// Its rules.
    #[must_use]
    pub const fn rules(self) -> Rules {
        match self {
            RuleSet::Strict => Rules::STRICT,
            RuleSet::Relaxed => Rules::RELAXED,
            RuleSet::Tolerant => Rules::TOLERANT,
            // Nobody waits here for what follows a quote.
            RuleSet::Call => Rules::CALL.without(Rule::UnescapedQuote),
            RuleSet::Python => Rules::PYTHON,
            RuleSet::PythonKept => Rules::PYTHON.with(Rule::KeptEscape),
            RuleSet::Kept => Rules::KEPT,
        }
    }
}

/// In place of a fault: the text ends too early. The number is one past the last fault's.
pub const END_OF_TEXT: (u32, &str) = (Fault::ALL.len() as u32, "end-of-text");

/// A fault's word has its number in a byte, then its place and what it is in.
pub const FAULT_PLACE: u32 = 16;
/// The lowest bit of what a fault is in.
pub const FAULT_INSIDE: u32 = 24;

/// A fault's record, with the place where the reader stood.
#[must_use]
pub(crate) fn fault_record(fault: Option<Fault>, state: State, inside: Container, at: u32) -> Record {
    let fault = fault.map_or(END_OF_TEXT.0, |fault| fault as u32);
    let place = FaultPlace::of(state) as u32;
    let word = JsonOp::Fault as u32 | fault << 8 | place << FAULT_PLACE | (inside as u32) << FAULT_INSIDE;
    Record { word, start: at, end: at }
}

/// What may end plain text in a string: a quote, a backslash, and control characters.
pub(crate) const STRING_STOPS: [u8; 34] = *b"\"\\\
    \x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\
    \x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f";

#[cfg(test)]
mod tests {
    use super::super::state::Literal;
    use super::*;

    #[test]
    fn every_token_is_its_record() {
        let words = [
            (Kind::Push(Container::Object), JsonOp::Object, 0),
            (Kind::Push(Container::Array), JsonOp::Array, 0),
            (Kind::Pop(Container::Object), JsonOp::Close, 0),
            (Kind::Piece { is_key: false }, JsonOp::Piece, 0),
            (Kind::Piece { is_key: true }, JsonOp::KeyPiece, 0),
            (Kind::Character { is_key: false, code: 0x1_F642 }, JsonOp::Character, 0x1_F642),
            (Kind::Character { is_key: true, code: 0x41 }, JsonOp::KeyCharacter, 0x41),
            (Kind::Text { is_key: false }, JsonOp::End, 0),
            (Kind::Text { is_key: true }, JsonOp::KeyEnd, 0),
            (Kind::Number, JsonOp::Number, 0),
            (Kind::CutNumber, JsonOp::Number, 0),
            (Kind::Word(Literal::Null), JsonOp::Word, 2),
            (Kind::Fault(Fault::RawControl), JsonOp::Fault, 5),
        ];
        for (kind, op, argument) in words {
            let record = Token { kind, start: 3, end: 7 }.record();
            let expected = Record { word: op as u32 + argument * 0x100, start: 3, end: 7 };
            assert_eq!((record, JsonOp::of(expected)), (Some(expected), Some(op)), "{kind:?}");
        }
        assert_eq!(Token { kind: Kind::Stumble, start: 3, end: 7 }.record(), None);
    }

    /// By bytes.
    #[test]
    fn a_fault_says_where_and_in_what() {
        let bytes = |fault, state, inside| fault_record(fault, state, inside, 9).word.to_le_bytes();
        let value = State::At(Place::Value);
        assert_eq!(bytes(Some(Fault::TooLong), value, Container::Text), [12, 4, 0, 2]);
        assert_eq!(bytes(None, State::At(Place::Colon), Container::Object), [12, 7, 5, 1]);
        assert_eq!(bytes(Some(Fault::MissingValue), State::At(Place::After), Container::Array), [12, 1, 6, 0]);
        let record = fault_record(None, value, Container::Text, 9);
        assert_eq!((record.start, record.end), (9, 9));
    }
}
