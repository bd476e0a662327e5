//! The edit parser's calls.

use super::machine::machine;
use crate::edit::Machine;
use wasm_bindgen::prelude::wasm_bindgen;

machine! {
    Machine = Machine::new(0), ();
    edit_pointer edit_size edit_run edit_finish edit_answer(|_, _| None)
}

/// A new machine at the start of a stream, by the bits of [`Flag`](crate::edit::Flag).
#[wasm_bindgen]
pub fn edit_start(flags: u32) {
    at_work(|machine, ()| *machine = Machine::new(flags));
}
