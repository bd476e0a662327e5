//! The elements of tools' arguments, one text after the other.

use super::machine::machine;
use crate::xml::Elements;
use wasm_bindgen::prelude::wasm_bindgen;

machine! {
    Elements = Elements::START, ();
    elements_pointer elements_size elements_run elements_finish elements_answer(|_, _| None)
}

/// At the start of a text whose elements are read.
#[wasm_bindgen]
pub fn elements_start() {
    at_work(|elements, ()| *elements = Elements::START);
}
