//! The segment front-end's records: what each says, and how it is packed.

use crate::text::Record;

/// What a segment is.
///
/// ```
/// use tokenweir::segment::{EventKind, Options, SegmentParser, SegmentType};
/// let events = SegmentParser::new(Options::default()).feed("<run_bash>ls")?;
/// let EventKind::Start { segment_type, .. } = events[1].kind else { panic!() };
/// assert_eq!((segment_type, segment_type.name()), (SegmentType::RunBash, "run_bash"));
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum SegmentType {
    /// Plain text.
    Text = 0,
    /// A tool that has no type of its own.
    ToolCall = 1,
    /// A file that is written.
    WriteFile = 2,
    /// A file that is patched.
    PatchFile = 3,
    /// The same, by its other name.
    EditFile = 4,
    /// A command.
    RunBash = 5,
    /// Thoughts.
    Reasoning = 6,
    /// What a state of the program's own says.
    Own = 7,
}

impl SegmentType {
    /// All, each at its number.
    // Hidden: the border knows it by its number.
    #[doc(hidden)]
    pub const ALL: [SegmentType; 8] = [
        SegmentType::Text,
        SegmentType::ToolCall,
        SegmentType::WriteFile,
        SegmentType::PatchFile,
        SegmentType::EditFile,
        SegmentType::RunBash,
        SegmentType::Reasoning,
        SegmentType::Own,
    ];

    /// The type of a number.
    // Hidden: the border knows it by its number.
    #[doc(hidden)]
    #[must_use]
    pub fn of(number: u32) -> Option<SegmentType> {
        SegmentType::ALL.get(number as usize).copied()
    }

    /// Its name in events.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SegmentType::Text => "text",
            SegmentType::ToolCall => "tool_call",
            SegmentType::WriteFile => "write_file",
            SegmentType::PatchFile => "patch_file",
            SegmentType::EditFile => "edit_file",
            SegmentType::RunBash => "run_bash",
            SegmentType::Reasoning => "reasoning",
            SegmentType::Own => "own",
        }
    }
}

/// What is wrong with a text.
///
/// ```
/// use tokenweir::segment::{EventKind, Options, SegmentParser};
/// let mut parser = SegmentParser::new(Options::default());
/// parser.feed("<run_bash>ls")?;
/// let codes: Vec<_> = parser.finish().iter().filter_map(|event| match event.kind {
///     EventKind::Fault(fault) => Some(fault.code()),
///     _ => None,
/// }).collect();
/// assert_eq!(codes, ["unterminated"]);
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Fault {
    /// The stream ended in a segment.
    Unterminated = 0,
    /// A known tag with something behind its name that became none.
    BadTag = 1,
    /// What stands behind `[[SEG_START` is no header.
    BadHeader = 2,
    /// A tool was closed without an argument that it needs.
    MissingArgument = 3,
    /// More than [`Options::longest`](super::Options::longest) was held of a tool
    /// that waited for its arguments.
    TooLong = 4,
}

impl Fault {
    const ALL: [Fault; 5] =
        [Fault::Unterminated, Fault::BadTag, Fault::BadHeader, Fault::MissingArgument, Fault::TooLong];

    /// A stable name in kebab case, the same as JavaScript's `error.code`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Fault::Unterminated => "unterminated",
            Fault::BadTag => "bad-tag",
            Fault::BadHeader => "bad-header",
            Fault::MissingArgument => "missing-argument",
            Fault::TooLong => "call-too-long",
        }
    }
}

/// What a record says. The numbers are the wire format of the border;
/// `pkg-template/src/segments/reader.ts` reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Plain text.
    Text,
    /// More of the segment's content.
    Content,
    /// What is neither.
    Markup,
    /// A segment begins.
    Start(SegmentType),
    /// It ends.
    End,
    /// The tool's name, before the segment begins.
    Name,
    /// A value for the metadata, by its place in the row.
    Metadata(u8),
    /// The same, of an attribute: 0 is the path, 1 `background`, 2 the timeout.
    Attribute(u8),
    /// A sentinel's header.
    Header,
    /// The name of another attribute of the tag, before the segment begins.
    OtherName,
    /// The value of that attribute.
    OtherValue,
    /// The segment that ends next has no content: the argument that would be it was never written.
    Missing,
    /// The name of the tool that a JSON text or a sentinel calls, as it stands in a JSON string. The
    /// program is asked about it.
    Called(SegmentType),
    /// No segment begins: what was said of it doesn't count.
    Drop,
    /// Something is wrong at the place. `Unterminated` behind an `End` is wrong
    /// from the segment's start on.
    Fault(Fault),
}

impl Op {
    /// The record of this op at a place.
    #[must_use]
    pub fn at(self, start: u32, end: u32) -> Record {
        let word = match self {
            Op::Text => 1,
            Op::Content => 2,
            Op::Markup => 3,
            Op::Start(segment_type) => 4 | (segment_type as u32) << 8,
            Op::End => 5,
            Op::Name => 6,
            Op::Metadata(index) => 7 | u32::from(index) << 8,
            Op::Attribute(number) => 8 | u32::from(number) << 8,
            Op::Header => 9,
            Op::Drop => 10,
            Op::Fault(fault) => 11 | (fault as u32) << 8,
            Op::OtherName => 12,
            Op::OtherValue => 13,
            Op::Missing => 14,
            Op::Called(segment_type) => 15 | (segment_type as u32) << 8,
        };
        Record { word, start, end }
    }

    /// What a record says; `None` for a word that no op has.
    #[must_use]
    pub fn of(record: Record) -> Option<Op> {
        let detail = record.word >> 8;
        Some(match record.word & 0xFF {
            1 => Op::Text,
            2 => Op::Content,
            3 => Op::Markup,
            4 => Op::Start(SegmentType::of(detail)?),
            5 => Op::End,
            6 => Op::Name,
            7 => Op::Metadata(detail as u8),
            8 => Op::Attribute(detail as u8),
            9 => Op::Header,
            10 => Op::Drop,
            11 => Op::Fault(*Fault::ALL.get(detail as usize)?),
            12 => Op::OtherName,
            13 => Op::OtherValue,
            14 => Op::Missing,
            15 => Op::Called(SegmentType::of(detail)?),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_op_comes_back() {
        let mut ops =
            vec![Op::Text, Op::Content, Op::Markup, Op::End, Op::Name, Op::Metadata(7), Op::Attribute(2), Op::Header];
        ops.extend([Op::Drop, Op::OtherName, Op::OtherValue, Op::Missing]);
        ops.extend(SegmentType::ALL.map(Op::Start));
        ops.extend(SegmentType::ALL.map(Op::Called));
        ops.extend(Fault::ALL.map(Op::Fault));
        for op in ops {
            assert_eq!(Op::of(op.at(1, 2)), Some(op));
        }
        assert_eq!(Op::of(Record { word: 99, start: 0, end: 0 }), None);
    }
}
