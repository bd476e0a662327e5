//! The field front-end's calls.

use super::batch::{self, Batch};
use super::desk::Desk;
use crate::field::{Flag, Machine, Outcome, Shape};
use crate::json::{MOST_LEVELS, Rules};
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static DESK: Desk<Machine> = const { Desk::new(Machine::new(Shape::Any, Rules::STRICT, MOST_LEVELS)) };
}

fn at_work<T: Default>(use_it: impl FnOnce(&mut Machine) -> T) -> T {
    DESK.with(|desk| desk.at_work(use_it))
}

/// Packs what the glue needs at once, above the number of records: whether the
/// first key is asked about (1 bit), the mode (3), and whether the document
/// could be closed here (1).
fn close(batch: &mut Batch, outcome: Outcome, machine: &Machine) -> u32 {
    let bits = u32::from(outcome.asks_key) | (machine.mode() as u32) << 1 | u32::from(machine.could_be_closed()) << 4;
    batch.close(outcome.next, outcome.held_from, bits)
}

/// Where the machine of the parser at work lies.
#[wasm_bindgen]
pub fn field_machine_pointer() -> usize {
    DESK.with(Desk::pointer)
}

/// Its size in bytes.
#[wasm_bindgen]
pub fn field_machine_size() -> usize {
    size_of::<Machine>()
}

/// A new machine at the start of a stream, by the bits of [`Flag`]. `shape` is the number of a `Shape`.
#[wasm_bindgen]
pub fn field_start(flags: u32, shape: usize, max_depth: u16) {
    let has = |flag: Flag| flags & flag as u32 != 0;
    let shape = Shape::from_number(shape as u32).unwrap_or(Shape::Any);
    let rules = if has(Flag::Strict) { Rules::STRICT } else { Rules::LENIENT };
    at_work(|machine| {
        *machine = Machine::new(shape, rules, max_depth);
        machine.configure(has(Flag::Nullable), has(Flag::Multiple), has(Flag::EmitsNumbers), has(Flag::Bare));
    });
}

/// Reads `len` bytes of the input buffer behind `held` held units.
#[wasm_bindgen]
pub fn field_run(len: usize, held: u32, is_ascii: bool) -> u32 {
    at_work(|machine| {
        batch::with(len, |text, batch| {
            let outcome = machine.run(text, held, is_ascii, batch);
            close(batch, outcome, machine)
        })
    })
}

/// The end of the stream.
#[wasm_bindgen]
pub fn field_finish(held: u32) -> u32 {
    at_work(|machine| {
        batch::with(0, |_, batch| {
            let outcome = machine.finish(held, batch);
            close(batch, outcome, machine)
        })
    })
}

/// Answers whether the first key agrees with the schema.
#[wasm_bindgen]
pub fn field_answer(agrees: bool) {
    at_work(|machine| machine.answer(agrees));
}

/// The rules that documents were read by, one bit each.
#[wasm_bindgen]
pub fn field_rules() -> u32 {
    at_work(|machine| machine.used().bits())
}
