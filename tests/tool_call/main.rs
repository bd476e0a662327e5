//! The tool-call front-end: its cases at every cut, promises on any text, growth,
//! and what a program hears.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that can't go on fails")]
#![allow(clippy::wildcard_enum_match_arm, reason = "a test looks at the events that it is about")]
#![allow(unreachable_pub, reason = "one program in several files")]

#[path = "../pieces/tool_call.rs"]
mod pieces;
#[path = "../support/mod.rs"]
mod support;

mod case;
mod conformance;
mod events;
mod held;
mod linear;
mod properties;
mod reading;
