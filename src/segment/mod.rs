//! Tools, files and commands in what a model writes, as segments: for each a
//! start, its content as it comes, and an end.
//!
//! Source: seeds/000; spec/segment.md. Replaces AutoByteus' StreamingParser.

mod call;
mod code;
mod event;
mod header;
mod machine;
mod op;
mod parser;
mod signature;
mod state;
mod word;

pub use call::{CallMachine, CallOp};
pub use event::{Event, EventKind};
pub use machine::{Choice, LONGEST_HEADER, LONGEST_SPACE, Machine, Markers, Mode, Outcome};
pub use op::{Fault, Op, SegmentType};
pub use parser::{Options, SegmentParser};
pub use signature::{LONGEST_SIGNATURE, MOST_SIGNATURES, Profile, Signatures};
pub use state::{MOST_METADATA, Row, STATES, ToolState};
pub use word::LONGEST_WORD;
