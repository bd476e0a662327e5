//! Wire formats: the promises, for every row of the catalogue, on random documents of that row.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that can't go on fails")]
#![allow(clippy::wildcard_enum_match_arm, reason = "a test looks at the events that it is about")]
#![allow(dead_code, unreachable_pub, reason = "one program in several files, which the fuzzer shares")]

#[path = "../tool_call/case.rs"]
mod case;
#[path = "../support/mod.rs"]
mod support;
#[path = "../tool_call/reading.rs"]
mod tool_calls;

mod checks;
mod documents;
mod found;
mod linear;
mod native;
mod properties;
mod reading;
mod rows;
