//! The numbers of the segment parser that cross the border.

use crate::text::{numbered, records};

numbered! {
    /// What a segment is.
    ///
    /// ```
    /// use tokenweir::segment::{EventKind, Options, SegmentParser, SegmentType};
    /// let events = SegmentParser::new(Options::default()).feed("<run_bash>ls")?;
    /// let EventKind::Start { segment_type, .. } = events[1].kind else { panic!() };
    /// assert_eq!((segment_type, segment_type.name()), (SegmentType::RunBash, "run_bash"));
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    #[non_exhaustive]
    #[repr(u8)]
    pub enum SegmentType {
        /// Plain text.
        Text = 0 => "text",
        /// A tool that has no type of its own.
        ToolCall = 1 => "tool_call",
        /// A file that is written.
        WriteFile = 2 => "write_file",
        /// A file that is patched.
        PatchFile = 3 => "patch_file",
        /// A file that is patched, by the other name of the tool.
        EditFile = 4 => "edit_file",
        /// A command.
        RunBash = 5 => "run_bash",
        /// Thoughts.
        Reasoning = 6 => "reasoning",
        /// A type that a state of the program's own defines.
        Own = 7 => "own",
    }
}

numbered! {
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
    #[non_exhaustive]
    #[repr(u8)]
    pub enum Fault {
        /// The stream ended in a segment.
        Unterminated = 0 => "unterminated",
        /// A known name after `<`, but what follows isn't the rest of a tag.
        BadTag = 1 => "bad-tag",
        /// What follows `[[SEG_START` is not a header.
        BadHeader = 2 => "bad-header",
        /// A tool was closed without an argument that it needs.
        MissingArguments = 3 => "missing-arguments",
        /// More than [`Options::longest`](super::Options::longest) was buffered of
        /// a tool that waited for its arguments.
        TooLong = 4 => "call-too-long",
        /// An argument of a tool has swallowed an opening tag of another one or of a tool, or text follows it.
        BadArguments = 5 => "bad-arguments",
    }
}

impl Fault {
    /// Its stable name, the same as JavaScript's `error.code`.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.name()
    }
}

records! {
    /// What a record says.
    pub enum Op: 8 {
        /// Plain text.
        Text = 1 => text(text, from),
        /// More of the segment's content.
        Content = 2 => content(text, from),
        /// What is neither.
        Markup = 3 => markup(text, from),
        /// A segment begins.
        Start(kind: SegmentType = 8..32) = 4 => start(kind, from),
        /// It ends.
        End = 5 => end(from),
        /// The tool's name, before the segment begins.
        Name = 6 => name(text),
        /// A value for the metadata, by its place in the row.
        Metadata(index: u8 = 8..32) = 7 => metadata(index, text),
        /// A value for the metadata, of an attribute.
        Attribute(number: KnownAttribute = 8..32) = 8 => attribute(number, text),
        /// A sentinel's header.
        Header = 9 => header(text),
        /// The name of another attribute of the tag, before the segment begins.
        OtherName = 12 => other_name(text),
        /// The value of that attribute.
        OtherValue = 13 => other_value(text),
        /// The segment that ends next has no content: that argument was never written.
        Missing = 14 => missing(),
        /// The name of the tool that a JSON text or a sentinel calls, as it stands in a JSON string. The
        /// program is asked about it.
        Called(kind: SegmentType = 8..32) = 15 => called(kind, text),
        /// Markup that belongs to no segment: a closing tag of reasoning that nothing opened.
        Stray = 16 => stray(text, from),
        /// No segment begins: what was recorded of it doesn't count.
        Drop = 10 => drop(),
        /// Something is wrong at the place. `Unterminated` and `BadArguments` after an `End` mean
        /// the whole segment, from its start on.
        Fault(code: Fault = 8..32) = 11 => fault(code, text, from, to),
    }
}

numbered! {
    /// The attributes that are metadata.
    #[repr(u8)]
    pub enum KnownAttribute {
        /// `path`
        Path = 0 => "path",
        /// `background`
        Background = 1 => "background",
        /// `timeout_seconds` or `timeoutSeconds`
        Timeout = 2 => "timeout_seconds",
    }
}

