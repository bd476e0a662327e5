//! The debug build alone: a machine's state as an object, and panics that say why.

use super::{arguments, block, call, edit, elements, field, format, json, references, segment, xml};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// What `inspect` may allocate before memory grows.
const ROOM: usize = 1 << 22;

/// Runs once, before all else.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
    // Memory grows now, and not under JavaScript's views of it: what is freed here is enough for any state.
    drop(std::hint::black_box(vec![0_u8; ROOM]));
}

/// The state of the machine at work, by the name that its exports begin with.
/// Undefined if there is no such machine, or it panicked.
#[wasm_bindgen]
#[must_use]
pub fn inspect(name: &str) -> JsValue {
    match name {
        "arguments" => arguments::state(),
        "block" => block::state(),
        "call" => call::state(),
        "edit" => edit::state(),
        "elements" => elements::state(),
        "field" => field::state(),
        "format" => format::state(),
        "json" => json::state(),
        "references" => references::state(),
        "segment" => segment::state(),
        "tree" => xml::state(),
        _ => JsValue::UNDEFINED,
    }
}

/// Panics, for the test that a panic's message is printed.
#[wasm_bindgen]
pub fn panic_for_test() {
    panic!("panic_for_test was called");
}
