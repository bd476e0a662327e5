//! What the tool-call front-end tells a Rust program.

use super::op::Why;
use crate::text::Span;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Which call, from 1 on in the order of their starts; 0 for what is of none.
    pub call: u32,
    /// What happened.
    pub kind: EventKind,
    /// Where, in UTF-16 code units from the start of the stream. Those of `Text`,
    /// `End` and `Failed` tile it.
    pub span: Span,
}

/// The kinds of events.
///
/// ```text
/// stream  ::= (Text | calls | failure)*
/// calls   ::= (CallStart arguments CallDone)+ End
/// failure ::= (CallStart arguments)? Fail Failed* FailEnd
/// ```
///
/// What was told of arguments before a `Fail` is void: the segment is text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// Text outside of calls.
    Text(String),
    /// The tool of this name is called, if nothing fails.
    CallStart {
        /// As it is written.
        name: String,
    },
    /// Hermes: more of the arguments, as JSON without layout.
    Delta(String),
    /// Morph: an argument begins.
    ArgumentStart {
        /// The name of its element, or of the attribute.
        name: String,
    },
    /// Morph: more of its text.
    Argument(String),
    /// Morph: it ends.
    ArgumentEnd,
    /// The call is whole.
    CallDone {
        /// The tool's name.
        name: String,
        /// What it is called with.
        arguments: Arguments,
        /// The departures by which it was read: a bit each, at the number of a
        /// [`Rule`](crate::json::Rule) or a [`Repair`](super::Repair).
        repairs: u32,
    },
    /// The segment of one call, or of a list of them, has ended. The span is all of it.
    End,
    /// The segment that begins here is no call. The calls that began in it are none.
    Fail(Why),
    /// Text of that segment.
    Failed(String),
    /// That segment has ended.
    FailEnd {
        /// Whether the stream ended in it.
        is_cut: bool,
    },
}

/// What a tool is called with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// A JSON object; values are what they were written as.
    Json(String),
    /// Names and texts in the order in which they were written. A name may come again.
    Elements(Vec<(String, String)>),
}
