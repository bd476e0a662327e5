//! Tool calls in text: JSON between two tags (Hermes), or an element with the
//! tool's name (Morph).
//!
//! Source: spec/tool_call.md; seeds/003.

mod emitter;
mod event;
mod parser;
mod protocol;
mod writer;

pub use crate::format::{LONGEST_TOOL_NAME, MOST_TOOLS, Repair, Why};
pub use event::{Arguments, Event, EventKind};
pub use parser::{Options, ToolCallParser};
pub use protocol::{LONGEST_MARKER, Reasoning};

// Hidden: the border drives the machine itself, and so do the tests; a program has `ToolCallParser`.
#[doc(hidden)]
pub use crate::format::{Answer, Ask, Machine, Mode, Op, ToolNames};
#[doc(hidden)]
pub use crate::format::{DEEPEST_ARGUMENTS, LONGEST_SPACE, LONGEST_TOOL_TAG, NAMES_ROOM};
#[doc(hidden)]
pub use parser::CallEmitter;
#[doc(hidden)]
pub use protocol::{hermes_row, morph_row};
