//! The events of the edit parser, as a Rust program gets them.

use super::op::{Fault, FileOp, Format, Side};
use crate::text::Span;

/// One thing that happened.
///
/// ```
/// use tokenweir::edit::{EditParser, EventKind, Options};
/// let events = EditParser::new(Options::default()).feed("Look:\n")?;
/// assert_eq!(events[0].kind, EventKind::Text("Look:\n".to_owned()));
/// assert_eq!((events[0].span.start, events[0].span.end), (0, 6));
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// Where, in UTF-16 code units from the start of the stream. Those of text, deltas, markup and what is malformed
    /// tile it. Those of what is done cover all of it; a file's and a hunk's are the place where they begin.
    pub span: Span,
}

/// The kinds of events. Files count from 0 in the stream, hunks from 0 in their file.
///
/// ```
/// use tokenweir::edit::{EditParser, EventKind, FileOp, Format, Options};
/// let events = EditParser::new(Options::default()).feed("a.py\n<<<<<<< SEARCH\nx\n=======\n>>>>>>> REPLACE\n")?;
/// let file = EventKind::File {
///     file: 0,
///     op: FileOp::Update,
///     path: "a.py".to_owned(),
///     move_to: None,
///     format: Format::SearchReplace,
/// };
/// assert!(events.iter().any(|event| event.kind == file));
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventKind {
    /// Text around edits.
    Text(String),
    /// What is neither text nor content: markers, headers, signs.
    Markup(String),
    /// A file is changed.
    File {
        /// Which one.
        file: u32,
        /// What happens to it.
        op: FileOp,
        /// Its path.
        path: String,
        /// The path that it gets.
        move_to: Option<String>,
        /// How the edit is written.
        format: Format,
    },
    /// A hunk begins.
    Hunk {
        /// Which file's.
        file: u32,
        /// Which one.
        hunk: u32,
        /// Where in the file, as the model says it: lines around it.
        context: Vec<String>,
        /// The numbers of a diff: where the old lines begin, how many they are, and the same of the new ones.
        range: Option<[u32; 4]>,
    },
    /// More of a hunk.
    Delta {
        /// Which file's.
        file: u32,
        /// Which hunk's.
        hunk: u32,
        /// Old text, new text, or both.
        side: Side,
        /// The text.
        text: String,
    },
    /// A hunk is whole.
    HunkDone {
        /// Which file's.
        file: u32,
        /// Which one.
        hunk: u32,
        /// Its old text: empty with `keep_text: false`.
        old: String,
        /// Its new text.
        new: String,
        /// Whether it is at the end of the file.
        at_end: bool,
    },
    /// A file's hunks are all there.
    FileDone {
        /// Which one.
        file: u32,
    },
    /// Something is wrong.
    Malformed {
        /// What.
        fault: Fault,
        /// The file that it spoils.
        file: Option<u32>,
        /// The hunk that it spoils.
        hunk: Option<u32>,
    },
}
