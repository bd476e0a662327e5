//! The JSON tokenizer: against serde_json, json5 and JSONTestSuite, at random
//! cuts, rule by rule, and on text that can't be read.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that can't go on fails")]
#![allow(unreachable_pub, reason = "one program in several files")]

#[path = "../pieces/json.rs"]
mod pieces;

#[path = "../support/thin.rs"]
mod thin;

mod document;
mod generate;
mod oracle;
mod properties;
mod reader;
mod reading;
mod recovery;
mod suite;
mod tolerance;
mod value;
