//! The events of the segment parser, as a Rust program gets them.

use super::op::{Fault, SegmentType};
use crate::text::Span;

/// One thing that happened.
///
/// ```
/// use tokenweir::segment::{EventKind, Options, SegmentParser};
/// let events = SegmentParser::new(Options::default()).feed("Look: <run_bash>ls</run_bash>")?;
/// assert_eq!((events[1].segment, &events[1].kind), (1, &EventKind::Content("Look: ".to_owned())));
/// assert_eq!((events[1].span.start, events[1].span.end), (0, 6));
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Which segment, from 1 on in the order of their starts; 0 for what is outside all of them.
    pub segment: u32,
    /// What happened.
    pub kind: EventKind,
    /// Where, in UTF-16 code units from the start of the stream. Those of
    /// contents and markup tile it.
    pub span: Span,
}

/// The kinds of events.
///
/// ```
/// use tokenweir::segment::{EventKind, Options, SegmentParser, SegmentType};
/// let text = r#"<write_file path="a.txt">hi</write_file>"#;
/// let events = SegmentParser::new(Options::default()).feed(text)?;
/// let kinds: Vec<_> = events.into_iter().map(|event| event.kind).collect();
/// let metadata = vec![("path".to_owned(), "a.txt".to_owned())];
/// assert!(kinds.contains(&EventKind::Start { segment_type: SegmentType::WriteFile, metadata }));
/// assert!(kinds.contains(&EventKind::Content("hi".to_owned())) && kinds.contains(&EventKind::End));
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventKind {
    /// A segment begins.
    Start {
        /// The segment's kind.
        segment_type: SegmentType,
        /// What is known of it: `tool_name`, `path`, a sentinel's `header` as it is written.
        metadata: Vec<(String, String)>,
    },
    /// More of its content.
    Content(String),
    /// It ends.
    End,
    /// Text that is not content.
    Markup(String),
    /// Something is wrong with the text at the place.
    Fault(Fault),
}
