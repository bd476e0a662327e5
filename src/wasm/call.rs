//! The arguments of API tool calls.

use super::batch;
use super::machine::machine;
use crate::segment::CallMachine;
use wasm_bindgen::prelude::wasm_bindgen;

machine! {
    CallMachine = CallMachine::REST, ();
    call_pointer call_size call_run call_finish call_answer(|_, _| None)
}

/// A new machine at the start of a call's arguments. The two names that are
/// looked for are in the input buffer, one after the other; an empty one looks
/// for nothing. False if one is too long.
#[wasm_bindgen]
pub fn call_start(first: usize, second: usize) -> bool {
    let machine = batch::with(first + second, |text, _| {
        let (first, second) = text.split_at_checked(first).unwrap_or_default();
        CallMachine::new(&[first, second])
    });
    let Some(machine) = machine else { return false };
    at_work(|call, ()| *call = machine);
    true
}
