//! The tool-call front-end's calls.

use super::batch::{self, Batch};
use super::desk::Desk;
use crate::tool_call::{Answer, Machine, Marker, Outcome, Reasoning, ToolNames};
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static CALLS: Desk<Machine> = const { Desk::new(Machine::morph()) };
    static NAMES: Desk<ToolNames> = const { Desk::new(ToolNames::NONE) };
}

/// Packs what the glue needs at once, above the number of records: whether
/// something is asked (1 bit), the mode (3), and whether more text is waited for (1).
fn close(batch: &mut Batch, outcome: Outcome, machine: &Machine) -> u32 {
    let bits = u32::from(outcome.asks) | (machine.mode() as u32) << 1 | u32::from(outcome.waits) << 4;
    batch.close(outcome.next, outcome.held_from, bits)
}

/// Where the machine of the parser at work lies.
#[wasm_bindgen]
pub fn tool_call_machine_pointer() -> usize {
    CALLS.with(Desk::pointer)
}

/// Its size in bytes.
#[wasm_bindgen]
pub fn tool_call_machine_size() -> usize {
    size_of::<Machine>()
}

/// Forgets the names of the tools whose tags are looked for.
#[wasm_bindgen]
pub fn tool_names_clear() {
    NAMES.with(|desk| desk.at_work(ToolNames::clear));
}

/// Adds the name in the input buffer, behind all others in byte order; false if
/// it can't be one, or there is no room.
#[wasm_bindgen]
pub fn tool_names_add(len: usize) -> bool {
    NAMES.with(|desk| desk.at_work(|names| batch::with(len, |name, _| names.add(name))))
}

/// A new machine at the start of a stream: of Morph if both lengths are 0, else of
/// Hermes, whose tags are in the input buffer, one behind the other. False if they
/// can be none. `reasoning` is the number of a `Reasoning`.
#[wasm_bindgen]
pub fn tool_call_start(start: usize, end: usize, reasoning: u32) -> bool {
    let machine = batch::with(start + end, |text, _| {
        if text.is_empty() {
            return Some(Machine::morph());
        }
        let (start, end) = text.split_at_checked(start)?;
        Some(Machine::hermes(Marker::new(&[start])?, Marker::new(&[end])?))
    });
    let Some(machine) = machine else { return false };
    let machine = machine.with_reasoning(Reasoning::of(reasoning));
    CALLS.with(|desk| desk.at_work(|at_work| *at_work = machine));
    true
}

/// A new machine at the start of a stream: of Morph, where a tool's name may stand on a line of its own.
#[wasm_bindgen]
pub fn tool_call_start_lines(reasoning: u32) {
    let machine = Machine::morph_lines().with_reasoning(Reasoning::of(reasoning));
    CALLS.with(|desk| desk.at_work(|at_work| *at_work = machine));
}

/// So many units were told without being read.
#[wasm_bindgen]
pub fn tool_call_pass(units: u32) {
    CALLS.with(|desk| desk.at_work(|machine| machine.pass(units)));
}

/// Reads `len` bytes of the input buffer behind `held` held units.
#[wasm_bindgen]
pub fn tool_call_run(len: usize, held: u32, is_ascii: bool) -> u32 {
    CALLS.with(|desk| {
        desk.at_work(|machine| {
            NAMES.with(|names| {
                names.at_work(|names| {
                    batch::with(len, |text, batch| {
                        let outcome = machine.run(names, text, held, is_ascii, batch);
                        close(batch, outcome, machine)
                    })
                })
            })
        })
    })
}

/// Answers what was asked, by the number of an `Answer`.
#[wasm_bindgen]
pub fn tool_call_answer(answer: u32) {
    CALLS.with(|desk| desk.at_work(|machine| machine.answer(Answer::of(answer))));
}

/// Whether a segment has begun that may be a call.
#[wasm_bindgen]
pub fn tool_call_is_open() -> bool {
    CALLS.with(|desk| desk.at_work(|machine| machine.is_in_call()))
}

/// Gives up the segment of which `held` units are held.
#[wasm_bindgen]
pub fn tool_call_give_up(held: u32) -> u32 {
    CALLS.with(|desk| {
        desk.at_work(|machine| {
            batch::with(0, |_, batch| {
                let outcome = machine.give_up(held, batch);
                close(batch, outcome, machine)
            })
        })
    })
}

/// A run of text has ended after `held` undecided units outside of a call.
#[wasm_bindgen]
pub fn tool_call_settle(held: u32) -> u32 {
    CALLS.with(|desk| {
        desk.at_work(|machine| {
            batch::with(0, |_, batch| {
                let outcome = machine.settle(held, batch);
                close(batch, outcome, machine)
            })
        })
    })
}

/// The end of the stream.
#[wasm_bindgen]
pub fn tool_call_finish(held: u32) -> u32 {
    CALLS.with(|desk| {
        desk.at_work(|machine| {
            batch::with(0, |_, batch| {
                let outcome = machine.finish(held, batch);
                close(batch, outcome, machine)
            })
        })
    })
}
