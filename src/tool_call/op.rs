//! What the machine says, as records.

use crate::text::Record;

/// Why a segment makes no call.
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
    Malformed = 0,
    /// The stream ended in it.
    Unfinished = 1,
    /// Another call begins in it.
    Nested = 2,
    /// It names no tool.
    NoName = 3,
    /// It is longer than allowed.
    TooLong = 4,
    /// The program said that it is text.
    Rejected = 5,
    /// Its name or its arguments are written more than once.
    Ambiguous = 6,
    /// Text follows its start tag. It is a malformed call if an end tag closes it,
    /// and a mention of the tag if none does.
    Mentioned = 7,
}

impl Why {
    /// All of them; each stands at its own number.
    // Hidden: the border knows it by its number.
    #[doc(hidden)]
    pub const ALL: [Why; 8] = [
        Why::Malformed,
        Why::Unfinished,
        Why::Nested,
        Why::NoName,
        Why::TooLong,
        Why::Rejected,
        Why::Ambiguous,
        Why::Mentioned,
    ];

    /// Its stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Why::Malformed => "malformed",
            Why::Unfinished => "unfinished",
            Why::Nested => "nested",
            Why::NoName => "no-name",
            Why::TooLong => "too-long",
            Why::Rejected => "rejected",
            Why::Ambiguous => "ambiguous",
            Why::Mentioned => "mentioned",
        }
    }
}

/// What a record says. The numbers are the wire format of the border, above those
/// of `JsonOp` and `TreeOp`; `pkg-template/src/tool-calls/reader.ts` reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Text outside of calls.
    Text,
    /// A call begins: the start of its segment, and of what it is read from.
    Begin,
    /// A piece of the tool's name.
    Name,
    /// The same, as the character that an escape stands for.
    NameCharacter(u32),
    /// The name is whole. What becomes of the call is asked.
    NameEnd {
        /// Whether the key is `tool`, which is a name only if such a tool is known.
        is_alias: bool,
    },
    /// The arguments begin at the place. Their tokens follow.
    Arguments,
    /// A call is whole. Instead of a place the record has the rules of JSON that it
    /// was read by, and where it ends.
    Done {
        /// The repairs besides, a bit each.
        repairs: u32,
    },
    /// The segment at the place has ended.
    End,
    /// The segment that begins at the place is no call.
    Fail(Why),
    /// Text of that segment.
    Failed,
    /// That segment has ended. The place is that of its end tag.
    FailEnd {
        /// Whether the stream ended in it.
        is_cut: bool,
    },
    /// A list of calls is looked over: what is told up to `Begin` is only asked about.
    Check,
    /// Whether there is an end tag at the place is asked.
    Quoted,
    /// What was told since the tool's tag was no call: it is text.
    NoCall,
    /// Reasoning begins with the tag at the place.
    Reasoning,
    /// Text of it.
    Reasoned,
    /// Its opening tag, repeated.
    Reopened,
    /// It ends with the tag at the place, or with the stream.
    ReasoningEnd,
    /// The object of a call is whole. Whether it is a call is asked.
    Whole {
        /// Whether no arguments are written in it.
        is_missing: bool,
    },
    /// The key of a member beside the name, where no arguments were written so far.
    Key {
        /// Whether it is the first of its call.
        is_first: bool,
    },
}

impl Op {
    /// The record of this op at a place.
    #[must_use]
    pub fn at(self, start: u32, end: u32) -> Record {
        let word = match self {
            Op::Text => 32,
            Op::Begin => 33,
            Op::Name => 34,
            Op::NameCharacter(code) => 35 | code << 8,
            Op::NameEnd { is_alias } => 36 | u32::from(is_alias) << 8,
            Op::Arguments => 37,
            Op::Done { repairs } => 38 | repairs << 8,
            Op::End => 39,
            Op::Fail(why) => 40 | (why as u32) << 8,
            Op::Failed => 41,
            Op::FailEnd { is_cut } => 42 | u32::from(is_cut) << 8,
            Op::NoCall => 43,
            Op::Check => 44,
            Op::Quoted => 45,
            Op::Reasoning => 46,
            Op::Reasoned => 47,
            Op::Reopened => 48,
            Op::ReasoningEnd => 49,
            Op::Whole { is_missing } => 50 | u32::from(is_missing) << 8,
            Op::Key { is_first } => 51 | u32::from(is_first) << 8,
        };
        Record { word, start, end }
    }

