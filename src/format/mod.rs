//! Wire formats: how model families write tool calls and reasoning as text.
//!
//! A format is a [`Row`] of data, which the program gives as bytes (`row.rs`). One machine
//! reads any row, or several together.
//!
//! Source: spec/format.md; the rows themselves are in `formats/*.json5`.

mod head;
mod machine;
mod names;
mod op;
mod row;
mod table;

pub use machine::{Answer, Ask, DEEPEST_ARGUMENTS, LONGEST_HEAD, LONGEST_SPACE, LONGEST_TOOL_TAG, Machine, Start};
pub use names::{LONGEST_TOOL_NAME, MOST_TOOLS, NAMES_ROOM, ToolNames};
pub use op::{Mode, Op, Repair, Why};
pub use row::{Body, Closer, Flag, HeadPiece, Kind, MOST_MARKS, Part, ROW_BYTES, RouteItem, Row, Slot, Trim};
pub use table::{MOST_ROWS, Table};
