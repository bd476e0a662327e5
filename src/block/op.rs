//! The numbers of the block parser that cross the border.

use super::tags::Role;
use crate::text::{numbered, records};

numbered! {
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
    #[non_exhaustive]
    #[repr(u8)]
    pub enum Kind {
        /// What a reader sees.
        Text = 0 => "text",
        /// Reasoning.
        Thinking = 1 => "thinking",
        /// A tool call, or text that stands among tool calls.
        ToolCall = 2 => "tool_call",
        /// A tool's result.
        ToolResult = 3 => "tool_result",
        /// A tag of the program's own: [`TagTable::own`](super::TagTable::own).
        Own = 4 => "own",
    }
}

records! {
    /// What a record says.
    pub enum Op: 8 {
        /// A block starts, with the tag that stands here, if one opened it.
        Start {
            /// Its kind.
            kind: Kind = 8..12,
            /// A tool call inside thinking.
            is_in_thinking: bool = 12..13,
            /// Nesting depth of tool calls, at least 1 on a tool call; of custom tags on one of these.
            depth: u16 = 16..32,
        } = 1 => started(kind, depth, is_in_thinking, from, to),
        /// Content of the open block, as written.
        Text = 2,
        /// Content of the open block: the character that the place stands for.
        Character(code: char = 8..32) = 3,
        /// Input of the open tool call: text to be written as a JSON string.
        String {
            /// The string begins here.
            is_first: bool = 8..9,
            /// The string ends here.
            is_last: bool = 9..10,
        } = 4,
        /// Input of the open tool call: JSON as it stands.
        Raw = 5,
        /// The open block is complete, with the tag that stands here, if it is its own.
        Complete {
            /// A block that was cut off: a tool call, thinking or a tool result.
            is_incomplete: bool = 8..9,
            /// A tool result that reports an error.
            is_error: bool = 9..10,
            /// A tool call whose input can't be read.
            is_malformed: bool = 10..11,
        } = 6 => completed(is_incomplete, is_error, from, to, is_malformed),
        /// The open tool call's name stands here, if it has one.
        Name {
            /// Whether it has one.
            is_present: bool = 8..9,
        } = 7,
        /// A parameter of the open tool call begins; its name stands here.
        Key = 8 => parameter(text, from, to),
        /// The open tool call's input is whole.
        InputEnd {
            /// It had no parameter.
            is_empty: bool = 8..9,
        } = 9 => input_end(is_empty, from),
        /// The id of the call that the open tool result answers stands here.
        ResultId = 10 => answers(text),
        /// Text inside a tool call, outside its parameters: a block of its own
        /// once the call is complete.
        Stray = 11 => stray(text, from, to),
        /// Markup or layout. Only where spans are wanted.
        Markup {
            /// White space between tags, and not a part of the last tag.
            is_layout: bool = 8..9,
        } = 12 => markup(text, is_layout, from, to),
        /// A tag, whose name stands here; its text follows as markup. Only where spans are wanted.
        Tag {
            /// What it means.
            role: Role = 8..12,
            /// `</name>`
            is_closer: bool = 12..13,
            /// `<name/>`
            is_empty: bool = 13..14,
        } = 13 => tag(text, role, is_closer, is_empty),
        /// Thinking ends with the tag that stands here, and was never begun.
        Unopened = 14 => unopened(from),
        /// Input of the open tool call: the word that stands here is a boolean.
        Boolean {
            /// Which one.
            value: bool = 8..9,
        } = 15,
        /// An element in the open tool call may be a parameter; its name stands here.
        Element {
            /// Whether it is the opening tag of a parameter, in a value that may have swallowed it.
            is_opener: bool = 8..9,
        } = 16,
        /// A parameter's CDATA, in [`Face::Elements`](super::Face::Elements).
        Payload {
            /// A section begins with the marker that stands here; otherwise one has ended here.
            is_open: bool = 8..9,
        } = 17 => payload(is_open, from),
        /// The name or id stands here that the last tag has as an attribute, in
        /// [`Face::Elements`](super::Face::Elements). Only where spans are wanted.
        Attribute = 18 => attribute(text),
        /// An attribute of the custom tag that follows; its name stands here.
        AttributeName = 19 => own.attribute(text),
        /// The value of that attribute stands here.
        AttributeValue = 20 => own.value(text),
        /// A custom tag, whose name stands here.
        Own {
            /// Its number in the table.
            number: u8 = 8..16,
            /// How many are open with it.
            depth: u8 = 16..20,
            /// `</name>`
            is_closer: bool = 20..21,
            /// `<name/>`
            is_empty: bool = 21..22,
        } = 21 => own.tag(text, number, depth, is_closer, is_empty),
    }
}

