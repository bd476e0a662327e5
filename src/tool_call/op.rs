//! The numbers of the tool-call parser that cross the border.

use super::machine::Mode;
use crate::json::STRING_STOPS;
use crate::text::{numbered, records};

numbered! {
    /// Why a segment isn't a call.
    ///
    /// ```
    /// use tokenweir::tool_call::{EventKind, Options, ToolCallParser};
    /// let text = r#"<tool_call>{"arguments": {}}</tool_call>"#;
    /// let why = ToolCallParser::new(Options::hermes()).feed(text)?.into_iter().find_map(|event| match event.kind {
    ///     EventKind::Fail(why) => Some(why.name()),
    ///     _ => None,
    /// });
    /// assert_eq!(why, Some("no-name"));
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u8)]
    pub enum Why {
        /// Its payload can't be read.
        Malformed = 0 => "malformed",
        /// The stream ended in it.
        Unfinished = 1 => "unfinished",
        /// Another call begins in it.
        Nested = 2 => "nested",
        /// It names no tool.
        NoName = 3 => "no-name",
        /// It is longer than allowed.
        TooLong = 4 => "too-long",
        /// The program said that it is text.
        Rejected = 5 => "rejected",
        /// Its name or its arguments are written more than once.
        Ambiguous = 6 => "ambiguous",
        /// Text follows its start tag. It is a malformed call if an end tag closes it,
        /// and a mention of the tag otherwise.
        Mentioned = 7 => "mentioned",
    }
}

records! {
    /// What a record says. The numbers are above those of `JsonOp` and `TreeOp`,
    /// whose records come among these.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Op: 8 {
        /// Text outside of calls.
        Text = 32,
        /// A call begins: the start of its segment, and of what it is read from.
        Begin = 33,
        /// A piece of the tool's name.
        Name = 34,
        /// The same, as the character that an escape stands for.
        NameCharacter(code: u32 = 8..32) = 35,
        /// The name is whole. The program is asked whether it is a call.
        NameEnd {
            /// Whether the key is `tool`, which is a name only if such a tool is known.
            is_alias: bool = 8..9,
        } = 36,
        /// The arguments begin at the place. Their tokens follow.
        Arguments = 37,
        /// A call is whole. Instead of a place the record has the rules of JSON that it
        /// was read by, and where it ends.
        Done {
            /// The repairs besides, a bit each.
            repairs: u32 = 8..32,
        } = 38,
        /// The segment at the place has ended.
        End = 39,
        /// The segment that begins at the place is not a call.
        Fail(reason: Why = 8..32) = 40,
        /// Text of that segment.
        Failed = 41,
        /// That segment has ended. The place is that of its end tag.
        FailEnd {
            /// Whether the stream ended in it.
            is_cut: bool = 8..9,
        } = 42,
        /// A list of calls is checked: what is recorded up to `Begin` is only asked about.
        Check = 44,
        /// Whether there is an end tag at the place is asked.
        Quoted = 45,
        /// What was recorded since the tool's tag is not a call: it is text.
        NoCall = 43,
        /// Reasoning begins with the tag at the place.
        Reasoning = 46,
        /// Text of it.
        Reasoned = 47,
        /// Its opening tag, repeated.
        Reopened = 48,
        /// It ends with the tag at the place, or with the stream.
        ReasoningEnd = 49,
        /// The object of a call is whole. Whether it is a call is asked.
        Whole {
            /// Whether no arguments are written in it.
            is_missing: bool = 8..9,
        } = 50,
        /// The key of a member beside the name, where no arguments were written so far.
        Key {
            /// Whether it is the first of its call.
            is_first: bool = 8..9,
        } = 51,
    }
}

numbered! {
    /// Tolerated errors besides the rules of JSON, as bits above theirs.
    ///
    /// ```
    /// use tokenweir::tool_call::{EventKind, Options, Repair, ToolCallParser};
    /// let text = r#"<tool_call>{"name": "add", "parameters": {"a": 1}}</tool_call>"#;
    /// for event in ToolCallParser::new(Options::hermes()).feed(text)? {
    ///     if let EventKind::CallDone { repairs, .. } = event.kind {
    ///         let used = Repair::ALL.into_iter().filter(|repair| repairs & repair.bit() != 0);
    ///         assert_eq!(used.map(Repair::name).collect::<Vec<_>>(), ["parameters"]);
    ///     }
    /// }
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u8)]
    pub enum Repair {
        /// A backslash that escapes nothing is text.
        BadEscape = 32 => "bad-escape",
        /// Brackets that are open at the end tag are closed.
        MissingCloser = 33 => "missing-closer",
        /// `parameters` instead of `arguments`.
        Parameters = 34 => "parameters",
        /// Arguments that are JSON in a string.
        EncodedArguments = 35 => "encoded-arguments",
        /// Several calls in an array.
        List = 36 => "list",
        /// A whole call, and then the next start tag.
        MissingEndTag = 37 => "missing-end-tag",
        /// An element that the closing tag of one around it ends.
        MissingCloseTag = 38 => "missing-close-tag",
        /// A closing tag that closes nothing is skipped.
        StrayCloseTag = 39 => "stray-close-tag",
        /// Closing brackets after the payload are skipped.
        ExtraCloser = 40 => "extra-closer",
        /// `</think>` or `</thinking>` after the payload is skipped.
        StrayThink = 41 => "stray-think",
        /// The payload is in a Markdown fence.
        Fence = 42 => "fence",
        /// `tool` instead of `name`.
        Tool = 43 => "tool",
        /// `args` instead of `arguments`.
        Args = 44 => "args",
        /// `input` instead of `arguments`.
        Input = 45 => "input",
    }
}

impl Repair {
    /// Its bit.
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << self as u64
    }
}

impl Mode {
    /// What may end text of the mode, besides the first characters of the tags
    /// and the end of a line where they count.
    #[must_use]
    pub const fn stops(self) -> &'static [u8] {
        match self {
            Mode::Ask | Mode::Text | Mode::Failed => b"",
            Mode::String | Mode::Silent => &STRING_STOPS,
            Mode::Element => b"<&",
            Mode::Reasoning => b"<",
        }
    }
}
