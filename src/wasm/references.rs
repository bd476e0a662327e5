//! The character references in attributes' values, one value after the other.

use super::machine::machine;
use crate::xml::References;
use wasm_bindgen::prelude::wasm_bindgen;

machine! {
    References = References::START, ();
    references_pointer references_size references_run references_finish references_answer(|_, _| None)
}

/// At the start of a value.
#[wasm_bindgen]
pub fn references_start() {
    at_work(|references, ()| *references = References::START);
}
