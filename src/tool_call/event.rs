//! The events of the tool-call parser, as a Rust program gets them.

use crate::format::Why;
use crate::text::Span;

/// One thing that happened.
///
/// ```
/// use tokenweir::tool_call::{EventKind, Options, ToolCallParser};
/// let events = ToolCallParser::new(Options::morph(&["get"])).feed("Hm <get></get>")?;
/// assert_eq!((events[0].call, &events[0].kind), (0, &EventKind::Text("Hm ".to_owned())));
/// let last = events.last().unwrap();
/// assert_eq!((last.call, &last.kind), (1, &EventKind::End));
/// assert_eq!((last.span.start, last.span.end), (3, 14));
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Which call, from 1 on in the order of their starts; 0 for what is of none.
    pub call: u32,
    /// What happened.
    pub kind: EventKind,
    /// Where, in UTF-16 code units from the start of the stream. Those of `Text`, `Markup`,
    /// `End`, `Failed` and of reasoning tile it.
    pub span: Span,
}

/// The kinds of events.
///
/// ```text
/// stream  ::= (Text | Markup | CitationStart | CitationEnd | calls | failure | thought)*
/// calls   ::= (CallStart arguments CallDone)+ End
/// arguments ::= Delta* (ArgumentsRestart Delta)?
/// failure ::= (CallStart arguments)? Fail Failed* FailEnd
/// thought ::= (ReasoningStart (Reasoning | ReasoningRestart)*)? ReasoningEnd
/// ```
///
/// The arguments emitted before a `Fail` are void: the segment is text. Calls that seem to end reasoning that was not
/// closed are done at the end of the stream; if a closing marker comes, they fail, and their text is reasoning.
///
/// ```
/// use tokenweir::tool_call::{EventKind, Options, ToolCallParser};
/// let mut parser = ToolCallParser::new(Options::hermes());
/// let events = parser.feed(r#"<tool_call>{"name": "add", "arguments": {"a": 1"#)?;
/// assert_eq!(events[0].kind, EventKind::CallStart { name: "add".to_owned() });
/// // The stream is cut off, so there was no call: its text comes out.
/// let kinds: Vec<_> = parser.finish().into_iter().map(|event| event.kind).collect();
/// assert!(matches!(kinds[..], [EventKind::Fail(_), EventKind::Failed(_), EventKind::FailEnd { is_cut: true }]));
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventKind {
    /// Text outside of calls.
    Text(String),
    /// A marker of a format that is neither text nor of a call, or layout between two; the span is its place.
    Markup,
    /// Text begins here that cites something, in a format with citations.
    CitationStart,
    /// That text has ended: the names of the sources, as they are written; the span is their place in the marker.
    CitationEnd(String),
    /// The tool of this name is called, if nothing fails.
    CallStart {
        /// As it is written.
        name: String,
    },
    /// More of the arguments, as JSON without layout.
    Delta(String),
    /// A name was written twice: the arguments so far are void, and come again with each name once.
    ArgumentsRestart,
    /// The call is whole.
    CallDone {
        /// The tool's name.
        name: String,
        /// The call's id, where the model wrote one.
        id: Option<String>,
        /// What it is called with, as JSON: an object, and a string where a format's arguments are any text.
        arguments: String,
        /// The tolerated errors by which it was read: a bit each, at the number of a
        /// [`Rule`](crate::json::Rule) or a [`Repair`](super::Repair).
        repairs: u64,
    },
    /// The segment of one call, or of a list of them, has ended. The span is all of it.
    End,
    /// The segment that begins here is not a call, and neither are the calls that began in it.
    Fail(Why),
    /// Text of that segment.
    Failed(String),
    /// That segment has ended.
    FailEnd {
        /// Whether the stream ended in it.
        is_cut: bool,
    },
    /// Reasoning begins; the span is its opening tag, and empty where the stream
    /// starts inside.
    ReasoningStart,
    /// Text of it, which is not searched for calls.
    Reasoning(String),
    /// Its opening tag, which a server repeated where the stream starts inside.
    ReasoningRestart,
    /// It has ended; the span is its closing tag, and empty at the end of the stream. A closing tag that comes first
    /// in the reply, or after another, ends nothing.
    ReasoningEnd,
}