    /// What a record says, if it is of calls.
    #[must_use]
    pub fn of(record: Record) -> Option<Op> {
        let detail = record.word >> 8;
        Some(match record.word & 0xFF {
            32 => Op::Text,
            33 => Op::Begin,
            34 => Op::Name,
            35 => Op::NameCharacter(detail),
            36 => Op::NameEnd { is_alias: detail != 0 },
            37 => Op::Arguments,
            38 => Op::Done { repairs: detail },
            39 => Op::End,
            40 => Op::Fail(Why::ALL.into_iter().find(|&why| why as u32 == detail)?),
            41 => Op::Failed,
            42 => Op::FailEnd { is_cut: detail != 0 },
            43 => Op::NoCall,
            44 => Op::Check,
            45 => Op::Quoted,
            46 => Op::Reasoning,
            47 => Op::Reasoned,
            48 => Op::Reopened,
            49 => Op::ReasoningEnd,
            50 => Op::Whole { is_missing: detail != 0 },
            51 => Op::Key { is_first: detail != 0 },
            _ => return None,
        })
    }
}

/// Departures from a protocol besides the rules of JSON, as bits above theirs.
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
    BadEscape = 32,
    /// Brackets that are open at the end tag are closed.
    MissingCloser = 33,
    /// `parameters` instead of `arguments`.
    Parameters = 34,
    /// Arguments that are JSON in a string.
    EncodedArguments = 35,
    /// Several calls in an array.
    List = 36,
    /// A whole call, and then the next start tag.
    MissingEndTag = 37,
    /// An element that the closing tag of one around it ends.
    MissingCloseTag = 38,
    /// A closing tag that closes nothing is skipped.
    StrayCloseTag = 39,
    /// Closing brackets after the payload are skipped.
    ExtraCloser = 40,
    /// `</think>` or `</thinking>` after the payload is skipped.
    StrayThink = 41,
    /// The payload is in a Markdown fence.
    Fence = 42,
    /// `tool` instead of `name`.
    Tool = 43,
    /// `args` instead of `arguments`.
    Args = 44,
    /// `input` instead of `arguments`.
    Input = 45,
}

impl Repair {
    /// All of them.
    pub const ALL: [Repair; 14] = [
        Repair::BadEscape,
        Repair::MissingCloser,
        Repair::Parameters,
        Repair::EncodedArguments,
        Repair::List,
        Repair::MissingEndTag,
        Repair::MissingCloseTag,
        Repair::StrayCloseTag,
        Repair::ExtraCloser,
        Repair::StrayThink,
        Repair::Fence,
        Repair::Tool,
        Repair::Args,
        Repair::Input,
    ];

    /// Its stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Repair::BadEscape => "bad-escape",
            Repair::MissingCloser => "missing-closer",
            Repair::Parameters => "parameters",
            Repair::EncodedArguments => "encoded-arguments",
            Repair::List => "list",
            Repair::MissingEndTag => "missing-end-tag",
            Repair::MissingCloseTag => "missing-close-tag",
            Repair::StrayCloseTag => "stray-close-tag",
            Repair::ExtraCloser => "extra-closer",
            Repair::StrayThink => "stray-think",
            Repair::Fence => "fence",
            Repair::Tool => "tool",
            Repair::Args => "args",
            Repair::Input => "input",
        }
    }

    /// Its bit.
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << self as u64
    }
}
