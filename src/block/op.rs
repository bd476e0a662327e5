//! The block front-end's records: what each says, and how it is packed.

use crate::text::Record;

/// The kind of a block.
///
/// ```
/// use tokenweir::block::{BlockParser, EventKind, Kind, Options};
/// let mut kinds = Vec::new();
/// for event in BlockParser::new(Options::default()).feed("<thinking>hm</thinking>yes")? {
///     if let EventKind::BlockStart { block, .. } = event.kind {
///         kinds.push(block);
///     }
/// }
/// assert_eq!(kinds, [Kind::Thinking, Kind::Text]);
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// What a reader sees.
    Text = 0,
    /// Reasoning.
    Thinking = 1,
    /// A tool call, or text that stands among tool calls.
    ToolCall = 2,
    /// A tool's result.
    ToolResult = 3,
}

/// What a record says. The numbers are the wire format of the border;
/// `pkg-template/src/events.ts` reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// A block starts.
    Start {
        /// Its kind.
        kind: Kind,
        /// Nesting depth of tool calls, at least 1 on a tool call.
        depth: u16,
    },
    /// Content of the open block, as written.
    Text,
    /// Content of the open block: the character that the place stands for.
    Character(char),
    /// Input of the open tool call: text to be written as a JSON string.
    String {
        /// The string begins here.
        is_first: bool,
        /// The string ends here.
        is_last: bool,
    },
    /// Input of the open tool call: JSON as it stands.
    Raw,
    /// The open block is complete.
    Complete {
        /// A tool call that was cut off.
        is_incomplete: bool,
        /// A tool result that reports an error.
        is_error: bool,
    },
    /// The open tool call's name stands here, if it has one.
    Name {
        /// Whether it has one.
        is_present: bool,
    },
    /// A parameter of the open tool call begins; its name stands here.
    Key {
        /// The call's first.
        is_first: bool,
    },
    /// The open tool call's input is whole.
    InputEnd {
        /// It had no parameter.
        is_empty: bool,
    },
    /// The id of the call that the open tool result answers stands here.
    ResultId,
    /// Text inside a tool call, outside its parameters: a block of its own
    /// once the call is complete.
    Stray,
    /// Markup or layout. Only where spans are wanted.
    Markup,
}

impl Op {
    /// The record of this op at a place.
    #[must_use]
    pub fn at(self, start: u32, end: u32) -> Record {
        let word = match self {
            Op::Start { kind, depth } => 1 | (kind as u32) << 8 | u32::from(depth) << 16,
            Op::Text => 2,
            Op::Character(c) => 3 | (c as u32) << 8,
            Op::String { is_first, is_last } => 4 | u32::from(is_first) << 8 | u32::from(is_last) << 9,
            Op::Raw => 5,
            Op::Complete { is_incomplete, is_error } => 6 | u32::from(is_incomplete) << 8 | u32::from(is_error) << 9,
            Op::Name { is_present } => 7 | u32::from(is_present) << 8,
            Op::Key { is_first } => 8 | u32::from(is_first) << 8,
            Op::InputEnd { is_empty } => 9 | u32::from(is_empty) << 8,
            Op::ResultId => 10,
            Op::Stray => 11,
            Op::Markup => 12,
        };
        Record { word, start, end }
    }

    /// What a record says; `None` for a word that no op has.
    #[must_use]
    pub fn of(record: Record) -> Option<Op> {
        let flag = |bit: u32| record.word >> bit & 1 == 1;
        Some(match record.word & 0xFF {
            1 => {
                let kind = match record.word >> 8 & 0xFF {
                    0 => Kind::Text,
                    1 => Kind::Thinking,
                    2 => Kind::ToolCall,
                    3 => Kind::ToolResult,
                    _ => return None,
                };
                Op::Start { kind, depth: (record.word >> 16) as u16 }
            }
            2 => Op::Text,
            3 => Op::Character(char::from_u32(record.word >> 8)?),
            4 => Op::String { is_first: flag(8), is_last: flag(9) },
            5 => Op::Raw,
            6 => Op::Complete { is_incomplete: flag(8), is_error: flag(9) },
            7 => Op::Name { is_present: flag(8) },
            8 => Op::Key { is_first: flag(8) },
            9 => Op::InputEnd { is_empty: flag(8) },
            10 => Op::ResultId,
            11 => Op::Stray,
            12 => Op::Markup,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_op_survives_packing() {
        let ops = [
            Op::Start { kind: Kind::ToolCall, depth: 65_535 },
            Op::Start { kind: Kind::Text, depth: 0 },
            Op::Text,
            Op::Character('🙂'),
            Op::String { is_first: true, is_last: false },
            Op::String { is_first: false, is_last: true },
            Op::Raw,
            Op::Complete { is_incomplete: true, is_error: false },
            Op::Complete { is_incomplete: false, is_error: true },
            Op::Name { is_present: true },
            Op::Key { is_first: false },
            Op::InputEnd { is_empty: true },
            Op::ResultId,
            Op::Stray,
            Op::Markup,
        ];
        for op in ops {
            assert_eq!(Op::of(op.at(3, 9)), Some(op));
        }
        assert_eq!(Op::of(Record { word: 99, start: 0, end: 0 }), None);
    }
}
