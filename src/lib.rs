//! tokenweir turns what a language model writes into logical events, chunk by chunk
//! and without delay.
//!
//! Words: a **chunk** goes in; a **token** is markup that was recognised; an
//! **event** is what happened. Text that may still become markup is **pending**
//! until it is decided, and **released** as soon as it is.
//!
//! # Four parsers
//!
//! **Blocks**: text, thinking, tool calls and their results, by tags.
//!
//! ```
//! use tokenweir::block::{BlockParser, EventKind, Options};
//!
//! let mut parser = BlockParser::new(Options::default());
//! let mut seen = Vec::new();
//! for chunk in ["Hello <thi", "nking>one, two</thinking>", "there"] {
//!     for event in parser.feed(chunk)? {
//!         if let EventKind::Chunk { block, text, .. } = event.kind {
//!             seen.push(format!("{block:?} {text}"));
//!         }
//!     }
//! }
//! parser.finish();
//! assert_eq!(seen, ["Text Hello ", "Thinking one, two", "Text there"]);
//! # Ok::<(), tokenweir::Error>(())
//! ```
//!
//! **Fields**: every field of a JSON document while it is being written.
//!
//! ```
//! use tokenweir::field::{EventKind, FieldParser, Options};
//!
//! let mut parser = FieldParser::new(Options::default());
//! let mut seen = Vec::new();
//! for chunk in ["Sure: {\"name\": \"A", "da\", \"age\": 36}"] {
//!     for event in parser.feed(chunk)? {
//!         match event.kind {
//!             EventKind::Text(text) => seen.push(format!("{} + {text}", event.path)),
//!             EventKind::Number(number) => seen.push(format!("{} = {number}", event.path)),
//!             _ => {}
//!         }
//!     }
//! }
//! parser.finish();
//! assert_eq!(seen, ["name + A", "name + da", "age = 36"]);
//! # Ok::<(), tokenweir::Error>(())
//! ```
//!
//! **Segments**: files, commands and other tools in what an agent writes.
//!
//! ```
//! use tokenweir::segment::{EventKind, Options, SegmentParser};
//!
//! let mut parser = SegmentParser::new(Options::default());
//! let mut seen = Vec::new();
//! for chunk in ["Look: <run_", "bash>ls -la</run_bash>"] {
//!     for event in parser.feed(chunk)? {
//!         match event.kind {
//!             EventKind::Start { segment_type, .. } => seen.push(segment_type.name().to_owned()),
//!             EventKind::Content(text) => seen.push(format!("+ {text}")),
//!             _ => {}
//!         }
//!     }
//! }
//! parser.finish();
//! assert_eq!(seen, ["text", "+ Look: ", "run_bash", "+ ls -la"]);
//! # Ok::<(), tokenweir::Error>(())
//! ```
//!
//! **Tool calls**: JSON between two tags, or elements with the names of tools.
//!
//! ```
//! use tokenweir::tool_call::{EventKind, Options, ToolCallParser};
//!
//! let mut parser = ToolCallParser::new(Options::hermes());
//! let mut seen = Vec::new();
//! for chunk in ["I add. <tool_", "call>{\"name\": \"add\", \"arguments\": {\"a\": 1,}}</tool_call>"] {
//!     for event in parser.feed(chunk)? {
//!         match event.kind {
//!             EventKind::Text(text) => seen.push(text),
//!             EventKind::CallStart { name } => seen.push(name),
//!             EventKind::Delta(json) => seen.push(format!("  {json}")),
//!             _ => {}
//!         }
//!     }
//! }
//! parser.finish();
//! assert_eq!(seen, ["I add. ", "add", "  {\"a\":1}"]);
//! # Ok::<(), tokenweir::Error>(())
//! ```
//!
//! Each has `feed` for a chunk, `finish` for the end and `reset` for a new
//! stream, and [`Error`] for the one thing that is refused: text after the end.
//! Every event has a [`text::Span`]: its place in UTF-16 code units from the
//! stream's start, since JavaScript counts so too; text itself is a `String`.
//!
//! # Promises
//!
//! Each has a property test in `tests/`:
//!
//! 1. Cuts don't matter: any way of cutting the text gives the same events,
//!    once neighbouring pieces are joined.
//! 2. Nothing is lost, nothing leaks: the spans of chunks and markup tile the
//!    stream.
//! 3. Buffering is bounded and minimal.
//! 4. Linear: time per character doesn't grow.
//! 5. Text never raises an error and never panics.
//! 6. One path: a whole text is one chunk.
//! 7. A tool call or a field that was cut off says so.
//!
//! # Modules
//!
//! In reading order: [`text`], [`xml`], [`json`], and on these floors [`block`],
//! [`field`], [`segment`], [`tool_call`]. A program needs the last four; the
//! tokenizers below them are there for those who read other things.

pub mod text;

// Hidden: how the floors above it search. Nothing of it is in what a program sees.
#[doc(hidden)]
pub mod scan;

pub mod xml;

pub mod json;

mod markdown;

mod reasoning;

pub mod block;

pub mod field;

pub mod segment;

// Hidden: the program has it from JavaScript so far.
#[doc(hidden)]
pub mod format;

pub mod tool_call;

mod error;

// Hidden: what JavaScript calls; it sees the package's own functions instead.
#[cfg(target_arch = "wasm32")]
#[doc(hidden)]
pub mod wasm;

// Hidden: the numbers of the border, which the build writes as TypeScript.
#[cfg(not(target_arch = "wasm32"))]
#[doc(hidden)]
pub mod wire;

pub use error::{Error, ErrorKind};