numbered! {
    /// How a stream begins, a bit each.
    #[repr(u32)]
    pub enum Flag {
        /// XML tags are looked for.
        Xml = 1,
        /// Tools that are JSON are looked for.
        Json = 2,
        /// Sentinels are looked for.
        Sentinel = 4,
        /// Markup in Markdown code is text.
        SkipsCode = 8,
        /// Reasoning is a segment, and not searched.
        ReasoningParts = 16,
        /// Reasoning is text, and not searched.
        ReasoningText = 32,
        /// Tools are listed.
        ToolsAreListed = 64,
        /// `<write_file>` calls a tool that is not in the list.
        LacksFile = 128,
        /// `<run_bash>` does.
        LacksCommand = 256,
    }
}

numbered! {
    /// The number of each [`Choice`](super::Choice).
    #[repr(u32)]
    pub enum ChoiceNumber {
        /// The built-in row.
        BuiltIn = 0,
        /// A generic tool.
        Generic = 1,
        /// The row in the input buffer.
        Own = 2,
        /// The tool is unknown.
        Unknown = 3,
    }
}

numbered! {
    /// What a word of a row is.
    #[repr(u8)]
    pub enum RowWord {
        /// The argument that is the content.
        Content = 1,
        /// Metadata without which the segment doesn't begin.
        Needed = 2,
        /// Other metadata.
        Metadata = 3,
        /// The marker before the content.
        StartMarker = 4,
        /// The marker after it.
        EndMarker = 5,
    }
}

records! {
    /// What a record of an API call's arguments says.
    pub enum CallOp: 4 {
        /// More of a string that was asked for, by its place among the names.
        Piece(name: u8 = 4..8) = 1 => argument(name, text, from, to),
        /// A character of it, by its code point.
        Character(name: u8 = 4..8, code: u32 = 8..32) = 2 => argument(name, character, from, to),
        /// It is whole.
        End(name: u8 = 4..8) = 3 => argument_end(name),
        /// The object is whole.
        Closed = 4,
        /// From here on it is not a JSON object.
        Bad = 5,
    }
}

/// What may end text between tokens of JSON.
pub(super) const JSON_STOPS: [u8; 5] = *b"\"{}[]";

/// What may end text in a string of JSON whose control characters don't matter.
pub(super) const JSON_STRING_STOPS: [u8; 2] = *b"\"\\";

/// Which markers are looked for.
///
/// ```
/// use tokenweir::segment::{EventKind, Markers, Options, SegmentParser};
/// let mut options = Options::default();
/// options.markers = Markers { sentinel: true, ..Markers::NONE };
/// let events = SegmentParser::new(options).feed("<run_bash>ls</run_bash>\n")?;
/// assert_eq!(events[1].kind, EventKind::Content("<run_bash>ls</run_bash>\n".to_owned()));
/// assert!(Markers::XML.xml && !Markers::XML.json); // what `Options::default` looks for
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Markers {
    /// `<tool …>`, `<write_file …>`, `<run_bash>`
    pub xml: bool,
    /// Tools that are JSON.
    pub json: bool,
    /// `[[SEG_START …]]`
    pub sentinel: bool,
    /// Whether markup in Markdown code is text.
    pub skips_code: bool,
}

impl Markers {
    /// None: all is text.
    pub const NONE: Markers = Markers { xml: false, json: false, sentinel: false, skips_code: false };

    /// XML tags alone.
    pub const XML: Markers = Markers { xml: true, ..Markers::NONE };

    /// Whether anything is looked for.
    pub(super) const fn any(self) -> bool {
        self.xml || self.json || self.sentinel
    }
}

numbered! {
/// How reasoning in text is read: what stands between `<think>` and `</think>`, or `<thinking>` and `</thinking>`.
///
/// ```
/// use tokenweir::segment::{EventKind, Options, Reasoning, SegmentParser, SegmentType};
/// let mut options = Options::default();
/// assert_eq!(options.reasoning, Reasoning::Parts);
/// let first = |options: Options| {
///     let events = SegmentParser::new(options).feed("<think><run_bash>ls</run_bash></think>").unwrap();
///     events.into_iter().find_map(|event| match event.kind {
///         EventKind::Start { segment_type, .. } => Some(segment_type),
///         _ => None,
///     })
/// };
/// assert_eq!(first(options.clone()), Some(SegmentType::Reasoning));
/// options.reasoning = Reasoning::Text;
/// assert_eq!(first(options), Some(SegmentType::Text));
/// ```
#[non_exhaustive]
#[repr(u8)]
pub enum Reasoning {
    /// It is text like any other, and searched.
    Search = 0,
    /// It is a segment, and not searched.
    Parts = 1,
    /// It is text with its tags, and not searched.
    Text = 2,
}
}

