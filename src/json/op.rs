//! What a token is in a record, for the border.
//!
//! `pkg-template/src/json-ops.ts` reads the numbers.

use super::state::{Container, Fault, Place, State};
use super::tokenizer::{Kind, Token};
use crate::text::Record;

/// The kinds of JSON records: the lowest four bits of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl JsonOp {
    /// All of them; each stands at its number less one.
    pub const ALL: [JsonOp; 12] = [
        JsonOp::Object,
        JsonOp::Array,
        JsonOp::Close,
        JsonOp::Piece,
        JsonOp::KeyPiece,
        JsonOp::Character,
        JsonOp::KeyCharacter,
        JsonOp::End,
        JsonOp::KeyEnd,
        JsonOp::Number,
        JsonOp::Word,
        JsonOp::Fault,
    ];

    /// What a record says, if it is of JSON.
    #[must_use]
    pub fn of(record: Record) -> Option<JsonOp> {
        JsonOp::ALL.into_iter().find(|&op| op as u32 == record.word & 0xFF)
    }
}

impl Token {
    /// The token as a record; a stumble is none, since its fault follows.
    // Hidden: for the border.
    #[doc(hidden)]
    #[must_use]
    pub fn record(self) -> Option<Record> {
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

/// A fault's record, with the place where the reader stood.
#[must_use]
pub fn fault_record(fault: Option<Fault>, state: State, inside: Container, at: u32) -> Record {
    let place = match state {
        State::At(place) => match place {
            Place::Value => 0,
            Place::FirstElement => 1,
            Place::Element => 2,
            Place::FirstKey => 3,
            Place::Key => 4,
            Place::Colon => 5,
            Place::After => 6,
        },
        State::Text(..) => 7,
        State::Number(_) => 8,
        State::Word { .. } => 9,
        State::Comment(..) => 10,
    };
    let inside = match inside {
        Container::Text => 0,
        Container::Array => 1,
        Container::Object => 2,
    };
    // The end of the text is the number behind the last fault.
    let fault = fault.map_or(7, |fault| fault as u32);
    Record { word: JsonOp::Fault as u32 | fault << 8 | place << 16 | inside << 24, start: at, end: at }
}

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

    /// By bytes, as `pkg-template/src/json-reader.ts` reads them.
    #[test]
    fn a_fault_says_where_and_in_what() {
        let bytes = |fault, state, inside| fault_record(fault, state, inside, 9).word.to_le_bytes();
        let value = State::At(Place::Value);
        assert_eq!(bytes(Some(Fault::TooLong), value, Container::Text), [12, 4, 0, 0]);
        assert_eq!(bytes(None, State::At(Place::Colon), Container::Object), [12, 7, 5, 2]);
        assert_eq!(bytes(Some(Fault::MissingValue), State::At(Place::After), Container::Array), [12, 1, 6, 1]);
        let record = fault_record(None, value, Container::Text, 9);
        assert_eq!((record.start, record.end), (9, 9));
    }
}
