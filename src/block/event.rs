//! The events of the block parser, as a Rust program gets them.

use super::op::Kind;
use crate::text::Span;

/// Something that happened, and where.
///
/// ```
/// use tokenweir::block::{BlockParser, EventKind, Kind, Options};
/// let events = BlockParser::new(Options::default()).feed("🙂 hi")?;
/// assert_eq!(events[0].kind, EventKind::BlockStart { index: 0, block: Kind::Text });
/// assert_eq!((events[1].span.start, events[1].span.end), (0, 5)); // the first character is two units
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// The text that it was read from, in UTF-16 code units from the start of
    /// the stream. The spans of chunks and markup tile the stream.
    pub span: Span,
}

/// Which part of a tool call a chunk is.
///
/// ```
/// use tokenweir::block::{BlockParser, EventKind, Options, Part};
/// let text = r#"<invoke name="ls"><parameter name="all">true</parameter></invoke>"#;
/// let mut input = String::new();
/// for event in BlockParser::new(Options::default()).feed(text)? {
///     if let EventKind::Chunk { part: Some(Part::Input), text, .. } = event.kind {
///         input += &text;
///     }
/// }
/// assert_eq!(input, r#"{"all":true}"#);
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// Its name.
    Name,
    /// Its id.
    Id,
    /// A piece of the JSON text of its input.
    Input,
}

/// What happened.
///
/// ```
/// use tokenweir::block::{BlockParser, EventKind, Options};
/// let text = r#"Look. <invoke name="ls"><parameter name="all">true</parameter></invoke>"#;
/// for event in BlockParser::new(Options::default()).feed(text)? {
///     if let EventKind::BlockComplete { tool_name: Some(name), input, is_incomplete, .. } = event.kind {
///         assert_eq!((name.as_str(), input.as_deref()), ("ls", Some(r#"{"all":true}"#)));
///         assert!(!is_incomplete);
///     }
/// }
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventKind {
    /// A block starts.
    BlockStart {
        /// Its number, from 0.
        index: usize,
        /// Its kind.
        block: Kind,
    },
    /// A piece of the open block.
    Chunk {
        /// The block's number.
        index: usize,
        /// The block's kind.
        block: Kind,
        /// On a tool call: which part of it.
        part: Option<Part>,
        /// The piece.
        text: String,
    },
    /// The open block is complete.
    BlockComplete {
        /// Its number.
        index: usize,
        /// Its kind.
        block: Kind,
        /// All of its text; `None` on a tool call with a name or parameters.
        content: Option<String>,
        /// Id of the tool call, or of the call that the result answers.
        tool_id: Option<String>,
        /// Name of the tool.
        tool_name: Option<String>,
        /// On a tool call: its input as one JSON text, the same as its input
        /// chunks joined. It isn't parsed here: where a declared object was
        /// not JSON, neither is this, and a backslash that JSON has no meaning
        /// for stands in a list or an object as it was written, and so does a key that comes
        /// twice in one. Of an argument that comes twice the last value counts: the call comes
        /// again as the next block, since chunks can't be taken back.
        input: Option<String>,
        /// A tool result that reports an error.
        is_error: bool,
        /// A tool call that was cut off: don't execute it. Thinking or a tool result that the
        /// stream cut off.
        is_incomplete: bool,
    },
    /// A custom tag, whose block starts next: see [`TagTable::own`](super::TagTable::own).
    OwnTag {
        /// Its number in the table.
        number: u8,
        /// The number of the block that it stands in, which goes on after it.
        parent: Option<usize>,
        /// Its attributes, decoded; the first one of a name counts.
        attributes: Vec<(String, String)>,
    },
    /// Text that is neither content nor value: tags, and layout between them.
    Markup,
    /// A closing tag of thinking without its opening tag: what came before it was thinking.
    UnopenedThinking,
}
