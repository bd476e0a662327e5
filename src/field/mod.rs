//! The field front-end: every field of a JSON document while it is being written.
//!
//! Source: spec/field.md; seeds/002, "StreamingJSONParser". The events of its
//! order mode need the values, and are made where those are: in JavaScript.

mod event;
mod machine;
mod op;
mod parser;
mod prose;

pub use event::{Event, EventKind, Form, Path, Source, Step};
pub use machine::{Machine, Mode, Outcome, REACH, Shape};
pub use op::Op;
pub use parser::{FieldParser, Options};
