//! What the segment front-end tells a Rust program.

use super::op::{Fault, SegmentType};
use crate::text::Span;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Which segment, from 1 on in the order of their starts; 0 for what is in none.
    pub segment: u32,
    /// What happened.
    pub kind: EventKind,
    /// Where, in UTF-16 code units from the start of the stream. Those of
    /// contents and markup tile it.
    pub span: Span,
}

/// The kinds of events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A segment begins.
    Start {
        /// What it is.
        segment_type: SegmentType,
        /// What is known of it: `tool_name`, `path`, a sentinel's `header` as it is written.
        metadata: Vec<(String, String)>,
    },
    /// More of its content.
    Content(String),
    /// It ends.
    End,
    /// Text that is no content.
    Markup(String),
    /// Something is wrong with the text at the place.
    Fault(Fault),
}
