//! The tool-call parser's calls.

use super::batch;
use super::machine::machine;
use crate::text::Machine as _;
use crate::tool_call::{Answer, Machine, Marker, Reasoning, ToolNames};
use wasm_bindgen::prelude::wasm_bindgen;

machine! {
    Machine = Machine::morph(), ToolNames::NONE;
    tool_call_pointer tool_call_size tool_call_run tool_call_finish tool_call_answer(|number, _| Some(Answer::of(number)))
    tool_call_is_in_call tool_call_give_up tool_call_pass
}

/// Forgets the names of the tools whose tags are looked for.
#[wasm_bindgen]
pub fn tool_names_clear() {
    at_work(|_, names| names.clear());
}

/// Adds the name in the input buffer, after all others in byte order; false if
/// no tag can have it, or there is no room.
#[wasm_bindgen]
pub fn tool_names_add(len: usize) -> bool {
    at_work(|_, names| batch::with(len, |name, _| names.add(name)))
}

/// A new machine at the start of a stream: of Morph if both lengths are 0, else of
/// Hermes, whose tags are in the input buffer, one after the other. False if they
/// are malformed. `reasoning` is the number of a `Reasoning`;
/// `skips_code` says whether a call in Markdown code is text.
#[wasm_bindgen]
pub fn tool_call_start(start: usize, end: usize, reasoning: u32, skips_code: bool) -> bool {
    let machine = batch::with(start + end, |text, _| {
        if text.is_empty() {
            return Some(Machine::morph());
        }
        let (start, end) = text.split_at_checked(start)?;
        Some(Machine::hermes(Marker::new(&[start])?, Marker::new(&[end])?))
    });
    let Some(machine) = machine else { return false };
    at_work(|at_work, _| *at_work = machine.with_reasoning(Reasoning::of(reasoning)).skipping_code(skips_code));
    true
}

/// A new machine at the start of a stream: of Morph, where a tool's name may stand on a line of its own.
#[wasm_bindgen]
pub fn tool_call_start_lines(reasoning: u32, skips_code: bool) {
    at_work(|machine, _| {
        *machine = Machine::morph_lines().with_reasoning(Reasoning::of(reasoning)).skipping_code(skips_code)
    });
}

/// A run of text has ended after `held` pending units outside of a call.
#[wasm_bindgen]
pub fn tool_call_settle(held: u32) -> u32 {
    read(0, |machine, _, _, batch| machine.settle(held, batch))
}
