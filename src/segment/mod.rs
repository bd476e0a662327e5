//! Tools, files and commands in what a model writes, as segments: for each a
//! start, its content as it comes, and an end.
//!
//! [`SegmentParser`] emits [`EventKind::Start`] with what is known of the tool,
//! [`EventKind::Content`] as it comes and [`EventKind::End`]; text between tools is a
//! segment too. A mistake in the text is an [`EventKind::Fault`]; the only error is
//! [`Error`](crate::Error), for text after the end.
//!
//! ```
//! use tokenweir::segment::{EventKind, Options, SegmentParser};
//! let mut parser = SegmentParser::new(Options::default());
//! let mut file = String::new();
//! for chunk in ["<write_file path=\"a", ".txt\">hel", "lo</write_file>"] {
//!     for event in parser.feed(chunk)? {
//!         if let EventKind::Content(text) = event.kind {
//!             file += &text;
//!         }
//!     }
//! }
//! parser.finish();
//! assert_eq!(file, "hello");
//! # Ok::<(), tokenweir::Error>(())
//! ```
//!
//! Source: seeds/000; spec/segment.md. Replaces AutoByteus' StreamingParser.

mod call;
mod called;
mod event;
mod head;
mod header;
mod machine;
mod op;
mod parser;
mod signature;
mod state;
mod word;

pub use event::{Event, EventKind};
pub use op::{Fault, Markers, Reasoning, SegmentType};
pub use parser::{Options, SegmentParser};
pub use signature::{LONGEST_SIGNATURE, MOST_SIGNATURES, Profile, Signatures};
pub use state::{MOST_METADATA, STATES, ToolState};
pub use word::LONGEST_WORD;

// Hidden: arguments of an API's calls, in pieces. The border has them; `SegmentParser` reads text.
#[doc(hidden)]
pub use call::{CallMachine, CallMode};
#[doc(hidden)]
pub use op::CallOp;

// Hidden: the border drives the machine itself, and so do the tests; a program has `SegmentParser`.
#[doc(hidden)]
pub use machine::{Ask, Choice, LONGEST_HEADER, LONGEST_SPACE, Machine, Tools};
#[doc(hidden)]
pub use op::{ChoiceNumber, Flag, KnownAttribute, Mode, Op, RowWord};
#[doc(hidden)]
pub use parser::SegmentEmitter;
#[doc(hidden)]
pub use state::Row;
