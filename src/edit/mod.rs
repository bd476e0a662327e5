//! What a model changes in files, while it writes it: patches in V4A, SEARCH/REPLACE blocks and unified diffs.
//!
//! [`EditParser`] emits [`EventKind::File`] with the path, [`EventKind::Hunk`], the old and the new text as they come,
//! and [`EventKind::HunkDone`] and [`EventKind::FileDone`] for what is whole. What was cut off or is doubtful never gets
//! these: it is [`EventKind::Malformed`]. Nothing is applied, and no file is searched.
//!
//! ```
//! use tokenweir::edit::{EditParser, EventKind, Options};
//! let mut parser = EditParser::new(Options::default());
//! let mut done = Vec::new();
//! for chunk in ["*** Begin Patch\n*** Update File: a.txt\n@@\n-tw", "o\n+three\n*** End Pat", "ch\n"] {
//!     for event in parser.feed(chunk)? {
//!         if let EventKind::HunkDone { old, new, .. } = event.kind {
//!             done.push((old, new));
//!         }
//!     }
//! }
//! parser.finish();
//! assert_eq!(done, [("two\n".to_owned(), "three\n".to_owned())]);
//! # Ok::<(), tokenweir::Error>(())
//! ```
//!
//! Source: spec/edits.md.

mod event;
mod machine;
mod marker;
mod name;
mod op;
mod parser;
mod range;

pub use event::{Event, EventKind};
pub use op::{Fault, FileOp, Format, LONGEST_HEADER, Side};
pub use parser::{EditParser, Options};

// Hidden: the border drives the machine itself; a program has `EditParser`.
#[doc(hidden)]
pub use machine::Machine;
#[doc(hidden)]
pub use op::{Flag, Mode, Op};
#[doc(hidden)]
pub use parser::EditEmitter;
