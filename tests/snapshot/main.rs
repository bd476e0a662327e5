//! A parser that is saved and restored goes on as if nothing had happened.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that can't go on fails")]
#![allow(dead_code, unreachable_pub, reason = "of a case its text and its options are wanted")]

#[path = "../support/mod.rs"]
mod support;

#[path = "../segment/reading.rs"]
mod reading;

#[path = "../edit/case.rs"]
mod edit_case;
#[path = "../field/case.rs"]
mod field_case;
#[path = "../segment/case.rs"]
mod segment_case;
#[path = "../tool_call/case.rs"]
mod tool_call_case;

#[path = "../pieces/block.rs"]
mod block_pieces;
#[path = "../pieces/edit.rs"]
mod edit_pieces;
#[path = "../pieces/field.rs"]
mod field_pieces;
#[path = "../pieces/segment.rs"]
mod segment_pieces;
#[path = "../pieces/tool_call.rs"]
mod tool_call_pieces;

mod cases;
mod refused;
