//! One JSON text after the other.

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
#[wasm_bindgen]
pub fn json_start(rules: u32) {
    let keeps_escapes = rules == 3;
    let rules = match rules {
        0 => Rules::STRICT,
        1 => Rules::RELAXED,
        2 => Rules::TOLERANT,
        // Nobody waits here for what follows a quote.
        _ => Rules::CALL.without(crate::json::Rule::UnescapedQuote),
    };
    READING.with(|desk| desk.at_work(|reading| *reading = JsonReading::new(rules, keeps_escapes, DEEPEST)));
}

/// Reads `len` bytes of the input buffer, which begin at unit `from` of the text.
/// Packs above the number of records whether there was a fault.
#[wasm_bindgen]
pub fn json_run(len: usize, from: u32) -> u32 {
    READING.with(|desk| {
        desk.at_work(|reading| {
            batch::with(len, |text, batch| {
                let next = reading.run(text, from, batch);
                batch.close(next, next, u32::from(reading.has_failed()))
            })
        })
    })
}

/// The end of the text, which is `length` units long.
#[wasm_bindgen]
pub fn json_finish(length: u32) -> u32 {
    READING.with(|desk| {
        desk.at_work(|reading| {
            batch::with(0, |_, batch| {
                reading.finish(length, batch);
                batch.close(length, length, u32::from(reading.has_failed()))
            })
        })
    })
}

/// The rules that something was read by, one bit each.
#[wasm_bindgen]
pub fn json_rules() -> u32 {
    READING.with(|desk| desk.at_work(|reading| reading.used().bits()))
}
