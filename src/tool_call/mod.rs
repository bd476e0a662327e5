//! Tool calls in text: JSON between two tags (Hermes), or an element with the
//! tool's name (Morph).
//!
//! Source: spec/tool_call.md; seeds/003.

mod emitter;
mod event;
mod machine;
mod names;
mod op;
mod parser;
mod protocol;
mod writer;

pub use event::{Arguments, Event, EventKind};
pub use names::{LONGEST_TOOL_NAME, MOST_TOOLS};
pub use op::{Repair, Why};
pub use parser::{Options, ToolCallParser};
pub use protocol::{LONGEST_MARKER, Reasoning};

// Hidden: the border drives the machine itself, and so do the tests; a program has `ToolCallParser`.
#[doc(hidden)]
pub use machine::{Answer, Ask, DEEPEST_ARGUMENTS, LONGEST_SPACE, LONGEST_TOOL_TAG, Machine, Mode};
#[doc(hidden)]
pub use names::{NAMES_ROOM, ToolNames};
#[doc(hidden)]
pub use op::Op;
#[doc(hidden)]
pub use parser::CallEmitter;
#[doc(hidden)]
pub use protocol::{Marker, Protocol};
