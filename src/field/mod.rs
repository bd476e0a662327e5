//! The field parser: every field of a JSON document while it is being written.
//!
//! Source: spec/field.md; seeds/002, "StreamingJSONParser". The events of its
//! order mode need the values, and are made where those are: in JavaScript.

mod event;
mod machine;
mod op;
mod parser;
mod prose;

pub use event::{Event, EventKind, Form, Path, Source, Step};
pub use machine::{REACH, Shape, WITHHELD};
pub use parser::{FieldParser, Options};

// Hidden: the border drives the machine itself, and so do the tests; a program has `FieldParser`.
#[doc(hidden)]
pub use machine::{Ask, CLOSABLE, Machine, Mode};
#[doc(hidden)]
pub use op::{Flag, Op, fault_name};
#[doc(hidden)]
pub use parser::FieldEmitter;