numbered! {
    /// How a stream begins, a bit each.
    #[repr(u32)]
    pub enum Flag {
        /// Each element is a block of text: [`Face::Elements`](super::Face::Elements).
        Elements = 1,
        /// Parameters lose white space at both ends.
        TrimsParameters = 2,
        /// The caller is asked how each parameter is declared.
        AsksDeclarations = 4,
        /// Markup has records too.
        EmitsMarkup = 8,
        /// The stream begins inside thinking.
        StartsInThinking = 16,
        /// Tags in Markdown code are text.
        SkipsCode = 32,
        /// A value that has swallowed an opening tag is a value all the same.
        KeepsTags = 64,
    }
}

numbered! {
    /// What the caller may ask about the place where the machine stands.
    #[repr(u32)]
    pub enum PlaceAsk {
        /// The kind of a block that would start here.
        Kind = 0,
        /// How many function calls are open.
        FunctionCalls = 1,
        /// How many function results are open.
        FunctionResults = 2,
        /// How many thinking blocks are open.
        Thinking = 3,
        /// 1 in a payload, otherwise 0.
        Payload = 4,
        /// The number of the innermost custom tag that is open, otherwise 0.
        Own = 5,
    }
}

numbered! {
    /// What came of giving a tag's name a role.
    #[repr(u32)]
    pub enum TagAnswer {
        /// It has it.
        Done = 0,
        /// The name is invalid.
        BadName = 1,
        /// There is no such role.
        UnknownRole = 2,
        /// The table is full.
        TooMany = 3,
        /// The name of a tag inside another one has a role.
        HasRole = 4,
        /// Too many custom tags one in the other.
        TooDeep = 5,
    }
}

numbered! {
/// What the caller may do with the next chunk without asking.
#[repr(u8)]
pub enum Mode {
    /// Nothing: every chunk has to be read.
    Read = 0,
    /// A chunk without a tag is content of the open block.
    Text = 1,
    /// A chunk without a tag and `&` is content of the open block.
    Decoded = 2,
    /// A chunk without a tag and what decides where Markdown has code is content of the open block.
    Quoted = 3,
    /// A chunk without a tag is more of a JSON string.
    String = 4,
    /// A chunk without a tag is more of a JSON string, but for white space at its end; what was pending goes before it.
    Trimmed = 5,
    /// As `Trimmed`, but it is more JSON text.
    Json = 6,
}
}

impl Mode {
    /// What may end text of the mode. A `<` does only where a tag may begin:
    /// [`TagTable::fronts`](super::TagTable::fronts).
    #[must_use]
    pub const fn stops(self) -> &'static [u8] {
        match self {
            Mode::Read => b"",
            Mode::Decoded => b"<&",
            Mode::Quoted => b"<`\\\n\r",
            Mode::Text | Mode::String | Mode::Trimmed | Mode::Json => b"<",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Record;

    #[test]
    fn every_op_survives_packing() {
        let ops = [
            Op::Start { kind: Kind::ToolCall, is_in_thinking: true, depth: 65_535 },
            Op::Start { kind: Kind::Text, is_in_thinking: false, depth: 0 },
            Op::Text,
            Op::Character('🙂'),
            Op::String { is_first: true, is_last: false },
            Op::String { is_first: false, is_last: true },
            Op::Raw,
            Op::Complete { is_incomplete: true, is_error: false, is_malformed: true },
            Op::Complete { is_incomplete: false, is_error: true, is_malformed: false },
            Op::Name { is_present: true },
            Op::Key,
            Op::InputEnd { is_empty: true },
            Op::ResultId,
            Op::Stray,
            Op::Markup { is_layout: true },
            Op::Tag { role: Role::Error, is_closer: true, is_empty: false },
            Op::Tag { role: Role::Thinking, is_closer: false, is_empty: true },
            Op::Unopened,
            Op::Boolean { value: true },
            Op::Element { is_opener: false },
            Op::Payload { is_open: true },
            Op::Attribute,
            Op::AttributeName,
            Op::AttributeValue,
            Op::Own { number: 64, depth: 4, is_closer: true, is_empty: false },
        ];
        for op in ops {
            assert_eq!(Op::of(op.at(3, 9)), Some(op));
        }
        assert_eq!(Op::of(Record { word: 99, start: 0, end: 0 }), None);
    }
}
