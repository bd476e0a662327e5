//! Wire formats: how model families write tool calls and reasoning as text.
//!
//! [`Format::find`] has each by its id. A [`ToolCallParser`](crate::tool_call::ToolCallParser) reads it:
//!
//! ```
//! use tokenweir::format::Format;
//! use tokenweir::tool_call::{EventKind, Options, ToolCallParser};
//! let format = Format::find("kimi-k2").ok_or("no such format")?;
//! let mut parser = ToolCallParser::new(Options::formats(&[format]));
//! let mut calls = Vec::new();
//! for event in parser.feed(format.sample())? {
//!     if let EventKind::CallDone { name, id, arguments, .. } = event.kind {
//!         calls.push((name, id.unwrap_or_default(), arguments));
//!     }
//! }
//! let (name, id, arguments) = &calls[0];
//! assert_eq!((name.as_str(), id.as_str()), ("get_weather", "functions.get_weather:0"));
//! assert!(arguments.starts_with('{'));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A format is a row of data, which the machine gets as bytes (`row.rs`). One machine
//! reads any row, or several together.
//!
//! Source: spec/format.md; the rows themselves are in `formats/*.json5`.

mod argument;
mod catalogue;
mod find;
mod head;
mod machine;
mod names;
mod op;
mod row;
mod rows;
mod table;

// Hidden: the border drives the machine, and so do its tests; a program has `ToolCallParser`.
#[doc(hidden)]
pub use argument::Argument;
pub use catalogue::Format;
// Hidden: the build writes the catalogue with it.
#[doc(hidden)]
pub use catalogue::Trait;

// Hidden, all of these: the border drives the machine, and so do its tests; a program has `ToolCallParser`.
#[doc(hidden)]
pub use machine::{Answer, Ask, LONGEST_HEAD, LONGEST_SPACE, LONGEST_TOOL_TAG, Machine, Start};
// Hidden: `tool_call` has what a program needs of it.
#[doc(hidden)]
pub use names::{LONGEST_TOOL_NAME, MOST_TOOLS};
// Hidden: `tool_call` has what a program needs of it.
#[doc(hidden)]
pub use op::{Mode, Op, Repair, Why};
// Hidden: rows are written by the build.
#[doc(hidden)]
pub use row::{Body, Closer, Flag, HeadPiece, Kind, Part, RouteItem, Row, Slot, Trim};
// Hidden: the parser fills it.
#[doc(hidden)]
pub use table::Table;

pub(crate) use table::MOST_ROWS;
