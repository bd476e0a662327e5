//! The numbers of the field parser that cross the border.

use super::prose::STOPS;
use crate::json::{Container, Fault, Literal, STRING_STOPS};
use crate::text::{numbered, records};

records! {
    /// What a record says.
    pub enum Op: 8 {
        /// What may be a document begins. Nothing of it may be emitted before `Confirm`.
        Candidate = 1,
        /// It is not one.
        Drop = 2 => drop(),
        /// It is one.
        Confirm = 3 => confirm(),
        /// It may be one, if nothing better comes.
        Fallback = 4 => fallback(),
        /// It is complete.
        End = 5 => end(),
        /// A container opens.
        Push(container: Container = 8..32) = 6,
        /// The innermost container closes.
        Pop = 7,
        /// Text of a member's name, which goes on.
        KeyPiece = 8,
        /// A character of a member's name.
        KeyCharacter(code: u32 = 8..32) = 9,
        /// The last text of a member's name.
        Key = 10,
        /// Text of a string, which goes on.
        Piece = 11,
        /// A character of a string, or half of a surrogate pair that stands alone.
        Character(code: u32 = 8..32) = 12,
        /// The last text of a string.
        Text = 13,
        /// A number.
        Number = 14,
        /// What there is of a number at the end of a stretch, or of the stream.
        CutNumber = 15,
        /// A word.
        Word(literal: Literal = 8..32) = 16,
        /// From here on something can't be read.
        Stumble = 17 => stumble(from),
        /// The place that couldn't be read; one that was announced begins there.
        Fault(code: Fault = 8..32) = 18 => fault(code, from, to),
        /// It is emitted, though none of its keys so far is the schema's.
        Mismatch = 19 => mismatch(from),
        /// It may be one, if the thinking around it never closes.
        Thought = 20 => thought(),
        /// That thinking has closed.
        Forget = 21 => forget(),
    }
}

numbered! {
    /// How a stream begins, a bit each.
    #[repr(u32)]
    pub enum Flag {
        /// Only RFC 8259 is read.
        Strict = 1,
        /// All documents of the stream are read.
        Multiple = 2,
        /// Numbers have a record at every cut.
        EmitsNumbers = 4,
        /// The text is one value, without prose.
        Bare = 8,
        /// Elements of a root array may be null.
        Nullable = 16,
        /// The stream begins inside thinking.
        Thinking = 32,
        /// Documents in Markdown code are text, but for fences of JSON.
        SkipsCode = 64,
        /// With `Bare`: a value in a fence is the one that is meant.
        Fenced = 128,
    }
}

/// The stable name of a fault, as JavaScript's `error.code` has it. Fields don't
/// say which text was unexpected.
#[must_use]
pub const fn fault_name(fault: Fault) -> &'static str {
    match fault {
        Fault::Unexpected | Fault::RawControl | Fault::Quote => "unexpected-text",
        Fault::MissingValue | Fault::BadEscape | Fault::TooDeep | Fault::TooLong => fault.name(),
    }
}

numbered! {
/// How the next chunk may be read without asking.
#[repr(u8)]
pub enum Mode {
    /// It has to be read.
    Read = 0,
    /// Without `{`, `[`, a backtick, `<` and line ends it is prose.
    Prose = 1,
    /// Without `"`, a backslash and control characters it is more of the open string.
    String = 2,
}
}

impl Mode {
    /// What may end text of the mode.
    #[must_use]
    pub const fn stops(self) -> &'static [u8] {
        match self {
            Mode::Read => b"",
            Mode::Prose => &STOPS,
            Mode::String => &STRING_STOPS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Record;

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
            Op::Mismatch,
            Op::Thought,
            Op::Forget,
        ];
        ops.extend(Fault::ALL.map(Op::Fault));
        for op in ops {
            assert_eq!(Op::of(op.at(1, 2)), Some(op));
        }
        assert_eq!(Op::of(Record { word: 99, start: 0, end: 0 }), None);
    }
}
