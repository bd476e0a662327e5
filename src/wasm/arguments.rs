//! The calls of the reader of a call's arguments.

use super::machine::machine;
use crate::json::{DocumentReading, MOST_LEVELS, Rules};
use wasm_bindgen::prelude::wasm_bindgen;

machine! {
    DocumentReading = DocumentReading::new(Rules::STRICT, MOST_LEVELS), ();
    arguments_pointer arguments_size arguments_run arguments_finish arguments_answer(|_, _| None)
}

/// A new machine at the start of a document. `rules`: those that are tolerated, a bit each.
#[wasm_bindgen]
pub fn arguments_start(rules: u32, max_depth: u16) {
    at_work(|machine, ()| *machine = DocumentReading::new(Rules::of_bits(rules), max_depth));
}

/// The rules that something was read by, one bit each.
#[wasm_bindgen]
pub fn arguments_rules() -> u32 {
    at_work(|machine, ()| machine.used().bits())
}
