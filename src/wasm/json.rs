//! One JSON text after the other, or one object or array in a text.

use super::batch;
use super::desk::Desk;
use crate::json::{JsonReading, Rules};
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static READING: Desk<JsonReading> = const { Desk::new(JsonReading::new(Rules::STRICT, false, DEEPEST)) };
}

/// Deepest nesting.
const DEEPEST: u16 = 512;

/// At the start of a text. `rules`: 0 strict, 1 relaxed, 2 tolerant, 3 of calls.
/// `is_value`: an object or array is read to its closing bracket, and the text may go on.
#[wasm_bindgen]
pub fn json_start(rules: u32, is_value: bool) {
    let keeps_escapes = rules == 3;
    let rules = match rules {
        0 => Rules::STRICT,
        1 => Rules::RELAXED,
        2 => Rules::TOLERANT,
        // Nobody waits here for what follows a quote.
        _ => Rules::CALL.without(crate::json::Rule::UnescapedQuote),
    };
    let make = if is_value { JsonReading::of_value } else { JsonReading::new };
    READING.with(|desk| desk.at_work(|reading| *reading = make(rules, keeps_escapes, DEEPEST)));
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
                batch.close(next, next, u32::from(reading.has_failed()) | u32::from(reading.has_ended()) << 1)
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
                let bits = u32::from(reading.has_failed())
                    | u32::from(reading.has_ended()) << 1
                    | u32::from(reading.lacks_closers()) << 2;
                batch.close(length, length, bits)
            })
        })
    })
}

/// The rules that something was read by, one bit each.
#[wasm_bindgen]
pub fn json_rules() -> u32 {
    READING.with(|desk| desk.at_work(|reading| reading.used().bits()))
}
