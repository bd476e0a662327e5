//! Text, thinking, tool calls and tool results as logical blocks.
//!
//! [`BlockParser`] emits for each block an [`EventKind::BlockStart`], its text as
//! [`EventKind::Chunk`]s and an [`EventKind::BlockComplete`]. A call that was cut off is
//! complete with `is_incomplete`: don't execute it. The only error is
//! [`Error`](crate::Error), for text after the end.
//!
//! ```
//! use tokenweir::block::{BlockParser, EventKind, Options};
//! let mut parser = BlockParser::new(Options::default());
//! let mut calls = Vec::new();
//! for chunk in ["Look. <invoke name=\"l", "s\"><parameter name=\"all\">true</parameter></inv", "oke>"] {
//!     for event in parser.feed(chunk)? {
//!         if let EventKind::BlockComplete { tool_name, input, is_incomplete: false, .. } = event.kind {
//!             calls.extend(tool_name.zip(input));
//!         }
//!     }
//! }
//! parser.finish();
//! assert_eq!(calls, [("ls".to_owned(), r#"{"all":true}"#.to_owned())]);
//! # Ok::<(), tokenweir::Error>(())
//! ```
//!
//! Source: seeds/001…, "Streaming Enhancements for Membrane", and spec/block.md.
//!
//! Two faces on one machine: [`Face::Blocks`] gives each `invoke` as a tool
//! call with its input as JSON; [`Face::Elements`] gives each `function_calls`
//! element as one block of text, as membrane's `IncrementalXmlParser` does.

mod ahead;
mod call;
mod element;
mod elements;
mod event;
mod machine;
mod members;
mod op;
mod openers;
mod own;
mod own_stack;
mod parser;
mod reading;
mod rules;
mod section;
mod spot;
mod stack;
mod tags;
mod undecided;
mod value;

pub use event::{Event, EventKind, Part};
pub use machine::Face;
pub use members::MOST_STARTS;
pub use op::Kind;
pub use parser::{BlockParser, Declarations, Options};
pub use tags::{DEEPEST_OWN, LONGEST_NAME, MOST_NAMES, MOST_OWN, Role, TagError, TagTable};
pub use value::{Declared, LONGEST_VALUE};

// Hidden: the border drives the machine itself, and so do the tests; a program has `BlockParser`.
#[doc(hidden)]
pub use machine::{Ask, Machine, Place, Settings};
#[doc(hidden)]
pub use op::{Flag, Mode, Op, PlaceAsk, TagAnswer};
#[doc(hidden)]
pub use parser::BlockEmitter;
#[doc(hidden)]
pub use tags::{ANY_SECOND, FRONT_SHIFT, TagSet};
