//! The field front-end: its cases at every cut, promises on any text, and growth.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that can't go on fails")]
#![allow(unreachable_pub, reason = "one program in several files")]

#[path = "../pieces/field.rs"]
mod pieces;
#[path = "../support/mod.rs"]
mod support;

mod case;
mod conformance;
mod document;
mod linear;
mod number;
mod options;
mod properties;
mod reading;
