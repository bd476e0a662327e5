//! The field parser: every field of a JSON document while it is being written.
//!
//! [`FieldParser`] emits an [`Event`] with the [`Path`] of its field: pieces of a string
//! ([`EventKind::Text`]), numbers and words, and [`EventKind::Done`] for each value. After
//! [`EventKind::Reset`] the events of the document are void. What can't be read is an
//! [`EventKind::Fault`]; the only error is [`Error`](crate::Error), for text after the end.
//!
//! ```
//! use tokenweir::field::{EventKind, FieldParser, Options};
//! let mut parser = FieldParser::new(Options::default());
//! let mut seen = Vec::new();
//! for chunk in ["Sure: {\"name\": \"A", "da\"}"] {
//!     for event in parser.feed(chunk)? {
//!         if let EventKind::Text(text) = event.kind {
//!             seen.push(format!("{} + {text}", event.path));
//!         }
//!     }
//! }
//! parser.finish();
//! assert_eq!(seen, ["name + A", "name + da"]);
//! # Ok::<(), tokenweir::Error>(())
//! ```
//!
//! Source: spec/field.md; seeds/002, "StreamingJSONParser". The events of its
//! order mode need the values, and are made where those are: in JavaScript.

mod candidate;
mod code;
mod event;
mod machine;
mod op;
mod parser;
mod prose;
mod search;
mod shape;
mod shell;

pub use event::{Event, EventKind, Form, Path, Source, Step};
pub use machine::{REACH, WITHHELD};
pub use parser::{FieldParser, Options};
pub use shape::Shape;

// Hidden: the border drives the machine itself, and so do the tests; a program has `FieldParser`.
#[doc(hidden)]
pub use candidate::{KEY_AGREES, NO_ARRAY, NO_OBJECT};
#[doc(hidden)]
pub use machine::{Ask, CLOSABLE, Machine};
#[doc(hidden)]
pub use op::{Flag, Mode, Op, fault_name};
#[doc(hidden)]
pub use parser::FieldEmitter;
