//! The field front-end's records: what each says, and how it is packed.

use crate::json::{Container, Fault, Literal};
use crate::text::Record;

/// What a record says. The numbers are the wire format of the border;
/// `pkg-template/src/fields/reader.ts` reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// What may be a document begins. Until `Confirm` nothing of it may be told.
    Candidate,
    /// It is none.
    Drop,
    /// It is one.
    Confirm,
    /// It may be one, if nothing better comes.
    Fallback,
    /// It is complete.
    End,
    /// A container opens.
    Push(Container),
    /// The innermost container closes.
    Pop,
    /// Text of a member's name, which goes on.
    KeyPiece,
    /// A character of a member's name.
    KeyCharacter(u32),
    /// The last text of a member's name.
    Key,
    /// Text of a string, which goes on.
    Piece,
    /// A character of a string, or half of a surrogate pair that stands alone.
    Character(u32),
    /// The last text of a string.
    Text,
    /// A number.
    Number,
    /// What there is of a number at the end of a stretch, or of the stream.
    CutNumber,
    /// A word.
    Word(Literal),
    /// From here on something can't be read.
    Stumble,
    /// The place that couldn't be read; one that was announced begins there.
    Fault(Fault),
}

const FAULTS: [Fault; 6] =
    [Fault::Unexpected, Fault::MissingValue, Fault::BadEscape, Fault::TooDeep, Fault::TooLong, Fault::RawControl];

impl Op {
    /// The record of this op at a place.
    #[must_use]
    pub fn at(self, start: u32, end: u32) -> Record {
        let word = match self {
            Op::Candidate => 1,
            Op::Drop => 2,
            Op::Confirm => 3,
            Op::Fallback => 4,
            Op::End => 5,
            Op::Push(container) => 6 | u32::from(container == Container::Object) << 8,
            Op::Pop => 7,
            Op::KeyPiece => 8,
            Op::KeyCharacter(code) => 9 | code << 8,
            Op::Key => 10,
            Op::Piece => 11,
            Op::Character(code) => 12 | code << 8,
            Op::Text => 13,
            Op::Number => 14,
            Op::CutNumber => 15,
            Op::Word(literal) => 16 | (literal as u32) << 8,
            Op::Stumble => 17,
            Op::Fault(fault) => 18 | (fault as u32) << 8,
        };
        Record { word, start, end }
    }

    /// What a record says; `None` for a word that no op has.
    #[must_use]
    pub fn of(record: Record) -> Option<Op> {
        let detail = record.word >> 8;
        Some(match record.word & 0xFF {
            1 => Op::Candidate,
            2 => Op::Drop,
            3 => Op::Confirm,
            4 => Op::Fallback,
            5 => Op::End,
            6 => Op::Push(if detail == 1 { Container::Object } else { Container::Array }),
            7 => Op::Pop,
            8 => Op::KeyPiece,
            9 => Op::KeyCharacter(detail),
            10 => Op::Key,
            11 => Op::Piece,
            12 => Op::Character(detail),
            13 => Op::Text,
            14 => Op::Number,
            15 => Op::CutNumber,
            16 => Op::Word(match detail {
                0 => Literal::False,
                1 => Literal::True,
                2 => Literal::Null,
                _ => return None,
            }),
            17 => Op::Stumble,
            18 => Op::Fault(*FAULTS.get(detail as usize)?),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_op_comes_back() {
        let mut ops = vec![
            Op::Candidate,
            Op::Drop,
            Op::Confirm,
            Op::Fallback,
            Op::End,
            Op::Push(Container::Object),
            Op::Push(Container::Array),
            Op::Pop,
            Op::KeyPiece,
            Op::KeyCharacter(0xD83D),
            Op::Key,
            Op::Piece,
            Op::Character(0x1F642),
            Op::Text,
            Op::Number,
            Op::CutNumber,
            Op::Word(Literal::True),
            Op::Word(Literal::False),
            Op::Word(Literal::Null),
            Op::Stumble,
        ];
        ops.extend(FAULTS.map(Op::Fault));
        for op in ops {
            assert_eq!(Op::of(op.at(1, 2)), Some(op));
        }
        assert_eq!(Op::of(Record { word: 99, start: 0, end: 0 }), None);
    }
}
