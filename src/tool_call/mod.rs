//! Tool calls in text: in the wire format of a model ([`format`](crate::format)), as JSON between two tags (Hermes),
//! or as an element with the tool's name (Morph).
//!
//! [`ToolCallParser`] emits [`EventKind::CallStart`] as soon as the tool is named, the
//! arguments as they come, and [`EventKind::CallDone`] once the call is complete: execute
//! it only then. After [`EventKind::Fail`] the segment was not a call, and its text
//! follows. The only error is [`Error`](crate::Error), for text after the end.
//!
//! ```
//! use tokenweir::tool_call::{EventKind, Options, ToolCallParser};
//! let mut parser = ToolCallParser::new(Options::hermes());
//! let mut calls = Vec::new();
//! for chunk in ["<tool_", "call>{\"name\": \"add\", \"arguments\": {\"a\": 1,}}</tool_call>"] {
//!     for event in parser.feed(chunk)? {
//!         if let EventKind::CallDone { name, arguments, .. } = event.kind {
//!             calls.push((name, arguments));
//!         }
//!     }
//! }
//! parser.finish();
//! assert_eq!(calls, [("add".to_owned(), "{\"a\":1}".to_owned())]);
//! # Ok::<(), tokenweir::Error>(())
//! ```
//!
//! Source: spec/tool_call.md; seeds/003.

mod arguments;
mod call;
mod emitter;
mod event;
mod once;
mod options;
mod parser;
mod protocol;
mod tool_name;
mod writer;

pub use crate::format::{LONGEST_TOOL_NAME, MOST_TOOLS, Repair, Why};
pub use event::{Event, EventKind};
pub use options::Options;
pub use parser::ToolCallParser;
pub use protocol::{LONGEST_MARKER, Reasoning};

// Hidden: the border drives the machine itself, and so do the tests; a program has `ToolCallParser`.
#[doc(hidden)]
pub use crate::format::{Answer, Ask, Machine, Mode, Op};
#[doc(hidden)]
pub use crate::format::{LONGEST_SPACE, LONGEST_TOOL_TAG};
#[doc(hidden)]
pub use parser::CallEmitter;
#[doc(hidden)]
pub use protocol::{hermes_row, morph_row};
