//! Reads what a language model writes while it is still being written, and emits
//! text, thinking, tool calls, files and commands, and the fields of JSON as events.
//!
//! This prints the visible text of a reply as its chunks arrive:
//!
//! ```
//! use std::io::Write;
//! use tokenweir::block::{BlockParser, Event, EventKind, Kind, Options};
//!
//! fn show(events: Vec<Event>, out: &mut impl Write) -> std::io::Result<()> {
//!     for event in events {
//!         if let EventKind::Chunk { block: Kind::Text, text, .. } = event.kind {
//!             out.write_all(text.as_bytes())?;
//!         }
//!     }
//!     out.flush()
//! }
//!
//! let mut out = Vec::new(); // or std::io::stdout()
//! let mut parser = BlockParser::new(Options::default());
//! for chunk in ["<thin", "king>97 / 7 is 13.9</thinking>Yes, 97", " is prime."] {
//!     show(parser.feed(chunk)?, &mut out)?;
//! }
//! show(parser.finish(), &mut out)?;
//! assert_eq!(out, b"Yes, 97 is prime.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Chunks are `&str`. Where they come as bytes, from a file or a socket, the end of a
//! read may cut a character: `examples/rust/chunks.rs` shows how to read these.
//!
//! # I want to…
//!
//! | | module | parser |
//! | --- | --- | --- |
//! | show a reply without its thinking and tool calls; read thinking, calls and results that are tags | [`block`] | [`BlockParser`](block::BlockParser) |
//! | have each field of a JSON answer while it is written | [`field`] | [`FieldParser`](field::FieldParser) |
//! | read the files and commands of an agent | [`segment`] | [`SegmentParser`](segment::SegmentParser) |
//! | show the files that an agent edits while it writes patches | [`edit`] | [`EditParser`](edit::EditParser) |
//! | read text, reasoning and tool calls in the wire format of a model | [`mod@format`], [`tool_call`] | [`ToolCallParser`](tool_call::ToolCallParser) |
//! | read tool calls as JSON between tags of your own, or as elements | [`tool_call`] | [`ToolCallParser`](tool_call::ToolCallParser) |
//! | build another parser | [`json`], [`xml`], [`text`] | |
//!
//! Words: a **chunk** goes in; a **token** is markup that was recognised; an
//! **event** is what happened. Text that may still become markup is **pending**
//! until it is decided, and **released** as soon as it is.
//!
//! # Five parsers
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
//! **Tool calls**: in the wire format of a model, as JSON between two tags, or as elements with the names of tools.
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
//! **Edits**: what a model changes in files, in patches, SEARCH/REPLACE blocks and diffs.
//!
//! ```
//! use tokenweir::edit::{EditParser, EventKind, Options};
//!
//! let mut parser = EditParser::new(Options::default());
//! let mut seen = Vec::new();
//! for chunk in ["*** Begin Patch\n*** Add Fi", "le: a.txt\n+Hel", "lo\n*** End Patch\n"] {
//!     for event in parser.feed(chunk)? {
//!         match event.kind {
//!             EventKind::File { path, .. } => seen.push(path),
//!             EventKind::Delta { text, .. } => seen.push(format!("+ {text}")),
//!             EventKind::FileDone { .. } => seen.push("done".to_owned()),
//!             _ => {}
//!         }
//!     }
//! }
//! parser.finish();
//! assert_eq!(seen, ["a.txt", "+ Hel", "+ lo\n", "done"]);
//! # Ok::<(), tokenweir::Error>(())
//! ```
//!
//! Each has `feed` for a chunk, `finish` for the end and `reset` for a new
//! stream; `snapshot` saves it between two chunks, and `restore` goes on from there,
//! in another process too. For that a parser keeps the text of its stream until `reset`.
//! [`Error`] is for misuse: text after the end, or a snapshot of something else.
//! Every event has a [`text::Span`]: its place in UTF-16 code units from the
//! stream's start, since JavaScript counts so too; text itself is a `String`.
//!
//! # Guarantees
//!
//! For every parser, also on hostile text. Each has a property test in `tests/`:
//!
//! 1. Independent of chunk boundaries: however the text is cut, the events are the
//!    same, once adjacent deltas are joined.
//! 2. Lossless: the spans of chunks and markup tile the stream.
//! 3. Minimal, bounded buffering: only the longest undecided ending is pending.
//! 4. Linear time, for one-character chunks and deep nesting too.
//! 5. Never fails or panics on input: [`Error`] is for misuse alone.
//! 6. One code path: a complete text is a stream of one chunk.
//! 7. Incomplete calls and fields are marked.
//!
//! # Features
//!
//! A Rust program needs none: it has all parsers with any set of them, on wasm32 too,
//! and what it doesn't call is not linked. They are for the npm package's WebAssembly.
//!
//! | feature | default | adds |
//! | --- | --- | --- |
//! | `exports` | no | on wasm32: exports for JavaScript, by one version of wasm-bindgen |
//! | `block`, `field`, `segment`, `tool_call`, `edit` | yes | a parser in these exports |
//! | `json`, `xml`, `arguments` | yes | the reader of JSON, of XML, or of arguments in them |
//! | `serde` | no | [`text::Snapshot`] can be serialised |
//! | `debug` | no | for JavaScript: readable panics, and the state of parsers; needs serde |
//!
//! # The same in JavaScript
//!
//! The npm package `tokenweir` has the same state machines. There an event is a
//! callback or an object; here [`text::Parser::feed`] returns a `Vec` of events.
//! Values stay as written here: schemas, coercion, providers' events and prompts
//! are in the npm package alone so far. Spans are equal.

// The samples of the guide are tests too.
#[cfg(doctest)]
#[doc = include_str!("../docs/rust.md")]
mod guide {}

pub mod text;

// Hidden: how the floors above it search. A fuzz target has vocabularies of its own; nothing of it is in what a program sees.
#[doc(hidden)]
pub mod scan;

pub mod xml;

pub mod json;

mod markdown;

mod reasoning;

pub mod block;

pub mod field;

pub mod segment;

pub mod edit;

pub mod format;

pub mod tool_call;

mod error;

// Hidden: what JavaScript calls; it sees the package's own functions instead.
#[cfg(all(target_arch = "wasm32", feature = "exports"))]
#[doc(hidden)]
pub mod wasm;

// Hidden: the numbers of the border, which the build writes as TypeScript.
#[cfg(not(target_arch = "wasm32"))]
#[doc(hidden)]
pub mod wire;

pub use error::{Error, ErrorKind};
pub use text::ENGINE;
