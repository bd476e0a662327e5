//! One JSON text after the other, or one object or array in a text.

use super::batch;
use super::desk::Desk;
use crate::json::{JsonFlag, JsonReading, RuleSet, Rules};
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static READING: Desk<JsonReading> = const { Desk::new(JsonReading::new(Rules::STRICT, false, DEEPEST)) };
}

/// Deepest nesting.
const DEEPEST: u16 = 512;

/// At the start of a text. `rules` is the number of a [`RuleSet`].
/// `is_value`: an object or array is read to its closing bracket, and the text may go on.
#[wasm_bindgen]
pub fn json_start(rules: u32, is_value: bool) {
    let set = RuleSet::from_number(rules).unwrap_or(RuleSet::Call);
    let make = if is_value { JsonReading::of_value } else { JsonReading::new };
    READING.with(|desk| desk.at_work(|reading| *reading = make(set.rules(), set == RuleSet::Call, DEEPEST)));
}

fn flags(reading: &JsonReading) -> u32 {
    let bit = |is_set: bool, flag: JsonFlag| if is_set { flag as u32 } else { 0 };
    bit(reading.has_failed(), JsonFlag::Failed) | bit(reading.has_ended(), JsonFlag::Ended)
}

/// Reads `len` bytes of the input buffer, which begin at unit `from` of the text.
/// Packs above the number of records a bit each: whether there was a fault, and
/// whether the object or array has ended.
#[wasm_bindgen]
pub fn json_run(len: usize, from: u32) -> u32 {
    READING.with(|desk| {
        desk.at_work(|reading| {
            batch::with(len, |text, batch| {
                let next = reading.run(text, from, batch);
                batch.close(next, next, flags(reading))
            })
        })
    })
}

/// The end of the text, which is `length` units long. Packs as `json_run`, and a bit
/// more: whether it lacks closing brackets alone.
#[wasm_bindgen]
pub fn json_finish(length: u32) -> u32 {
    READING.with(|desk| {
        desk.at_work(|reading| {
            batch::with(0, |_, batch| {
                reading.finish(length, batch);
                let lacks_closers = if reading.lacks_closers() { JsonFlag::LacksClosers as u32 } else { 0 };
                batch.close(length, length, flags(reading) | lacks_closers)
            })
        })
    })
}

/// The rules that something was read by, one bit each.
#[wasm_bindgen]
pub fn json_rules() -> u32 {
    READING.with(|desk| desk.at_work(|reading| reading.used().bits()))
}
