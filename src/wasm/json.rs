//! One JSON text after the other, or one object or array in a text.

use super::machine::machine;
use crate::json::{DEEPEST, JsonReading, RuleSet, Rules};
use wasm_bindgen::prelude::wasm_bindgen;

machine! {
    JsonReading = JsonReading::new(Rules::STRICT, DEEPEST), ();
    json_pointer json_size json_run json_finish json_answer(|_, _| None)
}

/// At the start of a text. `rules` is the number of a [`RuleSet`].
/// `is_value`: an object or array is read to its closing bracket, and the text may go on.
#[wasm_bindgen]
pub fn json_start(rules: u32, is_value: bool) {
    let set = RuleSet::from_number(rules).unwrap_or(RuleSet::Call);
    let make = if is_value { JsonReading::of_value } else { JsonReading::new };
    at_work(|reading, ()| *reading = make(set.rules(), DEEPEST));
}

/// The rules that something was read by, one bit each.
#[wasm_bindgen]
pub fn json_rules() -> u32 {
    at_work(|reading, ()| reading.used().bits())
}