numbered! {
/// What needs no reading: text that changes nothing here.
#[repr(u8)]
pub enum Mode {
    /// Everything has to be read.
    Read = 0,
    /// Text without the front of a marker.
    Text = 1,
    /// Content without `</`.
    Element = 2,
    /// Content without `[[`.
    Sentinel = 3,
    /// Content without `</`, line end and `__`, which its end marker begins with.
    Marked = 4,
    /// What isn't JSON, without quote and bracket.
    Json = 5,
    /// A string of JSON without quote and backslash.
    JsonString = 6,
    /// Markup without `<`.
    Markup = 7,
    /// Text without `<` that stays pending, since its tool may still not begin.
    Pending = 8,
    /// JSON between strings: all has to be read.
    JsonToken = 9,
    /// Content without `<`.
    Value = 10,
}
}

impl Mode {
    /// What may end text of the mode; that of prose where all markers are looked for.
    #[must_use]
    pub const fn stops(self) -> &'static [u8] {
        match self {
            Mode::Read | Mode::Element | Mode::Sentinel | Mode::JsonToken => b"",
            Mode::Markup | Mode::Pending | Mode::Value => b"<",
            Mode::Text => Markers { xml: true, json: true, sentinel: true, skips_code: true }.stops(Reasoning::Parts),
            Mode::Marked => b"\n",
            Mode::Json => &JSON_STOPS,
            Mode::JsonString => &JSON_STRING_STOPS,
        }
    }

    /// Pairs of characters that may end it too, or the first of a pair at the text's end.
    #[must_use]
    pub const fn fronts(self) -> &'static [u8] {
        match self {
            Mode::Element => b"</",
            Mode::Marked => b"</__",
            Mode::Sentinel => b"[[",
            Mode::Read
            | Mode::Text
            | Mode::Markup
            | Mode::Pending
            | Mode::Value
            | Mode::Json
            | Mode::JsonString
            | Mode::JsonToken => b"",
        }
    }
}

impl Markers {
    /// What any of them or reasoning may begin with, and what decides where code and lines are.
    // Hidden: for the border, and the tests of what is pending.
    #[doc(hidden)]
    #[must_use]
    pub const fn stops(self, reasoning: Reasoning) -> &'static [u8] {
        let seeks = !matches!(reasoning, Reasoning::Search);
        let brackets = if self.json {
            2
        } else if self.sentinel {
            1
        } else {
            0
        };
        match (self.skips_code, seeks, self.xml || seeks, brackets) {
            (false, false, true, 2) => b"<{[",
            (false, false, true, 1) => b"<[",
            (false, false, true, _) => b"<",
            (false, false, false, 2) => b"{[",
            (false, false, false, 1) => b"[",
            (_, false, false, 0) => b"",
            (false, true, _, 2) => b"<{[\n\r",
            (false, true, _, 1) => b"<[\n\r",
            (false, true, _, _) => b"<\n\r",
            (true, _, true, 2) => b"<{[`\\\n\r",
            (true, _, true, 1) => b"<[`\\\n\r",
            (true, _, true, _) => b"<`\\\n\r",
            (true, _, false, 2) => b"{[`\\\n\r",
            (_, _, false, _) => b"[`\\\n\r",
        }
    }
}

impl Reasoning {
    /// As the bits of [`Flag`] say.
    // Hidden: for the border.
    #[doc(hidden)]
    #[must_use]
    pub const fn of(flags: u32) -> Reasoning {
        if flags & Flag::ReasoningText as u32 != 0 {
            Reasoning::Text
        } else if flags & Flag::ReasoningParts as u32 != 0 {
            Reasoning::Parts
        } else {
            Reasoning::Search
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
            Op::Text,
            Op::Content,
            Op::Markup,
            Op::End,
            Op::Name,
            Op::Metadata(7),
            Op::Attribute(KnownAttribute::Timeout),
            Op::Header,
        ];
        ops.extend([Op::Drop, Op::OtherName, Op::OtherValue, Op::Missing, Op::Stray]);
        ops.extend(SegmentType::ALL.map(Op::Start));
        ops.extend(SegmentType::ALL.map(Op::Called));
        ops.extend(Fault::ALL.map(Op::Fault));
        for op in ops {
            assert_eq!(Op::of(op.at(1, 2)), Some(op));
        }
        assert_eq!(Op::of(Record { word: 99, start: 0, end: 0 }), None);
    }
}
