//! One JSON text after the other.

use super::machine::machine;
use crate::json::{DEEPEST, JsonReading, RuleSet, Rules};
use wasm_bindgen::prelude::wasm_bindgen;

machine! {
    JsonReading = JsonReading::new(Rules::STRICT, DEEPEST), ();
    json_pointer json_size json_run json_finish json_answer(|_, _| None)
}

/// At the start of a text. `rules` is the number of a [`RuleSet`].
#[wasm_bindgen]
pub fn json_start(rules: u32) {
    let set = RuleSet::from_number(rules).unwrap_or(RuleSet::Call);
    at_work(|reading, ()| *reading = JsonReading::new(set.rules(), DEEPEST));
}

/// The rules that something was read by, one bit each.
#[wasm_bindgen]
pub fn json_rules() -> u32 {
    at_work(|reading, ()| reading.used().bits())
}
