//! The edit parser: its cases at every cut, promises on any text, a plain reader of whole texts beside it, and growth.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that can't go on fails")]
#![allow(unreachable_pub, reason = "one program in several files")]

#[path = "../pieces/edit.rs"]
mod pieces;
#[path = "../support/mod.rs"]
mod support;

mod case;
mod conformance;
mod limits;
mod linear;
mod machine;
mod naive;
mod naive_diff;
mod naive_patch;
mod properties;
mod reading;
